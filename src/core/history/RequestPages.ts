/** Requests one after another through the service's pages; no more than one page is held. */
import { BaseError } from '../base/Errors.js';
import type { RequestDocument } from './RequestDocument.js';
import type { RequestQuery } from './RequestQuery.js';
import type { RequestSource } from './RequestSource.js';

/** How it ended. */
export type Listed = {
  listed: number;
  /** Whether the service has more that were not asked for. */
  more: boolean;
};

/** The most that the service gives at once. */
const pageSize = 50;

/** Empty pages in a row that still name a next one: a filter may pass over a stretch, not for ever. */
const mostEmptyPages = 5;

/**
 * Yields at most so many requests, newest first unless the query says otherwise.
 *
 * @throws service.* · auth.refused; after the first request with how many were listed and how to go on
 */
export async function* run(
  query: RequestQuery,
  source: Pick<RequestSource, 'page'>,
  limit: number,
): AsyncGenerator<RequestDocument, Listed> {
  const cursors = new Set<string>();
  let continuation: string | undefined;
  let listed = 0;
  let empty = 0;
  let last: RequestDocument | undefined;
  while (listed < limit) {
    const asked = { ...query, limit: Math.min(pageSize, limit - listed), ...(continuation && { continuation }) };
    const page = await source.page(asked).catch((error: unknown) => {
      throw error instanceof BaseError && last ? new BrokenOffError(error, listed, query, last) : error;
    });
    for (const request of page.requests) {
      if (listed === limit) return { listed, more: true };
      listed++;
      last = request;
      yield request;
    }
    continuation = page.continuation;
    if (continuation === undefined) return { listed, more: false };
    empty = page.requests.length === 0 ? empty + 1 : 0;
    if (cursors.has(continuation) || empty === mostEmptyPages) throw new EndlessError(listed);
    cursors.add(continuation);
  }
  return { listed, more: true };
}

/** What ended a listing that had begun, with how far it came. */
export class BrokenOffError extends BaseError {
  override name = 'BrokenOffError';
  constructor(error: BaseError, listed: number, query: RequestQuery, last: RequestDocument) {
    const { code, message, facts, hint, next, funds, retryable, httpStatus } = error;
    const { sortBy = 'createdAt', sortDirection = 'desc' } = query;
    const at = sortBy === 'amountUsd' ? null : last[sortBy];
    const onward = at && `To go on from there, add ${sortDirection === 'desc' ? '--until' : '--since'} ${at}.`;
    super(code, message, {
      facts: [['listed', listed === 1 ? 'one request before it' : `${listed} requests before it`], ...facts],
      hint: [hint, onward].filter(Boolean).join(' ') || undefined,
      next,
      funds,
      retryable,
      httpStatus,
      cause: error,
    });
  }
}

export class EndlessError extends BaseError {
  override name = 'EndlessError';
  constructor(listed: number) {
    super('service.malformed', 'The service leads from page to page without an end.', {
      facts: [['listed', `${listed} requests before it`]],
      hint: 'The requests above are as it gave them, but there may be others. The service is at fault.',
    });
  }
}
