/** A request as JSON, read from either version of the service's records. */

import * as z from 'zod/mini';
import type * as RequestsV2 from '../api/RequestsV2.js';
import type * as RequestsV3 from '../api/RequestsV3.js';
import * as CurrencyAmount from '../api/schema/CurrencyAmount.js';
import * as FeeBreakdown from '../api/schema/FeeBreakdown.js';
import * as RequestRecord from '../api/schema/RequestRecord.js';
import * as Address from '../base/Address.js';
import { fundsWords } from '../base/Errors.js';
import * as Usd from '../base/Usd.js';
import * as Reconciliation from '../fees/Reconciliation.js';
import * as RecordedAppFees from '../fees/RecordedAppFees.js';
import * as ChainVm from '../network/ChainVm.js';
import * as Network from '../network/Network.js';
import * as OrderId from '../order/OrderId.js';
import * as TransferStatus from '../tracking/TransferStatus.js';
import * as RequestSide from './RequestSide.js';

export type RequestDocument = z.output<typeof schema>;
export type Transaction = z.output<typeof transaction>;
export type Phase = z.output<typeof phase>;

const text = z.nullable(z.string());

const transaction = z.object({
  role: z.enum(['deposit', 'fill', 'refund']),
  hash: z.string(),
  chainId: z.nullable(z.int()),
  chain: text,
  /** The service's status. */
  status: text,
  block: z.nullable(z.number()),
  /** ISO 8601. */
  at: text,
  /** In wei. */
  fee: text,
  feeUsd: text,
  /** Link to the chain's explorer. */
  url: text,
});

/** Fee components in decimal dollars: negative if paid by the user, positive if paid by a sponsor. */
const phase = z.object({ execution: text, swap: text, platform: text, app: text, sponsored: text, rent: text });

export const schema = z.object({
  requestId: z.string(),
  orderId: text,
  /**
   * Whether the terms of the order hash to the order id, which the deposit carries; null if the record has no terms.
   * `recomputed` is the hash; null if it cannot be computed, for the reason in `why`.
   */
  order: z.nullable(
    z.object({ verdict: z.enum(['verified', 'mismatch', 'cannot verify']), recomputed: text, why: text }),
  ),
  /** The service's status. */
  status: z.string(),
  words: z.string(),
  funds: z.enum(fundsWords),
  finished: z.boolean(),
  /** The service's classification, such as Bridge. */
  kind: text,
  features: z.array(z.string()),
  user: text,
  recipient: text,
  refundTo: text,
  depositAddress: text,
  referrer: text,
  origin: RequestSide.schema,
  /** As delivered; until then, as quoted. */
  destination: RequestSide.schema,
  /** The refund; null if there was none or the service does not state it. */
  refunded: z.nullable(RequestSide.schema),
  transactions: z.array(transaction),
  failReason: text,
  refundFailReason: text,
  failedTxHash: text,
  /** The request that replaced this one. */
  supersededBy: text,
  fees: z.object({ quoted: z.nullable(phase), actual: z.nullable(phase) }),
  /** Deprecated fields for fees, in decimal dollars, of a record without components. */
  oldFees: z.array(z.object({ field: z.string(), usd: z.string(), is: z.string() })),
  appFees: RecordedAppFees.schema,
  /** ISO 8601. */
  createdAt: text,
  /** ISO 8601. */
  updatedAt: text,
});

export function fromV3(record: RequestsV3.Record, network: Network.Network): RequestDocument {
  const { data } = record;
  const { quoted, actual } = data?.route ?? {};
  const { outTxs } = transactionsOf(record);
  const stages = RequestRecord.phases(data?.fees);
  const back = z.safeParse(CurrencyAmount.briefReceived, data?.refundCurrencyData ?? undefined);
  const isDelivered = record.status === 'success';
  const [shown, other] = isDelivered ? [actual, quoted] : [quoted, actual];
  return {
    ...common(record, network),
    kind: record.requestType ?? null,
    features: record.features ?? [],
    refundTo: record.refundTo ?? null,
    referrer: data?.referrer ?? null,
    origin: RequestSide.from(
      actual?.origin?.inputCurrency ?? quoted?.origin?.inputCurrency,
      deposited(record),
      network,
    ),
    destination: RequestSide.from(outputOf(shown) ?? outputOf(other), { chainId: outTxs[0]?.chainId }, network),
    refunded: back.success ? RequestSide.from(back.data, {}, network) : null,
    failReason: TransferStatus.reason(data?.failReason),
    refundFailReason: TransferStatus.reason(data?.refundFailReason),
    failedTxHash: data?.failedTxHash ?? null,
    supersededBy: record.supersededByRequestId ?? null,
    fees: { quoted: phaseOf(stages.quoted), actual: phaseOf(stages.actual) },
    oldFees: [],
    appFees: RecordedAppFees.fromV3(record),
  };
}

/** The document of a deprecated requests/v2 record, which has fewer fields. */
export function fromV2(record: RequestsV2.Record, network: Network.Network): RequestDocument {
  const { data } = record;
  const { currencyIn, currencyOut, route } = data?.metadata ?? {};
  const { outTxs } = transactionsOf(record);
  const stages = RequestRecord.phases(data?.expandedPriceImpact);
  const old = stages.quoted || stages.actual ? undefined : Reconciliation.ofRecord(data ?? {});
  return {
    ...common(record, network),
    kind: null,
    features: [],
    user: record.user ?? data?.metadata?.sender ?? null,
    recipient: record.recipient ?? data?.metadata?.recipient ?? null,
    refundTo: null,
    referrer: record.referrer ?? null,
    origin: RequestSide.from(currencyIn ?? route?.origin?.inputCurrency, deposited(record), network),
    destination: RequestSide.from(currencyOut ?? outputOf(route), { chainId: outTxs[0]?.chainId }, network),
    refunded: null,
    failReason: TransferStatus.reason(data?.failReason),
    refundFailReason: TransferStatus.reason(data?.refundFailReason),
    failedTxHash: null,
    supersededBy: null,
    fees: { quoted: phaseOf(stages.quoted), actual: phaseOf(stages.actual) },
    oldFees: (old?.fields ?? []).map(({ usd, ...rest }) => ({ ...rest, usd: Usd.formatWire(usd) })),
    appFees: RecordedAppFees.fromV2(record),
  };
}

/** Whether `name` is the request id, the order id, or the hash of one of the transactions. */
export function isKnownAs(document: RequestDocument, name: string): boolean {
  const wanted = bare(name);
  if (wanted === '') return false;
  const { requestId, orderId, transactions } = document;
  return [requestId, orderId ?? '', ...transactions.map(({ hash }) => hash)].some((each) => bare(each) === wanted);
}

/** Ignores the 0x prefix, because venue hashes have none but may be typed with it. */
function bare(name: string): string {
  return name.toLowerCase().replace(/^0x/, '');
}

type Record = Omit<RequestsV3.Record | RequestsV2.Record, 'data'> & {
  data?: Pick<NonNullable<RequestsV3.Record['data']>, 'inTxs' | 'outTxs'> | null | undefined;
};

type Tx = NonNullable<NonNullable<RequestsV3.Record['data']>['inTxs']>[number];

/** The fields that both versions have in the same form. */
function common(record: Record, network: Network.Network) {
  const { inTxs, outTxs } = transactionsOf(record);
  const refunds = record.protocol?.settlement?.destination?.refunds ?? [];
  const paidOut = [...outTxs.map(({ hash }) => hash), ...refunds.map(({ transactionId }) => transactionId)];
  const stated = { status: record.status, outTxHashes: paidOut.filter((hash) => typeof hash === 'string') };
  return {
    requestId: record.id,
    orderId: record.protocol?.orderId ?? null,
    order: orderOf(record, network),
    status: record.status,
    words: TransferStatus.inWords(stated),
    funds: TransferStatus.fundsOf(stated),
    finished: TransferStatus.isTerminal(stated),
    user: record.user ?? null,
    recipient: record.recipient ?? null,
    depositAddress: record.depositAddress?.address ?? null,
    transactions: [
      ...inTxs.flatMap((tx) => transactionOf(tx, 'deposit', network)),
      ...outTxs.flatMap((tx) => transactionOf(tx, roleOf(tx, record), network)),
    ],
    createdAt: instant(record.createdAt),
    updatedAt: instant(record.updatedAt),
  };
}

/** The order id is recomputed from the terms, which only this ties to the deposit. */
function orderOf({ orderData, protocol }: Record, network: Network.Network): RequestDocument['order'] {
  if (!orderData) return null;
  const found = OrderId.id(orderData, ChainVm.of(network.chains));
  if (!found.ok) return { verdict: 'cannot verify', recomputed: null, why: found.why };
  const id = protocol?.orderId;
  if (!id) return { verdict: 'cannot verify', recomputed: found.id, why: 'the record has no order id' };
  const isSame = found.id.toLowerCase() === id.toLowerCase();
  return { verdict: isSame ? 'verified' : 'mismatch', recomputed: found.id, why: null };
}

/** The name of the hash differs between the versions. */
function transactionsOf({ data }: Record): { inTxs: Tx[]; outTxs: Tx[] } {
  const read = (txs: readonly Tx[] | null | undefined) =>
    (txs ?? []).map((tx) => ({ ...tx, hash: tx.txHash ?? tx.hash }));
  return { inTxs: read(data?.inTxs), outTxs: read(data?.outTxs) };
}

/** The order's settlement says which payments were refunds; otherwise the status decides. */
function roleOf({ hash }: Tx, { status, protocol }: Record): Transaction['role'] {
  const { fills, refunds } = protocol?.settlement?.destination ?? {};
  const isAmong = (settled: typeof fills) =>
    (settled ?? []).some(({ transactionId }) => Address.isEqual(transactionId ?? '', hash ?? ''));
  if (isAmong(refunds)) return 'refund';
  return !isAmong(fills) && TransferStatus.isSame({ status, outTxHashes: [hash ?? ''] }, 'refund') ? 'refund' : 'fill';
}

function transactionOf(tx: Tx, role: Transaction['role'], network: Network.Network): Transaction[] {
  if (!tx.hash) return [];
  const chain = tx.chainId ? Network.chainById(network, tx.chainId) : undefined;
  return [
    {
      role,
      hash: tx.hash,
      chainId: tx.chainId ?? null,
      chain: chain?.name ?? null,
      status: tx.status ?? null,
      block: tx.block ?? null,
      at: time((tx.timestamp ?? Number.NaN) * 1000),
      fee: tx.fee ?? null,
      feeUsd: tx.feeUsd ?? null,
      url: chain?.explorerUrl ? `${chain.explorerUrl}/tx/${encodeURIComponent(tx.hash)}` : null,
    },
  ];
}

/** The last currency of a route: a same-chain route may have only an origin. */
function outputOf(route: RequestRecord.Route | null | undefined): CurrencyAmount.BriefReceived | null | undefined {
  return route?.destination?.outputCurrency ?? route?.origin?.outputCurrency;
}

/** The deposit by the order protocol, for records without a route. */
function deposited({ protocol }: Record): RequestSide.Fallback {
  const origin = protocol?.deposit?.origin;
  return { chainId: origin?.chainId, address: origin?.currency, amount: origin?.amount };
}

/** Null without a breakdown; missing components are null. */
function phaseOf(breakdown: FeeBreakdown.Received | null | undefined): Phase | null {
  if (!breakdown) return null;
  const { execution, swap, app, sponsored, rent } = breakdown;
  return {
    execution: execution?.usd ?? null,
    swap: swap?.usd ?? null,
    platform: FeeBreakdown.platform(breakdown)?.component.usd ?? null,
    app: app?.usd ?? null,
    sponsored: sponsored?.usd ?? null,
    rent: rent?.usd ?? null,
  };
}

/** A time as the service writes it, ISO 8601, or Unix time in milliseconds or seconds. */
function instant(text: string | null | undefined): string | null {
  if (!/^\d+$/.test(text ?? '')) return time(Date.parse(text ?? ''));
  const number = Number(text);
  return time(number < 1e11 ? number * 1000 : number);
}

/** ISO 8601; null for an invalid time. */
function time(ms: number): string | null {
  return Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : null;
}
