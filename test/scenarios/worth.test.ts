/** The whole program against plans that agree in every figure, and leave the user less than was paid. */
import { describe, expect, test } from 'vitest';
import { deployments } from '../../src/sandbox/values/deployment.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { addFault } from '../support/faults.js';
import { at, type Ended, ferry, questionOf, temporaryFolder } from '../support/ferry.js';
import { ask, balanceAt } from '../support/node.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox } = useSandbox();

const { alpha } = deployments;
const { USDC } = alpha.tokens;
const bridge = ['execute', '100', 'alpha/usdc', 'beta/usdc'];

const ofOwn = () => ({ env: { ...at(sandbox), FERRY_STATE_DIR: temporaryFolder() } });
const run = (argv: readonly string[]): Promise<Ended> =>
  ferry([...argv, '--account', 'dev1', '--yes', '--json'], ofOwn());

const held = (): Promise<bigint> => balanceAt(sandbox.rpcUrls.alpha, USDC.address, accounts.dev1.address);

describe('a guaranteed loss', () => {
  const slippery = [...bridge, '--slippage', '9'];

  test('error: impact and slippage within their limits add up to more than 5 %: refused where nobody is asked', async () => {
    const before = await held();
    for (const argv of [
      slippery,
      [...bridge, '--slippage', '5', '--max-fee-usd', '0.06'],
      [...bridge, '--slippage', '99'],
    ]) {
      const { error } = (await run(argv)).json();
      expect(error).toMatchObject({ code: 'verify.unverified', exit: 5, funds: 'untouched' });
      expect(error.facts.loss).toMatch(/at most 500 bps lost, found \$100\.00 in, \$.* bps lost, by the amounts/);
      expect(error.hint).toMatch(/--max-impact.*--min-out.*--allow loss/);
    }
    expect(await held()).toBe(before);
  });

  test('default: it is named in the question', async () => {
    expect(await questionOf([...slippery, '--account', 'dev1'], ofOwn())).toMatch(
      /Expected at most 500 bps lost, but \$100\.00 in, \$90\.\d+ out: 90\d bps/,
    );
  });

  test('behavior: a word of the user’s accepts it', async () => {
    for (const own of [
      ['--max-impact', '10'],
      ['--min-out', '90'],
    ])
      expect((await run([...slippery, ...own])).code).toBe(0);
    const allowed = (await run([...slippery, '--allow', 'loss'])).json();
    expect([allowed.ok, allowed.warnings]).toEqual([true, [expect.stringContaining('bps lost')]]);
  });
});

test('a refund of a swapped input is shown in what was deposited', async () => {
  await addFault(sandbox, 'service', { kind: 'solver', does: 'refund', times: 1 });
  const ended = await run(['execute', '400', 'alpha/gull', 'beta/dai']);
  const { error } = ended.json();
  expect([ended.code, error]).toMatchObject([7, { code: 'track.refunded', funds: 'returned' }]);
  expect(error.facts.returned).toMatch(/^99\.\d+ USDC$/);
});

describe('attack: a recipient that nobody can use', () => {
  const safe = '0x5afe5afe5afe5afe5afe5afe5afe5afe5afe5afe';
  const to = (recipient: string): string[] => [...bridge, '--recipient', recipient];

  test('a contract of the origin alone: named in the text and in the question, and refused unless allowed', async () => {
    await ask(sandbox.rpcUrls.alpha, 'anvil_setCode', safe, '0x60006000fd');
    try {
      const refused = (await run(to(safe))).json();
      expect(refused.error).toMatchObject({ code: 'verify.unverified', exit: 5, funds: 'untouched' });
      expect(refused.error.facts['unusable-address']).toMatch(/is a contract on alpha, and nothing on beta/);
      expect(await questionOf([...to(safe), '--account', 'dev1'], ofOwn())).toMatch(
        /is a contract on alpha, and nothing on beta/,
      );
      const ended = await run([...to(safe), '--allow', 'unusable-address']);
      expect([ended.code, ended.json().warnings]).toEqual([0, [expect.stringContaining('nothing on beta')]]);
      expect(ended.lines().find(({ type }) => type === 'verified')?.single).toEqual([
        { check: 'unusable-address', witness: 'you', found: expect.stringContaining('nothing on beta') },
      ]);
    } finally {
      await ask(sandbox.rpcUrls.alpha, 'anvil_setCode', safe, '0x');
    }
  });
});
