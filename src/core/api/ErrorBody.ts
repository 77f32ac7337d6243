/** The service's error bodies, in all their forms. */
import * as z from 'zod/mini';
import * as Primitives from './schema/Primitives.js';
import * as SimulationFailure from './schema/SimulationFailure.js';

export type Refusal = z.output<typeof refusal>;
export type SchemaRefusal = z.output<typeof schemaRefusal>;
export type RetiredRefusal = z.output<typeof retiredRefusal>;

export type ErrorBody = {
  /** `bare` is `/execute`'s one-field body, `simulation` its simulation failure, `none` an unreadable body. */
  form: 'refusal' | 'schema' | 'bare' | 'simulation' | 'none';
  message?: string | undefined;
  /** The service's error code: `NO_SWAP_ROUTES_FOUND`, `FST_ERR_VALIDATION`, `DELEGATION_REDEEM_FAILED`. */
  code?: string | undefined;
  requestId?: string | undefined;
  /** More details from the service, such as a revert reason. */
  detail?: string | undefined;
  /** The call frames and the revert, if the service sent them in a readable form. */
  simulation?: SimulationFailure.Details | undefined;
};

/** The body of a 400, 401, 429 (a message only), 500 (with a request id) or 503. */
export const refusal = Primitives.object({
  message: z.string(),
  errorCode: z.optional(z.string()),
  errorData: z.optional(z.unknown()),
  requestId: z.optional(z.string()),
  approxSimulatedBlock: z.optional(z.union([z.number(), z.string()])),
  failedCallData: z.optional(
    Primitives.object({
      from: z.optional(z.string()),
      to: z.optional(z.string()),
      data: z.optional(z.string()),
      value: z.optional(z.string()),
    }),
  ),
});

/** The body if the request fails the service's schema validation, or the path does not exist. */
export const schemaRefusal = Primitives.object({
  statusCode: z.int(),
  code: z.optional(z.string()),
  error: z.optional(z.string()),
  message: z.string(),
});

/** The body of a 429 from an endpoint that is being retired. */
export const retiredRefusal = Primitives.object({
  message: z.string(),
  successor: z.string(),
  migrationGuide: z.string(),
});

/** Values of `errorCode` that are caused by the request or by market conditions. */
export const expectedCodes = [
  'AMOUNT_TOO_LOW',
  'CHAIN_DISABLED',
  'EXTRA_TXS_NOT_SUPPORTED',
  'FORBIDDEN',
  'INSUFFICIENT_FUNDS',
  'INSUFFICIENT_LIQUIDITY',
  'INVALID_ADDRESS',
  'INVALID_EXTRA_TXS',
  'INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS',
  'INVALID_INPUT_CURRENCY',
  'INVALID_OUTPUT_CURRENCY',
  'INVALID_RECIPIENT',
  'INVALID_SLIPPAGE_TOLERANCE',
  'NO_INTERNAL_SWAP_ROUTES_FOUND',
  'NO_QUOTES',
  'NO_SWAP_ROUTES_FOUND',
  'PRICE_FETCH_FAILED',
  'REQUEST_TIMED_OUT',
  'ROUTE_TEMPORARILY_RESTRICTED',
  'RPC_HTTP_ERROR',
  'SANCTIONED_CURRENCY',
  'SANCTIONED_WALLET_ADDRESS',
  'SERVICE_UNAVAILABLE',
  'SOLANA_TX_TOO_LARGE',
  'SWAP_IMPACT_TOO_HIGH',
  'UNAUTHORIZED',
  'UNAUTHORIZED_QUOTE',
  'UNSUPPORTED_CHAIN',
  'UNSUPPORTED_CURRENCY',
  'UNSUPPORTED_EXECUTION_TYPE',
  'UNSUPPORTED_ROUTE',
  'USER_RECIPIENT_MISMATCH',
] as const;

/** Values of `errorCode` that are caused by the service itself. */
export const unexpectedCodes = [
  'DESTINATION_TX_FAILED',
  'ERC20_ROUTER_ADDRESS_NOT_FOUND',
  'PERMIT_FAILED',
  'SWAP_QUOTE_FAILED',
  'UNKNOWN_ERROR',
] as const;

/** Values of `errorCode` after which the same request may succeed. */
export const retryableCodes = [
  'PRICE_FETCH_FAILED',
  'REQUEST_TIMED_OUT',
  'RPC_HTTP_ERROR',
  'SERVICE_UNAVAILABLE',
] as const;

/** Reads the parsed error body of any endpoint. Never throws: an unreadable body has the form `none`. */
export function from(body: unknown): ErrorBody {
  const read = z.safeParse(anything, body);
  if (!read.success) return { form: 'none' };
  const { statusCode, code, error, message, errorCode, errorData, requestId, details } = read.data;
  if (statusCode !== undefined) return { form: 'schema', message: message ?? error, code, requestId };
  if (error !== undefined && message !== undefined && requestId !== undefined) {
    const simulation = z.safeParse(SimulationFailure.tolerant, details);
    return { form: 'simulation', message, code: error, requestId, simulation: simulation.data };
  }
  if (message !== undefined)
    return { form: 'refusal', message, code: errorCode ?? code, requestId, detail: detailOf(errorData) };
  if (error !== undefined) return { form: 'bare', message: error, requestId };
  return { form: 'none' };
}

const text = z.catch(z.optional(z.string()), undefined);

/** The fields of all forms. A field of the wrong type counts as absent. */
const anything = z.looseObject({
  statusCode: z.catch(z.optional(z.number()), undefined),
  code: text,
  error: text,
  message: text,
  errorCode: text,
  errorData: z.optional(z.unknown()),
  requestId: text,
  details: z.optional(z.unknown()),
});

function detailOf(errorData: unknown): string | undefined {
  if (errorData === undefined || errorData === null) return undefined;
  return typeof errorData === 'string' ? errorData : JSON.stringify(errorData);
}
