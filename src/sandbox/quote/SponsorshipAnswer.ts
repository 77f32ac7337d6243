/** Builds the sponsorship of a quote response. */

import type * as CurrencyAmount from '../../core/api/schema/CurrencyAmount.js';
import type * as FeeSponsorship from '../../core/api/schema/FeeSponsorship.js';
import { formatWire } from '../../core/base/Amount.js';
import * as Usd from '../../core/base/Usd.js';
import type { Fees } from '../pricing/Fees.js';
import type { Side } from '../pricing/QuoteTerms.js';
import * as Sponsorship from '../pricing/Sponsorship.js';
import { stated } from '../values/Market.js';
import { platformComponent } from '../values/ServiceWords.js';
import * as Valuation from '../values/Valuation.js';

/**
 * Cost, sponsored part and remainder of each component. What the sponsor adds is swapped too and moves the pools further,
 * so the swap costs what the fees of the quote say, and the user pays what that is above the sponsored part.
 */
export function from(side: Side, sponsored: Sponsorship.Sponsored, { swap }: Pick<Fees, 'swap'>): FeeSponsorship.Phase {
  const { terms } = sponsored;
  const cost = swap.usd > 0n ? 0n : swap.amount;
  const own = sponsored.parts.swap;
  const parts = { ...sponsored.parts, swap: { ...own, total: cost > own.sponsored ? cost : own.sponsored } };
  const component = (selected: boolean, part: { total: bigint; sponsored: bigint }) => ({
    selected,
    total: amountOf(side, part.total),
    sponsored: amountOf(side, part.sponsored),
    userPays: amountOf(side, part.total - part.sponsored),
  });
  const total = Sponsorship.components.reduce((sum, name) => sum + parts[name].total, 0n);
  return {
    selectedComponents: [
      ...Sponsorship.components.filter((name) => terms.selected.has(name)).map(wordOf),
      ...(terms.selectsRent ? ['rent'] : []),
    ],
    ...(terms.maxUsd !== undefined && { maxSubsidizationAmount: terms.maxUsd.toString() }),
    ...(terms.hasShare && { subsidizationBps: Number(terms.shareBps) }),
    capHit: sponsored.isCapped,
    components: {
      ...Object.fromEntries(
        Sponsorship.components.map((name) => [wordOf(name), component(terms.selected.has(name), parts[name])]),
      ),
      // EVM chains have no rent.
      rent: component(terms.selectsRent, { total: 0n, sponsored: 0n }),
    },
    sponsoredTotal: amountOf(side, sponsored.amount),
    userPaysTotal: amountOf(side, total - sponsored.amount),
  };
}

function wordOf(component: Sponsorship.Component): string {
  return component === 'platform' ? platformComponent : component;
}

function amountOf({ chain, token }: Side, amount: bigint): CurrencyAmount.Brief {
  return {
    currency: {
      chainId: chain.id,
      address: stated(token),
      symbol: token.symbol,
      name: token.name,
      decimals: token.decimals,
    },
    amount: amount.toString(),
    amountFormatted: formatWire(amount, token.decimals),
    amountUsd: Usd.formatWire(Valuation.toUsd(amount, token)),
    minimumAmount: amount.toString(),
  };
}
