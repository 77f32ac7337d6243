/** A receipt: what a payee needs to check a transfer at a node of their own, without trusting who paid. */
import * as z from 'zod/mini';
import * as Amount from '../base/Amount.js';
import { BaseError } from '../base/Errors.js';
import type { Log } from '../ports/Ports.js';
import type * as Quote from '../quote/Quote.js';
import * as QuoteDocument from '../quote/QuoteDocument.js';

export type ReceiptDocument = z.output<typeof schema>;

const { formatted } = QuoteDocument.schema.shape.minimum.shape;
/** Base units of at most 32 bytes. */
const amount = z.object({ amount: z.string().check(z.regex(/^[0-9]{1,78}$/)), formatted });

const log = z.object({ address: z.string(), topics: z.array(z.string()), data: z.string() });

/** A transaction of a chain with its events, or a transfer on the venue, which has no block and no events. */
const transaction = z.object({
  chainId: z.int(),
  txHash: z.string(),
  blockNumber: z.nullable(z.string()),
  logs: z.array(log),
});

export const schema = z.object({
  run: z.string(),
  requestId: z.string(),
  /** Null for a transfer on one chain: the payer’s own transaction makes it. */
  orderId: z.nullable(z.string()),
  /** An address, or an account of the venue. */
  payer: z.string(),
  recipient: z.string(),
  origin: QuoteDocument.schema.shape.intent.shape.origin,
  destination: QuoteDocument.schema.shape.intent.shape.destination,
  /** What was to be paid. */
  paid: amount,
  /** The minimum received. */
  minimum: amount,
  /** What the fills have paid out, as the payer’s node showed it. */
  received: amount,
  /** The order whose hash is the order id. */
  order: z.nullable(z.record(z.string(), z.unknown())),
  /** The solver’s promise to fill it. */
  orderSignature: z.nullable(z.string()),
  deposit: transaction,
  fills: z.array(transaction),
  /** Who showed each fact when the receipt was made. */
  witnesses: z.array(z.object({ fact: z.string(), witnesses: z.array(z.string()) })),
});

export type Transaction = z.output<typeof transaction>;

/** What was read of the chains. */
export type Evidence = Pick<ReceiptDocument, 'run' | 'deposit' | 'fills' | 'witnesses'> & { received: bigint };

export function from(quote: Quote.Quote, { received, ...evidence }: Evidence): ReceiptDocument {
  const { intent, response } = quote;
  const order = response.protocol?.v2;
  const { decimals: inDecimals } = intent.origin.token;
  const { decimals: outDecimals } = intent.destination.token;
  return {
    ...evidence,
    requestId: quote.requestId,
    orderId: order?.orderId ?? null,
    payer: intent.user,
    recipient: intent.recipient,
    origin: QuoteDocument.toSide(intent.origin),
    destination: QuoteDocument.toSide(intent.destination),
    paid: Amount.toDocument(quote.input, inDecimals),
    minimum: Amount.toDocument(quote.minimum, outDecimals),
    received: Amount.toDocument(received, outDecimals),
    order: order ? (order.orderData as unknown as Record<string, unknown>) : null,
    orderSignature: order?.orderSignature ?? null,
  };
}

/** Reads the receipt in an envelope that `ferry receipt` wrote. @throws quote.unreadable */
export function read(value: unknown): ReceiptDocument {
  const found = z.safeParse(schema, value);
  if (!found.success) {
    const why = z.prettifyError(found.error).split('\n')[0] ?? '';
    throw new BaseError('quote.unreadable', 'The input is not a receipt made by ferry.', {
      facts: why ? [['reason', why]] : [],
      hint: 'Make a receipt with ferry receipt <run> -o receipt.json.',
    });
  }
  return found.data;
}

export function toLogs(logs: readonly Log[]): Transaction['logs'] {
  return logs.map(({ address, topics, data }) => ({ address, topics: [...topics], data }));
}
