/** Opens the signer of a venue transfer: an API key that ferry holds, or the user's own command. */

import type * as VenueAccount from '../core/accounts/VenueAccount.js';
import { UnconfiguredError } from '../core/accounts/VenueAccount.js';
import { BaseError } from '../core/base/Errors.js';
import type { Flags, Options } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import * as SettingFormat from '../core/config/SettingFormat.js';
import * as NonceRule from '../core/execution/NonceRule.js';
import type * as Plan from '../core/execution/Plan.js';
import type { Turn } from '../core/ports/Ports.js';
import * as WithdrawalChecks from '../core/withdrawal/WithdrawalChecks.js';
import type * as WithdrawalSigning from '../core/withdrawal/WithdrawalSigning.js';
import { currencyOf } from './findVenueAccount.js';

export const signingFlags = {
  apiKeyIndex: {
    type: 'string',
    value: 'slot',
    description: 'the slot of the API key (default: the slot where your key is registered)',
  },
  venueKey: {
    type: 'string',
    value: 'name',
    names: 'venue-key',
    description: 'the API key, by its name in ferry',
  },
  venueKeyFile: { type: 'string', value: 'file', description: 'a file with the API key, readable by you alone' },
  signer: {
    type: 'string',
    value: 'command',
    description: 'a command that signs: the action as JSON on stdin, tx_info last on stdout',
  },
} as const satisfies Flags;

/** @throws usage.invalid if both a command and an API key are to sign */
export function assertOneSigner({ signer, venueKey, venueKeyFile }: Options<typeof signingFlags>): void {
  if (signer === undefined) return;
  const key = venueKey === undefined ? venueKeyFile && '--venue-key-file' : '--venue-key';
  if (key) throw new BaseError('usage.invalid', `--signer and ${key} cannot be combined: each selects what signs.`);
}

/** Starts to load the signing code and the registered keys, ahead of use. */
export function preload({ venueKeys, venue }: Context, { index }: Pick<VenueAccount.VenueAccount, 'index'>): Preloaded {
  const registered = venue().then((known) => known.apiKeys(index));
  // Errors surface when the values are used.
  Promise.all([import('../core/withdrawal/WithdrawalSigning.js'), venueKeys(), registered]).catch(() => {});
  return { registered };
}

export type Preloaded = { registered: Promise<readonly VenueAccount.ApiKey[]> };

/** A signer for a venue account, with a registered API key. */
export type Signer = {
  /** The slot of the API key whose nonces are used. */
  apiKeyIndex: number;
  /** The venue's current transfer fee in millionths of USDC; undefined if it cannot be read. */
  feeAsked(transfer: Plan.VenueTransfer): Promise<bigint | undefined>;
  /** The transfer with both signatures. @throws auth.signer · sign.failed · venue.* */
  sign(plan: Plan.VenuePlan, validForMs: number | undefined, turn: Turn): Promise<WithdrawalSigning.Signed>;
};

/**
 * Unlocks the API key and the wallet, or uses the user's command. Before anything is signed, the key is compared with
 * those that the venue has registered.
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
  const slot = readSlot(options.apiKeyIndex) ?? network.venue.apiKeyIndex;
  const terms = async (
    apiKeyIndex: number,
    validForMs: number | undefined,
    turn: Turn,
  ): Promise<WithdrawalSigning.Terms> => {
    const nonce = await venue.nextNonce(account.index, apiKeyIndex);
    const owner = `API key ${apiKeyIndex} of the venue account ${account.index}`;
    NonceRule.use({ turn, owner, chain: currencyOf(network).chain.name }, nonce);
    const expiredAtMs = clock.now() + (validForMs ?? Signing.defaultValidForMs);
    return { apiKeyIndex, nonce, expiredAtMs, signingChainId };
  };

  const { signer: command } = options;
  if (command !== undefined) {
    const { index, publicKey } = Signing.soleSlot(account, registered, slot);
    const openWallet = async () => {
      const wallet = await context.account();
      WithdrawalChecks.assertOwner(account, wallet.address);
      return wallet;
    };
    return {
      apiKeyIndex: index,
      feeAsked: async () => undefined,
      sign: async (plan, validForMs, turn) => {
        const bound = await terms(index, validForMs, turn);
        const transfer = Signing.transferOf(plan, bound);
        const answer = await context.runSigner(command, Signing.toAction(transfer, bound));
        const asked = { transfer, signingChainId, publicKey, owner: account.wallet, nowMs: clock.now() };
        return Signing.fromSigner(answer, asked, openWallet);
      },
    };
  }
  const apiKey = await (await context.venueKeys()).unlock(account, slot);
  const { index } = Signing.slotOf(account, registered, apiKey, slot);
  const wallet = await context.account();
  let token: string | undefined;
  return {
    apiKeyIndex: index,
    feeAsked: async ({ fromAccountIndex, toAccountIndex }) => {
      token ??= Signing.tokenOf({ accountIndex: account.index, apiKeyIndex: index, nowMs: clock.now() }, apiKey);
      return venue.transferFee(fromAccountIndex, toAccountIndex, token).catch(() => undefined);
    },
    sign: async (plan, validForMs, turn) => {
      const bound = await terms(index, validForMs, turn);
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
