/** `POST /price`: what a quote would cost and yield, without steps. */
import * as z from 'zod/mini';
import * as QuoteRequest from '../QuoteRequest.js';
import * as QuoteV2 from '../QuoteV2.js';
import * as LegacyFees from '../schema/LegacyFees.js';
import * as Primitives from '../schema/Primitives.js';

export type Response = z.output<typeof response>;

export const endpoint = { method: 'POST', path: '/price' } as const;

/** The parameters of a quote that the endpoint knows. */
export const request = z.pick(QuoteRequest.schema, {
  user: true,
  recipient: true,
  originChainId: true,
  destinationChainId: true,
  originCurrency: true,
  destinationCurrency: true,
  amount: true,
  tradeType: true,
  txs: true,
  referrer: true,
  refundTo: true,
  refundOnOrigin: true,
  useExternalLiquidity: true,
  useFallbacks: true,
  usePermit: true,
  useDepositAddress: true,
  slippageTolerance: true,
  appFees: true,
});

/** What a quote says too, but for what it needs steps for. */
export const response = Primitives.object({
  fees: LegacyFees.schema,
  details: z.pick(QuoteV2.details, {
    operation: true,
    sender: true,
    recipient: true,
    currencyIn: true,
    currencyOut: true,
    totalImpact: true,
    swapImpact: true,
    rate: true,
    slippageTolerance: true,
    timeEstimate: true,
    userBalance: true,
  }),
});
