import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as journalFile from '../../../src/io/runs/journalFile.js';
import { temporaryFolder } from '../../support/ferry.js';
import { intent, seal, transactions } from '../../support/journals.js';

function place(): journalFile.JournalSource {
  return { path: join(temporaryFolder(), 'run.jsonl'), now: () => 1_789_000_000_000, seal };
}

async function write(at: journalFile.JournalSource, entries = transactions): Promise<void> {
  const journal = journalFile.create(at);
  for (const entry of entries) await journal.append(entry);
  journal.close();
}

describe('what is not a file', () => {
  test('error: a pipe in place of a journal holds nothing up', () => {
    const at = place();
    execFileSync('mkfifo', ['-m', '600', at.path]);
    expect(() => journalFile.read(at.path, seal)).toThrow('it is not a regular file');
    expect(journalFile.first(at.path)).toBeUndefined();
    expect(() => journalFile.open(at)).toThrow('it is not a regular file');
    expect(() => journalFile.create(at)).toThrow(expect.objectContaining({ code: 'config.unwritable' }));
  });
});

describe('create', () => {
  test('default: writes each entry at once as a line, private to this user', async () => {
    const at = place();
    const journal = journalFile.create(at);
    for (const [index, entry] of transactions.entries()) {
      await journal.append(entry);
      expect(journalFile.read(at.path, seal).lines).toHaveLength(index + 1);
    }
    journal.close();
    expect(statSync(at.path).mode & 0o777).toBe(0o600);
  });

  test('error: does not overwrite an existing journal', async () => {
    const at = place();
    await write(at);
    expect(() => journalFile.create(at)).toThrow(expect.objectContaining({ code: 'config.unwritable' }));
    expect(journalFile.read(at.path, seal).lines).toHaveLength(transactions.length);
  });

  test('error: removes the partial line if the disk is full', async () => {
    const at = place();
    await write(at, transactions.slice(0, 3));
    const script = [
      `import * as journalFile from '${new URL('../../../src/io/runs/journalFile.ts', import.meta.url).pathname}';`,
      `const journal = journalFile.open({ path: ${JSON.stringify(at.path)}, now: () => 0, seal: { id: "0", of: () => "0" } });`,
      'process.on("SIGXFSZ", () => {});',
      `try { for (let i = 0; i < 9999; i++) await journal.append({ type: 'status', status: 'x'.repeat(700) }); }`,
      'catch (error) { process.stdout.write(error.code); }',
    ].join('\n');
    // A limit on file sizes simulates a full disk.
    const bundled = join(temporaryFolder(), 'append.mjs');
    execFileSync('npx', ['esbuild', '--bundle', '--platform=node', '--format=esm', `--outfile=${bundled}`], {
      input: script,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const code = execFileSync('bash', ['-c', `ulimit -f 4; exec "${process.execPath}" "${bundled}"`], {
      encoding: 'utf8',
    });
    expect(code).toBe('config.unwritable');
    const { lines, length } = journalFile.read(at.path, seal);
    expect(lines.length).toBeGreaterThan(3);
    expect(length).toBe(readFileSync(at.path, 'utf8').length);
  });
});

describe('append', () => {
  test('behavior: lines are written in the order in which they were given, one at a time', async () => {
    const at = place();
    const journal = journalFile.create(at);
    await Promise.all(transactions.map((entry) => journal.append(entry)));
    journal.close();
    expect(journalFile.read(at.path, seal).lines.map(({ entry }) => entry)).toEqual(transactions);
  });

  test('behavior: waits for the disk before anything is acted on, and not for what is known elsewhere', async () => {
    const at = place();
    const written = () => readFileSync(at.path, 'utf8').split('\n').length - 1;
    const synced: number[] = [];
    const journal = journalFile.create({ ...at, sync: async () => void synced.push(written()) });
    for (const entry of transactions) await journal.append(entry);
    journal.close();
    const awaited = transactions.flatMap(({ type }, index) =>
      /^(quote|proof|plan|head|broadcast|receipt|request|status)$/.test(type) ? [] : [index + 1],
    );
    expect(awaited.length).toBeGreaterThan(2);
    expect(synced).toEqual(awaited);
    expect(transactions[(awaited[1] ?? 0) - 1]?.type).toBe('signed');
  });

  test('error: a closed journal takes no line, and its number is free only when the disk is done', async () => {
    const at = place();
    const journal = journalFile.create(at);
    const [begun = intent, ...rest] = transactions;
    const appended = [journal.append(begun)];
    // The first line is at the disk, the others wait for it.
    await new Promise(setImmediate);
    appended.push(...rest.map((entry) => journal.append(entry)));
    journal.close();
    const [first, ...others] = await Promise.allSettled(appended);
    expect(first?.status).toBe('fulfilled');
    expect(new Set(others.map(({ status }) => status))).toEqual(new Set(['rejected']));
    expect(journalFile.read(at.path, seal).lines.map(({ entry }) => entry)).toEqual(transactions.slice(0, 1));
    await expect(journal.append(transactions[0] ?? intent)).rejects.toThrow();
  });
});

describe('open', () => {
  test('default: continues where it ended', async () => {
    const at = place();
    await write(at, transactions.slice(0, 5));
    const journal = journalFile.open(at);
    expect(journal.lines).toHaveLength(5);
    for (const entry of transactions.slice(5)) await journal.append(entry);
    journal.close();
    expect(journalFile.read(at.path, seal).lines.map(({ entry }) => entry)).toEqual(transactions);
  });

  test('behavior: cut off at any byte, continues after the last whole line', async () => {
    const at = place();
    await write(at, transactions.slice(0, 5));
    const whole = readFileSync(at.path);
    for (let length = 0; length < whole.length; length += 7) {
      writeFileSync(at.path, whole);
      truncateSync(at.path, length);
      const journal = journalFile.open(at);
      const next = journal.lines.length === 0 ? intent : ({ type: 'status', status: 'next' } as const);
      await journal.append(next);
      journal.close();
      const { lines } = journalFile.read(at.path, seal);
      expect(lines.at(-1)?.entry).toEqual(next);
      expect(lines.slice(0, -1).map(({ entry }) => entry)).toEqual(transactions.slice(0, lines.length - 1));
    }
  });

  test('error: entries in an order that no run writes are refused, by the name of the file', async () => {
    const at = place();
    await write(at, [intent, { type: 'plan', steps: ['deposit'] }]);
    for (const read of [() => journalFile.read(at.path, seal), () => journalFile.open(at)])
      expect(read).toThrow(expect.objectContaining({ code: 'run.unreadable', facts: [['file', at.path]] }));
  });

  test('error: refuses a damaged line before the end and leaves it unchanged', async () => {
    const at = place();
    await write(at, [intent]);
    appendFileSync(at.path, 'something else\n');
    const before = readFileSync(at.path, 'utf8');
    expect(() => journalFile.open(at)).toThrow(expect.objectContaining({ code: 'run.unreadable', funds: 'unknown' }));
    expect(readFileSync(at.path, 'utf8')).toBe(before);
  });
});
