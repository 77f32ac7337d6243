/**
 * Several real processes on one account: each signs with a nonce of its own, and a killed one is in nobody's way.
 * Where a process is not the point, two commands run in this one.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type Ended, type Running, useFerry } from '../support/builtFerry.js';
import { assertEvents } from '../support/events.js';
import { addFault, clearFaults } from '../support/faults.js';
import { type Ended as EndedHere, type Envelope, ferry, type Surroundings } from '../support/ferry.js';
import { useSandbox } from '../support/sandbox.js';

const built = useFerry();
const { sandbox, env } = useSandbox();
afterEach(() => clearFaults(sandbox));

const lines = ({ stdout }: Pick<Ended, 'stdout'>): Envelope[] =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

const noncesOf = (ended: Pick<Ended, 'stdout'>): number[] =>
  lines(ended).flatMap(({ type, nonce }) => (type === 'signed' ? nonce : []));

/** Runs a command in this process, in the same state directory. */
const here = (args: readonly string[], how: Surroundings = {}): Promise<EndedHere> =>
  ferry(args, { ...how, env: { FERRY_STATE_DIR: built.stateDir, ...env, ...how.env } });

const execute = (...intent: string[]): string[] => ['execute', ...intent, '--again', '--yes', '--json'];

/** Starts one and resolves, while it runs on, when its output holds a text. */
async function startUntil(args: readonly string[], text: string): Promise<Running> {
  const running = built.start(args, env);
  await expect.poll(() => running.seen.stdout, { timeout: 60_000, interval: 10 }).toContain(text);
  return running;
}

const locks = (): string[] => {
  const folder = join(built.stateDir, 'locks');
  // Besides those of runs and the sockets of their holders.
  return existsSync(folder) ? readdirSync(folder).filter((name) => /^\d+-0x/.test(name)) : [];
};

describe('own gas', () => {
  test('default: two started together have distinct nonces and both succeed', async () => {
    // Of one token, so that an allowance of one is what the other would find.
    const ends = await Promise.all(
      ['1', '101.5'].map((amount) => built.run(execute(amount, 'alpha/usdc', 'beta/usdc'), env)),
    );
    expect(ends.map(({ code, stdout }) => [code, code === 0 ? '' : stdout.split('\n').at(-2)])).toEqual([
      [0, ''],
      [0, ''],
    ]);
    const seen = ends.flatMap(noncesOf);
    expect(seen.length).toBeGreaterThanOrEqual(2);
    expect(new Set(seen).size).toBe(seen.length);
    expect(locks()).toEqual([]);
  });

  test('behavior: the next one waits visibly for the owner, and goes on when that is killed with the lock', async () => {
    await addFault(sandbox, 'service', { kind: 'delay', delayMs: 60_000, match: { path: '/transactions/index' } });
    const owner = await startUntil(execute('3', 'alpha/usdc', 'beta/usdc'), '"action":"deposit","summary":"Deposit');
    expect(locks()).toHaveLength(1);
    const next = await startUntil(execute('4', 'alpha/usdc', 'beta/usdc'), 'is using 0x');
    expect(next.seen.stdout).toContain(`another ferry process (${owner.child.pid}) is using 0x`);
    expect(next.seen.stdout).not.toContain('"type":"signed"');
    // Who waits too long has signed nothing.
    const late = await here([...execute('5', 'alpha/usdc', 'beta/usdc'), '--timeout', '1m'], { pace: 100 });
    expect([late.code, late.json().error]).toMatchObject([
      3,
      { code: 'submit.busy', funds: 'untouched', retryable: true },
    ]);
    expect(noncesOf(late)).toEqual([]);
    owner.child.kill('SIGKILL');
    const { code, stdout } = await next.ended;
    expect([code, stdout.includes('ferry.error/1')]).toEqual([0, false]);
    assertEvents(stdout);
    const nonces = [owner.seen.stdout, stdout].flatMap((seen) =>
      [...seen.matchAll(/"nonce":(\d+)/g)].map(([, n]) => Number(n)),
    );
    expect(new Set(nonces).size).toBe(nonces.length);
    expect(locks()).toEqual([]);
  }, 60_000);

  test('behavior: Ctrl-C gives the lock up, of the owner and of who waits', async () => {
    await addFault(sandbox, 'service', { kind: 'delay', delayMs: 60_000, match: { path: '/transactions/index' } });
    const owner = await startUntil(execute('3', 'alpha/usdc', 'beta/usdc'), '"action":"deposit","summary":"Deposit');
    const next = await startUntil(execute('4', 'alpha/usdc', 'beta/usdc'), 'is using 0x');
    for (const { child, ended } of [next, owner]) {
      child.kill('SIGINT');
      expect(await ended).toMatchObject({ signal: 'SIGINT', stdout: expect.stringContaining('ferry.error/1') });
      assertEvents((await ended).stdout);
    }
    expect(next.seen.stdout).toContain('"funds":"untouched"');
    expect(locks()).toEqual([]);
  }, 60_000);
});
