/**
 * Checks that the output is worth the input, by a witness who is not the service: the amounts themselves, price feeds,
 * or a limit that the user set.
 */
import * as Usd from '../../base/Usd.js';
import { collect, type Finding } from '../../quote/Finding.js';
import type { Answer } from '../../quote/Quote.js';
import * as Quote from '../../quote/Quote.js';
import type { Caps, TradeType } from '../../quote/TransferIntent.js';
import type { Valuation } from './QuoteValue.js';

/** The name of the finding. */
export const name = 'price';

export type Facts = {
  /** The side that the user's amount fixes; undefined if that is not known. */
  tradeType?: TradeType | undefined;
  caps: Pick<Caps, 'maxImpactBps' | 'maxFeeUsd' | 'minOut' | 'maxIn'>;
  /** What the sides are worth, or why that is not known. */
  valuation: Valuation | { why: string };
};

/**
 * The finding. A loss beyond the user's limit that the service states too is no lie: the limit refuses it, with figures.
 */
export function check(answer: Answer, { tradeType, caps, valuation }: Facts): Finding[] {
  const findings = collect();
  const limit = `at most ${bpsText(BigInt(caps.maxImpactBps))} lost`;
  if (!('why' in valuation)) {
    const lost = lossBps(valuation);
    const isHidden = lost > BigInt(caps.maxImpactBps) && !statesLoss(answer, caps.maxImpactBps);
    findings.say(name, !isHidden, limit, inWords(valuation), ['the service', valuation.source]);
    return [...findings.list];
  }
  const own = ownLimit(answer, tradeType, caps);
  const unpriced = Quote.unpriced(answer);
  if (own) findings.say(name, true, own, own, ['the service', own]);
  else if (unpriced.length > 0) findings.cannot(name, 'amounts and fees in dollars', `no ${unpriced.join(', ')}`);
  else
    findings.cannot(name, `${limit}, by two witnesses`, `the service's prices alone: ${valuation.why}`, 'the service');
  return [...findings.list];
}

/** The finding about any quote with a token that ferry knows no price of, unless the user sets a limit. */
export const unpriced: Finding = {
  check: name,
  subject: undefined,
  verdict: 'cannot verify',
  expected: 'two witnesses',
  found: 'the service’s prices alone',
  witnesses: ['the service'],
};

/** The finding without a node: price feeds are read only before a quote is paid. */
export function offline(answer: Answer, facts: Facts): Finding[] {
  const [finding] = check(answer, facts);
  if (finding?.verdict !== 'cannot verify' || !finding.witnesses) return finding ? [finding] : [];
  const findings = collect();
  findings.skip(name, 'the price feeds are read before it is paid');
  return [...findings.list];
}

/** Basis points of the input that are lost, rounded up; negative for a gain. */
export function lossBps({ input, output }: Valuation): bigint {
  if (input <= 0n) return output < input ? 10_000n : 0n;
  const lost = (input - output) * 10_000n;
  return lost > 0n ? (lost + input - 1n) / input : lost / input;
}

/** Both values, and what is lost between them. */
export function inWords({ input, output, isUsd, source, ...rest }: Valuation): string {
  const sums = isUsd ? `${Usd.format(input)} in, ${Usd.format(output)} out: ` : '';
  const lost = lossBps({ input, output, isUsd, source, ...rest });
  return `${sums}${bpsText(lost < 0n ? -lost : lost)} ${lost < 0n ? 'gained' : 'lost'}, by ${source}`;
}

function bpsText(bps: bigint): string {
  return `${bps} bps`;
}

/** Whether the service itself states a loss beyond the limit. */
function statesLoss({ inputUsd, totalImpactUsd }: Answer, maxBps: number): boolean {
  return (
    inputUsd !== undefined && totalImpactUsd !== undefined && -totalImpactUsd * 10_000n > inputUsd * BigInt(maxBps)
  );
}

/** The limit of the user's own that settles what is paid for what; undefined if there is none. */
export function ownLimit(
  answer: Answer,
  tradeType: Facts['tradeType'],
  { minOut, maxIn }: Facts['caps'],
): string | undefined {
  if (tradeType === 'EXACT_INPUT') return minOut !== undefined && answer.minimum >= minOut ? '--min-out' : undefined;
  return maxIn !== undefined && answer.input <= maxIn ? '--max-in' : undefined;
}
