/** Builds the actual phase of a fee sponsorship, component by component. */
import type * as CurrencyAmount from '../../core/api/schema/CurrencyAmount.js';
import type * as FeeSponsorship from '../../core/api/schema/FeeSponsorship.js';
import type { Fees } from '../pricing/Fees.js';
import * as Sponsorship from '../pricing/Sponsorship.js';
import type { Token } from '../values/Market.js';
import * as Valuation from '../values/Valuation.js';

/** Formats an amount the way the record's version does. */
type FormatAmount = (amount: bigint) => CurrencyAmount.Brief;

/**
 * The actual phase. The sponsor's shares of the swap, platform and app fees are fixed by the quote; the rest of the
 * sponsored amount is the execution fee's, including gas sponsored without a quote.
 *
 * @param quoted with the component names of the record; undefined if the quote was not sponsored
 */
export function from(
  quoted: FeeSponsorship.Phase | undefined,
  { fees, platformName, formatAmount }: { fees: Fees; platformName: string; formatAmount: FormatAmount },
): FeeSponsorship.Phase {
  const nameOf = (name: Sponsorship.Component): string => (name === 'platform' ? platformName : name);
  const quotedAmount = (name: Sponsorship.Component): bigint =>
    BigInt(quoted?.components[nameOf(name)]?.sponsored.amount ?? 0);
  const others = quotedAmount('swap') + quotedAmount('platform') + quotedAmount('app');
  const part = (name: Sponsorship.Component) => {
    const total = costOf(fees, name);
    const sponsored = name === 'execution' ? fees.sponsored.amount - others : quotedAmount(name);
    return {
      selected: quoted?.components[nameOf(name)]?.selected ?? name === 'execution',
      total: formatAmount(total),
      sponsored: formatAmount(sponsored),
      userPays: formatAmount(positive(total - sponsored)),
    };
  };
  const parts = Object.fromEntries(Sponsorship.components.map((name) => [nameOf(name), part(name)]));
  const left = Object.values(parts).reduce((sum, { userPays }) => sum + BigInt(userPays.amount ?? 0), 0n);
  return {
    ...(quoted ?? { selectedComponents: ['execution'], capHit: false }),
    components: { ...quoted?.components, ...parts },
    sponsoredTotal: formatAmount(fees.sponsored.amount),
    userPaysTotal: formatAmount(left),
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
