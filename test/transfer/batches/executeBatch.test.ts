import { existsSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BaseError } from '../../../src/core/base/Errors.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { type Envelope, once, temporaryFolder } from '../../support/ferry.js';
import { type Batch, ndjson, transfer, useBatches, type Written } from '../../support/transferBatches.js';

const batches = useBatches();

/** The service fills nothing that dev1 has paid. */
const heldUp = { kind: 'solver', does: 'stuck', match: { user: accounts.dev1.address } } as const;
const argv = ['execute', '--batch', 'batch.ndjson', '--out', 'ledger.ndjson', '--yes', '--json'];
const usdc = 1_000_000n;
const dev0 = accounts.dev0.address;

/** What dev0 pays while something is done. */
async function paid(act: () => Promise<unknown>): Promise<bigint> {
  const before = await batches.held();
  await act();
  return before - (await batches.held());
}

/** Whether a journal of the batch contains a text. */
function isJournaled(batch: Batch, text: string): boolean {
  const folder = join(batch.folder, 'state', 'runs');
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.jsonl')) : [];
  return names.some((name) => readFileSync(join(folder, name), 'utf8').includes(text));
}

/** Runs a batch and interrupts it once a journal contains a text. */
async function interrupted(batch: Batch, text: string, ...more: string[]): Promise<Envelope> {
  const interrupt = new AbortController();
  const running = batch.run([...argv, ...more], { signal: interrupt.signal });
  await expect.poll(() => isJournaled(batch, text), { interval: 2 }).toBe(true);
  interrupt.abort(new BaseError('run.stopped', 'Stopped by SIGTERM.'));
  const ended = await running;
  expect(ended.json().error).toMatchObject({ code: 'run.stopped' });
  expect(batch.ledger()).toEqual([]);
  return ended.json();
}

/** The service answers nothing any more, on some paths only after some requests. */
async function silence(after: Readonly<Record<string, number>> = {}): Promise<void> {
  for (const path of ['/quote', '/intents', '/transactions', '/chains'])
    await batches.fault('service', { kind: 'status', status: 503, times: 0, after: after[path] ?? 0, match: { path } });
}

type Lasted = { user: string; from: number; to: number; nonces: number[] };

/** When each paid line began and ended by its journal, and the nonces that were signed for it, in the order of the ledger. */
function timesOf(batch: Batch): Lasted[] {
  return batch.ledger().map(({ data }) => {
    const text = readFileSync(join(batch.folder, 'state', 'runs', `${data.run}.jsonl`), 'utf8');
    const lines: { at: number; entry: { type: string; nonce: number } }[] = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const nonces = lines.flatMap(({ entry }) => (entry.type === 'signed' ? [entry.nonce] : []));
    return { user: data.user.toLowerCase(), from: lines[0]?.at ?? 0, to: lines.at(-1)?.at ?? 0, nonces };
  });
}

const summary = (lines: readonly Envelope[]): unknown[] => lines.map(({ id, ok, error }) => [id, ok, error?.code]);
const succeeded = (...ids: string[]): unknown[] => ids.map((id) => [id, true, undefined]);

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

  test('behavior: the lines that were confirmed are paid, whatever has become of the file since', async () => {
    const batch = batches.of([transfer('a')]);
    let asked = '';
    const moved = await paid(() =>
      batch.run(['execute', '--batch', 'batch.ndjson', '--out', 'ledger.ndjson'], {
        terminals: { stdin: true, stdout: true, stderr: true },
        answer: (question) => {
          asked = question;
          batch.write([transfer('a', { amount: '7' }), transfer('b')]);
          return 'yes';
        },
      }),
    );
    expect(asked).toContain('execute 1 transfer, which pays 1 alpha/usdc, from');
    expect([moved, summary(batch.ledger())]).toEqual([usdc, succeeded('a')]);
  });

  test('behavior: accounts pay at the same time, each its own lines one after the other, results in order', async () => {
    // In blocks, as a list that was sorted by account.
    const lines = ['dev1', 'dev2'].flatMap((account) =>
      ['a', 'b'].map((id) => transfer(`${account}-${id}`, { account })),
    );
    const batch = batches.of(lines);
    const ended = await batch.run(argv);
    expect(summary(batch.ledger())).toEqual(succeeded(...lines.map(({ id }) => String(id))));
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    const times = timesOf(batch);
    for (const each of times) {
      const others = times.filter((other) => other !== each && other.from < each.to && each.from < other.to);
      expect(others.filter(({ user }) => user === each.user)).toEqual([]);
    }
    const firsts = times.filter((_, index) => index % 2 === 0);
    expect(Math.max(...firsts.map(({ from }) => from))).toBeLessThan(Math.min(...firsts.map(({ to }) => to)));
    const { facts } = (await batches.of(lines).run(argv.filter((each) => each !== '--yes'))).json().error;
    expect(facts.question).toContain('4 transfers, which pay 4 alpha/usdc, by 2 accounts, 2 at a time, from');
  });

  test('behavior: one account under two names never uses a nonce twice, whatever --concurrency is', async () => {
    const names = ['dev0', dev0, dev0.toLowerCase(), 'dev1'];
    const batch = batches.of(names.map((account, index) => transfer(`${index}`, { account })));
    const codes: number[] = [];
    const moved = await paid(async () => codes.push((await batch.run([...argv, '--concurrency', '8'])).code));
    expect([moved, summary(batch.ledger())]).toEqual([3n * usdc, succeeded('0', '1', '2', '3')]);
    expect(codes).toEqual([0]);
    const signed = timesOf(batch).flatMap(({ user, nonces }) => nonces.map((nonce) => `${user} ${nonce}`));
    expect(signed.length).toBeGreaterThanOrEqual(4);
    expect(new Set(signed).size).toBe(signed.length);
  });

  test('behavior: an account that is paid by another line waits for that line, as it stands in the file', async () => {
    const { dev7, dev8 } = accounts;
    const batch = batches.of([
      transfer('out', { account: 'dev7', recipient: dev8.address }),
      transfer('on', { account: 'dev8', from: 'beta/usdc', to: 'alpha/usdc', recipient: dev7.address }),
      transfer('other', { account: 'dev6' }),
    ]);
    expect((await batch.run(argv)).code).toBe(0);
    const [out, on, other] = timesOf(batch);
    expect(on?.from).toBeGreaterThanOrEqual(out?.to ?? Number.POSITIVE_INFINITY);
    expect(other?.from).toBeLessThan(out?.to ?? 0);
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

  test('behavior: what was paid is not paid again if the ledger is named by another path', async () => {
    await batches.fault('service', heldUp);
    const batch = batches.of([transfer('slow', { account: 'dev1' }), transfer('a')]);
    const link = join(temporaryFolder(), 'link');
    symlinkSync(batch.folder, link);
    const moved = await paid(async () => {
      await interrupted(batch, '"type":"outcome"');
      await batches.clearFaults();
      const other = argv.map((each) => (each === 'ledger.ndjson' ? join(link, each) : each));
      await batch.run(other);
    });
    expect([moved, summary(batch.ledger())]).toEqual([usdc, succeeded('slow', 'a')]);
  });

  test('behavior: what was paid is not paid again if a power failure has taken the end of the list of runs', async () => {
    await batches.fault('service', heldUp);
    const batch = batches.of([transfer('slow', { account: 'dev1' }), transfer('a')]);
    const moved = await paid(async () => {
      await interrupted(batch, '"type":"outcome"');
      await batches.clearFaults();
      const lists = join(batch.folder, 'state', 'runs', 'index', 'ledgers');
      for (const name of readdirSync(lists)) writeFileSync(join(lists, name), '');
      await batch.run(argv);
    });
    expect([moved, summary(batch.ledger())]).toEqual([usdc, succeeded('slow', 'a')]);
  });

  test('behavior: what was paid is not paid again if journals are pruned before the ledger has it', async () => {
    await batches.fault('service', heldUp);
    const batch = batches.of([transfer('slow', { account: 'dev1' }), transfer('a')]);
    const moved = await paid(async () => {
      await interrupted(batch, '"type":"outcome"');
      await batches.clearFaults();
      const prune = ['runs', 'prune', '--older-than', '0s', '--yes', '--json'];
      await batch.run(prune);
      await batch.run(argv);
      expect((await batch.run(prune)).json().data.pruned).toHaveLength(2);
    });
    expect([moved, summary(batch.ledger())]).toEqual([usdc, succeeded('slow', 'a')]);
  });

  test('behavior: what was paid is not paid again if an editor has saved the ledger meanwhile', async () => {
    const batch = batches.of([transfer('a'), transfer('b')]);
    const moved = await paid(async () => {
      let isSaved = false;
      const heard = (): void => {
        if (isSaved || batch.ledger().length === 0) return;
        isSaved = true;
        const saved = join(batch.folder, 'saved');
        writeFileSync(saved, readFileSync(batch.ledgerPath), { mode: 0o600 });
        renameSync(saved, batch.ledgerPath);
      };
      const ended = await batch.run(argv, { heard });
      expect(ended.json().error).toMatchObject({ code: 'batch.ledger', exit: 2, funds: 'delivered' });
      expect(summary(batch.ledger())).toEqual(succeeded('a'));
      await batch.run(['runs', 'prune', '--older-than', '0s', '--yes', '--json']);
      expect((await batch.run(argv)).code).toBe(0);
    });
    expect([moved, summary(batch.ledger())]).toEqual([2n * usdc, succeeded('a', 'b')]);
  });

  test('behavior: interrupted, it names the run under way; the same command finishes it and does the rest', async () => {
    await batches.fault('service', { kind: 'solver', does: 'stuck' });
    const batch = batches.of([transfer('a'), transfer('b')]);
    const moved = await paid(async () => {
      const { error } = await interrupted(batch, '"type":"status"');
      expect(error).toMatchObject({ facts: { done: '0' }, funds: 'in-flight' });
      expect(error.facts['in progress']).toMatch(/^\d{8}-\d{6}-[0-9a-f]{6}$/);
      await batches.clearFaults();
      expect((await batch.run(argv)).code).toBe(0);
      expect(batch.ledger()[0]?.data.run).toBe(error.facts['in progress']);
    });
    expect(moved).toBe(2n * usdc);
  });

  test('behavior: interrupted with --again, the next command finishes what was signed, and pays nothing once more', async () => {
    await batches.fault('service', { kind: 'solver', does: 'stuck' });
    const batch = batches.of([transfer('a')]);
    const moved = await paid(async () => {
      const { error } = await interrupted(batch, '"type":"status"', '--again');
      await batches.clearFaults();
      expect(error.next).toBe('ferry execute --batch batch.ndjson --out ledger.ndjson');
      expect(error.hint).toMatch(/^Run the same command without --again to continue: /);
      expect((await batch.run(argv)).code).toBe(0);
      expect(batch.ledger()[0]?.data.run).toBe(error.facts['in progress']);
    });
    expect(moved).toBe(usdc);
  });

  test('behavior: an allowance that is gone when an interrupted line goes on is asked for again', async () => {
    const batch = batches.of([transfer('a', { amount: '10' })]);
    const moved = await paid(async () => {
      // The second estimate is that of the deposit: the approval is mined, and nothing is paid.
      const slow = { kind: 'delay', delayMs: 5_000, match: { rpc: 'eth_estimateGas' }, after: 1, times: 1 } as const;
      await batches.fault('alpha', slow);
      await interrupted(batch, '"type":"receipt"', '--one-by-one');
      await batches.clearFaults();
      const other = await batch.run(['execute', '7', 'alpha/usdc', 'beta/usdc', '--yes', '--json']);
      expect(other.lines().filter(({ type }) => type === 'signed')).toMatchObject([{ action: 'deposit' }]);
      const ended = await batch.run(argv);
      expect(ended.json().warnings[0]).toMatch(
        /^a: The allowance of the run was used or replaced by another transaction of the account\. ferry requests a new/,
      );
    });
    expect([moved, summary(batch.ledger())]).toEqual([17n * usdc, succeeded('a')]);
  });

  test('behavior: what a pending deposit is about to spend is not taken for free', async () => {
    const batch = batches.of([transfer('a', { amount: '10' }), transfer('b', { amount: '5' })]);
    const moved = await paid(async () => {
      await batches.fault('alpha', { kind: 'chain', does: 'halt', delayMs: 2_500, after: 1, times: 1 });
      await interrupted(batch, '"type":"broadcast","step":1');
      const ended = await batch.run([...argv, '--concurrency', '2']);
      expect([ended.code, summary(batch.ledger())]).toEqual([0, succeeded('a', 'b')]);
    });
    expect(moved).toBe(15n * usdc);
  });

  test('behavior: a service that dies is waited for, and that is said at once', async () => {
    const batch = batches.of(['a', 'b', 'c'].map((id) => transfer(id)));
    const moved = await paid(async () => {
      // The second line is the first to notice.
      await silence({ '/quote': 1, '/intents': 10_000, '/transactions': 10_000 });
      const isSaid = once('"answers":false');
      const running = batch.run([...argv, '--concurrency', '1'], { heard: isSaid.heard });
      await isSaid.happened;
      expect(batch.ledger().map(({ id }) => id)).toEqual(['a']);
      await batches.clearFaults();
      const ended = await running;
      expect(ended.lines().flatMap(({ type, answers }) => (type === 'service' ? [answers] : []))).toEqual([
        false,
        true,
      ]);
      expect([ended.code, summary(batch.ledger())]).toEqual([0, succeeded('a', 'b', 'c')]);
    });
    expect(moved).toBe(3n * usdc);
  });

  test('behavior: a service that stays away stops the batch, and the same command finishes it', async () => {
    const batch = batches.of(['a', 'b', 'c'].map((id) => transfer(id)));
    const moved = await paid(async () => {
      await silence({ '/quote': 1, '/intents': 10_000, '/transactions': 10_000 });
      const pace = () => (batch.ledger().length > 0 ? 1_000 : 1);
      const ended = await batch.run([...argv, '--timeout', '1m', '--concurrency', '1'], { pace });
      expect([ended.code, ended.json().error]).toMatchObject([
        3,
        {
          code: 'service.unreachable',
          message: expect.stringMatching(/^The batch was stopped\. /),
          next: 'ferry execute --timeout 1m --batch batch.ndjson --out ledger.ndjson --concurrency 1',
        },
      ]);
      await batches.clearFaults();
      expect((await batch.run(argv)).code).toBe(0);
    });
    expect([moved, batch.ledger().map(({ ok }) => ok)]).toEqual([3n * usdc, [true, true, true]]);
  });

  test.each([
    ['before it has said anything of the payment', 0],
    ['once it has said that it waits for it', 1],
  ])('behavior: a service that goes away %s: the payment is no result, and is finished later', async (_, said) => {
    const batch = batches.of([transfer('a')]);
    const moved = await paid(async () => {
      const match = { path: '/intents' };
      await batches.fault('service', { kind: 'tamper', path: '/status', value: 'waiting', times: 0, match });
      await silence({ '/quote': 1, '/intents': said });
      const pace = () => (isJournaled(batch, '"type":"receipt"') ? 1_000 : 1);
      const ended = await batch.run([...argv, '--timeout', '1m'], { pace });
      expect([ended.code, ended.json().error]).toMatchObject([3, { code: 'service.unreachable', funds: 'unknown' }]);
      expect(batch.ledger()).toEqual([]);
      await batches.clearFaults();
      expect((await batch.run(argv)).code).toBe(0);
    });
    expect([moved, summary(batch.ledger())]).toEqual([usdc, succeeded('a')]);
  });

  test('behavior: a ledger that was moved meanwhile: what was begun is finished, not paid again', async () => {
    const batch = batches.of([transfer('a'), transfer('b')]);
    const moved = await paid(async () => {
      await batches.fault('service', { kind: 'solver', does: 'stuck' });
      await interrupted(batch, '"type":"broadcast","step":1');
      await batches.clearFaults();
      renameSync(batch.ledgerPath, join(batch.folder, 'moved.ndjson'));
      const ended = await batch.run(argv.map((each) => (each === 'ledger.ndjson' ? 'moved.ndjson' : each)));
      expect([ended.code, ended.json().warnings]).toEqual([
        0,
        [expect.stringContaining(`is no longer at ${batch.ledgerPath}: the lines that it began are finished here.`)],
      ]);
      expect(summary(ended.lines().slice(0, 2))).toEqual(succeeded('a', 'b'));
    });
    expect(moved).toBe(2n * usdc);
  });

  test('behavior: a ledger that was moved, with another one in its place: what was paid is not paid again', async () => {
    await batches.fault('service', heldUp);
    const batch = batches.of([transfer('slow', { account: 'dev1' }), transfer('a')]);
    const moved = await paid(async () => {
      await interrupted(batch, '"type":"outcome"');
      await batches.clearFaults();
      renameSync(batch.ledgerPath, join(batch.folder, 'moved.ndjson'));
      writeFileSync(batch.ledgerPath, '');
      const ended = await batch.run(argv.map((each) => (each === 'ledger.ndjson' ? 'moved.ndjson' : each)));
      expect(ended.json().error).toMatchObject({ code: 'batch.ledger', facts: { ledger: batch.ledgerPath } });
      renameSync(join(batch.folder, 'moved.ndjson'), batch.ledgerPath);
      expect((await batch.run(argv)).code).toBe(0);
    });
    expect([moved, summary(batch.ledger())]).toEqual([usdc, succeeded('slow', 'a')]);
  });

  test('behavior: an older copy of a ledger, in another place: what was paid since is not paid again', async () => {
    const batch = batches.of([transfer('a'), transfer('b')]);
    const copy = argv.map((each) => (each === 'ledger.ndjson' ? 'copy.ndjson' : each));
    const moved = await paid(async () => {
      expect((await batch.run(argv)).code).toBe(0);
      const [first] = readFileSync(batch.ledgerPath, 'utf8').split('\n');
      writeFileSync(join(batch.folder, 'copy.ndjson'), `${first}\n`);
      const refused = (await batch.run(copy)).json().error;
      expect(refused).toMatchObject({ code: 'batch.ledger', facts: { ledger: batch.ledgerPath } });
      // Where only the copy is left, its batch goes on there.
      rmSync(batch.ledgerPath);
      expect(summary((await batch.run(copy)).lines().slice(0, 1))).toEqual(succeeded('b'));
    });
    expect(moved).toBe(2n * usdc);
  });

  test('behavior: a copy of a ledger whose runs are not known here goes on', async () => {
    const batch = batches.of([transfer('a')]);
    expect((await batch.run(argv)).code).toBe(0);
    rmSync(join(batch.folder, 'state', 'runs'), { recursive: true });
    batch.write([transfer('a'), transfer('b', { amount: '2' })]);
    renameSync(batch.ledgerPath, join(batch.folder, 'copy.ndjson'));
    const copy = argv.map((each) => (each === 'ledger.ndjson' ? 'copy.ndjson' : each));
    expect(summary((await batch.run(copy)).lines().slice(0, 1))).toEqual(succeeded('b'));
  });

  test('behavior: what a ledger says of an id is of that transfer, and of no other that had the id before', async () => {
    await batches.fault('service', heldUp);
    const batch = batches.of([transfer('slow', { account: 'dev1' }), transfer('a')]);
    const moved = await paid(async () => {
      await interrupted(batch, '"type":"outcome"');
      await batches.clearFaults();
      renameSync(batch.ledgerPath, join(batch.folder, 'may.ndjson'));
      batch.write([transfer('a', { account: 'dev2' })]);
      expect((await batch.run([...argv, '--again'])).code).toBe(0);
      expect((await batch.run(argv)).json().data.before).toEqual({ succeeded: 1, failed: 0 });
      batch.write([transfer('a')]);
      const may = argv.map((each) => (each === 'ledger.ndjson' ? 'may.ndjson' : each));
      expect((await batch.run(may)).json().error).toMatchObject({ code: 'batch.ledger' });
      // Nor does it say so where the index of the journals is made anew.
      rmSync(join(batch.folder, 'state', 'runs', 'index'), { recursive: true });
      expect((await batch.run(may)).json().error).toMatchObject({ code: 'batch.ledger' });
    });
    expect(moved).toBe(usdc);
  });

  test('behavior: what fails is a result; it is not tried again, and the exit code stays', async () => {
    const broken = [transfer('a', { maxFeeUsd: '0.000001' }), transfer('b', { amount: '99999999999' })];
    const batch = batches.of([...broken, transfer('c')]);
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
    // One after another, so that the second is the one that the solver refunds.
    const inOrder = [...argv, '--concurrency', '1'];
    expect((await batch.run(inOrder)).code).toBe(7);
    expect(summary(batch.ledger())).toEqual([
      ['a', false, 'service.unavailable'],
      ['b', false, 'track.refunded'],
      ['c', true, undefined],
    ]);
    const moved = await paid(async () => {
      const ended = await batch.run([...inOrder, '--retry-failed']);
      expect(ended.json().data).toMatchObject({ succeeded: 1, failed: 0, before: { succeeded: 1, failed: 1 } });
    });
    expect(moved).toBe(usdc);
    expect(summary(batch.ledger())).toEqual([
      ['b', false, 'track.refunded'],
      ['c', true, undefined],
      ['a', true, undefined],
    ]);
  });

  test('behavior: a corrected line that moved nothing is retried in the same ledger, and one that is paid is not', async () => {
    const batch = batches.of([transfer('a'), transfer('b', { maxFeeUsd: '0.000001' })]);
    const moved = await paid(async () => {
      expect((await batch.run(argv)).code).toBe(5);
      batch.write([transfer('a'), transfer('b', { amount: '2' })]);
      const hint = expect.stringContaining('with --retry-failed, the line is tried as it is now.');
      const next = 'ferry execute --batch batch.ndjson --out ledger.ndjson --retry-failed';
      expect((await batch.run(argv)).json().error).toMatchObject({ code: 'batch.ledger', hint, next });
      expect((await batch.run([...argv, '--retry-failed'])).json().data).toMatchObject({
        ...{ succeeded: 1, failed: 0, before: { succeeded: 1, failed: 0 } },
      });
      batch.write([transfer('a'), transfer('b', { amount: '3' })]);
      const again = (await batch.run([...argv, '--retry-failed'])).json().error;
      expect([again.code, again.next]).toEqual(['batch.ledger', null]);
    });
    expect([moved, summary(batch.ledger())]).toEqual([3n * usdc, succeeded('a', 'b')]);
  });

  test('error: a corrected line whose run may have paid is not begun, though the ledger says that nothing moved', async () => {
    await batches.fault('service', { kind: 'solver', does: 'stuck' });
    const batch = batches.of([transfer('a')]);
    const moved = await paid(async () => {
      const { error } = await interrupted(batch, '"type":"broadcast","step":1');
      const run = error.facts['in progress'];
      batch.write([transfer('a', { amount: '2' })]);
      const failed = { network: 'sandbox', command: 'execute', id: 'a', digest: '0x01', ok: false, data: null };
      writeFileSync(batch.ledgerPath, ndjson([{ ...failed, error: { code: 'chain.fees', funds: 'untouched' } }]));
      const refused = (await batch.run([...argv, '--retry-failed'])).json().error;
      expect(refused).toMatchObject({ code: 'batch.ledger', run, next: `ferry runs show ${run}` });
      await batches.clearFaults();
      batch.write([transfer('a')]);
      expect((await batch.run([...argv, '--retry-failed'])).code).toBe(0);
    });
    expect([moved, summary(batch.ledger())]).toEqual([usdc, succeeded('a')]);
  });

  test('behavior: a run under way is finished, and its line not corrected, though a later run of it moved nothing', async () => {
    await batches.fault('service', { kind: 'solver', does: 'stuck' });
    const batch = batches.of([transfer('a')]);
    const moved = await paid(async () => {
      const { error } = await interrupted(batch, '"type":"broadcast","step":1');
      const run = error.facts['in progress'];
      expect((await batch.run([...argv, '--again', '--max-fee-usd', '0.000001'])).code).toBe(5);
      expect(batch.ledger()[0]?.error).toMatchObject({ code: 'verify.cap', funds: 'untouched' });
      await batches.clearFaults();
      batch.write([transfer('a', { amount: '2' })]);
      const corrected = (await batch.run([...argv, '--retry-failed'])).json().error;
      expect(corrected).toMatchObject({ code: 'batch.ledger', run });
      batch.write([transfer('a')]);
      expect((await batch.run([...argv, '--retry-failed'])).code).toBe(0);
      expect(batch.ledger()[0]?.data.run).toBe(run);
    });
    expect([moved, summary(batch.ledger())]).toEqual([usdc, succeeded('a')]);
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
    const run = batch.ledger()[0]?.data.run;
    const command = 'ferry execute --batch batch.ndjson --out ledger.ndjson';
    expect((await batch.run(['runs', 'list', '--json'])).json().data.runs).toMatchObject([{ run, command }]);
  });

  test.each<[string, Written, string]>([
    ['a bad recipient', { recipient: '0x12' }, 'recipient'],
    ['a bad refund address', { refundTo: 'bob' }, 'refund address'],
    ['a bad account of the venue', { to: 'lighter/usdc', recipient: 'bob' }, 'account index'],
    ['an unknown chain', { to: 'gamma/usdc' }, 'no chain "gamma"'],
    ['an unknown token', { from: 'alpha/nothing' }, 'Unknown token "nothing" on alpha'],
    ['no token at the address', { to: `beta/0x${'12'.repeat(20)}` }, 'There is no ERC-20 token'],
    ['too many decimals', { amount: '0.0000001' }, 'decimals'],
    ['the maximum of an output', { amount: 'max', exactOutput: true }, 'max is an amount of the input'],
    ['two kinds of output', { exactOutput: true, expectedOutput: true }, 'cannot be combined'],
    ['an unknown account', { account: 'nobody' }, 'nobody'],
    ['an account that is no name', { account: 'no name' }, '--account'],
    ['a currency to itself', { to: 'alpha/usdc' }, 'Origin and destination are the same'],
    ['a withdrawal', { from: 'lighter/usdc', to: 'beta/usdc' }, 'A withdrawal from the venue'],
    ['a bad app fee', { appFee: ['bob:5'] }, 'app fee recipient'],
    ['a limit without its sponsor', { maxSponsoredUsd: '1' }, '--max-sponsored-usd needs --sponsor'],
    ['too many decimals of a cap', { minOut: '0.0000001' }, 'decimals'],
  ])('error: %s in the second line is found before the first is paid', async (_, changed, words) => {
    const batch = batches.of([transfer('a'), transfer('b', changed)]);
    // Neither --yes nor a terminal: it is found before the question.
    const ended = await batch.run(argv.filter((each) => each !== '--yes'));
    const { error } = ended.json();
    expect([ended.code, error.code, error.funds]).toEqual([2, 'batch.unreadable', 'untouched']);
    expect(error.message).toMatch(/^Line 2 of the batch \("b"\) is not a valid transfer\. /);
    expect(error.message).toContain(words);
    expect([batch.ledger(), existsSync(join(batch.folder, 'state', 'runs'))]).toEqual([[], false]);
  });

  test('error: nothing of standard input is paid before all of it was read', async () => {
    const batch = batches.of([]);
    const pay = (second: Written) =>
      batch.run(['execute', '--batch', '-', '--out', 'ledger.ndjson', '--yes', '--json'], {
        stdin: ndjson([transfer('a'), transfer('b', second)]),
      });
    const moved = await paid(async () => {
      const { error } = (await pay({ to: 'beta/nothing' })).json();
      expect(error).toMatchObject({ code: 'batch.unreadable', funds: 'untouched' });
    });
    expect([moved, batch.ledger()]).toEqual([0n, []]);
    const all = await pay({});
    expect(summary(all.lines().slice(0, 2))).toEqual(succeeded('a', 'b'));
  });

  test('behavior: a line that was started is finished even if it would no longer pass the checks', async () => {
    const batch = batches.of([transfer('a')]);
    await batch.run(argv);
    rmSync(batch.ledgerPath);
    const wrong = [...argv, '--app-fee', 'bob:5'];
    const moved = await paid(async () => expect((await batch.run(wrong)).code).toBe(0));
    expect([moved, summary(batch.ledger())]).toEqual([0n, succeeded('a')]);
    batch.write([transfer('a'), transfer('b')]);
    expect((await batch.run(wrong)).json().error.message).toContain('Line 2 of the batch ("b")');
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
    const next = 'ferry execute --batch batch.ndjson --out results.ndjson';
    expect(bare.json().error).toMatchObject({ code: 'usage.missing', next });
    const { error } = (await batch.run(argv.filter((each) => each !== '--yes'))).json();
    expect(error.code).toBe('usage.confirmation');
    expect(error.facts.question).toContain('execute 2 transfers, which pay 3.5 alpha/usdc, from batch.ndjson?');
    const stdin = ndjson([transfer('a')]);
    const piped = await batch.run(['execute', '--batch', '-', '--out', 'ledger.ndjson', '--json'], { stdin });
    expect(piped.json().error.facts.question).toContain('1 transfer, which pays 1 alpha/usdc, from standard input?');
    expect(batch.ledger()).toEqual([]);
  });

  test('error: a batch of a dry run is none', async () => {
    const ended = await batches.of([transfer('a')]).run([...argv, '--dry-run']);
    expect([ended.code, ended.json().error.code]).toEqual([2, 'usage.invalid']);
  });

  test.each([
    [[], 'delivered'],
    [['--no-wait', '--fields', 'requestId'], 'in-flight'],
  ])('error: one that is stopped says where the money of the lines is that have ended: %j', async (more, funds) => {
    const batch = batches.of([transfer('a'), transfer('b'), transfer('c')]);
    // The third quote never comes.
    await batches.fault('service', { kind: 'delay', delayMs: 60_000, match: { path: '/quote' }, after: 2 });
    const interrupt = new AbortController();
    const heard = () => {
      if (batch.ledger().length === 2) interrupt.abort(new BaseError('run.stopped', 'Stopped by SIGINT.'));
    };
    const ended = await batch.run([...argv, ...more, '--concurrency', '1'], { signal: interrupt.signal, heard });
    expect(ended.json().error).toMatchObject({ code: 'run.stopped', funds, facts: { done: '2' } });
  });
});
