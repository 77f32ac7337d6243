/** The venue: it takes a signed transfer, executes it a while later, and takes nothing back. */

import { recoverMessageAddress } from 'viem/utils';
import type { Address } from '../../src/core/base/Address.js';
import type { Hex } from '../../src/core/base/Hex.js';
import type { Venue, VenueSending } from '../../src/core/ports/Ports.js';
import { readTransfer } from '../../src/sandbox/venue/admission.js';
import * as Books from '../../src/sandbox/venue/venueAccounts.js';
import * as Transfer from '../../src/venue/Transfer.js';
import type { Client } from './client.js';
import type { Kernel } from './kernel.js';
import { failure } from './node.js';
import type { Random } from './random.js';
import type { Trouble } from './trouble.js';
import * as wallet from './wallet.js';

/** A transfer that the venue has taken. */
type Entry = {
  hash: string;
  info: string;
  transfer: Transfer.Transfer;
  status: 'pending' | 'executed' | 'failed';
  takenMs: number;
  /** From when on it is shown. */
  shownMs: number;
  settledMs: number;
};

/** One that it has executed: 80 hexadecimal digits, and the order that its memo names. */
export type Executed = { hash: string; orderId: Hex };

export type Model = {
  connect(client: Client, left: (txInfo: string, orderId: string) => void): Venue;
  /** When a transfer was executed, in Unix milliseconds. */
  executedMs(hash: string): number | undefined;
  /** Whether what was signed could be executed at a time, by whoever has it. */
  isOpen(txInfo: string, atMs: number): boolean;
  /** Millionths of USDC that the account has. */
  balance(): bigint;
  /** Pays the account from the service's own; returns the hash. */
  pay(amount: bigint, orderId: Hex): string;
  /** Calls this with each transfer to the service that was executed. */
  watch(look: (executed: Executed) => void): void;
};

type Surroundings = { kernel: Kernel; random: Random; trouble: Trouble };

const name = 'venue';
const patienceMs = 8_000;

/** The account that pays. */
export const accountIndex = 100;

/** What a transfer to the service costs, in millionths of USDC. */
export const transferFee = 3_000_000n;

const turnMs = 100;

/** How far ahead a transfer may expire. */
const longestValidityMs = 600_000;

export function create({ kernel, random, trouble }: Surroundings): Model {
  const entries = new Map<string, Entry>();
  const watchers: ((executed: Executed) => void)[] = [];
  let usdc = 10_000_000_000n;
  /** That of the next transaction of the API key, and when each was used up. */
  const usedMs: number[] = [];
  const pending = (): Entry[] => [...entries.values()].filter(({ status }) => status === 'pending');
  const nextNonce = (): bigint => BigInt(usedMs.length + pending().length);

  /** Takes a transfer, unless its code says why not. */
  const take = async (txInfo: string): Promise<number | undefined> => {
    const { transfer, signature, l1Signature = '0x' } = readTransfer(txInfo);
    const hash = Transfer.txHash(transfer, Books.signingChainId);
    const message = Transfer.l1Message(transfer, Books.signingChainId);
    const owner = await recoverMessageAddress({ message, signature: l1Signature }).catch(() => undefined);
    if (Buffer.compare(signature, wallet.apiKey.sign(Transfer.hash(transfer, Books.signingChainId))) !== 0)
      return 21120;
    if (transfer.nonce !== nextNonce() || entries.has(hash)) return 21104;
    const validForMs = transfer.expiredAtMs - kernel.now();
    if (validForMs <= 0 || validForMs > longestValidityMs) return 21501;
    if (owner !== wallet.owner) return 21504;
    if (transfer.usdcFee !== transferFee) return 21134;
    if (usdc < transfer.amount + transfer.usdcFee) return 21305;
    entries.set(hash, {
      ...{ hash, info: txInfo, transfer, status: 'pending' },
      ...{ takenMs: kernel.now(), shownMs: kernel.now(), settledMs: Number.POSITIVE_INFINITY },
    });
    kernel.note(name, () => `takes ${hash.slice(0, 8)}`);
    const fault = trouble.at(name, 'execution');
    const lateMs = fault?.what === 'executes it late' ? (fault.size ?? 0) : 0;
    kernel.after(random.between(200, 2_000) + lateMs, () => execute(hash, fault?.what === 'fails it'));
    return undefined;
  };

  const execute = (hash: string, isFailing: boolean): void => {
    const entry = entries.get(hash);
    if (!entry) return;
    const { transfer } = entry;
    // Those of a key are executed one after the other.
    if (pending().some((each) => each.transfer.nonce < transfer.nonce)) {
      kernel.after(turnMs, () => execute(hash, isFailing));
      return;
    }
    entry.settledMs = kernel.now();
    const isExpired = transfer.expiredAtMs <= kernel.now() || transfer.nonce !== BigInt(usedMs.length);
    // What has expired, or comes out of turn, uses no nonce.
    if (!isExpired) usedMs.push(kernel.now());
    const isDone = !isExpired && !isFailing && usdc >= transfer.amount + transfer.usdcFee;
    entry.status = isDone ? 'executed' : 'failed';
    kernel.note(name, () => `${isDone ? 'executes' : 'fails'} ${hash.slice(0, 8)}`);
    if (!isDone) return;
    usdc -= transfer.amount + transfer.usdcFee;
    for (const look of watchers) look({ hash, orderId: transfer.memo });
  };

  const taken = async (txInfo: string): Promise<VenueSending> => {
    const code = await take(txInfo);
    return code === undefined ? { verdict: 'accepted', hash: hashOf(txInfo) } : refused(code);
  };

  /** What becomes of a transfer that is sent, and what is answered. */
  const submit = async (txInfo: string): Promise<VenueSending> => {
    const holding = trouble.during(name, 'holds what it is sent');
    if (holding) {
      kernel.after(holding.size ?? 0, () => void take(txInfo));
      return open('venue.timeout');
    }
    const fault = trouble.at(name, 'transfer');
    switch (fault?.what) {
      case undefined:
        return taken(txInfo);
      case 'loses the answer':
        await take(txInfo);
        return open('venue.timeout');
      case 'loses the transfer':
        return open('venue.timeout');
      case 'fails':
        return open('venue.unavailable');
      case 'is busy':
        return { verdict: 'refused', error: failure('venue.rate-limited', 'It is busy.'), venueCode: 23_000 };
      case 'refuses':
        return refused(21506);
      case 'refuses, and takes it': {
        // As if somebody on the way had submitted it twice.
        await take(txInfo);
        const entry = entries.get(hashOf(txInfo));
        if (entry) entry.shownMs = kernel.now() + Math.min(fault.size ?? 0, 8_000);
        return refused(21104);
      }
      case 'refuses, and takes it later':
        kernel.after(fault.size ?? 0, () => void take(txInfo));
        return refused(21506);
      case 'accepts it, and does nothing':
        return { verdict: 'accepted', hash: hashOf(txInfo) };
      case 'accepts it, and takes it late':
        kernel.after(fault.size ?? 0, () => void take(txInfo));
        return { verdict: 'accepted', hash: hashOf(txInfo) };
      default:
        throw new Error(`the venue does not do this: ${fault?.what}`);
    }
  };

  // However late it is, it is late once.
  const shownFrom = ({ takenMs, shownMs }: Entry): number =>
    Math.max(shownMs, takenMs + (trouble.during(name, 'shows late')?.size ?? 0));
  const shown = (hash: string): Awaited<ReturnType<Venue['transaction']>> => {
    const entry = entries.get(hash);
    if (!entry || kernel.now() < shownFrom(entry) || trouble.during(name, 'hides transactions')) return undefined;
    const isLie = entry.status === 'executed' && trouble.during(name, 'says that it failed') !== undefined;
    const status = isLie ? 'failed' : trouble.during(name, 'says that it was executed') ? 'executed' : entry.status;
    const failed = status === 'failed' ? 'AppErrInternal' : undefined;
    return { hash, status: statuses[status], failure: failed, info: entry.info };
  };

  const connect = (client: Client, left: (txInfo: string, orderId: string) => void): Venue => {
    const ask = <T>(act: () => T | Promise<T>): Promise<T> => {
      if (trouble.during(name, 'is silent'))
        return client.ask(2 * patienceMs, () => {
          throw failure('venue.timeout', 'The venue took too long to answer.');
        });
      return client.ask(random.between(8, 80), act);
    };
    /** What is seen at once, and now and then told late. */
    const look = async (hash: string): ReturnType<Venue['transaction']> => {
      const seen = shown(hash);
      const slow = trouble.during(name, 'answers late');
      if (slow && random.chance(0.15)) await kernel.sleep(slow.size ?? 0);
      return seen;
    };
    const account = async () => ({
      index: accountIndex,
      wallet: wallet.owner as Address,
      ...{ isMaster: true, isActive: true },
      assets: [{ symbol: 'USDC', assetIndex: 3, perps: inUnits(usdc), spot: '0' }],
    });
    return {
      baseUrl: 'https://venue.example',
      accountsOf: () => ask(async () => [await account()]),
      firstAccountOf: () => ask(account),
      account: () => ask(account),
      apiKeys: () =>
        ask(() => [{ index: Books.apiKeyIndex, publicKey: wallet.apiKey.publicKey, nonce: BigInt(usedMs.length) }]),
      nextNonce: () =>
        ask(() => {
          const nonce = nextNonce();
          if (trouble.during(name, 'says that a nonce is used')) return nonce + 1n;
          return trouble.during(name, 'says that a nonce is free') && nonce > 0n ? nonce - 1n : nonce;
        }),
      transferFee: () => ask(() => transferFee),
      transaction: (hash) => ask(() => look(hash)),
      async send(txInfo) {
        if (trouble.at(name, 'connection')) return { ...open('venue.unreachable'), verdict: 'unsent' };
        left(txInfo, readTransfer(txInfo).transfer.memo);
        if (trouble.during(name, 'is silent')) return client.ask(2 * patienceMs, () => open('venue.timeout'));
        return client.ask(random.between(8, 80), () => submit(txInfo));
      },
    };
  };

  return {
    connect,
    balance: () => usdc,
    watch: (look) => void watchers.push(look),
    executedMs(hash) {
      const entry = entries.get(hash);
      return entry?.status === 'executed' ? entry.settledMs : undefined;
    },
    isOpen(txInfo, atMs) {
      const { transfer } = readTransfer(txInfo);
      const entry = entries.get(hashOf(txInfo));
      const isSettled = entry !== undefined && entry.settledMs <= atMs;
      // A venue that has refused it does not keep it for when the one that has its nonce gives that back.
      const isTaken = [...entries.values()].some(
        (each) =>
          each !== entry && each.transfer.nonce === transfer.nonce && each.takenMs <= atMs && atMs < each.settledMs,
      );
      const isUsed = isTaken || (usedMs[Number(transfer.nonce)] ?? Number.POSITIVE_INFINITY) <= atMs;
      return !isSettled && !isUsed && atMs < transfer.expiredAtMs;
    },
    pay(amount, orderId) {
      const transfer = {
        ...{ fromAccountIndex: BigInt(Books.relayerIndex), toAccountIndex: BigInt(accountIndex), amount, usdcFee: 0n },
        ...{ apiKeyIndex: Books.apiKeyIndex, assetIndex: 3, fromRouteType: 0, toRouteType: 0, memo: orderId },
        ...{ expiredAtMs: kernel.now() + 60_000, nonce: BigInt(entries.size) },
      };
      const info = Transfer.toTxInfo({ transfer, signature: new Uint8Array(80), l1Signature: undefined });
      const hash = hashOf(info);
      entries.set(hash, {
        hash,
        info,
        transfer,
        status: 'executed',
        takenMs: kernel.now(),
        shownMs: kernel.now(),
        settledMs: kernel.now(),
      });
      usdc += amount;
      return hash;
    },
  };
}

const statuses = { failed: 0, pending: 1, executed: 2 } as const;

function hashOf(txInfo: string): string {
  return Transfer.txHash(readTransfer(txInfo).transfer, Books.signingChainId);
}

function refused(venueCode: number): VenueSending {
  return { verdict: 'refused', error: failure('venue.refused', 'The venue refused the transfer.'), venueCode };
}

function open(code: 'venue.timeout' | 'venue.unavailable' | 'venue.unreachable') {
  return { verdict: 'open', error: failure(code, 'The venue does not answer.'), venueCode: undefined } as const;
}

function inUnits(usdc: bigint): string {
  return `${usdc / 1_000_000n}.${String(usdc % 1_000_000n).padStart(6, '0')}`;
}
