/** The order that a deposit pays for. Its hash is the order id, so what is signed depends on every field. */
import * as z from 'zod/mini';
import * as Primitives from './Primitives.js';

/** An order of version `v1`: spec 2.4. Amounts in base units, deadlines in Unix seconds. */
export type OrderData = z.output<typeof schema>;
/** What is paid, and where a refund goes. */
export type Input = OrderData['inputs'][number];
/** What arrives, and until when. */
export type Output = OrderData['output'];
/** What a recipient is paid. */
export type Payment = Output['payments'][number];
/** Where and until when the input comes back. */
export type Refund = Input['refunds'][number];
/** What somebody else is paid. */
export type Fee = OrderData['fees'][number];

/** Refuses a field it does not know, since the order id could not cover it. */
export const schema = order(Primitives.strictObject);

/** Takes and keeps unknown fields, for reading an answer before it is judged. */
export const tolerant = order(Primitives.object);

function order(object: typeof Primitives.object) {
  const input = object({
    payment: object({
      /** Chain name of the order protocol: `base`. */
      chainId: z.string(),
      currency: z.string(),
      amount: Primitives.digits,
      weight: Primitives.digits,
    }),
    refunds: z.array(
      object({
        chainId: z.string(),
        recipient: z.string(),
        currency: z.string(),
        minimumAmount: Primitives.digits,
        /** Unix time in seconds. */
        deadline: Primitives.count,
        extraData: Primitives.bytes,
      }),
    ),
  });
  const output = object({
    chainId: z.string(),
    payments: z.array(
      object({
        recipient: z.string(),
        currency: z.string(),
        /** What the order guarantees, in base units. */
        minimumAmount: Primitives.digits,
        expectedAmount: Primitives.digits,
      }),
    ),
    calls: z.array(Primitives.bytes),
    /** Unix time in seconds. */
    deadline: Primitives.count,
    extraData: Primitives.bytes,
  });
  const fee = object({
    recipientChainId: z.string(),
    recipient: z.string(),
    currencyChainId: z.string(),
    currency: z.string(),
    amount: Primitives.digits,
  });
  return object({
    version: z.string(),
    solverChainId: z.string(),
    solver: z.string(),
    salt: Primitives.bytes32,
    inputs: z.array(input),
    output,
    fees: z.array(fee),
  });
}
