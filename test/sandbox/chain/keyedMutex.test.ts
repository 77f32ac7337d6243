import { describe, expect, test } from 'vitest';
import { createKeyedMutex } from '../../../src/sandbox/chain/keyedMutex.js';

describe('createKeyedMutex', () => {
  test('default: serial for one key, concurrent for different keys', async () => {
    const inTurn = createKeyedMutex();
    const events: string[] = [];
    const work = (name: string, last?: Promise<unknown>) => async () => {
      events.push(`${name} begins`);
      await last;
      events.push(`${name} ends`);
      return name;
    };
    let end = (_: unknown): void => {};
    const first = inTurn('a', work('first', new Promise((resolve) => (end = resolve))));
    const second = inTurn('a', work('second'));
    const other = inTurn('b', work('other'));
    end(await other);
    expect(await Promise.all([first, second, other])).toEqual(['first', 'second', 'other']);
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
