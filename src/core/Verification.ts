/** What ferry refuses to sign. Named checks of a quote against its intent; only a quote that passes becomes `Verified`. */
import * as Address from './Address.js';
import * as Amount from './Amount.js';
import type * as Calldata from './Calldata.js';
import * as Currency from './Currency.js';
import { BaseError } from './Errors.js';
import * as Fees from './Fees.js';
import type { Caps } from './Intent.js';
import * as Quote from './Quote.js';
import * as Usd from './Usd.js';

export type Verdict = 'verified' | 'mismatch';

export type Finding = {
  /** The check's name: `recipient`, `minimum-received`. */
  check: string;
  verdict: Verdict;
  expected: string;
  found: string;
};

declare const brand: unique symbol;

/** A quote that passed every check; only `from` makes one, and a plan takes nothing else. */
export type Verified = { readonly [brand]: true; readonly quote: Quote.Quote; readonly findings: readonly Finding[] };

/**
 * Checks a quote.
 *
 * @throws verify.mismatch with every finding that failed · verify.cap · verify.expired
 */
export function from(quote: Quote.Quote, caps: Caps, nowMs: number): Verified {
  const findings = check(quote);
  const failed = findings.filter(({ verdict }) => verdict === 'mismatch');
  if (failed.length > 0) throw new MismatchError(failed);
  assertWithin(quote, caps, nowMs);
  return { quote, findings } as unknown as Verified;
}

/** Every check of the quote against its intent, in the order in which they are shown. */
export function check(quote: Quote.Quote): Finding[] {
  const { intent, response, transactions } = quote;
  const { origin, destination } = intent;
  const { details } = response;
  const findings: Finding[] = [];
  const say = (name: string, holds: boolean, expected: string, found: string): void => {
    findings.push({ check: name, verdict: holds ? 'verified' : 'mismatch', expected, found });
  };
  const same = (name: string, expected: string, found: string): void =>
    say(name, Address.isEqual(expected, found), expected, found);

  same('sender', intent.user, details.sender);
  same('recipient', intent.recipient, details.recipient);
  same('input-currency', id(origin), wireId(details.currencyIn.currency));
  same('output-currency', id(destination), wireId(details.currencyOut.currency));
  same('input-decimals', String(origin.token.decimals), String(details.currencyIn.currency.decimals));
  same('output-decimals', String(destination.token.decimals), String(details.currencyOut.currency.decimals));
  if (intent.tradeType === 'EXACT_INPUT')
    say('input-amount', quote.input === intent.amount, String(intent.amount), String(quote.input));
  else say('output-amount', quote.output === intent.amount, String(intent.amount), String(quote.output));
  const floor = minimumAllowed(quote);
  say('minimum-received', quote.minimum >= floor, `at least ${floor}`, String(quote.minimum));
  say(
    'fees-sum',
    Fees.isSum(quote.fees, quote.totalImpactUsd),
    Usd.formatWire(quote.totalImpactUsd),
    Usd.formatWire(Fees.total(quote.fees)),
  );
  for (const { stepId, chainId, from } of transactions) {
    same(`chain of ${stepId}`, String(origin.chain.id), String(chainId));
    same(`from of ${stepId}`, intent.user, from);
  }
  const payments = transactions.filter(({ call }) => call?.function !== 'approve');
  say('one-payment', payments.length === 1, 'one', String(payments.length));
  say(
    'payment-last',
    transactions.at(-1) === payments[0],
    'approvals, then the payment',
    transactions.map((t) => t.stepId).join(', '),
  );
  for (const transaction of transactions) findings.push(...checkCall(transaction, quote));
  findings.push(...checkOrder(quote));
  return findings;
}

/** What the service may choose at most where the user named no slippage: 5%. */
const defaultSlippageCapBps = 500;

/** The least output that the intent's slippage allows; the whole amount where the output is exact. */
function minimumAllowed({ intent, output }: Quote.Quote): bigint {
  if (intent.tradeType === 'EXACT_OUTPUT') return intent.amount;
  const slippageBps = BigInt(intent.slippageBps ?? defaultSlippageCapBps);
  return Amount.divideUp(output * (10_000n - slippageBps), 10_000n);
}

/** A transaction pays or approves a contract that ferry knows, exactly the input and nothing else. */
function checkCall(transaction: Quote.Transaction, quote: Quote.Quote): Finding[] {
  const { origin, user, recipient, refundTo } = quote.intent;
  const { stepId, to, value, call } = transaction;
  const { depository, router, approvalProxy, wrapped } = origin.chain.contracts;
  const native = Currency.isNative(origin);
  const found: Finding[] = [];
  const say = (name: string, holds: boolean, expected: string, seen: string): void => {
    found.push({ check: `${name} of ${stepId}`, verdict: holds ? 'verified' : 'mismatch', expected, found: seen });
  };
  const paid = (name: string, known: Address.Address | undefined): void =>
    say(name, known !== undefined && Address.isEqual(known, to), known ?? 'a contract that ferry knows', to);
  const is = (name: string, expected: string, seen: string): void =>
    say(name, Address.isEqual(expected, seen), expected, seen);
  const amount = (seen: bigint): void => say('amount', seen === quote.input, String(quote.input), String(seen));

  const expectedValue = native && call?.function !== 'approve' && call?.function !== 'unwrap' ? quote.input : 0n;
  say('value', value === expectedValue, String(expectedValue), String(value));
  switch (call?.function) {
    case 'approve':
      is('token', origin.token.address, to);
      say('spender', isSpender(call, [depository, approvalProxy]), 'a contract that ferry knows', call.spender);
      say(
        'allowance',
        call.amount === quote.input || call.amount === 0n,
        `exactly ${quote.input}`,
        String(call.amount),
      );
      break;
    case 'depositNative':
    case 'depositErc20':
      paid('contract', depository);
      is('depositor', user, call.depositor);
      is('order-id', quote.response.protocol?.v2?.orderId ?? 'an order', call.id);
      say(
        'function',
        (call.function === 'depositNative') === native,
        native ? 'depositNative' : 'depositErc20',
        call.function,
      );
      if (call.function === 'depositErc20') {
        is('token', origin.token.address, call.token);
        amount(call.amount);
      }
      break;
    case 'transfer':
      is('token', origin.token.address, to);
      is('payee', recipient, call.to);
      say('same-currency', isSameCurrency(quote), id(origin), id(quote.intent.destination));
      amount(call.amount);
      break;
    case 'wrap':
    case 'unwrap':
      paid('contract', wrapped);
      is('payee', user, recipient);
      if (call.function === 'unwrap') amount(call.amount);
      break;
    case 'transferAndMulticall':
      paid('contract', approvalProxy);
      is('token', origin.token.address, call.tokens.join(','));
      amount(call.amounts.length === 1 ? (call.amounts[0] ?? 0n) : -1n);
      is('refund-to', refundTo, call.refundTo);
      break;
    case 'multicall':
      paid('contract', router);
      say('native', native, 'native input', native ? 'native input' : 'a token');
      is('refund-to', refundTo, call.refundTo);
      break;
    default:
      if (transaction.data === '0x' && native && isSameCurrency(quote)) is('payee', recipient, to);
      else say('function', false, 'a function that ferry knows', transaction.data.slice(0, 10));
  }
  return found;
}

/** The order that the deposit pays for says the same as the intent. */
function checkOrder(quote: Quote.Quote): Finding[] {
  const { intent, transactions } = quote;
  const order = quote.response.protocol?.v2;
  const deposits = transactions.some(
    ({ call }) => call?.function === 'depositNative' || call?.function === 'depositErc20',
  );
  if (!deposits) return [];
  const found: Finding[] = [];
  const say = (name: string, holds: boolean, expected: string, seen: string): void => {
    found.push({ check: name, verdict: holds ? 'verified' : 'mismatch', expected, found: seen });
  };
  const payment = order?.orderData.output.payments[0];
  const input = order?.orderData.inputs[0]?.payment;
  const one = order?.orderData.output.payments.length === 1 && order.orderData.inputs.length === 1;
  say(
    'order',
    one && order.orderData.output.calls.length === 0,
    'one input, one payment, no calls',
    one ? 'so' : 'otherwise',
  );
  const is = (name: string, expected: string, seen: string | undefined): void =>
    say(name, seen !== undefined && Address.isEqual(expected, seen), expected, seen ?? 'nothing');
  is('order-recipient', intent.recipient, payment?.recipient);
  is('order-output-chain', intent.destination.chain.slug, order?.orderData.output.chainId);
  is('order-output-currency', intent.destination.token.address, payment?.currency);
  is('order-minimum', String(quote.minimum), payment?.minimumAmount);
  is('order-input-chain', intent.origin.chain.slug, input?.chainId);
  is('order-input-currency', intent.origin.token.address, input?.currency);
  is('order-input-amount', String(quote.input), input?.amount);
  const refund = order?.orderData.inputs[0]?.refunds.find(({ chainId }) => chainId === intent.origin.chain.slug);
  is('order-refund-to', intent.refundTo, refund?.recipient);
  return found;
}

function isSpender(call: Calldata.Call & { function: 'approve' }, known: readonly (string | undefined)[]): boolean {
  return known.some((address) => address !== undefined && Address.isEqual(address, call.spender));
}

function isSameCurrency({ intent }: Quote.Quote): boolean {
  return id(intent.origin) === id(intent.destination);
}

function id({ chain, token }: Currency.Currency): string {
  return `${chain.id}:${token.address.toLowerCase()}`;
}

function wireId({ chainId, address }: { chainId: number; address: string }): string {
  return `${chainId}:${address.toLowerCase()}`;
}

/** @throws verify.cap · verify.expired */
function assertWithin(quote: Quote.Quote, caps: Caps, nowMs: number): void {
  const { destination } = quote.intent;
  if (Quote.isExpired(quote, nowMs, caps.maxAgeMs)) throw new ExpiredError(nowMs - quote.quotedAt, caps.maxAgeMs);
  const lost = -quote.totalImpactUsd;
  if (lost * 10_000n > quote.inputUsd * BigInt(caps.maxImpactBps))
    throw new CapError('The transfer would lose more than --max-impact allows.', [
      ['loss', `${Usd.format(lost)} of ${Usd.format(quote.inputUsd)}`],
      ['in percent', `${Number((lost * 10_000n) / (quote.inputUsd || 1n)) / 100}`],
      ['allowed', `${caps.maxImpactBps / 100}%`],
    ]);
  if (caps.maxFeeUsd !== undefined && -Fees.total(quote.fees) > caps.maxFeeUsd)
    throw new CapError('The fees are higher than --max-fee-usd allows.', [
      ['fees', Usd.format(-Fees.total(quote.fees))],
      ['allowed', Usd.format(caps.maxFeeUsd)],
    ]);
  if (caps.minOut !== undefined && quote.minimum < caps.minOut)
    throw new CapError('The minimum received is lower than --min-out asks for.', [
      ['minimum received', Amount.format(quote.minimum, destination.token.decimals)],
      ['asked for', Amount.format(caps.minOut, destination.token.decimals)],
    ]);
}

export class MismatchError extends BaseError {
  override name = 'MismatchError';
  readonly findings: readonly Finding[];
  constructor(failed: readonly Finding[]) {
    super('verify.mismatch', 'The quote does not do what was asked. ferry does not sign it.', {
      facts: failed.map(({ check: name, expected, found }) => [name, `expected ${expected}, found ${found}`]),
      hint: 'The service, or somebody between you and it, answered something else than what was asked.',
    });
    this.findings = failed;
  }
}

export class CapError extends BaseError {
  override name = 'CapError';
  constructor(message: string, facts: readonly (readonly [string, string])[]) {
    super('verify.cap', message, { facts, hint: 'Raise the cap if you accept this.' });
  }
}

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
