/** What a name in the address book may be. Apart from the book, since every command checks the names at its start. */
import * as NetworkRegistry from '../network/NetworkRegistry.js';

/** Shorter than an address of any chain, so that no name can be taken for one. */
const maxLength = 24;

/** What ferry itself calls something. */
const reserved: readonly string[] = [
  ...Array.from({ length: 10 }, (_, index) => `dev${index}`),
  ...NetworkRegistry.names,
];

/** What a name must be and is not, to complete "must be …"; undefined if it is fine. */
export function objection(name: string): string | undefined {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(name) || name.length > maxLength)
    return `up to ${maxLength} letters, digits, dashes and underscores that start with a letter or digit`;
  if (/^0x/i.test(name) || /^\d+$/.test(name)) return 'unlike an address or an account index';
  if (reserved.some((each) => outline(each) === outline(name))) return 'unlike a network, and unlike dev0 to dev9';
  return undefined;
}

/** The name among others that a person could take for this one; undefined if there is none. */
export function lookalike(name: string, others: Iterable<string>): string | undefined {
  for (const other of others) if (other !== name && outline(other) === outline(name)) return other;
  return undefined;
}

/** A name as it looks at a glance: without case and separators, and with letters for the digits like them. */
function outline(name: string): string {
  return name
    .toLowerCase()
    .replace(/[-_]/g, '')
    .replace(/0/g, 'o')
    .replace(/[1i]/g, 'l')
    .replace(/5/g, 's')
    .replace(/rn/g, 'm')
    .replace(/vv/g, 'w');
}
