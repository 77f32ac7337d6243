/** Opens the signer of a venue transfer: an API key that ferry holds, or the user's own command. */

import type { VenueSigner } from '../core/accounts/KeyStores.js';
import type * as VenueAccount from '../core/accounts/VenueAccount.js';
import { unconfigured } from '../core/accounts/VenueAccount.js';
import { BaseError } from '../core/base/Errors.js';
import type { Flags, Options } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import * as SettingFormat from '../core/config/SettingFormat.js';
import * as Facts from '../core/execution/Facts.js';
import * as NonceRule from '../core/execution/NonceRule.js';
import type * as Plan from '../core/execution/Plan.js';
import * as DevelopmentAccount from '../core/network/DevelopmentAccount.js';
import type { Account } from '../core/ports/Ports.js';
import * as WithdrawalChecks from '../core/withdrawal/WithdrawalChecks.js';
import type * as WithdrawalSigning from '../core/withdrawal/WithdrawalSigning.js';
import type { Taken } from '../setup/trustNonces.js';
import { currencyOf, type Expected } from './findVenueAccount.js';

export const signingFlags = {
  apiKeyIndex: {
    value: 'slot',
    description: 'the slot of the API key (default: the slot where your key is registered)',
  },
  venueKey: { value: 'name', names: 'venue-key', description: 'the API key, by its name in ferry' },
  venueKeyFile: { value: 'file', description: 'a file with the API key, readable by you alone' },
  signer: {
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

/**
 * Starts to load the signing code and the registered keys, ahead of use. Where nobody is asked for a confirmation or a
 * password, it unlocks the keys too, and asks for the fee that will be due, while the service prepares the quote.
 */
export function preload(account: Expected, options: Options<typeof signingFlags>, context: Context): Preloaded {
  const registered = context.venue().then((known) => known.apiKeys(account.index));
  const loading = import('../core/withdrawal/WithdrawalSigning.js');
  // Neither a person nor a command of theirs answers before or while the transfer is signed.
  const isUnattended = !context.interactive && options.signer === undefined;
  const unlocked = isUnattended ? unlock(account, options, context) : undefined;
  // Errors surface when the values are used.
  Promise.all([loading, context.venueKeys(), registered, unlocked]).catch(() => {});
  const asked = unlocked && askFee(account, unlocked, options, context).catch(() => undefined);
  return { registered, unlocked, fee: asked && { at: context.clock.now(), asked } };
}

export type Preloaded = {
  registered: Promise<readonly VenueAccount.ApiKey[]>;
  /** Undefined if the keys are unlocked only when they are to sign. */
  unlocked: Promise<Unlocked> | undefined;
  /** The fee of a transfer to the account that will be paid, if it is clear which. */
  fee: Facts.Early<Fee | undefined> | undefined;
};

/** The fee of a transfer to an account, in millionths of USDC. */
type Fee = { toAccountIndex: number; usdc: bigint };

type Unlocked = { apiKey: VenueSigner; wallet: Account };

async function unlock(account: Expected, options: Options<typeof signingFlags>, context: Context): Promise<Unlocked> {
  // Both at once, unless two passwords may be asked for.
  const early = context.interactive ? undefined : context.account();
  early?.catch(() => {});
  const apiKey = await (await context.venueKeys()).unlock(account, slotIn(options, context));
  return { apiKey, wallet: await (early ?? context.account()) };
}

/** Asks what the venue will charge, if it is clear who will be paid. */
async function askFee(
  account: Expected,
  unlocked: Promise<Unlocked>,
  options: Options<typeof signingFlags>,
  context: Context,
): Promise<Fee | undefined> {
  const [receiver, ...others] = currencyOf(context.network).chain.contracts.accounts ?? [];
  const apiKeyIndex = await expectedSlot(account, options, context);
  if (receiver === undefined || others.length > 0 || apiKeyIndex === undefined) return undefined;
  const [{ apiKey }, Signing] = await Promise.all([unlocked, import('../core/withdrawal/WithdrawalSigning.js')]);
  const token = Signing.tokenOf({ accountIndex: account.index, apiKeyIndex, nowMs: context.clock.now() }, apiKey);
  const toAccountIndex = Number(receiver);
  return { toAccountIndex, usdc: await (await context.venue()).transferFee(account.index, toAccountIndex, token) };
}

/**
 * The slot that will sign, as far as it is known before the venue is asked: the selected one, that of the stored key, or
 * that of a development account. The venue's word decides.
 */
export async function expectedSlot(
  account: Expected,
  options: Options<typeof signingFlags>,
  context: Context,
): Promise<number | undefined> {
  const { config, network } = context;
  const selected = slotIn(options, context);
  if (selected !== undefined || options.signer !== undefined) return selected;
  if (config.venueKeyFile.value !== undefined || config.venuePrivateKey.value) return undefined;
  const name = config.venueKey.value;
  const stored = (await (await context.venueKeys()).list()).filter((each) =>
    name === undefined ? each.network === network.name && each.accountIndex === account.index : each.name === name,
  );
  if (stored.length > 0) return stored.length === 1 ? stored[0]?.apiKeyIndex : undefined;
  const isDevelopment = network.name === 'sandbox' && DevelopmentAccount.indexOf(account.wallet) !== undefined;
  return isDevelopment ? DevelopmentAccount.venueSlot : undefined;
}

function slotIn({ apiKeyIndex }: Options<typeof signingFlags>, { network }: Context): number | undefined {
  if (apiKeyIndex === undefined) return network.venue?.apiKeyIndex;
  return SettingFormat.option(SettingFormat.slot, apiKeyIndex, '--api-key-index');
}

/** A signer for a venue account, with a registered API key. */
export type Signer = {
  /** The slot of the API key whose nonces are used. */
  apiKeyIndex: number;
  /** The venue's current transfer fee in millionths of USDC; undefined if it cannot be read. */
  feeAsked(transfer: Plan.VenueTransfer): Promise<bigint | undefined>;
  /** The transfer with both signatures. @throws auth.signer · sign.failed · venue.* */
  sign(plan: Plan.VenuePlan, validForMs: number | undefined, taken: Taken): Promise<WithdrawalSigning.Signed>;
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
  const { venue } = context.network;
  if (!venue) throw unconfigured(context.network.name);
  const { signer: command } = options;
  const registered = await preloaded.registered;
  const paying = { account, registered, slot: slotIn(options, context) };
  const { signed, ...signer } = await (command !== undefined
    ? commandSigner(command, paying, context)
    : keySigner(await (preloaded.unlocked ?? unlock(account, options, context)), paying, preloaded.fee, context));
  return {
    ...signer,
    async sign(plan, validForMs, taken) {
      const Signing = await import('../core/withdrawal/WithdrawalSigning.js');
      const { apiKeyIndex } = signer;
      const nonce = await nonceOf(account, apiKeyIndex, taken, context);
      const expiredAtMs = context.clock.now() + (validForMs ?? Signing.defaultValidForMs);
      const numbers = { apiKeyIndex, nonce, expiredAtMs, signingChainId: venue.signingChainId };
      const transfer = await signed(Signing.transferOf(plan, numbers), numbers);
      taken.turn.use(numbers.nonce + 1n);
      return transfer;
    },
  };
}

/** What signs a transfer with the numbers that it was given. */
type Means = Omit<Signer, 'sign'> & {
  signed(transfer: WithdrawalSigning.Unsigned, numbers: WithdrawalSigning.Numbers): Promise<WithdrawalSigning.Signed>;
};

/** The account that pays, its registered keys, and the slot that the user has selected. */
type Paying = {
  account: VenueAccount.VenueAccount;
  registered: readonly VenueAccount.ApiKey[];
  slot: number | undefined;
};

async function commandSigner(command: string, { account, registered, slot }: Paying, context: Context): Promise<Means> {
  const Signing = await import('../core/withdrawal/WithdrawalSigning.js');
  const { index, publicKey } = Signing.soleSlot(account, registered, slot);
  const openWallet = async () => {
    const wallet = await context.account();
    WithdrawalChecks.assertOwner(account, wallet.address);
    return wallet;
  };
  return {
    apiKeyIndex: index,
    feeAsked: async () => undefined,
    signed: async (transfer, numbers) => {
      const answer = await context.runSigner(command, Signing.toAction(transfer, numbers));
      const { signingChainId } = numbers;
      const asked = { transfer, signingChainId, publicKey, owner: account.wallet, nowMs: context.clock.now() };
      return Signing.fromSigner(answer, asked, openWallet);
    },
  };
}

async function keySigner(
  { apiKey, wallet }: Unlocked,
  { account, registered, slot }: Paying,
  early: Preloaded['fee'],
  context: Context,
): Promise<Means> {
  const Signing = await import('../core/withdrawal/WithdrawalSigning.js');
  const venue = await context.venue();
  const { index } = Signing.slotOf(account, registered, apiKey, slot);
  let token: string | undefined;
  return {
    apiKeyIndex: index,
    feeAsked: async ({ fromAccountIndex, toAccountIndex }) => {
      const known = early && Facts.isRecent(early, context.clock) ? await early.asked : undefined;
      if (known?.toAccountIndex === toAccountIndex) return known.usdc;
      token ??= Signing.tokenOf(
        { accountIndex: account.index, apiKeyIndex: index, nowMs: context.clock.now() },
        apiKey,
      );
      return venue.transferFee(fromAccountIndex, toAccountIndex, token).catch(() => undefined);
    },
    signed: (transfer, numbers) => Signing.sign(transfer, numbers, { apiKey, wallet }),
  };
}

/** The nonce to sign with. Its use is recorded once that is done: a command that fails may have sent it all the same. */
async function nonceOf(
  { index }: VenueAccount.VenueAccount,
  apiKeyIndex: number,
  taken: Taken,
  { network, clock, venue }: Context,
): Promise<bigint> {
  const nonce = Facts.isRecent(taken, clock) ? taken.next : await (await venue()).nextNonce(index, apiKeyIndex);
  const owner = `API key ${apiKeyIndex} of the venue account ${index}`;
  NonceRule.assertNext({ turn: taken.turn, owner, chain: currencyOf(network).chain.name }, nonce);
  return nonce;
}
