import { describe, expect, test } from 'vitest';
import { createKeyedMutex } from '../../../src/sandbox/chain/keyedMutex.js';

describe('createKeyedMutex', () => {
  test('default: serial for one key, concurrent for different keys', async () => {
    const inTurn = createKeyedMutex();
    const events: string[] = [];
    const work = (name: string, ms: number) => async () => {
      events.push(`${name} begins`);
      await new Promise((resolve) => setTimeout(resolve, ms));
      events.push(`${name} ends`);
      return name;
    };
    const results = await Promise.all([
      inTurn('a', work('first', 20)),
      inTurn('a', work('second', 1)),
      inTurn('b', work('other', 5)),
    ]);
    expect(results).toEqual(['first', 'second', 'other']);
    expect(events).toEqual([
      'first begins',
      'other begins',
      'other ends',
      'first ends',
      'second begins',
      'second ends',
    ]);
  });

  test('behavior: continues after a failure', async () => {
    const inTurn = createKeyedMutex();
    const failing = inTurn('a', async () => {
      throw new Error('no');
    });
    const next = inTurn('a', async () => 'yes');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });
});
