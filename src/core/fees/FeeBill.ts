/** The costs of a transfer, read from a quote or from a request's record: one type for three wire shapes. */
import type * as RequestsV2 from '../api/RequestsV2.js';
import type * as RequestsV3 from '../api/RequestsV3.js';
import type * as CurrencyAmount from '../api/schema/CurrencyAmount.js';
import * as FeeBreakdown from '../api/schema/FeeBreakdown.js';
import type * as FeeSponsorship from '../api/schema/FeeSponsorship.js';
import * as RequestRecord from '../api/schema/RequestRecord.js';
import { BaseError } from '../base/Errors.js';
import * as Usd from '../base/Usd.js';
import * as Network from '../network/Network.js';
import type * as FeeTotals from '../quote/FeeTotals.js';
import * as Quote from '../quote/Quote.js';
import * as TerminalText from '../text/TerminalText.js';
import * as FeeStage from './FeeStage.js';
import * as Reconciliation from './Reconciliation.js';
import * as RecordedAppFees from './RecordedAppFees.js';

export type FeeBill = {
  source: 'quote' | 'record';
  requestId: string;
  /** The service's status of a record; undefined for a quote. */
  status: string | undefined;
  /** The service's classification of a record: `Bridge`, `Crosschain Swap`. */
  requestType: string | undefined;
  input: Worth;
  /** As quoted, or as delivered once the request is filled. */
  output: Worth;
  quoted: FeeStage.FeeStage;
  /** Undefined until the request is filled. */
  actual: FeeStage.FeeStage | undefined;
  /** Whether the service pays the origin gas; undefined if unknown. */
  isGasless: boolean | undefined;
  costs: readonly Cost[];
  appFees: readonly AppFee[];
  /** The same as a record states them, quoted and charged. */
  recordedAppFees: readonly RecordedAppFees.RecordedAppFee[];
  sponsorship: Sponsorship | undefined;
  deprecated: Reconciliation.Reconciliation | undefined;
};

/** An amount of a currency; each field is undefined if not stated. */
export type Worth = {
  chainId: number | undefined;
  address: string | undefined;
  symbol: string | undefined;
  decimals: number | undefined;
  /** Base units. */
  amount: bigint | undefined;
  /** Millionths of a dollar. */
  usd: bigint | undefined;
};

export type AppFee = { recipient: string; bps: string | undefined };

/** The bill of a quote. Whether it is gasless, and the recipients of app fees, are known from the request. */
export function fromAnswer(
  answer: Quote.Answer,
  requested: { isGasless: boolean | undefined; appFees: readonly AppFee[] },
): FeeBill {
  const { response, requestId, totalImpactUsd } = answer;
  const { currencyIn, currencyOut, expandedPriceImpact } = response.details;
  const isGasless = requested.isGasless ?? (answer.items.some(({ kind }) => kind === 'signature') || undefined);
  const quoted = expandedPriceImpact ? FeeStage.from(expandedPriceImpact, totalImpactUsd) : undefined;
  if (!quoted) throw noFees(requestId, 'details.expandedPriceImpact', { deprecated: Reconciliation.ofAnswer(answer) });
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
    costs: costsOfAnswer(answer, { isGasless }),
    appFees: requested.appFees,
    recordedAppFees: [],
    sponsorship: sponsorshipOf(response.feeSponsorship?.quoted),
    deprecated: Reconciliation.ofAnswer(answer),
  };
}

/** The bill of a requests/v3 record. @throws service.malformed if it has no fees */
export function fromV3(record: RequestsV3.Record, network: Network.Network): FeeBill {
  const { data, status } = record;
  const { fees, route, feeSponsorship } = data ?? {};
  const stages = RequestRecord.phases(fees);
  const input = worth(route?.quoted?.origin?.inputCurrency, fees?.currency);
  const promised = worth(route?.quoted?.destination?.outputCurrency);
  const delivered = status === 'success' ? worth(route?.actual?.destination?.outputCurrency) : undefined;
  const quoted = FeeStage.from(stages.quoted, impact(input, promised));
  if (!quoted) throw noFees(record.id, 'data.fees', { isPaid: isPaid(record) });
  const isGasless = (record.features ?? []).some((feature) => feature.startsWith('gasless'));
  return {
    source: 'record',
    requestId: record.id,
    status,
    requestType: record.requestType ?? undefined,
    input,
    output: delivered ?? promised,
    quoted,
    actual: FeeStage.from(stages.actual, delivered && impact(input, delivered)),
    isGasless,
    costs: costsOfTransactions(data?.inTxs ?? [], { isGasless, network }),
    ...appFees(RecordedAppFees.fromV3(record)),
    sponsorship: sponsorshipOfRecord(feeSponsorship),
    deprecated: undefined,
  };
}

/** The bill of a requests/v2 record, which lacks the quoted output and who paid the gas. */
export function fromV2(record: RequestsV2.Record, network: Network.Network): FeeBill {
  const { data, status } = record;
  const { metadata, feeSponsorship } = data ?? {};
  const stages = RequestRecord.phases(data?.expandedPriceImpact);
  const input = worth(metadata?.currencyIn);
  const output = worth(metadata?.currencyOut);
  const isDelivered = status === 'success';
  const quoted = FeeStage.from(stages.quoted, isDelivered ? undefined : impact(input, output));
  if (!quoted) {
    const deprecated = Reconciliation.ofRecord(data ?? {});
    throw noFees(record.id, 'data.expandedPriceImpact', { isPaid: isPaid(record), deprecated });
  }
  return {
    source: 'record',
    requestId: record.id,
    status,
    requestType: undefined,
    input,
    output,
    quoted,
    actual: FeeStage.from(stages.actual, isDelivered ? impact(input, output) : undefined),
    isGasless: undefined,
    costs: costsOfTransactions(data?.inTxs ?? [], { isGasless: false, network }),
    ...appFees(RecordedAppFees.fromV2(record)),
    sponsorship: sponsorshipOfRecord(feeSponsorship),
    deprecated: Reconciliation.ofRecord(data ?? {}),
  };
}

/**
 * The input in millionths of a dollar: as stated, else at the price given by a component that is stated in both dollars
 * and base units. Undefined if there is neither.
 */
export function inputUsd({ input, quoted }: Pick<FeeBill, 'input' | 'quoted'>): bigint | undefined {
  if (input.usd !== undefined) return input.usd;
  const price = FeeStage.price(quoted);
  return price && input.amount !== undefined ? (input.amount * price.usd) / price.amount : undefined;
}

/** Whether totals include the sponsored amount: `inside`, unless a stated total leaves it out. */
export function sponsoring({ quoted, actual }: Pick<FeeBill, 'quoted' | 'actual'>): FeeTotals.Sponsoring {
  const stated = [quoted, actual].filter((phase) => phase?.impactUsd !== undefined);
  return stated.some((phase) => phase && FeeStage.sponsoring(phase) === 'beside') ? 'beside' : 'inside';
}

/**
 * The amount charged beyond the quote in millionths of a dollar; negative if less was charged. Undefined until the
 * request is filled.
 */
export function excess(bill: FeeBill): bigint | undefined {
  const { quoted, actual, status } = bill;
  if (status !== 'success' || !actual) return undefined;
  const where = sponsoring(bill);
  return FeeStage.total(quoted, where) - FeeStage.total(actual, where) + shortage(bill);
}

/**
 * What the swap on the origin chain yielded less than was expected, in millionths of a dollar: the service leaves it out of
 * the components. Zero where the components add up, or nothing was swapped.
 */
export function shortage(bill: FeeBill): bigint {
  const { quoted, actual, status } = bill;
  if (status !== 'success' || actual?.impactUsd === undefined || quoted.fees.swap >= 0n) return 0n;
  const missing = FeeStage.total(actual, sponsoring(bill)) - actual.impactUsd;
  return FeeStage.sponsoring(actual) === undefined && missing > 0n ? missing : 0n;
}

function worth(
  wire: CurrencyAmount.BriefReceived | CurrencyAmount.Received | null | undefined,
  currency: CurrencyAmount.BriefReceived['currency'] = undefined,
): Worth {
  const { chainId, address, symbol, decimals } = { ...currency, ...wire?.currency };
  const amount = wire?.amount ?? '';
  return {
    chainId: chainId ?? undefined,
    address: address ?? undefined,
    symbol: symbol ?? undefined,
    decimals: decimals ?? undefined,
    amount: /^\d+$/.test(amount) ? BigInt(amount) : undefined,
    usd: Usd.from(wire?.amountUsd ?? ''),
  };
}

function impact(input: Worth, output: Worth): bigint | undefined {
  return input.usd === undefined || output.usd === undefined ? undefined : output.usd - input.usd;
}

/** The recipients are those of the quoted fees; of the charged ones if none is quoted. */
function appFees(recorded: readonly RecordedAppFees.RecordedAppFee[]): Pick<FeeBill, 'appFees' | 'recordedAppFees'> {
  const quoted = recorded.filter(({ when }) => when === 'quoted');
  return {
    appFees: (quoted.length > 0 ? quoted : recorded).flatMap(({ recipient, bps }) =>
      recipient === null ? [] : [{ recipient, bps: bps ?? undefined }],
    ),
    recordedAppFees: recorded,
  };
}

/** Whether a record shows a payment, which one without transactions does by how it ended. */
function isPaid({ status, data }: Pick<RequestsV3.Record | RequestsV2.Record, 'status' | 'data'>): boolean {
  return status === 'success' || status === 'refund' || (data?.inTxs ?? []).length > 0;
}

/** The answer or record has no breakdown of its fees. Old ones have the deprecated fields alone, which are said. */
function noFees(
  requestId: string,
  field: string,
  { isPaid, deprecated }: { isPaid?: boolean; deprecated?: Reconciliation.Reconciliation | undefined },
): BaseError {
  const old = deprecated?.fields ?? [];
  return new BaseError('service.malformed', `There is no breakdown of the fees of ${TerminalText.escape(requestId)}.`, {
    facts: [
      ['missing', field],
      ...old.map(({ field: name, usd, is }) => [`fees.${name}`, `${Usd.format(usd)}, ${is}`] as const),
    ],
    hint:
      old.length > 0
        ? 'It states only the deprecated fields above, which do not add up to what was paid.'
        : isPaid === false
          ? 'A request that was never paid has no fees.'
          : undefined,
  });
}

export type Sponsorship = {
  parts: readonly SponsoredPart[];
  /** The total that the sponsor pays; undefined if not stated. */
  sponsored: bigint | undefined;
  userPays: bigint | undefined;
  isCapped: boolean;
  /** Whether the parts add up to the total, within one unit each; undefined if the parts are not stated. */
  isSum: boolean | undefined;
};

type SponsoredPart = { component: FeeStage.Name | 'rent'; total: bigint; sponsored: bigint; userPays: bigint };

/** The part of each component that a sponsor pays, of a record: as charged if the charged parts are stated, else as quoted. */
export function sponsorshipOfRecord(record: FeeSponsorship.Received | null | undefined): Sponsorship | undefined {
  const actual = sponsorshipOf(record?.actual);
  return actual && actual.parts.length > 0 ? actual : sponsorshipOf(record?.quoted);
}

/** Reads `feeSponsorship.quoted` or `.actual`. A name that is not a known component is the platform's. */
export function sponsorshipOf(phase: FeeSponsorship.PhaseReceived | null | undefined): Sponsorship | undefined {
  if (!phase) return undefined;
  const entries = Object.entries(phase.components ?? {});
  const parts = entries.flatMap(([word, component]): SponsoredPart[] => {
    const { total, sponsored, userPays } = component ?? {};
    const usd = [total, sponsored, userPays].map((each) => Usd.from(each?.amountUsd ?? ''));
    const [whole, paid, left] = usd;
    if (whole === undefined || paid === undefined || left === undefined) return [];
    return [{ component: nameOf(word), total: whole, sponsored: paid, userPays: left }];
  });
  const sponsored = Usd.from(phase.sponsoredTotal?.amountUsd ?? '');
  return {
    parts,
    sponsored,
    userPays: Usd.from(phase.userPaysTotal?.amountUsd ?? ''),
    isCapped: phase.capHit === true,
    isSum:
      sponsored === undefined || parts.length === 0 || parts.length < entries.length
        ? undefined
        : isSum(parts, sponsored),
  };
}

function isSum(parts: readonly SponsoredPart[], whole: bigint): boolean {
  const near = (a: bigint, b: bigint, units: number): boolean => a - b <= BigInt(units) && b - a <= BigInt(units);
  const sum = parts.reduce((all, part) => all + part.sponsored, 0n);
  return near(sum, whole, parts.length) && parts.every((part) => near(part.total, part.sponsored + part.userPays, 2));
}

function nameOf(word: string): SponsoredPart['component'] {
  const known = FeeBreakdown.words.find((each) => each === word);
  return known ?? 'platform';
}

type Cost = {
  kind: 'origin-gas' | 'venue-fee';
  takenBy: 'network' | 'venue';
  when: 'quoted' | 'actual';
  /** Base units of the token that it is paid in. */
  amount: bigint;
  /** Millionths of a dollar, negative like every cost; undefined if not stated. */
  usd: bigint | undefined;
  symbol: string;
  decimals: number;
};

/**
 * The costs of a quote outside its breakdown: the venue's fee for a withdrawal, which the deprecated `fees.gas`
 * repeats, or else the origin gas if the user pays it.
 */
export function costsOfAnswer(answer: Quote.Answer, { isGasless }: { isGasless: boolean | undefined }): Cost[] {
  const { currency } = answer.response.details.currencyIn;
  const gas = answer.response.fees?.gas;
  const fee = Quote.venueFee(answer);
  if (fee !== undefined) {
    const repeated = gas && BigInt(gas.amount) === fee ? Usd.from(gas.amountUsd ?? '') : undefined;
    const { input, inputUsd } = answer;
    const usd = repeated ?? (input > 0n && inputUsd !== undefined ? (fee * inputUsd) / input : undefined);
    return [cost({ kind: 'venue-fee', takenBy: 'venue', when: 'quoted' }, fee, usd, currency)];
  }
  const { originGas } = answer;
  if (!gas || !originGas || originGas.amount === 0n || (isGasless && !approvesFirst(answer))) return [];
  return [
    cost({ kind: 'origin-gas', takenBy: 'network', when: 'quoted' }, originGas.amount, originGas.usd, gas.currency),
  ];
}

/** The gas of the user's own transactions, by the request's record; none if the service sent them. */
export function costsOfTransactions(
  transactions: NonNullable<NonNullable<RequestsV3.Record['data']>['inTxs']>,
  { isGasless, network }: { isGasless: boolean; network: Network.Network },
): Cost[] {
  if (isGasless) return [];
  return transactions.flatMap(({ chainId, fee, feeUsd }) => {
    const chain = typeof chainId === 'number' ? Network.chainById(network, chainId) : undefined;
    if (chain?.vm === 'lvm' || !fee || !/^\d+$/.test(fee) || fee === '0') return [];
    const native = chain?.native ?? { symbol: 'gas', decimals: 18 };
    const of = { kind: 'origin-gas', takenBy: 'network', when: 'actual' } as const;
    return [cost(of, BigInt(fee), typeof feeUsd === 'string' ? Usd.from(feeUsd) : undefined, native)];
  });
}

/** Whether the user must send an approval before signing a permit that the service submits. */
function approvesFirst({ items }: Quote.Answer): boolean {
  const kinds = items.map(({ kind }) => kind);
  return kinds.includes('signature') && kinds.includes('transaction');
}

function cost(
  of: Pick<Cost, 'kind' | 'takenBy' | 'when'>,
  amount: bigint,
  usd: bigint | undefined,
  { symbol, decimals }: { symbol?: string | null | undefined; decimals?: number | null | undefined },
): Cost {
  return {
    ...of,
    amount,
    usd: usd === undefined ? undefined : -usd,
    symbol: symbol ?? 'gas',
    decimals: decimals ?? 18,
  };
}
