import { execFile, execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Expected, UserFiles } from '../../../src/core/ports/UserFiles.js';
import { createFiles } from '../../../src/io/state/namedFiles.js';
import type { Input } from '../../../src/io/terminal/host.js';
import { collect } from '../../support/collect.js';
import { temporaryFolder } from '../../support/ferry.js';
import { unprivileged } from '../../support/unprivileged.js';

type Setting = { stdin?: Input; written?: string[]; signal?: AbortSignal };

/** A folder that exists until the test ends, and its files. */
function folder({ stdin = Readable.from([]), written = [], signal = new AbortController().signal }: Setting = {}): {
  cwd: string;
  files: UserFiles;
} {
  const cwd = mkdtempSync(join(tmpdir(), 'ferry-files-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  return { cwd, files: createFiles({ cwd, stdin, signal, stdout: { write: (text) => written.push(text) } }) };
}

describe('read', () => {
  const quote: Expected = {
    what: 'quote',
    code: 'quote.unreadable',
    maxBytes: 16 * 1024 * 1024,
    hints: { missing: 'Type one.', notPiped: 'Pipe one.' },
  };

  test('default', async () => {
    const { cwd, files } = folder();
    writeFileSync(join(cwd, 'quote.json'), '{"a":"\u00e9"}');
    expect(await files.read('quote.json', quote)).toBe('{"a":"\u00e9"}');
    expect(await files.read(join(cwd, 'quote.json'), quote)).toBe('{"a":"\u00e9"}');
  });

  test('behavior: standard input is not made for a file', async () => {
    const { cwd } = folder();
    writeFileSync(join(cwd, 'quote.json'), '{}');
    let made = 0;
    const files = createFiles({
      cwd,
      get stdin() {
        made++;
        return Readable.from(['[]']);
      },
      signal: new AbortController().signal,
      stdout: { write: () => true },
    });
    expect(await files.read('quote.json', quote)).toBe('{}');
    expect(made).toBe(0);
    expect(await files.read('-', quote)).toBe('[]');
    expect(made).toBe(1);
  });

  test('error: - on a terminal', async () => {
    const { files } = folder({ stdin: Object.assign(Readable.from([]), { isTTY: true }) });
    await expect(files.read('-', quote)).rejects.toMatchObject({
      code: 'usage.missing',
      message: 'Nothing is piped into standard input, which - reads.',
    });
  });

  test('error: no such file', async () => {
    await expect(folder().files.read('quote.json', quote)).rejects.toMatchObject({
      code: 'quote.unreadable',
      exit: 2,
      message: 'quote.json cannot be read. There is no such file or folder.',
    });
  });

  test('error: the failure names the expected document', async () => {
    const hints = { missing: 'Is it built?', notPiped: 'Pipe one.' };
    const wanted = { what: 'ABI', code: 'trace.unreadable', maxBytes: 1024 * 1024, hints } as const;
    const { cwd, files } = folder({ stdin: Readable.from([Buffer.alloc(2 * 1024 * 1024)]) });
    const code = 'trace.unreadable';
    await expect(files.read('a.json', wanted)).rejects.toMatchObject({ code, hint: 'Is it built?' });
    const message = 'Standard input is larger than 1 MiB, so it is not a valid ABI.';
    await expect(files.read('-', wanted)).rejects.toMatchObject({ code, message });
    writeFileSync(join(cwd, 'b.json'), Buffer.from([0xff]));
    await expect(files.read('b.json', wanted)).rejects.toThrow('b.json is not text, so it is not a valid ABI.');
  });

  test('error: endless input', async () => {
    const endless = (async function* () {
      for (;;) yield new Uint8Array(1024 * 1024).fill(97);
    })();
    const { files } = folder({ stdin: endless });
    for (const path of ['-', '/dev/zero']) await expect(files.read(path, quote)).rejects.toThrow('larger than 16 MiB');
  });
});

describe('readDocument', () => {
  const wanted: Expected = {
    what: 'list',
    code: 'smoke.unreadable',
    maxBytes: 1000,
    hints: { missing: 'M', notPiped: 'N' },
  };

  test('default: JSON by its extension, anything else as YAML', async () => {
    const { cwd, files } = folder({ stdin: Readable.from(['a: [1, "2"]']) });
    writeFileSync(join(cwd, 'list.json'), '\ufeff{"a":[1,"2"]}');
    writeFileSync(join(cwd, 'list.yml'), 'a:\n  - 1\n  - "2" # in quotes\n');
    for (const path of ['list.json', 'list.yml', '-'])
      expect(await files.readDocument(path, wanted)).toEqual({ a: [1, '2'] });
  });

  test('error: the language and the line', async () => {
    const { cwd, files } = folder({ stdin: Readable.from(['a: [']) });
    writeFileSync(join(cwd, 'list.json'), '{\n"a" 1}');
    await expect(files.readDocument('list.json', wanted)).rejects.toMatchObject({
      message: 'list.json is not valid JSON.',
      facts: [['line', '2']],
    });
    await expect(files.readDocument('-', wanted)).rejects.toMatchObject({
      message: 'Standard input is not valid YAML.',
    });
  });
});

describe('write', () => {
  test('default', async () => {
    const { cwd, files } = folder();
    await files.write('quote.json', 'one');
    await files.write('quote.json', 'two');
    expect(readFileSync(join(cwd, 'quote.json'), 'utf8')).toBe('two');
    expect(readdirSync(cwd)).toEqual(['quote.json']);
  });

  test('behavior: - is standard output', async () => {
    const written: string[] = [];
    await folder({ written }).files.write('-', 'text');
    expect(written).toEqual(['text']);
  });

  test('error: a link, or one to a pipe, that others may have put there', async () => {
    const { cwd, files } = folder();
    const shared = join(cwd, 'shared');
    mkdirSync(shared);
    writeFileSync(join(cwd, 'real.json'), 'precious');
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    for (const name of ['real.json', 'pipe']) symlinkSync(`../${name}`, join(shared, `to-${name}`));
    chmodSync(shared, 0o1777);
    for (const name of ['real.json', 'pipe'])
      await expect(files.write(`shared/to-${name}`, 'text')).rejects.toMatchObject({
        code: 'config.unwritable',
        message: `shared/to-${name} cannot be written. It is a link in a folder that others can write to.`,
      });
    const lines = (async function* () {
      yield 'text';
    })();
    await expect(files.writeLines('shared/to-real.json', lines)).rejects.toMatchObject({ code: 'config.unwritable' });
    expect(readFileSync(join(cwd, 'real.json'), 'utf8')).toBe('precious');
    await files.write('shared/new.json', 'text');
    expect(readFileSync(join(shared, 'new.json'), 'utf8')).toBe('text');
  });

  test('behavior: a pipe is written to rather than replaced', async () => {
    const { cwd, files } = folder();
    const pipe = join(cwd, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    onTestFinished(() => closeSync(reader));
    await files.write('pipe', 'text');
    const received = Buffer.alloc(10);
    expect(received.toString('utf8', 0, readSync(reader, received))).toBe('text');
    expect(lstatSync(pipe).isFIFO()).toBe(true);
  });

  test('error: no such folder, and none is created', async () => {
    const { cwd, files } = folder();
    await expect(files.write('nowhere/quote.json', 'text')).rejects.toMatchObject({
      code: 'config.unwritable',
      exit: 2,
      message: 'nowhere/quote.json cannot be written. There is no such file or folder.',
    });
    expect(readdirSync(cwd)).toEqual([]);
  });

  test('error: no permission', async () => {
    const { cwd, files } = folder();
    chmodSync(cwd, 0o500);
    const writing = unprivileged(() => files.write('quote.json', 'text'));
    await expect(writing).rejects.toThrow('Permission denied.');
  });
});

describe('create', () => {
  test('default', async () => {
    const { cwd, files } = folder();
    const path = join(cwd, 'new.json');
    expect(await files.create('new.json', 'one')).toEqual({ path, isNew: true });
    expect([readFileSync(path, 'utf8'), lstatSync(path).mode & 0o777]).toEqual(['one', 0o600]);
  });

  test('behavior: never overwrites, and resolves a symbolic link', async () => {
    const { cwd, files } = folder();
    writeFileSync(join(cwd, 'old.json'), 'old');
    symlinkSync('old.json', join(cwd, 'link.json'));
    for (const name of ['old.json', 'link.json'])
      expect(await files.create(name, 'new')).toEqual({ path: join(cwd, 'old.json'), isNew: false });
    expect(readFileSync(join(cwd, 'old.json'), 'utf8')).toBe('old');
    expect(readdirSync(cwd).sort()).toEqual(['link.json', 'old.json']);
  });
});

describe('reread', () => {
  const wanted: Expected = {
    what: 'batch',
    code: 'batch.unreadable',
    maxBytes: 20,
    hints: { missing: '', notPiped: '' },
  };
  const twice = async (files: UserFiles, path: string): Promise<string[][]> => {
    const source = await files.reread(path, wanted);
    const readings = [await collect(source.lines()), await collect(source.lines())];
    source.close();
    return readings.map((lines) => lines.map(({ text }) => text));
  };

  test('default: a file, standard input and a named pipe, each twice', async () => {
    const both = Array(2).fill(['a', 'b']);
    const { cwd, files } = folder({ stdin: Readable.from(['a\nb']) });
    writeFileSync(join(cwd, 'file'), 'a\nb\n');
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    expect(await twice(files, 'file')).toEqual(both);
    expect(await twice(files, '-')).toEqual(both);
    const writing = execFile('sh', ['-c', `printf 'a\\nb\\n' > "$0"`, join(cwd, 'pipe')]);
    expect(await twice(files, 'pipe')).toEqual(both);
    writing.kill();
  });

  test('behavior: UTF-16, as PowerShell writes it', async () => {
    const { cwd, files } = folder();
    writeFileSync(join(cwd, 'file'), Buffer.from('\ufeffa\r\nb\r\n', 'utf16le'));
    expect(await twice(files, 'file')).toEqual(Array(2).fill(['a', 'b']));
    expect(await files.read('file', wanted)).toBe('a\r\nb\r\n');
  });

  test('behavior: a file that is written to between two readings is read as it was', async () => {
    const { cwd, files } = folder();
    writeFileSync(join(cwd, 'file'), 'a\nb\n');
    const source = await files.reread('file', wanted);
    const first = await collect(source.lines());
    writeFileSync(join(cwd, 'file'), 'a\nc\nd\n');
    expect(await collect(source.lines())).toEqual(first);
    source.close();
  });

  test('behavior: who stops reading leaves it open until it is closed, and no other file is closed for it', async () => {
    const { cwd, files } = folder();
    writeFileSync(join(cwd, 'file'), 'a\nb\n');
    const source = await files.reread('file', wanted);
    for await (const { text } of source.lines()) {
      expect(text).toBe('a');
      break;
    }
    // A stream closes its file some turns after somebody has stopped reading.
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    const others = Array.from({ length: 8 }, () => openSync(join(cwd, 'file'), 'r'));
    source.close();
    for (const each of others) closeSync(each);
  });

  test('behavior: what is read is copied, and leaves nothing behind', async () => {
    vi.stubEnv('TMPDIR', temporaryFolder());
    const { cwd, files } = folder({ stdin: Readable.from(['ä\n'.repeat(50_000), Buffer.from('end')]) });
    const lines = [...Array<string>(50_000).fill('ä'), 'end'];
    expect(await twice(files, '-')).toEqual([lines, lines]);
    expect(readdirSync(tmpdir())).toEqual([basename(cwd)]);
  });

  test('error: an input that fails, or stays silent until the signal', async () => {
    const failing = new Readable({ read() {} });
    setImmediate(() => failing.destroy(new Error('broken')));
    await expect(twice(folder({ stdin: failing }).files, '-')).rejects.toThrow('Broken.');
    const interrupt = new AbortController();
    setImmediate(() => interrupt.abort(new Error('stopped')));
    const { files } = folder({ stdin: new Readable({ read() {} }), signal: interrupt.signal });
    await expect(twice(files, '-')).rejects.toThrow('stopped');
  });

  test('error: no such file, a line that is too long', async () => {
    const { files } = folder({ stdin: Readable.from(['a\n', 'b'.repeat(21)]) });
    await expect(twice(files, 'missing')).rejects.toMatchObject({ code: 'batch.unreadable' });
    await expect(twice(files, '-')).rejects.toThrow('Line 2 of Standard input is larger');
  });
});

test('exists: a file, a folder, nothing', async () => {
  const { cwd, files } = folder();
  writeFileSync(join(cwd, 'file'), '');
  const found = await Promise.all(['file', '.', 'missing', 'file/x'].map((path) => files.exists(path)));
  expect(found).toEqual([true, true, false, false]);
});
