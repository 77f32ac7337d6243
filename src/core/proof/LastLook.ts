/**
 * The last simulation of what pays, right before it is signed or leaves.
 *
 * A quote with calls that ferry does not know is simulated three times: with free gas, which shows every balance
 * exactly; as the transactions that would be sent, before anything is asked (`Verification.rehearse`); and here. The
 * last two have the real sender, nonce, fees and gas limit, in the next block. A contract can still tell, by the
 * randomness of a block or a transaction mined just before, so `swap` stays single. A quote whose calls are all known
 * needs none of this.
 */

import { BaseError } from '../base/Errors.js';
import type { Call, Chain, Circumstances } from '../ports/Ports.js';
import * as Verification from './Verification.js';

/**
 * Simulates a call that ferry does not know as the transaction that is about to be sent: with its fees, nonce and gas
 * limit, in the next block.
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
  if (differs.length > 0)
    throw new BaseError(
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

/**
 * Whether the calls succeed one after the other as the transactions that are about to be sent. False too if the node
 * cannot show it, or if only the gas limits are too low: then each is sent once the one before is mined.
 *
 * @param most gas limits that are high enough for whatever the calls may do
 * @throws submit.simulation if a call fails with whatever gas
 */
export async function isSuccessful(
  calls: readonly Call[],
  as: Circumstances,
  most: readonly bigint[],
  { node, requestId }: { node: Pick<Chain, 'simulate'>; requestId: string },
): Promise<boolean> {
  const failure = async (gas: readonly bigint[], credit?: bigint): Promise<'none' | 'unknown' | Failure> => {
    const circumstances = { ...as, gas, ...(credit === undefined ? {} : { credit }) };
    // A node that cannot show it is no reason to fail: one after the other, each is estimated.
    const seen = await node.simulate(calls, { balances: [], allowances: [] }, circumstances).catch(() => undefined);
    if (!seen) return 'unknown';
    for (const [index, each] of seen.calls.entries())
      if (each.status === 'reverted') return { index, reason: each.reason };
    return 'none';
  };
  const found = await failure(as.gas);
  if (found === 'none' || found === 'unknown') return found === 'none';
  const credit = most.reduce((sum, each) => sum + each, 0n) * as.maxFeePerGas;
  const lenient = await failure(most, credit);
  if (lenient === 'none' || lenient === 'unknown') return false;
  throw new BaseError(
    'submit.simulation',
    `Transaction ${lenient.index + 1} of ${calls.length} would revert. Nothing was signed.`,
    {
      facts: [['reason', lenient.reason]],
      hint: 'The balance, an allowance or the price may have changed. Request a new quote.',
      requestId,
    },
  );
}

/** The first call that fails in a simulation, and the contract's reason. */
type Failure = { index: number; reason: string };
