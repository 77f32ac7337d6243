/** Helpers to inspect the failure of a promise. */
import { BaseError } from '../../src/core/base/Errors.js';
import { type Explained, NetworkError, type Reason } from '../../src/io/http/networkError.js';

/** The `BaseError` a promise fails with. @throws any other failure */
export async function failure(promise: Promise<unknown>): Promise<BaseError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof BaseError)) throw error ?? new Error('It did not fail.');
  return error;
}

export function facts(error: BaseError): Record<string, string> {
  return Object.fromEntries(error.facts);
}

/** All text of an error that could be printed. */
export function printed(error: BaseError): string {
  return JSON.stringify([error.message, error.facts, error.hint, error.next, String(error)]);
}

/** The `NetworkError` a request fails with. @throws if it succeeds or fails otherwise */
export async function networkFailure(promise: Promise<unknown>): Promise<NetworkError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof NetworkError)) throw error ?? new Error('It did not fail.');
  return error;
}

/** A fetch to which no server ever answers, for a reason; and how often it was called. */
export function unanswering(reason: Reason, rest: Partial<Explained>) {
  const calls = { count: 0 };
  const fetch = async (): Promise<never> => {
    calls.count++;
    throw new NetworkError(reason, { explanation: 'it is so', arrived: 'maybe', ...rest });
  };
  return { fetch, calls };
}
