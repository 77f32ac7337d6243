/** Contracts from first word to last: refused while nobody vouches for them, accepted by the user. */
import { generatePrivateKey } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { command } from '../../src/commands/contracts/accept.js';
import * as Network from '../../src/core/network/Network.js';
import { network } from '../../src/core/network/sandbox.js';
import { addFault } from '../support/faults.js';
import { at, type Ended, ferry, temporaryFolder } from '../support/ferry.js';
import { contextAt, ownNetwork } from '../support/ownNetwork.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox } = useSandbox();

const alpha = Network.chain(network, 'alpha');
const { depository, approvalProxy } = alpha.contracts;

/** Makes the service say something else until it is told otherwise. */
async function tampered(path: string, at: string, value: unknown, act: () => Promise<void>): Promise<void> {
  const id = await addFault(sandbox, 'service', { kind: 'tamper', match: { path }, path: at, value, times: 0 });
  await act();
  await fetch(`${sandbox.baseUrl}/sandbox/faults/${id}`, { method: 'DELETE' });
}

/** How the checks of a quote went that are about contracts. */
async function verdicts(env: Record<string, string | undefined>): Promise<string[]> {
  const ended = await ferry(['quote', '1', 'alpha/eth', 'beta/eth', '--json'], { env });
  expect([0, 5]).toContain(ended.code);
  type Check = { check: string; verdict: string };
  return ended.json().data.proof.flatMap(({ check, verdict }: Check) => (check === 'contract' ? [verdict] : []));
}

const accept = (args: readonly string[], env: Record<string, string | undefined>): Promise<Ended> =>
  ferry(['contracts', 'accept', ...args, '--yes', '--json'], { env });

describe('contracts', () => {
  test('default: a quote is proved with what was accepted, and with nothing before', async () => {
    const env = { ...ownNetwork(sandbox).env, FERRY_PRIVATE_KEY: generatePrivateKey() };
    expect(await verdicts(env)).toEqual(['cannot verify']);
    expect((await accept(['alpha'], env)).code).toBe(0);
    expect(await verdicts(env)).toEqual(['verified']);
  });

  test('behavior: a destination whose contracts are not known yet is refused with what accepts them', async () => {
    const env = { ...ownNetwork(sandbox).env, FERRY_NETWORK: undefined, FERRY_PRIVATE_KEY: generatePrivateKey() };
    const on = ['--network', 'mine'];
    await accept(['alpha', ...on], env);
    const transfer = ['execute', '1', 'alpha/eth', 'beta/eth', ...on, '--dry-run', '--json'];
    const refused = (await ferry(transfer, { env })).json().error;
    expect(refused).toMatchObject({
      code: 'verify.unverified',
      hint: expect.stringMatching(/--allow order-extra-data.*ferry contracts accept/),
      next: 'ferry contracts accept beta --network mine',
    });
    await accept(['beta', ...on], env);
    const { error } = (await ferry(transfer, { env })).json();
    expect(error?.hint ?? '').not.toContain('order-extra-data');
  });

  test('behavior: a changed depository is refused until it is accepted, and shipped data comes back', async () => {
    const env = { ...at(sandbox), FERRY_CONFIG_DIR: temporaryFolder() };
    const other = approvalProxy;
    await tampered('/quote', '/steps/0/items/0/data/to', other, async () => {
      expect(await verdicts(env)).toEqual(['mismatch']);
      const refused = await ferry(['execute', '1', 'alpha/eth', 'beta/eth', '--yes', '--json'], { env });
      expect(refused.code).toBe(5);
      await tampered('/chains', '/chains/0/protocol/v2/depository', other, async () => {
        const ended = await accept(['alpha'], env);
        expect(ended.json().error).toMatchObject({
          code: 'usage.confirmation',
          facts: { depository: `${depository} → ${other}` },
        });
        expect(await verdicts(env)).toEqual(['mismatch']);
        const person = await contextAt(env, { answers: ['y'] });
        const accepting = command.run({ args: ['alpha'] }, person) as AsyncGenerator<unknown, unknown>;
        let step = await accepting.next();
        while (!step.done) step = await accepting.next();
        expect(step.value).toMatchObject({
          contracts: [{ contract: 'depository', before: depository, source: 'shipped', after: other }],
        });
      });
      expect(await verdicts(env)).toEqual(['verified']);
    });
    // The service is honest again, and that is no longer what was accepted.
    expect(await verdicts(env)).toEqual(['mismatch']);
    const listed = await ferry(['contracts', 'list', 'alpha', '--json'], { env });
    expect(listed.json().data.chains[0].contracts[0]).toMatchObject({ source: 'accepted', instead: depository });
    const back = await accept(['alpha'], env);
    expect(back.json().data.contracts).toMatchObject([{ before: other, source: 'accepted', after: depository }]);
    expect(await verdicts(env)).toEqual(['verified']);
  });
});
