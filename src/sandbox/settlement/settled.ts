/** The outcome of a transaction, on a chain or on the venue. */

import { bytesToHex } from 'viem/utils';
import type { Hex } from '../../core/base/Hex.js';
import type { Node } from '../chain/readMarket.js';
import type { Entry } from '../ledger/ledger.js';
import {
  type Mined,
  nativeReceived,
  toTransaction as ofMined,
  read as readMined,
  type Transaction,
  tokensReceived,
  waitFor as waitForMined,
  whenFinal,
} from '../ledger/minedTransactions.js';
import type * as RelayedCall from '../ledger/RelayedCall.js';
import type { Order } from '../quote/Order.js';
import { lamportsToUsd, svmDescription } from '../svm/svmDescription.js';
import { gained, type Landed } from '../svm/svmNode.js';
import * as Market from '../values/Market.js';
import * as PartyAccount from '../values/PartyAccount.js';
import * as Valuation from '../values/Valuation.js';
import type { Transfer } from '../venue/books.js';
import type { Instance } from './instance.js';
import { chainContext } from './instance.js';
import { venueDescription } from './readVenue.js';

export type Settled =
  | { on: 'chain'; node: Node; mined: Mined }
  | { on: 'venue'; transfer: Transfer }
  | { on: 'svm'; landed: Landed };

/** Reads an outcome: undefined if the transaction is unknown, `pending` until it is final. */
export async function read(
  instance: Instance,
  { chainId, hash }: { chainId: number; hash: string },
): Promise<Settled | 'pending' | undefined> {
  if (chainId === venueDescription.id) {
    const transfer = instance.venue.transfer(hash);
    return transfer?.status === 'pending' ? 'pending' : transfer && { on: 'venue', transfer };
  }
  if (chainId === svmDescription.id) {
    const landed = instance.svm?.landed(hash);
    return landed && { on: 'svm', landed };
  }
  const { node } = chainContext(instance, chainId);
  const mined = await readMined(node, hash as Hex);
  return mined === 'pending' ? 'pending' : mined && { on: 'chain', node, mined };
}

/** Polls until the transaction is final. Rejects with the signal's reason on abort. */
export async function waitFor(
  instance: Instance,
  sent: { chainId: number; hash: string },
  signal: AbortSignal,
): Promise<Settled> {
  return await whenFinal(() => read(instance, sent), signal);
}

export function isSuccess(settled: Settled): boolean {
  if (settled.on === 'svm') return settled.landed.err === null;
  return settled.on === 'chain' ? settled.mined.isSuccess : settled.transfer.status === 'executed';
}

/**
 * Converts an outcome to the ledger's format. The block of a venue transfer is its sequence number, on Solana's kind
 * the slot.
 */
export function toTransaction(settled: Settled): Transaction {
  if (settled.on === 'chain') return ofMined(settled.node, settled.mined);
  if (settled.on === 'svm') {
    const { signature, slot, blockTime, fee } = settled.landed;
    return {
      ...{ hash: signature, chainId: svmDescription.id, block: slot, timestamp: blockTime },
      ...{ fee: BigInt(fee), feeUsd: lamportsToUsd(BigInt(fee)), status: isSuccess(settled) ? 'success' : 'failure' },
    };
  }
  const { hash, sequence, usdcFee, executedAtMs, queuedAtMs } = settled.transfer;
  return {
    hash,
    chainId: venueDescription.id,
    block: sequence,
    timestamp: Math.floor((executedAtMs ?? queuedAtMs) / 1000),
    fee: usdcFee,
    feeUsd: Valuation.toUsd(usdcFee, Market.nativeOf(venueDescription)),
    status: isSuccess(settled) ? 'success' : 'failure',
  };
}

/** A failed transaction with its intended effect. */
export function toFailedTx(settled: Settled): NonNullable<Entry['failedTx']> {
  if (settled.on === 'chain') {
    const { hash, block, from, to, data, value } = settled.mined;
    return { hash, block, call: { from, to: to ?? from, data, value } };
  }
  if (settled.on === 'svm') {
    const { signature, slot, keys, wire } = settled.landed;
    const [from, to] = [keys[0], keys.at(-1)].map((each) => PartyAccount.key((each?.pubkey ?? '') as PartyAccount.Key));
    if (!from || !to) throw new Error('A transaction names accounts.');
    return {
      hash: signature,
      block: slot,
      call: { from, to, data: bytesToHex(Buffer.from(wire, 'base64')), value: 0n },
    };
  }
  const { hash, sequence, from, to, memo, amount } = settled.transfer;
  return { hash, block: sequence, call: { from: `${BigInt(from)}`, to: `${BigInt(to)}`, data: memo, value: amount } };
}

/** Base units of the output that reached the recipient; `expected` if the chain has no trace of it. */
export async function delivered(
  settled: Settled,
  { destination, recipient }: Order,
  expected: bigint,
): Promise<bigint> {
  if (settled.on === 'venue') return settled.transfer.amount;
  if (settled.on === 'svm') return gained(settled.landed, recipient, destination.token.address);
  const { node, mined } = settled;
  const { token } = destination;
  if (!Market.isNative(token)) return tokensReceived(mined, token.address, recipient);
  return (await nativeReceived(node, mined.hash, recipient)) ?? expected;
}

export type Submission = Pick<RelayedCall.Relay, 'chainId' | 'transaction' | 'sent'>;

/**
 * Sends a transaction of the relayer, unless it was sent before and the chain knows it, and waits until it is mined. `onSent` is
 * called before broadcasting. Rejects with the signal's reason on abort.
 */
export async function sendAndWait(
  instance: Instance,
  { chainId, transaction, sent }: Submission,
  signal: AbortSignal,
  onSent: (hash: Hex) => void,
): Promise<Mined> {
  const { node, relayer } = chainContext(instance, chainId);
  const found = sent && (await readMined(node, sent));
  if (found && found !== 'pending') return found;
  const send = () => relayer.runExclusive((broadcast) => broadcast(transaction, onSent));
  return await waitForMined(node, sent && found === 'pending' ? sent : await send(), signal);
}
