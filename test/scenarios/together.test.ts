/** An approval and its deposit that are out at once: when they are, and what becomes of both where one fails or is made void. */
import { afterEach, describe, expect, test } from 'vitest';
import * as Network from '../../src/core/network/Network.js';
import { network } from '../../src/core/network/sandbox.js';
import { deployments } from '../../src/sandbox/values/deployment.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { cast } from '../support/cast.js';
import type { Ended } from '../support/ferry.js';
import { json } from '../support/loopback.js';
import { ask, balanceAt, inFrontOf, miningAt, nonceAt } from '../support/node.js';
import { usdc, useSandbox } from '../support/sandbox.js';

const { sandbox, user } = useSandbox();

afterEach(() => mining(true));

const { alpha } = deployments;
const { address: dev0, privateKey } = accounts.dev0;
const node = (): string => sandbox.rpcUrls.alpha;
const rpc = (method: string, ...params: unknown[]): Promise<unknown> => ask(node(), method, ...params);
const held = (): Promise<bigint> => balanceAt(node(), usdc, dev0);
const mined = async (hash: string): Promise<boolean> => (await rpc('eth_getTransactionReceipt', hash)) !== null;

const mining = (isOn: boolean): Promise<void> => miningAt(sandbox.rpcUrls.alpha, isOn);

/** A place to run commands in, whose node of the origin may be another. */
function place() {
  const { ask, lines } = user();
  const run = (argv: readonly string[], rpcUrl = node()): Promise<Ended> =>
    ask([...argv, '--yes'], { env: { FERRY_RPC_URL_ALPHA: rpcUrl } });
  const entries = (): { type: string; run?: string; step?: number; txHash: string; nonce: number }[] =>
    lines().map((line) => JSON.parse(line).entry);
  const signed = () => entries().filter(({ type }) => type === 'signed');
  const id = (): string => entries()[0]?.run ?? '';
  return { run, entries, signed, id };
}

const execute = (amount: string, ...more: string[]): string[] => [
  'execute',
  amount,
  'alpha/usdc',
  'beta/usdc',
  ...more,
];

/** What a run told of its transactions, in order. */
const told = (ended: Ended): string[] =>
  ended
    .lines()
    .filter(({ type }) => ['signed', 'sent', 'mined', 'skipped', 'resent'].includes(type))
    .map(({ type, action }) => `${type} ${action}`);

const oneByOne = [
  ...['signed approve', 'sent approve', 'mined approve'],
  ...['signed deposit', 'sent deposit', 'mined deposit'],
];
const together = ['signed approve', 'signed deposit', 'sent approve', 'sent deposit', 'mined approve', 'mined deposit'];

describe('execute', () => {
  test('default: both are signed and journaled before either is sent, with following nonces', async () => {
    const before = await held();
    const { run, entries } = place();
    const ended = await run(execute('3'));
    expect(ended.json().data).toMatchObject({ status: 'success', funds: 'delivered' });
    expect(told(ended)).toEqual(together);
    const kinds = entries().map(({ type, step }) => (step === undefined ? type : `${type} ${step}`));
    const noted = kinds.slice(kinds.indexOf('plan'), kinds.indexOf('status'));
    expect(noted.slice(0, 4)).toEqual(['plan', 'head', 'signed 0', 'signed 1']);
    // Which of the two the node answers first is its own affair.
    expect(noted.slice(4, 6).sort()).toEqual(['broadcast 0', 'broadcast 1']);
    expect(noted.slice(6)).toEqual(['receipt 0', 'receipt 1']);
    const [approve, deposit] = entries().filter(({ type }) => type === 'signed');
    expect(deposit?.nonce).toBe((approve?.nonce ?? 0) + 1);
    expect(before - (await held())).toBe(3_000_000n);
  });

  test('behavior: one by one if the user says so, or the account has code, or the node cannot simulate both', async () => {
    expect(told(await place().run(execute('1', '--one-by-one')))).toEqual(oneByOne);
    const code = `0xef0100${alpha.batchExecutor.slice(2)}`;
    await rpc('anvil_setCode', accounts.dev1.address, code);
    const delegated = await place().run(execute('1', '--account', 'dev1'));
    expect([delegated.code, told(delegated)]).toEqual([0, oneByOne]);
    await rpc('anvil_setCode', accounts.dev1.address, '0x');
    const unknown = json({ jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'the method does not exist' } });
    const { url } = await inFrontOf(node(), { eth_simulateV1: unknown });
    const unsimulated = await place().run(execute('1', '--allow', 'effect'), url);
    expect([unsimulated.code, told(unsimulated)]).toEqual([0, oneByOne]);
  });

  test('behavior: an allowance that must be reset first makes three', async () => {
    const usdt = Network.token(Network.chain(network, 'alpha'), 'usdt')?.address ?? '';
    const approve = ['approve(address,uint256)', alpha.depository, '5'];
    await cast('send', usdt, ...approve, '--private-key', privateKey, '--rpc-url', node());
    const ended = await place().run(['execute', '3', 'alpha/usdt', 'beta/usdt', '--allow', 'foreign-nonces']);
    expect(ended.json().error).toBeUndefined();
    expect(told(ended)).toEqual(
      ['signed', 'sent', 'mined'].flatMap((what) => ['approve', 'approve', 'deposit'].map((each) => `${what} ${each}`)),
    );
  });

  test('error: an approval that fails on the chain: the deposit fails too, and only gas is lost', async () => {
    const original = await rpc('eth_getCode', usdc, 'latest');
    const before = await held();
    try {
      await rpc('anvil_setCode', inner, original);
      const { run, entries } = place();
      await mining(false);
      const running = run(execute('2'));
      const sent = () => entriesOr(entries).filter(({ type }) => type === 'broadcast').length;
      await expect.poll(sent).toBe(2);
      await rpc('anvil_setCode', usdc, approvingNothing);
      await mining(true);
      for (let block = 0; block < 3; block++) await rpc('evm_mine');
      const ended = await running;
      const { error } = ended.json();
      expect(error).toMatchObject({ code: 'submit.reverted', exit: 6, funds: 'untouched' });
      expect(error.message).toMatch(
        /^The transaction to approve exactly 2 USDC reverted, and so the one to deposit 2 USDC/,
      );
      expect(error.facts['gas lost']).toMatch(/^0\.0\d+ ETH$/);
      expect(entries().filter(({ type }) => type === 'receipt')).toMatchObject([
        { step: 0, status: 'reverted' },
        { step: 1, status: 'reverted' },
      ]);
      expect(await held()).toBe(before);
      expect((await run(['runs', 'list'])).json().data.runs).toMatchObject([{ funds: 'untouched', next: null }]);
    } finally {
      await rpc('anvil_setCode', usdc, original);
    }
  }, 60_000);
});

describe('runs cancel', () => {
  test('behavior: both nonces are used by empty transactions, and no allowance is left', async () => {
    const before = await held();
    const first = await nonceAt(node(), dev0);
    const { run, signed, entries, id } = place();
    await mining(false);
    await run(execute('2', '--timeout', '500ms'));
    const [ended] = await Promise.all([run(['runs', 'cancel', id()]), mineReplacements(entries)]);
    expect(ended.json().error).toBeUndefined();
    expect(ended.json().data).toMatchObject({ status: 'cancelled', funds: 'untouched' });
    expect(ended.json().warnings).toEqual([]);
    expect(await Promise.all(signed().map(({ txHash }) => mined(txHash)))).toEqual([false, false]);
    expect([await nonceAt(node(), dev0), await held()]).toEqual([first + 2, before]);
    // Whoever kept the bytes cannot send them any more.
    expect((await run(['resume'])).json().error.code).toBe('run.unknown');
  });
});

/** Where the code of the token is moved to, and code in its place that fails to approve, and passes on all else. */
const inner = '0x00000000000000000000000000000000000c0ffe';
const approvingNothing = `0x5f3560e01c63095ea7b314603b57365f5f375f5f365f73${inner.slice(2)}5af43d5f5f3e6037573d5ffd5b3d5ff35b5f5ffd`;

/** Lets blocks be mined once the node has the replacements of both transactions. */
async function mineReplacements(entries: () => { type: string; txHash: string }[]): Promise<void> {
  const known = async (): Promise<number> => {
    const replaced = entries().filter(({ type }) => type === 'replacement');
    const found = await Promise.all(replaced.map(({ txHash }) => rpc('eth_getTransactionByHash', txHash)));
    return found.filter(Boolean).length;
  };
  await expect.poll(known).toBe(2);
  await mining(true);
}

/** The entries of a journal that may not be there yet. */
function entriesOr<T>(entries: () => T[]): T[] {
  try {
    return entries();
  } catch {
    return [];
  }
}
