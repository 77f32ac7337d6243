/** The wire form of what a sponsor came to pay, component by component. */
import type * as CurrencyAmount from '../../core/api/schema/CurrencyAmount.js';
import type * as FeeSponsorship from '../../core/api/schema/FeeSponsorship.js';
import type { Fees } from '../pricing/Fees.js';
import * as Sponsorship from '../pricing/Sponsorship.js';
import type { Token } from '../values/Market.js';
import * as Valuation from '../values/Valuation.js';

/** What is told of an amount, by the records' own way. */
type Telling = (amount: bigint) => CurrencyAmount.Brief;

/**
 * The phase of the actual fees. What the sponsor pays of the swap, the platform and the app stands since the quote; the
 * rest of it is the execution's. Gas that was sponsored without a quote of it is there too.
 *
 * @param quoted in the words of the record; undefined where the quote was not sponsored
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

/** Base units of everything that the sponsor was charged: its part of the fees, and the value of a call. */
export function payment(fees: Fees, valueUsd: bigint, token: Token): bigint {
  return fees.sponsored.amount + Valuation.fromUsd(valueUsd, token);
}

/** Nothing where the pools gave more than was reckoned with. */
function costOf(fees: Fees, name: Sponsorship.Component): bigint {
  return fees[name].usd > 0n ? 0n : fees[name].amount;
}

/** Amounts have no sign on the wire. */
function positive(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}
