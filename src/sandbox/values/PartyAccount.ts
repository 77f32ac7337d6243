/** A sender or recipient: an EVM address, or a venue account index as decimal digits. */
import { type Address, from as addressFrom } from '../../core/base/Address.js';

export type Account = Address | Index;

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

/** Whether both are the same account, ignoring the case of an address. */
export function isEqual(a: Account, b: Account): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
