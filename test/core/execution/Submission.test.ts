import { describe, expect, test } from 'vitest';
import { BaseError, type Code } from '../../../src/core/base/Errors.js';
import type { Event } from '../../../src/core/event/Event.js';
import * as Submission from '../../../src/core/execution/Submission.js';

const failed = (verdict: Submission.Failure['verdict'], message: string = verdict): Submission.Failure => ({
  verdict,
  error: new BaseError('service.timeout', message),
});

type Script = {
  posts: readonly ('taken' | Submission.Failure | Error)[];
  /** With which look it is found; never by default. */
  foundWith?: number;
  mayPost?: (attempt: number) => boolean;
  voidFromMs?: number;
  mayAppear?: boolean;
  lost?: BaseError;
  onPost?: () => void;
  onLook?: (attempt: number) => void;
};

/** Hands over by a script, in seconds; with all that was done, in order. */
async function submit({ posts, foundWith, mayPost = () => true, lost, onPost, onLook, ...bounds }: Script) {
  const { voidFromMs = 60_000, mayAppear = false } = bounds;
  const done: string[] = [];
  const end = new AbortController();
  let now = 0;
  let posted = 0;
  let looks = 0;
  const clock = { now: () => now, sleep: async () => {} };
  const handover: Submission.Handover<string> = {
    resumed: 'checking',
    async post() {
      done.push('post');
      onPost?.();
      if (onPost) end.abort(new Error('stopped'));
      const answer = posts[posted++] ?? failed('lost');
      if (answer instanceof Error) throw answer;
      return answer === 'taken' ? { verdict: 'taken', taken: 'by its answer' } : answer;
    },
    mayPost: async (attempt) => mayPost(attempt),
    async *look({ attempt, failure }) {
      onLook?.(attempt);
      done.push(failure ? `look after ${failure.error.message}` : 'look');
      looks += 1;
      now += 1_000;
      if (looks === foundWith) return 'by others';
      if (failure) yield { type: 'asking', summary: 'lost', why: failure.error.message };
      return undefined;
    },
    voidFromMs,
    mayAppear,
    waiting: () => ({ type: 'asking', summary: 'waiting', why: 'valid' }),
    voidBy: async (cause) =>
      now >= voidFromMs ? new BaseError('submit.expired', `void after ${cause?.message}`) : undefined,
    unknown: (cause) => new BaseError('submit.unknown', `unknown after ${cause?.message}`),
  };
  const events: Event[] = [];
  const running = Submission.submitOnce(handover, { clock, signal: end.signal }, { untilMs: 10_000, lost });
  try {
    let step = await running.next();
    for (; !step.done; step = await running.next()) events.push(step.value);
    return { result: step.value, done, events };
  } catch (error) {
    return { result: (error as Error).message, done, events };
  }
}

describe('submitOnce', () => {
  test('default: handed over once, and nobody is asked', async () => {
    expect(await submit({ posts: ['taken'] })).toEqual({ result: 'by its answer', done: ['post'], events: [] });
  });

  test('behavior: after a lost answer others are asked before it is handed over again', async () => {
    const { result, done } = await submit({ posts: [failed('lost'), failed('busy'), 'taken'] });
    expect([result, done]).toEqual(['by its answer', ['post', 'look after lost', 'post', 'look after busy', 'post']]);
    const found = await submit({ posts: [failed('lost'), 'taken'], foundWith: 1 });
    expect([found.result, found.done]).toEqual(['by others', ['post', 'look after lost']]);
  });

  test('behavior: what an earlier process may have handed over is looked for first', async () => {
    const lost = new BaseError('submit.unknown', 'interrupted');
    const { result, done, events } = await submit({ posts: [], foundWith: 1, lost });
    expect([result, done]).toEqual(['by others', ['look']]);
    expect(events).toEqual([{ type: 'asking', summary: 'checking', why: 'interrupted' }]);
  });

  test('behavior: a refusal is not handed over again, nor believed: it is waited for', async () => {
    const { result, done, events } = await submit({ posts: [failed('refused')], voidFromMs: 4_000 });
    expect(result).toBe('void after refused');
    expect(done).toEqual(['post', 'look after refused', 'look', 'look', 'look']);
    expect(events.map((event) => ('summary' in event ? event.summary : ''))).toEqual(['lost', 'waiting']);
    const found = await submit({ posts: [failed('refused')], voidFromMs: 4_000, foundWith: 3 });
    expect(found.result).toBe('by others');
  });

  test('behavior: a refusal says less than the lost answer before it', async () => {
    const { result } = await submit({ posts: [failed('lost', 'first'), failed('refused', 'second')] });
    expect(result).toBe('unknown after first');
  });

  test('behavior: without the time to see that it is void nobody waits, unless it may appear', async () => {
    const posts = [failed('lost')];
    const mayPost = (attempt: number) => attempt === 0;
    expect((await submit({ posts, mayPost })).done).toEqual(['post', 'look after lost']);
    const { result, done } = await submit({ posts, mayPost, mayAppear: true });
    expect(result).toBe('unknown after lost');
    expect(done).toHaveLength(11);
    const refused = await submit({ posts: [failed('refused')], mayPost, mayAppear: true });
    expect(refused.done).toEqual(['post', 'look after refused']);
  });

  test('behavior: the longer it is waited for, the longer are the pauses', async () => {
    const attempts: number[] = [];
    await submit({ posts: [failed('refused')], voidFromMs: 5_000, onLook: (attempt) => void attempts.push(attempt) });
    expect(attempts).toEqual([0, 4, 5, 6, 7]);
  });

  test('behavior: handed over four times at most', async () => {
    const { done } = await submit({ posts: [] });
    expect(done.filter((each) => each === 'post')).toHaveLength(4);
  });

  test('error: what never left moved nothing', async () => {
    expect((await submit({ posts: Array.from({ length: 4 }, () => failed('unsent')) })).result).toBe('unsent');
    expect((await submit({ posts: [failed('withheld')] })).done).toEqual(['post']);
    const mixed = await submit({ posts: [failed('unsent'), failed('lost'), failed('unsent'), failed('unsent')] });
    expect(mixed.result).toBe('unknown after unsent');
  });

  test('error: what is withheld after a lost answer is no end', async () => {
    const { result } = await submit({ posts: [failed('lost'), failed('withheld'), 'taken'] });
    expect(result).toBe('by its answer');
  });

  test('error: what ends a run, and Ctrl-C, which leaves it unknown', async () => {
    expect((await submit({ posts: [new Error('further steps')] })).result).toBe('further steps');
    const onPost = () => {};
    expect((await submit({ posts: [new Error('aborted')], onPost })).result).toBe('unknown after undefined');
    expect((await submit({ posts: [failed('lost')], onPost })).result).toBe('unknown after undefined');
  });
});

describe('verdictOf', () => {
  const of = (code: Code, httpStatus?: number) => Submission.verdictOf(new BaseError(code, 'said', { httpStatus }));

  test('default: only a clear refusal is one', () => {
    expect(of('service.refused', 400)).toBe('refused');
    expect(of('service.rate-limited', 429)).toBe('busy');
    expect(of('service.rate-limited')).toBe('withheld');
    for (const code of ['service.unreachable', 'service.timeout', 'service.unavailable', 'service.malformed'] as const)
      expect(of(code)).toBe('lost');
    expect(Submission.verdictOf(Object.assign(new BaseError('service.unreachable', 'said'), { arrived: 'no' }))).toBe(
      'unsent',
    );
  });
});
