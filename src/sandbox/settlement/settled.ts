/** The outcome of a transaction, on a chain or on the venue. */

import { bytesToHex } from 'viem/utils';
import type { Hex } from '../../core/base/Hex.js';
import type { Node } from '../chain/readMarket.js';
import type { Call, Entry } from '../ledger/Entry.js';
import {
  type Mined,
  nativeReceived,
  read as readMined,
  type Transaction,
  tokensReceived,
  toTransaction,
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
import { chainContext, type Instance } from './instance.js';
import { venueDescription } from './readVenue.js';

export type Settled = {
  /** The block of a venue transfer is its sequence number, on Solana's kind the slot. */
  tx: Transaction;
  /** What it was to do. */
  call: Call;
  /** Base units of the output that reached the recipient; `expected` if the chain has no trace of it. */
  delivered(order: Order, expected: bigint): bigint | Promise<bigint>;
};

/** Reads an outcome: undefined if the transaction is unknown, `pending` until it is final. */
export async function read(
  instance: Instance,
  { chainId, hash }: { chainId: number; hash: string },
): Promise<Settled | 'pending' | undefined> {
  if (chainId === venueDescription.id) {
    const transfer = instance.venue.transfer(hash);
    return transfer?.status === 'pending' ? 'pending' : transfer && ofTransfer(transfer);
  }
  if (chainId === svmDescription.id) {
    const landed = instance.svm?.landed(hash);
    return landed && ofLanded(landed);
  }
  const { node } = chainContext(instance, chainId);
  const mined = await readMined(node, hash as Hex);
  return mined === 'pending' ? 'pending' : mined && ofMined(node, mined);
}

/** Polls until the transaction is final. Rejects with the signal's reason on abort. */
export async function waitFor(
  instance: Instance,
  sent: { chainId: number; hash: string },
  signal: AbortSignal,
): Promise<Settled> {
  return await whenFinal(() => read(instance, sent), signal);
}

export function isSuccess({ tx }: Settled): boolean {
  return tx.status === 'success';
}

export function ofMined(node: Node, mined: Mined): Settled {
  const { hash, from, to, data, value } = mined;
  return {
    tx: toTransaction(node, mined),
    call: { from, to: to ?? from, data, value },
    async delivered({ destination: { token }, recipient }, expected) {
      if (!Market.isNative(token)) return tokensReceived(mined, token.address, recipient);
      return (await nativeReceived(node, hash, recipient)) ?? expected;
    },
  };
}

function ofTransfer(transfer: Transfer): Settled {
  const { hash, sequence, usdcFee, executedAtMs, queuedAtMs, status, from, to, memo, amount } = transfer;
  return {
    tx: {
      hash,
      chainId: venueDescription.id,
      block: sequence,
      timestamp: Math.floor((executedAtMs ?? queuedAtMs) / 1000),
      fee: usdcFee,
      feeUsd: Valuation.toUsd(usdcFee, Market.nativeOf(venueDescription)),
      status: status === 'executed' ? 'success' : 'failure',
    },
    call: { from: `${BigInt(from)}`, to: `${BigInt(to)}`, data: memo, value: amount },
    delivered: () => amount,
  };
}

function ofLanded(landed: Landed): Settled {
  const { signature: hash, slot, blockTime, fee, err, keys, wire } = landed;
  const [from, to] = [keys[0], keys.at(-1)].map((each) => PartyAccount.key((each?.pubkey ?? '') as PartyAccount.Key));
  if (!from || !to) throw new Error('A transaction names accounts.');
  return {
    tx: {
      ...{ hash, chainId: svmDescription.id, block: slot, timestamp: blockTime, fee: BigInt(fee) },
      ...{ feeUsd: lamportsToUsd(BigInt(fee)), status: err === null ? 'success' : 'failure' },
    },
    call: { from, to, data: bytesToHex(Buffer.from(wire, 'base64')), value: 0n },
    delivered: ({ destination, recipient }) => gained(landed, recipient, destination.token.address),
  };
}

/** A failed transaction with its intended effect. */
export function toFailedTx({ tx: { hash, block }, call }: Settled): NonNullable<Entry['failedTx']> {
  return { hash, block, call };
}

/**
 * Sends a transaction of the relayer, unless it was sent before and the chain knows it, and waits until it is mined. `onSent` is
 * called before broadcasting. Rejects with the signal's reason on abort.
 */
export async function sendAndWait(
  instance: Instance,
  { chainId, transaction, sent }: Pick<RelayedCall.Relay, 'chainId' | 'transaction' | 'sent'>,
  signal: AbortSignal,
  onSent: (hash: Hex) => void,
): Promise<Mined> {
  const { node, relayer } = chainContext(instance, chainId);
  const found = sent && (await readMined(node, sent));
  if (found && found !== 'pending') return found;
  const send = () => relayer.runExclusive((broadcast) => broadcast(transaction, onSent));
  return await waitForMined(node, sent && found === 'pending' ? sent : await send(), signal);
}
