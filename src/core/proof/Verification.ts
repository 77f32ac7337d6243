/** What ferry refuses to sign. A quote is proved check by check; only one that passes becomes `Verified`. */

import type { Address } from '../base/Address.js';
import * as Amount from '../base/Amount.js';
import { BaseError } from '../base/Errors.js';
import type { Hex } from '../base/Hex.js';
import * as Usd from '../base/Usd.js';
import * as Network from '../network/Network.js';
import type { Chain } from '../ports/Ports.js';
import { collect, type Finding } from '../quote/Finding.js';
import * as Quote from '../quote/Quote.js';
import type { Caps } from '../quote/TransferIntent.js';
import * as AppFees from './AppFees.js';
import * as Expectation from './Expectation.js';
import * as OrderTerms from './OrderTerms.js';
import * as QuoteDetails from './QuoteDetails.js';
import * as QuoteSteps from './QuoteSteps.js';
import * as SimulatedEffect from './SimulatedEffect.js';
import * as Sponsorship from './Sponsorship.js';

declare const brand: unique symbol;

/** A quote with every finding about it, under the caps of the user. Only `proofOf` makes one. */
export type Proof = {
  readonly [brand]: 'proof';
  readonly quote: Quote.Quote;
  readonly caps: Caps;
  /** What the quote was held to. */
  readonly expected: Expectation.Expectation;
  readonly findings: readonly Finding[];
  /** Unix time in milliseconds. */
  readonly nowMs: number;
};

/** A quote that passed. Only `from` makes one, and a plan takes nothing else. */
export type Verified = {
  readonly [brand]: 'verified';
  readonly quote: Quote.Quote;
  readonly findings: readonly Finding[];
};

/** Where and when a quote is judged. */
export type Surroundings = {
  network: Network.Network;
  /** Where the answer came from. */
  baseUrl: string | undefined;
  /** Unix time in milliseconds; undefined judges no deadline and no age. */
  nowMs: number | undefined;
};

/** What the user accepts, and what was found elsewhere. */
export type Policy = {
  /** Checks that may stay unverifiable. A mismatch is refused whatever stands here. */
  allow: readonly string[];
  /**
   * What was shown elsewhere: the effect by the chain (`observe`), without which nobody has looked at what a router does
   * with the money; the digest by the file.
   */
  shown: readonly Finding[];
};

/**
 * Every finding about an answer, in the order in which they are shown. All checks run.
 *
 * @param expected what it must do; what is left out is not checked
 */
export async function prove(
  answer: Quote.Answer,
  expected: Expectation.Expectation,
  { network, baseUrl, nowMs }: Surroundings,
): Promise<Finding[]> {
  const identified = OrderTerms.identify(answer, network);
  const orderId = identified?.ok ? identified.id : undefined;
  return [
    ...QuoteDetails.check(answer, expected, network),
    ...AppFees.check(answer, expected),
    ...Sponsorship.check(answer, expected),
    ...(await OrderTerms.check(answer, identified, expected, { network, nowMs })),
    ...QuoteSteps.check({ answer, expected, network, baseUrl, orderId, nowMs }),
  ];
}

/**
 * What the quote's transactions would do on its origin chain, simulated there. Router calldata that cannot be read is
 * judged by it.
 *
 * @throws chain.*
 */
export async function observe(
  answer: Quote.Answer,
  expected: Expectation.Expectation,
  network: Network.Network,
  node: Pick<Chain, 'simulate'>,
): Promise<Finding[]> {
  const transactions = Quote.transactions(answer);
  const purpose = purposeOf(answer, expected, network);
  if (!purpose || transactions.length < answer.items.length) return unobserved();
  return SimulatedEffect.check(purpose, await SimulatedEffect.observe(transactions, purpose, node));
}

/** Holds a quote to everything that its intent and the caps say. All checks run, and nothing is refused yet. */
export async function proofOf(
  quote: Quote.Quote,
  caps: Caps,
  surroundings: Surroundings & { nowMs: number },
): Promise<Proof> {
  const expected = { ...Expectation.from(quote.intent), maxVenueFee: caps.maxVenueFee };
  const findings = await prove(quote, expected, surroundings);
  return { quote, caps, expected, findings, nowMs: surroundings.nowMs } as unknown as Proof;
}

/**
 * Applies the policy to a proof.
 *
 * @throws verify.mismatch with every finding that is refused · verify.unverified · verify.cap · verify.expired
 */
export function from({ quote, caps, findings: proved, nowMs }: Proof, { allow, shown }: Policy): Verified {
  const findings = [...proved, ...shown];
  assertAllowed(findings, allow, quote.intent.origin.chain.name);
  assertWithin(quote, caps, nowMs);
  return { quote, findings } as unknown as Verified;
}

function unobserved(): Finding[] {
  const findings = collect();
  findings.skip('effect', 'what is paid by signature or by no order cannot be simulated');
  return [...findings.list];
}

/** What the transactions are for; undefined where that cannot be told from one chain. */
function purposeOf(
  answer: Quote.Answer,
  expected: Expectation.Expectation,
  network: Network.Network,
): SimulatedEffect.Purpose | undefined {
  const { currencyIn, currencyOut, sender, recipient } = answer.response.details;
  const origin = Network.chainById(network, currencyIn.currency.chainId);
  if (origin?.vm !== 'evm') return undefined;
  const { depository, router, approvalProxy } = origin.contracts;
  const deposit = Quote.transactions(answer).find(({ call }) => call?.function.startsWith('deposit'));
  const orderId = answer.response.protocol?.v2?.orderId as Hex | undefined;
  const isSameChain = currencyIn.currency.chainId === currencyOut.currency.chainId;
  if (!isSameChain && !(deposit && orderId)) return undefined;
  return {
    user: (expected.user ?? sender) as Address,
    input: { token: currencyIn.currency.address as Address, amount: answer.input },
    // An exact output may leave some of the input over, so it is what is assumed where nobody said.
    tradeType: expected.tradeType ?? 'EXACT_OUTPUT',
    result:
      deposit && orderId
        ? { kind: 'deposit', depository: deposit.to, orderId }
        : {
            kind: 'payment',
            recipient: (expected.recipient ?? recipient) as Address,
            token: currencyOut.currency.address as Address,
            minimum: answer.minimum,
          },
    spenders: [depository, router, approvalProxy].filter((each) => each !== undefined),
  };
}

/** Caps that hold a new quote to what an old one said: its input, its minimum and its fees, where they are the tighter. */
export function capsOf(accepted: Quote.Quote, caps: Caps): Caps {
  const fees = -Quote.feesTotal(accepted);
  const { maxFeeUsd, minOut, maxIn, maxVenueFee } = caps;
  const venueFee = Quote.venueFee(accepted);
  return {
    ...caps,
    maxIn: maxIn === undefined || maxIn > accepted.input ? accepted.input : maxIn,
    minOut: minOut === undefined || minOut < accepted.minimum ? accepted.minimum : minOut,
    maxFeeUsd: maxFeeUsd === undefined || maxFeeUsd > fees ? fees : maxFeeUsd,
    maxVenueFee:
      venueFee !== undefined && (maxVenueFee === undefined || maxVenueFee > venueFee) ? venueFee : maxVenueFee,
  };
}

/** Refuses what no policy lets pass, and what this one does not. @throws verify.mismatch · verify.unverified */
export function assertAllowed(findings: readonly Finding[], allow: readonly string[], chain: string): void {
  const wrong = findings.filter(({ verdict }) => verdict === 'mismatch');
  if (wrong.length > 0) throw new MismatchError(wrong, chain);
  const open = findings.filter(({ verdict, check }) => verdict === 'cannot verify' && !allow.includes(check));
  if (open.length > 0) throw new UnverifiedError(open, chain);
}

/** @throws verify.cap · verify.expired */
function assertWithin(quote: Quote.Quote, caps: Caps, nowMs: number): void {
  const { origin, destination } = quote.intent;
  if (Quote.isExpired(quote, nowMs, caps.maxAgeMs)) throw new ExpiredError(nowMs - quote.quotedAt, caps.maxAgeMs);
  const lost = -quote.totalImpactUsd;
  if (lost * 10_000n > quote.inputUsd * BigInt(caps.maxImpactBps))
    throw new CapError('The transfer would lose more than --max-impact allows.', [
      ['loss', `${Usd.format(lost)} of ${Usd.format(quote.inputUsd)}`],
      ['in basis points', Usd.formatBps(lost, quote.inputUsd) ?? 'all of it'],
      ['allowed', String(caps.maxImpactBps)],
    ]);
  const fees = -Quote.feesTotal(quote);
  if (caps.maxFeeUsd !== undefined && fees > caps.maxFeeUsd)
    throw new CapError('The fees are higher than --max-fee-usd allows.', [
      ['fees', Usd.format(fees)],
      ['allowed', Usd.format(caps.maxFeeUsd)],
    ]);
  if (caps.maxIn !== undefined && quote.input > caps.maxIn)
    throw new CapError('The transfer would pay more than --max-in, or the quote agreed to, allows.', [
      ['input', Amount.format(quote.input, origin.token.decimals)],
      ['allowed', Amount.format(caps.maxIn, origin.token.decimals)],
    ]);
  if (caps.minOut !== undefined && quote.minimum < caps.minOut)
    throw new CapError('The minimum received is lower than --min-out asks for.', [
      ['minimum received', Amount.format(quote.minimum, destination.token.decimals)],
      ['asked for', Amount.format(caps.minOut, destination.token.decimals)],
    ]);
}

function fact({ check, subject, expected, found }: Finding): readonly [string, string] {
  return [subject === undefined ? check : `${check} of ${subject}`, `expected ${expected}, found ${found}`];
}

/** Something in the quote is not what was asked for. No policy lets it pass. */
export class MismatchError extends BaseError {
  override name = 'MismatchError';
  readonly findings: readonly Finding[];
  constructor(wrong: readonly Finding[], chain: string) {
    super('verify.mismatch', 'The quote does not do what was asked. ferry does not sign it.', {
      facts: wrong.map(fact),
      hint: 'The service, or somebody between you and it, answered something else than what was asked.',
      next: wrong.some(({ check }) => check === 'contract') ? `ferry contracts list ${chain} --live` : undefined,
    });
    this.findings = wrong;
  }
}

/** Something that should hold cannot be shown, and the policy does not allow for that. */
export class UnverifiedError extends BaseError {
  override name = 'UnverifiedError';
  readonly findings: readonly Finding[];
  constructor(open: readonly Finding[], chain: string) {
    const names = [...new Set(open.map(({ check }) => check))];
    const contracts = names.includes('contract');
    super('verify.unverified', 'The quote cannot be proved to do what was asked. ferry does not sign it.', {
      facts: open.map(fact),
      hint: contracts
        ? 'Accept the contracts once you know that they are the service’s own.'
        : `If you accept that, say ${names.map((name) => `--allow ${name}`).join(' ')}.`,
      next: contracts ? `ferry contracts accept ${chain}` : undefined,
    });
    this.findings = open;
  }
}

/** The quote does what was asked, and costs more than the user accepts. */
export class CapError extends BaseError {
  override name = 'CapError';
  constructor(message: string, facts: readonly (readonly [string, string])[]) {
    super('verify.cap', message, { facts, hint: 'Raise the cap if you accept this.' });
  }
}

/** The quote is older than it may be. */
export class ExpiredError extends BaseError {
  override name = 'ExpiredError';
  constructor(ageMs: number, maxAgeMs: number) {
    super('verify.expired', 'The quote is too old to be executed.', {
      facts: [
        ['age', `${Math.round(ageMs / 1000)} s`],
        ['allowed', `${Math.round(maxAgeMs / 1000)} s`],
      ],
      hint: 'Ask for a new one, or allow more with --max-age.',
    });
  }
}
