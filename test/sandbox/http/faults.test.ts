import { describe, expect, test } from 'vitest';
import { createFaults, type Input, schema, tamper } from '../../../src/sandbox/http/faults.js';
import * as Tampering from '../../../src/sandbox/quote/Tampering.js';

function faultsOf(...inputs: readonly Input[]) {
  const faults = createFaults();
  for (const input of inputs) faults.add(schema.parse(input));
  return faults;
}

const quote = { method: 'POST', path: '/quote/v2', user: '0xAb', referrer: 'shop', requestId: '0x0F' };

describe('strike', () => {
  test('behavior: times and after', () => {
    const faults = faultsOf({ kind: 'empty', times: 2, after: 1 });
    const struck = Array.from({ length: 5 }, () => faults.strike(quote).answer?.kind);
    expect(struck).toEqual([undefined, 'empty', 'empty', undefined, undefined]);
  });

  test('behavior: times 0 means until it is cleared', () => {
    const faults = faultsOf({ kind: 'empty', times: 0 });
    expect(Array.from({ length: 9 }, () => faults.strike(quote).answer?.kind)).not.toContain(undefined);
    expect(faults.clear()).toHaveLength(1);
    expect(faults.strike(quote).answer).toBeUndefined();
  });

  test('behavior: delays and tampers accumulate; other faults take one request each', () => {
    const faults = faultsOf(
      { kind: 'delay', delayMs: 5 },
      { kind: 'delay', delayMs: 6 },
      { kind: 'tamper', path: '/a', value: 1 },
      { kind: 'tamper', path: '/b', value: 2 },
      { kind: 'status', status: 429 },
      { kind: 'html' },
    );
    expect(faults.strike(quote)).toMatchObject({ delayMs: 11, answer: { status: 429 } });
    expect(faults.strike(quote)).toEqual({
      delayMs: 0,
      tampers: [],
      answer: expect.objectContaining({ kind: 'html' }),
    });
  });

  test('behavior: a batch counts as one match, but as one per call for tampers', () => {
    const match = { rpc: 'eth_chainId' };
    const faults = faultsOf(
      { kind: 'delay', delayMs: 5, times: 0, match },
      { kind: 'html', match, after: 1 },
      { kind: 'tamper', path: '/a', value: 1, times: 2, match },
    );
    const calls = ['eth_call', 'eth_chainId', 'eth_chainId', 'eth_chainId'].map((rpc) => ({ rpc }));
    const { delayMs, tampers, answer } = faults.strike(...calls);
    expect([delayMs, tampers.map(({ at }) => at), answer]).toEqual([5, [1, 2], undefined]);
    expect(faults.list().map(({ id, ...fault }) => 'met' in fault && fault.met)).toEqual([1, 1, 3]);
    expect(faults.strike({ rpc: 'eth_call' })).toEqual({ delayMs: 0, tampers: [], answer: undefined });
    expect(faults.strike(...calls).answer?.kind).toBe('html');
  });

  test.each([
    [{ path: '/quote' }, true],
    [{ path: '/quotes' }, false],
    [{ method: 'post' }, true],
    [{ method: 'GET' }, false],
    [{ user: '0xaB' }, true],
    [{ user: '0xac' }, false],
    [{ requestId: '0x0f' }, true],
    [{ requestId: '0x10' }, false],
    [{ referrer: 'shop' }, true],
    [{ referrer: 'Shop' }, false],
    [{ rpc: 'eth_call' }, false],
  ])('behavior: matched by %j', (match, hits) => {
    expect(faultsOf({ kind: 'drop', match }).strike(quote).answer !== undefined).toBe(hits);
  });
});

describe('tamper', () => {
  const answer = { a: { b: [1, { c: 'x' }] }, 'd/e': 1 };

  test.each([
    [
      { path: '/a/b/1/c', value: 'y' },
      { a: { b: [1, { c: 'y' }] }, 'd/e': 1 },
    ],
    [{ path: '/a/b/0' }, { a: { b: [{ c: 'x' }] }, 'd/e': 1 }],
    [{ path: '/a' }, { 'd/e': 1 }],
    [
      { path: '/d~1e', value: null },
      { a: answer.a, 'd/e': null },
    ],
    [
      { path: '/new/er', value: [1] },
      { ...answer, new: { er: [1] } },
    ],
    [{ path: '/d~1e/f', value: 1 }, answer],
  ])('default: %j', (fault, tampered) => {
    const before = structuredClone(answer);
    expect(tamper(answer, fault)).toEqual(tampered);
    expect(answer).toEqual(before);
  });

  test('behavior: relative to a prefix', () => {
    expect(tamper([structuredClone(answer), answer], { path: '/a/b/0', value: 2 }, '/1')).toEqual([
      answer,
      { ...answer, a: { b: [2, { c: 'x' }] } },
    ]);
    expect(JSON.stringify(tamper([1], { path: '/a', value: 2 }, '/-1'))).toBe('[1]');
  });

  test('behavior: by a recipe', () => {
    const quote = { steps: [], details: { recipient: '0x01' } };
    const fault = schema.parse({ kind: 'tamper', recipe: 'wrong-recipient', consistent: true });
    expect(tamper(quote, fault as never)).toEqual({ steps: [], details: { recipient: Tampering.thief } });
    expect(tamper(answer, fault as never)).toEqual(answer);
  });

  test('error: both path and recipe, neither, or an unknown recipe', () => {
    for (const wrong of [{}, { path: '/a', recipe: 'wrong-refund' }, { recipe: 'wrong' }])
      expect(schema.safeParse({ kind: 'tamper', ...wrong }).success).toBe(false);
  });

  test('behavior: a path into the prototype is confined to the response', () => {
    tamper({}, { path: '/__proto__/polluted', value: 1 });
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });
});

describe('a limit', () => {
  test('default: so many requests in a window, and which ones', () => {
    let nowMs = 1_000_000;
    const faults = createFaults(() => nowMs);
    const limit = schema.parse({ kind: 'limit', requests: 2, windowMs: 1000, retryAfter: true });
    faults.add(limit);
    const ask = (path = '/quote/v2') => faults.strike({ method: 'POST', path }).answer;
    expect([ask(), ask(), ask('/chains')]).toEqual([undefined, undefined, undefined]);
    expect(ask()).toMatchObject({ kind: 'status', status: 429, headers: { 'retry-after': '1' } });
    nowMs += 1001;
    expect([ask(), ask()]).toEqual([undefined, undefined]);
    expect(ask()).toBeDefined();
    expect(faults.list()).toMatchObject([{ kind: 'limit', met: 6, struck: 2 }]);
  });
});
