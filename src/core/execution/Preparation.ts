/**
 * Turns a quote into a plan that can be signed: proves the quote, checks that the payer can pay, simulates the effect,
 * applies the policy and journals each step. Commands and programs have no other way to get such a plan.
 */
import type { VenueAccount } from '../accounts/VenueAccount.js';
import * as Amount from '../base/Amount.js';
import type { Event, Of } from '../event/Event.js';
import type * as Network from '../network/Network.js';
import type { Chain, Clock, Service } from '../ports/Ports.js';
import * as StrictAddress from '../proof/address/StrictAddress.js';
import * as UsableParty from '../proof/address/UsableParty.js';
import * as OrderTerms from '../proof/OrderTerms.js';
import * as ArrivalCalls from '../proof/router/ArrivalCalls.js';
import * as Verification from '../proof/Verification.js';
import type { Finding } from '../quote/Finding.js';
import * as PriceOnly from '../quote/PriceOnly.js';
import * as Quote from '../quote/Quote.js';
import * as QuoteDocument from '../quote/QuoteDocument.js';
import type { Caps } from '../quote/TransferIntent.js';
import * as Journal from '../tracking/Journal.js';
import * as Facts from './Facts.js';
import * as GasBound from './GasBound.js';
import * as Plan from './Plan.js';

/** A quote, and the terms on which the user accepts it. */
export type Proposal = {
  quote: Quote.Quote;
  caps: Caps;
  /** Names of the checks that may stay unverified. */
  allow: readonly string[];
  /** The base URL that returned the quote; undefined if it is not known. */
  baseUrl: string | undefined;
  /** Other findings, such as the digest check of the file that the quote came from. */
  findings: readonly Finding[];
};

/** The ports needed to prepare a quote. */
export type Ports = {
  network: Network.Network;
  /** The node of a chain. Called only once the quote has passed every offline check. @throws chain.* */
  chain(chain: Network.Chain): Promise<Chain> | Chain;
  /** The venue account that pays, if the venue is the origin. */
  venueAccount?: VenueAccount | undefined;
  /** Asked for the price of the native token, if the quote implies none. */
  service?: Pick<Service, 'tokenPrice'> | undefined;
  clock: Pick<Clock, 'now'>;
  /** Undefined for a dry run. */
  journal: Journal.JournalWriter | undefined;
  /** Whether a person is asked before anything is signed, and told what rests on one witness. */
  isAsked?: boolean | undefined;
  /** Whether whoever likes pays, at a deposit address: there is no payer yet, so no balance and no gas is looked at. */
  isPaidByOthers?: boolean | undefined;
  /** Whether the signature follows at once: what it depends on is asked for with the rest. */
  isGathering?: boolean | undefined;
};

/** A plan to sign, its quote as a document, and what the user must be told before anything is signed. */
export type Prepared = {
  plan: Plan.Plan;
  document: QuoteDocument.QuoteDocument;
  /** Most that the gas can cost; undefined if the account sends no transaction. */
  bill: GasBound.Bill | undefined;
  /** What rests on one witness. */
  single: Verification.Single;
  /** What is lost at the worst of its ends, in basis points. */
  lossBps: bigint;
  /** What the signature depends on; undefined if it was not asked for, or somebody did not answer. */
  facts: Facts.Facts | undefined;
};

/**
 * Prepares a quote for signing.
 *
 * @throws request.unsupported if the quote only tells a price
 * @throws verify.* · chain.* · submit.insufficient-balance · submit.insufficient-gas · submit.simulation ·
 * quote.unsupported-step · config.unwritable
 */
export async function* run(
  { quote, caps, allow, baseUrl, findings }: Proposal,
  ports: Ports,
): AsyncGenerator<Event, Prepared> {
  PriceOnly.assertPayable(quote.intent);
  const { network, clock, journal, isAsked = false, isPaidByOthers = false } = ports;
  const setting = { network, isAsked, allow };
  const proof = await Verification.proofOf(quote, caps, { network, baseUrl, nowMs: clock.now() });
  const offline = [...findings, ...proof.findings];
  const document = QuoteDocument.from(quote, offline);
  const note = async (): Promise<void> =>
    await journal?.append({ type: 'quote', requestId: quote.requestId, document });
  // An address stands in its quote, which is written down only once it is proved.
  if (!isPaidByOthers) await note();
  yield quoted(document, isPaidByOthers);
  // A finding with one witness is judged later, with the others: one of them may contradict it.
  const decided = offline.filter(
    ({ verdict, witnesses = [] }) => verdict !== 'cannot verify' || witnesses.length === 0,
  );
  Verification.assertAllowed(decided, setting, quote.intent);
  // The simulation does not depend on prices, so the nodes are asked for everything at once.
  const observing = observe(proof, ports);
  observing.catch(() => {});
  const arriving = arrival(quote, ports);
  arriving.catch(() => {});
  const using = UsableParty.observe(quote.intent, reachable(ports));
  using.catch(() => {});
  const {
    findings: price,
    valuation,
    lossBps,
    nativePrice,
  } = await Verification.appraise(quote, {
    tradeType: quote.intent.tradeType,
    caps,
    nowMs: proof.nowMs,
    network,
    node: ports.chain,
  });
  const gas = await gasTerms(quote, { caps, allow, nativePrice }, ports);
  const { bill, effect, gasUsed, watched, facts } = await simulateAffordable(proof, gas, await observing, ports);
  const costs = bill ? [GasBound.finding(bill, gas)] : [];
  const shown = [...findings, ...effect, ...(await arriving), ...(await using), ...price, ...costs];
  const verified = Verification.from(proof, { ...setting, shown, valuation, watched });
  const single = Verification.named(verified.single);
  const maxGas = bill ? GasBound.toDocument(bill, gas) : null;
  yield { type: 'verified', checks: verified.findings.length, single, maxGas };
  const plan = Plan.from(verified, gas, gasUsed);
  if (isPaidByOthers) await note();
  const checks = verified.findings.length;
  await journal?.append({ type: 'proof', checks, allow: [...allow], caps: Journal.fromCaps(caps) });
  await journal?.append({ type: 'plan', steps: isPaidByOthers ? ['address'] : Plan.steps(plan) });
  return { plan, document, bill, single: verified.single, lossBps, facts };
}

/** What the calls on arrival do, where a node of the destination can be asked. Nothing is asked for a quote without calls. */
export async function arrival(
  quote: Quote.Quote,
  ports: Pick<Ports, 'chain' | 'network'>,
): Promise<readonly Finding[]> {
  const { calls, destination } = quote.intent;
  if (calls.length === 0) return [];
  const node = await reachable(ports)(destination.chain);
  return ArrivalCalls.observe({ intent: quote.intent, quote }, node, ports.network.solver?.addresses[0]);
}

/** The node of a chain; undefined where none can be reached. */
function reachable({ chain }: Pick<Ports, 'chain'>): (on: Network.Chain) => Promise<Chain | undefined> {
  return async (on) => await Promise.resolve(chain(on)).catch(() => undefined);
}

/** The quote as an event: the facts that a person decides by. */
function quoted({ intent, ...quote }: QuoteDocument.QuoteDocument, byAddress: boolean): Of<'quoted'> {
  const { requestId, send, receive, minimum, fees, originGas, impact, timeEstimateSeconds } = quote;
  const prices = { send, receive, minimum, fees, originGas, impact };
  const parties = { requestId, user: intent.user, recipient: intent.recipient };
  return { type: 'quoted', ...(byAddress && { byAddress }), ...parties, ...prices, timeEstimateSeconds };
}

/**
 * The bounds on the quote's gas, at the highest of the prices that the service and a feed state. The service is asked
 * for a price only if the quote implies none.
 */
async function gasTerms(
  quote: Quote.Quote,
  { caps, allow, nativePrice }: Pick<Proposal, 'caps' | 'allow'> & Pick<Verification.Appraisal, 'nativePrice'>,
  { network: { realMoney, allow: accepted = [] }, service }: Ports,
): Promise<GasBound.Bounds> {
  const { chain } = quote.intent.origin;
  const isKnown = chain.vm !== 'evm' || quote.intent.gasless || GasBound.pricesOf(quote).length > 0;
  const found = isKnown || !service ? undefined : await GasBound.servicePrice(chain, service);
  const prices = [found, nativePrice].filter((price) => price !== undefined);
  return GasBound.from(quote, caps, { realMoney, allow: [...allow, ...accepted], prices });
}

/** What the origin's node is asked about a quote. The answers are awaited where they are judged. */
type Observed = {
  node: Chain;
  effect: Promise<Verification.Observation>;
  means: Promise<Facts.Means | undefined>;
  facts: Promise<Facts.Facts | undefined>;
};

/**
 * Asks the origin's node for the quote's effect, and for what the account has; of a deposit address, for its factory. A
 * venue cannot be simulated.
 */
async function observe({ quote, expected, findings }: Verification.Proof, ports: Ports): Promise<Observed | undefined> {
  const { origin, gasless } = quote.intent;
  if (origin.chain.vm !== 'evm') return undefined;
  const node = await ports.chain(origin.chain);
  if (ports.isPaidByOthers) {
    const effect = StrictAddress.observe(quote, node).then((shown) => ({ findings: shown, gasUsed: undefined }));
    effect.catch(() => {});
    return { node, effect, means: Promise.resolve(undefined), facts: Promise.resolve(undefined) };
  }
  const effect = Verification.observe(quote, expected, ports.network, node, findings);
  const means = gasless ? Facts.assertInput(quote, node).then(() => undefined) : Facts.meansOf(quote, node);
  effect.catch(() => {});
  means.catch(() => {});
  const facts = gather(quote, node, means, ports).catch(() => undefined);
  return { node, effect, means, facts };
}

/** Asks for what the signature depends on. A failure shows where it is needed, and asked for again. */
async function gather(
  quote: Quote.Quote,
  origin: Chain,
  means: Observed['means'],
  { isGathering, clock, ...ports }: Ports,
): Promise<Facts.Facts | undefined> {
  if (!isGathering) return undefined;
  const { intent } = quote;
  const { chain } = intent.destination;
  const nodes = { origin, clock, tip: Facts.tipOf(chain.vm === 'evm' ? reachable(ports)(chain) : undefined) };
  const { batchExecutor } = intent.origin.chain.contracts;
  switch (intent.gasless) {
    case 'permit':
      return Facts.ofPermit(nodes);
    case 'batch':
      return batchExecutor && Facts.ofBatch({ quote }, batchExecutor, nodes, means);
    case undefined:
      return Facts.ofTransactions(Plan.restored(quote), nodes, means);
  }
}

/** Checks that the account can pay, and that the effect is what was asked for. */
async function simulateAffordable(
  proof: Verification.Proof,
  gas: GasBound.Bounds,
  observed: Observed | undefined,
  { network, venueAccount }: Ports,
): Promise<{
  effect: readonly Finding[];
  gasUsed: readonly bigint[] | undefined;
  bill: GasBound.Bill | undefined;
  watched: Verification.Watched | undefined;
  facts: Facts.Facts | undefined;
}> {
  const { quote } = proof;
  if (!observed) {
    if (venueAccount) Facts.assertVenueBalance(quote, venueAccount);
    return { effect: [], gasUsed: undefined, bill: undefined, watched: undefined, facts: undefined };
  }
  const { node } = observed;
  // A balance that is too low is not the quote's fault, so it is reported first.
  const means = await observed.means;
  const solvent = means && Facts.solvent(quote, means, gas);
  const outdated = means ? OrderTerms.outdated(proof, means.offer) : [];
  const { findings: effect, gasUsed } = await observed.effect;
  const watched = await Verification.watch(proof, effect, network, node);
  const rehearsed = watched && solvent ? await rehearse(quote, watched, solvent, node) : [];
  const facts = await observed.facts;
  return { effect: [...outdated, ...effect, ...rehearsed], gasUsed, bill: solvent?.bill, watched, facts };
}

/** What unknown calls do under the fees that will be signed for. Approvals are not made yet, so no gas is estimated. */
function rehearse(
  quote: Quote.Quote,
  watched: Verification.Watched,
  { gasPrice }: Facts.Solvent,
  node: Pick<Chain, 'simulate'>,
): Promise<Finding[]> {
  const transactions = Quote.transactions(quote);
  const gas = Amount.greatest(transactions.map(GasBound.mostEstimated));
  const credit = gas * BigInt(transactions.length) * gasPrice.maxFeePerGas;
  const limits = transactions.map(() => gas);
  return Verification.rehearse(watched, transactions, { ...gasPrice, gas: limits, credit }, node);
}
