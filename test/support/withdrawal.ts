/** The recorded venue quotes, unchanged or altered, and their plans. */

import * as Plan from '../../src/core/execution/Plan.js';
import * as Verification from '../../src/core/proof/Verification.js';
import type { Finding } from '../../src/core/quote/Finding.js';
import type * as Quote from '../../src/core/quote/Quote.js';
import type * as TransferIntent from '../../src/core/quote/TransferIntent.js';
import * as WithdrawalChecks from '../../src/core/withdrawal/WithdrawalChecks.js';
import { altered, caps } from './quoted.js';
import { quoteOf, recorded, recording, type Specimen } from './specimens.js';

/** The path of the transfer in a withdrawal's answer. */
export const parameters = 'steps.0.items.0.data.action.parameters';

function specimen(name: string): Specimen {
  const found = recorded().find((each) => each.name === name);
  if (!found) throw new Error(`There is no recorded ${name}.`);
  return found;
}

/** 40 USDC from account 281474976710001, or a deposit to it; with some values of its answer replaced. */
export function quote(kind: 'withdrawal' | 'deposit', changes: Readonly<Record<string, unknown>> = {}): Quote.Quote {
  const of = specimen(`quote-venue-${kind}`);
  const whole = quoteOf(of, of.answer);
  if (!whole) throw new Error(`The recorded ${kind} cannot be read.`);
  return Object.entries(changes).reduce((each, [path, value]) => altered(each, path, value), whole);
}

/** The surroundings a quote is verified in at the time it was made. */
function surroundings({ quotedAt }: Quote.Quote): Verification.ProofContext & { nowMs: number } {
  return { network: recording, baseUrl: 'http://127.0.0.1:1', nowMs: quotedAt };
}

/** The offline proof of a quote with the user's caps, on a network without real money unless said otherwise. */
export async function prove(
  of: Quote.Quote,
  own: Partial<TransferIntent.Caps> = {},
  { realMoney = recording.realMoney }: { realMoney?: boolean } = {},
): Promise<readonly Finding[]> {
  const around = { ...surroundings(of), network: { ...recording, realMoney } };
  return (await Verification.proofOf(of, { ...caps, ...own }, around)).findings;
}

/** The proved quote. @throws verify.* */
export async function verify(of: Quote.Quote, own: Partial<TransferIntent.Caps> = {}): Promise<Verification.Verified> {
  const proof = await Verification.proofOf(of, { ...caps, ...own }, surroundings(of));
  return Verification.from(proof, { network: recording, isAsked: false, allow: ['solver-signature'], shown: [] });
}

/** The plan of a withdrawal. @throws verify.* */
export async function plan(of: Quote.Quote = quote('withdrawal')): Promise<Plan.VenuePlan> {
  return WithdrawalChecks.planOf(Plan.from(await verify(of)));
}
