/**
 * Whose account a deposit is credited to: the venue says it, and the user has accepted it once. From then on another
 * account is a contradiction.
 */
import type { Context } from '../core/command/Context.js';
import * as Network from '../core/network/Network.js';
import type * as TrustedContracts from '../core/network/TrustedContracts.js';
import * as Verification from '../core/proof/Verification.js';
import { collect, type Finding } from '../core/quote/Finding.js';
import type { Intent } from '../core/quote/TransferIntent.js';

/** What the venue says of a wallet. */
type Stated = { wallet: string; index: string };

/** The finding about the account that the venue names as the wallet's. */
export function findings({ wallet, index }: Stated, { pins }: Pick<Context, 'pins'>): readonly Finding[] {
  const found = collect();
  const { venueAccount: check } = Verification;
  const known = pins.account(wallet);
  if (known)
    found.say(check, known.index === index, `account ${known.index} of ${wallet}`, `account ${index}`, [
      'the venue',
      known.source === 'shipped' ? 'ferry' : 'your pin',
    ]);
  else found.cannot(check, `an account of ${wallet} that you have accepted`, `account ${index}`, 'the venue');
  return found.list;
}

/** How a deposit's recipient is shown to be right: nothing is to be shown of an account that the user named. */
export type Credit = {
  findings: readonly Finding[];
  /** Remembers the account; to be called once the user has agreed to the payment. */
  agreed(): Promise<void>;
};

/** @param isNamed whether the user named the account by its index */
export function creditOf(
  { destination, recipient }: Pick<Intent, 'destination' | 'recipient'>,
  { wallet, isNamed }: { wallet: string; isNamed: boolean },
  context: Context,
): Credit {
  if (destination.chain.vm !== 'lvm' || isNamed) return { findings: [], agreed: async () => {} };
  const stated = { wallet, index: recipient };
  return {
    findings: findings(stated, context),
    async agreed() {
      if (!context.pins.account(wallet)) await pin(stated, context);
    },
  };
}

/** Pins the account of a wallet. @throws config.unwritable · config.invalid */
export async function pin({ wallet, index }: Stated, { pins, network }: Context): Promise<void> {
  const venue = network.chains.find(({ vm }) => vm === 'lvm');
  if (!venue) throw new Network.UnknownChainError(network, 'lvm');
  const account = { wallet, index } as NonNullable<TrustedContracts.Changes['account']>;
  await pins.write(venue, { contracts: {}, tokens: [], account });
}
