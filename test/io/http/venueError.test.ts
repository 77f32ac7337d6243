import { describe, expect, test } from 'vitest';
import { messages } from '../../../src/sandbox/venue/VenueRefusal.js';
import { facts, failure, printed, unanswering } from '../../support/failures.js';
import * as Loopback from '../../support/loopback.js';
import { startVenue, venueAt } from '../../support/venue.js';

/** How a question fails of a venue that answers so, and what it was asked. */
async function asked(answer: Loopback.Behaviour) {
  const { url, seen } = await Loopback.loopback(answer);
  return { error: await failure(venueAt(url).nextNonce(1, 1)), seen };
}

describe('refused', () => {
  test('default: the venue’s own code and message', async () => {
    const { client } = await startVenue({ network: { name: 'sandbox' } });
    const error = await failure(client.nextNonce(100, 9));
    expect(error).toMatchObject({
      code: 'venue.refused',
      message: 'The venue refused to return the nonce.',
      hint: 'No key is registered at this index.',
      funds: 'untouched',
      exit: 3,
      retryable: false,
      httpStatus: 400,
      verdict: 'refused',
      venueCode: 21_109,
    });
    expect(error.facts).toEqual([
      ['code', '21109'],
      ['message', 'api key not found'],
      ['status', '400 to GET /api/v1/nextNonce'],
    ]);
  });

  test('behavior: trims the message, and accepts an unknown code', async () => {
    expect(messages[20001]).toBe('invalid param ');
    const server = await Loopback.loopback(
      Loopback.json({ code: 20_001, message: messages[20001] }, 400),
      Loopback.json({ code: 99_999 }, 400),
    );
    const client = venueAt(server.url);
    expect(facts(await failure(client.nextNonce(1, 1)))).toMatchObject({ code: '20001', message: 'invalid param' });
    const unknown = await failure(client.nextNonce(1, 1));
    expect(unknown).toMatchObject({ code: 'venue.refused', venueCode: 99_999, hint: undefined });
    expect(facts(unknown)).toEqual({ code: '99999', status: '400 to GET /api/v1/nextNonce' });
  });

  test('behavior: a password in the URL is not printed, even if the venue repeats it', async () => {
    const server = await Loopback.loopback(Loopback.json({ code: 20_013, message: 'no ada:open-sesame' }, 401));
    const client = venueAt(server.url.replace('://', '://ada:open-sesame@'));
    expect(facts(await failure(client.nextNonce(1, 1))).message).toBe('no ***');
  });

  test('behavior: escapes and shortens the venue’s text', async () => {
    const message = `\u001b[2Jall is well\u202e\n${'x'.repeat(1_000)}`;
    const server = await Loopback.loopback(Loopback.json({ code: 21_120, message }, 400));
    const said = facts(await failure(venueAt(server.url).nextNonce(1, 1))).message;
    expect(said).toMatch(/^\\x1b\[2Jall is well\\u\{202e\} x+…$/);
    expect(said?.length).toBeLessThan(230);
  });

  test.each([
    ['its own code', Loopback.json({ code: 23_000, message: 'Too Many Requests!' }, 400), 'a minute'],
    ['the status', Loopback.text('slow down', 'text/plain', 429, { 'retry-after': '30' }), '30 seconds'],
    ['an absurd wait', Loopback.text('no', 'text/plain', 429, { 'retry-after': '999999999' }), '11575 days'],
  ])('error: too many requests by %s', async (_, behaviour, wait) => {
    const { error } = await asked(behaviour);
    expect(error).toMatchObject({
      code: 'venue.rate-limited',
      message: 'The venue of testnet received too many requests.',
      hint: `Wait ${wait}, then run the same command again.`,
      retryable: true,
      exit: 3,
      verdict: 'refused',
    });
  });

  test.each([
    ['the status', Loopback.html(502), 502],
    ['its own code', Loopback.json({ code: 29_500, message: 'internal server error' }, 400), 400],
    ['its timeout code, with 200', Loopback.json({ code: 29_501, message: 'timeout' }), 200],
  ])('error: a server error by %s', async (_, behaviour, httpStatus) => {
    const { error, seen } = await asked(behaviour);
    expect(error).toMatchObject({ code: 'venue.unavailable', retryable: true, verdict: 'open', httpStatus });
    expect(error.message).toBe('The venue of testnet failed with a server error.');
    expect(seen).toHaveLength(3);
  });

  test('error: a refusal by a proxy in between', async () => {
    const { error, seen } = await asked(Loopback.html(403));
    expect(error).toMatchObject({ code: 'venue.malformed', httpStatus: 403, verdict: 'open' });
    expect(error.message).toBe('The venue of testnet refused to return the nonce in an undocumented format.');
    expect(facts(error).received).toContain('Bad gateway');
    expect(seen).toHaveLength(1);
  });
});

test.each([
  ['HTML', Loopback.html(), 'expected an object', '<!doctype html><html><body>Bad gateway</body></html>'],
  ['an empty body', Loopback.text('', 'application/json'), 'expected an object', 'nothing'],
  ['a missing field', Loopback.json({ code: 200 }), 'nonce: missing', '{"code":200}'],
  ['a fraction', Loopback.json({ nonce: 1.5 }), 'nonce: ', '{"nonce":1.5}'],
  ['an escape sequence', Loopback.text('"\u001b[2J"', 'application/json'), 'expected an object', '"\\x1b[2J"'],
])('malformed: error: %s', async (_, behaviour, expected, received) => {
  const { error, seen } = await asked(behaviour);
  expect(error).toMatchObject({ code: 'venue.malformed', exit: 3, verdict: 'open', retryable: false });
  expect(error.message).toBe('The venue sent an unexpected response to GET /api/v1/nextNonce.');
  expect(facts(error).expected).toContain(expected);
  expect(facts(error).received).toBe(received);
  expect(seen).toHaveLength(1);
});

describe('unanswered', () => {
  test('error: connection refused, without the path of the URL', async () => {
    const url = Loopback.nobody;
    const error = await failure(venueAt(`${url}/base?key=secret`).nextNonce(1, 1));
    expect(error).toMatchObject({
      code: 'venue.unreachable',
      message: `The venue of testnet at ${url} does not answer.`,
      next: 'ferry config list',
      exit: 3,
      retryable: true,
      verdict: 'unsent',
    });
    expect(facts(error).reason).toContain('ECONNREFUSED');
    expect(printed(error)).not.toContain('secret');
  });

  test('error: points to the sandbox’s status', async () => {
    const client = venueAt(Loopback.nobody, { network: { name: 'sandbox' } });
    const error = await failure(client.nextNonce(1, 1));
    expect(error).toMatchObject({ next: 'ferry sandbox status', hint: undefined });
  });

  test.each([
    ['refused', 'no', 'venue.unreachable', 'unsent', 3],
    ['broken', 'maybe', 'venue.unreachable', 'open', 3],
    ['cut-off', 'yes', 'venue.unreachable', 'open', 3],
    ['timeout', 'maybe', 'venue.timeout', 'open', 3],
    ['tls', 'no', 'venue.unreachable', 'unsent', 1],
    ['redirected', 'yes', 'venue.unreachable', 'open', 1],
    ['too-large', 'yes', 'venue.unreachable', 'open', 1],
  ] as const)(
    'error: %s, arrived: %s, is %s and %s, after %i attempts',
    async (reason, arrived, code, verdict, times) => {
      const { fetch, calls } = unanswering(reason, { arrived });
      const client = venueAt('http://far.example', { fetch });
      expect(await failure(client.nextNonce(1, 1))).toMatchObject({ code, verdict, again: times > 1 });
      expect(calls.count).toBe(times);
      // What moves money is sent once.
      expect(await client.send('{}')).toMatchObject({ verdict, error: { code } });
      expect(calls.count).toBe(times + 1);
    },
  );
});
