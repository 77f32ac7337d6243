/**
 * Checks the order that a deposit pays for. The order id is a hash of all its terms and is part of the signed deposit.
 * So whatever is proved about the terms is proved about what is signed.
 */

import { encodeAbiParameters } from 'viem/utils';
import type * as QuoteV2 from '../api/QuoteV2.js';
import type { Hex } from '../base/Hex.js';
import * as ChainVm from '../network/ChainVm.js';
import * as Network from '../network/Network.js';
import * as OrderId from '../order/OrderId.js';

import { collect, type Finding, type Findings } from '../quote/Finding.js';
import type { Answer } from '../quote/Quote.js';
import type { Expectation } from './Expectation.js';

export type Surroundings = {
  network: Network.Network;
  /** Unix time in milliseconds; if undefined, deadlines are not checked. */
  nowMs?: number | undefined;
};

/** The longest that an order may stay open: 30 days, in seconds. */
const longestOpen = 30 * 24 * 3600;

type Protocol = QuoteV2.Protocol;

/** Recomputes the order id from the order's terms; undefined if the quote has no order. */
export function identify({ response }: Answer, network: Network.Network): OrderId.Recomputed | undefined {
  const order = response.protocol?.v2;
  return order ? OrderId.id(order.orderData, ChainVm.of(network.chains)) : undefined;
}

/**
 * Checks every term of the order against the answer and the expectation.
 *
 * @param identified the recomputed order id
 */
export async function check(
  answer: Answer,
  identified: OrderId.Recomputed | undefined,
  expected: Expectation,
  around: Surroundings,
): Promise<Finding[]> {
  const order = answer.response.protocol?.v2;
  const findings = collect();
  if (!order || !identified) {
    const { currencyIn, currencyOut } = answer.response.details;
    if (currencyIn.currency.chainId === currencyOut.currency.chainId)
      findings.skip('order-id', 'the quote has no order: its transactions make the whole transfer');
    else findings.cannot('order-id', 'an order for the destination chain', 'none');
    return [...findings.list];
  }
  const id = identity(findings, order, identified);
  await signature(findings, order, id ?? (order.orderId as Hex));
  solver(findings, order, around.network);
  input(findings, order, answer);
  output(findings, order, answer, expected, around.network);
  refunds(findings, order, answer, expected, around.network);
  deadlines(findings, order, around.nowMs);
  findings.say(
    'order-calls',
    order.orderData.output.calls.length === 0,
    'no calls',
    `${order.orderData.output.calls.length} calls`,
  );
  findings.say('order-fees', order.orderData.fees.length === 0, 'no fees', `${order.orderData.fees.length} fees`);
  payment(findings, order, answer, around.network);
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

async function signature(findings: Findings, { orderData, orderSignature }: Protocol, orderId: Hex): Promise<void> {
  if (!orderSignature) {
    findings.skip('solver-signature', 'the quote has no solver signature');
    return;
  }
  const signer = await OrderId.solverOf(orderId, orderSignature);
  findings.equal('solver-signature', orderData.solver, signer);
}

function solver(findings: Findings, { orderData }: Protocol, { solver: known }: Network.Network): void {
  const found = `${orderData.solver} on ${orderData.solverChainId}`;
  if (!known) {
    findings.skip('order-solver', `${found}; ferry knows no solver of this network`);
    return;
  }
  const holds =
    orderData.solverChainId === known.chainSlug && known.addresses.some((address) => isSame(address, orderData.solver));
  findings.say('order-solver', holds, `${known.addresses.join(' or ')} on ${known.chainSlug}`, found);
}

/** Exactly one input: the full amount that the answer states. */
function input(findings: Findings, { orderData }: Protocol, answer: Answer): void {
  const { currencyIn } = answer.response.details;
  const [first, ...more] = orderData.inputs;
  findings.say('order-inputs', first !== undefined && more.length === 0, 'one', String(orderData.inputs.length));
  findings.equal('order-input-currency', currencyIn.currency.address, first?.payment.currency);
  findings.equal('order-input-amount', String(answer.input), first?.payment.amount);
  findings.equal('order-input-weight', '1', first?.payment.weight);
}

/** Exactly one payment: to the recipient, in the output currency, of at least the minimum. */
function output(
  findings: Findings,
  { orderData }: Protocol,
  answer: Answer,
  expected: Expectation,
  network: Network.Network,
): void {
  const { currencyOut, recipient } = answer.response.details;
  const [first, ...more] = orderData.output.payments;
  findings.say(
    'order-payments',
    first !== undefined && more.length === 0,
    'one',
    String(orderData.output.payments.length),
  );
  findings.equal('order-recipient', expected.recipient ?? recipient, first?.recipient);
  findings.equal('order-output-currency', currencyOut.currency.address, first?.currency);
  findings.equal('order-minimum', String(answer.minimum), first?.minimumAmount);
  findings.equal('order-expected', String(answer.output), first?.expectedAmount);
  const chain = Network.chainById(network, currencyOut.currency.chainId);
  slug(findings, 'order-output-chain', chain, orderData.output.chainId);
  extraData(findings, 'output', chain, orderData.output.extraData);
}

/** Each refund goes to the user's refund address on the origin, or to the recipient on the destination. */
function refunds(
  findings: Findings,
  { orderData }: Protocol,
  answer: Answer,
  expected: Expectation,
  network: Network.Network,
): void {
  const { currencyIn, currencyOut, sender, recipient } = answer.response.details;
  const origin = Network.chainById(network, currencyIn.currency.chainId);
  const destination = Network.chainById(network, currencyOut.currency.chainId);
  const payment = orderData.inputs[0]?.payment;
  slug(findings, 'order-input-chain', origin, payment?.chainId);
  if (!origin || !destination) {
    findings.cannot(
      'order-refunds',
      'chains that ferry knows',
      orderData.inputs.flatMap((each) => each.refunds.map(({ chainId }) => chainId)).join(', '),
    );
    return;
  }
  const home = expected.refundTo ?? expected.user ?? sender;
  const all = orderData.inputs.flatMap((each) => each.refunds);
  findings.say(
    'order-refunds',
    all.some(({ chainId }) => chainId === origin?.slug),
    'at least one on the origin chain',
    String(all.length),
  );
  all.forEach((refund, index) => {
    const own = collect(`refund ${index + 1}`);
    const atHome = refund.chainId === origin.slug;
    const chain = atHome ? origin : destination;
    const currency = atHome ? currencyIn.currency : currencyOut.currency;
    own.equal('refund-chain', chain.slug, refund.chainId);
    own.equal('refund-recipient', atHome ? home : (expected.recipient ?? recipient), refund.recipient);
    own.equal('refund-currency', currency.address, refund.currency);
    own.say(
      'refund-minimum',
      !atHome || BigInt(refund.minimumAmount) <= answer.input,
      `at most ${answer.input}`,
      refund.minimumAmount,
    );
    extraData(own, `refund ${index + 1}`, chain, refund.extraData);
    findings.include(own.list);
  });
}

/** Every deadline is in the future, but not too far. */
function deadlines(findings: Findings, { orderData }: Protocol, nowMs: number | undefined): void {
  const all = [
    orderData.output.deadline,
    ...orderData.inputs.flatMap((each) => each.refunds.map(({ deadline }) => deadline)),
  ];
  const dates = [...new Set(all)].map((seconds) => new Date(seconds * 1000).toISOString()).join(', ');
  if (nowMs === undefined) {
    findings.skip('order-deadline', dates);
    return;
  }
  const now = nowMs / 1000;
  const holds = all.every((seconds) => seconds > now && seconds <= now + longestOpen);
  findings.say('order-deadline', holds, 'between now and 30 days from now', dates);
}

/** `paymentDetails` agrees with the order. Payments to an unknown depository are found by the check of the steps. */
function payment(
  findings: Findings,
  { orderData, paymentDetails }: Protocol,
  answer: Answer,
  network: Network.Network,
): void {
  const first = orderData.inputs[0]?.payment;
  findings.equal('payment-chain', first?.chainId ?? '', paymentDetails.chainId);
  findings.equal('payment-currency', first?.currency ?? '', paymentDetails.currency);
  findings.equal('payment-amount', String(answer.input), paymentDetails.amount);
  const origin = Network.chainById(network, answer.response.details.currencyIn.currency.chainId);
  const { depository, accounts = depository && [depository] } = origin?.contracts ?? {};
  if (accounts) {
    const holds = accounts.some((account) => isSame(account, paymentDetails.depository));
    findings.say('payment-depository', holds, accounts.join(' or '), paymentDetails.depository);
  }
}

function slug(findings: Findings, name: string, chain: Network.Chain | undefined, found: string | undefined): void {
  if (chain) findings.equal(name, chain.slug, found);
  else findings.cannot(name, 'a chain that ferry knows', found ?? 'nothing');
}

/** The contract that executes a fill or a refund: the chain's router on an EVM chain, none elsewhere. */
function extraData(findings: Findings, whose: string, chain: Network.Chain | undefined, found: string): void {
  const name = 'order-extra-data';
  if (!chain) findings.cannot(name, 'a chain that ferry knows', `${whose}: ${found}`);
  else if (chain.vm !== 'evm') findings.equal(name, '0x', found);
  else if (!chain.contracts.router)
    findings.cannot(name, 'the router of the chain, which ferry does not know', `${whose}: ${found}`);
  else findings.equal(name, encodeAbiParameters([{ type: 'address' }], [chain.contracts.router]), found);
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
