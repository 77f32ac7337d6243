import { describe, expect, test } from 'vitest';
import { BaseError } from '../../../src/core/base/Errors.js';
import * as ServiceWatch from '../../../src/core/batch/ServiceWatch.js';
import { addFault, clearFaults } from '../../support/faults.js';
import { useSandbox } from '../../support/sandbox.js';
import { transferOn } from '../../support/transfer.js';

const { sandbox } = useSandbox();

const unknown = `0x${'1'.repeat(64)}`;

function watchOn({ timeoutMs = 20_000 } = {}) {
  const { service, clock, signal } = transferOn(sandbox).ports;
  const told: string[] = [];
  const watch = ServiceWatch.create({
    clock,
    signal,
    timeoutMs,
    lost: ({ code }) => void told.push(code),
    back: () => void told.push('back'),
  });
  return { watch, service, watched: watch.watched(service), told };
}

const down = (path?: string) =>
  addFault(sandbox, 'service', { kind: 'status', status: 503, times: 0, match: path === undefined ? {} : { path } });

describe('create', () => {
  test('default: a service that stops answering is told once, and when it is back', async () => {
    const { watch, service, watched, told } = watchOn();
    await watched.chains();
    await down();
    await expect(watched.status(unknown)).rejects.toMatchObject({ code: 'service.unavailable' });
    const outage = watch.outage(service);
    await expect.poll(() => told).toEqual(['service.unavailable']);
    await clearFaults(sandbox);
    expect([await outage, told]).toEqual(['over', ['service.unavailable', 'back']]);
    watch.close();
  }, 20_000);

  test('behavior: an answer to anybody ends the outage at once', async () => {
    const { watch, watched, told } = watchOn();
    await watched.chains();
    await down();
    await expect(watched.status(unknown)).rejects.toThrow();
    await expect.poll(() => told, { interval: 5 }).toEqual(['service.unavailable']);
    await clearFaults(sandbox);
    await watched.chains();
    expect(told).toEqual(['service.unavailable', 'back']);
    watch.close();
  });

  test('behavior: one request without an answer is no outage', async () => {
    const { watch, service, watched, told } = watchOn();
    await down('/intents');
    await expect(watched.status(unknown)).rejects.toThrow();
    expect([await watch.outage(service), told]).toEqual(['alive', []]);
    watch.close();
  });

  test('behavior: a service that answers after more than the limit has not stopped answering', async () => {
    const { watch, service, watched, told } = watchOn({ timeoutMs: 10 });
    await watched.chains();
    await addFault(sandbox, 'service', { kind: 'delay', delayMs: 200, times: 0 });
    expect([await watch.outage(service), told]).toEqual(['alive', []]);
    watch.close();
  });

  test('behavior: it waits no longer than the limit, and not at all for a service that never answered', async () => {
    const late = watchOn({ timeoutMs: 100 });
    await late.watched.chains();
    const silent = watchOn();
    await down();
    await expect(late.watched.status(unknown)).rejects.toThrow();
    expect(await late.watch.outage(late.service)).toBe('lost');
    expect([await silent.watch.outage(silent.service), silent.told]).toEqual(['lost', []]);
    late.watch.close();
    silent.watch.close();
  }, 20_000);
});

test.each<[BaseError | Error, boolean]>([
  [new BaseError('service.unreachable', 'x'), true],
  [new BaseError('service.timeout', 'x'), true],
  [new BaseError('service.unavailable', 'x', { httpStatus: 503 }), true],
  [new BaseError('service.unavailable', 'x', { httpStatus: 500 }), false],
  [new BaseError('service.refused', 'x', { httpStatus: 400 }), false],
  [new Error('x'), false],
])('isSilence: %s', (error, expected) => {
  expect(ServiceWatch.isSilence(error)).toBe(expected);
});
