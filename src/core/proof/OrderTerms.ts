/**
 * Checks the order that a deposit pays for. The order id is a hash of all its terms and is part of the signed deposit.
 * So whatever is proved about the terms is proved about what is signed.
 *
 * The specification lets the solver's signature be absent. The live service signs the raw order id if
 * `includeProtocolData` is sent, so it is sent, and the signature demanded where the network names its solver. A
 * transfer on one chain has no order.
 */

import { encodeAbiParameters } from 'viem/utils';
import type * as QuoteV2 from '../api/QuoteV2.js';
import * as Address from '../base/Address.js';
import * as Amount from '../base/Amount.js';
import type { Hex } from '../base/Hex.js';
import * as ChainVm from '../network/ChainVm.js';
import type * as Network from '../network/Network.js';
import * as OrderId from '../order/OrderId.js';
import { type Allowable, collect, type Finding, type Findings } from '../quote/Finding.js';
import type { Answer } from '../quote/Quote.js';
import * as StatedAmount from '../quote/StatedAmount.js';
import type { Expectation } from './Expectation.js';
import * as OrderLegs from './OrderLegs.js';
import type { ProofFacts } from './ProofFacts.js';
import * as QuoteDetails from './QuoteDetails.js';
import * as ArrivalCalls from './router/ArrivalCalls.js';

type Protocol = QuoteV2.Protocol;

type Facts = ProofFacts & { order: Protocol };

const hour = 3600;
const day = 24 * hour;

/**
 * The least that an order must stay open, in seconds: after its deadlines nothing obliges anybody to fill or refund it, so
 * the deposit must be mined and the solver must have acted long before.
 */
const shortestOpen = hour;

/** The longest that an order may stay open, in days. */
const longestOpen = 30;

/** The same for an order that is paid at a deposit address, in days. */
const longestAtAddress = 181;

/** The least of an order whose address is about to be shown, in days: the service gives it 180. */
const shortestAtAddress = 179;

/** Recomputes the order id from the order's terms; undefined if the quote has no order. */
export function identify({ order, network }: ProofFacts): OrderId.Recomputed | undefined {
  return order && OrderId.id(order.orderData, ChainVm.of(network.chains));
}

/**
 * Checks every term of the order against the answer and the expectation.
 *
 * @param identified the recomputed order id
 */
export async function check(proved: ProofFacts, identified: OrderId.Recomputed | undefined): Promise<Finding[]> {
  const { order, network } = proved;
  const findings = collect();
  if (!order || !identified) {
    if (proved.inputCurrency.chainId === proved.outputCurrency.chainId)
      findings.skip('order-id', 'the quote has no order: its transactions make the whole transfer');
    else findings.cannot('order-id', 'an order for the destination chain', 'none');
    return [...findings.list];
  }
  const facts = { ...proved, order };
  const id = identity(findings, order, identified);
  await promise(findings, order, id ?? (order.orderId as Hex), network);
  input(findings, facts);
  output(findings, facts);
  refunds(findings, facts);
  deadlines(findings, facts);
  calls(findings, facts);
  findings.say('order-fees', order.orderData.fees.length === 0, 'no fees', `${order.orderData.fees.length} fees`);
  payment(findings, facts);
  return [...findings.list];
}

/** @returns the recomputed order id, if there is one */
function identity(
  findings: Findings,
  { orderId, orderData }: Protocol,
  recomputed: OrderId.Recomputed,
): Hex | undefined {
  const { version } = orderData;
  if (version === 'v1') findings.say('order-version', true, 'v1', version);
  else findings.cannot('order-version', 'v1', version);
  if (!recomputed.ok) {
    findings.cannot('order-id', 'the hash of the order', recomputed.why);
    return undefined;
  }
  findings.equal('order-id', recomputed.id, orderId);
  return recomputed.id;
}

/** Checks who has promised to fill the order: its solver, by a signature over the order id. */
export async function promise(
  findings: Findings,
  order: Pick<Protocol, 'orderData' | 'orderSignature'>,
  orderId: Hex,
  network: Network.Network,
): Promise<void> {
  await signature(findings, order, orderId, network);
  solver(findings, order, network);
}

/** Where the solver is known, it must have signed the order: else the service alone says that it will be filled. */
async function signature(
  findings: Findings,
  { orderData, orderSignature }: Pick<Protocol, 'orderData' | 'orderSignature'>,
  orderId: Hex,
  { solver: known }: Network.Network,
): Promise<void> {
  if (!orderSignature) {
    const found = 'the quote has no solver signature';
    if (known) findings.cannot('solver-signature', `the order id signed by ${orderData.solver}`, found, 'the service');
    else findings.skip('solver-signature', found);
    return;
  }
  const signer = await OrderId.solverOf(orderId, orderSignature);
  findings.equal('solver-signature', orderData.solver, signer);
}

function solver(
  findings: Findings,
  { orderData }: Pick<Protocol, 'orderData'>,
  { solver: known }: Network.Network,
): void {
  const found = `${orderData.solver} on ${orderData.solverChainId}`;
  if (!known) {
    findings.skip('order-solver', `${found}; ferry knows no solver of this network`);
    return;
  }
  const holds =
    orderData.solverChainId === known.chainSlug &&
    known.addresses.some((address) => Address.isEqual(address, orderData.solver));
  findings.say('order-solver', holds, `${known.addresses.join(' or ')} on ${known.chainSlug}`, found);
}

/** Exactly one input: what the answer states, or what it says that a swap on the origin chain yields. */
function input(findings: Findings, facts: Facts): void {
  const { answer, expected, paid, swap, origin: chain } = facts;
  const { orderData } = facts.order;
  const { tradeType, slippageBps = QuoteDetails.slippageCapBps } = expected;
  const [first, ...more] = orderData.inputs;
  findings.say('order-inputs', first !== undefined && more.length === 0, 'one', String(orderData.inputs.length));
  if (chain && !OrderLegs.isKnown(paid, answer.response.details, chain))
    findings.cannot('order-input-currency', `a currency of ${chain.name} that ferry knows`, paid.currency.address);
  else findings.equal('order-input-currency', paid.currency.address, first?.payment.currency);
  const due = swap ? swap.amount : String(answer.input);
  StatedAmount.equal(findings, 'order-input-amount', [due, first?.payment.amount], paid.currency);
  findings.equal('order-input-weight', '1', first?.payment.weight);
  if (swap) originMinimum(findings, swap, tradeType === undefined ? undefined : slippageBps);
}

/**
 * The least that the swap on the origin chain yields: all else about the swap is held to it, so an answer that does not
 * state it leaves the input to whoever swaps.
 *
 * @param slippageBps undefined if nobody has said what was asked for
 */
function originMinimum(
  findings: Findings,
  { amount, minimumAmount: stated, currency }: OrderLegs.Amount,
  slippageBps: number | undefined,
): void {
  const check = 'origin-minimum';
  if (stated === undefined || stated === null) {
    findings.cannot(check, 'the least that the swap on the origin chain yields', 'nothing is stated');
    return;
  }
  const found = StatedAmount.format(stated, currency);
  if (slippageBps === undefined) {
    findings.skip(check, `the swap yields at least ${found}`);
    return;
  }
  const least = Amount.divideUp(BigInt(amount) * BigInt(10_000 - slippageBps), 10_000n);
  // The service rounds down where this rounds up.
  findings.say(check, BigInt(stated) + 1n >= least, `at least ${StatedAmount.format(least, currency)}`, found);
}

/** Calls on the destination chain: those that were asked for, in their order, and no others. */
function calls(findings: Findings, { order: { orderData }, expected }: Facts): void {
  const { tradeType, calls: asked = [] } = expected;
  const found = orderData.output.calls;
  const counted = (count: number): string => (count === 1 ? '1 call' : `${count} calls`);
  // It is not known what was asked for.
  if (found.length > 0 && tradeType === undefined) {
    findings.cannot('order-calls', 'no calls', counted(found.length));
    return;
  }
  const wanted = asked.map(ArrivalCalls.bound);
  const differs = wanted.findIndex((each, index) => found[index]?.toLowerCase() !== each);
  const holds = found.length === wanted.length && differs === -1;
  const isOther = found.length === wanted.length && !holds;
  findings.say(
    'order-calls',
    holds,
    wanted.length === 0 ? 'no calls' : counted(wanted.length),
    isOther ? `another call ${differs + 1}: ${found[differs]}` : counted(found.length),
  );
}

/** Exactly one payment: to the recipient, in the output currency, of at least the minimum. */
function output(findings: Findings, facts: Facts): void {
  const { answer, destination: chain, outputCurrency: currency } = facts;
  const { calls, payments, chainId, extraData: data } = facts.order.orderData.output;
  const [first, ...more] = payments;
  findings.say('order-payments', first !== undefined && more.length === 0, 'one', String(payments.length));
  // With calls the router is paid, and makes them.
  const payee = calls.length > 0 ? chain?.contracts.router : facts.recipient;
  if (payee === undefined)
    findings.cannot(
      'order-recipient',
      'the router of the chain, which ferry does not know',
      first?.recipient ?? 'nobody',
    );
  else QuoteDetails.account(findings, 'order-recipient', chain, [payee, first?.recipient]);
  findings.equal('order-output-currency', currency.address, first?.currency);
  StatedAmount.equal(findings, 'order-minimum', [String(answer.minimum), first?.minimumAmount], currency);
  StatedAmount.equal(findings, 'order-expected', [String(answer.output), first?.expectedAmount], currency);
  slug(findings, 'order-output-chain', chain, chainId);
  extraData(findings, 'output', chain, data);
}

/** Each refund goes to the user's refund address on the origin, or to the recipient on the destination. */
function refunds(findings: Findings, facts: Facts): void {
  const { answer, origin, destination, paid } = facts;
  const { inputs } = facts.order.orderData;
  const all = inputs.flatMap((each) => each.refunds);
  slug(findings, 'order-input-chain', origin, inputs[0]?.payment.chainId);
  if (!origin || !destination) {
    const chains = all.map(({ chainId }) => chainId).join(', ');
    findings.cannot('order-refunds', 'chains that ferry knows', chains);
    return;
  }
  const isSome = all.some(({ chainId }) => chainId === origin.slug);
  findings.say('order-refunds', isSome, 'at least one on the origin chain', String(all.length));
  all.forEach((refund, index) => {
    const own = collect(`refund ${index + 1}`);
    const atHome = refund.chainId === origin.slug;
    const chain = atHome ? origin : destination;
    const among = atHome ? [paid] : OrderLegs.refundable(answer);
    const found = among.find(({ currency }) => Address.isEqual(currency.address, refund.currency));
    own.equal('refund-chain', chain.slug, refund.chainId);
    const owner = atHome ? (facts.expected.refundTo ?? facts.user) : facts.recipient;
    QuoteDetails.account(own, 'refund-recipient', chain, [owner, refund.recipient]);
    const wanted = among.map(({ currency }) => currency.address).join(' or ');
    if (found && !OrderLegs.isKnown(found, answer.response.details, chain))
      own.cannot('refund-currency', `a currency of ${chain.name} that ferry knows`, refund.currency);
    else own.say('refund-currency', found !== undefined, wanted, refund.currency);
    const most = BigInt(paid.amount);
    own.say(
      'refund-minimum',
      !atHome || BigInt(refund.minimumAmount) <= most,
      `at most ${StatedAmount.format(most, paid.currency)}`,
      StatedAmount.format(refund.minimumAmount, found?.currency),
    );
    extraData(own, `refund ${index + 1}`, chain, refund.extraData);
    findings.include(own.list);
  });
}

/**
 * What a block shows of the deadlines: it is never from the future, so a clock before its time is behind.
 *
 * @param proved `nowMs`: Unix time in milliseconds by this machine's clock
 * @param block `timestamp`: Unix time in seconds
 */
export function outdated(
  { quote, expected, nowMs }: { quote: Answer; expected: Expectation; nowMs: number },
  { timestamp }: { timestamp: bigint },
): readonly Finding[] {
  const order = quote.response.protocol?.v2;
  const atMs = Number(timestamp) * 1000;
  if (!order || atMs <= nowMs) return [];
  const findings = collect();
  deadlines(findings, { answer: quote, expected, order, nowMs: atMs });
  return findings.list.filter(({ verdict }) => verdict === 'mismatch');
}

/**
 * The last moment at which an order may be paid, in Unix seconds. Whoever is given a signature may use it when it expires,
 * so none for the order may be valid for longer.
 */
export function payableUntil({ orderData }: Pick<Protocol, 'orderData'>): number {
  return Math.min(...deadlinesOf(orderData)) - shortestOpen;
}

function deadlinesOf({ output, inputs }: Protocol['orderData']): readonly number[] {
  return [output.deadline, ...inputs.flatMap((each) => each.refunds.map(({ deadline }) => deadline))];
}

/** Every deadline is in the future, but not too far. */
function deadlines(
  findings: Findings,
  { answer, expected, order, nowMs, isReview }: Pick<Facts, 'answer' | 'expected' | 'order' | 'nowMs' | 'isReview'>,
): void {
  const { byAddress = false } = expected;
  const all = deadlinesOf(order.orderData);
  const dates = [...new Set(all)].map((seconds) => new Date(seconds * 1000).toISOString()).join(', ');
  if (nowMs === undefined) {
    findings.skip('order-deadline', dates);
    return;
  }
  const now = nowMs / 1000;
  const longest = answer.items.some(({ depositAddress }) => depositAddress) ? longestAtAddress : longestOpen;
  const isInTime = all.every((seconds) => seconds <= now + longest * day);
  // A payer may take months, and must not lose the fee of a refund for that.
  const shortest = byAddress ? shortestAtAddress * day : shortestOpen;
  const range = `between ${byAddress ? shortestAtAddress : 'an hour'} and ${longest} days from now`;
  // A liar may quote an order that expires, but a quote that is only looked at may simply be old.
  if (isReview && isInTime && all.every((seconds) => seconds <= now + shortest))
    findings.cannot('expired', range, dates);
  else findings.say('order-deadline', isInTime && all.every((seconds) => seconds > now + shortest), range, dates);
}

/** `paymentDetails` agrees with the order. Payments to an unknown depository are found by the check of the steps. */
function payment(findings: Findings, { order, origin, paid }: Facts): void {
  const { orderData, paymentDetails } = order;
  const first = orderData.inputs[0]?.payment;
  findings.equal('payment-chain', first?.chainId ?? '', paymentDetails.chainId);
  findings.equal('payment-currency', first?.currency ?? '', paymentDetails.currency);
  StatedAmount.equal(findings, 'payment-amount', [paid.amount, paymentDetails.amount], paid.currency);
  const { depository, accounts = depository && [depository] } = origin?.contracts ?? {};
  if (accounts) {
    const holds = accounts.some((account) => Address.isEqual(account, paymentDetails.depository));
    findings.say('payment-depository', holds, accounts.join(' or '), paymentDetails.depository);
  }
}

function slug(findings: Findings, name: Allowable, chain: Network.Chain | undefined, found: string | undefined): void {
  if (chain) findings.equal(name, chain.slug, found);
  else findings.cannot(name, 'a chain that ferry knows', found ?? 'nothing');
}

/** The contract that executes a fill or a refund: the chain's router on an EVM chain, none on others that were seen. */
function extraData(findings: Findings, whose: string, chain: Network.Chain | undefined, found: string): void {
  const name = 'order-extra-data';
  if (!chain) findings.cannot(name, 'a chain that ferry knows', `${whose}: ${found}`);
  else if (chain.vm !== 'evm' && (found === '0x' || !isUnseen(chain))) findings.equal(name, '0x', found);
  else if (chain.vm !== 'evm')
    findings.cannot(name, 'what fills there, which ferry does not know', `${whose}: ${found}`);
  else if (!chain.contracts.router)
    findings.cannot(name, `the router of ${chain.name}, which ferry does not know`, `${whose}: ${found}`);
  else findings.equal(name, encodeAbiParameters([{ type: 'address' }], [chain.contracts.router]), found);
}

/** Whether no order for such a chain was ever seen: what fills there may be named in it. */
function isUnseen({ vm }: Network.Chain): boolean {
  return vm === 'bvm' || vm === 'tvm' || vm === 'tonvm';
}
