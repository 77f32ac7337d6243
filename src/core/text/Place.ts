/** Where money moves, in words: every question and every result of a payment says it. */

import type { Style } from './TerminalStyle.js';
import * as UnsafeCharacters from './UnsafeCharacters.js';

/** A network, as far as it concerns what is at stake. */
export type Place = {
  name: string;
  realMoney: boolean;
  /** The user's names of addresses, by the address in lowercase. */
  addressNames?: ReadonlyMap<string, string> | undefined;
};

/** `mainnet, real money` or `sandbox`. */
export function inWords({ name, realMoney }: Place): string {
  return realMoney ? `${name}, real money` : name;
}

/** The same on a terminal, where real money stands out. */
export function shown(place: Place, style: Style): string {
  const words = UnsafeCharacters.escape(inWords(place));
  return place.realMoney ? style.bold(words) : words;
}

/** The line above a result that does not say it itself. */
export function heading(place: Place, style: Style): string {
  return `${style.dim('Network')}  ${shown(place, style)}`;
}

/** What the user calls an address; undefined if nothing. */
export function nameOf(address: string, place: Pick<Place, 'addressNames'> | undefined): string | undefined {
  return place?.addressNames?.get(address.toLowerCase());
}

/** An address with the user's name for it: `0x7099…79C8 (ada)`, in full. */
export function withName(address: string, place: Pick<Place, 'addressNames'> | undefined): string {
  const name = nameOf(address, place);
  return name === undefined ? address : `${address} (${name})`;
}
