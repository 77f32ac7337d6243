/**
 * Replaces a pending transaction by another with the same nonce. At most one of the two is ever mined, so nothing is
 * paid twice; a node accepts the second only if its fees are sufficiently higher.
 */

import { parseTransaction } from 'viem/utils';
import * as Amount from '../base/Amount.js';
import { BaseError } from '../base/Errors.js';
import type { Hex } from '../base/Hex.js';
import type { GasPrice, Transaction } from '../ports/Ports.js';
import * as ShellCommand from '../text/ShellCommand.js';
import * as Journal from '../tracking/Journal.js';
import type * as Plan from './Plan.js';
import * as TransactionSettlement from './TransactionSettlement.js';

/**
 * The transactions of a run that may be pending, by nonce. One whose receipt is in the journal may have been taken back with
 * its block: the chain shows that.
 *
 * @throws run.settled
 */
export function waiting(state: Journal.State): readonly Journal.Sent[] {
  if (state.kind !== 'transactions') {
    const until =
      state.handed?.type === 'signed-batch' ? new Date(Number(state.handed.deadline) * 1000).toISOString() : undefined;
    throw new BaseError(
      'run.settled',
      state.kind === 'transfer'
        ? 'A venue transfer is not in a mempool and cannot be replaced.'
        : state.kind === 'address'
          ? 'Whoever likes pays the deposit address: there is no transaction of yours to replace.'
          : 'The service submits what was signed and pays its gas, so you have no fee to raise.',
      {
        facts: until === undefined ? [] : [['expires unused at', until]],
        next: ShellCommand.line`ferry resume ${state.run}`,
        run: state.run,
        funds: Journal.fundsOf(state),
      },
    );
  }
  const found = [...state.sent.values()].sort((a, b) => a.nonce - b.nonce);
  if (found.length === 0 || state.outcome) throw new NothingWaitsError(state);
  return found;
}

/** The highest fees of some signed transactions, in wei per unit of gas. */
export function feesOf(signed: readonly Hex[]): GasPrice {
  const found = signed.map((bytes) => parseTransaction(bytes));
  return {
    maxFeePerGas: Amount.greatest(found.map(({ maxFeePerGas = 0n }) => maxFeePerGas)),
    maxPriorityFeePerGas: Amount.greatest(found.map(({ maxPriorityFeePerGas = 0n }) => maxPriorityFeePerGas)),
  };
}

/**
 * Raises both fees by an eighth, and at least to the current ones. geth requires a tenth more of both (`pricebump`).
 */
export function raised(before: GasPrice, now: GasPrice): GasPrice {
  const raise = (fee: bigint): bigint => Amount.divideUp(fee * 9n, 8n);
  const maxPriorityFeePerGas = Amount.greatest([raise(before.maxPriorityFeePerGas), now.maxPriorityFeePerGas]);
  const maxFeePerGas = Amount.greatest([raise(before.maxFeePerGas), now.maxFeePerGas, maxPriorityFeePerGas]);
  return { maxFeePerGas, maxPriorityFeePerGas };
}

/** The gas limit of a signed transaction, in units. */
export function gasOf(bytes: Hex): bigint {
  return parseTransaction(bytes).gas ?? 0n;
}

type NonceAndGas = GasPrice & Pick<Transaction, 'nonce' | 'gas'>;

/** The plan's transaction once more, with other fees. Its content is the plan's, whatever the journal holds. */
export function again({ chain, to, data, value }: Plan.Action, gas: NonceAndGas): Transaction {
  return { ...gas, chainId: chain.id, to, data, value };
}

/** An empty transaction to its own sender, with the same nonce. */
export function nothing(action: Plan.Action, gas: NonceAndGas): Transaction {
  return { ...again(action, gas), to: action.from, data: '0x', value: 0n };
}

/** The most missing nonces that are filled: each costs the gas of a transaction. */
const maxFilled = 100;

/** @throws submit.nonce-gap if too many nonces are missing to fill them */
export function assertFillable(state: Journal.State, missing: readonly number[]): void {
  if (missing.length > maxFilled)
    throw new BaseError(
      'submit.nonce-gap',
      `The chain lacks ${missing.length} earlier nonces of the account, too many to fill.`,
      {
        facts: [['missing', `${missing[0]} to ${missing.at(-1)}`]],
        hint: 'It may be another chain than the one that the run was started on.',
        run: state.run,
        requestId: state.quote?.requestId,
      },
    );
}

/** The question before a replacement is signed. `missing` are the nonces that are filled too. */
export function question(
  purpose: Exclude<Journal.Attempt['purpose'], 'send'>,
  replaced: readonly Pick<Journal.Sent, 'action' | 'nonce' | 'attempts'>[],
  { before, after, missing = [] }: { before: GasPrice; after: GasPrice; missing?: readonly number[] },
): string {
  const actions = replaced.map(({ action }) => `the ${action}`).join(' and ');
  const nonces = replaced.map(({ nonce }) => nonce).join(' and ');
  const isOne = replaced.length === 1;
  const empty = isOne ? 'an empty transaction' : 'empty transactions';
  const again = replaced.some(TransactionSettlement.isCanceling)
    ? `The run is being canceled. Send ${actions} after all,`
    : `Send ${actions} again,`;
  const what = purpose === 'cancel' ? `Cancel ${actions} with ${empty},` : again;
  const once = isOne
    ? `Both have nonce ${nonces}, so at most one of them is ever mined.`
    : `They have the same nonces ${nonces}, so at most one of each is ever mined.`;
  const gwei = (wei: bigint): string => Amount.format(wei, 9);
  const fee = `for up to ${gwei(after.maxFeePerGas)} gwei instead of ${gwei(before.maxFeePerGas)}`;
  const tip = `a tip of ${gwei(after.maxPriorityFeePerGas)} instead of ${gwei(before.maxPriorityFeePerGas)}`;
  const filled =
    missing.length === 0
      ? ''
      : ` ${missing.length === 1 ? 'Another empty transaction fills' : `${missing.length} more fill`} the missing ${missing.length === 1 ? `nonce ${missing[0]}` : `nonces ${missing[0]} to ${missing.at(-1)}`}.`;
  return `${what} ${fee}, with ${tip}? ${once}${filled}`;
}

export class NothingWaitsError extends BaseError {
  override name = 'NothingWaitsError';
  constructor(state: Journal.State) {
    super('run.settled', 'The run has no pending transaction.', {
      hint: Journal.hasSigned(state)
        ? 'A mined transaction cannot be replaced or canceled.'
        : 'Nothing was signed in it, so there is nothing to replace or cancel.',
      next: Journal.isUnfinished(state)
        ? ShellCommand.line`ferry resume ${state.run}`
        : ShellCommand.line`ferry runs show ${state.run}`,
      run: state.run,
      funds: Journal.fundsOf(state),
    });
  }
}

/** The payment was mined before it could be canceled. */
export function minedBefore({ run, quote }: Journal.State, txHash: string | undefined): BaseError {
  return new BaseError('track.unfinished', 'The payment was mined before it could be canceled.', {
    hint: 'The transfer continues.',
    next: ShellCommand.line`ferry resume ${run}`,
    run,
    requestId: quote?.requestId,
    txHash,
  });
}
