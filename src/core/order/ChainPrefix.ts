/** Addresses with the chain before them: `base:0x…` of ERC-3770, which Safe shows, and `eip155:8453:0x…` of CAIP-10. */
import { BaseError } from '../base/Errors.js';
import type * as Network from '../network/Network.js';

/** The short names of ERC-3770 that are not ferry's own names of the chains. */
const shortNames: Readonly<Record<string, number>> = {
  eth: 1,
  oeth: 10,
  bnb: 56,
  gno: 100,
  matic: 137,
  pol: 137,
  zksync: 324,
  mnt: 5000,
  arb1: 42161,
  avax: 43114,
  scr: 534352,
  sep: 11155111,
  basesep: 84532,
};

/**
 * The address without its prefix, which must be that of the chain: an account, such as a Safe, may be on that chain alone.
 * A text of another form is returned as it is.
 *
 * @throws request.invalid-address
 */
export function strip(text: string, chain: Pick<Network.Chain, 'id' | 'name' | 'displayName'>, what: string): string {
  const [, name = '', address] = /^([a-z0-9-]+|eip155:[0-9]+):(0x[0-9a-f]{40})$/i.exec(text) ?? [];
  if (address === undefined) return text;
  const prefix = name.toLowerCase();
  const id = prefix.startsWith('eip155:') ? Number(prefix.slice(7)) : shortNames[prefix];
  if (id === chain.id || prefix === chain.name) return address;
  throw new BaseError(
    'request.invalid-address',
    `The ${what} ${text} is marked as on "${name}", and it is needed on ${chain.displayName}.`,
    {
      hint: 'A Safe or another contract may not be there, or be another one. If the account is yours on both, leave the prefix out.',
    },
  );
}
