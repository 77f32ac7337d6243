/**
 * A second transaction with the nonce of one that waits. At most one of the two is ever mined, so nothing is paid twice;
 * a node takes the second one only where it offers enough more.
 */

import { parseTransaction } from 'viem/utils';
import type * as Address from '../base/Address.js';
import * as Amount from '../base/Amount.js';
import { BaseError } from '../base/Errors.js';
import type { Hex } from '../base/Hex.js';
import type { GasPrice, Transaction } from '../ports/Ports.js';
import * as Journal from '../tracking/Journal.js';

/** The transaction of a run that is signed and not known to be mined. @throws run.settled */
export function waiting(state: Journal.State): Journal.Sent {
  if (state.kind !== 'transactions') throw new NotOursError(state);
  const found = [...state.sent.values()].findLast(({ receipt }) => !receipt);
  if (!found || state.outcome) throw new NothingWaitsError(state);
  return found;
}

/** What a signed transaction offers, in wei per unit of gas. */
export function feesOf(bytes: Hex): GasPrice {
  const { maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = parseTransaction(bytes);
  return { maxFeePerGas, maxPriorityFeePerGas };
}

/** Both fees an eighth higher, and at least what is asked now: geth takes a tenth more of both (its `pricebump`). */
export function raised(before: GasPrice, now: GasPrice): GasPrice {
  const maxPriorityFeePerGas = greater(raise(before.maxPriorityFeePerGas), now.maxPriorityFeePerGas);
  const maxFeePerGas = greater(greater(raise(before.maxFeePerGas), now.maxFeePerGas), maxPriorityFeePerGas);
  return { maxFeePerGas, maxPriorityFeePerGas };
}

/** The same transaction for other fees. */
export function again(bytes: Hex, fees: GasPrice): Transaction {
  const { chainId = 0, nonce = 0, to, data = '0x', value = 0n, gas = 0n } = parseTransaction(bytes);
  return { ...fees, chainId, nonce, to: to as Address.Address, data, value, gas };
}

/** One with the same nonce that sends nothing to its own sender. */
export function nothing(
  bytes: Hex,
  sender: Address.Address,
  { fees, gas }: { fees: GasPrice; gas: bigint },
): Transaction {
  return { ...again(bytes, fees), to: sender, data: '0x', value: 0n, gas };
}

/** What is asked before it is signed. */
export function question(
  purpose: Exclude<Journal.Attempt['purpose'], 'send'>,
  { action, nonce }: Pick<Journal.Sent, 'action' | 'nonce'>,
  { before, after }: { before: GasPrice; after: GasPrice },
): string {
  const what =
    purpose === 'cancel' ? `Take the ${action} back by a transaction that does nothing,` : `Send the ${action} again,`;
  const gwei = (wei: bigint): string => Amount.format(wei, 9);
  const fee = `for up to ${gwei(after.maxFeePerGas)} gwei in place of ${gwei(before.maxFeePerGas)}`;
  const tip = `a tip of ${gwei(after.maxPriorityFeePerGas)} in place of ${gwei(before.maxPriorityFeePerGas)}`;
  return `${what} ${fee}, with ${tip}? Both have the nonce ${nonce}: at most one of them is ever mined.`;
}

function raise(fee: bigint): bigint {
  return (fee * 9n + 7n) / 8n;
}

function greater(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

/** What somebody else submits has no fee of the account. */
export class NotOursError extends BaseError {
  override name = 'NotOursError';
  constructor({ run, kind, handed }: Journal.State) {
    const until = handed?.type === 'signed-batch' ? new Date(Number(handed.deadline) * 1000).toISOString() : undefined;
    super(
      'run.settled',
      kind === 'transfer'
        ? 'A transfer on the venue waits in no mempool: it cannot be replaced.'
        : 'The service submits what was signed and pays its gas: there is no fee of yours to raise.',
      {
        facts: until === undefined ? [] : [['unused, it runs out at', until]],
        next: `ferry resume ${run}`,
        run,
        funds: handed ? 'unknown' : 'untouched',
      },
    );
  }
}

export class NothingWaitsError extends BaseError {
  override name = 'NothingWaitsError';
  constructor(state: Journal.State) {
    super('run.settled', 'Nothing of the run waits to be mined.', {
      hint: 'What is mined cannot be replaced or taken back.',
      next: Journal.isUnfinished(state) ? `ferry resume ${state.run}` : `ferry runs show ${state.run}`,
      run: state.run,
      funds: Journal.fundsOf(state),
    });
  }
}

/** It was mined after all. */
export class TooLateError extends BaseError {
  override name = 'TooLateError';
  constructor({ run, quote }: Journal.State, txHash: string | undefined) {
    super('track.unfinished', 'The payment was mined before it could be taken back.', {
      hint: 'It goes on as it was begun.',
      next: `ferry resume ${run}`,
      run,
      requestId: quote?.requestId,
      txHash,
    });
  }
}
