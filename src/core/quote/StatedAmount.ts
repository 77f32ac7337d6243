/** Amounts in findings: in units of the currency with its symbol, and the exact base units after them. */
import * as Address from '../base/Address.js';
import * as Amount from '../base/Amount.js';
import * as TerminalText from '../text/TerminalText.js';
import type { Findings } from './Finding.js';

/** A currency as the answer states it, of a token that ferry may not know. */
export type Currency = {
  address?: string | null | undefined;
  symbol?: string | null | undefined;
  decimals?: number | null | undefined;
};

/** No token has more; a larger number would make a text without end. */
const mostDecimals = 255;

/** The longest symbol that is shown. */
const longestSymbol = 16;

/**
 * `97.96 USDC (97960000)`. Base units alone, if the answer states no decimals or the amount is none.
 *
 * @param amount base units
 */
export function format(amount: bigint | string, currency: Currency | undefined): string {
  const base = String(amount);
  const { decimals, symbol, address } = currency ?? {};
  if (typeof decimals !== 'number' || decimals > mostDecimals || !/^-?\d{1,78}$/.test(base)) return base;
  const name = TerminalText.escape(symbol || address || 'units');
  const shown = symbol && name.length > longestSymbol ? `${name.slice(0, longestSymbol)}…` : name;
  return `${Amount.format(BigInt(base), decimals)} ${shown} (${base})`;
}

/** `97.96 USDC (97960000) of 0x…`: an amount of a token, in units if it is one of the currencies that the answer states. */
export function of(amount: bigint, token: string, currencies: readonly Currency[] = []): string {
  const currency = currencies.find(({ address }) => Address.isEqual(address ?? '', token));
  return `${format(amount, currency)} of ${Address.isEqual(token, Address.native) ? 'the native asset' : token}`;
}

/** Compares base units as texts, and shows both as amounts. */
export function equal(
  findings: Findings,
  check: string,
  [expected, found]: readonly [expected: string, found: string | undefined],
  currency: Currency | undefined,
): void {
  const shown = found === undefined ? 'nothing' : format(found, currency);
  findings.say(check, expected === found, format(expected, currency), shown);
}
