/** Decides what ferry signs. A quote is proved check by check; only a quote that passes becomes `Verified`. */

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
import * as OrderLegs from './OrderLegs.js';
import * as OrderTerms from './OrderTerms.js';
import * as QuoteDetails from './QuoteDetails.js';
import * as QuoteSteps from './QuoteSteps.js';
import * as SimulatedEffect from './SimulatedEffect.js';
import * as Sponsorship from './Sponsorship.js';

declare const brand: unique symbol;

/** A quote with all findings about it and the user's caps. Only `proofOf` creates one. */
export type Proof = {
  readonly [brand]: 'proof';
  readonly quote: Quote.Quote;
  readonly caps: Caps;
  /** The requirements that the quote was checked against. */
  readonly expected: Expectation.Expectation;
  readonly findings: readonly Finding[];
  /** Unix time in milliseconds. */
  readonly nowMs: number;
};

/** A quote that passed. Only `from` creates one, and a plan takes nothing else. */
export type Verified = {
  readonly [brand]: 'verified';
  readonly quote: Quote.Quote;
  readonly findings: readonly Finding[];
};

/** The context of a proof. */
export type Surroundings = {
  network: Network.Network;
  /** The base URL that the answer came from; undefined if unknown. */
  baseUrl: string | undefined;
  /** Unix time in milliseconds; if undefined, deadlines and age are not checked. */
  nowMs: number | undefined;
  /** Whether the quote is looked at, not paid: then one that has expired cannot be verified, but is no lie. */
  isReview?: boolean | undefined;
};

/** What the user accepts, and findings from outside the proof. */
export type Policy = {
  /** Names of checks that may remain unverified. A mismatch is always refused. */
  allow: readonly string[];
  /**
   * Findings from outside the proof: the simulated effect (`observe`), without which router calldata is unchecked, and
   * the digest of a saved quote.
   */
  shown: readonly Finding[];
};

/**
 * Runs all checks on an answer and returns the findings in display order.
 *
 * @param expected what the answer must do; a field that is left out is not checked
 */
export async function prove(
  answer: Quote.Answer,
  expected: Expectation.Expectation,
  { network, baseUrl, nowMs, isReview }: Surroundings,
): Promise<Finding[]> {
  const identified = OrderTerms.identify(answer, network);
  const orderId = identified?.ok ? identified.id : undefined;
  return [
    ...QuoteDetails.check(answer, expected, network),
    ...AppFees.check(answer, expected),
    ...Sponsorship.check(answer, expected),
    ...(await OrderTerms.check(answer, identified, expected, { network, nowMs, isReview })),
    ...QuoteSteps.check({ answer, expected, network, baseUrl, orderId, nowMs, isReview }),
  ];
}

/**
 * Simulates the quote's transactions on the origin chain and checks their effect. This is the only check of what router
 * calldata does with the money.
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

/** Checks a quote against its intent and the caps. Runs all checks and refuses nothing yet. */
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
 * @throws verify.mismatch · verify.unverified, each with all refused findings · verify.cap · verify.expired
 */
export function from({ quote, caps, findings: proved, nowMs }: Proof, { allow, shown }: Policy): Verified {
  const findings = [...proved, ...shown];
  assertAllowed(findings, allow, quote.intent.origin.chain.name);
  assertWithin(quote, caps, nowMs);
  return { quote, findings } as unknown as Verified;
}

function unobserved(): Finding[] {
  const findings = collect();
  findings.skip('effect', 'a payment by signature, or without an order, cannot be simulated');
  return [...findings.list];
}

/** The purpose of the transactions; undefined if one chain alone cannot show it. */
function purposeOf(
  answer: Quote.Answer,
  expected: Expectation.Expectation,
  network: Network.Network,
): SimulatedEffect.Purpose | undefined {
  const { currencyIn, currencyOut, sender, recipient } = answer.response.details;
  const origin = Network.chainById(network, currencyIn.currency.chainId);
  if (origin?.vm !== 'evm') return undefined;
  const { depository, router, approvalProxy } = origin.contracts;
  const isSameChain = currencyIn.currency.chainId === currencyOut.currency.chainId;
  const deposit = depositOf(answer, depository);
  if (!isSameChain && !deposit) return undefined;
  return {
    user: (expected.user ?? sender) as Address,
    input: { token: currencyIn.currency.address as Address, amount: answer.input },
    // The lenient default: with an exact output, some of the input may be left over.
    tradeType: expected.tradeType ?? 'EXACT_OUTPUT',
    result: deposit ?? {
      kind: 'payment',
      recipient: (expected.recipient ?? recipient) as Address,
      token: currencyOut.currency.address as Address,
      minimum: answer.minimum,
    },
    spenders: [depository, router, approvalProxy].filter((each) => each !== undefined),
    currencies: OrderLegs.currenciesOn(answer, origin.id),
  };
}

/** The deposit for the quote's order: of the input as it is, or of what the router makes of it. */
function depositOf(answer: Quote.Answer, known: Address | undefined): SimulatedEffect.Deposit | undefined {
  const order = answer.response.protocol?.v2;
  const payment = Quote.transactions(answer).find(({ call }) => call !== undefined && call.function !== 'approve');
  if (!order || !payment?.call) return undefined;
  const { paid, swap } = OrderLegs.origin(answer);
  const isPlain = payment.call.function.startsWith('deposit');
  const depository = isPlain ? payment.to : known;
  if (!depository || (!isPlain && !swap)) return undefined;
  return {
    kind: 'deposit',
    depository,
    orderId: order.orderId as Hex,
    token: paid.currency.address as Address,
    ...(swap ? { minimum: BigInt(swap.minimumAmount ?? '1') } : { amount: answer.input }),
  };
}

/** Tightens the caps to an accepted quote, so that a new quote is no worse: its input, minimum and fees. */
export function capsOf(accepted: Quote.Quote, caps: Caps): Caps {
  const total = Quote.feesTotal(accepted);
  const fees = total === undefined ? undefined : -total;
  const { maxFeeUsd, minOut, maxIn, maxVenueFee } = caps;
  const venueFee = Quote.venueFee(accepted);
  return {
    ...caps,
    maxIn: maxIn === undefined || maxIn > accepted.input ? accepted.input : maxIn,
    minOut: minOut === undefined || minOut < accepted.minimum ? accepted.minimum : minOut,
    maxFeeUsd: fees !== undefined && (maxFeeUsd === undefined || maxFeeUsd > fees) ? fees : maxFeeUsd,
    maxVenueFee:
      venueFee !== undefined && (maxVenueFee === undefined || maxVenueFee > venueFee) ? venueFee : maxVenueFee,
  };
}

/** Refuses mismatches, and unverified checks that are not allowed. @throws verify.mismatch · verify.unverified */
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
  const { totalImpactUsd, inputUsd } = quote;
  // A quote without prices is refused before, unless the user accepts that.
  const lost = totalImpactUsd === undefined ? undefined : -totalImpactUsd;
  if (lost !== undefined && inputUsd !== undefined && lost * 10_000n > inputUsd * BigInt(caps.maxImpactBps))
    throw new CapError('The transfer would lose more than --max-impact allows.', [
      ['loss', `${Usd.format(lost)} of ${Usd.format(inputUsd)}`],
      ['in basis points', Usd.formatBps(lost, inputUsd) ?? 'all of it'],
      ['allowed', String(caps.maxImpactBps)],
    ]);
  const fees = Quote.feesTotal(quote);
  if (caps.maxFeeUsd !== undefined && (fees === undefined || -fees > caps.maxFeeUsd))
    throw new CapError('The fees are higher than --max-fee-usd allows.', [
      ['fees', fees === undefined ? 'not stated' : Usd.format(-fees)],
      ['allowed', Usd.format(caps.maxFeeUsd)],
    ]);
  if (caps.maxIn !== undefined && quote.input > caps.maxIn)
    throw new CapError('The transfer would pay more than --max-in or the accepted quote allows.', [
      ['input', Amount.format(quote.input, origin.token.decimals)],
      ['allowed', Amount.format(caps.maxIn, origin.token.decimals)],
    ]);
  if (caps.minOut !== undefined && quote.minimum < caps.minOut)
    throw new CapError('The minimum received is lower than --min-out requires.', [
      ['minimum received', Amount.format(quote.minimum, destination.token.decimals)],
      ['required', Amount.format(caps.minOut, destination.token.decimals)],
    ]);
}

function fact({ check, subject, expected, found }: Finding): readonly [string, string] {
  return [subject === undefined ? check : `${check} of ${subject}`, `expected ${expected}, found ${found}`];
}

/** The quote differs from the request. No policy allows this. */
export class MismatchError extends BaseError {
  override name = 'MismatchError';
  readonly findings: readonly Finding[];
  constructor(wrong: readonly Finding[], chain: string) {
    super('verify.mismatch', 'The quote does not do what was requested. ferry refuses to sign it.', {
      facts: wrong.map(fact),
      hint: 'The service, or someone between you and the service, returned terms that differ from your request.',
      next: wrong.some(({ check }) => check === 'contract') ? `ferry contracts list ${chain} --live` : undefined,
    });
    this.findings = wrong;
  }
}

/** A required check cannot be verified, and the policy does not allow that. */
export class UnverifiedError extends BaseError {
  override name = 'UnverifiedError';
  readonly findings: readonly Finding[];
  constructor(open: readonly Finding[], chain: string) {
    const names = [...new Set(open.map(({ check }) => check))];
    const contracts = names.includes('contract');
    super('verify.unverified', 'The quote cannot be proved to do what was requested. ferry refuses to sign it.', {
      facts: open.map(fact),
      hint: contracts
        ? 'Accept the contracts once you have confirmed that they belong to the service.'
        : `To accept this, add ${names.map((name) => `--allow ${name}`).join(' ')}.`,
      next: contracts ? `ferry contracts accept ${chain}` : undefined,
    });
    this.findings = open;
  }
}

/** The quote does what was requested, but exceeds a limit of the user. */
export class CapError extends BaseError {
  override name = 'CapError';
  constructor(message: string, facts: readonly (readonly [string, string])[]) {
    super('verify.cap', message, { facts, hint: 'Relax the limit if you accept this.' });
  }
}

/** The quote is older than `maxAgeMs`. */
export class ExpiredError extends BaseError {
  override name = 'ExpiredError';
  constructor(ageMs: number, maxAgeMs: number) {
    super('verify.expired', 'The quote is too old to execute.', {
      facts: [
        ['age', `${Math.round(ageMs / 1000)} s`],
        ['allowed', `${Math.round(maxAgeMs / 1000)} s`],
      ],
      hint: 'Request a new quote, or allow an older one with --max-age.',
    });
  }
}
