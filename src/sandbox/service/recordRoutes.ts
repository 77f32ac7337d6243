/** Routes of the request records: current and deprecated. */
import { Hono } from 'hono';
import * as RequestsV2 from '../../core/api/RequestsV2.js';
import * as RequestsV3 from '../../core/api/RequestsV3.js';
import { network } from '../../core/network/sandbox.js';
import { keyNameOf, nameOf } from '../http/apiKey.js';
import { successor } from '../http/faultGate.js';
import { messageError } from '../http/HttpError.js';
import { read, readQuery } from '../http/validation.js';
import * as RecordQuery from '../ledger/RecordQuery.js';
import * as RecordV2 from '../ledger/RecordV2.js';
import * as RecordV3 from '../ledger/RecordV3.js';
import type { Instance } from '../settlement/instance.js';

export function recordRoutes({ ledger }: Instance): Hono {
  const app = new Hono();

  app.get(RequestsV3.endpoint.path, (c) => {
    read(RequestsV3.headers, 'headers', Object.fromEntries(c.req.raw.headers));
    if (keyNameOf(c.req.raw) === undefined) throw messageError(401, 'Unauthorized: Check API Key');
    const query = readQuery(c.req.raw, RequestsV3.query);
    assertOwnKeys(query);
    const { entries, continuation, total } = RecordQuery.page(ledger, query);
    const isAuthenticated = query.includeAuthenticatedData === true;
    return c.json({
      requests: entries.map((entry) => RecordV3.from(entry, { isAuthenticated })),
      ...(continuation !== undefined && { continuation }),
      ...(query.includeTotal && { total }),
    } satisfies RequestsV3.Response);
  });

  app.get(RequestsV2.endpoint.path, (c) => {
    const query = readQuery(c.req.raw, RequestsV2.query);
    const { entries, continuation } = RecordQuery.page(ledger, query as RecordQuery.Query);
    for (const [name, value] of deprecationHeaders) c.header(name, value, { append: true });
    return c.json({
      requests: entries.map((entry) => RecordV2.from(entry, { withOrder: query.includeOrderData })),
      ...(continuation !== undefined && { continuation }),
      deprecation,
    } satisfies RequestsV2.Response);
  });

  return app;
}

/** A client may filter by its own API keys only, and by referrer only along with a key. */
function assertOwnKeys(query: RequestsV3.Query): void {
  const keys = query.apiKey?.split(',').map((key) => key.trim());
  if (query.referrer !== undefined && !keys) throw messageError(400, 'referrer must be used along with apiKey');
  if (keys?.some((key) => nameOf(key) === undefined))
    throw messageError(403, `apiKey must be one of your own (${network.name})`);
}

const deprecation: RequestsV2.Deprecation = {
  message: 'GET /requests/v2 is deprecated. Use GET /requests/v3 instead.',
  deprecatedAt: '2026-07-22T00:00:00Z',
  throttledFrom: '2026-09-01T00:00:00Z',
  sunsetAt: '2026-11-24T00:00:00Z',
  ...successor,
};

const deprecationHeaders: readonly (readonly [name: string, value: string])[] = [
  ['deprecation', '@1784678400'],
  ['sunset', 'Tue, 24 Nov 2026 00:00:00 GMT'],
  ['link', `<${successor.migrationGuide}>; rel="deprecation"`],
  ['link', `<${successor.migrationGuide}>; rel="sunset"`],
  ['link', `<${successor.successor}>; rel="successor-version"`],
];
