import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BaseError } from '../../src/core/base/Errors.js';
import type { Context } from '../../src/core/command/Context.js';
import type { Event } from '../../src/core/event/Event.js';
import * as Network from '../../src/core/network/Network.js';
import { network } from '../../src/core/network/sandbox.js';
import type * as Quote from '../../src/core/quote/Quote.js';
import type { Entry } from '../../src/core/tracking/Journal.js';
import * as Journal from '../../src/core/tracking/Journal.js';
import type { Run, Runs } from '../../src/core/tracking/RunStore.js';
import { createCounted, createCountedHere } from '../../src/io/locks/countedPayments.js';
import { accounts, type Name } from '../../src/sandbox/values/devAccounts.js';
import { claimIds, withJournal } from '../../src/transfer/journalledRun.js';
import { cast } from '../support/cast.js';
import { at, type Ended, type Envelope, ferry, soon, temporaryFolder } from '../support/ferry.js';
import * as journals from '../support/journals.js';
import { json, loopback, type ReceivedRequest } from '../support/loopback.js';
import { allowanceAt, approveAt, ask, balanceAt, inFrontOf, methodOf, miningAt, passOn } from '../support/node.js';
import { useSandbox } from '../support/sandbox.js';
import { until } from '../support/until.js';

const { sandbox } = useSandbox();

const alpha = Network.chain(network, 'alpha');
const { depository = '' } = alpha.contracts;
const stranger = '0x00000000000000000000000000000000c0ffee01';
const addressOf = (symbol: string): string => Network.token(alpha, symbol)?.address ?? '';
const send = (name: Name, ...what: string[]): Promise<string> =>
  cast('send', '--from', accounts[name].address, '--unlocked', '--rpc-url', sandbox.rpcUrls.alpha, ...what);
const approve = (name: Name, symbol: string, spender: string, amount: bigint): Promise<void> =>
  approveAt(sandbox.rpcUrls.alpha, addressOf(symbol), accounts[name].address, spender, amount);

/** In base units. */
const allowed = async (name: Name, symbol: string): Promise<string> =>
  String(await allowanceAt(sandbox.rpcUrls.alpha, addressOf(symbol), accounts[name].address, depository));

const run = (name: Name, argv: readonly string[], env: Record<string, string | undefined> = {}): Promise<Ended> =>
  ferry([...argv, '--account', name, '--yes', '--json'], { env: { ...at(sandbox), ...env } });

/** The URL of a node in front of alpha's, with something that happens before a request comes there. */
async function nodeThat(first: (request: ReceivedRequest) => unknown): Promise<string> {
  const { url } = await loopback((response, request) => {
    void Promise.resolve(first(request)).then(() => passOn(sandbox.rpcUrls.alpha)(response, request));
  });
  return url;
}

/** Before the payment is taken, which follows the approval. */
function secondBroadcast(act: () => Promise<unknown>): (request: ReceivedRequest) => unknown {
  let broadcasts = 0;
  return (request) => {
    if (methodOf(request) !== 'eth_sendRawTransaction') return undefined;
    broadcasts += 1;
    return broadcasts === 2 ? act() : undefined;
  };
}

// biome-ignore lint/correctness/useYield: it fails before it says anything
async function* failing(error: Error): AsyncGenerator<Event, never> {
  throw error;
}

/** A run with these entries, which writes no more. */
function runWith(entries: readonly Entry[]): Run {
  const state = Journal.from(entries);
  return { id: state.run, isOwn: true, state: () => state, append: async () => {}, close: () => {} };
}

describe('an outcome', () => {
  // biome-ignore lint/correctness/useYield: it ends before it says anything
  async function* ending(funds: 'delivered' | 'held'): AsyncGenerator<Event, { status: string; funds: typeof funds }> {
    return { status: 'success', funds };
  }
  const held: Entry = { type: 'outcome', status: 'failure', funds: 'held', code: 'track.failed' };
  const open = journals.transactions.slice(0, -1);

  test.each([
    ['is written once', open, 'delivered', ['delivered']],
    ['replaces that of a run whose money the service held', [...open, held], 'delivered', ['delivered']],
    ['is not written again', journals.transactions, 'delivered', []],
    ['is not written again, of what is held', [...open, held], 'held', []],
  ] as const)('default: it %s', async (_, entries, funds, written) => {
    const appended: Entry[] = [];
    const journal = { ...runWith(entries), append: async (entry: Entry) => void appended.push(entry) };
    await withJournal(journal, ending(funds), {} as Context).next();
    expect(appended.map((entry) => entry.type === 'outcome' && entry.funds)).toEqual(written);
  });
});

describe('a run that fails', () => {
  const bug = new RangeError('Invalid time value');
  const stopped = new BaseError('run.stopped', 'Stopped by SIGINT.');
  const silent = new BaseError('chain.unreachable', 'No node of alpha answers.', { funds: 'untouched' });
  const next = expect.stringMatching(/^ferry resume /);
  const [unsigned, signed, posted] = [
    journals.batch.slice(0, 4),
    journals.batch.slice(0, 5),
    journals.call.slice(0, 2),
  ];

  test.each([
    ['a bug before anything was signed', unsigned, bug, { code: 'internal.bug', funds: 'untouched' }],
    ['a bug with a call that may be posted', posted, bug, { code: 'internal.bug', funds: 'unknown' }],
    ['a bug with a signature that has left', signed, bug, { code: 'internal.bug', funds: 'unknown' }],
    ['a signal before it', unsigned, stopped, { code: 'run.stopped', funds: 'untouched' }],
    ['a signal after it', signed, stopped, { code: 'submit.unknown', funds: 'unknown', next }],
    ['what says that nothing moved, before it', unsigned, silent, { code: 'chain.unreachable', funds: 'untouched' }],
    ['what says so of a payment that is out', signed, silent, { code: 'chain.unreachable', funds: 'unknown' }],
  ])('behavior: by %s', async (_, entries, error, said) => {
    // The context would be asked for unused allowances, and no journal here has an approval.
    await expect(withJournal(runWith(entries), failing(error), {} as Context).next()).rejects.toMatchObject(said);
  });

  test('behavior: each of two that one signal stops is called by its own id', async () => {
    const runs = ['run-a', 'run-b'].map((id) => ({ ...runWith(unsigned), id }));
    const ends = await Promise.allSettled(runs.map((run) => withJournal(run, failing(stopped), {} as Context).next()));
    expect(ends).toMatchObject([{ reason: { run: 'run-a' } }, { reason: { run: 'run-b' } }]);
  });
});

describe('the ids of a quote', () => {
  /** Runs by their journals; those that a process holds are named. */
  function claiming(entriesOf: Readonly<Record<string, readonly Entry[]>>, held: readonly string[] = []) {
    const counted = createCountedHere();
    const show = async (id: string) => ({
      ...{ state: Journal.from(entriesOf[id] ?? []), isHeld: held.includes(id), isOwn: true },
    });
    const runs = async () => ({ show }) as unknown as Runs;
    return (id: string, of = quote): Promise<string> =>
      claimIds(of, { id }, { counted, runs }).then(
        () => 'claimed',
        ({ code }) => code,
      );
  }
  const quote = { requestId: '0xAB', response: {} } as Quote.Quote;

  test('error: they cannot be noted: nothing is signed yet', async () => {
    const { count } = createCounted('/dev/null/counted', async () => 'sandbox');
    const counted = { count, ownerOf: async () => undefined };
    const claim = claimIds(quote, { id: 'a' }, { counted, runs: async () => ({}) as Runs });
    await expect(claim).rejects.toMatchObject({ code: 'config.unwritable', funds: 'untouched' });
  });

  const [begun, signed] = [journals.transactions.slice(0, 4), journals.transactions];
  const untouched: Entry = { type: 'outcome', status: 'sign.failed', funds: 'untouched', code: 'sign.failed' };

  test('default: a run that has signed keeps them, as one does that is under way', async () => {
    const claim = claiming({ a: signed, c: begun }, ['c']);
    expect([await claim('a'), await claim('b'), await claim('a')]).toEqual(['claimed', 'verify.mismatch', 'claimed']);
    const other = claiming({ c: begun }, ['c']);
    expect([await other('c'), await other('b')]).toEqual(['claimed', 'verify.mismatch']);
  });

  test.each([
    ['that was left before it signed', begun],
    ['that ended untouched', [...signed, untouched]],
  ])('behavior: those of a run %s are free, once', async (_, entries) => {
    const claim = claiming({ a: entries, b: signed });
    const [first, second, third] = [await claim('a'), await claim('b'), await claim('c')];
    expect([first, second, third, await claim('b')]).toEqual(['claimed', 'claimed', 'verify.mismatch', 'claimed']);
  });

  test('error: a run that is resumed after another has taken its ids', async () => {
    const claim = claiming({ a: begun, b: begun }, []);
    expect([await claim('a'), await claim('b'), await claim('a')]).toEqual(['claimed', 'claimed', 'verify.mismatch']);
  });

  test('error: another quote with one of the two ids', async () => {
    const of = (requestId: string, orderId: string) =>
      ({ requestId, response: { protocol: { v2: { orderId } } } }) as Quote.Quote;
    const claim = claiming({ a: signed });
    expect([
      await claim('a', of('0x01', '0x0a')),
      await claim('b', of('0x02', '0x0a')),
      await claim('c', of('0x01', '0x0b')),
      await claim('d', of('0x03', '0x0c')),
    ]).toEqual(['claimed', 'verify.mismatch', 'verify.mismatch', 'claimed']);
  });

  test('error: a run whose journal cannot be read keeps them', async () => {
    const claim = claiming({ a: [{ type: 'status', status: 'waiting' }] });
    expect([await claim('a'), await claim('b')]).toEqual(['claimed', 'verify.mismatch']);
  });

  test('behavior: a saved quote is paid by the second run, if the first has signed nothing', async () => {
    const folder = temporaryFolder();
    const env = { FERRY_STATE_DIR: folder };
    const file = join(folder, 'quote.json');
    expect((await run('dev6', ['quote', '3', 'alpha/usdc', 'beta/usdc', '-o', file], env)).code).toBe(0);
    const reverted = { jsonrpc: '2.0', id: 1, error: { code: 3, message: 'execution reverted' } };
    const { url } = await inFrontOf(sandbox.rpcUrls.alpha, { eth_estimateGas: json(reverted) });
    const execute = ['execute', file, '--max-age', '10m', '--one-by-one'];
    const first = (await run('dev6', execute, { ...env, FERRY_RPC_URL_ALPHA: url })).json();
    expect(first.error).toMatchObject({ code: 'submit.simulation', funds: 'untouched' });
    const second = (await run('dev6', execute, env)).json();
    expect([second.error, second.data?.funds]).toEqual([undefined, 'delivered']);
  });
});

describe('what a run has left over', () => {
  const isDeposit = ({ body }: ReceivedRequest): boolean => /eth_estimateGas(?!.*095ea7b3)/.test(body);
  const execute = (amount: string, token: string): string[] => [
    'execute',
    amount,
    `alpha/${token}`,
    `beta/${token}`,
    '--one-by-one',
  ];
  const left = (name: Name, symbol: string, amount: string, formatted: string): Envelope => ({
    ...{ chain: 'alpha', chainId: 313371, currency: `alpha/${symbol.toLowerCase()}`, symbol },
    ...{ owner: accounts[name].address, spender: depository, amount, formatted },
    next: `ferry allowance revoke alpha/${symbol.toLowerCase()} ${depository} --account ${name}`,
  });
  const drain = async (name: Name, symbol: string): Promise<void> => {
    const { address } = accounts[name];
    const amount = String(await balanceAt(sandbox.rpcUrls.alpha, addressOf(symbol), address));
    await send('dev5', addressOf(symbol), 'transferFrom(address,address,uint256)', address, stranger, amount);
  };

  test('default: a deposit that would fail: the allowance is shown with what clears it, which does', async () => {
    await approve('dev2', 'usdc', accounts.dev5.address, 2n ** 255n);
    const node = await nodeThat((request) => (isDeposit(request) ? drain('dev2', 'usdc') : undefined));
    const ended = await run('dev2', execute('40', 'usdc'), { FERRY_RPC_URL_ALPHA: node });
    const { error } = ended.json();
    expect([ended.code, error.code, error.funds]).toEqual([6, 'submit.simulation', 'untouched']);
    expect(error.allowances).toEqual([left('dev2', 'USDC', '40000000', '40')]);
    expect(error.next).toBe(error.allowances[0].next);
    expect(ended.stderr).toMatch(
      new RegExp(`unused allowance +40 USDC on alpha to ${depository}\n[^\n]+\n +next: ferry allowance`),
    );
    expect(await allowed('dev2', 'usdc')).toBe('40000000');
    const cleared = await ferry([...String(error.next).split(' ').slice(1), '--yes'], { env: at(sandbox) });
    expect([cleared.code, await allowed('dev2', 'usdc')]).toEqual([0, '0']);
  });

  test('default: a deposit that reverts', async () => {
    await approve('dev3', 'usdc', accounts.dev5.address, 2n ** 255n);
    const node = await nodeThat(secondBroadcast(() => drain('dev3', 'usdc')));
    // It sends nothing itself, and shows the revert as the first one does.
    const refusal = json({ jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'txpool is full' } });
    const second = await inFrontOf(sandbox.rpcUrls.alpha, { eth_sendRawTransaction: refusal });
    const nodes = { FERRY_RPC_URL_ALPHA: node, FERRY_RPC_URLS_ALPHA: second.url };
    const { error } = (await run('dev3', execute('41', 'usdc'), nodes)).json();
    expect(error).toMatchObject({ code: 'submit.reverted', allowances: [left('dev3', 'USDC', '41000000', '41')] });
    expect(error.next).toBe(error.allowances[0].next);
  });

  test('behavior: Ctrl-C, then declined: going on comes first; gone on, nothing is left', async () => {
    const env = { ...at(sandbox), FERRY_STATE_DIR: temporaryFolder() };
    const interrupt = new AbortController();
    const stop = () => interrupt.abort(new BaseError('prompt.declined', 'Stopped by SIGINT.'));
    const node = await nodeThat((request) => (isDeposit(request) ? stop() : undefined));
    const stopped = await ferry([...execute('42', 'usdc'), '--account', 'dev4', '--yes', '--json'], {
      env: { ...env, FERRY_RPC_URL_ALPHA: node },
      signal: interrupt.signal,
    });
    const declined = await ferry(['resume', '--account', 'dev4', '--json'], { env });
    for (const [ended, code] of [
      [stopped, 'prompt.declined'],
      [declined, 'usage.confirmation'],
    ] as const) {
      const { error } = ended.json();
      expect(error).toMatchObject({ code, next: `ferry resume ${error.run} --account dev4` });
      expect(error.allowances).toEqual([left('dev4', 'USDC', '42000000', '42')]);
      expect(ended.stderr).toContain(`to revoke it      ${error.allowances[0].next}`);
    }
    const resumed = await ferry(['resume', '--account', 'dev4', '--yes', '--json'], { env });
    expect([resumed.code, await allowed('dev4', 'usdc')]).toEqual([0, '0']);
  });

  test('behavior: Ctrl-C while the approval is mined: the chain tells, the journal cannot', async () => {
    const interrupt = new AbortController();
    const stop = () => interrupt.abort(new BaseError('prompt.declined', 'Stopped by SIGINT.'));
    const node = await nodeThat(async (request) => {
      if (!methodOf(request).includes('eth_getTransactionReceipt')) return;
      await until(async () => (await allowed('dev2', 'dai')) !== '0', 'the approval is mined');
      stop();
    });
    const ended = await ferry([...execute('46', 'dai'), '--account', 'dev2', '--yes', '--json'], {
      env: { ...at(sandbox), FERRY_RPC_URL_ALPHA: node },
      signal: interrupt.signal,
    });
    const { error } = ended.json();
    expect(error).toMatchObject({ code: 'track.unfinished', next: `ferry resume ${error.run} --account dev2` });
    expect(error.allowances).toEqual([left('dev2', 'DAI', '46000000000000000000', '46')]);
  });

  test('behavior: a deposit whose nonce another transaction took', async () => {
    const node = await nodeThat(secondBroadcast(() => send('dev4', stranger, '--value', '1')));
    const { error } = (await run('dev4', execute('47', 'gull'), { FERRY_RPC_URL_ALPHA: node })).json();
    expect(error).toMatchObject({ code: 'submit.unknown', next: `ferry resume ${error.run} --account dev4` });
    expect(error.allowances).toEqual([left('dev4', 'GULL', '47000000000000000000', '47')]);
  });

  test('behavior: a node that is silent holds nothing up, and the error is what it was', async () => {
    let isSilent = false;
    const node = await nodeThat((request) => {
      isSilent ||= isDeposit(request);
      return isSilent ? new Promise(() => {}) : undefined;
    });
    const interrupt = new AbortController();
    const running = ferry([...execute('43', 'dai'), '--account', 'dev4', '--yes', '--json'], {
      env: { ...at(sandbox), FERRY_RPC_URL_ALPHA: node },
      signal: interrupt.signal,
    });
    await expect.poll(() => isSilent, { interval: 5 }).toBe(true);
    interrupt.abort(new BaseError('prompt.declined', 'Stopped by SIGINT.'));
    const { error } = (await running).json();
    expect(error).toMatchObject({ code: 'prompt.declined', next: `ferry resume ${error.run} --account dev4` });
    expect(error.allowances).toBeUndefined();
  });

  test('behavior: one that was there before, and that no approval of the run has changed, is not shown', async () => {
    await approve('dev1', 'usdc', depository, 5_000_000n);
    await miningAt(sandbox.rpcUrls.alpha, false);
    const paying = [...execute('44', 'usdc'), '--account', 'dev1', ...soon.args, '--yes', '--json'];
    const ended = await ferry(paying, { env: at(sandbox), pace: soon.pace });
    const { code, txHash, allowances } = ended.json().error;
    await ask(sandbox.rpcUrls.alpha, 'anvil_dropTransaction', txHash);
    await ask(sandbox.rpcUrls.alpha, 'evm_setAutomine', true);
    expect([code, allowances, await allowed('dev1', 'usdc')]).toEqual(['track.unfinished', undefined, '5000000']);
  });

  test('behavior: one that was used up by a payment which came back is not shown', async () => {
    const ended = await run('dev0', [...execute('45', 'usdc'), '--referrer', 'debug-force-refund']);
    expect([ended.code, ended.json().error.allowances]).toEqual([7, undefined]);
  });
});
