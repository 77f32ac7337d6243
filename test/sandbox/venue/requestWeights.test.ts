import { describe, expect, test } from 'vitest';
import { createRateLimit } from '../../../src/sandbox/venue/venueRoutes.js';

function create(perMinute?: number) {
  let nowMs = 0;
  const limit = createRateLimit(() => nowMs);
  limit.set(perMinute);
  const isLet = (path: string, client = 'a'): boolean => {
    try {
      limit.count(client, path);
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: 23000 });
      return false;
    }
  };
  return { limit, isLet, travel: (ms: number) => (nowMs += ms) };
}

describe('count', () => {
  test('default: no limit', () => {
    const { limit, isLet } = create();
    expect(Array.from({ length: 1000 }, () => isLet('/api/v1/transferFeeInfo'))).not.toContain(false);
    expect(limit.perMinute()).toBeUndefined();
  });

  test.each([
    ['/api/v1/sendTx', 10],
    ['/api/v1/nextNonce', 10],
    ['/api/v1/tx', 60],
    ['/api/v1/apikeys', 1],
    ['/api/v1/transferFeeInfo', 1],
  ])('behavior: 60 per minute allow %s %i times', (path, times) => {
    const { isLet } = create(60);
    expect(Array.from({ length: times + 1 }, () => isLet(path))).toEqual([...Array(times).fill(true), false]);
  });

  test('behavior: a minute later, and for another client', () => {
    const { isLet, travel } = create(1);
    expect([isLet('/api/v1/tx'), isLet('/api/v1/tx'), isLet('/api/v1/tx', 'b')]).toEqual([true, false, true]);
    travel(60_000);
    expect(isLet('/api/v1/tx')).toBe(true);
  });
});
