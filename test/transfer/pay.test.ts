/** What happens between the proof and the signature, while a person thinks. */
import { createTestClient, http } from 'viem';
import { describe, expect, test } from 'vitest';
import type { Context } from '../../src/core/command/Context.js';
import type { Event } from '../../src/core/event/Event.js';
import type { Turn } from '../../src/core/ports/Ports.js';
import * as QuoteDocument from '../../src/core/quote/QuoteDocument.js';
import { counterOf } from '../../src/setup/trustNonces.js';
import { executeQuote } from '../../src/transfer/executeQuote.js';
import { executeTransfer } from '../../src/transfer/executeTransfer.js';
import { inWords, question } from '../../src/transfer/pay.js';
import { readCaps, readIntent, requestQuote } from '../../src/transfer/transferOptions.js';
import { failure } from '../support/failures.js';
import { contextAt } from '../support/ownNetwork.js';
import { intent, quote } from '../support/quoted.js';
import { useSandbox } from '../support/sandbox.js';
import { ended } from '../support/workbench.js';

const { sandbox, user } = useSandbox();

const minutes = 60_000;

async function setBaseFee(chain: 'alpha' | 'beta', wei: bigint): Promise<void> {
  const client = createTestClient({ mode: 'anvil', transport: http(sandbox.rpcUrls[chain]) });
  await client.setNextBlockBaseFeePerGas({ baseFeePerGas: wei });
  await client.mine({ blocks: 1 });
}

type Thinking = {
  /** What passes by this machine's clock before the answer. */
  ms?: number;
  /** What happens before it; `other` is another process of the same user. */
  meanwhile?: (other: Context) => Promise<unknown>;
  heard?: (event: Event) => void;
  /** What is paid, instead of ether. */
  options?: Parameters<typeof executeTransfer>[0];
};

/** Pays, and says yes after thinking. */
async function pay({ ms = 0, meanwhile, heard, options = { args: ['1', 'alpha/eth', 'beta/eth'] } }: Thinking) {
  const { env } = user({ FERRY_ACCOUNT: 'dev0' });
  const context = await contextAt(env, { answers: ['y'] });
  const other = await contextAt(env, { yes: true });
  let passedMs = 0;
  const asking: Context = {
    ...context,
    clock: { ...context.clock, now: () => context.clock.now() + passedMs },
    async confirm(question) {
      await context.confirm(question);
      await meanwhile?.(other);
      passedMs += ms;
    },
  };
  const events: Event[] = [];
  const running = executeTransfer({ ...options, noWait: true }, asking);
  const outcome = () =>
    ended(running, (event) => {
      events.push(event);
      heard?.(event);
    });
  return { outcome, events, asked: context.asked, quotes: () => events.filter(({ type }) => type === 'quoted') };
}

describe('pay: a quote that has expired before the answer', () => {
  test('default: another one is proved and paid, and nobody is asked again', async () => {
    const paying = await pay({ ms: 10 * minutes });
    const outcome = await paying.outcome();
    const [first, second, ...more] = paying.quotes();
    expect(more).toEqual([]);
    expect(second).toMatchObject({ type: 'quoted', requestId: outcome.requestId });
    expect(first).not.toMatchObject({ requestId: outcome.requestId });
    expect(paying.asked).toHaveLength(1);
  });

  test('error: the other one has to keep to what was agreed to', async () => {
    const paying = await pay({ ms: 10 * minutes, meanwhile: () => setBaseFee('beta', 10n ** 11n) });
    const error = await failure(paying.outcome());
    await setBaseFee('beta', 7n);
    expect([error.code, error.funds]).toEqual(['verify.cap', 'untouched']);
    expect(paying.events.map(({ type }) => type)).not.toContain('signed');
  });

  test('error: its permit is valid for no longer than the user wants either', async () => {
    const options = { args: ['1', 'alpha/usdc', 'beta/usdc'], permit: true, validFor: '20m' };
    const paying = await pay({ ms: -15 * minutes, options });
    const error = await failure(paying.outcome());
    expect([error.code, error.message]).toEqual(['verify.cap', expect.stringContaining('--valid-for')]);
    expect(paying.quotes()).toHaveLength(2);
    expect(paying.events.map(({ type }) => type)).not.toContain('permit-signed');
  });
});

describe('pay: gas', () => {
  test('error: what has become dearer than a person was told is not signed', async () => {
    await setBaseFee('alpha', 10n ** 9n);
    const paying = await pay({ meanwhile: () => setBaseFee('alpha', 5n * 10n ** 9n) });
    const error = await failure(paying.outcome());
    await setBaseFee('alpha', 7n);
    expect(error.code).toBe('verify.cap');
    expect(error.message).toContain('has risen above what you agreed to');
    expect(paying.events.map(({ type }) => type)).not.toContain('signed');
  });
});

test('pay: what another run is doing with the account meanwhile is waited for', async () => {
  let theirs: Turn | undefined;
  const paying = await pay({
    async meanwhile(other) {
      const taking = other.nonces.take(await counterOf({ id: 313_371, name: 'alpha' }, other));
      const taken = await taking.next();
      if (taken.done) theirs = taken.value;
    },
    heard({ type }) {
      if (type === 'waiting') theirs?.release();
    },
  });
  await paying.outcome();
  expect(theirs).toBeDefined();
  const types = paying.events.map(({ type }) => type);
  expect(types.indexOf('waiting')).toBeGreaterThan(types.indexOf('verified'));
  expect(types.indexOf('signed')).toBeGreaterThan(types.indexOf('waiting'));
});

test('pay: who has proposed the quote is told once the user has agreed, before anything is signed', async () => {
  const { env } = user({ FERRY_ACCOUNT: 'dev0' });
  const context = await contextAt(env, { answers: ['n', 'y'] });
  const order: string[] = [];
  const asking: Context = {
    ...context,
    async confirm(question) {
      await context.confirm(question);
      order.push('yes');
    },
  };
  const args = ['1', 'alpha/eth', 'beta/eth'];
  const intent = await readIntent({ args }, asking);
  const agreed = async () => {
    order.push('told');
  };
  const caps = readCaps({}, asking, intent);
  const getQuote = async () => ({ ...(await requestQuote(intent, asking)), caps, allow: [], findings: [], agreed });
  const execute = async () => {
    for await (const { type } of executeQuote({ intent, getQuote }, { args: [], noWait: true }, asking, 'execute'))
      if (type === 'signed') order.push('signed');
  };
  expect((await failure(execute())).code).toBe('prompt.declined');
  expect(order).toEqual([]);
  await execute();
  expect(order).toEqual(['yes', 'told', 'signed']);
});

test('question: amounts are written as in the lines above it, with their thousands apart', async () => {
  const document = QuoteDocument.from(await quote(intent('12455.130226', 'alpha/usdc', 'beta/usdc')), []);
  const place = { name: 'sandbox', realMoney: false };
  expect(question(document, { asked: [], warned: [] }, { place })).toMatch(
    /Send 12,455\.130226 USDC from alpha for 12,4\d\d\.\d+ USDC \(at least 12,\d{3}\.\d+\) on beta/,
  );
});

test('inWords: the account of a venue that is paid is called one', async () => {
  const document = QuoteDocument.from(await quote(intent('100', 'alpha/usdc', 'beta/usdc')), []);
  expect(inWords(document, '102')).toMatch(/ on beta to account 102$/);
});

test('question: attack: a token with the symbol of another one is shown by its address too', async () => {
  const honest = await quote(intent('100', 'alpha/usdc', 'beta/usdc'));
  const address = '0x6666666666666666666666666666666666666666';
  const token = { ...honest.intent.destination.token, address, symbol: 'USDC\u001b[2K' };
  const posing = { ...honest, intent: { ...honest.intent, destination: { ...honest.intent.destination, token } } };
  const place = { name: 'sandbox', realMoney: false };
  const asked = question(QuoteDocument.from(posing, []), { asked: [], warned: [] }, { place });
  expect(asked).toContain(`USDC\\x1b[2K (${address}) (at least`);
  expect(asked).toMatch(/Send 100 USDC from alpha for/);
});
