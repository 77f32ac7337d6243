/** Builds the actual phase of a fee sponsorship, component by component. */
import type * as CurrencyAmount from '../../core/api/schema/CurrencyAmount.js';
import type * as FeeSponsorship from '../../core/api/schema/FeeSponsorship.js';
import type { Fees } from '../pricing/Fees.js';
import * as Sponsorship from '../pricing/Sponsorship.js';
import type { Token } from '../values/Market.js';
import * as Valuation from '../values/Valuation.js';

/** Formats an amount the way the record's version does. */
type Telling = (amount: bigint) => CurrencyAmount.Brief;

/**
 * The actual phase. The sponsor's shares of the swap, platform and app fees are fixed by the quote; the rest of the
 * sponsored amount is the execution fee's, including gas sponsored without a quote.
 *
 * @param quoted with the component names of the record; undefined if the quote was not sponsored
 */
export function from(
  quoted: FeeSponsorship.Phase | undefined,
  { fees, word, tell }: { fees: Fees; word: string; tell: Telling },
): FeeSponsorship.Phase {
  const wordOf = (name: Sponsorship.Component): string => (name === 'platform' ? word : name);
  const promised = (name: Sponsorship.Component): bigint =>
    BigInt(quoted?.components[wordOf(name)]?.sponsored.amount ?? 0);
  const others = promised('swap') + promised('platform') + promised('app');
  const part = (name: Sponsorship.Component) => {
    const total = costOf(fees, name);
    const sponsored = name === 'execution' ? fees.sponsored.amount - others : promised(name);
    return {
      selected: quoted?.components[wordOf(name)]?.selected ?? name === 'execution',
      total: tell(total),
      sponsored: tell(sponsored),
      userPays: tell(positive(total - sponsored)),
    };
  };
  const parts = Object.fromEntries(Sponsorship.components.map((name) => [wordOf(name), part(name)]));
  const left = Object.values(parts).reduce((sum, { userPays }) => sum + BigInt(userPays.amount ?? 0), 0n);
  return {
    ...(quoted ?? { selectedComponents: ['execution'], capHit: false }),
    components: { ...quoted?.components, ...parts },
    sponsoredTotal: tell(fees.sponsored.amount),
    userPaysTotal: tell(left),
  };
}

/** Total charged to the sponsor, in base units: its share of the fees plus the value of a call. */
export function payment(fees: Fees, valueUsd: bigint, token: Token): bigint {
  return fees.sponsored.amount + Valuation.fromUsd(valueUsd, token);
}

/** Zero if the pools yielded more than quoted. */
function costOf(fees: Fees, name: Sponsorship.Component): bigint {
  return fees[name].usd > 0n ? 0n : fees[name].amount;
}

/** Amounts are unsigned on the wire. */
function positive(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}
