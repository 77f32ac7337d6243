/**
 * Holds signed bytes of a journal against the plan: whatever else they are, they are not sent, and not signed again.
 *
 * So a journal that is not sealed with this user's secret, and that the user has accepted, can send nothing else either.
 * A replacement takes receiver, value and calldata from the plan.
 */
import { keccak256 } from 'viem/utils';
import * as Address from '../core/base/Address.js';
import { BaseError } from '../core/base/Errors.js';
import type { Hex } from '../core/base/Hex.js';
import type * as Plan from '../core/execution/Plan.js';
import * as SignedTransaction from '../core/signing/SignedTransaction.js';
import type { Attempt, Sent } from '../core/tracking/Journal.js';

/**
 * Checks that each attempt is the plan's action or an empty cancellation of it, signed by the account that pays, with
 * the nonce and the hash that the journal states.
 *
 * @throws run.unreadable
 */
export async function assertOf(action: Plan.Action | undefined, sent: Pick<Sent, 'nonce' | 'attempts'>): Promise<void> {
  for (const attempt of sent.attempts) {
    const why = action ? await differenceOf(action, sent.nonce, attempt) : 'a step that the plan does not have';
    if (why !== undefined)
      throw new BaseError('run.unreadable', 'The journal holds a signed transaction that is not the one of its plan.', {
        facts: [['found', why]],
        hint: 'Somebody or something changed it: ferry neither sends nor signs it. Check the chain before you send anything again.',
        funds: 'unknown',
        txHash: attempt.txHash,
      });
  }
}

async function differenceOf(action: Plan.Action, nonce: number, attempt: Attempt): Promise<string | undefined> {
  const bytes = attempt.bytes as Hex;
  if (keccak256(bytes) !== attempt.txHash.toLowerCase()) return 'bytes of another hash';
  const [found, signer] = [SignedTransaction.read(bytes)?.content, await SignedTransaction.signer(bytes)];
  if (!found || !signer) return 'bytes that are no signed transaction';
  if (!Address.isEqual(signer, action.from)) return `the signature of ${signer}`;
  if (found.chainId !== action.chain.id) return `a transaction on chain ${found.chainId}`;
  if (found.nonce !== nonce) return `the nonce ${found.nonce} instead of ${nonce}`;
  const { to, data, value } = attempt.purpose === 'cancel' ? emptyOf(action) : action;
  if (found.type !== 'eip1559' || !Address.isEqual(found.to, to)) return 'another receiver';
  if (found.value !== value) return 'another value';
  return found.data === data.toLowerCase() ? undefined : 'other calldata';
}

function emptyOf({ from }: Plan.Action): Pick<Plan.Action, 'to' | 'data' | 'value'> {
  return { to: from, data: '0x', value: 0n };
}
