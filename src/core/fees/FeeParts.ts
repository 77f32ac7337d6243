/**
 * Explains each component of a bill: what it is, who is paid, and its parts as far as they are known.
 *
 * The specification always charges the flat fee; the live service does not on wraps and sends, nor on the captured swap
 * on one chain. So a fee that is smaller than the flat one has no flat part.
 */
import * as Address from '../base/Address.js';
import type { FeeBill } from './FeeBill.js';
import type * as FeeStage from './FeeStage.js';

export type Name = FeeStage.Name | 'rent';

export type Line = { name: Name; what: string; paidTo: string; parts: readonly Part[] };

/** Part of a component, in millionths of a dollar. */
export type Part = { part: 'flat' | 'gas' | 'activation' | 'rebalancing' | 'exchange'; what: string; usd: bigint };

/** The venue's fee for the first deposit to an account, in millionths of a dollar; included in the swap component. */
export const activationUsd = 1_000_000n;

/**
 * The components of a bill, in display order.
 *
 * @param known.isActive whether the receiving account is active at the venue; undefined if unknown
 */
export function from(bill: FeeBill, known: { isActive: boolean | undefined }): Line[] {
  const { quoted, actual, isGasless } = bill;
  // What was quoted may be charged otherwise: the words are of whichever has more parts.
  const [most = 0n] = [quoted, ...(actual ? [actual] : [])]
    .map(({ fees }) => fees.execution)
    .toSorted((a, b) => Number(a - b));
  const all: readonly Line[] = [
    {
      name: 'execution',
      what: executionInWords(most, isGasless),
      paidTo: most === 0n ? 'nobody' : 'the solver',
      parts: execution(bill),
    },
    {
      name: 'swap',
      what: 'exchange fees, price impact and rebalancing',
      paidTo: 'exchanges, the solver',
      parts: swap(bill, known.isActive),
    },
    { name: 'platform', what: 'the service’s fee', paidTo: 'the service', parts: [] },
    { name: 'app', what: 'added by the app', paidTo: appsOf(bill), parts: [] },
    { name: 'rent', what: 'storage rent on the destination chain', paidTo: 'the chain', parts: [] },
    { name: 'sponsored', what: 'paid by the sponsor on your behalf', paidTo: 'you', parts: [] },
  ];
  const isPresent = ({ name }: Line): boolean =>
    ['execution', 'swap', 'platform'].includes(name) ||
    [quoted, actual].some((phase) => phase !== undefined && usd(phase, name) !== 0n);
  return all.filter(isPresent);
}

/** A component in millionths of a dollar. */
export function usd({ fees, rent }: FeeStage.FeeStage, name: Name): bigint {
  return name === 'rent' ? rent : fees[name];
}

/** Whether the swap includes the venue's activation fee: the account is not active, and the swap is large enough. */
export function hasActivation({ quoted }: FeeBill, isActive: boolean | undefined): boolean {
  return isActive === false && quoted.fees.swap <= -activationUsd;
}

/** The flat part of every execution fee, in millionths of a dollar. */
const flatUsd = 20_000n;

/** What the execution component is for: `the flat fee`, `the flat fee and gas on the destination`. */
export function executionInWords(usd: bigint, isGasless: boolean | undefined): string {
  if (usd === 0n) return 'none: no solver takes part';
  const parts = executionParts(usd);
  if (!parts) return 'what the service takes to execute it';
  return parts.gas === 0n ? 'the flat fee' : `the flat fee and ${gasInWords(isGasless)}`;
}

/** The solver's flat fee and its gas, negative if the user pays. Undefined if it is less than the flat fee. */
function executionParts(usd: bigint): { flat: bigint; gas: bigint } | undefined {
  return usd > -flatUsd ? undefined : { flat: -flatUsd, gas: usd + flatUsd };
}

/** Where the solver's gas is paid. A transfer without gas of one's own has it on the origin too. */
function gasInWords(isGasless: boolean | undefined): string {
  return isGasless ? 'gas on the destination and the origin' : 'gas on the destination';
}

function execution({ quoted, isGasless }: FeeBill): Part[] {
  const parts = executionParts(quoted.fees.execution);
  if (!parts) return [];
  const where = gasInWords(isGasless);
  return [{ part: 'flat', what: 'the flat fee', usd: parts.flat }, ...part('gas', where, parts.gas)];
}

function swap(bill: FeeBill, isActive: boolean | undefined): Part[] {
  const all = bill.quoted.fees.swap;
  const rebalancing = bill.deprecated?.swapInside ?? 0n;
  const activation = hasActivation(bill, isActive) ? -activationUsd : 0n;
  if (rebalancing === 0n && activation === 0n) return [];
  return [
    ...part('activation', 'the venue’s fee for a new account', activation),
    ...part('rebalancing', 'the solver’s rebalancing', rebalancing),
    ...part('exchange', 'exchange fees and price impact', all - rebalancing - activation),
  ];
}

function part(name: Part['part'], what: string, amount: bigint): Part[] {
  return amount === 0n ? [] : [{ part: name, what, usd: amount }];
}

function appsOf({ appFees }: FeeBill): string {
  const [first, ...more] = appFees;
  if (!first) return 'the app';
  return more.length > 0 ? `${appFees.length} apps` : Address.shorten(first.recipient);
}
