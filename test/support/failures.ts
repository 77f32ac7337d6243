/** What a promise fails with, as tests look at it. */
import { BaseError } from '../../src/core/base/Errors.js';
import { NetworkError } from '../../src/io/http/networkError.js';

/** The error that ferry means to show. @throws whatever else it failed with */
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

/** Everything of an error that could be printed. */
export function printed(error: BaseError): string {
  return JSON.stringify([error.message, error.facts, error.hint, error.next, String(error)]);
}

/** Why a request got no answer. @throws where it got one, or something else was thrown */
export async function networkFailure(promise: Promise<unknown>): Promise<NetworkError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof NetworkError)) throw error ?? new Error('It did not fail.');
  return error;
}
