/**
 * Checks what the service asks the wallet to sign for a claim of app fees.
 *
 * The message is the claim's id, 32 bytes that only the service can read: neither the chain, the currency, the amount
 * nor the recipient is in it. So this is held to one exact form, and everything else is refused: a permit or another
 * typed message, a text, a transaction, a second item, another place to post to.
 */
import * as z from 'zod/mini';
import type * as AppFeeClaims from '../api/AppFeeClaims.js';
import * as ExecutePermits from '../api/ExecutePermits.js';
import * as Decode from '../api/schema/Decode.js';
import * as Primitives from '../api/schema/Primitives.js';
import * as Address from '../base/Address.js';
import { BaseError } from '../base/Errors.js';
import type { Hex } from '../base/Hex.js';
import type * as Network from '../network/Network.js';
import * as TerminalText from '../text/TerminalText.js';

/** A claim whose id may be signed and posted. */
export type Provable = { id: Hex; body: ExecutePermits.Request };

/** Strict: no other key is known to mean nothing. */
const item = Primitives.strictObject({
  status: z.nullish(z.string()),
  data: Primitives.strictObject({
    sign: Primitives.strictObject({ signatureKind: z.literal('eip191'), message: Primitives.bytes32 }),
    post: Primitives.strictObject({
      endpoint: z.literal(ExecutePermits.endpoint.path),
      method: z.literal(ExecutePermits.endpoint.method),
      body: Primitives.strictObject({ kind: z.literal('claim'), requestId: Primitives.bytes32 }),
    }),
  }),
});

/**
 * The claim that an answer prepares.
 *
 * @param known ids that mean something else already: of earlier claims
 * @throws verify.mismatch
 */
export function check({ steps }: AppFeeClaims.ClaimReceived, known: readonly string[]): Provable {
  const [step, ...more] = steps;
  if (!step || more.length > 0) throw new ClaimFormError([`${steps.length} steps instead of one`]);
  if (step.kind !== 'signature') throw new ClaimFormError([`a step of kind "${step.kind}" instead of a signature`]);
  if (step.items.length !== 1) throw new ClaimFormError([`${step.items.length} messages instead of one`]);
  const decoding = Decode.from(item, step.items[0]);
  if (!decoding.ok) throw new ClaimFormError(decoding.problems.map(Decode.format));
  const { sign, post } = decoding.value.data;
  if (sign.message.toLowerCase() !== post.body.requestId.toLowerCase())
    throw new ClaimFormError([`the message ${sign.message} for the claim ${post.body.requestId}`]);
  if (known.some((id) => id.toLowerCase() === sign.message.toLowerCase()))
    throw new ClaimFormError([`the claim ${sign.message}, which was signed before`]);
  return { id: sign.message, body: post.body };
}

/**
 * Refuses a wallet with code that ferry does not know. Such code may take a signature over a hash for a transaction, and
 * the claim's id may be that hash.
 *
 * @param delegate what the wallet's code is on the chain: nothing, a delegation, or another contract
 * @throws verify.unverified
 */
export function assertPlain(wallet: Address.Address, delegate: string | undefined, chain: Network.Chain): void {
  if (delegate === undefined) return;
  const { batchExecutor } = chain.contracts;
  // What the batch executor takes is typed data, never a personal message.
  if (batchExecutor !== undefined && Address.isEqual(delegate, batchExecutor)) return;
  throw new WalletCodeError(wallet, delegate, chain);
}

/** The service asks for another signature than that of a claim. */
export class ClaimFormError extends BaseError {
  override name = 'ClaimFormError';
  constructor(found: readonly string[]) {
    super('verify.mismatch', 'The service asks to sign something other than the id of a claim.', {
      facts: [
        ['expected', 'one message: the 32 bytes of the claim’s id, to be posted for that claim'],
        ...found.slice(0, 3).map((each) => ['found', TerminalText.escape(each.slice(0, 300))] as const),
      ],
      hint: 'Nothing was signed. Such a signature could be worth more than the fees: do not make it elsewhere.',
    });
  }
}

/** The wallet has code that may accept the signature as something else. */
export class WalletCodeError extends BaseError {
  override name = 'WalletCodeError';
  constructor(wallet: Address.Address, delegate: string, { name }: Network.Chain) {
    const isContract = delegate === 'contract';
    super('verify.unverified', 'The wallet has code that could take the signature for something else.', {
      facts: [
        ['wallet', wallet],
        [isContract ? 'code' : 'delegates to', isContract ? 'a contract' : delegate],
        ['on', name],
      ],
      hint: 'A claim is signed as a bare hash, and ferry cannot know what that code does with one.',
      next: isContract ? undefined : `ferry delegation show ${name}`,
    });
  }
}
