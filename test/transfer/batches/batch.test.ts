import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { BaseError } from '../../../src/core/base/Errors.js';
import { network } from '../../../src/core/network/sandbox.js';
import { currencyReader } from '../../../src/transfer/batches/batch.js';
import { barrierBefore } from '../../support/barrier.js';
import type { Envelope } from '../../support/ferry.js';
import type { ReceivedRequest } from '../../support/loopback.js';
import { ndjson, transfer, useBatches } from '../../support/transferBatches.js';

const batches = useBatches();

/** An amount that the service refuses: no mistake that is known without it. */
const dust = { amount: '0.000001' };

const ids = (lines: readonly Envelope[]): string[] => lines.map(({ id }) => id);

describe('currencies of lines', () => {
  const address = '0x00000000000000000000000000000000c0ffee21';

  test('default: each is read once, and again only where that failed', async () => {
    let asked = 0;
    const token = async () => {
      asked++;
      if (asked === 1) throw new BaseError('chain.unreachable', 'No answer.');
      return { address, symbol: 'CAFE', name: 'Cafe', decimals: 18 };
    };
    const read = currencyReader({ network, chain: async () => ({ token }) } as never);
    await expect(read(`alpha/${address}`)).rejects.toMatchObject({ code: 'chain.unreachable' });
    await expect(read(`alpha/${address}`)).resolves.toMatchObject({ token: { symbol: 'CAFE' } });
    await read(`alpha/${address}`);
    expect(asked).toBe(2);
  });
});

describe('quote --batch', () => {
  test('default: a line each, in their order, and the totals', async () => {
    const batch = batches.of([transfer('a'), transfer('b', { amount: '2', to: 'beta/eth' }), transfer('c')]);
    const ended = await batch.run(['quote', '--batch', 'batch.ndjson', '--json']);
    const [first, second, third, totals] = ended.lines();
    expect([ended.code, ended.stderr, ended.lines()]).toEqual([0, '', expect.objectContaining({ length: 4 })]);
    expect(ids([first, second, third] as Envelope[])).toEqual(['a', 'b', 'c']);
    expect(second).toMatchObject({
      ...{ schema: 'ferry.event/1', type: 'result', network: 'sandbox', command: 'quote', ok: true, error: null },
      data: { intent: { amount: '2000000' }, receive: { currency: 'beta/eth' } },
    });
    const data = { batch: 'batch.ndjson', out: null, succeeded: 3, failed: 0, worst: null };
    expect(totals).toMatchObject({ schema: 'ferry.quote/1', ok: true, data });
  });

  test('default: as text, a line each', async () => {
    const ended = await batches.of([transfer('a'), transfer('b', dust)]).run(['quote', '--batch', 'batch.ndjson']);
    expect(ended.stdout).toMatch(
      /^✓ a {2}1 alpha\/usdc → 0\.\d+ beta\/usdc\n✗ b {2}service\.refused {2}.*\n1 succeeded, 1 failed in \d+\.\d s\n$/,
    );
    expect(ended.code).toBe(3);
  });

  test('default: from standard input, with the options of the line above those of the batch', async () => {
    const batch = batches.of([]);
    const stdin = ndjson([transfer('a'), transfer('b', { slippage: 3 })]);
    const argv = ['quote', '--batch', '-', '--slippage', '0.5', '--json', '--fields', 'slippageBps'];
    const [a, b] = (await batch.run(argv, { stdin })).lines();
    expect(a).toMatchObject({ id: 'a', data: { slippageBps: 50 } });
    expect(b).toMatchObject({ id: 'b', data: { slippageBps: 300 } });
  });

  test('behavior: --unordered gives what is had first, and each once', async () => {
    const batch = batches.of([transfer('a', { amount: '2' }), ...['b', 'c', 'd'].map((id) => transfer(id))]);
    const argv = ['quote', '--batch', 'batch.ndjson', '--json', '--fields', 'requestId'];
    const isFirst = ({ path, body }: ReceivedRequest) => path.startsWith('/quote') && body.includes('"2000000"');
    const barrier = await barrierBefore(batches.sandbox.baseUrl, isFirst);
    const heard = (said: string) => {
      if (said.split('\n').length > 3) barrier.open();
    };
    const ended = await batch.run([...argv, '--unordered'], { env: { FERRY_BASE_URL: barrier.url }, heard });
    const found = ids(ended.lines().slice(0, 4));
    expect(found.at(-1)).toBe('a');
    expect(found.toSorted()).toEqual(['a', 'b', 'c', 'd']);
    await batches.fault('service', { kind: 'delay', delayMs: 400, match: { path: '/quote' }, times: 1 });
    expect(ids((await batch.run(argv)).lines().slice(0, 4))).toEqual(['a', 'b', 'c', 'd']);
  });

  test('behavior: the ledger is continued: each id once, and its failures still count', async () => {
    const batch = batches.of([transfer('a'), transfer('b', dust)]);
    const argv = ['quote', '--batch', 'batch.ndjson', '--out', 'ledger.ndjson'];
    expect((await batch.run(argv)).code).toBe(3);
    const before = readFileSync(batch.ledgerPath);
    // The last line is torn, and one comes in front of all.
    writeFileSync(batch.ledgerPath, before.subarray(0, -7));
    batch.write([transfer('z'), transfer('a'), transfer('b', dust)]);
    const ended = await batch.run(argv);
    expect(ended.stdout).toMatch(
      /^1 succeeded, 1 failed, 1 before in \d+\.\d s\nTheir results are in ledger\.ndjson\.\n$/,
    );
    expect(ids(batch.ledger())).toEqual(['a', 'z', 'b']);
    const again = { succeeded: 0, failed: 0, before: { succeeded: 2, failed: 1 }, worst: 'service.refused' };
    expect((await batch.run([...argv, '--json'])).json().data).toMatchObject(again);
  });

  test.each([
    ['a transfer beside it', ['1', 'alpha/usdc', 'beta/usdc', '--batch', 'batch.ndjson'], 'usage.invalid'],
    ['--output', ['--batch', 'batch.ndjson', '--output', 'x'], 'usage.invalid'],
    ['--rate without it', ['1', 'alpha/usdc', 'beta/usdc', '--rate', '1'], 'usage.invalid'],
    ['an impossible pace', ['--batch', 'batch.ndjson', '--concurrency', '0'], 'usage.invalid'],
    ['no file', ['--batch', 'missing.ndjson'], 'batch.unreadable'],
    ['an unknown field', ['--batch', 'batch.ndjson', '--fields', 'minimun'], 'usage.invalid'],
  ])('error: %s', async (_, argv, code) => {
    const ended = await batches.of([transfer('a')]).run(['quote', ...argv, '--json']);
    expect([ended.code, ended.json().error?.code, ended.lines().length]).toEqual([2, code, 1]);
  });

  test('error: mistakes are found in the whole file before the first quote, and reported together', async () => {
    const unknown = Array.from({ length: 11 }, (_, index) => transfer(`u${index}`, { to: 'beta/nothing' }));
    const batch = batches.of([transfer('a'), { ...transfer('b'), amount: 1 }, transfer('a'), ...unknown]);
    const { error } = (
      await batch.run(['quote', '--batch', 'batch.ndjson', '--out', 'ledger.ndjson', '--json'])
    ).json();
    const message = '13 lines of the batch are not valid transfers.';
    expect(error).toMatchObject({ code: 'batch.unreadable', message });
    const facts = Object.entries(error.facts);
    expect([facts.length, facts.at(-1)]).toEqual([11, ['and', '3 more']]);
    expect(facts.slice(0, 3)).toEqual([
      ['line 2', 'amount: expected a string'],
      ['line 3', 'has the same id "a" as line 1.'],
      ['line 4', '"u0": Unknown token "nothing" on beta.'],
    ]);
    expect(batch.ledger()).toEqual([]);
  });

  test('error: standard input with a mistake ends there, and what was begun is in the ledger', async () => {
    const batch = batches.of([]);
    const stdin = `${ndjson([transfer('a'), transfer('b')])}{"id":\n${ndjson([transfer('c')])}`;
    const ended = await batch.run(['quote', '--batch', '-', '--out', 'ledger.ndjson', '--json'], { stdin });
    expect([ended.code, ended.json().error.message]).toEqual([2, expect.stringContaining('Line 3 of the batch')]);
    expect(ids(batch.ledger())).toEqual(['a', 'b']);
    batch.write(['a', 'b', 'c'].map((id) => transfer(id)));
    await batch.run(['quote', '--batch', 'batch.ndjson', '--out', 'ledger.ndjson']);
    expect(ids(batch.ledger()).toSorted()).toEqual(['a', 'b', 'c']);
  });

  test('error: Ctrl-C says what is done, and the same command goes on', async () => {
    const lines = Array.from({ length: 10 }, (_, index) => transfer(String(index)));
    const batch = batches.of(lines);
    const argv = ['quote', '--batch', 'batch.ndjson', '--out', 'ledger.ndjson', '--json', '--fields', 'requestId'];
    // The fifth quote never comes.
    await batches.fault('service', { kind: 'delay', delayMs: 5_000, match: { path: '/quote' }, after: 4 });
    const interrupt = new AbortController();
    const heard = () => {
      if (batch.ledger().length === 4) interrupt.abort(new BaseError('run.stopped', 'Stopped by SIGINT.'));
    };
    const ended = await batch.run([...argv, '--concurrency', '1'], { signal: interrupt.signal, heard });
    const next = 'ferry quote --batch batch.ndjson --out ledger.ndjson --concurrency 1';
    expect(ended.json().error).toMatchObject({ code: 'run.stopped', funds: 'untouched', facts: { done: '4' }, next });
    expect(batch.ledger()).toHaveLength(4);
    await batches.clearFaults();
    expect((await batch.run(argv)).code).toBe(0);
    expect(ids(batch.ledger())).toEqual(lines.map(({ id }) => id));
  });
});
