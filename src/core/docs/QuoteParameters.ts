/** `ferry help parameters`: every parameter of the service's quote request, and what ferry does with it. */
import type * as QuoteV2 from '../api/QuoteV2.js';
import type { Document } from './HelpDocument.js';

/** The options of ferry quote and ferry execute that set a parameter, or why none does. */
export type Parameter =
  | { options: readonly string[]; note?: string }
  /** Sent by itself, where the transfer needs it. */
  | { sent: string }
  | { why: string };

const solana = 'it is about Solana as the origin, where ferry signs nothing';
const sources =
  'what a swap does is proved from its calls, whoever makes it, so that a list of exchanges makes nothing safer; a loss is limited by --slippage, --min-out and --max-impact';

/** By the names of the service. */
export const parameters: Readonly<Record<keyof QuoteV2.Request, Parameter>> = {
  user: { options: ['--account'] },
  originChainId: { sent: 'the chain of the currency to pay' },
  destinationChainId: { sent: 'the chain of the currency to receive' },
  originCurrency: { sent: 'the currency to pay' },
  destinationCurrency: { sent: 'the currency to receive' },
  tradeType: { options: ['--exact-output', '--expected-output'], note: 'by default the input is exact' },
  amount: { sent: 'the amount' },
  recipient: { options: ['--recipient'] },
  refundTo: { options: ['--refund-to'], note: 'always sent: without it the service refunds nothing by itself' },
  recoveryAddress: {
    why: 'it may take what lies at an open deposit address; a strict one refunds by its order, to --refund-to',
  },
  referrer: { options: ['--referrer'] },
  referrerAddress: { why: 'no check can show what it does; --referrer names who sent the transfer' },
  appFees: { options: ['--app-fee'] },
  txs: { options: ['--call', '--calls'] },
  txsGasLimit: {
    why: 'the service estimates the gas of the calls, and a limit that is too low would only have the transfer refunded',
  },
  authorizationList: {
    why: 'an order does not bind it, so that nothing shows which of them are executed. A raw call has them: --destination-authorization of ferry execute call',
  },
  additionalData: { why: 'it is about Bitcoin as the origin, where ferry signs nothing' },
  gasLimitForDepositSpecifiedTxs: {
    why: 'it is about calls within the deposit; ferry makes calls on the destination alone, where an order binds them',
  },
  originGasOverhead: { sent: 'what a batch costs beyond its calls, with --gasless' },
  slippageTolerance: { options: ['--slippage'] },
  latePaymentSlippageTolerance: {
    why: 'it loosens the minimum of a payment that comes after its deadline, which no order binds; ferry sends no late payment',
  },
  topupGas: { options: ['--gas-topup'] },
  topupGasAmount: { options: ['--gas-topup'] },
  enableTrueExactOutput: {
    why: 'it gives the surplus of an exact output to the solver; without it the recipient has it',
  },
  indicativeQuote: { why: 'its answer cannot be paid or proved; ferry quote proves a whole one, and signs nothing' },
  fixedRate: {
    why: 'the order binds the minimum in any case, and a rate says nothing about fees; --min-out and --exact-output hold the result',
  },
  ttl: {
    why: 'no order binds it: it is the service’s word alone. The order’s own deadline is checked, and --timeout limits how long ferry follows',
  },
  overridePriceImpact: { why: 'it switches a protection off; --max-impact is the limit here' },
  refundOnOrigin: { why: 'it is deprecated: an order refunds on the origin chain, which ferry checks' },
  explicitDeposit: {
    why: 'without it the deposit is a bare token transfer, whose order id no contract reads; ferry proves deposits by the depository’s own event',
  },
  usePermit: { options: ['--permit'] },
  permitExpiry: { why: 'the service’s ten minutes are used, and checked in what is signed' },
  useDepositAddress: { sent: 'with --deposit-address of ferry execute' },
  strict: { sent: 'with --deposit-address; version 2 of the request ignores it, so the answer is proved to be strict' },
  includeProtocolData: { sent: 'where the network names its solver, whose signature is then checked' },
  protocolVersion: { why: 'the request itself is of version 2, and ferry proves no other' },
  subsidizeFees: { options: ['--sponsor'] },
  sponsoredFeeComponents: { options: ['--sponsor'] },
  maxSubsidizationAmount: { options: ['--max-sponsored-usd'] },
  subsidizationBps: { why: 'a share of each component is not checked yet; --max-sponsored-usd limits the whole' },
  subsidizeRent: { why: 'it is deprecated: --sponsor takes rent' },
  useExternalLiquidity: {
    why: 'it is not known what binds the result of a bridge of others, and nothing is signed on its word',
  },
  useFallbacks: { why: 'it is not known what binds the result of a fallback route, and nothing is signed on its word' },
  forceSolverExecution: {
    why: 'a transfer on one chain is then filled later, by an order, instead of at once in the account’s own transaction, whose whole effect is simulated',
  },
  includedSwapSources: { why: sources },
  excludedSwapSources: { why: sources },
  includedOriginSwapSources: { why: sources },
  includedDestinationSwapSources: { why: sources },
  disableSwapProviderPreference: { why: sources },
  disableOriginSwaps: { why: 'the swap before a deposit is proved like any other; to avoid it, pay what needs none' },
  depositFeePayer: { why: solana },
  maxRouteLength: { why: solana },
  useSharedAccounts: { why: solana },
  includeComputeUnitLimit: { why: solana },
};

/** Builds the topic from the table. */
export function document(): Document {
  const all = Object.entries(parameters);
  return [
    [
      'Parameters of a quote',
      'The parameters of the service’s quote request (POST /quote/v2), and the options of ferry quote and ferry execute that set them. An option exists where the answer can be held to it.',
      {
        terms: all.flatMap(([name, each]) =>
          'options' in each
            ? [[name, `${each.options.join(', ')}${each.note === undefined ? '' : `; ${each.note}`}`] as const]
            : 'sent' in each
              ? [[name, each.sent] as const]
              : [],
        ),
      },
    ],
    [
      'Not offered',
      'Parameters that ferry never sends, and why.',
      { terms: all.flatMap(([name, each]) => ('why' in each ? [[name, each.why] as const] : [])) },
    ],
  ];
}
