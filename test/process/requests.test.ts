/**
 * A long list in a real process: as much memory for ten times as many requests, whoever reads it.
 */
import { spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as RecordV3 from '../../src/sandbox/ledger/RecordV3.js';
import { type BuiltFerry, buildFerry } from '../support/builtFerry.js';
import { add, deposited, filled, ledgerAt, refunded } from '../support/entries.js';
import { assertEvents } from '../support/events.js';
import * as Loopback from '../support/loopback.js';

const many = 2_500;
let built: BuiltFerry;
/** What the sandbox tells of a delivered and of a refunded request. */
let records: readonly RecordV3.Record[];

beforeAll(async () => {
  built = await buildFerry();
  const ledger = ledgerAt(1_790_000_000_000);
  const entries = [await add(ledger), await add(ledger, { from: 'alpha/eth', amount: 10n ** 17n })];
  records = entries.map((entry, index) => {
    const { requestId } = ledger.update(entry.order.requestId, deposited(entry)).order;
    const end = index === 0 ? filled(entry, 99_000_000n) : refunded(entry, entry.order.origin.amount - 1n);
    return RecordV3.from(ledger.update(requestId, end), { isAuthenticated: false });
  });
}, 120_000);
afterAll(() => built.remove());

/** A service with so many requests. A page may be left without an answer; none is by default. */
function serviceOf(total: number, answers: (page: number) => boolean = () => true): Promise<Loopback.Loopback> {
  let pages = 0;
  return Loopback.loopback((response, request) => {
    if (!answers(pages++)) return;
    const query = new URL(request.path, 'http://localhost').searchParams;
    const start = Number(query.get('continuation') ?? 0);
    const end = Math.min(start + Number(query.get('limit')), total);
    const requests = Array.from({ length: end - start }, (_, i) => ({
      ...records[(start + i) % records.length],
      id: `0x${String(start + i).padStart(64, '0')}`,
    }));
    Loopback.json({ requests, ...(end < total && { continuation: String(end) }) })(response, request);
  });
}

type Run = {
  code: number | null;
  signal: NodeJS.Signals | null;
  lines: number;
  bytes: number;
  last: string;
  stderr: string;
};

const list = ['requests', 'list', '--all', '--all-users'];

/** The arguments and the environment of a list. */
function started(url: string, more: readonly string[], megabytes?: number) {
  const limit =
    megabytes === undefined ? {} : { NODE_OPTIONS: `--max-old-space-size=${megabytes} --max-semi-space-size=2` };
  // Node otherwise ends a process whose collector, with little left, had to wait for its helpers on a busy machine.
  const steady = ['--no-detect-ineffective-gcs-near-heap-limit', '--single-threaded-gc'];
  return { args: [...steady, built.path, ...list, ...more], env: { ...built.env, ...limit, FERRY_BASE_URL: url } };
}

/** What comes of a process, read as it comes and not kept. */
function watch(child: ReturnType<typeof spawn>): Promise<Run> {
  const seen = { lines: 0, bytes: 0, last: '', stderr: '' };
  let rest = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    seen.stderr += text;
  });
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    seen.lines += lines.length;
    seen.bytes += text.length;
    seen.last = lines.at(-1) ?? seen.last;
    // The first pages stand for all: every line of the list has one shape.
    if (seen.lines < 500) assertEvents(`${lines.join('\n')}\n`);
  });
  return new Promise((resolve) => child.once('close', (code, signal) => resolve({ ...seen, code, signal })));
}

function run(url: string, megabytes: number, more: readonly string[]): Promise<Run> {
  const { args, env } = started(url, more, megabytes);
  return watch(spawn(process.execPath, args, { env: env as NodeJS.ProcessEnv, stdio: ['ignore', 'pipe', 'pipe'] }));
}

/** Megabytes. */
const step = 2;

/** The least megabytes, in steps, with which a tenth of the requests is listed. */
async function leastMegabytes(): Promise<number> {
  const { url } = await serviceOf(many / 10);
  for (let megabytes = 20; megabytes < 64; megabytes += step) {
    const { code, lines } = await run(url, megabytes, ['--json']);
    if (code === 0 && lines === many / 10 + 1) return megabytes;
  }
  throw new Error(`${many / 10} requests do not fit into 64 MB.`);
}

describe('requests list', () => {
  test(`behavior: what suffices for ${many / 10} requests suffices for ${many}`, async () => {
    // At the very least it is the collector's luck that decides, so a little more.
    const megabytes = (await leastMegabytes()) + step;
    const { url, seen } = await serviceOf(many);
    const json = await run(url, megabytes, ['--json']);
    expect(json).toMatchObject({ code: 0, signal: null, lines: many + 1, stderr: '' });
    expect(JSON.parse(json.last)).toMatchObject({ ok: true, data: { listed: many, more: false } });
    // Had the other nine tenths been kept, that little would not have done by far.
    expect(0.9 * json.bytes).toBeGreaterThan(2 * step * 2 ** 20);
    expect(seen).toHaveLength(many / 50);
  }, 120_000);

  test('behavior: no page is asked for that a slow reader has no use for', async () => {
    let bytes = 0;
    const readAt: number[] = [];
    const { url } = await serviceOf(1_500, () => readAt.push(bytes) > 0);
    const { args, env } = started(url, ['--json']);
    const child = spawn(process.execPath, args, {
      env: env as NodeJS.ProcessEnv,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.on('data', (part: Buffer | string) => {
      bytes += part.length;
      child.stdout.pause();
      setTimeout(() => child.stdout.resume(), 10);
    });
    const read = await watch(child);
    expect(read).toMatchObject({ code: 0, lines: 1_501 });
    expect(JSON.parse(read.last)).toMatchObject({ ok: true, data: { listed: 1_500 } });
    // A pipe and its reader's buffer hold some hundred kilobytes: a few pages.
    const pageBytes = (50 * bytes) / 1_501;
    expect(readAt).toHaveLength(30);
    expect(Math.max(...readAt.map((before, page) => page - before / pageBytes))).toBeLessThan(20);
  });

  test('behavior: a reader that goes away ends it quietly', async () => {
    const { url, seen } = await serviceOf(10_000);
    const { args, env } = started(url, ['--json']);
    const child = spawn(process.execPath, args, { env: env as NodeJS.ProcessEnv, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.once('data', () => child.stdout.destroy());
    expect(await watch(child)).toMatchObject({ code: 0, stderr: '' });
    expect(seen.length).toBeLessThan(20);
  });

  test('error: Ctrl-C midway says how many were listed, and the process dies by it', async () => {
    const { url, seen } = await serviceOf(10_000, (page) => page < 2);
    const { args, env } = started(url, ['--json']);
    const child = spawn(process.execPath, args, { env: env as NodeJS.ProcessEnv, stdio: ['ignore', 'pipe', 'pipe'] });
    const watched = watch(child);
    await expect.poll(() => seen.length, { timeout: 60_000 }).toBe(3);
    child.kill('SIGINT');
    const ended = await watched;
    expect(ended).toMatchObject({ signal: 'SIGINT', lines: 101 });
    expect(JSON.parse(ended.last).error).toMatchObject({ facts: { listed: '100 requests before the error' } });
    expect(ended.stderr).toContain('100 requests before the error');
  });
});
