/** What a transfer costs, as a quote or the record of a request tells it: three wire shapes made one. */

import type * as RequestsV2 from '../api/RequestsV2.js';
import type * as RequestsV3 from '../api/RequestsV3.js';
import type * as CurrencyAmount from '../api/schema/CurrencyAmount.js';
import { BaseError } from '../base/Errors.js';
import * as Usd from '../base/Usd.js';
import type { Network } from '../network/Network.js';
import type * as FeeTotals from '../quote/FeeTotals.js';
import type * as Quote from '../quote/Quote.js';
import * as TerminalText from '../text/TerminalText.js';
import * as FeeStage from './FeeStage.js';
import * as GasCost from './GasCost.js';
import * as Reconciliation from './Reconciliation.js';
import * as SponsoredFees from './SponsoredFees.js';

export type Bill = {
  source: 'quote' | 'record';
  requestId: string;
  /** A record's word. */
  status: string | undefined;
  /** What the service files a record under: `Bridge`, `Crosschain Swap`. */
  requestType: string | undefined;
  input: Worth;
  /** As it was quoted, once it is delivered as it was delivered. */
  output: Worth;
  quoted: FeeStage.Phase;
  /** Undefined until the request is filled. */
  actual: FeeStage.Phase | undefined;
  /** Whether the service pays the gas on the origin; undefined where it is not told. */
  isGasless: boolean | undefined;
  costs: readonly GasCost.Cost[];
  appFees: readonly AppFee[];
  sponsorship: SponsoredFees.Sponsorship | undefined;
  deprecated: Reconciliation.Reconciliation | undefined;
};

/** An amount of a currency, each part undefined where it is not told. */
export type Worth = {
  chainId: number | undefined;
  address: string | undefined;
  symbol: string | undefined;
  decimals: number | undefined;
  /** Base units. */
  amount: bigint | undefined;
  /** Millionths. */
  usd: bigint | undefined;
};

export type AppFee = { recipient: string; bps: string | undefined };

/** The bill of a quote. What was asked for says whether it is gasless, and who the app fees are for. */
export function fromAnswer(
  answer: Quote.Answer,
  asked: { isGasless: boolean | undefined; appFees: readonly AppFee[] },
): Bill {
  const { response, requestId, totalImpactUsd } = answer;
  const { currencyIn, currencyOut, expandedPriceImpact } = response.details;
  const isGasless = asked.isGasless ?? (answer.items.some(({ kind }) => kind === 'signature') || undefined);
  const quoted = FeeStage.from(expandedPriceImpact, totalImpactUsd);
  if (!quoted) throw new NoFeesError(requestId);
  return {
    source: 'quote',
    requestId,
    status: undefined,
    requestType: undefined,
    input: worth(currencyIn),
    output: worth(currencyOut),
    quoted,
    actual: undefined,
    isGasless,
    costs: GasCost.ofAnswer(answer, { isGasless }),
    appFees: asked.appFees,
    sponsorship: SponsoredFees.from(response.feeSponsorship?.quoted),
    deprecated: Reconciliation.ofAnswer(answer),
  };
}

/** The bill of a record of requests/v3. @throws service.malformed where it has no fees */
export function fromV3(record: RequestsV3.Record, network: Network): Bill {
  const { data, status } = record;
  const { fees, route, feeSponsorship } = data ?? {};
  const input = worth(route?.quoted?.origin?.inputCurrency, fees?.currency);
  const promised = worth(route?.quoted?.destination?.outputCurrency);
  const delivered = status === 'success' ? worth(route?.actual?.destination?.outputCurrency) : undefined;
  const quoted = FeeStage.from(fees?.quoted, impact(input, promised));
  if (!quoted) throw new NoFeesError(record.id);
  const isGasless = (record.features ?? []).some((feature) => feature.startsWith('gasless'));
  return {
    source: 'record',
    requestId: record.id,
    status,
    requestType: record.requestType ?? undefined,
    input,
    output: delivered ?? promised,
    quoted,
    actual: FeeStage.from(fees?.actual, delivered && impact(input, delivered)),
    isGasless,
    costs: GasCost.ofTransactions(data?.inTxs ?? [], { isGasless, network }),
    appFees: appFees(data?.appFees?.quoted),
    sponsorship: SponsoredFees.ofRecord(feeSponsorship),
    deprecated: undefined,
  };
}

/** The bill of a record of requests/v2, which says less: not what was promised, nor who paid the gas. */
export function fromV2(record: RequestsV2.Record, network: Network): Bill {
  const { data, status } = record;
  const { expandedPriceImpact, metadata, feeSponsorship } = data ?? {};
  const input = worth(metadata?.currencyIn);
  const output = worth(metadata?.currencyOut);
  const isDelivered = status === 'success';
  const quoted = FeeStage.from(expandedPriceImpact?.quoted, isDelivered ? undefined : impact(input, output));
  if (!quoted) throw new NoFeesError(record.id);
  return {
    source: 'record',
    requestId: record.id,
    status,
    requestType: undefined,
    input,
    output,
    quoted,
    actual: FeeStage.from(expandedPriceImpact?.actual, isDelivered ? impact(input, output) : undefined),
    isGasless: undefined,
    costs: GasCost.ofTransactions(data?.inTxs ?? [], { isGasless: false, network }),
    appFees: appFees(data?.appFees),
    sponsorship: SponsoredFees.ofRecord(feeSponsorship),
    deprecated: Reconciliation.ofRecord(data?.feesUsd),
  };
}

/**
 * The input's dollars: as told, else by the price of the component that tells dollars and base units most exactly.
 * Undefined where neither is.
 */
export function inputUsd({ input, quoted }: Pick<Bill, 'input' | 'quoted'>): bigint | undefined {
  if (input.usd !== undefined) return input.usd;
  const price = FeeStage.price(quoted);
  return price && input.amount !== undefined ? (input.amount * price.usd) / price.amount : undefined;
}

/** Where totals have the sponsored part: inside, unless a total is told that leaves it out. */
export function sponsoring({ quoted, actual }: Pick<Bill, 'quoted' | 'actual'>): FeeTotals.Sponsoring {
  const told = [quoted, actual].filter((phase) => phase?.impactUsd !== undefined);
  return told.some((phase) => phase && FeeStage.sponsoring(phase) === 'beside') ? 'beside' : 'inside';
}

/** What was charged beyond what was quoted, once the request is filled; negative where it was less. */
export function excess(bill: Bill): bigint | undefined {
  const { quoted, actual, status } = bill;
  if (status !== 'success' || !actual) return undefined;
  const where = sponsoring(bill);
  return FeeStage.total(quoted, where) - FeeStage.total(actual, where);
}

function worth(
  told: CurrencyAmount.Brief | null | undefined,
  currency: CurrencyAmount.Brief['currency'] = undefined,
): Worth {
  const { chainId, address, symbol, decimals } = { ...currency, ...told?.currency };
  return {
    chainId,
    address,
    symbol,
    decimals,
    amount: told?.amount !== undefined && /^\d+$/.test(told.amount) ? BigInt(told.amount) : undefined,
    usd: told?.amountUsd === undefined ? undefined : Usd.from(told.amountUsd),
  };
}

function impact(input: Worth, output: Worth): bigint | undefined {
  return input.usd === undefined || output.usd === undefined ? undefined : output.usd - input.usd;
}

type ToldFee = { recipient?: string | undefined; bps?: string | undefined };

function appFees(told: readonly ToldFee[] | null | undefined): AppFee[] {
  return (told ?? []).flatMap(({ recipient, bps }) => (recipient === undefined ? [] : [{ recipient, bps }]));
}

export class NoFeesError extends BaseError {
  override name = 'NoFeesError';
  constructor(requestId: string) {
    super('service.malformed', `The service says no readable fees of ${TerminalText.escape(requestId)}.`, {
      hint: 'A request that was never paid for has none.',
    });
  }
}
