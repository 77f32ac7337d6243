import { describe, expect, test } from 'vitest';
import { facts, failure, printed, unanswering } from '../../support/failures.js';
import * as Loopback from '../../support/loopback.js';
import { request, serviceAt } from '../../support/service.js';

/** One whose beginning says much about it. */
const longKey = 's3cr3tKEYaaaabbbbccccddddeeeeffff';

/** How a quote fails of a service that answers so, and what it was asked. */
async function quoted(...answers: [Loopback.Behaviour, ...Loopback.Behaviour[]]) {
  const { url, seen } = await Loopback.loopback(...answers);
  return { error: await failure(serviceAt(url).quote(request)), seen };
}

describe('refused', () => {
  test('error: 400 keeps the code, the message and the request id', async () => {
    const { error, seen } = await quoted(
      Loopback.json({ message: 'No routes found', errorCode: 'NO_SWAP_ROUTES_FOUND', requestId: '0xab' }, 400),
    );
    expect(error).toMatchObject({
      code: 'service.refused',
      message: 'The service refused to quote.',
      funds: 'untouched',
      exit: 3,
      requestId: '0xab',
      httpStatus: 400,
      next: 'ferry tokens',
    });
    expect(facts(error)).toMatchObject({ code: 'NO_SWAP_ROUTES_FOUND', message: 'No routes found' });
    expect(seen).toHaveLength(1);
  });

  test("behavior: the service's text cannot move the cursor", async () => {
    const { error } = await quoted(Loopback.json({ message: '\u001b[2Jall is well\u202e', errorCode: 'A\nB' }, 400));
    expect(facts(error)).toMatchObject({ message: '\\x1b[2Jall is well\\u{202e}', code: 'A B' });
  });

  test.each([
    ['a referrer without a key', 401, { message: 'Please provide an api key', errorCode: 'UNAUTHORIZED_QUOTE' }],
    ['a foreign key', 403, { message: 'Forbidden' }],
    [
      'a missing header',
      400,
      { statusCode: 400, code: 'FST_ERR_VALIDATION', message: "headers must have required property 'x-api-key'" },
    ],
  ])('error: %s is auth.refused', async (_, status, body) => {
    const { error, seen } = await quoted(Loopback.json(body, status));
    expect(error).toMatchObject({ code: 'auth.refused', exit: 4, httpStatus: status });
    expect(error.next).toBe('ferry config set networks.testnet.apiKey');
    expect(seen).toHaveLength(1);
  });

  test.each([401, 403, 451])('error: a web page with status %i is no word about the key', async (status) => {
    const page = '<!DOCTYPE html><html><head><title>Just a moment...</title></head></html>';
    const { error } = await quoted(Loopback.text(page, 'text/html', status));
    expect(error).toMatchObject({ code: 'service.refused', httpStatus: status });
    expect(error.message).toBe('Something in front of the testnet service refuses this machine.');
    expect(facts(error).received).toContain('Just a moment');
  });

  test('error: credentials that the service repeats are not printed', async () => {
    const words = 'No such key: key-one, ada:open-sesame';
    const server = await Loopback.loopback(Loopback.json({ message: words }, 401), Loopback.text(words, 'text/plain'));
    const url = server.url.replace('://', '://ada:open-sesame@');
    const asked = serviceAt(url, { network: { apiKey: 'key-one' } });
    const refused = await failure(asked.quote(request));
    expect(refused.message).toContain('rejected the API key');
    expect(facts(refused).message).toBe('No such key: ***, ***');
    const malformed = await failure(asked.quote(request));
    expect(facts(malformed).received).toContain('No such key: ***, ***');
    expect(printed(refused) + printed(malformed)).not.toMatch(/key-one|open-sesame/);
  });

  test('error: a long 429 is reported at once', async () => {
    const { error, seen } = await quoted(Loopback.json({ message: 'Too many requests' }, 429, { 'retry-after': '30' }));
    expect(error).toMatchObject({ code: 'service.rate-limited', retryable: true, exit: 3 });
    expect(facts(error)).toMatchObject({ 'retry after': '30 s', message: 'Too many requests' });
    expect(error.hint).toContain('Wait 30 seconds');
    expect(seen).toHaveLength(1);
  });

  test('error: an unknown request', async () => {
    const server = await Loopback.loopback(Loopback.json({ message: 'Request not found' }, 404));
    expect(await failure(serviceAt(server.url).status('0x01'))).toMatchObject({
      code: 'service.unknown-request',
      funds: 'unknown',
    });
  });

  test('error: a wrong base URL', async () => {
    const body = { message: 'Route GET:/x not found', error: 'Not Found', statusCode: 404 };
    const server = await Loopback.loopback(Loopback.json(body, 404));
    const error = await failure(serviceAt(server.url).status('0x01'));
    expect(error).toMatchObject({ code: 'service.refused', next: 'ferry config list' });
    expect(error.hint).toContain('base URL');
  });
});

/** The same of its list of chains. */
async function chainsOf(answer: Loopback.Behaviour) {
  const { url, seen } = await Loopback.loopback(answer);
  return { error: await failure(serviceAt(url).chains()), seen };
}

describe('malformed and undecodable', () => {
  test.each([
    ['HTML', Loopback.html(), 'JSON', '<!doctype html><html><body>Bad gateway</body></html> (text/html)'],
    ['truncated JSON', Loopback.text('{"chains":[{"id":1,', 'application/json'), 'JSON', '{"chains":[{"id":1,'],
    ['an empty body', Loopback.text('', 'application/json'), 'JSON', 'nothing'],
    ['null', Loopback.json(null), 'expected an object', 'null'],
    ['a missing field', Loopback.json({}), 'chains: missing, expected an array', undefined],
    ['another type', Loopback.json({ chains: [{ id: '1', name: 'x' }] }), 'chains[0].id: expected a number', '"1"'],
  ])('error: %s', async (_, behaviour, expected, received) => {
    const { error, seen } = await chainsOf(behaviour);
    expect(error).toMatchObject({
      code: 'service.malformed',
      message: 'The testnet service sent an unexpected response to GET /chains.',
      exit: 3,
      funds: 'untouched',
    });
    expect(facts(error).expected).toBe(expected);
    expect(facts(error).received).toBe(received);
    expect(seen).toHaveLength(1);
  });

  test('behavior: prints only the beginning, escaped', async () => {
    const { error } = await chainsOf(Loopback.text(`\u001b[31m${'x'.repeat(1_000)}`, 'application/json'));
    expect(facts(error).received).toMatch(/^\\x1b\[31mx{95}…$/);
  });

  test.each([
    ['where a response breaks off', Loopback.cutOff(`{${' '.repeat(185)}"key":"${longKey}"`)],
    ['in UTF-16', Loopback.text(Buffer.from(`no: ${longKey}`, 'utf16le').toString('latin1'), 'text/plain', 403)],
  ])('error: a key that the service repeats %s is not printed', async (_, behaviour) => {
    const { url } = await Loopback.loopback(behaviour);
    const error = await failure(serviceAt(url, { network: { apiKey: longKey } }).quote(request));
    expect(facts(error).received).toMatch(/"key":"\*\*\*"$|^no: \*\*\*$/);
    expect(printed(error).replaceAll('\\x00', '')).not.toContain(longKey.slice(0, 6));
  });

  test('error: a refusal in an undocumented form', async () => {
    const { error } = await quoted(Loopback.html(400));
    expect(error).toMatchObject({ code: 'service.malformed', httpStatus: 400 });
    expect(facts(error).received).toContain('Bad gateway');
  });
});

describe('unanswered', () => {
  test('error: nothing listens', async () => {
    const url = Loopback.nobody;
    const error = await failure(serviceAt(`${url}/base?key=secret`).quote(request));
    expect(error).toMatchObject({
      code: 'service.unreachable',
      message: `The testnet service at ${url} does not answer.`,
      exit: 3,
      funds: 'untouched',
      next: 'ferry config list',
    });
    expect(facts(error).reason).toBe(`nothing listens at ${url} (ECONNREFUSED)`);
    expect(printed(error)).not.toContain('secret');
  });

  test('error: points to the sandbox’s status', async () => {
    const error = await failure(serviceAt(Loopback.nobody, { network: { name: 'sandbox' } }).chains());
    expect(error.next).toBe('ferry sandbox status');
  });

  test.each([
    ['refused', 'service.unreachable', 3],
    ['broken', 'service.unreachable', 3],
    ['tls', 'service.unreachable', 1],
    ['timeout', 'service.timeout', 1],
    ['redirected', 'service.redirected', 1],
    ['cut-off', 'service.malformed', 3],
    ['too-large', 'service.malformed', 1],
    ['rate-limit', 'service.rate-limited', 1],
  ] as const)('error: %s is %s, after %i attempts', async (reason, code, attempts) => {
    const { fetch, calls } = unanswering(reason, { beginning: '{"chains":[' });
    const error = await failure(serviceAt('http://far.example', { fetch }).quote(request));
    expect(error).toMatchObject({ code, exit: 3, funds: 'untouched' });
    expect(calls.count).toBe(attempts);
    if (reason === 'cut-off') expect(facts(error).received).toBe('{"chains":[');
  });
});
