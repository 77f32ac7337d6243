/** What the user trusts besides what ferry ships: contracts that may hold funds, and tokens by symbol. */
import { isAddress } from 'viem/utils';
import * as z from 'zod/mini';
import * as Address from '../base/Address.js';
import { BaseError } from '../base/Errors.js';
import type { Chain, Network, Token } from './Network.js';

/** The contracts that can be pinned; a service names the first three of them itself. */
export const contractNames = ['depository', 'router', 'approvalProxy', 'wrapped', 'batchExecutor'] as const;

export type ContractName = (typeof contractNames)[number];

export type Pin = {
  address: Address.Address;
  /** When it was pinned: unix time in milliseconds. */
  at: number;
  /** The address that ferry knew and that the user gave up for it. */
  instead?: Address.Address | undefined;
};

export type TokenPin = Pin & { symbol: string; name: string; decimals: number };

/** The pins of one chain. Another network, another deployment of it and another chain inherit nothing. */
export type ChainPins = Place & {
  contracts: Readonly<Partial<Record<ContractName, Pin>>>;
  tokens: readonly TokenPin[];
};

export type Place = {
  /** The network's name. */
  network: string;
  /** The origin of the service's base URL; of the sandbox, its instance. */
  deployment: string;
  chainId: number;
};

export type Pins = readonly ChainPins[];

/** What becomes known of a chain. An address that ferry ships takes the pin away. */
export type Changes = {
  contracts: Readonly<Partial<Record<ContractName, Address.Address>>>;
  tokens: readonly (Token & { address: Address.Address })[];
};

/** `accepted` took the place of another address that was known, `pinned` of none. */
export type Source = 'shipped' | 'pinned' | 'accepted';

/** A contract that is known, and from where. */
export type KnownContract = Known & { contract: ContractName };

/** A token that the user pinned. */
export type KnownToken = Known & { token: Token };

type Known = {
  address: Address.Address;
  source: Source;
  /** When it was pinned: unix time in milliseconds; undefined for what ferry ships. */
  at: number | undefined;
  /** The address whose place it took. */
  instead: Address.Address | undefined;
};

/** The contracts and tokens that the user trusts besides those that ferry ships, for the network in use. */
export type PinStore = {
  /** The file that holds them. */
  path: string;
  /** The contracts that are known of a chain, and from where. */
  contracts(chain: Chain): readonly KnownContract[];
  /** The tokens of a chain that the user pinned. */
  tokens(chain: Chain): readonly KnownToken[];
  /** The network in use with the pins as they are now. */
  network(): Network;
  /** Writes pins and gives the network with them laid over. @throws config.unwritable · config.invalid */
  write(chain: Chain, changes: Changes): Promise<Network>;
};

/** The only version of the file there is. */
const version = 1;

/** In mixed case the checksum must be right: somebody may have typed it. */
const address = z.string().check(z.refine((text) => isAddress(text)));
const pin = { address, at: z.iso.datetime(), instead: z.optional(address) };
const schema = z.strictObject({
  version: z.literal(version),
  chains: z.array(
    z.strictObject({
      network: z.string(),
      deployment: z.string(),
      chainId: z.int(),
      contracts: z.partialRecord(z.enum(contractNames), z.strictObject(pin)),
      tokens: z.array(
        z.strictObject({
          symbol: z.string(),
          name: z.string(),
          decimals: z.int().check(z.gte(0), z.lte(255)),
          ...pin,
        }),
      ),
    }),
  ),
});

/** Reads a file's text. @throws config.unreadable · config.invalid for a file of a newer ferry */
export function from(text: string, path: string): Pins {
  const content = parse(text);
  const found = isMapping(content) ? content.version : undefined;
  if (typeof found === 'number' && found > version) throw new NewerFileError(path);
  const read = schema.safeParse(content);
  if (!read.success) throw new DamagedFileError(path, where(read.error));
  return read.data.chains.map(({ contracts, tokens, ...place }) => ({
    ...place,
    contracts: Object.fromEntries(Object.entries(contracts).map(([name, each]) => [name, each && toPin(each)])),
    tokens: tokens.map(({ symbol, name, decimals, ...each }) => ({ symbol, name, decimals, ...toPin(each) })),
  }));
}

/** The file's text. */
export function format(pins: Pins): string {
  const write = (each: Pin) => ({ ...each, at: new Date(each.at).toISOString() });
  const chains = pins.map(({ contracts, tokens, ...place }) => ({
    ...place,
    contracts: Object.fromEntries(Object.entries(contracts).map(([name, each]) => [name, write(each)])),
    tokens: tokens.map((each) => ({ ...each, ...write(each) })),
  }));
  return `${JSON.stringify({ version, chains }, null, 2)}\n`;
}

/** What the pins of a network are bound to; undefined while that is not known. */
export function deployment({ name, baseUrl }: Network, instance: string | undefined): string | undefined {
  if (name === 'sandbox') return instance;
  return baseUrl === undefined ? undefined : new URL(baseUrl).origin;
}

/** The pins of a place, if there are any. */
export function at(pins: Pins, place: Place): ChainPins | undefined {
  return pins.find((each) => isSamePlace(each, place));
}

/** The pins with those of a place changed. `chain` is as ferry ships it. */
export function change(pins: Pins, place: Place, chain: Chain, changes: Changes, nowMs: number): Pins {
  const before = at(pins, place) ?? { ...place, contracts: {}, tokens: [] };
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
    const made = toChange(wanted, addressOf(shippedToken(chain, symbol)), pinnedToken(tokens, symbol), nowMs);
    tokens = tokens.filter((each) => !isSymbol(each, symbol));
    if (made) tokens = [...tokens, { symbol, name, decimals, ...made }];
  }
  const others = pins.filter((each) => each !== before);
  const isEmpty = Object.keys(contracts).length === 0 && tokens.length === 0;
  return isEmpty ? others : [...others, { ...place, contracts, tokens }];
}

/** The chain with its pins laid over. `chain` is as ferry ships it. */
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

/** The known contracts of a chain. `chain` is as ferry ships it. */
export function contracts(chain: Chain, pins: ChainPins | undefined): KnownContract[] {
  return contractNames.flatMap((contract) => {
    const known = toKnown(chain.contracts[contract], pins?.contracts[contract]);
    return known ? [{ contract, ...known }] : [];
  });
}

/** The tokens that the user pinned and that hold. `chain` is as ferry ships it. */
export function tokens(chain: Chain, pins: ChainPins | undefined): KnownToken[] {
  return (pins?.tokens ?? []).flatMap(({ symbol, name, decimals, ...each }) => {
    const known = toKnown(addressOf(shippedToken(chain, symbol)), each);
    if (!known || known.source === 'shipped') return [];
    return [{ ...known, token: { symbol, name, address: known.address, decimals } }];
  });
}

/**
 * What ferry ships wins over a pin, unless the pin was accepted in the place of that very address: what ferry ships
 * later is newer than the user's decision.
 */
function toKnown(shipped: Address.Address | undefined, pinned: Pin | undefined): Known | undefined {
  const holds = pinned && (!shipped || (pinned.instead !== undefined && Address.isEqual(pinned.instead, shipped)));
  if (holds) {
    const { address: own, at: when, instead } = pinned;
    return { address: own, source: instead ? 'accepted' : 'pinned', at: when, instead };
  }
  return shipped && { address: shipped, source: 'shipped', at: undefined, instead: undefined };
}

/** The pin that makes an address known; undefined where ferry ships it. */
function toChange(
  wanted: Address.Address,
  shipped: Address.Address | undefined,
  before: Pin | undefined,
  nowMs: number,
): Pin | undefined {
  if (shipped && Address.isEqual(shipped, wanted)) return undefined;
  if (before && Address.isEqual(before.address, wanted) && toKnown(shipped, before)?.source !== 'shipped')
    return before;
  const instead = shipped ?? before?.address;
  return { address: wanted, at: nowMs, ...(instead && { instead }) };
}

function toPin({
  address: own,
  at: when,
  instead,
}: {
  address: string;
  at: string;
  instead?: string | undefined;
}): Pin {
  const read = (text: string): Address.Address => Address.from(text.toLowerCase());
  return { address: read(own), at: Date.parse(when), ...(instead !== undefined && { instead: read(instead) }) };
}

function shippedToken(chain: Chain, symbol: string): Token | undefined {
  return chain.tokens.find((each) => isSymbol(each, symbol));
}

function pinnedToken(pinned: readonly TokenPin[], symbol: string): TokenPin | undefined {
  return pinned.find((each) => isSymbol(each, symbol));
}

function isSymbol(token: { symbol: string }, symbol: string): boolean {
  return token.symbol.toLowerCase() === symbol.toLowerCase();
}

function addressOf(token: Token | undefined): Address.Address | undefined {
  return token?.address as Address.Address | undefined;
}

function isSamePlace(a: Place, b: Place): boolean {
  return a.network === b.network && a.deployment === b.deployment && a.chainId === b.chainId;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The first place that is not as it should be: `chains.0.chainId`. */
function where({ issues: [first] }: z.core.$ZodError): string | undefined {
  return first && first.path.length > 0 ? first.path.map(String).join('.') : undefined;
}

export class DamagedFileError extends BaseError {
  override name = 'DamagedFileError';
  constructor(path: string, place: string | undefined) {
    super('config.unreadable', 'The file of accepted contracts is damaged.', {
      facts: [['file', path], ...(place === undefined ? [] : [['at', place] as const])],
      hint: 'Put it right, or remove it: what you accepted then has to be accepted again.',
    });
  }
}

export class NewerFileError extends BaseError {
  override name = 'NewerFileError';
  constructor(path: string) {
    super('config.invalid', 'The file of accepted contracts was written by a newer ferry.', {
      facts: [['file', path]],
      hint: 'Use that one, or remove the file: what you accepted then has to be accepted again.',
    });
  }
}
