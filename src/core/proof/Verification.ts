/** Decides what ferry signs. A quote is proved check by check; only a quote that passes becomes `Verified`. */

import type { Address } from '../base/Address.js';
import * as Amount from '../base/Amount.js';
import { BaseError } from '../base/Errors.js';
import type { Hex } from '../base/Hex.js';
import * as Usd from '../base/Usd.js';
import * as Network from '../network/Network.js';
import type { Call, Chain, Circumstances } from '../ports/Ports.js';
import { collect, type Finding } from '../quote/Finding.js';
import * as Quote from '../quote/Quote.js';
import type * as TransferIntent from '../quote/TransferIntent.js';
import * as ShellCommand from '../text/ShellCommand.js';
import * as Expectation from './Expectation.js';
import * as GuaranteedLoss from './GuaranteedLoss.js';
import * as OrderTerms from './OrderTerms.js';
import * as ProofFacts from './ProofFacts.js';
import * as PriceCheck from './price/PriceCheck.js';
import * as Prices from './price/Prices.js';
import * as QuoteValue from './price/QuoteValue.js';
import * as StatedTopup from './price/StatedTopup.js';
import * as QuoteDetails from './QuoteDetails.js';
import * as QuoteSteps from './QuoteSteps.js';
import * as BalanceGuard from './router/BalanceGuard.js';
import * as Enforcers from './router/Enforcers.js';
import * as RouterCheck from './router/RouterCheck.js';
import * as SimulatedEffect from './SimulatedEffect.js';
import * as SingleWitness from './SingleWitness.js';
import * as Sponsorship from './Sponsorship.js';
import * as PermitNonce from './signature/PermitNonce.js';
import * as VenueStep from './VenueStep.js';

declare const brand: unique symbol;

/** A quote with all findings about it and the user's caps. Only `proofOf` creates one. */
export type Proof = {
  readonly [brand]: 'proof';
  readonly quote: Quote.Quote;
  readonly caps: TransferIntent.Caps;
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
  /** What rests on one witness, which the user must be told before anything is signed. */
  readonly single: Single;
  /** What is simulated again right before it leaves; undefined if the calls themselves prove it. */
  readonly watched: Watched | undefined;
};

/** What unknown calls must do, and what the chain itself holds them to. */
export type Watched = { purpose: SimulatedEffect.Purpose; guard: BalanceGuard.Guard | undefined };

/** Facts that rest on one witness: those that the user decides about, and those that only warn. */
export type Single = { asked: readonly Finding[]; warned: readonly Finding[] };

/** The same as they are written down. */
export function named({ asked, warned }: Single): { check: string; witness: string; found: string }[] {
  return [...asked, ...warned].map(({ check, found, witnesses = [] }) => ({
    check,
    witness: witnesses.join(', '),
    found,
  }));
}

/** The context of a proof. */
export type ProofContext = ProofFacts.Context & {
  /** The limits that the price is held to; if undefined, the price is not checked. */
  caps?: PriceCheck.Facts['caps'] | undefined;
};

/** The name of the finding about whose account a deposit to the venue is credited to. */
export const venueAccount = 'venue-account';

/** What the user accepts, and findings from outside the proof. */
export type Policy = SingleWitness.Setting & {
  /**
   * Findings from outside the proof: the simulated effect (`observe`), without which router calldata is unchecked, and
   * the digest of a saved quote.
   */
  shown: readonly Finding[];
  /** What the quote's unknown calls must do; undefined if it has none. */
  watched?: Watched | undefined;
  /** What the quote is worth by prices that are not the service's, if that is known. */
  valuation?: QuoteValue.Valuation | undefined;
};

/**
 * Runs all checks on an answer that need no node and returns the findings in display order.
 *
 * @param expected what the answer must do; a field that is left out is not checked
 */
export async function prove(
  answer: Quote.Answer,
  expected: Expectation.Expectation,
  surroundings: ProofContext,
): Promise<Finding[]> {
  const { network, caps } = surroundings;
  const findings = await bound(answer, expected, surroundings);
  if (!caps) return findings;
  const { tradeType } = expected;
  const prices: Prices.Prices = new Map();
  const valuation = QuoteValue.from(QuoteValue.sidesOf(answer, network), prices);
  return [
    ...findings,
    ...PriceCheck.offline(answer, { tradeType, caps, valuation }),
    ...GuaranteedLoss.judge(answer, { tradeType, caps, network, prices, isOffline: true }).findings,
  ];
}

/** What price feeds show of a quote. */
export type Appraisal = {
  findings: readonly Finding[];
  valuation: QuoteValue.Valuation | undefined;
  /** The most that is lost at any end, in basis points. */
  lossBps: bigint;
  /** What one unit of the origin chain's native asset costs, in millionths of a dollar; undefined if no feed shows it. */
  nativePrice: bigint | undefined;
};

/**
 * Reads the prices that show what a quote is worth, and checks it.
 *
 * @param facts what the price is held to, and the node of each chain; one that cannot be reached is no witness
 */
export async function appraise(
  answer: Quote.Answer,
  facts: Omit<PriceCheck.Facts, 'valuation'> & { network: Network.Network } & Omit<Prices.Ports, 'chains'>,
): Promise<Appraisal> {
  const { network, tradeType, caps, ...ports } = facts;
  const { currencyIn, currencyOut } = answer.response.details;
  const own = [currencyIn, currencyOut].map(({ currency }) => currency.chainId);
  const chains = [...network.chains].sort((a, b) => rank(a.id) - rank(b.id));
  const native = Network.chainById(network, currencyIn.currency.chainId)?.native.asset;
  const sides = QuoteValue.sidesOf(answer, network);
  const paid = caps.maxFeeUsd === undefined || 'why' in sides.input ? undefined : sides.input.asset;
  const others = [native, paid].filter((asset) => asset !== undefined);
  const wanted = [...GuaranteedLoss.needed(answer, network), ...others];
  const prices = await Prices.read(wanted, { ...ports, chains });
  const nativePrice =
    native === undefined ? undefined : Prices.perUnit(native === Network.dollar ? Prices.dollar : prices.get(native));
  const valuation = QuoteValue.from(sides, prices);
  const loss = GuaranteedLoss.judge(answer, { tradeType, caps, network, prices });
  return {
    findings: [...PriceCheck.check(answer, { tradeType, caps, valuation }), ...loss.findings],
    lossBps: loss.lossBps,
    valuation: 'why' in valuation ? undefined : valuation,
    nativePrice,
  };

  /** The transfer's own chains first. */
  function rank(id: number): number {
    const index = own.indexOf(id);
    return index === -1 ? own.length : index;
  }
}

/** The checks of what the quote binds: parties, order, steps. */
async function bound(
  answer: Quote.Answer,
  expected: Expectation.Expectation,
  context: ProofFacts.Context,
): Promise<Finding[]> {
  const facts = ProofFacts.from(answer, expected, context);
  const identified = OrderTerms.identify(facts);
  return [
    ...QuoteDetails.check(facts),
    ...QuoteDetails.appFees(answer, expected),
    ...Sponsorship.check(answer, expected),
    ...StatedTopup.check(answer, expected, context.network),
    ...(await OrderTerms.check(facts, identified)),
    ...QuoteSteps.check({ ...facts, orderId: identified?.ok ? identified.id : undefined }),
  ];
}

/** What a simulation shows. */
export type Observation = {
  findings: readonly Finding[];
  /** Units of gas that each transaction used, after refunds; undefined without a simulation. */
  gasUsed: readonly bigint[] | undefined;
};

/**
 * Simulates the quote's transactions on the origin chain and checks their effect. What the calls of a router are said to
 * do is checked again with what the node says of the contracts that enforce it.
 *
 * @param proved the findings without a node, which say whether the calls themselves show the effect
 * @throws chain.*
 */
export async function observe(
  answer: Quote.Answer,
  expected: Expectation.Expectation,
  network: Network.Network,
  node: Pick<Chain, 'simulate' | 'code' | 'read'>,
  proved: readonly Finding[],
): Promise<Observation> {
  const facts = ProofFacts.from(answer, expected, { network, baseUrl: undefined, nowMs: undefined });
  const transactions = Quote.transactions(answer);
  const purpose = purposeOf(facts);
  if (!purpose || transactions.length < answer.items.length) {
    const [routed, used] = await Promise.all([
      routedBy(facts, node),
      PermitNonce.observe(answer, facts.user as Address, node),
    ]);
    const findings = collect();
    findings.skip('effect', 'a payment by signature, or without an order, cannot be simulated');
    return { findings: [...routed, ...used, ...findings.list], gasUsed: undefined };
  }
  const [routed, seen] = await Promise.all([
    routedBy(facts, node),
    SimulatedEffect.observe(transactions, purpose, node),
  ]);
  const witness = unknownIn(merged(proved, routed)) ? 'the service' : 'the decoded calls';
  return {
    findings: [...routed, ...SimulatedEffect.check(purpose, seen, { witness })],
    gasUsed: seen?.calls.map(({ gasUsed }) => gasUsed),
  };
}

/** The findings about the router's calls, if swaps are among them whose contracts the node must know. */
async function routedBy(facts: ProofFacts.ProofFacts, node: Pick<Chain, 'code' | 'read'>): Promise<readonly Finding[]> {
  const swaps = Quote.transactions(facts.answer).flatMap(({ call }) =>
    call?.function === 'multicall' || call?.function === 'transferAndMulticall'
      ? RouterCheck.swapsIn(call, facts.origin?.contracts ?? {})
      : [],
  );
  if (swaps.length === 0) return [];
  const enforcers = await Enforcers.read(swaps, node);
  const found = QuoteSteps.check({ ...facts, orderId: undefined, enforcers });
  return found.filter(({ check }) => RouterCheck.isAboutSwaps(check));
}

/** Findings, of which later ones replace those about the same that were made with less knowledge. */
export function merged(before: readonly Finding[], after: readonly Finding[]): readonly Finding[] {
  const isReplaced = ({ check, subject, verdict }: Finding): boolean =>
    verdict !== 'mismatch' &&
    RouterCheck.isAboutSwaps(check) &&
    after.some((each) => each.subject === subject && RouterCheck.isAboutSwaps(each.check));
  return [...before.filter((finding) => !isReplaced(finding)), ...after];
}

/**
 * Simulates the quote's transactions as those that would be sent. Where unknown calls rest on a simulation alone, they
 * must do the same under the fees, in the block and with the nonce of the real transaction.
 *
 * @returns what differs from the purpose
 * @throws chain.*
 */
export async function rehearse(
  { purpose }: Watched,
  calls: readonly Call[],
  as: Circumstances,
  node: Pick<Chain, 'simulate'>,
): Promise<Finding[]> {
  const seen = await SimulatedEffect.observe(calls, purpose, node, as);
  const isPaying = calls.some(({ from }) => from.toLowerCase() === purpose.user.toLowerCase());
  const gas = isPaying ? as.gas.reduce((sum, limit) => sum + limit, 0n) * as.maxFeePerGas : 0n;
  return SimulatedEffect.check(purpose, seen, { gas }).filter(
    ({ verdict }) => verdict === 'mismatch' || verdict === 'cannot verify',
  );
}

/** Checks a quote against its intent. Runs all checks but that of the price (`appraise`), and refuses nothing yet. */
export async function proofOf(
  quote: Quote.Quote,
  caps: TransferIntent.Caps,
  surroundings: Omit<ProofContext, 'caps'> & { nowMs: number },
): Promise<Proof> {
  const expected = { ...Expectation.from(quote.intent), maxVenueFee: caps.maxVenueFee };
  const findings = await bound(quote, expected, surroundings);
  return { quote, caps, expected, findings, nowMs: surroundings.nowMs } as unknown as Proof;
}

/**
 * Applies the policy to a proof.
 *
 * @throws verify.mismatch · verify.unverified, each with all refused findings · verify.cap · verify.expired
 */
export function from(
  { quote, caps, findings: proved, nowMs }: Proof,
  { shown, valuation, watched, ...setting }: Policy,
): Verified {
  const decided = merged(proved, shown);
  const findings = [...decided, ...swapOf(decided, watched?.guard)];
  const single = assertAllowed(findings, setting, quote.intent);
  assertWithin(quote, caps, { nowMs, valuation });
  return { quote, findings, single, watched } as unknown as Verified;
}

/**
 * What the router's calls do with the money rests on a simulation alone if one of them is unknown: a contract can behave
 * otherwise when the transaction is mined. A guard in the batch is a second witness.
 *
 * @param findings those of the calldata and of the simulation
 */
export function swapOf(findings: readonly Finding[], guard?: BalanceGuard.Guard | undefined): readonly Finding[] {
  const unknown = unknownIn(findings);
  const isSimulated = findings.some(({ check, verdict }) => check === 'effect-success' && verdict === 'verified');
  if (!unknown || !isSimulated) return [];
  const own = collect();
  const expected = 'known calls, and a simulation';
  if (guard)
    own.say('swap', true, expected, `a batch that reverts below the minimum: ${unknown.found}`, [
      'a simulation',
      'the chain, by a balance check in the batch',
    ]);
  else own.cannot('swap', expected, `shown by simulation alone: ${unknown.found}`, 'a simulation');
  return own.list;
}

function unknownIn(findings: readonly Finding[]): Finding | undefined {
  return findings.find(({ check, verdict }) => check === RouterCheck.unknownCalls && verdict === 'not checked');
}

/** What unknown calls of a quote must do, and the guard if it is paid by a batch; undefined if all calls are known. */
export async function watch(
  { quote, expected, findings }: Proof,
  shown: readonly Finding[],
  network: Network.Network,
  node: Pick<Chain, 'code' | 'read'>,
): Promise<Watched | undefined> {
  const purpose = purposeOf(ProofFacts.from(quote, expected, { network, baseUrl: undefined, nowMs: undefined }));
  if (!purpose || !unknownIn(merged(findings, shown))) return undefined;
  const { chain } = quote.intent.origin;
  const { user, input, result } = purpose;
  const guard =
    quote.intent.gasless === 'batch' && result.kind === 'payment'
      ? BalanceGuard.of({ ...result, user, paid: input.token, owner: result.recipient }, chain.contracts)
      : undefined;
  return { purpose, guard: guard && (await BalanceGuard.isWorking(guard, node)) ? guard : undefined };
}

/** The purpose of the transactions; undefined if one chain alone cannot show it. */
function purposeOf(facts: ProofFacts.ProofFacts): SimulatedEffect.Purpose | undefined {
  const { answer, expected, origin, inputCurrency, outputCurrency } = facts;
  if (origin?.vm !== 'evm') return undefined;
  const { depository, router, approvalProxy } = origin.contracts;
  const deposit = depositOf(facts, depository);
  if (inputCurrency.chainId !== outputCurrency.chainId && !deposit) return undefined;
  return {
    user: facts.user as Address,
    input: { token: inputCurrency.address as Address, amount: answer.input },
    // The lenient default: with an exact output, some of the input may be left over.
    tradeType: expected.tradeType ?? 'EXACT_OUTPUT',
    result: deposit ?? {
      kind: 'payment',
      recipient: facts.recipient as Address,
      token: outputCurrency.address as Address,
      minimum: answer.minimum,
    },
    spenders: [depository, router, approvalProxy].filter((each) => each !== undefined),
    currencies: facts.currencies,
  };
}

/** The deposit for the quote's order: of the input as it is, or of what the router makes of it. */
function depositOf(
  { answer, order, paid, swap }: ProofFacts.ProofFacts,
  known: Address | undefined,
): SimulatedEffect.Deposit | undefined {
  const payment = Quote.transactions(answer).find(({ call }) => call !== undefined && call.function !== 'approve');
  if (!order || !payment?.call) return undefined;
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

/**
 * Tightens the caps to an accepted quote, so that a new quote is no worse: its input, minimum and fees.
 *
 * @param lossBps what is lost at the worst of its ends, which was accepted with it
 */
export function capsOf(accepted: Quote.Quote, caps: TransferIntent.Caps, lossBps = 0n): TransferIntent.Caps {
  const fees = Quote.costs(accepted);
  const { maxFeeUsd, minOut, maxIn, maxVenueFee } = caps;
  const venueFee = Quote.venueFee(accepted);
  return {
    ...caps,
    maxImpactBps: lossBps > GuaranteedLoss.boundOf(caps) ? Number(lossBps) : caps.maxImpactBps,
    maxIn: maxIn === undefined || maxIn > accepted.input ? accepted.input : maxIn,
    minOut: minOut === undefined || minOut < accepted.minimum ? accepted.minimum : minOut,
    maxFeeUsd: fees !== undefined && (maxFeeUsd === undefined || maxFeeUsd > fees) ? fees : maxFeeUsd,
    maxVenueFee:
      venueFee !== undefined && (maxVenueFee === undefined || maxVenueFee > venueFee) ? venueFee : maxVenueFee,
  };
}

/**
 * Refuses mismatches, and unverified checks that the setting does not accept.
 *
 * @returns what rests on one witness and is not refused
 * @throws verify.mismatch · verify.unverified · verify.cap · submit.simulation
 */
export function assertAllowed(
  findings: readonly Finding[],
  setting: SingleWitness.Setting,
  intent: TransferIntent.Intent,
): Single {
  const chain = intent.origin.chain.name;
  const ruled = (ruling: SingleWitness.Ruling): readonly Finding[] =>
    findings.filter((finding) => SingleWitness.rule(finding, setting) === ruling);
  const refused = ruled('refuse');
  const wrong = refused.filter(({ verdict }) => verdict === 'mismatch');
  // What a router swaps fails by the service's terms: without one, the token itself refuses.
  const isRouted = findings.some(({ check }) => check.startsWith('router-'));
  if (wrong.length > 0 && !isRouted && wrong.every(({ check }) => check === 'effect-success'))
    throw new BaseError('submit.simulation', 'A transaction of the quote would fail, so nothing was signed.', {
      facts: wrong.map(fact),
      hint: 'The terms are as you asked. The token may be paused, or refuse this account or its payee: its own words are above.',
    });
  // The venue’s fee is not asked for in the request, so a high one is no lie of the service.
  if (wrong.length > 0 && wrong.every(({ check }) => check === VenueStep.feeCheck))
    throw aboveCap('The venue’s fee is higher than --max-venue-fee or the accepted quote allows.', wrong.map(fact));
  if (wrong.length > 0) throw new MismatchError(wrong, chain);
  if (refused.length > 0) throw new UnverifiedError(refused, intent, setting);
  return { asked: ruled('ask'), warned: ruled('warn') };
}

/** @throws verify.cap · verify.expired */
function assertWithin(
  quote: Quote.Quote,
  caps: TransferIntent.Caps,
  { nowMs, valuation }: { nowMs: number; valuation: QuoteValue.Valuation | undefined },
): void {
  const { origin, destination } = quote.intent;
  if (Quote.isExpired(quote, nowMs, caps.maxAgeMs)) throw expiredQuote(nowMs - quote.quotedAt, caps.maxAgeMs);
  assertLoss(quote, caps, valuation);
  if (caps.maxIn !== undefined && quote.input > caps.maxIn)
    throw aboveCap('The transfer would pay more than --max-in or the accepted quote allows.', [
      ['input', Amount.format(quote.input, origin.token.decimals)],
      ['allowed', Amount.format(caps.maxIn, origin.token.decimals)],
    ]);
  if (caps.minOut !== undefined && quote.minimum < caps.minOut)
    throw aboveCap('The minimum received is lower than --min-out requires.', [
      ['minimum received', Amount.format(quote.minimum, destination.token.decimals)],
      ['required', Amount.format(caps.minOut, destination.token.decimals)],
    ]);
}

/**
 * Holds the loss and the fees to the caps: by prices that are not the service's where there are any. A quote without any
 * price is refused before, unless the user accepts that.
 *
 * @throws verify.cap
 */
function assertLoss(quote: Quote.Quote, caps: TransferIntent.Caps, valuation: QuoteValue.Valuation | undefined): void {
  const stated =
    quote.inputUsd === undefined || quote.totalImpactUsd === undefined
      ? undefined
      : { input: quote.inputUsd, lost: -quote.totalImpactUsd };
  const shown = valuation ? { input: valuation.input, lost: valuation.input - valuation.output } : stated;
  const sum = (amount: bigint): string => (valuation?.isUsd === false ? String(amount) : Usd.format(amount));
  if (shown && shown.lost * 10_000n > shown.input * BigInt(caps.maxImpactBps))
    throw aboveCap('The transfer would lose more than --max-impact allows.', [
      ['loss', `${sum(shown.lost)} of ${sum(shown.input)}`],
      ['by', valuation?.source ?? 'the service'],
      ['in basis points', Usd.formatBps(shown.lost, shown.input) ?? 'all of it'],
      ['allowed', String(caps.maxImpactBps)],
    ]);
  if (caps.maxFeeUsd === undefined) return;
  const fees = Quote.costs(quote);
  const allowed = ['allowed', Usd.format(caps.maxFeeUsd)] as const;
  const venueFee = Quote.venueFee(quote) ?? 0n;
  const ofVenue = venueFee > 0n ? ([['of which the venue charges', Usd.format(venueFee)]] as const) : [];
  if (fees === undefined || fees > caps.maxFeeUsd)
    throw aboveCap('The fees are higher than --max-fee-usd allows.', [
      ['fees', fees === undefined ? 'not stated' : Usd.format(fees)],
      ...ofVenue,
      allowed,
    ]);
  // Of one asset that is no dollar, the amounts show the part that is lost: without a feed the service says of how much.
  const worth = valuation && (valuation.inputUsd ?? quote.inputUsd);
  if (!valuation || worth === undefined || valuation.input <= 0n) return;
  const lost = ((valuation.input - valuation.output) * worth) / valuation.input;
  // Prices of different witnesses differ a little, which is no fee.
  if (lost + venueFee > caps.maxFeeUsd + (worth * priceToleranceBps) / 10_000n)
    throw aboveCap('The transfer would lose more than --max-fee-usd allows, whatever the service states.', [
      ['loss', `${Usd.format(lost)} of ${Usd.format(worth)}`],
      ['by', valuation.source],
      ['fees by the service', Usd.format(fees)],
      ...ofVenue,
      allowed,
    ]);
}

/** How far two honest prices of the same asset may differ: a feed publishes at a change of up to half a percent. */
const priceToleranceBps = 100n;

function fact({ check, subject, expected, found }: Finding): readonly [string, string] {
  return [subject === undefined ? check : `${check} of ${subject}`, `expected ${expected}, found ${found}`];
}

function nextOf(wrong: readonly string[], chain: string): string | undefined {
  if (wrong.includes(venueAccount)) return 'ferry venue account --accept';
  return wrong.includes('contract') ? ShellCommand.line`ferry contracts list ${chain} --live` : undefined;
}

function hintOf(wrong: readonly string[]): string {
  if (wrong.every((check) => check === venueAccount))
    return 'The venue now names another account as the wallet’s than the one that you have accepted. Accept it only if the venue’s own application shows it too.';
  // The order has the calls that were given, or that would be wrong too.
  if (wrong.every((check) => check === 'arrival-calls'))
    return 'These are the calls that you gave: they must succeed, and spend all that arrives in the router.';
  return 'The service, or someone between you and the service, returned terms that differ from your request.';
}

/** The quote differs from the request. No policy allows this. */
export class MismatchError extends BaseError {
  override name = 'MismatchError';
  readonly findings: readonly Finding[];
  constructor(wrong: readonly Finding[], chain: string) {
    const checks = wrong.map(({ check }) => check);
    super('verify.mismatch', 'The quote does not do what was requested. ferry refuses to sign it.', {
      facts: wrong.map(fact),
      hint: hintOf(checks),
      next: nextOf(checks, chain),
    });
    this.findings = wrong;
  }
}

/** A required check cannot be verified, and the policy does not allow that. */
export class UnverifiedError extends BaseError {
  override name = 'UnverifiedError';
  readonly findings: readonly Finding[];
  /** The option that shows the price, to be added to the command; undefined if that is not all that is missing. */
  readonly limit: string | undefined;
  constructor(
    open: readonly Finding[],
    intent: TransferIntent.Intent,
    { network }: Pick<SingleWitness.Setting, 'network'>,
  ) {
    const names = [...new Set(open.map(({ check }) => check))];
    const contracts = names.includes('contract');
    const { origin, destination } = intent;
    // The contracts of the origin are accepted where only those of the destination are missing.
    const isUnknownThere = names.includes('order-extra-data') && destination.chain.vm === 'evm';
    const chain = contracts ? origin.chain : isUnknownThere ? destination.chain : undefined;
    const payment = SingleWitness.paymentOf(intent);
    const { flag, value } = SingleWitness.limitOf(payment);
    super('verify.unverified', 'The quote cannot be proved to do what was requested. ferry refuses to sign it.', {
      facts: open.map(fact),
      hint: contracts
        ? 'Accept the contracts once you have confirmed that they belong to the service.'
        : SingleWitness.hint(names, payment, network),
      next: chain ? ShellCommand.line`ferry contracts accept ${chain.name}` : undefined,
    });
    this.findings = open;
    this.limit = names.every((name) => name === PriceCheck.name) ? `${flag} '${value}'` : undefined;
  }
}

/** The quote does what was requested, but exceeds a limit of the user. */
function aboveCap(message: string, facts: readonly (readonly [string, string])[]): BaseError {
  return new BaseError('verify.cap', message, { facts, hint: 'Relax the limit if you accept this.' });
}

/** The quote is older than `maxAgeMs`. */
export function expiredQuote(ageMs: number, maxAgeMs: number): BaseError {
  return new BaseError('verify.expired', 'The quote is too old to execute.', {
    facts: [
      ['age', `${Math.round(ageMs / 1000)} s`],
      ['allowed', `${Math.round(maxAgeMs / 1000)} s`],
    ],
    hint: 'Request a new quote, or allow an older one with --max-age.',
  });
}
