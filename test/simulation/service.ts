/** The service: quotes with the sandbox's own engine, watches the chains for deposits, fills or refunds them, submits batches and permits. */

import { privateKeyToAccount } from 'viem/accounts';
import { encodeFunctionData } from 'viem/utils';
import type * as Execute from '../../src/core/api/Execute.js';
import type * as ExecutePermits from '../../src/core/api/ExecutePermits.js';
import type * as QuoteV2 from '../../src/core/api/QuoteV2.js';
import type * as StatusV3 from '../../src/core/api/StatusV3.js';
import type { Address } from '../../src/core/base/Address.js';
import { BaseError } from '../../src/core/base/Errors.js';
import type { Hex } from '../../src/core/base/Hex.js';
import type { Service } from '../../src/core/ports/Ports.js';
import * as Permit from '../../src/sandbox/pricing/Permit.js';
import type * as Order from '../../src/sandbox/quote/Order.js';
import * as SandboxQuote from '../../src/sandbox/quote/Quote.js';
import type * as QuoteAnswer from '../../src/sandbox/quote/QuoteAnswer.js';
import * as abi from '../../src/sandbox/values/abi.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import * as QuoteIds from '../../src/sandbox/values/QuoteIds.js';
import { type Blockchain, isDeposit, outcome, type Transaction } from './blockchain.js';
import type { Client } from './client.js';
import { depositIn } from './contracts.js';
import type { Kernel } from './kernel.js';
import { keys } from './ledger.js';
import { marketOf, venueId } from './market.js';
import { failure } from './node.js';
import { digest, type Random } from './random.js';
import type { Trouble } from './trouble.js';
import type * as venues from './venue.js';

/** What the service does with a deposit. */
export type Manner = 'fills' | 'refunds' | 'keeps it' | 'fills too little' | 'fills late';

/** An order that was quoted, and what has become of it. */
export type Placed = {
  requestId: Hex;
  /** Who asked for it. */
  client: string;
  order: Order.Order;
  /** Every transaction that has deposited for it. */
  deposits: Hex[];
  /** Those of them too whose block was taken back. */
  everSeen: Hex[];
  /** Whether a batch or a permit for it was accepted: what is handed over again gets the same answer, and no more. */
  isSubmitted: boolean;
  status: StatusV3.State;
  payouts: { hash: Hex; kind: 'fill' | 'refund'; amount: bigint }[];
};

/** A call without a quote, which the service makes for somebody, and the transactions that made it. */
export type RawCall = Pick<Placed, 'requestId' | 'client' | 'isSubmitted'> & { hashes: Hex[] };

export type Model = {
  orders: ReadonlyMap<string, Placed>;
  calls: ReadonlyMap<string, RawCall>;
  /** The request of an order. */
  requestOf(orderId: string): Hex | undefined;
  connect(client: Client, left: (signature: Hex, requestId?: string) => void): Service;
};

type Surroundings = {
  kernel: Kernel;
  random: Random;
  trouble: Trouble;
  manner: Manner;
  seed: number;
  origin: Blockchain;
  destination: Blockchain;
  venue: venues.Model;
};

const name = 'service';
const patienceMs = 8_000;
const relayer = accounts.relayer.address.toLowerCase();
const solver = accounts.solver.address.toLowerCase();

/** Whoever pays at the addresses that are shown. */
export const payer = accounts.dev1.address.toLowerCase();

/** Accounts of the service, and of whoever pays at its addresses. */
export const parties: readonly string[] = [relayer, solver, payer];

export function create({ kernel, random, trouble, manner, seed, origin, destination, venue }: Surroundings): Model {
  const orders = new Map<string, Placed>();
  const byOrderId = new Map<string, Placed>();
  /** Those that are paid at an address. */
  const atAddresses: Placed[] = [];
  const calls = new Map<string, RawCall>();
  let sequence = 0;

  const quote = async (request: QuoteV2.Request, client: string): Promise<QuoteAnswer.Response> => {
    // The same few orders come in many runs, so that what is costly about them is computed once.
    const nowMs = Math.floor(kernel.now() / 20_000) * 20_000;
    sequence += 1;
    const { requestId } = QuoteIds.from({ seed: String(seed % 2), sequence, nowMs });
    const { response, order } = await quoteOf(request, nowMs, sequence);
    const placed: Placed = {
      requestId,
      client,
      order,
      deposits: [],
      everSeen: [],
      isSubmitted: false,
      status: 'waiting',
      payouts: [],
    };
    orders.set(requestId, placed);
    if (order.protocol) byOrderId.set(order.protocol.orderId, placed);
    if (order.depositAddress) atAddresses.push(placed);
    kernel.note(name, () => `quotes ${requestId.slice(0, 20)} to ${client}`);
    return response;
  };

  const quoteOf = (request: QuoteV2.Request, nowMs: number, number: number): Promise<SandboxQuote.Quote> => {
    const isFromVenue = request.originChainId === venueId;
    const wallet = isFromVenue ? { ...unfunded, balance: venue.balance() } : walletOf(request, origin);
    const market = marketOf(nowMs, [origin, destination], venue);
    const key = JSON.stringify([request, nowMs, seed % 2, number, market, wallet], (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    const made =
      quotes.get(key) ??
      SandboxQuote.from(request, {
        market,
        wallet,
        identity: QuoteIds.from({ seed: String(seed % 2), sequence: number, nowMs }),
        client: { sponsorBalanceUsd: 10n ** 12n },
        signOrderId,
      });
    if (quotes.size > mostQuotes) quotes.clear();
    quotes.set(key, made);
    return made;
  };

  const depositsOf = (placed: Placed): Hex[] =>
    placed.deposits.filter((hash) => isDeposit(origin.mined(hash)) || venue.executedMs(hash) !== undefined);

  /** Finds deposits in new blocks, and takes up those that are seen for the first time. */
  origin.watch(() => {
    for (const { mined } of origin.blocks.slice(-8))
      for (const { transaction, logs } of mined) {
        const found = depositIn(logs);
        if (found) see(found.id, transaction.hash);
      }
  });

  const see = (orderId: string, hash: Hex): void => {
    const placed = byOrderId.get(orderId);
    if (!placed || placed.deposits.includes(hash)) return;
    placed.deposits.push(hash);
    placed.everSeen.push(hash);
    kernel.note(name, () => `sees the deposit of ${placed.requestId.slice(0, 20)}`);
    // What the venue has executed stays so.
    if (placed.order.origin.chainId === venueId) takeUp(placed);
    else if (placed.deposits.length === 1) kernel.after(random.between(300, 3_000), () => takeUp(placed));
  };

  /** What the venue has executed is seen after a while, or as soon as somebody tells of it. */
  const executed = new Map<string, Hex>();
  venue.watch(({ hash, orderId }) => {
    executed.set(hash, orderId);
    kernel.after(random.between(0, 3_000), () => see(orderId, hash as Hex));
  });
  const lookFor = (hash: string): void => {
    const orderId = executed.get(hash);
    if (orderId) see(orderId, hash as Hex);
  };

  /** Deposits what lies at the addresses of orders, again if its block was taken back. */
  const sweeping = new Set<Placed>();
  origin.watch(() => {
    for (const placed of atAddresses) {
      const { depositAddress: address = '', payment } = placed.order;
      const lies = keys.token(payment.token.address.toLowerCase(), address.toLowerCase());
      if (sweeping.has(placed) || origin.ledger.get(lies) === 0n) continue;
      sweeping.add(placed);
      kernel.after(random.between(300, 3_000), () => {
        relay(placed, sweepOf(placed), undefined);
        kernel.after(5_000, () => sweeping.delete(placed));
      });
    }
  });

  const sweepOf = ({ order: { protocol, refundTo, user, payment } }: Placed): { to: string; data: Hex } => {
    const args = [protocol?.orderId as Hex, String(refundTo ?? user) as Hex, [payment.token.address as Hex]] as const;
    const data = encodeFunctionData({ abi: abi.depositFactory, functionName: 'sweep', args });
    return { to: origin.contracts.depositFactory, data };
  };

  const takeUp = (placed: Placed): void => {
    if (isTakenBack(placed)) return;
    placed.status = 'pending';
    const delayMs = manner === 'fills late' ? random.between(60_000, 200_000) : random.between(500, 4_000);
    kernel.after(delayMs, () => payOut(placed));
  };

  /** Whether its deposit went with its block. What does not wait for another one is seen anew if it ever comes again. */
  const isTakenBack = (placed: Placed): boolean => {
    if (depositsOf(placed).length > 0) return false;
    placed.status = 'waiting';
    if (origin.pending().some(({ hash }) => placed.deposits.includes(hash))) kernel.after(1_000, () => takeUp(placed));
    else placed.deposits = [];
    return true;
  };

  const payOut = (placed: Placed): void => {
    if (isTakenBack(placed)) return;
    if (manner === 'keeps it') {
      placed.status = 'failure';
      return;
    }
    const isRefund = manner === 'refunds';
    const { order } = placed;
    // What is sent back is what was deposited, which a swap may have yielded.
    const due = isRefund ? order.payment.minimumAmount : order.destination.amount;
    const amount = manner === 'fills too little' ? order.destination.minimumAmount / 2n : due;
    if (isRefund && order.origin.chainId === venueId) {
      placed.payouts.push({ hash: venue.pay(amount, placed.requestId) as Hex, kind: 'refund', amount });
      placed.status = 'refund';
      return;
    }
    const chain = isRefund ? origin : destination;
    const { token } = isRefund ? order.payment : order.destination;
    const to = String(isRefund ? (order.refundTo ?? order.user) : order.recipient);
    const paid = transferOf(chain, { from: solver, token: token.address, to, amount });
    placed.payouts.push({ hash: paid.hash, kind: isRefund ? 'refund' : 'fill', amount });
    placed.status = isRefund ? 'refund' : 'submitted';
    chain.submit(paid);
    if (isRefund) return;
    const settle = (): void => {
      if (destination.mined(paid.hash)) placed.status = 'success';
      else kernel.after(500, settle);
    };
    settle();
  };

  /** Submits a call as the relayer. */
  const relay = (
    { requestId }: Pick<Placed, 'requestId'>,
    call: { to: string; data: Hex },
    delegation: Transaction['delegation'],
    isElsewhere = false,
  ): Hex => {
    const nonce = nextNonce(origin, relayer);
    const hash = digest(`relay ${requestId} ${nonce}`);
    const fees = { gas: 1_000_000n, maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 10n ** 9n };
    const to = call.to.toLowerCase();
    kernel.note(name, () => `submits for ${requestId.slice(0, 20)}${isElsewhere ? ' on another branch' : ''}`);
    const submit = isElsewhere ? origin.submitElsewhere : origin.submit;
    submit({ ...fees, hash, nonce, from: relayer, to, data: call.data, value: 0n, delegation });
    return hash;
  };

  /** Takes what was signed and submits it, or not, and answers, or not. */
  const handOver = <T>(
    placed: Pick<Placed, 'isSubmitted'>,
    relay: (isElsewhere?: boolean) => void,
    answer: T,
    { isHonest = false }: { isHonest?: boolean } = {},
  ): T => {
    const fault = trouble.at(name, 'submission');
    const submit = (): void => {
      if (!placed.isSubmitted) relay();
      placed.isSubmitted = true;
    };
    const later = (): void => kernel.after(fault?.size ?? 0, submit);
    switch (fault?.what) {
      case undefined:
        submit();
        return answer;
      case 'does not get it':
        throw failure('service.unreachable', 'The service does not answer.');
      case 'loses the answer':
        submit();
        throw failure('service.timeout', 'The service took too long to answer.');
      case 'submits late, without an answer':
        later();
        throw failure('service.timeout', 'The service took too long to answer.');
      case 'fails':
        throw failure('service.unavailable', 'The service failed with a server error.');
      case 'refuses':
        throw refusal();
      case 'refuses, and submits it':
        if (!isHonest) submit();
        throw refusal();
      case 'refuses, and submits it later':
        if (!isHonest) later();
        throw refusal();
      case 'accepts it, and does nothing':
        if (isHonest) submit();
        placed.isSubmitted = true;
        return answer;
      case 'accepts it, and submits it on another branch':
        relay(!isHonest);
        placed.isSubmitted = true;
        return answer;
      case 'accepts it, and submits it late':
        later();
        return answer;
      case 'submits it twice':
        submit();
        if (!isHonest) kernel.after(1, () => relay());
        return answer;
      default:
        throw new Error(`the service does not do this: ${fault?.what}`);
    }
  };

  const statusOfCall = ({ hashes }: RawCall): StatusV3.Response => {
    const done = hashes.filter((hash) => origin.mined(hash));
    return { status: done.length > 0 ? 'success' : 'pending', inTxHashes: done, txHashes: done };
  };

  const statusOf = (requestId: string): StatusV3.Response => {
    const call = calls.get(requestId);
    if (call) return statusOfCall(call);
    const placed = orders.get(requestId);
    if (!placed || trouble.during(name, 'has forgotten everything')) return { status: 'unknown' };
    for (const [what, status] of lies) if (trouble.during(name, what)) return { status, txHashes: [digest(requestId)] };
    if (trouble.during(name, 'changes its word'))
      return { status: kernel.now() % 8_000 < 4_000 ? 'pending' : 'failure' };
    if (placed.order.depositAddress && trouble.during(name, 'ends what nobody pays')) return { status: 'failure' };
    if (trouble.during(name, 'names the delivery of another')) {
      const others = [...orders.values()].filter((each) => each !== placed).flatMap((each) => each.payouts);
      const fills = others.flatMap(({ hash, kind }) => (kind === 'fill' ? [hash] : []));
      if (fills.length > 0) return { status: 'success', txHashes: fills };
    }
    const { status, payouts } = placed;
    const inTxHashes = depositsOf(placed);
    const isAtVenue = placed.order.origin.chainId === venueId;
    const shown = payouts.filter(({ hash, kind }) => kind === 'fill' || isAtVenue || origin.mined(hash));
    return {
      status,
      inTxHashes,
      txHashes: shown.map(({ hash }) => hash),
      originChainId: placed.order.origin.chainId,
      destinationChainId: status === 'refund' ? placed.order.origin.chainId : destination.contracts.chainId,
      updatedAt: kernel.now(),
    };
  };

  const permitCall = ({ order }: Placed, signature: Hex): { to: string; data: Hex } => {
    const { permit, protocol, requestId, user } = order;
    if (!permit || !protocol) throw new Error('It is not paid by a permit.');
    const { depository, router, approvalProxy } = origin.contracts;
    return Permit.toCall(permit, signature, {
      contracts: { depository, router, approvalProxy } as Permit.Purpose['contracts'],
      user: user as Address,
      token: order.origin.token.address as Address,
      orderId: protocol.orderId,
      requestId,
    });
  };

  /** Makes a call that nobody has quoted. Nothing of it is signed, so what the service does with it and says is believed. */
  const executeCall = ({ data: { to, data } }: Execute.Request, client: string): Execute.Response => {
    sequence += 1;
    const requestId = digest(`call ${sequence}`);
    const call: RawCall = { requestId, client, isSubmitted: false, hashes: [] };
    calls.set(requestId, call);
    const make = (): void => void call.hashes.push(relay(call, { to, data: data as Hex }, undefined));
    return handOver(call, make, { message: 'Transaction submitted', requestId }, { isHonest: true });
  };

  const execute = ({ data: call, requestId }: Execute.Request): Execute.Response => {
    const placed = orders.get(requestId ?? '');
    if (!placed) throw refusal();
    const [authorization] = call.authorizationList ?? [];
    const account = call.to.toLowerCase();
    const delegation = authorization && {
      account,
      delegate: authorization.address.toLowerCase(),
      nonce: authorization.nonce,
    };
    const why = placed.isSubmitted
      ? undefined
      : origin.rehearse((place) => {
          if (delegation) place.ledger.set(keys.delegate(account), BigInt(delegation.delegate));
          return outcome({ from: relayer, to: account, data: call.data as Hex, value: 0n }, place).why;
        });
    if (why !== undefined) throw failure('submit.simulation', `The call failed in the service’s simulation: ${why}.`);
    const submit = (isElsewhere?: boolean): void =>
      void relay(placed, { to: account, data: call.data as Hex }, delegation, isElsewhere);
    return handOver(placed, submit, { message: 'Transaction submitted', requestId: placed.requestId });
  };

  const executePermit = ({ requestId }: ExecutePermits.Request, signature: Hex): ExecutePermits.Response => {
    const placed = orders.get(requestId);
    if (!placed) throw refusal();
    const submit = (isElsewhere?: boolean): void =>
      void relay(placed, permitCall(placed, signature), undefined, isElsewhere);
    return handOver(placed, submit, { message: 'Success' });
  };

  const connect = (client: Client, left: (signature: Hex, requestId?: string) => void): Service => {
    // Its answers have a date.
    let hasAnswered = false;
    const ask = <T>(act: () => T | Promise<T>, mostMs = 80): Promise<T> => {
      if (trouble.during(name, 'is silent'))
        return client.ask(2 * patienceMs, () => {
          throw failure('service.timeout', 'The service took too long to answer.');
        });
      const slowMs = trouble.during(name, 'is slow')?.size ?? 0;
      return client.ask(random.between(8, mostMs) + slowMs, () => {
        hasAnswered = true;
        return act();
      });
    };
    return {
      baseUrl: 'https://service.example',
      clockSkew: () => (hasAnswered ? { aheadMs: client.clock.now() - kernel.now(), marginMs: 500 } : undefined),
      time: () => ask(() => Math.floor(kernel.now() / 1000) * 1000),
      quote: (request) =>
        ask(async () => {
          const fault = trouble.at(name, 'quote');
          if (fault?.what === 'refuses') throw refusal();
          if (fault?.what === 'fails') throw failure('service.unavailable', 'The service failed with a server error.');
          return structuredClone(await quote(request, client.name));
        }, 300),
      status: (requestId) =>
        ask(() => {
          if (trouble.at(name, 'status'))
            throw failure('service.unavailable', 'The service failed with a server error.');
          return statusOf(requestId);
        }),
      requests: () =>
        ask(() => ({
          requests: [...orders.values()].flatMap(({ requestId, order, status, deposits }) =>
            order.permit && deposits.length > 0
              ? [{ id: requestId, status, createdAt: new Date(order.createdAtMs).toISOString() }]
              : [],
          ),
          odd: [],
        })) as ReturnType<Service['requests']>,
      tokenPrice: () => ask(() => 2_500),
      indexTransaction: ({ txHash }) => ask(() => lookFor(txHash)),
      indexSingle: () => ask(() => undefined),
      execute(request) {
        left(request.data.data as Hex, request.requestId);
        return ask(() => (request.requestId === undefined ? executeCall(request, client.name) : execute(request)));
      },
      executePermit(request, signature) {
        left(signature, request.requestId);
        return ask(() => executePermit(request, signature));
      },
      requestsV2: unasked,
      chains: unasked,
      currencies: unasked,
      appFees: unasked,
      appFeeClaims: unasked,
      prepareClaim: unasked,
    };
  };
  return { orders, calls, requestOf: (orderId) => byOrderId.get(orderId)?.requestId, connect };
}

/** Quotes that were made before. */
const quotes = new Map<string, Promise<SandboxQuote.Quote>>();
const mostQuotes = 2_000;

/** What a liar says of every request. */
const lies = [
  ['says that it was delivered', 'success'],
  ['says that it was refunded', 'refund'],
  ['says that it failed', 'failure'],
  ['says that nothing has come', 'waiting'],
] as const;

function refusal(): BaseError {
  return new BaseError('service.refused', 'The service refused it.', { httpStatus: 400 });
}

function unasked(): Promise<never> {
  return Promise.reject(new Error('No payment asks for this.'));
}

type Payment = { from: string; token: string; to: string; amount: bigint };

/** A plain payment of one of the service's accounts, or of whoever pays at its addresses. */
export function transferOf(chain: Blockchain, { from, token, to, amount }: Payment): Transaction {
  const nonce = nextNonce(chain, from);
  const hash = digest(`${chain.name} ${from} ${nonce} ${amount} ${to}`);
  const fees = { gas: 200_000n, maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 10n ** 9n };
  if (BigInt(token) === 0n) return { ...fees, hash, from, nonce, to: to.toLowerCase(), data: '0x', value: amount };
  const data = encodeFunctionData({ abi: abi.token, functionName: 'transfer', args: [to as Hex, amount] });
  return { ...fees, hash, from, nonce, to: token.toLowerCase(), data, value: 0n };
}

function nextNonce({ ledger, pending }: Blockchain, owner: string): number {
  const waiting = pending().filter(({ from }) => from === owner);
  return waiting.reduce((next, { nonce }) => Math.max(next, nonce + 1), Number(ledger.get(keys.nonce(owner))));
}

/** The allowances of who has none. */
const unfunded = { depositoryAllowance: 0n, approvalProxyAllowance: 0n };

function walletOf({ user, originCurrency }: QuoteV2.Request, { ledger, contracts }: Blockchain) {
  const [owner, token] = [user.toLowerCase(), originCurrency.toLowerCase()];
  if (BigInt(token) === 0n) return { ...unfunded, balance: ledger.get(keys.native(owner)) };
  const allowance = (spender: string): bigint => ledger.get(keys.allowance(token, owner, spender));
  return {
    balance: ledger.get(keys.token(token, owner)),
    depositoryAllowance: allowance(contracts.depository),
    approvalProxyAllowance: allowance(contracts.approvalProxy),
  };
}

const account = privateKeyToAccount(accounts.solver.privateKey);
const signatures = new Map<Hex, Promise<Hex>>();

/** The solver's signature over an order id, made once for each. */
function signOrderId(orderId: Hex): Promise<Hex> {
  const found = signatures.get(orderId) ?? account.signMessage({ message: { raw: orderId } });
  signatures.set(orderId, found);
  return found;
}
