/** Iterates over the service's pages of requests, holding one page at a time. */
import { BaseError } from '../base/Errors.js';
import type { RequestDocument } from './RequestDocument.js';
import type { RequestQuery } from './RequestQuery.js';
import type { Entry, RequestSource } from './RequestSource.js';

export type Listed = {
  listed: number;
  unreadable: number;
  /** Whether the service has more requests than were listed. */
  more: boolean;
};

/** The largest page size of the service. */
const pageSize = 50;

/** Limit on consecutive empty pages with a next page: a filter may skip records, but not endlessly. */
const mostEmptyPages = 5;

/**
 * Yields at most `limit` requests, unreadable ones included, newest first unless the query says otherwise.
 *
 * @throws service.* · auth.refused; after the first request, with the number listed and how to continue
 */
export async function* run(
  query: RequestQuery,
  source: Pick<RequestSource, 'page'>,
  limit: number,
): AsyncGenerator<Entry, Listed> {
  const cursors = new Set<string>();
  let continuation: string | undefined;
  let listed = 0;
  let unreadable = 0;
  let empty = 0;
  let last: RequestDocument | undefined;
  while (listed + unreadable < limit) {
    const pageQuery = {
      ...query,
      limit: Math.min(pageSize, limit - listed - unreadable),
      ...(continuation && { continuation }),
    };
    const page = await source.page(pageQuery).catch((error: unknown) => {
      throw error instanceof BaseError && last ? brokenOff(error, listed, query, last) : error;
    });
    for (const entry of page.entries) {
      if (listed + unreadable === limit) return { listed, unreadable, more: true };
      if (entry.ok) listed++;
      else unreadable++;
      if (entry.ok) last = entry.request;
      yield entry;
    }
    continuation = page.continuation;
    if (continuation === undefined) return { listed, unreadable, more: false };
    empty = page.entries.length === 0 ? empty + 1 : 0;
    if (cursors.has(continuation) || empty === mostEmptyPages)
      throw new BaseError('service.malformed', 'The service’s pages never end.', {
        facts: [['listed', `${listed} requests before the error`]],
        hint: 'The requests above are as received, but there may be more. This is an error of the service.',
      });
    cursors.add(continuation);
  }
  return { listed, unreadable, more: true };
}

/** An error in the middle of a listing, with the number of requests listed before. */
function brokenOff(error: BaseError, listed: number, query: RequestQuery, last: RequestDocument): BaseError {
  const { sortBy = 'createdAt', sortDirection = 'desc' } = query;
  const at = sortBy === 'amountUsd' ? null : last[sortBy];
  const onward = at && `To continue from there, add ${sortDirection === 'desc' ? '--until' : '--since'} ${at}.`;
  const listedBefore = listed === 1 ? 'one request before the error' : `${listed} requests before the error`;
  return error.with({
    facts: [['listed', listedBefore], ...error.facts],
    hint: [error.hint, onward].filter(Boolean).join(' ') || undefined,
  });
}
