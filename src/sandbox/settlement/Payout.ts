/** What a payment of the solver reports: a fill pays an order out, a refund pays a deposit back. Amounts in base units. */

/** What was sent, or the documented word for why nothing was. */
export type FillSent = { hash: string; delivered: bigint } | { failReason: string };

/** `onSent` hears of the transaction before it goes out, with what it is to bring the recipient. */
export type FillHooks = { onSent: (sent: { hash: string; delivered: bigint }) => void; signal: AbortSignal };

/** What was sent, or the documented word for why nothing was. */
export type RefundSent = { hash: string; amount: bigint } | { refundFailReason: string };

/** `onSent` hears of the transaction before it goes out. */
export type RefundHooks = { onSent: (sent: { hash: string; amount: bigint }) => void; signal: AbortSignal };
