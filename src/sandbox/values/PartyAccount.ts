/** A sender or recipient: an EVM address, a venue account index as decimal digits, or a Solana key in Base58. */
import { type Address, from as addressFrom } from '../../core/base/Address.js';
import * as BaseCodec from '../../core/order/BaseCodec.js';

export type Account = Address | Index | Key;

/** 32 bytes in Base58. */
export type Key = string & { readonly key: true };

/** A decimal account index without leading zeros, such as `509564`. */
export type Index = `${bigint}`;

/** The highest account index that the venue assigns. */
const lastIndex = 281_474_976_710_654n;

/**
 * The text as an address, in the case in which the client wrote it, because the service echoes it; undefined if
 * invalid.
 */
export function toAddress(text: string): Address | undefined {
  try {
    addressFrom(text);
    return text as Address;
  } catch {
    return undefined;
  }
}

/** The text as an account index; undefined if invalid. */
export function toIndex(text: string): Index | undefined {
  const isIndex = /^(0|[1-9]\d{0,14})$/.test(text) && BigInt(text) <= lastIndex;
  return isIndex ? (text as Index) : undefined;
}

/** The text as a Solana key; undefined if invalid. */
export function toKey(text: string): Key | undefined {
  return BaseCodec.decode(text, BaseCodec.bitcoin)?.length === 32 ? (text as Key) : undefined;
}

/** Narrows an account to a Solana key. Throws on any other. */
export function key(account: Account): Key {
  const found = toKey(account);
  if (found) return found;
  throw new Error(`The account ${account} is not a key.`);
}

/** Narrows an account to an EVM address. Throws on a venue index. */
export function address(account: Account): Address {
  if (account.startsWith('0x')) return account as Address;
  throw new Error(`The venue account ${account} is not an address.`);
}

/** Narrows an account to a venue index, as a number. Throws on an address. */
export function index(account: Account): number {
  if (toIndex(account) !== undefined) return Number(account);
  throw new Error(`The address ${account} is not a venue account.`);
}
