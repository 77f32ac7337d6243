import * as z from 'zod/mini';
import type { StoredVenueKey } from '../../core/accounts/KeyStores.js';
import * as VenueAccount from '../../core/accounts/VenueAccount.js';
import { BaseError } from '../../core/base/Errors.js';
import { define } from '../../core/command/Command.js';
import type { Context } from '../../core/command/Context.js';
import * as SettingFormat from '../../core/config/SettingFormat.js';
import * as Place from '../../core/text/Place.js';
import type { Style } from '../../core/text/TerminalStyle.js';
import * as TerminalText from '../../core/text/TerminalText.js';
import { pin } from '../../setup/trustVenueAccount.js';
import { accountOfIndex, accountsOfWallet, assertVenue, ownAccount } from '../../transfer/findVenueAccount.js';

const account = z.object({
  index: z.int(),
  wallet: z.string(),
  type: z.enum(['master', 'sub']),
  /** False until its first deposit; null if the venue does not say. */
  active: z.nullable(z.boolean()),
  /** Balances on the perps and the spot route, as decimals in whole units. */
  assets: z.array(z.object({ symbol: z.string(), assetIndex: z.int(), perps: z.string(), spot: z.string() })),
  /** Whether deposits to the wallet go to it: it ships with ferry, was pinned, or was accepted in place of another. */
  trusted: z.nullable(z.enum(['shipped', 'pinned', 'accepted'])),
  keys: z.array(
    z.object({
      /** The slot of the API key. */
      index: z.int(),
      publicKey: z.string(),
      nonce: z.string(),
      /** The key's name in ferry; null for a key that ferry does not hold. */
      name: z.nullable(z.string()),
    }),
  ),
});

export const command = define({
  description:
    'Shows venue accounts: their balances, and the API keys that can sign for them. Takes a wallet or an account index; by default shows the accounts of your wallet. With --accept, deposits to the wallet are credited to the account from now on: the one with the index, else the wallet’s first.',
  args: [
    {
      name: 'who',
      names: 'address',
      description: 'a wallet’s address, a key’s name, dev0 to dev9 or an account index (default: your wallet)',
      optional: true,
    },
  ],
  options: {
    accept: { description: 'trust that this is the wallet’s account, after asking' },
    account: {
      value: 'account',
      description: 'the account whose wallet it is: an address, a key’s name, or dev0 to dev9 on the sandbox',
    },
  },
  examples: [
    ['ferry venue account', 'the accounts of your wallet'],
    ['ferry venue account 100', 'one account, by its index'],
    ['ferry venue account dev1', 'the accounts of a development account on the sandbox'],
    ['ferry venue account --accept', 'trust the account that the venue names'],
    ['ferry venue account 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266 --json', 'the accounts of a wallet, in a script'],
  ],
  output: z.object({
    venue: z.string(),
    /** The chain id that the venue's signatures are bound to. */
    signingChainId: z.int(),
    accounts: z.array(account),
  }),
  async run({ args: [who], accept: isAccepting = false }, context) {
    assertVenue(context.network);
    const venue = await context.venue();
    const found = await find(who, context);
    if (isAccepting) await accept(found[0], context);
    const stored = await (await context.venueKeys()).list();
    return {
      venue: new URL(venue.baseUrl).origin,
      signingChainId: context.network.venue?.signingChainId ?? 0,
      accounts: await Promise.all(found.map((each) => detailed(each, stored, context))),
    };
  },
  placed: true,
  view: ({ venue, accounts }, style) =>
    [style.dim(TerminalText.escape(venue)), ...accounts.map((each) => format(each, style))].join('\n\n'),
});

/** The accounts of an index, of a wallet, or of the user's wallet. @throws venue.unknown-account */
async function find(who: string | undefined, context: Context): Promise<readonly VenueAccount.VenueAccount[]> {
  if (who !== undefined && /^\d/.test(who) && !/^0x/i.test(who)) return [await accountOfIndex(who, context)];
  const wallet = who === undefined ? (await ownAccount(context, context.watched)).wallet : await walletOf(who, context);
  const all = await accountsOfWallet(wallet, context);
  if (all.length > 0) return all;
  throw VenueAccount.unknownVenueAccount({ wallet }, context.network);
}

/** The wallet of an address, a key's name or a development account. @throws auth.* · request.invalid-address */
async function walletOf(who: string, context: Context): Promise<string> {
  if (/^0x/i.test(who)) return who;
  return context.derive({ account: SettingFormat.option(SettingFormat.account, who, 'The wallet') }).watched();
}

/** Trusts an account as its wallet's. @throws usage.confirmation · prompt.declined · config.unwritable */
async function accept(account: VenueAccount.VenueAccount | undefined, context: Context): Promise<void> {
  if (!account) return;
  const { wallet } = account;
  const index = String(account.index);
  const known = context.pins.account(wallet);
  if (known?.index === index) return;
  if (known?.source === 'shipped' && context.yes)
    // The account of a wallet that ships with ferry would be replaced, and --yes answers for everybody.
    throw new BaseError(
      'usage.confirmation',
      'A venue account that ships with ferry is replaced only by a person on a terminal.',
      {
        facts: [
          ['wallet', wallet],
          ['account', `${known.index} → ${index}`],
        ],
        hint: 'Run this on a terminal, without --yes.',
      },
    );
  const instead = known === undefined ? '' : `, in place of account ${known.index}`;
  await context.confirm(
    `On ${Place.inWords(context.network)}: credit deposits for wallet ${wallet} to account ${index} from now on${instead}?`,
  );
  await pin({ wallet, index }, context);
}

async function detailed(
  { index }: VenueAccount.VenueAccount,
  stored: readonly StoredVenueKey[],
  context: Context,
): Promise<z.output<typeof account>> {
  const venue = await context.venue();
  const [{ wallet, isMaster, isActive, assets = [] }, keys] = await Promise.all([
    accountOfIndex(index, context),
    venue.apiKeys(index),
  ]);
  const known = context.pins.account(wallet);
  return {
    index,
    wallet,
    type: isMaster ? 'master' : 'sub',
    active: isActive ?? null,
    assets: assets.map((asset) => ({ ...asset })),
    trusted: known?.index === String(index) ? known.source : null,
    keys: keys.map((key) => ({
      index: key.index,
      publicKey: key.publicKey,
      nonce: String(key.nonce),
      name: stored.find(({ publicKey }) => publicKey === key.publicKey)?.name ?? null,
    })),
  };
}

function format(
  { index, wallet, type, active, trusted, assets, keys }: z.output<typeof account>,
  style: Style,
): string {
  const kind = `${type === 'master' ? 'master account' : 'sub-account'}${active === false ? ', no deposit yet' : ''}`;
  const held = assets.map(({ symbol, perps, spot }) => [
    `  ${TerminalText.escape(symbol)}`,
    TerminalText.escape(style.number(trimmed(perps))),
    Number(spot) === 0 ? '' : style.dim(`plus ${TerminalText.escape(style.number(trimmed(spot)))} on the spot route`),
  ]);
  const signing = keys.map((key) => [
    `  ${style.dim(`key ${key.index}`)}`,
    style.width >= 100 ? key.publicKey : `${key.publicKey.slice(0, 12)}…${key.publicKey.slice(-8)}`,
    key.name === null ? '' : style.green(`held as ${key.name}`),
  ]);
  return [
    `${style.bold(`Account ${index}`)} ${style.dim(kind)}`,
    TerminalText.columns([
      [`  ${style.dim('wallet')}`, TerminalText.escape(wallet)],
      ...(trusted === null ? [] : [[`  ${style.dim('deposits')}`, `credited here: ${trustWords[trusted]}`]]),
    ]),
    ...(held.length > 0 ? [TerminalText.columns(held, [1])] : [`  ${style.dim('no balance')}`]),
    ...(signing.length > 0 ? [TerminalText.columns(signing)] : [`  ${style.dim('no API keys')}`]),
  ].join('\n');
}

const trustWords = {
  shipped: 'ferry knows it',
  pinned: 'you accepted it',
  accepted: 'you accepted it in place of another',
} as const;

/** `100` for `100.000000`. */
function trimmed(decimal: string): string {
  return decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal;
}
