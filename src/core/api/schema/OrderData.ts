/** The order that a deposit pays for. Its hash is the order id, so every field affects what is signed. */
import * as z from 'zod/mini';
import * as Primitives from './Primitives.js';

/** An order of version `v1`: spec 2.4. Amounts are in base units, deadlines in Unix seconds. */
export type OrderData = z.output<typeof schema>;
/** A payment by the user, and where it is refunded. */
export type Input = OrderData['inputs'][number];
export type Output = OrderData['output'];
export type Payment = Output['payments'][number];
export type Refund = Input['refunds'][number];

/** Rejects unknown fields, since the order id would not cover them. */
export const schema = order(Primitives.strictObject);

/** Keeps unknown fields, for reading a response before it is verified. */
export const tolerant = order(Primitives.object);

/** A list of what a person could still look through. */
function few<S extends z.core.$ZodType>(schema: S) {
  return z.array(schema).check(z.maxLength(100));
}

function order(object: typeof Primitives.object) {
  const input = object({
    payment: object({
      /** The chain's name in the order protocol: `base`. */
      chainId: z.string(),
      currency: z.string(),
      amount: Primitives.digits,
      weight: Primitives.digits,
    }),
    refunds: few(
      object({
        chainId: z.string(),
        recipient: z.string(),
        currency: z.string(),
        minimumAmount: Primitives.digits,
        /** Unix time in seconds. */
        deadline: Primitives.seconds,
        extraData: Primitives.bytes,
      }),
    ),
  });
  const output = object({
    chainId: z.string(),
    payments: few(
      object({
        recipient: z.string(),
        currency: z.string(),
        /** The amount that the order guarantees, in base units. */
        minimumAmount: Primitives.digits,
        expectedAmount: Primitives.digits,
      }),
    ),
    calls: few(Primitives.bytes),
    /** Unix time in seconds. */
    deadline: Primitives.seconds,
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
    inputs: few(input),
    output,
    fees: few(fee),
  });
}
