/** Helpers to inspect the failure of a promise. */
import { BaseError } from '../../src/core/base/Errors.js';
import { type Explained, NetworkError, type Reason } from '../../src/io/http/networkError.js';

async function thrownBy<E extends Error>(
  promise: Promise<unknown>,
  kind: abstract new (...args: never[]) => E,
): Promise<E> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof kind)) throw error ?? new Error('It did not fail.');
  return error;
}

/** The `BaseError` a promise fails with. @throws any other failure */
export const failure = (promise: Promise<unknown>): Promise<BaseError> => thrownBy(promise, BaseError);

/** The `NetworkError` a request fails with. @throws if it succeeds or fails otherwise */
export const networkFailure = (promise: Promise<unknown>): Promise<NetworkError> => thrownBy(promise, NetworkError);

export function facts(error: BaseError): Record<string, string> {
  return Object.fromEntries(error.facts);
}

/** All text of an error that could be printed. */
export function printed(error: BaseError): string {
  return JSON.stringify([error.message, error.facts, error.hint, error.next, String(error)]);
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
