/**
 * Tampers with quotes the way a dishonest service might, for the control plane's faults. Each recipe makes only the
 * change it is named after; in consistent mode the rest of the quote is adjusted to match, so that only the user's
 * original request reveals the change.
 */

import type { Abi, Hex } from 'viem';
import { decodeAbiParameters, decodeFunctionData, encodeFunctionData, formatUnits } from 'viem/utils';
import * as QuoteV2 from '../../core/api/QuoteV2.js';
import type * as Step from '../../core/api/schema/Step.js';
import type { Address } from '../../core/base/Address.js';
import * as Usd from '../../core/base/Usd.js';
import * as Calldata from '../pricing/Calldata.js';
import * as Permit from '../pricing/Permit.js';
import * as abi from '../values/abi.js';
import { deployments } from '../values/deployment.js';
import * as OrderId from './OrderId.js';
import type * as QuoteAnswer from './QuoteAnswer.js';

const changes = {
  /** The order pays the thief; if there is no order, the transfer does. */
  'wrong-recipient': (quote, { consistent }) => {
    const { details } = quote;
    const recipient = thiefOn(order(quote)?.output.chainId);
    for (const payment of order(quote)?.output.payments ?? []) payment.recipient = recipient;
    if (!order(quote)) redirect(quote, details.recipient);
    if (consistent) details.recipient = recipient;
  },
  /** The order guarantees a single base unit; if there is no order, the quote does. */
  'wrong-minimum': (quote, { consistent }) => {
    for (const payment of order(quote)?.output.payments ?? []) payment.minimumAmount = '1';
    if (consistent || !order(quote)) quote.details.currencyOut.minimumAmount = '1';
  },
  /** The order pays a millionth, in a quote that states the dollars of before. Nothing but the price is wrong. */
  'low-output': (quote, { consistent }) => {
    const { currencyOut, currencyIn } = quote.details;
    const tiny = (amount: string): string => String(BigInt(amount) / 1_000_000n);
    for (const payment of order(quote)?.output.payments ?? [])
      Object.assign(payment, {
        minimumAmount: tiny(payment.minimumAmount),
        expectedAmount: tiny(payment.expectedAmount),
      });
    delete quote.protocol?.v2?.orderSignature;
    if (!consistent) return;
    currencyOut.amount = tiny(currencyOut.amount);
    currencyOut.minimumAmount = tiny(currencyOut.minimumAmount);
    currencyOut.amountFormatted = formatUnits(BigInt(currencyOut.amount), currencyOut.currency.decimals);
    const [from, to] = [currencyIn, currencyOut].map(({ amountFormatted }) => Number(amountFormatted));
    quote.details.rate = String((to ?? 0) / (from ?? 1));
  },
  /** The payment goes to another contract, or on the venue to another account. */
  'wrong-depository': (quote, { consistent }) => {
    const { paymentDetails } = quote.protocol?.v2 ?? {};
    for (const each of transfers(quote)) {
      each.toAccountIndex = Number(thiefIndex);
      if (consistent && paymentDetails) paymentDetails.depository = thiefIndex;
    }
    for (const { sign } of signatures(quote)) {
      const purpose = purposeOf(quote);
      if (!purpose || !sign.value) continue;
      sign.value.nonce = Permit.nonceOf({ ...purpose, contracts: { ...purpose.contracts, depository: thief } });
      if (consistent && paymentDetails) paymentDetails.depository = thief;
    }
    const last = transactions(quote).at(-1);
    if (!last) return;
    const old = String(last.to);
    last.to = thief;
    if (!consistent) return;
    for (const each of approvals(quote)) each.data = replaced(each.data, old, thief);
    if (paymentDetails) paymentDetails.depository = thief;
  },
  'larger-amount': (quote, { consistent }) => {
    const { currencyIn } = quote.details;
    const [amount, twice] = [BigInt(currencyIn.amount), 2n * BigInt(currencyIn.amount)];
    for (const each of transactions(quote)) {
      each.data = replaced(each.data, hex(amount), hex(twice));
      if (each.value === String(amount)) each.value = String(twice);
    }
    for (const value of authorized(quote)) if (value.value === String(amount)) value.value = String(twice);
    for (const each of transfers(quote)) each.amount *= 2;
    if (!consistent) return;
    const { paymentDetails } = quote.protocol?.v2 ?? {};
    // What the order is paid in may be another currency.
    for (const field of [currencyIn, paymentDetails, order(quote)?.inputs[0]?.payment])
      if (field) field.amount = String(2n * BigInt(field.amount));
  },
  'unlimited-approval': (quote) => {
    for (const each of approvals(quote)) each.data = `${String(each.data).slice(0, -64)}${'f'.repeat(64)}`;
  },
  'another-spender': (quote) => {
    for (const each of approvals(quote))
      each.data = `${String(each.data).slice(0, 10)}${word(thief)}${String(each.data).slice(-64)}`;
  },
  'extra-step': (quote) => {
    const [last] = quote.steps.slice(-1);
    const [item] = last?.items ?? [];
    if (!last || !item?.data) return;
    const [same] = transfers(quote);
    if (same) {
      const parameters = { ...same, toAccountIndex: Number(thiefIndex), memo: otherId };
      const stolen = { status: 'incomplete', data: { action: { type: 'transfer', parameters } } };
      quote.steps.push({ ...last, id: 'send', items: [stolen] });
      return;
    }
    const { address, chainId } = quote.details.currencyIn.currency;
    const { value, ...call } = Calldata.transfer({ address: address as Address }, thief, 1n);
    const data = { from: quote.details.sender, value: String(value), chainId, ...call };
    quote.steps.push({ ...last, id: 'send', items: [{ status: 'incomplete', data }] });
  },
  /** The router sends the entire input to the thief. */
  'router-theft': (quote) => {
    const last = transactions(quote).at(-1);
    const { currency, amount } = quote.details.currencyIn;
    if (!last || order(quote)) return;
    const to = quote.details.sender as Address;
    const calls = [theftOf(currency.address, BigInt(amount))];
    if (isNative(currency.address)) {
      const args = [calls, to, to, '0x'] as const;
      last.data = encodeFunctionData({ abi: abi.router, functionName: 'multicall', args });
      return;
    }
    const args = [[currency.address as Address], [BigInt(amount)], calls, to, to, '0x'] as const;
    last.data = encodeFunctionData({ abi: abi.approvalProxy, functionName: 'transferAndMulticall', args });
  },
  /** The router makes one more call, which sends a unit of the input to the thief. */
  'extra-router-call': (quote) => {
    const { address } = quote.details.currencyIn.currency;
    reroute(quote, ({ calls }) => ({ calls: [theftOf(address, 1n), ...calls] }));
  },
  'swap-receiver': (quote) => reswap(quote, () => ({ dstReceiver: thief })),
  /** The aggregator may pay a single base unit. */
  'swap-minimum': (quote, { consistent }) => {
    reswap(quote, () => ({ minReturnAmount: 1n }));
    const { route, refundCurrency } = quote.details;
    const yielded = route?.origin?.outputCurrency;
    if (!consistent || !order(quote) || !yielded || yielded.minimumAmount === yielded.amount) return;
    for (const field of [yielded, refundCurrency]) if (field) field.minimumAmount = '1';
  },
  /** The aggregator hands the thief all but one unit of the input; what that unit yields pays the order. */
  'dust-order': (quote, { consistent }) => {
    const { route, refundCurrency, currencyIn } = quote.details;
    const honest = JSON.stringify(quote.steps);
    const rest = BigInt(currencyIn.amount) - 1n;
    reswap(quote, ({ srcReceivers }) => ({
      srcReceivers: [thief, ...srcReceivers],
      srcAmounts: [rest, 1n],
      minReturnAmount: 1n,
    }));
    if (!consistent || JSON.stringify(quote.steps) === honest) return;
    const { paymentDetails } = quote.protocol?.v2 ?? {};
    for (const field of [route?.origin?.outputCurrency, refundCurrency])
      if (field) Object.assign(field, { amount: '1', minimumAmount: '1' });
    for (const field of [order(quote)?.inputs[0]?.payment, paymentDetails]) if (field) field.amount = '1';
    delete quote.protocol?.v2?.orderSignature;
  },
  /** The exchange is another one, which swaps only where it is simulated. */
  'simulation-aware': (quote) => reroute(quote, ({ calls }) => ({ calls: byCheat(calls) })),
  /** The leftovers of the native asset go to the thief. */
  'router-refund': (quote) => reroute(quote, () => ({ refundTo: thief })),
  /** The contracts' events name another request. */
  'router-metadata': (quote) => reroute(quote, () => ({ metadata: Calldata.metadataOf(otherId) })),
  /** Another order's id stands behind the arguments. */
  'router-suffix': (quote) => reroute(quote, () => ({ suffix: otherId })),
  /** The deposit is credited to the thief. */
  'wrong-depositor': (quote) => {
    const last = transactions(quote).at(-1);
    if (!last || !order(quote)) return;
    last.data = replaced(last.data, quote.details.sender, thief);
  },
  /** The router deposits with another contract. */
  'router-depository': (quote, { consistent }) => {
    const { paymentDetails } = quote.protocol?.v2 ?? {};
    if (!paymentDetails) return;
    const { depository } = paymentDetails;
    const isRouted = reroute(quote, ({ calls }) => ({
      calls: calls.map((call) => ({ ...call, callData: replaced(call.callData, depository, thief) as Hex })),
    }));
    if (consistent && isRouted) paymentDetails.depository = thief;
  },
  /** The solver has signed something else. */
  'wrong-signature': (quote) => {
    const { v2 } = quote.protocol ?? {};
    if (!v2?.orderSignature) return;
    const { orderSignature: signed } = v2;
    v2.orderSignature = `0x${signed.slice(2, 10)}${signed.slice(10, 12) === '00' ? '01' : '00'}${signed.slice(12)}`;
  },
  'trailing-bytes': (quote) => {
    const last = transactions(quote).at(-1);
    if (last) last.data = `${String(last.data)}${word(thief)}`;
  },
  /** The payment is a plain transfer to an address. */
  'deposit-address': (quote) => {
    const [step] = quote.steps.slice(-1);
    const last = transactions(quote).at(-1);
    if (!step || !last) return;
    const { currency, amount } = quote.details.currencyIn;
    const { to, data } = Calldata.transfer({ address: currency.address as Address }, thief, BigInt(amount));
    step.depositAddress = thief;
    Object.assign(last, { to, data });
    quote.steps = [step];
  },
  'other-typed-data': authorizing(() => ({ to: thief })),
  /** What is to be signed is 32 bytes, which may be the hash of anything. */
  'opaque-digest': (quote, { consistent }) => {
    for (const request of signatures(quote)) {
      Object.assign(request, { sign: { signatureKind: 'eip191', message: otherId } });
      if (consistent && request.post?.body) request.post.body.kind = 'request';
    }
  },
  /** The signature authorizes the router, which takes orders from anybody. */
  'router-payee': authorizing((_, quote) => ({ to: purposeOf(quote)?.contracts.router ?? thief })),
  /** Anybody may submit the authorization to the token, which leaves the tokens with the proxy. */
  'any-submitter': (quote) => {
    for (const { sign } of signatures(quote)) {
      const { [sign.primaryType ?? '']: fields } = sign.types ?? {};
      sign.primaryType = 'TransferWithAuthorization';
      sign.types = { [sign.primaryType]: fields };
    }
  },
  'other-nonce': authorizing(() => ({ nonce: otherId })),
  /** The authorization is valid for a year. */
  'longer-validity': authorizing(({ validBefore }) => ({ validBefore: Number(validBefore) + 365 * 24 * 3600 })),
  /** The authorization is valid only later, when it is no longer watched. */
  'later-validity': authorizing(({ validBefore }) => ({ validAfter: Number(validBefore) - 60 })),
  'other-post': (quote) => {
    for (const { post } of signatures(quote)) if (post?.body) post.body.requestId = otherId;
  },
  'foreign-post': (quote) => {
    for (const { post } of signatures(quote)) if (post) post.endpoint = `https://status.example${post.endpoint}`;
  },
  'foreign-check-url': (quote) => {
    for (const { check } of quote.steps.flatMap(({ items }) => items))
      if (check) check.endpoint = `https://status.example${check.endpoint}`;
  },
  /** A refund on the origin goes to the thief. */
  'wrong-refund': (quote) => {
    const [refund] = order(quote)?.inputs[0]?.refunds ?? [];
    if (refund) refund.recipient = thiefOn(refund.chainId);
  },
  'wrong-deposit-id': (quote, { consistent }) => {
    const { v2 } = quote.protocol ?? {};
    const last = transactions(quote).at(-1);
    const purpose = purposeOf(quote);
    if (!v2 || (!last && !purpose && transfers(quote).length === 0)) return;
    for (const value of authorized(quote)) if (purpose) value.nonce = Permit.nonceOf({ ...purpose, orderId: otherId });
    if (last) last.data = replaced(last.data, v2.orderId, otherId);
    for (const each of transfers(quote)) each.memo = otherId;
    if (consistent) v2.orderId = otherId;
  },
  /** The venue transfer names the request, as the specification says, and so no order. */
  'request-id-memo': transferring(({ memo }, quote) => ({ memo: QuoteV2.requestIdOf(quote) ?? memo })),
  'other-currency': (quote, { consistent }) => {
    const { currency } = quote.details.currencyOut;
    const other = order(quote)?.output.chainId === venue ? '1' : thief;
    for (const payment of order(quote)?.output.payments ?? []) payment.currency = other;
    if (consistent || !order(quote)) currency.address = other;
  },
  /** The order is delivered on its origin chain. */
  'other-chain': (quote, { consistent }) => {
    const { currencyIn, currencyOut, sender } = quote.details;
    const { output, inputs } = order(quote) ?? {};
    const { chainId, currency } = inputs?.[0]?.payment ?? {};
    // If the account formats differ, use the sender's, as a wallet would not.
    if (output && (chainId === venue || output.chainId === venue))
      for (const payment of output.payments) Object.assign(payment, { recipient: sender, currency });
    if (output) output.chainId = chainId ?? output.chainId;
    if (consistent || !output) currencyOut.currency.chainId = currencyIn.currency.chainId + (output ? 0 : 1);
  },
  'larger-fee': (quote, { consistent }) => {
    for (const each of transfers(quote)) {
      each.usdcFee *= 10;
      if (consistent && quote.fees?.gas) quote.fees.gas.amount = String(each.usdcFee);
    }
  },
  'other-asset': transferring(() => ({ assetIndex: 1 })),
  /** The venue transfer is taken from another part of the account. */
  'other-route': transferring(() => ({ fromRouteType: 1 })),
  'order-calls': (quote) => {
    order(quote)?.output.calls.push('0xdeadbeef');
  },
  /** Another solver fills the order. The signature is removed with it. */
  'other-solver': (quote) => {
    const found = order(quote);
    if (!found) return;
    found.solver = thief;
    delete quote.protocol?.v2?.orderSignature;
  },
  'expired-order': (quote) => {
    const found = order(quote);
    if (found) found.output.deadline = 1;
  },
  /** A fifth of the input goes to fees; only in consistent mode does the total include it. */
  'worse-fees': (quote, { consistent }) => {
    const { currencyIn, expandedPriceImpact, totalImpact } = quote.details;
    const more = (Usd.from(currencyIn.amountUsd) ?? 0n) / 5n;
    const { execution } = expandedPriceImpact;
    execution.usd = Usd.formatWire((Usd.from(execution.usd) ?? 0n) - more);
    if (consistent) totalImpact.usd = Usd.formatWire((Usd.from(totalImpact.usd) ?? 0n) - more);
  },
} as const satisfies Record<string, (quote: Quote, mode: Mode) => void>;

export type Recipe = keyof typeof changes;

export type Mode = {
  /**
   * Whether the order id, the calldata that contains it and the fields that repeat the change are adjusted to match.
   */
  consistent: boolean;
};

export const recipes = Object.keys(changes) as [Recipe, ...Recipe[]];

/**
 * Applies a recipe to a copy of a quote. A response that is not a quote, or has nothing for the recipe to change, is
 * copied unchanged.
 */
export function from(answer: unknown, recipe: Recipe, mode: Mode): unknown {
  const quote = structuredClone(answer) as Quote;
  if (!Array.isArray(quote?.steps) || !quote.details) return quote;
  changes[recipe](quote, mode);
  return mode.consistent ? adjusted(quote, answer as Quote) : quote;
}

/** Recipient of everything stolen; nobody has its private key. */
export const thief: Address = '0x000000000000000000000000000000000badc0de';

/** The same on the venue; the account does not exist. */
const thiefIndex = '666666';

const venue = 'lighter';

function thiefOn(slug: string | undefined) {
  return slug === venue ? thiefIndex : thief;
}

const otherId: Hex = `0x${'0d'.repeat(32)}`;

/**
 * Recomputes the order id and replaces every occurrence of the old one, and the nonce of an authorization, which is a
 * hash of it. A tampered order id or nonce is left alone.
 */
function adjusted(quote: Quote, honest: Quote): unknown {
  const { v2 } = quote.protocol ?? {};
  if (!v2 || v2.orderId === otherId) return quote;
  const old = v2.orderId.slice(2);
  const changed: Quote = JSON.parse(JSON.stringify(quote).replaceAll(old, OrderId.from(v2.orderData).slice(2)));
  const [before, after] = [purposeOf(honest), purposeOf(changed)];
  if (!before || !after) return changed;
  for (const value of authorized(changed))
    if (value.nonce === Permit.nonceOf(before)) value.nonce = Permit.nonceOf(after);
  return changed;
}

/** What an authorization to the approval proxy is for; undefined if the quote has none. */
function purposeOf(quote: Quote): Permit.Purpose | undefined {
  const { v2 } = quote.protocol ?? {};
  const [signature] = signatures(quote);
  const requestId = QuoteV2.requestIdOf(quote);
  const [refund] = order(quote)?.inputs[0]?.refunds ?? [];
  if (!v2 || !refund || !requestId || signature?.sign.primaryType !== 'ReceiveWithAuthorization') return undefined;
  const [router] = decodeAbiParameters([{ type: 'address' }], refund.extraData as Hex);
  return {
    contracts: {
      depository: v2.paymentDetails.depository as Address,
      router,
      approvalProxy: signature.sign.value?.to as Address,
    },
    user: quote.details.sender as Address,
    token: quote.details.currencyIn.currency.address as Address,
    orderId: v2.orderId as Hex,
    requestId: requestId as Hex,
  };
}

/** Replaces an account in the last transaction with the thief, except as the recipient of leftovers. */
function redirect(quote: Quote, from: string): void {
  const last = transactions(quote).at(-1);
  if (!last) return;
  const data = String(last.data);
  const calls = data.length > routerHead ? routerHead : 0;
  last.data = data.slice(0, calls) + replaced(data.slice(calls), from, thief);
  if (String(last.to).toLowerCase() === from.toLowerCase()) last.to = thief;
}

/** Changes the last transaction if it is a call of the router or of the approval proxy. Returns whether it is. */
function reroute(quote: Quote, change: (parts: Multicall) => Partial<Multicall>): boolean {
  const last = transactions(quote).at(-1);
  const data = last && changed(last.data as Hex, change);
  if (last && data) last.data = data;
  return data !== undefined;
}

function theftOf(token: string, amount: bigint): Calldata.RouterCall {
  return Calldata.toRouterCall(Calldata.transfer({ address: token as Address }, thief, amount));
}

/** Length in hex digits of the head of a router call, which contains the recipient of leftovers. */
const routerHead = 10 + 6 * 64;

function replaced(data: unknown, from: string, to: string): string {
  return String(data).replaceAll(word(from), word(to));
}

function word(value: string): string {
  return value.slice(2).toLowerCase().padStart(64, '0');
}

function hex(value: bigint): Hex {
  return `0x${value.toString(16)}`;
}

function isNative(address: string): boolean {
  return /^0x0+$/.test(address);
}

type Quote = QuoteAnswer.Response;

/** The order, if the solver takes part. */
function order(quote: Quote) {
  return quote.protocol?.v2?.orderData;
}

/** The transactions to send, in order. */
function transactions({ steps }: Quote): Record<string, unknown>[] {
  return steps.flatMap(({ items }) => items.flatMap(({ data }) => (data && 'to' in data ? [data] : [])));
}

type Transfer = Step.VenueTransfer['action']['parameters'];

function transfers({ steps }: Quote): Transfer[] {
  const all = steps.flatMap(({ items }) => items);
  return all.flatMap(({ data }) => (data && 'action' in data ? [(data as Step.VenueTransfer).action.parameters] : []));
}

/** The transactions that grant allowances. */
function approvals(quote: Quote): Record<string, unknown>[] {
  return transactions(quote).filter(({ data }) => String(data).startsWith('0x095ea7b3'));
}

type SignatureRequest = {
  sign: { primaryType?: string; types?: Record<string, unknown>; value?: Record<string, unknown> };
  post?: { endpoint: string; body?: Record<string, unknown> };
};

function signatures({ steps }: Quote): SignatureRequest[] {
  return steps.flatMap(({ items }) =>
    items.flatMap(({ data }) => (data && 'sign' in data ? [data as SignatureRequest] : [])),
  );
}

/** What the signature requests authorize. */
function authorized(quote: Quote): Record<string, unknown>[] {
  return signatures(quote).flatMap(({ sign }) => (sign.value ? [sign.value] : []));
}

function authorizing(change: (value: Record<string, unknown>, quote: Quote) => Record<string, unknown>) {
  return (quote: Quote): void => {
    for (const value of authorized(quote)) Object.assign(value, change(value, quote));
  };
}

function transferring(change: (transfer: Transfer, quote: Quote) => Partial<Transfer>) {
  return (quote: Quote): void => {
    for (const each of transfers(quote)) Object.assign(each, change(each, quote));
  };
}

/** The parts of a call that a liar may change. */
type Multicall = {
  calls: readonly Calldata.RouterCall[];
  refundTo: Address;
  metadata: Hex;
  suffix: Hex;
};

/** The terms of a swap by the aggregator that a liar may change. */
type SwapTerms = {
  srcReceivers: readonly Address[];
  srcAmounts: readonly bigint[];
  dstReceiver: Address;
  minReturnAmount: bigint;
};

/** The calldata of a call of the router, or of the approval proxy, with a change; undefined if it is no such call. */
function changed(data: Hex, change: (parts: Multicall) => Partial<Multicall>): Hex | undefined {
  const decoded = decoding(() => decodeFunctionData({ abi: routed, data }));
  if (decoded?.functionName !== 'multicall' && decoded?.functionName !== 'transferAndMulticall') return undefined;
  const { functionName, args } = decoded;
  const [calls, refundTo, nftRecipient, metadata] = args.length === 4 ? args : [args[2], args[3], args[4], args[5]];
  const encode = (parts: Omit<Multicall, 'suffix'>): Hex => {
    const changed = [...args.slice(0, -4), parts.calls, parts.refundTo, nftRecipient, parts.metadata];
    return encodeFunctionData({ abi: routed as Abi, functionName, args: changed });
  };
  const bare = { calls, refundTo, metadata };
  const before: Multicall = { ...bare, suffix: `0x${data.slice(encode(bare).length)}` };
  const after = { ...before, ...change(before) };
  return `${encode(after)}${after.suffix.slice(2)}`;
}

const routed = [...abi.router, ...abi.approvalProxy] as const;

function reswap(quote: Quote, change: (terms: SwapTerms) => Partial<SwapTerms>): void {
  const swapped = (call: Calldata.RouterCall): Calldata.RouterCall => {
    const execution = swapIn(call.callData);
    if (!execution) return call;
    const desc = { ...execution.desc, ...change(execution.desc) };
    const args = [{ ...execution, desc }] as const;
    return { ...call, callData: encodeFunctionData({ abi: abi.aggregationRouter, functionName: 'swap', args }) };
  };
  reroute(quote, ({ calls }) => ({ calls: calls.map(swapped) }));
}

/** The calls with each swap of tokens by the aggregator made by the cheat, which the aggregator's allowance goes to. */
function byCheat(calls: readonly Calldata.RouterCall[]): Calldata.RouterCall[] {
  const { aggregator, cheat } = deployments.alpha;
  const approved = aggregator.slice(2).toLowerCase();
  if (!calls.some(({ callData }) => callData.includes(approved))) return [...calls];
  return calls.map((call) => {
    const execution = swapIn(call.callData);
    if (!execution) return { ...call, callData: call.callData.replaceAll(approved, cheat.slice(2)) as Hex };
    const { srcToken, amount } = execution.desc;
    const args = [srcToken, amount, aggregator, call.callData] as const;
    const callData = encodeFunctionData({ abi: abi.cheat, functionName: 'trade', args });
    return { ...call, target: cheat, callData };
  });
}

function swapIn(data: Hex) {
  return decoding(() => decodeFunctionData({ abi: abi.aggregationRouter, data }).args[0]);
}

/** What the calldata says; undefined if it is of something else. */
function decoding<Result>(decode: () => Result): Result | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}
