/** The parts that the records of requests/v2 and requests/v3 share. */
import * as z from 'zod/mini';
import * as CurrencyAmount from './CurrencyAmount.js';
import * as Primitives from './Primitives.js';

export type Route = z.output<typeof route>;
export type Protocol = z.output<typeof protocol>;

export const call = Primitives.object({
  from: z.optional(z.string()),
  to: z.optional(z.string()),
  data: z.optional(z.string()),
  value: z.optional(z.string()),
});

/** A transaction. `timestamp` is in Unix seconds, `fee` in wei. */
export const transaction = {
  fee: z.nullish(z.string()),
  feeUsd: z.nullish(z.string()),
  block: z.nullish(z.number()),
  type: z.nullish(z.string()),
  chainId: z.nullish(z.int()),
  timestamp: z.nullish(z.number()),
  status: z.nullish(z.string()),
  data: z.optional(z.unknown()),
  stateChanges: z.optional(z.unknown()),
};

const leg = Primitives.object({
  inputCurrency: z.nullish(CurrencyAmount.brief),
  outputCurrency: z.nullish(CurrencyAmount.brief),
  router: z.nullish(z.string()),
});

/** `currencyGasTopup` is what was paid in the native asset besides; v2 has it in its metadata. */
const lastLeg = z.extend(leg, { currencyGasTopup: z.optional(CurrencyAmount.brief) });

export const route = Primitives.object({
  rate: z.optional(z.string()),
  origin: z.nullish(leg),
  destination: z.nullish(lastLeg),
});

export const depositAddress = Primitives.object({
  address: z.string(),
  type: z.nullish(z.string()),
  depositor: z.nullish(z.string()),
  depositTxHash: z.nullish(z.string()),
  recoveryAddress: z.nullish(z.string()),
});

const settled = Primitives.object({
  chainId: z.optional(z.int()),
  transactionId: z.optional(z.string()),
});

export const protocol = Primitives.object({
  orderId: z.nullish(z.string()),
  hubType: z.nullish(z.string()),
  isWithdrawable: z.nullish(z.boolean()),
  solver: z.nullish(
    Primitives.object({
      address: z.optional(z.string()),
      protocolChainId: z.optional(z.string()),
      chainId: z.optional(z.int()),
    }),
  ),
  deposit: z.nullish(
    Primitives.object({
      origin: z.nullish(
        Primitives.object({
          amount: z.optional(z.string()),
          chainId: z.optional(z.int()),
          currency: z.optional(z.string()),
          depositor: z.optional(z.string()),
          depository: z.optional(z.string()),
          onchainId: z.optional(z.string()),
          transactionId: z.optional(z.string()),
        }),
      ),
    }),
  ),
  settlement: z.nullish(
    Primitives.object({
      destination: z.nullish(
        Primitives.object({ fills: z.optional(z.array(settled)), refunds: z.optional(z.array(settled)) }),
      ),
    }),
  ),
});
