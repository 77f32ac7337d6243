/** Who pays or is paid: an EVM address, on the venue the index of an account in digits. */
import { type Address, from as addressFrom } from '../../core/base/Address.js';

export type Account = Address | Index;

/** `509564`: the decimal digits of an account index, without leading zeros. */
export type Index = `${bigint}`;

/** The greatest index that the venue gives out. */
const lastIndex = 281_474_976_710_654n;

/** The address as the client wrote it: the service prints it back that way. Undefined for any other text. */
export function toAddress(text: string): Address | undefined {
  try {
    addressFrom(text);
    return text as Address;
  } catch {
    return undefined;
  }
}

/** The account index that a text is; undefined for any other text. */
export function toIndex(text: string): Index | undefined {
  const isIndex = /^(0|[1-9]\d{0,14})$/.test(text) && BigInt(text) <= lastIndex;
  return isIndex ? (text as Index) : undefined;
}

/** An account of an EVM chain. Throws for an index of the venue. */
export function address(account: Account): Address {
  if (account.startsWith('0x')) return account as Address;
  throw new Error(`The account ${account} of the venue is no address.`);
}

/** An account of the venue as its API counts it. Throws for an address. */
export function index(account: Account): number {
  if (toIndex(account) !== undefined) return Number(account);
  throw new Error(`The address ${account} is no account of the venue.`);
}

/** Whether two texts name the same account, whatever the case of an address. */
export function isEqual(a: Account, b: Account): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
