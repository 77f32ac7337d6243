/** Results of the solver's payments: fills pay out orders, refunds return deposits. Amounts in base units. */

/** The transaction sent, or the documented failure reason. */
export type FillSent = { hash: string; delivered: bigint } | { failReason: string };

/** `onSent` is called before broadcasting, with the amount to be delivered. */
export type FillHooks = { onSent: (sent: { hash: string; delivered: bigint }) => void; signal: AbortSignal };

/** The transaction sent, or the documented failure reason. */
export type RefundSent = { hash: string; amount: bigint } | { refundFailReason: string };

/** `onSent` is called before broadcasting. */
export type RefundHooks = { onSent: (sent: { hash: string; amount: bigint }) => void; signal: AbortSignal };
