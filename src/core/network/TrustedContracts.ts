/** Pins: contracts and tokens that the user trusts in addition to those that ship with ferry. */

import { isAddress } from 'viem/utils';
import * as z from 'zod/mini';
import { isMapping } from '../api/schema/Mapping.js';
import * as Address from '../base/Address.js';
import { BaseError } from '../base/Errors.js';
import * as JsonText from '../text/JsonText.js';
import type { Chain, Network, Token } from './Network.js';

/** The contracts that can be pinned. The service reports the first three. */
export const contractNames = ['depository', 'router', 'approvalProxy', 'wrapped', 'batchExecutor'] as const;

export type ContractName = (typeof contractNames)[number];

/** Contracts and tokens to pin. Pinning the address that ships with ferry removes the pin. */
export type Changes = {
  contracts: Readonly<Partial<Record<ContractName, Address.Address>>>;
  tokens: readonly (Token & { address: Address.Address })[];
  /** On the venue: the account of a wallet. */
  account?: Pick<AccountPin, 'wallet' | 'index'> | undefined;
};

/** `accepted` replaced a known address, `pinned` did not. */
export type Source = 'shipped' | 'pinned' | 'accepted';

/** A trusted contract and its origin. */
export type KnownContract = Trusted<Address.Address> & { contract: ContractName };

/** A token that the user pinned. */
export type KnownToken = Trusted<Address.Address> & { token: Token };

type Trusted<A extends string> = {
  address: A;
  source: Source;
  /** When it was pinned: Unix time in milliseconds; undefined if it ships with ferry. */
  at: number | undefined;
  /** The address that it replaced. */
  instead: A | undefined;
};

/** A wallet's account that is trusted. */
export type KnownAccount = { index: string } & Pick<Trusted<string>, 'source' | 'at'>;

/** The user's pins for the network in use. */
export type PinStore = {
  /** The file that holds them. */
  path: string;
  /** The trusted contracts of a chain with their origins. */
  contracts(chain: Chain): readonly KnownContract[];
  /** The tokens of a chain that the user pinned. */
  tokens(chain: Chain): readonly KnownToken[];
  /** The account of a wallet at the venue; undefined if the user has accepted none. */
  account(wallet: string): KnownAccount | undefined;
  /** The network in use with the current pins applied. */
  network(): Network;
  /** Writes pins and returns the network with them applied. @throws config.unwritable · config.invalid */
  write(chain: Chain, changes: Changes): Promise<Network>;
};

/** The only version of the file format. */
const version = 1;

/** A mixed-case address needs a valid checksum, since it may have been typed. */
const address = z.codec(z.string().check(z.refine((text) => isAddress(text))), z.custom<Address.Address>(), {
  decode: (text) => Address.from(text.toLowerCase()),
  encode: (own) => own,
});
const accountIndex = z.string().check(z.regex(/^\d{1,15}$/));
/** When it was pinned: Unix time in milliseconds. */
const time = z.codec(z.iso.datetime(), z.int(), {
  decode: (text) => Date.parse(text),
  encode: (at) => new Date(at).toISOString(),
});
/** `instead` is the previously trusted address that the user replaced. */
const pin = z.strictObject({ address, at: time, instead: z.optional(address) });
const tokenPin = z.strictObject({
  symbol: z.string(),
  name: z.string(),
  decimals: z.int().check(z.gte(0), z.lte(255)),
  ...pin.shape,
});
/** The account of the venue that a wallet's deposits are credited to. */
const accountPin = z.strictObject({
  wallet: address,
  index: accountIndex,
  at: time,
  instead: z.optional(accountIndex),
});
/**
 * The pins of one chain of one deployment of a network; they apply nowhere else. The deployment is the origin of the
 * service's base URL, or the instance id of the sandbox.
 */
const chainPins = z.strictObject({
  network: z.string(),
  deployment: z.string(),
  chainId: z.int(),
  contracts: z.partialRecord(z.enum(contractNames), pin),
  tokens: z.array(tokenPin),
  accounts: z.optional(z.array(accountPin)),
});
const schema = z.strictObject({ version: z.literal(version), chains: z.array(chainPins) });

/** Of a contract, a token or an account. */
type Pin<A extends string> = { address: A; at: number; instead?: A | undefined };
type AccountPin = z.output<typeof accountPin>;
export type ChainPins = z.output<typeof chainPins>;
export type PinnedAt = Pick<ChainPins, 'network' | 'deployment' | 'chainId'>;
export type Pins = readonly ChainPins[];

/** Parses the text of a pin file. @throws config.unreadable · config.invalid if a newer ferry wrote it */
export function from(text: string, path: string): Pins {
  const content = JsonText.read(text);
  const found = isMapping(content) ? content.version : undefined;
  if (typeof found === 'number' && found > version)
    throw new BaseError('config.invalid', 'The file of accepted contracts was written by a newer ferry.', {
      facts: [['file', path]],
      hint: 'Use that version, or remove the file. If you remove it, you have to accept your contracts again.',
    });
  const read = schema.safeParse(content);
  if (!read.success) throw damagedFile(path, where(read.error));
  return read.data.chains;
}

/** Formats pins as the text of a pin file. */
export function format(pins: Pins): string {
  return `${JsonText.document(z.encode(schema, { version, chains: [...pins] }))}\n`;
}

/** The deployment that a network's pins are bound to; undefined while it is unknown. */
export function deployment({ name, baseUrl }: Network, instance: string | undefined): string | undefined {
  if (name === 'sandbox') return instance;
  return baseUrl === undefined ? undefined : new URL(baseUrl).origin;
}

/** The pins of a place, if there are any. */
export function at(pins: Pins, place: PinnedAt): ChainPins | undefined {
  return pins.find(
    (each) => each.network === place.network && each.deployment === place.deployment && each.chainId === place.chainId,
  );
}

/**
 * Applies changes to the pins of a place. `chain` must be as shipped.
 *
 * @param shippedAccounts the venue accounts that ship with ferry, by wallet in lower case
 */
export function change(
  pins: Pins,
  place: PinnedAt,
  chain: Chain,
  changes: Changes,
  nowMs: number,
  shippedAccounts: ShippedAccounts = {},
): Pins {
  const before: ChainPins = at(pins, place) ?? { ...place, contracts: {}, tokens: [] };
  const contracts = { ...before.contracts };
  for (const name of contractNames) {
    const wanted = changes.contracts[name];
    if (wanted === undefined) continue;
    const made = toChange(wanted, chain.contracts[name], contracts[name], nowMs);
    if (made) contracts[name] = made;
    else delete contracts[name];
  }
  let tokens = before.tokens;
  for (const { symbol, name, decimals, address: wanted } of changes.tokens) {
    const made = toChange(
      wanted,
      addressOf(shippedToken(chain, symbol)),
      tokens.find((each) => isSymbol(each, symbol)),
      nowMs,
    );
    tokens = tokens.filter((each) => !isSymbol(each, symbol));
    if (made) tokens = [...tokens, { symbol, name, decimals, ...made }];
  }
  let accounts = before.accounts ?? [];
  if (changes.account) {
    const { wallet, index } = changes.account;
    const made = toChange(index, shippedAccounts[wallet.toLowerCase()], pinOf(wallet, accounts), nowMs);
    accounts = accounts.filter((each) => !Address.isEqual(each.wallet, wallet));
    if (made) accounts = [...accounts, { wallet, index, at: made.at, ...(made.instead && { instead: made.instead }) }];
  }
  const others = pins.filter((each) => each !== before);
  const isEmpty = Object.keys(contracts).length === 0 && tokens.length === 0 && accounts.length === 0;
  return isEmpty ? others : [...others, { ...place, contracts, tokens, ...(accounts.length > 0 && { accounts }) }];
}

type ShippedAccounts = Readonly<Record<string, string>>;

/** The trusted account of a wallet. A pin overrides a shipped account only if the user accepted it in place of that one. */
export function account(
  wallet: string,
  pins: Pick<ChainPins, 'accounts'> | undefined,
  shippedAccounts: ShippedAccounts = {},
): KnownAccount | undefined {
  const known = toKnown(shippedAccounts[wallet.toLowerCase()], pinOf(wallet, pins?.accounts ?? []));
  return known && { index: known.address, source: known.source, at: known.at };
}

function pinOf(wallet: string, accounts: readonly AccountPin[]): Pin<string> | undefined {
  const found = accounts.find((each) => Address.isEqual(each.wallet, wallet));
  return found && { address: found.index, at: found.at, instead: found.instead };
}

/** The chain with its pins applied. `chain` must be as shipped. */
export function layOver(chain: Chain, pins: ChainPins | undefined): Chain {
  if (!pins) return chain;
  const pinned = tokens(chain, pins).map(({ token }) => token);
  return {
    ...chain,
    contracts: {
      ...chain.contracts,
      ...Object.fromEntries(contracts(chain, pins).map(({ contract, address: each }) => [contract, each])),
    },
    tokens: [...chain.tokens.filter(({ symbol }) => !pinned.some((each) => isSymbol(each, symbol))), ...pinned],
  };
}

/** The trusted contracts of a chain. `chain` must be as shipped. */
export function contracts(chain: Chain, pins: ChainPins | undefined): KnownContract[] {
  return contractNames.flatMap((contract) => {
    const known = toKnown(chain.contracts[contract], pins?.contracts[contract]);
    return known ? [{ contract, ...known }] : [];
  });
}

/** The pinned tokens that are in effect. `chain` must be as shipped. */
export function tokens(chain: Chain, pins: ChainPins | undefined): KnownToken[] {
  return (pins?.tokens ?? []).flatMap(({ symbol, name, decimals, ...each }) => {
    const known = toKnown(addressOf(shippedToken(chain, symbol)), each);
    if (!known || known.source === 'shipped') return [];
    return [{ ...known, token: { symbol, name, address: known.address, decimals } }];
  });
}

/**
 * A shipped address overrides a pin, unless the user accepted the pin as a replacement for that same address: an
 * address that ships later is newer than the user's decision.
 */
function toKnown<A extends string>(shipped: A | undefined, pinned: Pin<A> | undefined): Trusted<A> | undefined {
  const holds = pinned && (!shipped || (pinned.instead !== undefined && Address.isEqual(pinned.instead, shipped)));
  if (holds) {
    const { address: own, at: when, instead } = pinned;
    return { address: own, source: instead ? 'accepted' : 'pinned', at: when, instead };
  }
  return shipped && { address: shipped, source: 'shipped', at: undefined, instead: undefined };
}

/** The pin that makes an address trusted; undefined if ferry ships the address. */
function toChange<A extends string>(
  wanted: A,
  shipped: A | undefined,
  before: Pin<A> | undefined,
  nowMs: number,
): Pin<A> | undefined {
  if (shipped && Address.isEqual(shipped, wanted)) return undefined;
  if (before && Address.isEqual(before.address, wanted) && toKnown(shipped, before)?.source !== 'shipped')
    return before;
  const instead = shipped ?? before?.address;
  return { address: wanted, at: nowMs, ...(instead && { instead }) };
}

function shippedToken(chain: Chain, symbol: string): Token | undefined {
  return chain.tokens.find((each) => isSymbol(each, symbol));
}

function isSymbol(token: { symbol: string }, symbol: string): boolean {
  return token.symbol.toLowerCase() === symbol.toLowerCase();
}

function addressOf(token: Token | undefined): Address.Address | undefined {
  return token?.address as Address.Address | undefined;
}

/** The path of the first problem: `chains.0.chainId`. */
function where({ issues: [first] }: z.core.$ZodError): string | undefined {
  return first && first.path.length > 0 ? first.path.map(String).join('.') : undefined;
}

export function damagedFile(path: string, place: string | undefined): BaseError {
  return new BaseError('config.unreadable', 'The file of accepted contracts is corrupt.', {
    facts: [['file', path], ...(place === undefined ? [] : [['at', place] as const])],
    hint: 'Fix or remove it. If you remove it, you have to accept your contracts again.',
  });
}
