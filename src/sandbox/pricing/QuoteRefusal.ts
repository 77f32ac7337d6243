/** Errors of the quote endpoint, with the service's codes. */
import type { Hex } from '../../core/base/Hex.js';

export type Body = { message: string; errorCode: Code } & Partial<Simulated & Reverted>;

/** What a refusal tells of the request if the route was priced. */
export type Simulated = { requestId: Hex; approxSimulatedBlock: number };

/** What a refusal tells of a transaction on the destination that would revert: the node's words, and the transaction. */
export type Reverted = { errorData: string; failedCallData: { from: string; to: string; data: Hex; value: string } };

/** The documented error codes that the sandbox uses. */
export type Code =
  | 'AMOUNT_TOO_LOW'
  | 'DESTINATION_TX_FAILED'
  | 'EXTRA_TXS_NOT_SUPPORTED'
  | 'INSUFFICIENT_FUNDS'
  | 'INSUFFICIENT_LIQUIDITY'
  | 'INVALID_ADDRESS'
  | 'INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS'
  | 'INVALID_INPUT_CURRENCY'
  | 'INVALID_OUTPUT_CURRENCY'
  | 'INVALID_RECIPIENT'
  | 'INVALID_SLIPPAGE_TOLERANCE'
  | 'NO_SWAP_ROUTES_FOUND'
  | 'SWAP_IMPACT_TOO_HIGH'
  | 'UNAUTHORIZED'
  | 'UNAUTHORIZED_QUOTE'
  | 'UNSUPPORTED_CHAIN'
  | 'UNSUPPORTED_EXECUTION_TYPE'
  | 'UNSUPPORTED_ROUTE';

/** Thrown when a quote is refused; carries the service's error response. */
export class RefusalError extends Error {
  override name = 'RefusalError';
  readonly status: number;
  readonly body: Body;

  constructor(errorCode: Code, message: string, told?: Partial<Simulated & Reverted>) {
    super(message);
    this.status = errorCode === 'UNAUTHORIZED' || errorCode === 'UNAUTHORIZED_QUOTE' ? 401 : 400;
    this.body = { message, errorCode, ...told };
  }
}

/** The codes of a route that was priced, so that the service names the request and the block that it saw. */
const pricedCodes: readonly Code[] = [
  'AMOUNT_TOO_LOW',
  'DESTINATION_TX_FAILED',
  'INSUFFICIENT_FUNDS',
  'INSUFFICIENT_LIQUIDITY',
  'NO_SWAP_ROUTES_FOUND',
  'SWAP_IMPACT_TOO_HIGH',
];

/** Whether a route was priced before it was refused. */
export function isPriced({ body }: RefusalError): boolean {
  return pricedCodes.includes(body.errorCode);
}
