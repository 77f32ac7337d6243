/** Checks what would be sent, item by item: each only pays or approves exactly the input to a known contract. */

import * as StatusV3 from '../api/StatusV3.js';
import * as Decode from '../api/schema/Decode.js';
import * as SignatureItem from '../api/schema/SignatureItem.js';
import * as Step from '../api/schema/Step.js';
import * as Address from '../base/Address.js';
import type { Hex } from '../base/Hex.js';
import * as ChainAbility from '../network/ChainAbility.js';
import type * as Network from '../network/Network.js';
import { collect, type Finding, type Findings } from '../quote/Finding.js';
import type * as KnownCalls from '../quote/KnownCalls.js';
import type { Item, Signature, Transaction, Unreadable } from '../quote/Quote.js';
import * as StatedAmount from '../quote/StatedAmount.js';
import * as StrictAddress from './address/StrictAddress.js';
import * as OrderTerms from './OrderTerms.js';
import type { ProofFacts } from './ProofFacts.js';
import type * as Enforcers from './router/Enforcers.js';
import * as RouterCheck from './router/RouterCheck.js';
import * as SignatureStep from './signature/SignatureStep.js';
import { permit2Contract } from './signature/TypedData.js';
import * as VenueStep from './VenueStep.js';

export type Facts = ProofFacts & {
  /** The order id, recomputed from the order's terms; undefined if it cannot be. */
  orderId: string | undefined;
  /** Contracts that the user's node has shown to hold swaps to their minimum; undefined if it was not asked yet. */
  enforcers?: Enforcers.Enforcers | undefined;
};

/** The highest gas limit that a quoted transaction may set: far more than any step needs, far less than a block. */
const gasCap = 3_000_000n;

/** Checks the order of the items, then each item. */
export function check(facts: Facts): Finding[] {
  const findings = collect();
  order(findings, facts);
  if (facts.expected.byAddress) byAddress(findings, facts);
  for (const item of facts.answer.items) {
    const own = collect(item.stepId);
    endpoint(own, item, facts);
    if (item.depositAddress !== undefined && !isApproval(item)) strictAddress(own, item.depositAddress, facts);
    ofKind(own, item, facts);
    findings.include(own.list);
  }
  return [...findings.list];
}

/** Checks an item by its kind. A kind without a check does not compile, so no unchecked item can be signed. */
function ofKind(own: Findings, item: Item, facts: Facts): void {
  switch (item.kind) {
    case 'transaction':
      transaction(own, item, facts);
      break;
    case 'venue':
      VenueStep.check(own, item, facts);
      break;
    case 'signature':
      if (isForeign(facts))
        unreadable(own, { ...item, kind: 'unreadable', why: 'is for another kind of chain' }, facts);
      else {
        asked(own, facts);
        own.include(signature(item, facts));
      }
      break;
    case 'unreadable':
      unreadable(own, item, facts);
      break;
    default:
      item satisfies never;
  }
}

/** Whether the quote pays from a chain that ferry does not sign for: what is signed there has another form. */
function isForeign({ origin, isReview }: Facts): boolean {
  return isReview === true && origin !== undefined && !ChainAbility.canSend(origin);
}

/** Who wants to pay by transactions or a batch, valid for as long as they say, signs nothing else instead. */
function asked(findings: Findings, { expected: { tradeType, gasless }, isReview }: Facts): void {
  if (!isReview && tradeType !== undefined && gasless !== 'permit')
    findings.say('step', false, 'a transaction', 'a message to sign, which was not asked for');
}

/** A step that ferry cannot read is never signed. In a quote that is only looked at it may be for another kind of chain. */
function unreadable(findings: Findings, { why }: Unreadable, { isReview }: Facts): void {
  const [expected, found] = ['a step that ferry can read', `a step that ${why}`];
  if (isReview && why.startsWith('is for ')) findings.cannot('step', expected, found);
  else findings.say('step', false, expected, found);
}

/** Approvals first, then one payment, then nothing. A signature that pays may be accompanied by messages to sign. */
function order(findings: Findings, { isReview, answer: { items }, inputCurrency }: Facts): void {
  if (isReview && items.some(({ kind }) => kind === 'unreadable')) return;
  const payments = items.filter((item) => !isApproval(item));
  const found = items.map(({ stepId }) => stepId).join(', ') || 'nothing';
  const signatures =
    payments.every(({ kind }) => kind === 'signature') && payments.filter((item) => !isMessage(item)).length === 1;
  findings.say('one-payment', signatures || payments.length === 1, 'one payment', found);
  const first = items.findIndex((item) => !isApproval(item));
  findings.say(
    'payment-last',
    items.slice(first).every((item) => !isApproval(item)),
    'approvals, then the payment',
    found,
  );
  const approvals = items.filter(isApproval).map(({ call }) => call.amount);
  const [one, two, ...more] = approvals;
  const exact = two === undefined ? one !== 0n : one === 0n && two !== 0n;
  findings.say(
    'approvals',
    exact && more.length === 0,
    'at most one approval, optionally after a reset to zero',
    approvals.map((base) => StatedAmount.format(base, inputCurrency)).join(', ') || 'none',
  );
}

type Approval = Transaction & { call: KnownCalls.Call & { function: 'approve' } };

function isApproval(item: Item): item is Approval {
  return item.kind === 'transaction' && item.call?.function === 'approve';
}

function isMessage(item: Item): boolean {
  return item.kind === 'signature' && Step.signatureKindOf(item.data) === 'eip191';
}

/** The status endpoint must be the service's own, for this request. */
function endpoint(findings: Findings, { check: named, requestId }: Item, { answer, baseUrl }: Facts): void {
  if (requestId !== undefined && requestId.toLowerCase() !== answer.requestId.toLowerCase())
    findings.say('check-endpoint', false, `a step of request ${answer.requestId}`, `one of request ${requestId}`);
  if (!named) return;
  const own = StatusV3.path(answer.requestId);
  const expected = [own, ...(baseUrl === undefined ? [] : [`${baseUrl.replace(/\/+$/, '')}${own}`])];
  const holds = expected.includes(named.endpoint) && named.method.toUpperCase() === 'GET';
  findings.say('check-endpoint', holds, `GET ${own}`, `${named.method} ${named.endpoint}`);
}

/** A signature is a payment too: checks what it grants, to whom, and for which order. */
function signature({ stepId, data }: Signature, facts: Facts): Finding[] {
  const { answer, expected, network, inputCurrency } = facts;
  const { addresses = [], relayers = [] } = network.solver ?? {};
  return SignatureStep.check(
    { stepId, data },
    {
      ...facts,
      refundTo: expected.refundTo,
      chainId: inputCurrency.chainId,
      token: inputCurrency.address,
      input: answer.input,
      currency: inputCurrency,
      requestId: answer.requestId,
      payableUntil: facts.order && OrderTerms.payableUntil(facts.order),
      contracts: facts.origin?.contracts ?? {},
      solvers: network.solver && [...addresses, ...relayers],
    },
  );
}

function transaction(findings: Findings, item: Transaction, facts: Facts): void {
  const { answer, origin, inputCurrency } = facts;
  findings.equal('step-chain', String(inputCurrency.chainId), String(item.chainId));
  findings.equal('step-sender', facts.user, item.from);
  if (item.gas !== undefined) findings.say('gas', item.gas <= gasCap, `at most ${gasCap}`, String(item.gas));
  if (!origin) {
    findings.cannot('contract', 'a chain that ferry knows', String(inputCurrency.chainId));
    return;
  }
  const native = Address.isEqual(origin.native.address, inputCurrency.address);
  const pays = native && item.call?.function !== 'approve' && item.call?.function !== 'unwrap';
  const wei = pays ? answer.input : 0n;
  const stated = (value: bigint): string => StatedAmount.format(value, origin.native);
  findings.say('value', item.value === wei, stated(wei), stated(item.value));
  if (item.depositAddress !== undefined && !isApproval(item)) depositAddress(findings, item, facts, native);
  else call(findings, item, { ...facts, origin });
}

/** A payment to a deposit address is the only step: there is no approval, and no other payment. */
function byAddress(findings: Findings, { answer: { items } }: Facts): void {
  const found = items
    .map(({ stepId, depositAddress }) => `${stepId} ${depositAddress === undefined ? 'without' : 'to'} an address`)
    .join(', ');
  const [item, ...more] = items;
  const holds = item?.kind === 'transaction' && item.depositAddress !== undefined && more.length === 0;
  findings.say('payable-by-anybody', holds, 'one payment to a deposit address', found || 'nothing');
}

/** A strict address is that of the order itself: it holds no other money, and gives it to nobody else. */
function strictAddress(findings: Findings, found: string, { order, expected, origin, orderId }: Facts): void {
  const name = 'deposit-address';
  const maker = origin && StrictAddress.makerOf(origin.contracts);
  // The refund goes to the depositor, which is checked with the order.
  const own = order?.orderData.inputs[0]?.refunds.find(({ chainId }) => chainId === origin?.slug)?.recipient;
  const depositor = expected.refundTo ?? own;
  // A wallet that was not asked to pays no address.
  if (expected.tradeType !== undefined && !expected.byAddress)
    findings.cannot(name, 'a payment that carries the order id', found);
  else if (!origin || !maker)
    findings.cannot(
      name,
      `an address of the factory of ${origin?.name ?? 'the chain'}, which ferry does not know`,
      expected.byAddress ? 'an address' : found,
    );
  else if (!orderId || !depositor || !isAddress(depositor))
    findings.cannot(name, 'a payment that carries the order id', expected.byAddress ? 'an address' : found);
  else {
    const computed = StrictAddress.of(maker, { orderId: orderId as Hex, depositor });
    if (Address.isEqual(computed, found)) findings.say(name, true, `${computed}, which is the order’s alone`, found);
    // Somebody might pay an address that a refusal prints.
    else if (expected.byAddress) findings.cannot(name, 'the address that is the order’s alone', 'another address');
    else findings.cannot(name, `${computed}, the only address that is the order’s alone`, found);
  }
}

function isAddress(text: string): text is Address.Address {
  return /^0x[0-9a-fA-F]{40}$/.test(text);
}

/** A plain payment of the input, without any reference to the order. */
function depositAddress(
  findings: Findings,
  { to, data, call: read, depositAddress: address = '' }: Transaction,
  facts: Facts,
  native: boolean,
): void {
  const payee = (found: string): void => {
    if (facts.expected.byAddress) {
      const holds = Address.isEqual(address, found);
      findings.say('payee', holds, 'the deposit address', holds ? 'the deposit address' : 'another address');
    } else findings.equal('payee', address, found);
  };
  if (read?.function === 'transfer' && !native) {
    findings.equal('token', facts.inputCurrency.address, to);
    payee(read.to);
    amountPaid(findings, read.amount, facts);
  } else {
    payee(to);
    findings.say('function', native && data === '0x', 'a plain payment of the input', data.slice(0, 10));
  }
}

/** The contract that spends the input through an allowance; undefined if the payment needs none. */
function spenderOf({ answer: { items } }: Facts): Address.Address | undefined {
  const [payment] = items.filter((item) => !isApproval(item) && !isMessage(item));
  if (payment?.kind === 'transaction') return isSpending(payment.call?.function) ? payment.to : undefined;
  if (payment?.kind !== 'signature') return undefined;
  const decoding = Decode.from(SignatureItem.schema, payment.data);
  if (!decoding.ok || decoding.value.sign.signatureKind !== 'eip712') return undefined;
  const { verifyingContract = '' } = decoding.value.sign.domain;
  return Address.isEqual(permit2Contract, verifyingContract) ? permit2Contract : undefined;
}

function isSpending(called: string | undefined): boolean {
  return called === 'depositErc20' || called === 'transferAndMulticall';
}

type OnKnownChain = Facts & { origin: Network.Chain };

function call(findings: Findings, item: Transaction, facts: OnKnownChain): void {
  const { order, origin, user, recipient } = facts;
  const { depository, router, approvalProxy, wrapped } = origin.contracts;
  const token = facts.inputCurrency.address;
  const read = item.call;
  const called = read?.function ?? (item.data === '0x' ? 'pay' : undefined);
  fitting(findings, called ?? item.data.slice(0, 10), functionsFor(facts));

  switch (read?.function) {
    case 'approve':
      findings.equal('token', token, item.to);
      findings.equal('spender', spenderOf(facts) ?? 'no spender', read.spender);
      allowance(findings, read.amount, facts);
      break;
    case 'depositNative':
    case 'depositErc20':
      contract(findings, ['depository', depository, item.to], origin);
      findings.equal('depositor', user, read.depositor);
      findings.equal('deposit-id', order?.orderId ?? 'an order id', read.id);
      if (read.function === 'depositErc20') {
        findings.equal('token', token, read.token);
        amountPaid(findings, read.amount, facts);
      }
      findings.equal('depository', item.to, order?.paymentDetails.depository);
      break;
    case 'transfer':
      findings.equal('token', token, item.to);
      findings.equal('payee', recipient, read.to);
      amountPaid(findings, read.amount, facts);
      nothingSwapped(findings, facts);
      break;
    case 'wrap':
    case 'unwrap':
      contract(findings, ['wrapped native token', wrapped, item.to], origin);
      findings.equal('payee', user, facts.answer.response.details.recipient);
      if (read.function === 'unwrap') amountPaid(findings, read.amount, facts);
      nothingSwapped(findings, facts);
      break;
    case 'transferAndMulticall':
      contract(findings, ['approval proxy', approvalProxy, item.to], origin);
      findings.equal('token', token, read.tokens.join(','));
      amountPaid(findings, read.amounts.length === 1 ? (read.amounts[0] ?? 0n) : -1n, facts);
      byRouter(findings, read, facts);
      break;
    case 'multicall':
      contract(findings, ['router', router, item.to], origin);
      byRouter(findings, read, facts);
      break;
    default:
      if (called !== 'pay') break;
      findings.equal('payee', recipient, item.to);
      nothingSwapped(findings, facts);
  }
}

/** Whether the function called is one that the payment may call. An approval is held to what it approves. */
function fitting(findings: Findings, called: string, functions: readonly string[]): void {
  const fits = called === 'approve' || functions.includes(called);
  findings.say('function', fits, functions.join(' or ') || 'a deposit for an order', called);
}

function contract(
  findings: Findings,
  [what, known, found]: readonly [string, Address.Address | undefined, string],
  { name }: Network.Chain,
): void {
  if (known === undefined) findings.cannot('contract', `the ${what} of ${name}, which ferry does not know`, found);
  else findings.equal('contract', known, found);
}

function allowance(findings: Findings, amount: bigint, { answer: { input }, inputCurrency }: Facts): void {
  const paid = (base: bigint): string => StatedAmount.format(base, inputCurrency);
  findings.say('allowance', amount === input || amount === 0n, `exactly ${paid(input)}`, paid(amount));
}

function amountPaid(findings: Findings, found: bigint, { answer, inputCurrency }: Facts): void {
  StatedAmount.equal(findings, 'amount-paid', [String(answer.input), String(found)], inputCurrency);
}

/** Nothing is swapped, so the output must equal the input. */
function nothingSwapped(findings: Findings, { answer, inputCurrency, outputCurrency }: Facts): void {
  const { input, output, minimum } = answer;
  const received = (base: bigint): string => StatedAmount.format(base, outputCurrency);
  findings.say(
    'amount-received',
    output === input && minimum <= input,
    `exactly ${StatedAmount.format(input, inputCurrency)}`,
    `${received(output)}, at least ${received(minimum)}`,
  );
}

/** The calls that the router makes with the input: they deposit for the order, or without one make the whole transfer. */
function byRouter(findings: Findings, call: KnownCalls.Multicall, facts: OnKnownChain): void {
  const { answer, order, origin, swap, user, recipient } = facts;
  RouterCheck.check(findings, call, {
    user,
    recipient,
    refundTo: facts.expected.refundTo ?? user,
    input: { token: facts.inputCurrency.address, amount: answer.input },
    contracts: origin.contracts,
    solvers: facts.network.solver?.addresses,
    enforcers: facts.enforcers,
    requestId: answer.requestId,
    currencies: facts.currencies,
    goal: order
      ? {
          kind: 'deposit',
          orderId: order.orderId,
          token: order.orderData.inputs[0]?.payment.currency ?? '',
          minimum: swap?.minimumAmount ? BigInt(swap.minimumAmount) : undefined,
        }
      : { kind: 'payment', token: facts.outputCurrency.address, minimum: answer.minimum },
  });
}

/** The functions that a payment may call: with an order only the deposit, else what converts input to output. */
function functionsFor(facts: OnKnownChain): readonly string[] {
  const { inputCurrency: paid, outputCurrency: received } = facts;
  const { native, contracts } = facts.origin;
  const isNative = Address.isEqual(paid.address, native.address);
  const swap = isNative ? 'multicall' : 'transferAndMulticall';
  if (facts.order) return facts.swap ? [swap] : [isNative ? 'depositNative' : 'depositErc20'];
  if (paid.chainId !== received.chainId) return [];
  if (Address.isEqual(paid.address, received.address)) return [isNative ? 'pay' : 'transfer'];
  const isOther = (address: string): boolean =>
    Address.isEqual(address, isNative ? (contracts.wrapped ?? '') : native.address);
  const isWrapped = isNative || Address.isEqual(paid.address, contracts.wrapped ?? '');
  if (!isWrapped || !isOther(received.address)) return [swap];
  return [isNative ? 'wrap' : 'unwrap', swap];
}
