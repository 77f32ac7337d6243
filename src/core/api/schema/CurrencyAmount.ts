/** An amount of a currency, as found in quotes and request records. */
import * as z from 'zod/mini';
import * as Primitives from './Primitives.js';

export type Received = z.output<typeof received>;
export type Brief = z.output<typeof brief>;
export type BriefReceived = z.output<typeof briefReceived>;

const metadata = Primitives.object({
  logoURI: z.nullish(z.string()),
  verified: z.nullish(z.boolean()),
  isNative: z.optional(z.boolean()),
});

export const currency = Primitives.object({
  chainId: z.int(),
  /** An address on an EVM chain, `0` on the venue. */
  address: z.string(),
  symbol: z.string(),
  name: z.string(),
  decimals: Primitives.decimals,
  metadata: z.nullish(metadata),
});

/** An amount as a client takes it: of all that is documented, only currency and amount were never absent or null. */
export const received = Primitives.object({
  currency: Primitives.object({
    chainId: z.int(),
    address: z.string(),
    symbol: z.nullish(z.string()),
    name: z.nullish(z.string()),
    decimals: z.nullish(Primitives.decimals),
    metadata: z.nullish(z.unknown()),
  }),
  amount: Primitives.digitsOrNumber,
  amountFormatted: z.nullish(Primitives.decimalText),
  amountUsd: z.nullish(Primitives.decimalText),
  minimumAmount: z.nullish(Primitives.digitsOrNumber),
});

const text = Primitives.receivedText;

/** The currency of a request record as a client takes it. */
export const currencyReceived = Primitives.object({
  chainId: Primitives.receivedInteger,
  address: text,
  symbol: text,
  name: text,
  decimals: Primitives.receivedDecimals,
});

/** The amount of a request record as a client takes it: none of its fields was always there. */
export const briefReceived = Primitives.object({
  currency: z.nullish(currencyReceived),
  amount: text,
  amountFormatted: text,
  amountUsd: text,
});

/** The less detailed currency of a request record. */
export const briefCurrency = Primitives.object({
  chainId: z.optional(z.int()),
  address: z.optional(z.string()),
  symbol: z.optional(z.string()),
  name: z.optional(z.string()),
  decimals: z.optional(Primitives.decimals),
  metadata: z.nullish(metadata),
});

/** The less detailed amount of a request record. */
export const brief = Primitives.object({
  currency: z.nullish(briefCurrency),
  amount: z.optional(z.string()),
  amountFormatted: z.optional(z.string()),
  amountUsd: z.optional(z.string()),
  amountUsdCurrent: z.optional(z.string()),
  minimumAmount: z.optional(z.string()),
});
