import { describe, expect, test } from 'vitest';
import { orAborted, untilAborted } from '../../../src/io/files/interruptible.js';
import { collect } from '../../support/collect.js';

const reason = new Error('enough');

describe('orAborted', () => {
  test('behavior: the signal ends a wait that would never end', async () => {
    const controller = new AbortController();
    const waiting = orAborted(controller.signal, new Promise(() => {}));
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(orAborted(controller.signal, new Promise(() => {}))).rejects.toBe(reason);
  });

  test('behavior: a failure after the signal is nobody’s', async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown): unknown => unhandled.push(error);
    process.on('unhandledRejection', note);
    let fail = (_: Error): void => {};
    const late = new Promise<never>((_, reject) => {
      fail = reject;
    });
    await expect(orAborted(AbortSignal.abort(reason), late)).rejects.toBe(reason);
    fail(new Error('too late'));
    await new Promise((resolve) => setImmediate(resolve));
    process.removeListener('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });
});

describe('untilAborted', () => {
  async function* source(closed: string[], stuck: Promise<void> = Promise.resolve()): AsyncGenerator<string> {
    try {
      yield 'a';
      await stuck;
      yield 'b';
    } finally {
      closed.push('closed');
    }
  }

  test('default: every chunk, and then the source is closed', async () => {
    const closed: string[] = [];
    const chunks = await collect(untilAborted(source(closed), new AbortController().signal));
    expect([...chunks, ...closed]).toEqual(['a', 'b', 'closed']);
  });

  test('behavior: a reader that leaves early closes the source', async () => {
    const closed: string[] = [];
    for await (const _ of untilAborted(source(closed), new AbortController().signal)) break;
    expect(closed).toEqual(['closed']);
  });

  test('behavior: the signal ends it in the middle of a wait', async () => {
    const controller = new AbortController();
    const chunks = untilAborted(source([], new Promise(() => {})), controller.signal);
    expect((await chunks.next()).value).toBe('a');
    const next = chunks.next();
    controller.abort(reason);
    await expect(next).rejects.toBe(reason);
  });
});
