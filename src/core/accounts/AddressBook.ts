/**
 * The user's names for addresses, kept in the user's own configuration. A name only saves typing: what is quoted, signed
 * and kept is the address, and it is always shown beside the name.
 */
import * as Address from '../base/Address.js';
import { BaseError } from '../base/Errors.js';
import * as ShellCommand from '../text/ShellCommand.js';

/** Addresses as they were written, by name. Their checksums are verified where they are used. */
export type AddressBook = ReadonlyMap<string, string>;

export type Entry = { name: string; address: Address.Address };

/** The address of a name; undefined if the book does not have it. @throws request.invalid-address */
export function find(book: AddressBook, name: string): Address.Address | undefined {
  const found = book.get(name);
  return found === undefined ? undefined : Address.from(found, `address that you call ${name}`);
}

/** Every name with its address, in the order of the names. @throws request.invalid-address */
export function entries(book: AddressBook): Entry[] {
  return [...book]
    .map(([name, text]) => ({ name, address: Address.from(text, `address that you call ${name}`) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The names by address, in lowercase. */
export function byAddress(book: AddressBook): ReadonlyMap<string, string> {
  return new Map([...book].map(([name, address]) => [address.toLowerCase(), name]));
}

/** Another entry whose address begins and ends alike, which is how forged ones are slipped to people. */
export function similar(book: AddressBook, { name, address }: Entry): Entry | undefined {
  const ends = (text: string): string => `${text.slice(0, 6)}${text.slice(-4)}`.toLowerCase();
  return entries(book).find(
    (each) => each.name !== name && ends(each.address) === ends(address) && !Address.isEqual(each.address, address),
  );
}

/**
 * Refuses a name that a key has too, unless it is the key of that address: nobody can tell which of them is meant.
 *
 * @throws usage.invalid
 */
export function assertNoKey(entry: Entry, keys: readonly { name: string; address: string | undefined }[]): void {
  const key = keys.find(({ name }) => name === entry.name);
  if (!key || (key.address !== undefined && Address.isEqual(key.address, entry.address))) return;
  throw new BaseError('usage.invalid', `${entry.name} is both an address of your address book and a key of yours.`, {
    facts: [
      ['address', entry.address],
      ['key', key.address ?? 'its file does not tell its address'],
    ],
    hint: 'Type the address that you mean, or give one of them another name.',
    next: ShellCommand.line`ferry address remove ${entry.name}`,
  });
}

/** A name that somebody could take for another one, or for what ferry means by it elsewhere. */
export function confusableName(typed: string, what: string): BaseError {
  return new BaseError('usage.invalid', `${typed} could be taken for ${what}.`, {
    hint: 'Choose a name that cannot be mistaken for another.',
    next: 'ferry address list',
  });
}
