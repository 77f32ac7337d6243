/** `/app-fees/{wallet}`: the app fees that a wallet has earned, and their claims. */
import * as z from 'zod/mini';
import * as CurrencyAmount from './schema/CurrencyAmount.js';
import * as Primitives from './schema/Primitives.js';

/** What the wallet can claim, by currency. */
export type Balances = z.output<typeof balances>;
export type ClaimRequest = z.output<typeof claimRequest>;
/** The step that authorizes the claim; what it signs is checked apart. */
export type ClaimResponse = z.output<typeof claimResponse>;
/** The claims that were signed, latest first. */
export type Claims = z.output<typeof claims>;

export const balancesEndpoint = { method: 'GET', path: '/app-fees/:wallet/balances' } as const;
export const claimEndpoint = { method: 'POST', path: '/app-fees/:wallet/claim' } as const;
export const claimsEndpoint = { method: 'GET', path: '/app-fees/:wallet/claims' } as const;

/** The path parameters of all three. */
export const parameters = z.strictObject({ wallet: z.string() });

export const claimRequest = z.strictObject({
  chainId: z.int(),
  currency: z.string(),
  /** Base units; defaults to the whole balance. */
  amount: z.optional(Primitives.digits),
  recipient: z.string(),
});

export const claimsQuery = z.strictObject({
  limit: z.optional(z.int().check(z.minimum(1), z.maximum(100))),
  continuation: z.optional(z.string()),
});

/** A client needs the currency and the amount; the dollars may be numbers, texts or absent. */
export const balances = Primitives.object({
  balances: z.array(CurrencyAmount.received),
  totalBalanceUsd: z.nullish(Primitives.decimalText),
});

/** Its items are left as they are: what is signed and posted is held to one exact form. */
export const claimResponse = Primitives.object({
  steps: z.array(Primitives.object({ kind: z.string(), items: z.array(z.unknown()) })),
});

/** A claim needs an id and a status, the rest may be absent or of another form. */
export const claims = Primitives.object({
  claims: z.array(
    Primitives.object({
      claimId: z.string(),
      status: z.string(),
      recipient: Primitives.receivedText,
      currency: z.nullish(z.unknown()),
      txHash: Primitives.receivedText,
      createdAt: Primitives.receivedText,
    }),
  ),
});
