import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { BaseError } from '../../src/core/base/Errors.js';
import type { Envelope } from '../support/ferry.js';
import { ndjson, transfer, useBatches } from '../support/transferBatches.js';

const batches = useBatches();
const argv = ['execute', '--batch', 'batch.ndjson', '--out', 'ledger.ndjson', '--yes', '--json'];
const usdc = 1_000_000n;

/** What dev0 pays while something is done. */
async function paid(act: () => Promise<unknown>): Promise<bigint> {
  const before = await batches.held();
  await act();
  return before - (await batches.held());
}

const summary = (lines: readonly Envelope[]): unknown[] => lines.map(({ id, ok, error }) => [id, ok, error?.code]);

describe('execute --batch', () => {
  test('default: each pays once, its result is a line, and the same again pays nothing', async () => {
    const batch = batches.of([
      transfer('a'),
      transfer('b', { amount: '2' }),
      transfer('c', { gasless: true, account: 'dev9' }),
    ]);
    const moved = await paid(async () => {
      const ended = await batch.run(argv);
      expect([ended.code, ended.stderr]).toEqual([0, '']);
      expect(ended.lines().slice(0, 3)).toEqual(batch.ledger());
      expect(ended.json().data).toMatchObject({ succeeded: 3, failed: 0, out: 'ledger.ndjson', worst: null });
    });
    expect(moved).toBe(3n * usdc);
    expect(batch.ledger().map(({ id, data }) => [id, data.status, data.spent.formatted])).toEqual([
      ['a', 'success', '1'],
      ['b', 'success', '2'],
      ['c', 'success', '1'],
    ]);
    const again = await paid(async () => {
      expect((await batch.run(argv)).json().data).toMatchObject({ succeeded: 0, before: { succeeded: 3, failed: 0 } });
    });
    expect(again).toBe(0n);
  });

  test('behavior: two lines that ask for the same are two payments, also at once', async () => {
    const batch = batches.of([transfer('a'), transfer('b'), transfer('c')]);
    const moved = await paid(() => batch.run([...argv, '--concurrency', '3']));
    expect(moved).toBe(3n * usdc);
    const runs = new Set(batch.ledger().map(({ data }) => data.run));
    expect([runs.size, summary(batch.ledger())]).toEqual([
      3,
      [
        ['a', true, undefined],
        ['b', true, undefined],
        ['c', true, undefined],
      ],
    ]);
  });

  test('behavior: a result that the ledger lost is found in the journal, and nothing is paid again', async () => {
    const batch = batches.of([transfer('a'), transfer('b')]);
    await batch.run(argv);
    const before = batch.ledger();
    const text = readFileSync(batch.ledgerPath, 'utf8');
    writeFileSync(batch.ledgerPath, text.slice(0, text.indexOf('\n') + 20));
    const moved = await paid(async () => {
      const ended = await batch.run(argv);
      expect(ended.json().warnings).toEqual([expect.stringContaining('The last line of the ledger was incomplete')]);
    });
    expect(moved).toBe(0n);
    expect(batch.ledger().map(({ id, data }) => [id, data.run, data.requestId])).toEqual(
      before.map(({ id, data }) => [id, data.run, data.requestId]),
    );
    rmSync(batch.ledgerPath);
    expect(await paid(() => batch.run(argv))).toBe(0n);
    expect(batch.ledger()).toHaveLength(2);
    // Whoever wants it all once more says so.
    rmSync(batch.ledgerPath);
    expect(await paid(() => batch.run([...argv, '--again']))).toBe(2n * usdc);
  });

  test('behavior: interrupted, it names the run under way; the same command finishes it and does the rest', async () => {
    await batches.fault('service', { kind: 'solver', does: 'stuck' });
    const batch = batches.of([transfer('a'), transfer('b')]);
    const interrupt = new AbortController();
    const moved = await paid(async () => {
      setTimeout(() => interrupt.abort(new BaseError('prompt.declined', 'Stopped by SIGINT.')), 900);
      const ended = await batch.run(argv, { signal: interrupt.signal });
      const { error } = ended.json();
      expect(error).toMatchObject({ code: 'prompt.declined', facts: { done: '0' }, funds: 'in-flight' });
      expect(error.facts['in progress']).toMatch(/^\d{8}-\d{6}-[0-9a-f]{6}$/);
      expect(batch.ledger()).toEqual([]);
      await batches.clearFaults();
      expect((await batch.run(argv)).code).toBe(0);
      expect(batch.ledger()[0]?.data.run).toBe(error.facts['in progress']);
    });
    expect(moved).toBe(2n * usdc);
  });

  test('behavior: what fails is a result; it is not tried again, and the exit code stays', async () => {
    const batch = batches.of([
      transfer('a', { maxFeeUsd: '0.000001' }),
      transfer('b', { amount: '99999999999' }),
      transfer('c'),
    ]);
    const moved = await paid(async () => {
      const ended = await batch.run(argv);
      expect(summary(batch.ledger())).toEqual([
        ['a', false, 'verify.cap'],
        ['b', false, expect.any(String)],
        ['c', true, undefined],
      ]);
      expect(batch.ledger().map(({ error }) => error?.funds)).toEqual(['untouched', 'untouched', undefined]);
      expect(ended.code).toBe((await batch.run(argv)).code);
      expect(ended.code).not.toBe(0);
    });
    expect(moved).toBe(usdc);
  });

  test('behavior: --retry-failed does again what failed with nothing moved, and nothing else', async () => {
    const batch = batches.of([transfer('a'), transfer('b'), transfer('c')]);
    await batches.fault('service', { kind: 'status', status: 503, match: { path: '/quote' }, times: 3 });
    await batches.fault('service', { kind: 'solver', does: 'refund', times: 1 });
    expect((await batch.run(argv)).code).toBe(7);
    expect(summary(batch.ledger())).toEqual([
      ['a', false, 'service.unavailable'],
      ['b', false, 'track.refunded'],
      ['c', true, undefined],
    ]);
    const moved = await paid(async () => {
      const ended = await batch.run([...argv, '--retry-failed']);
      expect(ended.json().data).toMatchObject({ succeeded: 1, failed: 0, before: { succeeded: 1, failed: 1 } });
    });
    expect(moved).toBe(usdc);
    expect(summary(batch.ledger())).toEqual([
      ['b', false, 'track.refunded'],
      ['c', true, undefined],
      ['a', true, undefined],
    ]);
  });

  test('behavior: a refund is told as one, and after the ledger was lost too', async () => {
    await batches.fault('service', { kind: 'solver', does: 'refund', times: 1 });
    const batch = batches.of([transfer('a')]);
    expect((await batch.run(argv)).code).toBe(7);
    expect(batch.ledger()[0]?.error).toMatchObject({ code: 'track.refunded', funds: 'returned' });
    rmSync(batch.ledgerPath);
    expect((await batch.run(argv)).code).toBe(7);
    expect(batch.ledger()[0]?.error).toMatchObject({ code: 'track.refunded', funds: 'returned' });
  });

  test('behavior: the journal says which batch goes on', async () => {
    const batch = batches.of([transfer('a')]);
    await batch.run(argv);
    const [{ run, command }] = (await batch.run(['runs', 'list', '--json'])).json().data.runs;
    expect([run, command]).toEqual([
      batch.ledger()[0]?.data.run,
      'ferry execute --batch batch.ndjson --out ledger.ndjson',
    ]);
  });

  test('error: another transfer under an id that was begun is refused before anything is done', async () => {
    const batch = batches.of([transfer('a')]);
    await batch.run(argv);
    batch.write([transfer('b'), transfer('a', { amount: '2' })]);
    const moved = await paid(async () => {
      expect((await batch.run(argv)).json().error.code).toBe('batch.ledger');
      rmSync(batch.ledgerPath);
      expect((await batch.run(argv)).json().error.code).toBe('batch.ledger');
    });
    expect([moved, batch.ledger()]).toEqual([0n, []]);
  });

  test('error: without a ledger, or without a yes', async () => {
    const batch = batches.of([transfer('a'), transfer('b', { amount: '2.5' })]);
    const bare = await batch.run(['execute', '--batch', 'batch.ndjson', '--yes', '--json']);
    expect(bare.json().error).toMatchObject({
      code: 'usage.missing',
      next: 'ferry execute --batch batch.ndjson --out results.ndjson',
    });
    const unasked = await batch.run(argv.filter((each) => each !== '--yes'));
    expect(unasked.json().error).toMatchObject({
      code: 'usage.confirmation',
      facts: { question: 'Execute 2 transfers, which pay 3.5 alpha/usdc, from batch.ndjson?' },
    });
    const piped = await batch.run(['execute', '--batch', '-', '--out', 'ledger.ndjson', '--json'], {
      stdin: ndjson([transfer('a')]),
    });
    expect(piped.json().error.facts.question).toBe('Execute every transfer from standard input?');
    expect(batch.ledger()).toEqual([]);
  });

  test('error: a batch of a dry run is none', async () => {
    const ended = await batches.of([transfer('a')]).run([...argv, '--dry-run']);
    expect([ended.code, ended.json().error.code]).toEqual([2, 'usage.invalid']);
  });
});
