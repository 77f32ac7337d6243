/** The service's error bodies, in all their forms. */
import * as z from 'zod/mini';
import * as SimulationFailure from './schema/SimulationFailure.js';

export type ErrorBody = {
  /** `bare` is `/execute`'s one-field body, `simulation` its simulation failure, `none` a body in no form of the service. */
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
  if (statusCode !== undefined)
    return { form: 'schema', message: message ?? foreignWords(body) ?? error, code, requestId };
  if (error !== undefined && message !== undefined && requestId !== undefined) {
    const simulation = z.safeParse(SimulationFailure.details, details);
    return { form: 'simulation', message, code: error, requestId, simulation: simulation.data };
  }
  if (message !== undefined)
    return { form: 'refusal', message, code: errorCode ?? code, requestId, detail: detailOf(errorData) };
  if (error !== undefined) return { form: 'bare', message: error, requestId };
  return { form: 'none', message: foreignWords(body) };
}

/**
 * What a body of other frameworks says: a list of messages, `title` and `detail` of RFC 9457, or what `error` or
 * `errors` hold.
 */
function foreignWords(body: unknown): string | undefined {
  const read = z.safeParse(foreign, body);
  if (!read.success) return undefined;
  const { message, title, detail, error, errors } = read.data;
  const words = [...(message ?? []), title, detail, error?.message, ...(errors ?? []).map((each) => each.message)];
  return words.filter((each) => each !== undefined).join('; ') || undefined;
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

const worded = z.object({ message: text });

const foreign = z.looseObject({
  message: z.catch(z.optional(z.array(z.string())), undefined),
  title: text,
  detail: text,
  error: z.catch(z.optional(worded), undefined),
  errors: z.catch(z.optional(z.array(worded)), undefined),
});

function detailOf(errorData: unknown): string | undefined {
  if (errorData === undefined || errorData === null) return undefined;
  return typeof errorData === 'string' ? errorData : JSON.stringify(errorData);
}
