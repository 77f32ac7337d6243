import { expect, test } from 'vitest';
import * as RequestSource from '../../../src/core/history/RequestSource.js';
import { network } from '../../../src/core/network/sandbox.js';
import { facts, failure } from '../../support/failures.js';
import * as Loopback from '../../support/loopback.js';
import { serviceAt } from '../../support/service.js';

const record = { id: '0x01', status: 'success' };
const v3 = Loopback.json({ requests: [record], continuation: 'next' });
const v2 = Loopback.json({
  requests: [record],
  deprecation: { message: 'GET /requests/v2 goes\u001b[2J', sunsetAt: '2026-11-24T00:00:00.000Z' },
});
const noKey = Loopback.json({ message: "headers must have required property 'x-api-key'" }, 400);

async function sourceOf(behaviour: Loopback.Behaviour, { apiKey }: { apiKey?: string } = {}) {
  const server = await Loopback.loopback(behaviour);
  const known = { ...network, apiKey, baseUrl: server.url };
  const warnings: string[] = [];
  const source = RequestSource.from({
    service: async () => serviceAt(server.url, { network: known }),
    network: known,
    warn: (text) => warnings.push(text),
  });
  return { source, warnings, asked: () => server.seen.map(({ path }) => path) };
}

/** A service whose two paths behave differently. */
function paths(present: Loopback.Behaviour, deprecated: Loopback.Behaviour): Loopback.Behaviour {
  return (response, request) => (request.path.startsWith('/requests/v3') ? present : deprecated)(response, request);
}

test('default: uses the current records', async () => {
  const { source, warnings, asked } = await sourceOf(paths(v3, v2), { apiKey: 'key' });
  expect(source.version()).toBeUndefined();
  const page = await source.page({ user: '0x02', limit: 5 });
  expect(page).toMatchObject({ entries: [{ ok: true, request: { requestId: '0x01' } }], continuation: 'next' });
  expect([source.version(), asked(), warnings]).toEqual(['v3', ['/requests/v3?limit=5&user=0x02'], []]);
});

test.each([
  ['has no such path', Loopback.json({ message: 'Not Found' }, 404)],
  ['has no such path and says so in HTML', Loopback.html(404)],
  ['needs a key and none is configured', noKey],
  ['refuses requests without a key', Loopback.json({ message: 'Unauthorized' }, 401)],
])('behavior: uses the deprecated records if the service %s, and warns once', async (_, refusal) => {
  const { source, warnings, asked } = await sourceOf(paths(refusal, v2));
  expect(await source.page({})).toMatchObject({
    entries: [{ ok: true, request: { requestId: '0x01' } }],
    continuation: undefined,
  });
  await source.page({ continuation: 'a' });
  expect(source.version()).toBe('v2');
  expect(asked()).toEqual(['/requests/v3', '/requests/v2', '/requests/v2?continuation=a']);
  expect(warnings).toEqual([
    'These are the deprecated records, which have fewer fields. The service says: GET /requests/v2 goes\\x1b[2J. They are available until 2026-11-24. An API key gives access to the current ones: ferry config set networks.sandbox.apiKey',
  ]);
});

test.each([404, 410])('error: the key that is missing, if the deprecated records are retired: %i', async (status) => {
  const retired = Loopback.json({ message: 'GET /requests/v2 is retired' }, status);
  const { source, asked } = await sourceOf(paths(noKey, retired));
  const error = await failure(source.page({}));
  expect(error).toMatchObject({ code: 'auth.refused', next: 'ferry config set networks.sandbox.apiKey' });
  expect(asked()).toEqual(['/requests/v3', '/requests/v2']);
});

test('error: the address, if the service has neither', async () => {
  const missing = Loopback.json({ message: 'Not Found' }, 404);
  const { source } = await sourceOf(missing);
  expect(await failure(source.page({}))).toMatchObject({ code: 'service.refused', next: 'ferry config list' });
});

test('error: a refused API key is an error', async () => {
  const { source, asked } = await sourceOf(paths(Loopback.json({ message: 'Unauthorized' }, 401), v2), {
    apiKey: 'wrong',
  });
  expect(await failure(source.page({}))).toMatchObject({ code: 'auth.refused', httpStatus: 401 });
  expect(asked()).toEqual(['/requests/v3']);
});

test('error: filters that the deprecated records do not support', async () => {
  const { source, asked } = await sourceOf(paths(noKey, v2));
  const error = await failure(source.page({ requestType: 'Bridge', amountUsdMin: '1' }));
  expect(error).toMatchObject({ code: 'auth.refused', next: 'ferry config set networks.sandbox.apiKey' });
  expect(facts(error)).toMatchObject({ 'needed for': '--type, --min-usd' });
  expect(asked()).toHaveLength(1);
});
