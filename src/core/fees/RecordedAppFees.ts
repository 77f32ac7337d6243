/** The app fees that a request's record states: a list, or one list as quoted and one as charged. */
import * as z from 'zod/mini';
import type * as RequestsV2 from '../api/RequestsV2.js';
import type * as RequestsV3 from '../api/RequestsV3.js';
import type * as CurrencyAmount from '../api/schema/CurrencyAmount.js';
import type * as RequestRecord from '../api/schema/RequestRecord.js';
import * as Amount from '../base/Amount.js';

const text = z.nullable(z.string());

/** Each field but `when` is null if it is not stated. */
export const schema = z.array(
  z.object({
    when: z.enum(['quoted', 'actual']),
    recipient: text,
    /** Basis points of the input. */
    bps: text,
    /** Base units. */
    amount: text,
    formatted: text,
    symbol: text,
    /** Decimal dollars. */
    usd: text,
  }),
);

export type RecordedAppFee = z.output<typeof schema>[number];

export function fromV3(record: Pick<RequestsV3.Record, 'data'>): RecordedAppFee[] {
  return from(record.data?.appFees, undefined);
}

/** Of a requests/v2 record, which has the charged ones and the currency beside the list. */
export function fromV2({ data }: Pick<RequestsV2.Record, 'data'>): RecordedAppFee[] {
  const currency = data?.appFeeCurrencyObject ?? data?.feeCurrencyObject;
  return [...from(data?.appFees, currency), ...(data?.paidAppFees ?? []).map((fee) => read(fee, 'actual', currency))];
}

type Currency = CurrencyAmount.BriefReceived['currency'];

type Stated = NonNullable<RequestsV3.Record['data']>['appFees'];

function from(stated: Stated, beside: Currency): RecordedAppFee[] {
  if (!stated) return [];
  if (Array.isArray(stated)) return stated.map((fee) => read(fee, 'quoted', beside));
  const currency = stated.currency ?? beside;
  return [
    ...(stated.quoted ?? []).map((fee) => read(fee, 'quoted', currency)),
    ...(stated.actual ?? []).map((fee) => read(fee, 'actual', currency)),
  ];
}

function read(fee: RequestRecord.AppFee, when: RecordedAppFee['when'], currency: Currency): RecordedAppFee {
  const { recipient, bps, amount, amountFormatted, amountUsd } = fee;
  const decimals = currency?.decimals;
  const isKnown = typeof decimals === 'number' && /^\d{1,78}$/.test(amount ?? '');
  return {
    when,
    recipient: recipient ?? null,
    bps: bps ?? null,
    amount: amount ?? null,
    formatted: isKnown ? Amount.format(BigInt(amount ?? ''), decimals) : (amountFormatted ?? null),
    symbol: currency?.symbol ?? null,
    usd: amountUsd ?? null,
  };
}
