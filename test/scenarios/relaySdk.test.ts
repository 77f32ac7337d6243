import { executeGaslessBatch, getClient } from '@relayprotocol/relay-sdk';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { addFault } from '../support/faults.js';
import * as sdk from '../support/relaySdk.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox } = useSandbox();

beforeAll(async () => {
  await sdk.connectSdk(sandbox);
});
afterAll(async () => {
  sdk.disconnectSdk();
});

const user = accounts.dev0.address;
// Pays nothing itself, so that its native balance shows what arrived alone.
const recipient = accounts.dev7.address;
const ether = 10n ** 18n;

/** Of an account without gas, which pays 'alpha/USDC'. */
const ofPoor = {
  paid: [accounts.dev9.address, 'alpha/USDC'],
  ether: [accounts.dev9.address, 'alpha/ETH'],
  got: [recipient, 'beta/USDC'],
} as const;

/** Quotes, executes and returns what user and recipient lost and got. */
async function swap(wish: Omit<sdk.Wish, 'recipient'>) {
  const quote = await sdk.getQuote({ ...wish, recipient });
  const wallet = sdk.walletOn(sdk.currencyOf(wish.from).chain);
  let sent: string[] = [];
  const holdings = { paid: [user, wish.from], got: [recipient, wish.to] } as const;
  const moved = await sdk.changes(sandbox, holdings, async () => {
    const done = await sdk.execute(quote, wallet);
    sent = sdk.sentBy(done);
    expect(done.steps.flatMap(({ items }) => items.map(({ status }) => status))).not.toContain('incomplete');
  });
  const gas = wish.from.endsWith('/ETH') ? await sdk.gasOf(sandbox, sdk.currencyOf(wish.from).chain, sent) : 0n;
  return { quote, paid: -moved.paid - gas, got: moved.got };
}

/** Pays USDC from alpha, is refunded, and resolves to what came of it: the record, and what of the input was withheld. */
async function refunded(amount: bigint, isForced = false) {
  const quote = await sdk.getQuote({ from: 'alpha/USDC', to: 'beta/USDC', amount, recipient });
  const { requestId } = quote.steps[0] ?? {};
  if (!isForced) await addFault(sandbox, 'service', { kind: 'solver', does: 'refund', match: { requestId } });
  const holdings = { user: [user, 'alpha/USDC'], got: [recipient, 'beta/USDC'] } as const;
  const moved = await sdk.changes(sandbox, holdings, async () => {
    await expect(sdk.execute(quote, sdk.walletOn('alpha'))).rejects.toThrow('Transaction failed: Refunded');
  });
  const { requests } = await sdk.ask(sandbox, `/requests/v3?id=${requestId}`);
  const withheld = amount - BigInt(requests[0].data.refundCurrencyData.amount);
  expect(moved).toEqual({ user: -withheld, got: 0n });
  return { requestId, data: requests[0].data, withheld };
}

const amountIn = ({ details }: sdk.Quote) => BigInt(details.currencyIn?.amount ?? 0);
const amountOut = ({ details }: sdk.Quote) => BigInt(details.currencyOut?.amount ?? 0);

describe('execute', () => {
  test.each([
    ['a bridge', 'alpha/USDC', 'beta/USDC', 100_000_000n],
    ['a bridge of native currency', 'alpha/ETH', 'beta/ETH', ether / 10n],
    ['a bridge of a token that wants zero first', 'alpha/USDT', 'beta/USDT', 50_000_000n],
    ['a swap on the origin chain', 'alpha/GULL', 'beta/USDC', 100n * ether],
    ['a swap on the destination chain', 'alpha/USDC', 'beta/GULL', 20_000_000n],
    ['a swap on one chain', 'alpha/USDC', 'alpha/WETH', 30_000_000n],
    ['a swap of native currency on one chain', 'alpha/ETH', 'alpha/USDC', ether / 100n],
    ['a wrap', 'beta/ETH', 'beta/WETH', ether / 100n],
    ['a send', 'alpha/USDC', 'alpha/USDC', 1_000_000n],
  ] as const)('default: %s pays the input and delivers the quoted output', async (_, from, to, amount) => {
    const { quote, paid, got } = await swap({ from, to, amount });
    expect({ paid, got }).toEqual({ paid: amount, got: amountOut(quote) });
    expect(amountIn(quote)).toBe(amount);
  });

  test.each([
    ['alpha/USDC', 'beta/USDC', 25_000_000n],
    ['alpha/ETH', 'beta/USDC', 25_000_000n],
  ] as const)('default: an exact output from %s to %s', async (from, to, amount) => {
    const { quote, paid, got } = await swap({ from, to, amount, tradeType: 'EXACT_OUTPUT' });
    expect({ paid, got, quoted: amountOut(quote) }).toEqual({ paid: amountIn(quote), got: amount, quoted: amount });
  });

  test.each([
    ['alpha/USDC', 'beta/USDC', 25_000_000n],
    ['alpha/USDC', 'beta/GULL', 10n * ether],
    ['alpha/GULL', 'beta/ETH', ether / 1_000n],
  ] as const)('default: an expected output from %s to %s', async (from, to, amount) => {
    const { quote, paid, got } = await swap({ from, to, amount, tradeType: 'EXPECTED_OUTPUT' });
    expect({ paid, got }).toEqual({ paid: amountIn(quote), got: amountOut(quote) });
    // The input is rounded up to its base unit, and all of it is swapped.
    expect(got).toBeGreaterThanOrEqual(amount);
    expect(got - amount).toBeLessThan(amount / 1_000_000n);
  });

  test.each([
    ['swaps on both chains', { from: 'alpha/GULL', to: 'beta/DAI', amount: 100n * ether }],
    [
      'an exact output on one chain',
      { from: 'alpha/USDC', to: 'alpha/GULL', amount: 10n * ether, tradeType: 'EXACT_OUTPUT' },
    ],
  ] as const)(
    'default: %s: the recipient gets what was quoted, and what the swaps yield beyond it',
    async (_, wish) => {
      const { quote, paid, got } = await swap(wish);
      const record = async () =>
        (await sdk.ask(sandbox, `/requests/v3?id=${quote.steps.at(-1)?.requestId}`)).requests[0];
      // The client is done once the transaction is mined; what it yielded is recorded after that.
      await expect.poll(async () => (await record()).status).toBe('success');
      const { amount } = (await record()).data.route.actual.destination.outputCurrency;
      expect({ paid, got }).toEqual({ paid: amountIn(quote), got: BigInt(amount) });
      expect(got).toBeGreaterThanOrEqual(amountOut(quote));
      expect(got).toBeLessThan((amountOut(quote) * 103n) / 100n);
    },
  );
});

describe('executeGaslessBatch', () => {
  const wish = { from: 'alpha/USDC', to: 'beta/USDC', amount: 10_000_000n, account: 'dev9', recipient } as const;

  test.each([
    ['by its gas alone', {}],
    ['by all fees', { subsidizeFees: true }],
  ])('default: an account without gas pays the input, sponsored %s', async (_, options) => {
    const quote = await sdk.getQuote(wish);
    const statuses: string[] = [];
    const moved = await sdk.changes(sandbox, ofPoor, async () => {
      const { requestId } = await executeGaslessBatch({
        quote,
        walletClient: sdk.walletOn('alpha', 'dev9'),
        onProgress: ({ status }) => statuses.push(status),
        ...options,
      });
      expect(requestId).toBe(quote.steps[0]?.requestId);
    });
    expect(moved).toEqual({ paid: -10_000_000n, ether: 0n, got: amountOut(quote) });
    expect(statuses.at(-1)).toBe('success');
  });
});

describe('app fees', () => {
  test('default: what an app earned is shown, claimed by its signature and paid less the gas', async () => {
    const app = accounts.dev6;
    const quote = await sdk.getQuote({
      from: 'alpha/USDC',
      to: 'beta/USDC',
      amount: 100_000_000n,
      recipient,
      options: { appFees: [{ recipient: app.address, fee: '50' }] },
    });
    const paid = await sdk.changes(sandbox, { got: [recipient, 'beta/USDC'] }, () =>
      sdk.execute(quote, sdk.walletOn('alpha')),
    );
    expect(paid.got).toBe(amountOut(quote));
    const { actions } = getClient();
    const balances = () => actions.getAppFees({ wallet: app.address });
    const [earned] = await balances();
    expect([earned?.amount, earned?.currency?.symbol]).toEqual(['500000', 'USDC']);
    const { chainId = 0, address = '' } = earned?.currency ?? {};
    const held = await sdk.balance(sandbox, [app.address, 'alpha/USDC']);
    const moved = await sdk.changes(sandbox, { got: [app.address, 'alpha/USDC'] }, async () => {
      await actions.claimAppFees({ wallet: sdk.walletOn('alpha', 'dev6'), chainId, currency: address });
      await expect.poll(() => sdk.balance(sandbox, [app.address, 'alpha/USDC']), { interval: 20 }).not.toBe(held);
    });
    expect(await balances()).toEqual([]);
    const [claim] = (await sdk.ask(sandbox, `/app-fees/${app.address}/claims`)).claims;
    const gas = await sdk.gasInUsdc(sandbox, 'alpha', claim.txHash);
    expect(moved.got).toBe(500_000n - gas);
  });
});

describe('the WebSocket of statuses', () => {
  afterEach(() => sdk.connectSdk(sandbox));

  test('default: a bridge is followed to its delivery without polling', async () => {
    await sdk.connectSdk(sandbox, { follows: 'webSocket' });
    const { quote, paid, got } = await swap({ from: 'alpha/USDC', to: 'beta/USDC', amount: 35_000_000n });
    expect({ paid, got }).toEqual({ paid: 35_000_000n, got: amountOut(quote) });
  });

  test('behavior: a refund rejects the promise', async () => {
    await sdk.connectSdk(sandbox, { follows: 'webSocket' });
    await refunded(45_000_000n);
  });
});

describe('a refund', () => {
  afterEach(() => sdk.connectSdk(sandbox));

  const follows = ['polling', 'webSocket'] as const;

  test.each(follows)('default: an application without a key forces one by its source, followed by %s', async (how) => {
    await sdk.connectSdk(sandbox, { follows: how, source: 'debug-force-refund' });
    const { data, withheld } = await refunded(42_000_000n, true);
    expect(data).toMatchObject({ referrer: 'debug-force-refund', failReason: 'MANUAL_ADMIN_REFUND' });
    expect(withheld).toBeGreaterThan(0n);
  });

  test('error: any other source without a key is refused', async () => {
    await sdk.connectSdk(sandbox, { source: 'somebody.example' });
    const asked = sdk.getQuote({ from: 'alpha/USDC', to: 'beta/USDC', amount: 42_000_000n, recipient });
    await expect(asked).rejects.toThrow('Please provide an api key');
  });

  test('default: the promise is rejected, and the deposit returned less the gas of the refund', async () => {
    const { requestId, withheld } = await refunded(40_000_000n);
    const { txHashes } = await sdk.ask(sandbox, `/intents/status/v3?requestId=${requestId}`);
    const gas = await sdk.gasInUsdc(sandbox, 'alpha', txHashes[0]);
    expect([withheld >= gas, withheld <= 2n * gas]).toEqual([true, true]);
  });
});

describe('a permit', () => {
  afterEach(() => sdk.connectSdk(sandbox));

  const follows = [['polling'], ['webSocket']] as const;

  async function permit(fault: Omit<sdk.SolverFault, 'kind' | 'match'>) {
    const wish = { from: 'alpha/USDC', to: 'beta/USDC', amount: 15_000_000n, account: 'dev9', recipient } as const;
    const quote = await sdk.getQuote({ ...wish, options: { usePermit: true } });
    expect(quote.steps.map(({ kind }) => kind)).toEqual(['signature']);
    const { requestId } = quote.steps[0] ?? {};
    await addFault(sandbox, 'service', { kind: 'solver', ...fault, match: { requestId } });
    return { quote, requestId, run: () => sdk.execute(quote, sdk.walletOn('alpha', 'dev9')) };
  }

  test.each(follows)('default: it is delivered when the promise resolves, followed by %s', async (how) => {
    await sdk.connectSdk(sandbox, { follows: how });
    const { quote, run } = await permit({ does: 'delay', delayMs: 300 });
    const moved = await sdk.changes(sandbox, ofPoor, run);
    expect(moved).toEqual({ paid: -15_000_000n, ether: 0n, got: amountOut(quote) });
  });

  test.each(follows)('behavior: the promise is rejected if it was refunded, followed by %s', async (how) => {
    // By polling the SDK knows no refund, and asks on until it gives up.
    await sdk.connectSdk(sandbox, { follows: how, attempts: 60 });
    const { requestId, run } = await permit({ does: 'refund' });
    const moved = await sdk.changes(sandbox, ofPoor, async () => {
      const reason = how === 'polling' ? /^Failed to get an ok response/ : 'Transaction failed: Refunded';
      await expect(run()).rejects.toThrow(reason);
      const status = async () => (await sdk.ask(sandbox, `/intents/status/v3?requestId=${requestId}`)).status;
      await expect.poll(status).toBe('refund');
    });
    const { requests } = await sdk.ask(sandbox, `/requests/v3?id=${requestId}`);
    const withheld = 15_000_000n - BigInt(requests[0].data.refundCurrencyData.amount);
    expect(moved).toEqual({ paid: -withheld, ether: 0n, got: 0n });
  });
});
