/** `POST /price`: what a quote would cost and yield, without steps. */
import * as z from 'zod/mini';
import * as QuoteRequest from '../QuoteRequest.js';

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
