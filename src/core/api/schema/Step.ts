/**
 * A step of a quote: transactions to send or messages to sign, in order.
 *
 * The specification has `check` on each item and `depositAddress` on each step. As live, approvals lack `check` and the
 * request id stands on the step; `depositAddress` is empty on deposits and absent elsewhere.
 */

import * as z from 'zod/mini';
import { isMapping } from './Mapping.js';
import * as Primitives from './Primitives.js';
import * as SignatureItem from './SignatureItem.js';

export type Step = z.output<typeof schema>;
/** A step as a client takes it. */
export type Received = z.output<typeof received>;
/** A transaction to send or a message to sign. */
export type Item = z.output<typeof item>;
export type Check = z.output<typeof check>;
/** An EVM transaction to sign and send. Amounts are in wei. */
export type EvmTransaction = z.output<typeof evmTransaction>;
/** A transfer on the venue: spec 2.6. */
export type VenueTransfer = z.output<typeof venueTransfer>;
export type Kind = (typeof kinds)[number] | 'unknown';
export type Origin = (typeof origins)[number] | 'unknown';

export const kinds = ['transaction', 'signature'] as const;

/** Where an item's transaction is sent. ferry can sign the first two only. */
export const origins = ['evm', 'venue', 'solana', 'bitcoin', 'tron', 'ton', 'hyperliquid'] as const;

export const check = Primitives.object({ endpoint: z.string(), method: z.string() });

export const item = Primitives.object({
  /** Always `incomplete`: the client tracks its own progress through the steps. */
  status: z.string(),
  /**
   * Decode it by the step's kind with `evmTransaction`, `venueTransfer` or `SignatureItem.schema`. Absent while the
   * service prepares it.
   */
  data: z.optional(z.record(z.string(), z.unknown())),
  /** Absent from approvals. */
  check: z.optional(check),
});

export const schema = Primitives.object({
  /** `approve`, `deposit`, `swap`, `send`, `authorize1` and so on. */
  id: z.string(),
  action: z.string(),
  description: z.string(),
  /** An open set: see `kindOf`. */
  kind: z.string(),
  items: z._default(z.array(item), []),
  requestId: z.optional(z.string()),
  /** Empty or absent if no deposit address is used. */
  depositAddress: z.nullish(z.string()),
});

/** A step as a client takes it: its words for a reader may be absent. Far more items than any were never seen. */
export const received = z.extend(schema, {
  action: z.nullish(z.string()),
  description: z.nullish(z.string()),
  items: z._default(
    z
      .array(
        z.extend(item, {
          status: z.nullish(z.string()),
          data: z.nullish(z.record(z.string(), z.unknown())),
          check: z.nullish(check),
        }),
      )
      .check(z.maxLength(20)),
    [],
  ),
  requestId: z.nullish(Primitives.requestId),
});

/** Null stands for absent. */
const optionalCount = z.optional(
  z.pipe(
    z.nullable(Primitives.digitsOrNumber),
    z.transform((value) => value ?? undefined),
  ),
);

/** As many digits as the data of the largest transaction that nodes take, 128 KiB, and `0x`. */
const mostData = 2 + 2 * 131_072;

/** An EVM transaction. Strict, since it is signed. Amounts are in wei. */
export const evmTransaction = Primitives.strictObject({
  from: Primitives.address,
  to: Primitives.address,
  data: Primitives.bytes.check(z.maxLength(mostData)),
  value: Primitives.digits,
  chainId: Primitives.count,
  gas: optionalCount,
  maxFeePerGas: optionalCount,
  maxPriorityFeePerGas: optionalCount,
});

/** A transfer on the venue. Strict, since it is signed. Amounts are in the asset's smallest unit. */
export const venueTransfer = Primitives.strictObject({
  action: Primitives.strictObject({
    type: z.literal('transfer'),
    parameters: Primitives.strictObject({
      toAccountIndex: Primitives.count,
      assetIndex: Primitives.count,
      fromRouteType: Primitives.count,
      toRouteType: Primitives.count,
      amount: Primitives.count,
      usdcFee: Primitives.count,
      /** Hex; binds the transfer to the order. */
      memo: z.string(),
    }),
  }),
});

export function kindOf(step: Pick<Step, 'kind'>): Kind {
  return kinds.find((kind) => kind === step.kind) ?? 'unknown';
}

/** Recognizes a transaction item's data by its shape alone; the schema checks whether it is well-formed. */
export function originOf(data: unknown): Origin {
  if (!isMapping(data)) return 'unknown';
  if ('eip712Types' in data || 'eip712PrimaryType' in data) return 'hyperliquid';
  if ('action' in data) return 'nonce' in data ? 'hyperliquid' : 'venue';
  if ('instructions' in data) return 'solana';
  if ('psbt' in data) return 'bitcoin';
  if ('parameter' in data) return 'tron';
  if ('messages' in data) return 'ton';
  if ('to' in data && 'data' in data) return 'evm';
  return 'unknown';
}

export function signatureKindOf(data: unknown): SignatureItem.Kind | 'unknown' {
  const sign = isMapping(data) ? data.sign : undefined;
  const word = isMapping(sign) ? sign.signatureKind : undefined;
  return SignatureItem.kinds.find((kind) => kind === word) ?? 'unknown';
}
