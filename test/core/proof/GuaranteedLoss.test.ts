import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import type * as QuoteV2 from '../../../src/core/api/QuoteV2.js';
import type * as Network from '../../../src/core/network/Network.js';
import * as GuaranteedLoss from '../../../src/core/proof/GuaranteedLoss.js';
import type * as Prices from '../../../src/core/proof/price/Prices.js';
import * as Verification from '../../../src/core/proof/Verification.js';
import * as Quote from '../../../src/core/quote/Quote.js';
import * as OrderId from '../../../src/sandbox/quote/OrderId.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import * as market from '../../support/market.js';
import { altered, network as bare, caps as initial, intent, quote } from '../../support/quoted.js';
import * as calldata from '../../support/routerCalldata.js';

/** DAI has no price, like a token that ferry does not know the worth of. */
const assets: Readonly<Record<string, string>> = { ETH: 'ETH', WETH: 'ETH', USDC: 'USD', USDT: 'USD', GULL: 'GULL' };

const priced = (token: Network.Token): Network.Token => ({ ...token, asset: assets[token.symbol] });

const network: Network.Network = {
  ...bare,
  chains: bare.chains.map((chain) => ({
    ...chain,
    contracts: { ...chain.contracts, kyberSwap: market.alpha.contracts.aggregator },
    native: priced(chain.native),
    tokens: chain.tokens.map(priced),
  })),
};

const prices: Prices.Prices = new Map([
  ['ETH', { answer: 250_000_000_000n, decimals: 8, source: 'the ETH/USD feed' }],
  ['GULL', { answer: 25_000_000n, decimals: 8, source: 'the GULL/USD feed' }],
]);

function judge(answer: Quote.Quote, own: Partial<GuaranteedLoss.Facts> = {}) {
  const { tradeType } = answer.intent;
  return GuaranteedLoss.judge(answer, { tradeType, caps: { maxImpactBps: 500 }, network, prices, ...own });
}

const verdicts = (answer: Quote.Quote, own: Partial<GuaranteedLoss.Facts> = {}): string[] =>
  judge(answer, own).findings.map(({ subject = 'fill', verdict }) => `${subject}: ${verdict}`);

/** A quote whose minimum is so much of its output. */
function atLeast(asked: Quote.Quote, minimum: bigint): Quote.Quote {
  return altered(asked, 'details.currencyOut.minimumAmount', String(minimum));
}

describe('judge', () => {
  test('default: an honest bridge ends in one way, an honest swap before it in two', async () => {
    expect(verdicts(await quote(intent('100', 'alpha/usdc', 'beta/usdc')))).toEqual(['fill: verified']);
    expect(verdicts(await quote(intent('100', 'alpha/gull', 'beta/usdc')))).toEqual([
      'fill: verified',
      'refund: verified',
    ]);
    expect(verdicts(await quote(intent('1000', 'alpha/gull', 'beta/eth')))).toEqual([
      'fill: verified',
      'refund: verified',
    ]);
  });

  test('error: limits that each hold add up to more than the bound, which is one', async () => {
    const asked = await quote(intent('100', 'alpha/usdc', 'beta/usdc'));
    const [finding] = judge(atLeast(asked, 90_350_000n)).findings;
    expect(finding).toMatchObject({
      check: 'loss',
      verdict: 'cannot verify',
      expected: 'at most 500 bps lost',
      found: '$100.00 in, $90.35 out: 965 bps lost, by the amounts, if it is delivered',
    });
    expect(judge(atLeast(asked, 90_350_000n)).lossBps).toBe(965n);
    expect(verdicts(atLeast(asked, 94_999_999n))).toEqual(['fill: cannot verify']);
    expect(verdicts(atLeast(asked, 95_000_000n))).toEqual(['fill: verified']);
  });

  test('behavior: a higher limit of the user raises the bound, a lower one does not tighten it', async () => {
    const asked = atLeast(await quote(intent('100', 'alpha/usdc', 'beta/usdc')), 90_350_000n);
    expect(verdicts(asked, { caps: { maxImpactBps: 965 } })).toEqual(['fill: verified']);
    expect(verdicts(asked, { caps: { maxImpactBps: 964 } })).toEqual(['fill: cannot verify']);
    const honest = await quote(intent('100', 'alpha/usdc', 'beta/usdc'));
    expect(verdicts(honest, { caps: { maxImpactBps: 10 } })).toEqual(['fill: verified']);
  });

  test('behavior: a least output that the user has named is the user’s own word', async () => {
    const asked = atLeast(await quote(intent('100', 'alpha/usdc', 'beta/usdc')), 50_000_000n);
    expect(verdicts(asked, { caps: { maxImpactBps: 500, minOut: 50_000_000n } })).toEqual(['fill: verified']);
    expect(verdicts(asked, { caps: { maxImpactBps: 500, minOut: 50_000_001n } })).toEqual(['fill: cannot verify']);
  });

  test('error: without a price, by the service’s own figures', async () => {
    const asked = await quote(intent('100', 'alpha/dai', 'beta/usdc'));
    expect(verdicts(asked)).toContain('fill: not checked');
    expect(verdicts(atLeast(asked, 90_000_000n))).toContain('fill: cannot verify');
  });

  test('attack: a refund on the destination in a currency of another worth rests on the service', async () => {
    const asked = await quote(intent('100', 'alpha/usdc', 'beta/usdc'));
    const refund = 'protocol.v2.orderData.inputs.0.refunds.1.currency';
    const refunded = (symbol: string): string[] =>
      verdicts(altered(asked, refund, market.token(market.beta, symbol).address));
    expect(refunded('USDT')).toEqual(['fill: verified']);
    for (const symbol of ['GULL', 'ETH', 'DAI'])
      expect(refunded(symbol)).toEqual(['fill: verified', 'refund: cannot verify']);
    expect(verdicts(altered(asked, refund, '0x000000000000000000000000000000000000dead'))).toContain(
      'refund: cannot verify',
    );
  });

  test('behavior: what needs a feed is not checked offline', async () => {
    const asked = await quote(intent('1000', 'alpha/gull', 'beta/eth'));
    const none = { prices: new Map(), isOffline: true };
    expect(verdicts(asked, none)).not.toContain('refund: cannot verify');
    expect(verdicts(asked, { prices: new Map() })).toContain('refund: cannot verify');
  });
});

describe('attack: a swap before the deposit that yields dust', () => {
  const { alpha } = market;
  const currency = (symbol: string) => {
    const { address, decimals } = market.token(alpha, symbol) as { address: `0x${string}`; decimals: number };
    return { chainId: alpha.id, address, symbol, decimals };
  };

  async function dusty(symbol: string, own: Partial<Parameters<typeof dustSwap>[1]> = {}): Promise<Quote.Quote> {
    const honest = await quote(intent('100', 'alpha/usdc', 'beta/usdc'));
    const dust = { contracts: alpha.contracts, currency: currency(symbol), amount: 1_000n, swapped: 1n, ...own };
    return Quote.from(await dustSwap(honest.response, dust), honest.intent, honest.quotedAt);
  }

  /** What a proof with the user's prices refuses. */
  async function refused(asked: Quote.Quote): Promise<string[]> {
    const around = { network, baseUrl: 'http://127.0.0.1:1', nowMs: market.market.nowMs };
    const proof = await Verification.proofOf(asked, { ...initial, maxImpactBps: 10 }, around);
    return [...proof.findings, ...judge(asked).findings]
      .filter(({ verdict }) => verdict === 'mismatch' || verdict === 'cannot verify')
      .map(({ check, subject, verdict }) => `${check} of ${subject}: ${verdict}`);
  }

  test.each([
    ['the rest goes to a thief', {}],
    ['the executor is handed all, and keeps it', { swapped: 100_000_000n }],
  ])('error: %s: nothing but the refund shows it', async (_, own) => {
    expect(await refused(await dusty('USDT', own))).toEqual(['loss of refund: mismatch']);
  });

  test('error: the decimals of the dust are stated as those of a coin', async () => {
    const own = { currency: { ...currency('WETH'), decimals: 0 }, amount: 1n };
    expect(await refused(await dusty('WETH', own))).toEqual(['loss of refund: mismatch']);
  });

  test('error: the dust is stated as the output of the other chain, and has its address', async () => {
    const { beta } = market;
    const { address, decimals } = market.token(beta, 'USDC');
    const own = { currency: { chainId: beta.id, address, symbol: 'USDC', decimals }, amount: 99_000_000n };
    expect(await refused(await dusty('USDT', own))).toContain('order-input-currency of undefined: mismatch');
  });

  test('error: a currency without a price rests on the service alone', async () => {
    const asked = await dusty('DAI', { amount: 10n ** 20n });
    expect(await refused(asked)).toEqual(['loss of refund: cannot verify']);
  });

  test('behavior: a call that hands tokens to anybody but the executor is unknown', async () => {
    const proof = async (own: object) => {
      const around = { network, baseUrl: 'http://127.0.0.1:1', nowMs: market.market.nowMs };
      const { findings } = await Verification.proofOf(await dusty('USDT', own), initial, around);
      return findings.find(({ check }) => check === 'router-calls')?.verdict;
    };
    expect(await proof({})).toBe('not checked');
    expect(await proof({ swapped: 100_000_000n })).toBe('verified');
  });
});

type Address = calldata.Address;
type WireCurrency = QuoteV2.Details['currencyIn']['currency'];

type Dust = {
  contracts: Record<'router' | 'depository' | 'approvalProxy' | 'aggregator', Address>;
  /** What the order is paid in, and how much of it. */
  currency: WireCurrency;
  amount: bigint;
  /** What goes to the executor of the input; the rest goes to somebody else. */
  swapped: bigint;
};

/**
 * The answer to a request for a bridge of tokens, by a service and a solver that lie with a plan: a swap before the deposit
 * hands the input to a thief and yields dust, which pays the order. Every figure agrees with it, and the solver signs.
 */
async function dustSwap<T extends QuoteV2.Response>(honest: T, dust: Dust): Promise<T> {
  const { contracts, currency, amount } = dust;
  const answer = structuredClone(honest) as T & { details: Record<string, unknown> };
  const v2 = answer.protocol?.v2;
  const [payment] = v2?.orderData.inputs ?? [];
  if (!v2 || !payment) throw new Error('a bridge has an order');
  const { currencyIn } = answer.details;
  const token = currency.address as Address;
  const yielded = { currency, amount: String(amount), minimumAmount: String(amount), amountUsd: currencyIn.amountUsd };
  const destination = answer.details.route?.destination;
  answer.details.route = { origin: { inputCurrency: currencyIn, outputCurrency: yielded }, destination } as never;
  Object.assign(payment.payment, { currency: token.toLowerCase(), amount: String(amount) });
  const [refund] = payment.refunds;
  if (refund) refund.currency = token.toLowerCase();
  Object.assign(v2.paymentDetails, { currency: token.toLowerCase(), amount: String(amount) });
  const orderId = OrderId.from(v2.orderData as never);
  v2.orderId = orderId;
  const solver = privateKeyToAccount(accounts.solver.privateKey);
  v2.orderSignature = await solver.signMessage({ message: { raw: orderId } });
  const [approval, deposit] = answer.steps.map(({ items }) => items[0]?.data as Record<string, string>);
  if (!approval || !deposit) throw new Error('tokens are approved and deposited');
  const input = BigInt(currencyIn.amount);
  approval.data = calldata.approve(token, contracts.approvalProxy, input).callData;
  deposit.to = contracts.approvalProxy;
  deposit.data = calldata.encode({
    tokens: [currencyIn.currency.address as Address],
    amounts: [input],
    calls: [
      calldata.approve(currencyIn.currency.address as Address, contracts.aggregator, input),
      swap(currencyIn.currency.address as Address, input, dust),
      calldata.depositAll({
        router: contracts.router,
        depository: contracts.depository,
        depositor: answer.details.sender as Address,
        token,
        id: orderId,
      }),
    ],
    refundTo: answer.details.sender as Address,
    nftRecipient: answer.details.sender as Address,
    metadata: '0x',
    suffix: orderId,
  });
  return answer;
}

/** The pinned aggregator's own function, which hands tokens to more than its executor and demands the dust. */
function swap(from: Address, input: bigint, { contracts, currency, amount, swapped }: Dust): calldata.Call {
  const rest = input - swapped;
  const to = currency.address as Address;
  const handed = rest > 0n ? [rest, swapped] : [swapped];
  const call = calldata.viaKyberSwap({ from, to, amount: input, minimum: amount, receiver: contracts.router, handed });
  return { ...call, target: contracts.aggregator };
}
