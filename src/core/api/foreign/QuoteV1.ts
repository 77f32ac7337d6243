/**
 * `POST /quote`: the first form of the quote endpoint. Its request and its response are those of `QuoteV2`, but for the
 * request id, which only the steps have.
 */

export const endpoint = { method: 'POST', path: '/quote' } as const;
