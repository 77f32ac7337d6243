/** Who signs a transfer on the venue: an API key that ferry holds, or a command of the user's own. */

import type * as VenueAccount from '../core/accounts/VenueAccount.js';
import { UnconfiguredError } from '../core/accounts/VenueAccount.js';
import { BaseError } from '../core/base/Errors.js';
import type { Flags, Options } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import * as SettingFormat from '../core/config/SettingFormat.js';
import type * as Plan from '../core/execution/Plan.js';
import type * as WithdrawalSigning from '../core/withdrawal/WithdrawalSigning.js';

export const signingFlags = {
  apiKeyIndex: {
    type: 'string',
    value: 'slot',
    description: 'the slot of the API key (default: where yours is registered)',
  },
  venueKey: {
    type: 'string',
    value: 'name',
    names: 'venue-key',
    description: 'the API key, by the name that it is kept under',
  },
  venueKeyFile: { type: 'string', value: 'file', description: 'a file with the API key, readable by you alone' },
  signer: { type: 'string', value: 'command', description: 'a command that signs: JSON on stdin, tx_info on stdout' },
} as const satisfies Flags;

/** Loads what signing needs, and asks for the registered keys, before they are needed. */
export function preload({ venueKeys, venue }: Context, account: VenueAccount.VenueAccount): Preloaded {
  const registered = venue().then((known) => known.apiKeys(account.index));
  // Whoever needs it hears of what fails.
  Promise.all([import('../core/withdrawal/WithdrawalSigning.js'), venueKeys(), registered]).catch(() => {});
  return { registered };
}

export type Preloaded = { registered: Promise<readonly VenueAccount.ApiKey[]> };

/** Whoever signs for an account, known to the venue. */
export type Signer = {
  /** The slot of the API key whose nonces are used. */
  apiKeyIndex: number;
  /** Millionths of USDC that the venue asks for a transfer now; undefined where it does not say, or nobody can ask. */
  feeAsked(transfer: Plan.VenueTransfer): Promise<bigint | undefined>;
  /** The transfer with both signatures. @throws auth.signer · sign.failed · venue.* */
  sign(plan: Plan.VenuePlan, validForMs: number | undefined): Promise<WithdrawalSigning.Signed>;
};

/**
 * Unlocks the API key and the wallet, or takes the user's command. The key at hand is compared with those that the venue
 * has registered before it signs anything.
 *
 * @throws auth.* · venue.* · prompt.*
 */
export async function openSigner(
  account: VenueAccount.VenueAccount,
  preloaded: Preloaded,
  options: Options<typeof signingFlags>,
  context: Context,
): Promise<Signer> {
  const Signing = await import('../core/withdrawal/WithdrawalSigning.js');
  const { network, clock } = context;
  if (!network.venue) throw new UnconfiguredError(network.name);
  const { signingChainId } = network.venue;
  const venue = await context.venue();
  const registered = await preloaded.registered;
  const wanted = readSlot(options.apiKeyIndex) ?? network.venue.apiKeyIndex;
  const terms = async (apiKeyIndex: number, validForMs: number | undefined): Promise<WithdrawalSigning.Terms> => ({
    apiKeyIndex,
    nonce: await venue.nextNonce(account.index, apiKeyIndex),
    expiredAtMs: clock.now() + (validForMs ?? Signing.defaultValidForMs),
    signingChainId,
  });

  const { signer: command } = options;
  if (command !== undefined) {
    const { index, publicKey } = Signing.soleSlot(account, registered, wanted);
    const wallet = await context.account();
    return {
      apiKeyIndex: index,
      feeAsked: async () => undefined,
      sign: async (plan, validForMs) => {
        const bound = await terms(index, validForMs);
        const unsigned = Signing.transferOf(plan, bound);
        const answer = await context.runSigner(command, Signing.toAction(unsigned, bound));
        return Signing.fromSigner(answer, unsigned, { signingChainId, publicKey, wallet });
      },
    };
  }
  const apiKey = await (await context.venueKeys()).unlock(account, wanted);
  const { index } = Signing.slotOf(account, registered, apiKey, wanted);
  const wallet = await context.account();
  return {
    apiKeyIndex: index,
    feeAsked: async ({ fromAccountIndex, toAccountIndex }) => {
      const token = Signing.tokenOf({ accountIndex: fromAccountIndex, apiKeyIndex: index, nowMs: clock.now() }, apiKey);
      return venue.transferFee(fromAccountIndex, toAccountIndex, token).catch(() => undefined);
    },
    sign: async (plan, validForMs) => {
      const bound = await terms(index, validForMs);
      return Signing.sign(Signing.transferOf(plan, bound), bound, { apiKey, wallet });
    },
  };
}

function readSlot(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const read = SettingFormat.slot.read(text);
  if (!read) throw new BaseError('usage.invalid', `--api-key-index must be ${SettingFormat.slot.expects}.`);
  return read.value;
}
