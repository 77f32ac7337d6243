/** Who signs a transfer on the venue: an API key that ferry holds, or a command of the user's own. */
import type { Context } from '../../context.js';
import { BaseError } from '../../core/Errors.js';
import type * as Plan from '../../core/Plan.js';
import type { VenueSigner } from '../../core/Ports.js';
import * as Setting from '../../core/Setting.js';
import type * as VenueAccount from '../../core/VenueAccount.js';
import { UnconfiguredError } from '../../core/VenueAccount.js';
import type * as VenueSigning from '../../core/VenueSigning.js';
import type { Flags, Options } from '../Command.js';

export const signingFlags = {
  apiKeyIndex: {
    type: 'string',
    value: 'slot',
    description: 'the slot of the API key (default: where yours is registered)',
  },
  venueKey: { type: 'string', value: 'name', description: 'the API key, by the name that it is kept under' },
  venueKeyFile: { type: 'string', value: 'file', description: 'a file with the API key, readable by you alone' },
  signer: { type: 'string', value: 'command', description: 'a command that signs: JSON on stdin, tx_info on stdout' },
} as const satisfies Flags;

/** The transfer with both signatures, and what the venue asks for it, where it would say. */
export type SignedTransfer = { signed: VenueSigning.Signed; fee: bigint | undefined };

/**
 * Signs a transfer. The key at hand is compared with those that the venue has registered before it signs anything.
 *
 * @throws auth.* · sign.failed · venue.* · prompt.*
 */
export async function signTransfer(
  transfer: Plan.VenueTransfer,
  account: VenueAccount.VenueAccount,
  validForMs: number | undefined,
  options: Options<typeof signingFlags>,
  context: Context,
): Promise<SignedTransfer> {
  const Signing = await import('../../core/VenueSigning.js');
  const { network, clock } = context;
  if (!network.venue) throw new UnconfiguredError(network.name);
  const { signingChainId } = network.venue;
  const venue = await context.venue();
  const registered = await venue.apiKeys(account.index);
  const wanted = readSlot(options.apiKeyIndex) ?? network.venue.apiKeyIndex;
  const terms = async (apiKeyIndex: number): Promise<VenueSigning.Terms> => ({
    apiKeyIndex,
    nonce: await venue.nextNonce(account.index, apiKeyIndex),
    expiredAtMs: clock.now() + (validForMs ?? Signing.defaultValidForMs),
    signingChainId,
  });

  if (options.signer !== undefined) {
    const { index, publicKey } = Signing.soleSlot(account, registered, wanted);
    const wallet = await context.account();
    const bound = await terms(index);
    const unsigned = Signing.transferOf(transfer, bound);
    const answer = await context.runSigner(options.signer, Signing.toAction(unsigned, bound));
    return {
      signed: await Signing.fromSigner(answer, unsigned, { signingChainId, publicKey, wallet }),
      fee: undefined,
    };
  }
  const apiKey = await (await context.venueKeys()).unlock(account, wanted);
  const { index } = Signing.slotOf(account, registered, apiKey, wanted);
  const wallet = await context.account();
  const fee = await feeAsked(transfer, index, apiKey, context);
  const bound = await terms(index);
  return { signed: await Signing.sign(Signing.transferOf(transfer, bound), bound, { apiKey, wallet }), fee };
}

/** What the venue asks now; undefined where it does not say. Reading it needs a token of the account. */
async function feeAsked(
  { fromAccountIndex, toAccountIndex }: Plan.VenueTransfer,
  apiKeyIndex: number,
  apiKey: VenueSigner,
  { venue, clock }: Context,
): Promise<bigint | undefined> {
  const { tokenOf } = await import('../../core/VenueSigning.js');
  const token = tokenOf({ accountIndex: fromAccountIndex, apiKeyIndex, nowMs: clock.now() }, apiKey);
  return (await venue()).transferFee(fromAccountIndex, toAccountIndex, token).catch(() => undefined);
}

function readSlot(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const read = Setting.slot.read(text);
  if (!read) throw new BaseError('usage.invalid', `--api-key-index must be ${Setting.slot.expects}.`);
  return read.value;
}
