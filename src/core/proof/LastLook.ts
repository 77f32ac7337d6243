/** The last simulation of calls that ferry does not know, right before what pays is signed or leaves. */

import { BaseError } from '../base/Errors.js';
import type { Call, Chain, Circumstances } from '../ports/Ports.js';
import type { Finding } from '../quote/Finding.js';
import * as Verification from './Verification.js';

/**
 * Simulates the call that pays as the transaction that is about to be sent: with its fees, nonce and gas limit, in the
 * next block.
 *
 * @throws verify.changed if it does not do what it was simulated to do before · chain.*
 */
export async function assertSame(
  watched: Verification.Watched,
  call: Call,
  as: Circumstances,
  { node, requestId }: { node: Pick<Chain, 'simulate'>; requestId: string },
): Promise<void> {
  const differs = await Verification.rehearse(watched, [call], as, node);
  if (differs.length > 0) throw new ChangedError(differs, requestId);
}

/** Calls that behaved when the quote was proved do not any more. */
export class ChangedError extends BaseError {
  override name = 'ChangedError';
  constructor(differs: readonly Finding[], requestId: string) {
    super(
      'verify.changed',
      'The calls do not do any more what they did when the quote was proved. ferry does not send them.',
      {
        facts: differs.map(({ check, expected, found }) => [check, `expected ${expected}, found ${found}`]),
        hint: 'The payment was not sent. The quote calls a contract that ferry does not know: it, or the market, behaves otherwise now. An approval that was made before can be revoked with ferry allowance revoke. Request another quote.',
        next: 'ferry runs list',
        requestId,
      },
    );
  }
}
