import { setImmediate as next } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import * as JobPool from '../../../src/core/batch/JobPool.js';
import type { Clock } from '../../../src/core/ports/Ports.js';
import { collect } from '../../support/collect.js';

/** A clock that advances only to the next sleeper. */
function clock(): Clock & { asleep(): number } {
  let now = 0;
  let sleepers: { until: number; wake: () => void }[] = [];
  const tick = (): void => {
    const next = Math.min(...sleepers.map(({ until }) => until));
    now = Math.max(now, next);
    const awake = sleepers.filter(({ until }) => until <= now);
    sleepers = sleepers.filter(({ until }) => until > now);
    for (const { wake } of awake) wake();
  };
  return {
    now: () => now,
    asleep: () => sleepers.length,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const sleeper = { until: now + ms, wake: resolve };
        sleepers.push(sleeper);
        signal?.addEventListener('abort', () => {
          sleepers = sleepers.filter((each) => each !== sleeper);
          reject(signal.reason);
        });
        setImmediate(() => sleepers.length > 0 && tick());
      }),
  };
}

/** What a run stands in, with a clock of its own. */
const surroundings = <T extends object>(own?: T) => ({
  clock: clock(),
  signal: new AbortController().signal,
  ...own,
});

/** No pace but the number at once. */
const unpaced = (concurrency: number): JobPool.Limits => ({ concurrency, perSecond: Number.POSITIVE_INFINITY });

async function begun(lastsMs: number, pace: JobPool.Limits): Promise<{ starts: number[]; most: number }> {
  const run = surroundings();
  const starts: number[] = [];
  let [under, most] = [0, 0];
  const jobs = Array.from({ length: 6 }, (_, index) => async () => {
    starts.push(run.clock.now());
    most = Math.max(most, ++under);
    await run.clock.sleep(lastsMs);
    under--;
    return index;
  });
  expect((await collect(JobPool.run(jobs, pace, run))).toSorted()).toEqual([0, 1, 2, 3, 4, 5]);
  return { starts, most };
}

describe('from', () => {
  test.each([
    [{}, 40, { concurrency: 4, perSecond: 5 }],
    [{}, 41, { concurrency: 4, perSecond: 0.8 }],
    [{ rate: '20' }, 100, { concurrency: 4, perSecond: 20 }],
    [{ rate: '0.5', concurrency: '1' }, 1, { concurrency: 1, perSecond: 0.5 }],
  ])('default: %o for %i quotes', (typed, quotes, expected) => {
    expect(JobPool.from(typed, JobPool.usual(quotes))).toEqual(expected);
  });

  test('behavior: other defaults, also without a rate', () => {
    expect(JobPool.from({}, unpaced(8))).toEqual(unpaced(8));
    expect(JobPool.from({ rate: '2' }, unpaced(8))).toEqual({ concurrency: 8, perSecond: 2 });
  });

  test.each([
    { rate: '0' },
    { rate: '101' },
    { rate: '' },
    { rate: 'fast' },
    { concurrency: '0' },
    { concurrency: '1.5' },
  ])('error: %o', (typed) => {
    expect(() => JobPool.from(typed, JobPool.usual(1))).toThrow(expect.objectContaining({ code: 'usage.invalid' }));
  });
});

describe('run', () => {
  test('default: starts are evenly spaced', async () => {
    const { starts } = await begun(10, { concurrency: 4, perSecond: 5 });
    expect(starts).toEqual([0, 200, 400, 600, 800, 1000]);
  });

  test('behavior: respects the concurrency limit, without a burst afterwards', async () => {
    const { starts, most } = await begun(1000, { concurrency: 2, perSecond: 10 });
    expect(most).toBe(2);
    const gaps = starts.slice(1).map((start, index) => start - (starts[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(100);
  });

  test('behavior: in job order, although a later job ends first', async () => {
    const run = surroundings();
    const jobs = [30, 20, 10].map((ms) => async () => run.clock.sleep(ms).then(() => ms));
    expect(await collect(JobPool.run(jobs, unpaced(3), run))).toEqual([10, 20, 30]);
    expect(await collect(JobPool.run(jobs, unpaced(3), { ...run, ordered: true }))).toEqual([30, 20, 10]);
  });

  test('behavior: pulls jobs one by one, and stops when the buffer for ordered results is full', async () => {
    let asked = 0;
    let end = (): void => {};
    const slow = new Promise<void>((resolve) => {
      end = resolve;
    });
    async function* jobs() {
      for (; asked < 1000; asked++) yield asked === 0 ? async () => slow : async () => {};
    }
    const run = JobPool.run(jobs(), unpaced(2), surroundings({ ordered: true }));
    const first = run.next();
    for (let turn = 0; turn < 100; turn++) await next();
    expect(asked).toBeLessThan(20);
    end();
    await first;
    let rest = 0;
    for await (const _ of run) rest++;
    expect(rest).toBe(999);
  });

  /** Jobs of lanes, given as `a1`, which last so long; what began and ended, in that order. */
  async function laned(
    names: readonly string[],
    lastsMs: (name: string) => number,
    limits: Partial<JobPool.Limits>,
    ordered: boolean,
  ): Promise<{ acts: string[]; results: string[]; most: number }> {
    const run = surroundings({ ordered });
    const acts: string[] = [];
    let [under, most] = [0, 0];
    const jobs = names.map((name) => {
      const job = async (): Promise<string> => {
        acts.push(`+${name}`);
        most = Math.max(most, ++under);
        await run.clock.sleep(lastsMs(name));
        under--;
        acts.push(`-${name}`);
        return name;
      };
      return Object.assign(job, { lane: name[0] });
    });
    const pace = { ...unpaced(8), perLane: 1, ...limits };
    return { acts, results: await collect(JobPool.run(jobs, pace, run)), most };
  }

  test('behavior: jobs of a lane run one after the other, those of others meanwhile', async () => {
    const names = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'];
    const { acts, results, most } = await laned(names, () => 10, {}, true);
    expect([results, most]).toEqual([names, 3]);
    expect(acts.slice(0, 3)).toEqual(['+a1', '+b1', '+c1']);
    for (const lane of ['a', 'b', 'c']) {
      const own = names.filter((name) => name.startsWith(lane)).flatMap((name) => [`+${name}`, `-${name}`]);
      expect(acts.filter((act) => act[1] === lane)).toEqual(own);
    }
    expect((await laned(names, () => 10, { perLane: 2 }, true)).most).toBe(5);
    expect((await laned(names, () => 10, { concurrency: 1 }, false)).results).toEqual(names);
  });

  test.each([1, 2, 3, 5, 8])('behavior: with room for %i ahead it always ends, in order', async (ahead) => {
    // Any mixture of lanes, the first of which is the slowest.
    const names = Array.from({ length: 60 }, (_, index) => `${'aabacabd'[(index * index + 3) % 8]}${index}`);
    const lastsMs = (name: string): number => (name.startsWith('a') ? 100 : 1);
    expect((await laned(names, lastsMs, { ahead }, true)).results).toEqual(names);
    expect((await laned(names, lastsMs, { ahead }, false)).results.toSorted()).toEqual(names.toSorted());
  });

  test('behavior: a job that holds back later results is reported once', async () => {
    const run = surroundings({ ordered: true });
    const told: number[][] = [];
    const jobs = [60_000, 10, 10, 30_000].map((ms) => async () => run.clock.sleep(ms).then(() => ms));
    const heldUp = (index: number, results: number): void => void told.push([index, results]);
    expect(await collect(JobPool.run(jobs, unpaced(4), { ...run, heldUp }))).toEqual([60_000, 10, 10, 30_000]);
    expect(told).toEqual([[0, 2]]);
    await collect(JobPool.run(jobs, unpaced(4), { ...run, ordered: false, heldUp }));
    expect(told).toHaveLength(1);
  });

  test('error: an abort while the source is silent', async () => {
    const interrupt = new AbortController();
    async function* silent(): AsyncGenerator<JobPool.Job<number>, void> {
      await new Promise(() => {});
    }
    const pace = { concurrency: 1, perSecond: 1 };
    const next = JobPool.run(silent(), pace, { clock: clock(), signal: interrupt.signal }).next();
    interrupt.abort(new Error('stopped'));
    await expect(next).rejects.toThrow('stopped');
  });

  test('error: a failing source ends the run, after the results of started jobs', async () => {
    let ended = 0;
    async function* jobs() {
      for (let index = 0; index < 3; index++) yield () => next().then(() => void ended++);
      throw new Error('line 4');
    }
    const run = JobPool.run(jobs(), unpaced(9), surroundings());
    const results: unknown[] = [];
    const reading = (async () => {
      for await (const result of run) results.push(result);
    })();
    await expect(reading).rejects.toThrow('line 4');
    expect([ended, results.length]).toEqual([3, 3]);
  });

  test('error: an error in a job ends the run and leaves no pending timer', async () => {
    const around = surroundings();
    let started = 0;
    const jobs = Array.from({ length: 5 }, () => async () => {
      started++;
      throw new Error('refused');
    });
    const run = JobPool.run(jobs, { concurrency: 1, perSecond: 0.001 }, around);
    await expect(run.next()).rejects.toThrow('refused');
    expect([started, around.clock.asleep()]).toEqual([1, 0]);
  });

  test('error: an abort while waiting', async () => {
    const interrupt = new AbortController();
    const time: Clock = {
      now: () => 0,
      sleep: (_, signal) => new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    };
    const jobs = [async () => 1, async () => 2];
    const run = JobPool.run(jobs, { concurrency: 2, perSecond: 1 }, { clock: time, signal: interrupt.signal });
    expect(await run.next()).toEqual({ done: false, value: 1 });
    const next = run.next();
    interrupt.abort(new Error('stopped'));
    await expect(next).rejects.toThrow('stopped');
  });
});
