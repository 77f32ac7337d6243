/**
 * Checks what the user is sure to hold at each end of a transfer: the least that is paid out, and what was deposited if
 * that is refunded in the currency of a swap. Limits of impact, slippage and fees each hold a part; this is their sum.
 *
 * A swap before the deposit counts with the least that its calldata forces: its figure in the answer is the service's.
 * The bound is 5%, or `--max-impact` if that is more. `--min-out` or `--max-in` settles the delivery, and a refund must
 * then be worth as much. The venue's fee has a limit of its own and is no part of it.
 */
import * as Address from '../base/Address.js';
import * as Network from '../network/Network.js';
import { collect, type Finding, type Findings, user } from '../quote/Finding.js';
import type { Answer } from '../quote/Quote.js';
import * as OrderLegs from './OrderLegs.js';
import * as PriceCheck from './price/PriceCheck.js';
import type * as Prices from './price/Prices.js';
import * as QuoteValue from './price/QuoteValue.js';

/** The name of the finding. */
export const name = 'loss';

/** What may be lost of the input at any end without a word of the user's, in basis points. */
const boundBps = 500;

export type Facts = Omit<PriceCheck.Facts, 'valuation'> & {
  network: Network.Network;
  prices: Prices.Prices;
  /** Whether no price feed was read on purpose. */
  isOffline?: boolean | undefined;
};

/** The findings, and the most that is lost at any end in basis points, as far as it can be valued. */
export type Judgement = { findings: readonly Finding[]; lossBps: bigint };

/** The assets whose prices are needed. */
export function needed(answer: Answer, network: Network.Network): readonly string[] {
  const { input, output } = QuoteValue.sidesOf(answer, network);
  const refund = refundOf(answer, network);
  const pairs = refund
    ? [
        { input, output: refund },
        { input: output, output: refund },
      ]
    : [];
  return [{ input, output }, ...pairs].flatMap(QuoteValue.needed);
}

/** What may be lost of the input at any end, in basis points. */
export function boundOf({ maxImpactBps }: Pick<Facts['caps'], 'maxImpactBps'>): bigint {
  return BigInt(Math.max(boundBps, maxImpactBps));
}

/** Values each end of a quote. */
export function judge(answer: Answer, { tradeType, caps, network, prices, isOffline }: Facts): Judgement {
  const bound = boundOf(caps);
  const expected = `at most ${bound} bps lost`;
  const { input } = QuoteValue.sidesOf(answer, network);
  const arriving = (amount: bigint): QuoteValue.Sum =>
    QuoteValue.sumOf(amount, answer.response.details.currencyOut.currency, network);
  const least = arriving(answer.minimum);
  // The least that the user has named is worth its price to the user.
  const own = PriceCheck.ownLimit(answer, tradeType, caps);
  const [filled, refunded] = [collect(), collect('refund')];
  let lossBps = 0n;

  if (own) filled.say(name, true, own, own, [own]);
  else {
    const byService = { input: inUsd(answer.inputUsd), output: inUsd(share(answer.outputUsd, answer)) };
    hold(filled, [{ input, output: least }, byService], 'if it is delivered');
  }
  const refund = refundOf(answer, network);
  if (refund) {
    const wanted = own ? arriving(tradeType === 'EXACT_INPUT' ? (caps.minOut ?? 0n) : answer.minimum) : input;
    const byService = { input: inUsd(answer.inputUsd), output: refund };
    // No solver pays out more than was deposited, so an order that promises that will not be filled.
    const isBait = lossOf({ input: least, output: refund }, prices) > BigInt(boundBps);
    hold(refunded, [{ input: wanted, output: refund }, byService], 'if it is refunded', isBait);
  }
  return { findings: [...filled.list, ...refunded.list, ...unequalRefunds(answer, network)], lossBps };

  function hold(
    findings: Findings,
    [pair, byService]: readonly [QuoteValue.Pair, QuoteValue.Pair],
    when: string,
    isBait = false,
  ): void {
    const shown = QuoteValue.from(pair, prices);
    const found = 'why' in shown ? QuoteValue.from(byService, prices) : shown;
    if ('why' in found) {
      if (isOffline) findings.skip(name, 'the price feeds are read before it is paid');
      else findings.cannot(name, expected, `${found.why}, ${when}`, 'the service');
      return;
    }
    const lost = PriceCheck.lossBps(found);
    const words = `${PriceCheck.inWords(found)}, ${when}`;
    if (lost > lossBps) lossBps = lost;
    if (isBait) findings.say(name, false, expected, words);
    // Without price feeds, or if it is not known what was asked for, the loss is only reported.
    else if (isOffline && (shown !== found || (lost > bound && tradeType === undefined))) findings.skip(name, words);
    else if (lost > bound) findings.cannot(name, expected, words, user);
    else if (shown === found) findings.say(name, true, expected, words, [found.source]);
    else findings.skip(name, `by the service's prices: ${words}`);
  }
}

/**
 * The refunds of the order on the destination that could be worth anything: in neither what was asked for nor what was
 * deposited. No order binds how much is refunded, so only the currency says what it is worth.
 */
function unequalRefunds(answer: Answer, network: Network.Network): readonly Finding[] {
  const { currency: output } = answer.response.details.currencyOut;
  const { currency: paid } = OrderLegs.origin(answer).paid;
  const chain = Network.chainById(network, output.chainId);
  const known = knownOf(paid, network);
  const findings = collect('refund');
  for (const { chainId, currency } of answer.response.protocol?.v2?.orderData.inputs[0]?.refunds ?? []) {
    if (!chain || chainId !== chain.slug || paid.chainId === output.chainId) continue;
    const found = knownOf({ chainId: chain.id, address: currency }, network);
    const isSame = Address.isEqual(currency, output.address) || isEqualWorth(found, known);
    if (!isSame)
      findings.cannot(
        name,
        'refunds in what was asked for, or what was deposited',
        `a refund in ${found?.symbol ?? currency} on ${chain.name}, of any worth`,
        'the service',
      );
  }
  return findings.list;
}

function knownOf(
  { chainId, address }: { chainId: number; address: string },
  network: Network.Network,
): Network.Token | undefined {
  const chain = Network.chainById(network, chainId);
  return chain && Network.tokenAt(chain, address);
}

/** Whether shipped data gives two tokens the same asset or, where it knows none, the same name. */
function isEqualWorth(one: Network.Token | undefined, other: Network.Token | undefined): boolean {
  if (!one || !other) return false;
  return one.asset === undefined ? other.asset === undefined && one.symbol === other.symbol : one.asset === other.asset;
}

/** What is deposited if the router swaps the input first: the least that the swap yields, which its calldata is held to. */
function refundOf(answer: Answer, network: Network.Network): QuoteValue.Sum | undefined {
  const { swap } = OrderLegs.origin(answer);
  if (!swap) return undefined;
  if (swap.minimumAmount == null) return { why: 'the answer states no minimum of the swap' };
  return QuoteValue.sumOf(BigInt(swap.minimumAmount), swap.currency, network);
}

function lossOf(pair: QuoteValue.Pair, prices: Prices.Prices): bigint {
  const found = QuoteValue.from(pair, prices);
  return 'why' in found ? 0n : PriceCheck.lossBps(found);
}

/** What the minimum is worth, if the whole output is worth so much. */
function share(usd: bigint | undefined, { output, minimum }: Answer): bigint | undefined {
  return usd === undefined || output === 0n ? undefined : (usd * minimum) / output;
}

/** An amount in dollars that the service states. */
function inUsd(usd: bigint | undefined): QuoteValue.Sum {
  return usd === undefined
    ? { why: 'the service states no price' }
    : { amount: usd, asset: Network.dollar, decimals: 6 };
}
