import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatePrivateKey } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { commands } from '../../../src/commands/contracts.js';
import type { Context } from '../../../src/core/command/Context.js';
import type { CommandEvent } from '../../../src/core/event/DisplayEvent.js';
import * as Network from '../../../src/core/network/Network.js';
import { network } from '../../../src/core/network/sandbox.js';
import { plain } from '../../../src/core/text/TerminalStyle.js';
import { addFault } from '../../support/faults.js';
import { at, type Ended, ferry, temporaryFolder } from '../../support/ferry.js';
import { ask } from '../../support/node.js';
import { contextAt, ownNetwork } from '../../support/ownNetwork.js';
import { useSandbox } from '../../support/sandbox.js';
import * as workbench from '../../support/workbench.js';

const { sandbox } = useSandbox();

const alpha = Network.chain(network, 'alpha');
const { depository = '0x', router = '0x', approvalProxy = '0x' } = alpha.contracts;
const gull = Network.token(alpha, 'gull')?.address ?? '';
const usdt = Network.token(alpha, 'usdt')?.address ?? '';
const codeless = '0x0000000000000000000000000000000000001234';

/** Runs the command to its end. */
async function run(args: readonly string[], context: Context, token: string[] = []) {
  const events: CommandEvent[] = [];
  const data = await workbench.run(commands.accept, { args, token }, context, (event) => events.push(event));
  return { data, events };
}

const accept = (args: readonly string[], env: Record<string, string | undefined>): Promise<Ended> =>
  ferry(['contracts', 'accept', ...args, '--yes', '--json'], { env });

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

describe('run', () => {
  test('default: what the service names', async () => {
    const { env, file } = ownNetwork(sandbox);
    const ended = await accept(['alpha'], env);
    expect(commands.accept.output.parse(ended.json().data)).toMatchObject({
      ...{ chain: 'alpha', changed: true, tokens: [], notLooked: null, file },
      contracts: [
        { contract: 'depository', before: null, source: null, after: depository, hasCode: true },
        { contract: 'router', after: router },
        { contract: 'approvalProxy', after: approvalProxy },
      ],
    });
    const chains = [{ network: 'mine', deployment: sandbox.baseUrl, chainId: 313371 }];
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ version: 1, chains });
  });

  test('behavior: nothing changed is said, and asks nothing', async () => {
    const { env, file } = ownNetwork(sandbox);
    await accept(['alpha'], env);
    const before = readFileSync(file, 'utf8');
    const again = await ferry(['contracts', 'accept', 'alpha'], { env });
    const stdout = 'Nothing to change on alpha: everything is trusted already.\n';
    expect(again).toMatchObject({ code: 0, stdout, stderr: '' });
    expect(readFileSync(file, 'utf8')).toBe(before);
    // No node is asked either.
    const known = (await accept(['alpha'], { FERRY_BASE_URL: sandbox.baseUrl })).json().data;
    expect(known).toMatchObject({ changed: false, notLooked: null });
  });

  test('behavior: only what is named, as the service or the user says', async () => {
    const { env } = ownNetwork(sandbox);
    const one = await accept(['alpha', 'router'], env);
    expect(one.json().data.contracts.map(({ contract }: { contract: string }) => contract)).toEqual(['router']);
    const two = await accept(['alpha', `depository=${router.toLowerCase()}`], env);
    expect(two.json().data.contracts).toMatchObject([{ after: router, service: depository, hasCode: true }]);
  });

  test('behavior: without an RPC node it is said that nobody looked', async () => {
    const { env } = ownNetwork(sandbox, { rpcs: false });
    const ended = await ferry(['contracts', 'accept', 'alpha', '--yes'], { env });
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain('not checked');
    expect(ended.stderr).toContain('No RPC URL is configured for alpha.');
    const dead = { ...env, FERRY_RPC_URL_BETA: 'http://127.0.0.1:9' };
    expect((await accept(['beta'], dead)).json().data.notLooked).toContain('beta');
  });

  test('behavior: a person sees old and new and is asked once', async () => {
    const { env, file } = ownNetwork(sandbox);
    await accept(['alpha', `router=${depository}`], env);
    const context = await contextAt(env, { answers: ['y'] });
    const { data, events } = await run(['alpha', 'router'], context);
    expect(data.changed).toBe(true);
    expect(context.asked).toEqual(['On mine: trust 1 contract on alpha from now on?']);
    expect(events.map((event) => commands.accept.logLine?.(event, plain))).toEqual([
      `router    ${depository}  pinned\n        → ${router}  has code`,
    ]);
    expect(JSON.parse(readFileSync(file, 'utf8')).chains[0].contracts.router).toMatchObject({ address: router });
  });

  test.each([
    ['a contract', [`router=${approvalProxy}`], 'router'],
    ['a token', ['--token', `usdc=${usdt}`], 'usdc'],
  ])('error: %s that ships with ferry is not replaced under --yes', async (_, args, what) => {
    const folder = temporaryFolder();
    const ended = await accept(['alpha', ...args], { ...at(sandbox), FERRY_CONFIG_DIR: folder });
    const facts = { [what]: expect.stringContaining(' → ') };
    expect(ended.json().error).toMatchObject({ code: 'usage.confirmation', facts });
    expect(existsSync(join(folder, 'pins.json'))).toBe(false);
  });

  test('error: declined, nothing is written', async () => {
    const { env, file } = ownNetwork(sandbox);
    const context = await contextAt(env, { answers: ['n'] });
    await expect(run(['alpha'], context)).rejects.toMatchObject({ code: 'prompt.declined' });
    expect(existsSync(file)).toBe(false);
  });

  test('error: nobody can be asked', async () => {
    const { env, file } = ownNetwork(sandbox);
    const ended = await ferry(['contracts', 'accept', 'alpha'], { env });
    expect(ended.stderr).toContain('usage.confirmation');
    expect(ended.stderr).toContain(depository);
    expect(existsSync(file)).toBe(false);
  });

  test('error: an address without code, or of an account that delegates to code', async () => {
    const { env, file } = ownNetwork(sandbox);
    const refused = async () => {
      const ended = await accept(['alpha', `router=${codeless}`], env);
      expect(ended.json().error).toMatchObject({ code: 'chain.not-a-contract', facts: { router: codeless } });
    };
    await refused();
    await ask(sandbox.rpcUrls.alpha, 'anvil_setCode', codeless, `0xef0100${depository.slice(2)}`);
    await refused();
    expect(existsSync(file)).toBe(false);
  });

  test('error: the node of another chain', async () => {
    const { env } = ownNetwork(sandbox);
    const ended = await accept(['alpha'], { ...env, FERRY_RPC_URL_ALPHA: sandbox.rpcUrls.beta });
    expect(ended.json().error).toMatchObject({ code: 'chain.wrong-chain', exit: 2 });
  });

  test('error: what the service says is no address, and cannot act on a terminal', async () => {
    const { env } = ownNetwork(sandbox);
    const path = '/chains/0/protocol/v2/depository';
    const tampered = { kind: 'tamper', match: { path: '/chains' }, path, value: '\u001b[2Jsoon', times: 2 } as const;
    await addFault(sandbox, 'service', tampered);
    const ended = await accept(['alpha'], env);
    expect(ended.json().error).toMatchObject({ code: 'service.malformed', facts: { reported: '\\x1b[2Jsoon' } });
    expect((await accept(['alpha', 'router'], env)).code).toBe(0);
  });

  test.each([
    [['gamma'], 'request.unknown-chain'],
    [['alpha', 'vault'], 'usage.invalid'],
    [['alpha', 'wrapped'], 'usage.missing'],
    [['lighter', '--network', 'mainnet'], 'request.unsupported'],
    [[], 'usage.missing'],
  ])('error: %j', async (args, code) => {
    expect((await accept(args, ownNetwork(sandbox).env)).json().error).toMatchObject({ code, exit: 2 });
  });

  describe('--token', () => {
    test('default: the symbol can be typed, with what the token says of itself, and no contract is accepted', async () => {
      const { env, file } = ownNetwork(sandbox);
      const ended = await accept(['alpha', '--token', `SEAGULL=${gull.toLowerCase()}`], env);
      expect(commands.accept.output.parse(ended.json().data)).toMatchObject({
        changed: true,
        contracts: [],
        tokens: [{ symbol: 'SEAGULL', before: null, after: gull, ownSymbol: 'GULL', name: 'Gull', decimals: 18 }],
      });
      const key = { FERRY_PRIVATE_KEY: generatePrivateKey() };
      const quoted = await ferry(['quote', '10', 'alpha/seagull', 'beta/usdc', '--json'], { env: { ...env, ...key } });
      expect(quoted.code).toBe(0);
      expect(JSON.parse(readFileSync(file, 'utf8')).chains[0].contracts).toEqual({});
    });

    test('behavior: in the place of one that ferry ships, old and new are shown', async () => {
      const env = { ...at(sandbox), FERRY_CONFIG_DIR: temporaryFolder() };
      const context = await contextAt(env, { answers: ['y'] });
      const { events } = await run(['alpha'], context, [`usdc=${usdt}`]);
      const [shown] = events.map((event) => commands.accept.logLine?.(event, plain));
      expect(shown).toContain('known');
      expect(shown).toContain(`→ ${usdt}  USDT, 6 decimals`);
      const tokens = (await ferry(['tokens', 'alpha', '--json'], { env })).json().data.tokens;
      expect(tokens).toContainEqual(expect.objectContaining({ currency: 'alpha/usdc', address: usdt, pinned: true }));
    });

    test('behavior: with contracts named, both', async () => {
      const { env } = ownNetwork(sandbox);
      const ended = await accept(['alpha', 'router', '--token', `SEAGULL=${gull}`], env);
      expect(ended.json().data).toMatchObject({ contracts: [{ contract: 'router' }], tokens: [{ symbol: 'SEAGULL' }] });
    });

    test.each([
      [`GULL`, 'usage.invalid'],
      [`=${gull}`, 'usage.invalid'],
      [`a/b=${gull}`, 'usage.invalid'],
      [`eth=${gull}`, 'usage.invalid'],
      ['GULL=0x12', 'request.invalid-address'],
      [`GULL=0x${'0'.repeat(40)}`, 'request.invalid-address'],
      ['SEAL=0x0000000000000000000000000000000000004321', 'chain.not-a-token'],
    ])('error: %s', async (text, code) => {
      const { env, file } = ownNetwork(sandbox);
      expect((await accept(['alpha', '--token', text], env)).json().error.code).toBe(code);
      expect(existsSync(file)).toBe(false);
    });

    test('error: decimals are read from the chain or nothing is pinned', async () => {
      const { env } = ownNetwork(sandbox, { rpcs: false });
      expect((await accept(['alpha', '--token', `SEAGULL=${gull}`], env)).json().error.code).toBe('chain.no-rpc');
    });
  });
});

describe('what was accepted', () => {
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
        const facts = { depository: `${depository} → ${other}` };
        const { error } = (await accept(['alpha'], env)).json();
        expect(error).toMatchObject({ code: 'usage.confirmation', facts });
        expect(await verdicts(env)).toEqual(['mismatch']);
        const person = await contextAt(env, { answers: ['y'] });
        expect((await run(['alpha'], person)).data).toMatchObject({
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
