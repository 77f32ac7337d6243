/** The outcome of a transfer as JSON: the output of `ferry execute`. */

import * as z from 'zod/mini';
import * as Amount from '../base/Amount.js';
import { fundsWords } from '../base/Errors.js';
import * as Usd from '../base/Usd.js';
import * as Network from '../network/Network.js';
import * as Currency from '../quote/Currency.js';
import * as FeeTotals from '../quote/FeeTotals.js';
import * as QuoteDocument from '../quote/QuoteDocument.js';
import * as TransferStatus from '../tracking/TransferStatus.js';
import type { Outcome } from './Following.js';
import type { Restored, VenueTransfer } from './Plan.js';

export type OutcomeDocument = z.output<typeof schema>;

const amount = z.extend(QuoteDocument.amount, { currency: z.string() });
const link = z.nullable(z.string());

export const schema = z.object({
  /** The run id, for `ferry resume` and `ferry runs show`; null if nothing was journaled. */
  run: z.nullable(z.string()),
  requestId: z.string(),
  /**
   * The status word of the service; `planned` with `--dry-run`; with `--no-wait` `sent`, or of a deposit address `shown`,
   * `paid` or `expired`.
   */
  status: z.string(),
  funds: z.enum(fundsWords),
  user: z.string(),
  /** Who is paid; with calls on arrival, these are paid instead. */
  recipient: z.string(),
  calls: QuoteDocument.calls,
  refundTo: z.string(),
  /** Where whoever likes pays, or has paid; null if the user's account pays. */
  depositAddress: z.nullable(z.string()),
  /** The amount that left the sender, without gas. */
  spent: z.nullable(amount),
  /** The amount that arrived, read from the destination chain; null if it could not be read. */
  received: z.nullable(amount),
  /** The gas top-up that arrived, read from the destination chain; null if there was none to read. */
  gasTopup: z.nullable(amount),
  /** Who shows how it ended. The service alone: it is its word, and no chain was read. Empty before an end. */
  witnesses: z.array(z.string()),
  /** The minimum received. */
  minimum: amount,
  /** The gas paid on the origin chain; before that, the service's estimate. */
  gas: amount,
  /** For a plan: the most that its gas can cost, at the fees that would be signed. Null otherwise. */
  maxGas: z.nullable(QuoteDocument.gasCost),
  /** The fees as the service recommends displaying them; null if the quote states none. */
  recommended: z.nullable(z.object({ swapImpact: z.string(), providerFee: z.string(), appFee: z.string() })),
  transactions: z.array(
    z.object({ action: z.string(), chainId: z.int(), txHash: z.string(), gasUsed: z.string(), url: link }),
  ),
  /** The transactions that paid out, as the service reports them. */
  fills: z.array(z.object({ chainId: z.nullable(z.int()), txHash: z.string(), url: link })),
  /** How long this command has paid and followed the transfer; after a payment by an earlier one, only the rest. */
  elapsedMs: z.int(),
  /** The planned steps, in order. */
  plan: z.array(
    z.object({
      action: z.string(),
      summary: z.string(),
      chainId: z.int(),
      to: z.string(),
      data: z.string(),
      value: z.string(),
    }),
  ),
});

/** The document of an executed transfer. */
export function from(plan: Restored, outcome: Outcome): OutcomeDocument {
  const { origin, destination } = plan.intent;
  const { progress } = outcome;
  return {
    ...fromPlan(plan),
    status: outcome.status,
    funds: progress ? TransferStatus.fundsOf(progress) : 'in-flight',
    spent: toAmount(outcome.spent, origin),
    received: outcome.received === undefined ? null : toAmount(outcome.received, destination),
    gasTopup:
      outcome.topup === undefined
        ? null
        : toAmount(outcome.topup, { chain: destination.chain, token: destination.chain.native }),
    witnesses: [...outcome.witnesses],
    gas: toAmount(outcome.gasCost, { chain: origin.chain, token: origin.chain.native }),
    transactions: outcome.transactions.map(({ action, txHash, gasUsed }) => ({
      action,
      chainId: origin.chain.id,
      txHash,
      gasUsed: String(gasUsed),
      url: Network.transactionUrl(origin.chain, txHash) ?? null,
    })),
    fills: (progress?.outTxHashes ?? []).map((txHash) => ({
      chainId: destination.chain.id,
      txHash,
      url: Network.transactionUrl(destination.chain, txHash) ?? null,
    })),
    elapsedMs: outcome.elapsedMs,
  };
}

function recommendedOf({ fees }: Restored['quote']): OutcomeDocument['recommended'] {
  if (!fees) return null;
  const { swapImpact, providerFee, appFee } = FeeTotals.display(fees);
  return {
    swapImpact: Usd.formatWire(swapImpact),
    providerFee: Usd.formatWire(providerFee),
    appFee: Usd.formatWire(appFee),
  };
}

/** The document of a plan that was not executed. */
export function fromPlan(plan: Restored, maxGas: OutcomeDocument['maxGas'] = null): OutcomeDocument {
  const { intent, quote } = plan;
  return {
    run: null,
    requestId: plan.requestId,
    status: 'planned',
    funds: 'untouched',
    user: intent.user,
    recipient: intent.recipient,
    calls: QuoteDocument.toCalls(intent),
    refundTo: intent.refundTo,
    depositAddress: quote.items.find(({ depositAddress }) => depositAddress !== undefined)?.depositAddress ?? null,
    spent: null,
    received: null,
    gasTopup: null,
    witnesses: [],
    minimum: toAmount(quote.minimum, intent.destination),
    gas: toAmount(quote.originGas?.amount ?? 0n, { chain: intent.origin.chain, token: intent.origin.chain.native }),
    maxGas,
    recommended: recommendedOf(quote),
    transactions: [],
    fills: [],
    elapsedMs: 0,
    plan: [
      ...plan.actions.map(({ kind, summary, chain, to, data, value }) => ({
        action: kind,
        summary,
        chainId: chain.id,
        to,
        data,
        value: String(value),
      })),
      ...(plan.transfer ? [toStep(plan.transfer, intent.origin.chain.id)] : []),
    ],
  };
}

/** The document of a plan that was signed and handed to the user. Whoever has the bytes can submit them. */
export function fromSigned(plan: Restored): OutcomeDocument {
  return { ...fromPlan(plan), status: 'signed', funds: 'unknown' };
}

/** The document of a run that was canceled. `gasCost` is what the empty transaction cost, in wei. */
export function fromCanceled(plan: Restored, gasCost: bigint): OutcomeDocument {
  const { chain } = plan.intent.origin;
  const gas = toAmount(gasCost, { chain, token: chain.native });
  return { ...fromPlan(plan), status: 'cancelled', gas, plan: [] };
}

/**
 * A transfer on the venue as a step: `to` is the account that receives it, `data` the memo that ties it to the order.
 */
function toStep(transfer: VenueTransfer, chainId: number): OutcomeDocument['plan'][number] {
  const { summary, toAccountIndex, memo, amount: value } = transfer;
  return { action: 'transfer', summary, chainId, to: String(toAccountIndex), data: memo, value: String(value) };
}

function toAmount(base: bigint, currency: Currency.Currency): z.output<typeof amount> {
  return { ...Amount.toDocument(base, currency.token.decimals), currency: Currency.format(currency) };
}
