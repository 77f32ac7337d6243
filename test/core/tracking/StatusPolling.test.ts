import { expect, test } from 'vitest';
import type * as StatusV3 from '../../../src/core/api/StatusV3.js';
import { BaseError } from '../../../src/core/base/Errors.js';
import * as StatusPolling from '../../../src/core/tracking/StatusPolling.js';
import { facts, failure } from '../../support/failures.js';
import { quickClock } from '../../support/quickClock.js';

/** A service that gives these answers, one a question, the last one for ever; and a clock that sleeps at once. */
function ports(answers: readonly (string | BaseError | StatusV3.Response)[], signal?: AbortSignal) {
  let asked = 0;
  const warnings: string[] = [];
  return {
    warnings,
    asked: () => asked,
    service: {
      status: async () => {
        const answer = answers[Math.min(asked++, answers.length - 1)] ?? 'unknown';
        if (answer instanceof BaseError) throw answer;
        return typeof answer === 'string' ? { status: answer, txHashes: ['0xbb'] } : answer;
      },
    },
    ...quickClock(signal),
    warn: (text: string) => void warnings.push(text),
  };
}

async function follow(around: StatusPolling.Ports, timeoutMs = 60_000, limits: Partial<StatusPolling.Limits> = {}) {
  const words: string[] = [];
  const running = StatusPolling.run('0x01', around, { timeoutMs, txHash: '0xaa', ...limits });
  let step = await running.next();
  while (!step.done) {
    words.push(step.value.type === 'status' ? step.value.status : `superseded by ${step.value.by}`);
    step = await running.next();
  }
  return { words, end: step.value.status };
}

test('behavior: a failure that turns into a refund is followed to the refund', async () => {
  const around = ports(['pending', 'failure', 'pending', 'refund']);
  expect(await follow(around)).toEqual({ words: ['pending', 'failure', 'pending', 'refund'], end: 'refund' });
});

test('behavior: a refund ends it once it is sent', async () => {
  const around = ports(['pending', { status: 'refund', txHashes: [] }, { status: 'refund' }, 'refund']);
  expect(await follow(around)).toEqual({ words: ['pending', 'refund', 'refund'], end: 'refund' });
  expect(around.asked()).toBe(4);
});

test('error: a refund that is not sent in time', async () => {
  const error = await failure(follow(ports(['waiting', { status: 'refund', txHashes: [] }])));
  expect(error).toMatchObject({
    code: 'track.unfinished',
    funds: 'in-flight',
    message: 'The service has not sent the refund after 60 s.',
  });
  expect(facts(error).status).toBe('refund: to be refunded, the refund is not sent yet');
});

test('behavior: a failure that stays is final after a grace', async () => {
  const around = ports(['failure']);
  expect((await follow(around)).end).toBe('failure');
  expect(around.asked()).toBeGreaterThan(2);
});

test('behavior: an unknown word is shown and followed until the deadline', async () => {
  const around = ports(['pending', 'marinating']);
  const error = await follow(around, 5_000).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: 'track.unfinished',
    exit: 9,
    funds: 'in-flight',
    next: 'ferry status 0x01 --watch',
    requestId: '0x01',
    txHash: '0xaa',
  });
  expect(around.clock.now()).toBe(5_000);
});

test('behavior: a service that stumbles is asked again, with one warning', async () => {
  const down = new BaseError('service.unreachable', 'Nobody answers.');
  const around = ports(['pending', down, down, down, 'success']);
  expect((await follow(around)).end).toBe('success');
  expect(around.warnings).toEqual(['The status could not be read; ferry keeps trying: Nobody answers.']);
});

test.each([
  ['submitted', ['waiting', 'pending', 'submitted'], 'submitted'],
  ['pending', ['waiting', 'submitted'], 'submitted'],
  ['success', ['waiting', 'refund'], 'refund'],
  ['failure', ['failure'], 'failure'],
  ['refund', ['waiting', 'refunded'], 'refunded'],
])('behavior: until %s of %j ends at %s', async (until, answers, end) => {
  expect((await follow(ports([...answers, 'never asked']), 60_000, { until })).end).toBe(end);
});

test('behavior: whoever waits for a refund waits on after a failure, until the time is up', async () => {
  const refunded = ports(['failure', ...Array(40).fill('failure'), 'pending', 'refund']);
  expect((await follow(refunded, 600_000, { until: 'refund' })).end).toBe('refund');
  const held = ports(['failure']);
  expect((await follow(held, 30_000, { until: 'refund' })).end).toBe('failure');
  expect(held.clock.now()).toBe(30_000);
});

test('behavior: a failure without a refund to come is the end of waiting for one', async () => {
  const around = ports([]);
  const answer = { status: 'failure', refundFailReason: 'AMOUNT_TOO_LOW_TO_REFUND' };
  around.service.status = async () => answer;
  expect((await follow(around, 600_000, { until: 'refund' })).end).toBe('failure');
  expect(around.clock.now()).toBeLessThan(10_000);
});

test('behavior: follows the request that took the place of another', async () => {
  const around = ports(['waiting', 'pending', 'success']);
  const successor = async (id: string) => (id === '0x01' ? '0x02' : undefined);
  const { words, end } = await follow(around, 60_000, { successor });
  expect([words, end]).toEqual([['waiting', 'superseded by 0x02', 'pending', 'success'], 'success']);
});

test('behavior: a successor is asked for at each change and every ten seconds, and not of what is delivered', async () => {
  const around = ports([...Array(30).fill('waiting'), 'success']);
  let asked = 0;
  const successor = async () => {
    asked += 1;
    return undefined;
  };
  await follow(around, 120_000, { intervalMs: 1_000, successor });
  expect(asked).toBe(3);
});

test.each([
  [false, 'untouched'],
  [true, 'in-flight'],
])('error: what waits for its payment, where it is %s that it is paid, is %s', async (isPaid, funds) => {
  const error = await failure(follow(ports(['waiting']), 60_000, { isPaid }));
  expect(error).toMatchObject({ code: 'track.unfinished', funds });
  expect(error.hint?.includes('Do not send it again')).toBe(isPaid);
});

test('error: a time limit of less than a second is said as it was', async () => {
  expect((await failure(follow(ports(['waiting']), 1))).message).toBe('The transfer is still waiting after 1 ms.');
});

test('error: Ctrl-C says where the money is', async () => {
  const interrupt = new AbortController();
  const around = ports(['pending'], interrupt.signal);
  const running = StatusPolling.run('0x01', around, { timeoutMs: 60_000 });
  expect((await running.next()).value).toMatchObject({ status: 'pending' });
  interrupt.abort(new Error('SIGINT'));
  await expect(running.next()).rejects.toMatchObject({ code: 'track.unfinished', funds: 'in-flight' });
});

test('error: Ctrl-C while a question is asked says where the money is', async () => {
  const interrupt = new AbortController();
  const around = ports(['pending'], interrupt.signal);
  const running = StatusPolling.run('0x01', around, { timeoutMs: 60_000, txHash: '0xaa' });
  await running.next();
  around.service.status = async () => {
    interrupt.abort(new BaseError('prompt.declined', 'Stopped by SIGINT.'));
    throw interrupt.signal.reason;
  };
  await expect(running.next()).rejects.toMatchObject({
    code: 'track.unfinished',
    funds: 'in-flight',
    requestId: '0x01',
    txHash: '0xaa',
  });
});

test('error: a service that never answered is not said to know nothing of it', async () => {
  const around = ports([new BaseError('service.unreachable', 'The service does not answer.')]);
  const error = await failure(follow(around));
  expect(error.message).toBe('The service has not said in 60 s what became of the transfer.');
  expect(facts(error)).toEqual({ status: 'the service has not answered' });
  expect(error).toMatchObject({ code: 'track.unfinished', funds: 'unknown' });
});

test('error: what is no error of the service is not swallowed', async () => {
  const around = ports([]);
  around.service.status = () => Promise.reject(new TypeError('bug'));
  await expect(follow(around)).rejects.toThrow(TypeError);
});
