/** Where money moves, in words: every question and every result of a payment says it. */

/** A network, as far as it concerns what is at stake. */
export type Place = { name: string; realMoney: boolean };

/** `mainnet, real money` or `sandbox`. */
export function inWords({ name, realMoney }: Place): string {
  return realMoney ? `${name}, real money` : name;
}
