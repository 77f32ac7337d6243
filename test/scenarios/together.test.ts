/**
 * An approval and its deposit that are out at once, at nodes that take both, one or none of them. The suite meets some nodes;
 * REFUSALS=all meets all.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keccak256, parseTransaction } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import * as Network from '../../src/core/network/Network.js';
import { network } from '../../src/core/network/sandbox.js';
import { deployments } from '../../src/sandbox/values/deployment.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { cast } from '../support/cast.js';
import { at, type Ended, ferry, temporaryFolder } from '../support/ferry.js';
import { type Behaviour, json, type ReceivedRequest, reset } from '../support/loopback.js';
import { ask, balanceAt, inFrontOf, nonceAt, passOn } from '../support/node.js';
import { startSandbox, type TestSandbox } from '../support/sandbox.js';

const all = process.env.REFUSALS === 'all';
let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterEach(() => mining(true));
afterAll(() => sandbox.stop());

const { alpha } = deployments;
const usdc = Network.token(Network.chain(network, 'alpha'), 'usdc')?.address ?? '';
const { address: dev0, privateKey } = accounts.dev0;
const node = (): string => sandbox.rpcUrls.alpha;
const rpc = (method: string, ...params: unknown[]): Promise<unknown> => ask(node(), method, ...params);
const held = (): Promise<bigint> => balanceAt(node(), usdc, dev0);
const mined = async (hash: string): Promise<boolean> => (await rpc('eth_getTransactionReceipt', hash)) !== null;

async function mining(on: boolean): Promise<void> {
  await rpc('evm_setAutomine', on);
  if (on) await rpc('evm_mine');
}

/** A place to run commands in, whose node of the origin may be another. */
function place() {
  const stateDir = temporaryFolder();
  const run = (argv: readonly string[], rpcUrl = node()): Promise<Ended> =>
    ferry([...argv, '--yes', '--json'], {
      env: { ...at(sandbox), FERRY_STATE_DIR: stateDir, FERRY_RPC_URL_ALPHA: rpcUrl },
    });
  const entries = (): { type: string; run?: string; step?: number; txHash: string; nonce: number }[] => {
    const name = readdirSync(join(stateDir, 'runs')).find((each) => each.endsWith('.jsonl')) ?? '';
    const lines = readFileSync(join(stateDir, 'runs', name), 'utf8')
      .trimEnd()
      .split('\n');
    return lines.map((line) => JSON.parse(line).entry);
  };
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

/** Does as one behaviour says with the first of two following nonces, and as another with the second. */
function split(first: number, [one, two]: readonly [Behaviour, Behaviour]): Behaviour {
  return (response, request) => {
    const { nonce = 0 } = parseTransaction(rawOf(request));
    (nonce === first ? one : two)(response, request);
  };
}

const rawOf = ({ body }: ReceivedRequest): `0x${string}` => JSON.parse(body).params[0];
const refusing = (message: string): Behaviour => json({ jsonrpc: '2.0', id: 1, error: { code: -32000, message } });

/** Does so the first time, and as it should afterwards. */
function once(behave: Behaviour): Behaviour {
  let isFirst = true;
  return (response, request) => {
    const now = isFirst ? behave : passOn(node());
    isFirst = false;
    now(response, request);
  };
}

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
    const approve = [
      'approve(address,uint256)',
      alpha.depository,
      '5',
      '--private-key',
      privateKey,
      '--rpc-url',
      node(),
    ];
    await cast('send', usdt, ...approve);
    const ended = await place().run(['execute', '3', 'alpha/usdt', 'beta/usdt', '--allow', 'foreign-nonces']);
    expect(ended.json().error).toBeUndefined();
    expect(told(ended)).toEqual(
      ['signed', 'sent', 'mined'].flatMap((what) => ['approve', 'approve', 'deposit'].map((each) => `${what} ${each}`)),
    );
  });

  const refusals = [
    'nonce too high',
    'in-flight transaction limit reached for delegated accounts',
    'this account has one pending transaction already',
  ];
  test.each(all ? refusals : refusals.slice(0, 1))(
    'behavior: a second that is refused is sent again once the first is mined: %s',
    async (words) => {
      const before = await held();
      const first = await nonceAt(node(), dev0);
      const sending = split(first, [passOn(node()), once(refusing(words))]);
      const { url } = await inFrontOf(node(), { eth_sendRawTransaction: sending });
      const { run, signed } = place();
      const ended = await run(execute('2'), url);
      expect(ended.json().error).toBeUndefined();
      expect(ended.code).toBe(0);
      expect(told(ended).toSorted()).toEqual(together.toSorted());
      expect([signed().length, before - (await held())]).toEqual([2, 2_000_000n]);
    },
  );

  const lost = (): Behaviour => passOn(node(), reset);
  const nodes: [string, () => readonly [Behaviour, Behaviour]][] = [
    ['the first alone is taken', () => [passOn(node()), reset]],
    ['the first is refused, and the second is taken', () => [refusing('txpool is full'), passOn(node())]],
    ['both are taken, and no answer arrives', () => [lost(), lost()]],
    ['the second alone is taken', () => [reset, passOn(node())]],
    ['both are refused', () => [refusing('txpool is full'), refusing('nonce too high')]],
    ['none is taken', () => [reset, reset]],
  ];
  test.each(all ? nodes : nodes.slice(0, 3))(
    'behavior: %s: unknown, and the same bytes are paid once by resume',
    async (_, behaviours) => {
      const before = await held();
      const first = await nonceAt(node(), dev0);
      const { url } = await inFrontOf(node(), { eth_sendRawTransaction: split(first, behaviours()) });
      const { run, signed } = place();
      const ended = await run(execute('2', '--timeout', '1s'), url);
      if (ended.code !== 0) {
        expect([9, 10]).toContain(ended.code);
        expect(ended.json().error.funds).not.toBe('untouched');
        const resumed = await run(['resume']);
        expect(resumed.json().error).toBeUndefined();
        expect(resumed.json().data).toMatchObject({ status: 'success', funds: 'delivered' });
      }
      expect([signed().length, before - (await held())]).toEqual([2, 2_000_000n]);
      expect(await nonceAt(node(), dev0)).toBe(first + 2);
    },
  );

  test('behavior: the first is dropped and the second kept: resume sends the first again', async () => {
    const before = await held();
    const { run, signed } = place();
    await mining(false);
    expect((await run(execute('2', '--timeout', '500ms'))).json().error.code).toBe('track.unfinished');
    await rpc('anvil_dropTransaction', signed()[0]?.txHash);
    await mining(true);
    expect(await mined(signed()[1]?.txHash ?? '')).toBe(false);
    const resumed = await run(['resume']);
    expect(resumed.json().data).toMatchObject({ status: 'success', funds: 'delivered' });
    expect([signed().length, before - (await held())]).toEqual([2, 2_000_000n]);
  });

  test('behavior: an approval that is mined right after its receipt was asked for has one all the same', async () => {
    let isSent = false;
    let isMined = false;
    const tell = (told: () => void): Behaviour => {
      const pass = passOn(node());
      return (response, request) => {
        if (/eth_sendRaw|dd62ed3e/.test(request.body)) told();
        pass(response, request);
      };
    };
    const hidden = json({ jsonrpc: '2.0', id: 1, result: null });
    const { run, signed } = place();
    const isHidden = (body: string): boolean => !isMined && body.includes(signed()[0]?.txHash ?? '');
    const { url } = await inFrontOf(node(), {
      eth_sendRawTransaction: tell(() => {
        isSent = true;
      }),
      // The allowance is asked for between the receipts.
      eth_call: tell(() => {
        isMined = isSent;
      }),
      eth_getTransactionReceipt: (response, request) =>
        passOn(node(), isHidden(request.body) ? hidden : undefined)(response, request),
    });
    const ended = await run(execute('2'), url);
    expect(ended.json()).toMatchObject({ ok: true, data: { funds: 'delivered' }, warnings: [] });
    expect(told(ended)).toEqual(together);
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

describe('runs speed-up', () => {
  test('behavior: both are replaced, each once, and the transfer is delivered', async () => {
    const before = await held();
    const { run, signed, entries, id } = place();
    await mining(false);
    await run(execute('2', '--timeout', '500ms'));
    const [ended] = await Promise.all([run(['runs', 'speed-up', id()]), mineReplacements(entries)]);
    expect(ended.json().error).toBeUndefined();
    expect(ended.json().data).toMatchObject({ status: 'success', funds: 'delivered' });
    const replaced = entries().filter(({ type }) => type === 'replacement');
    expect(replaced.map(({ step, nonce }) => [step, nonce])).toEqual(signed().map(({ step, nonce }) => [step, nonce]));
    expect(await Promise.all(signed().map(({ txHash }) => mined(txHash)))).toEqual([false, false]);
    expect(await Promise.all(replaced.map(({ txHash }) => mined(txHash)))).toEqual([true, true]);
    expect(before - (await held())).toBe(2_000_000n);
  });
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

  test('behavior: a deposit that the node took and holds back is made void', async () => {
    const before = await held();
    const first = await nonceAt(node(), dev0);
    let kept: `0x${string}` | undefined;
    const keeping: Behaviour = (response, request) => {
      kept ??= rawOf(request);
      json({ jsonrpc: '2.0', id: 1, result: keccak256(rawOf(request)) })(response, request);
    };
    const { url } = await inFrontOf(node(), { eth_sendRawTransaction: split(first, [passOn(node()), keeping]) });
    const { run, id } = place();
    const ended = await run(execute('2', '--timeout', '1s'), url);
    expect([9, 10]).toContain(ended.code);
    expect(ended.json().error.funds).not.toBe('untouched');
    const canceled = await run(['runs', 'cancel', id()]);
    expect(canceled.json().data).toMatchObject({ status: 'cancelled', funds: 'untouched' });
    await expect(rpc('eth_sendRawTransaction', kept)).rejects.toThrow(/nonce too low/);
    expect(await held()).toBe(before);
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
