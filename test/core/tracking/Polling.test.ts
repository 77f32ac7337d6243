import { describe, expect, test } from 'vitest';
import * as Polling from '../../../src/core/tracking/Polling.js';
import { quickClock } from '../../support/quickClock.js';

/** An answer with the third question. */
const third = async (look: number): Promise<string | undefined> => (look === 2 ? 'there' : undefined);

test('delayMs: quick at first, once a second in the end', () => {
  const delays = Array.from({ length: 20 }, (_, look) => Polling.delayMs(look));
  expect(delays[0]).toBe(50);
  expect(delays.at(-1)).toBe(1000);
  expect(delays).toEqual([...delays].sort((a, b) => a - b));
});

describe('pollUntil', () => {
  test('default: asks until there is an answer, with a longer pause each time', async () => {
    const { slept, ...around } = quickClock();
    expect(await Polling.pollUntil(third, around, {}, () => 'late')).toBe('there');
    expect(slept).toEqual([50, 68]);
  });

  test('behavior: no more questions than it may ask, and no pause after the last', async () => {
    const { slept, ...around } = quickClock();
    expect(await Polling.pollUntil(third, around, { looks: 2, delayMs: () => 7 }, (why) => why)).toBe('late');
    expect(slept).toEqual([7]);
  });

  test('behavior: after the time limit it asks no more, and before it asks at least once', async () => {
    const { slept, ...around } = quickClock();
    expect(await Polling.pollUntil(third, around, { timeoutMs: 40, delayMs: () => 40 }, (why) => why)).toBe('late');
    expect(slept).toEqual([40]);
    const atOnce = async () => 'at once';
    expect(await Polling.pollUntil(atOnce, around, { timeoutMs: 0 }, (why) => why)).toBe('at once');
  });

  test('behavior: Ctrl-C ends it, before a pause and in one, and an end that is an error is thrown', async () => {
    const aborted = quickClock(AbortSignal.abort());
    expect(await Polling.pollUntil(third, aborted, {}, (why) => why)).toBe('stopped');
    const end = new AbortController();
    const { clock, ...around } = quickClock(end.signal);
    const sleep = async (ms: number) => {
      end.abort();
      await clock.sleep(ms);
    };
    const stopped = Polling.pollUntil(third, { ...around, clock: { ...clock, sleep } }, {}, (why) => new Error(why));
    await expect(stopped).rejects.toThrow('stopped');
  });
});

test('pause: waits; on Ctrl-C it throws what explains it', async () => {
  const { slept, ...around } = quickClock();
  await Polling.pause(30, around, () => new Error('never'));
  expect(slept).toEqual([30]);
  const stopped = Polling.pause(30, quickClock(AbortSignal.abort(new Error('bare'))), () => new Error('where it is'));
  await expect(stopped).rejects.toThrow('where it is');
});
