import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { BaseError } from '../../../src/core/base/Errors.js';
import * as DevelopmentAccount from '../../../src/core/network/DevelopmentAccount.js';
import * as secretFile from '../../../src/io/keys/secretFile.js';
import { answering, failure, type Workbench, workbench } from '../../support/workbench.js';

const key = DevelopmentAccount.key(3);
const digits = key.slice(2);

/** All text of an error. */
const everything = (error: BaseError) =>
  `${error.stack} ${JSON.stringify(error.facts)} ${error.hint} ${error.next} ${error.cause}`;

const apiKey = DevelopmentAccount.venueKey(1);

describe('read', () => {
  test.each([
    ...[digits, digits.toUpperCase(), `0x${digits.toUpperCase()}\r\n`, `  ${key}  \n\n`].map(
      (text) => ['key', text, key] as const,
    ),
    ...[apiKey, apiKey.slice(2), `  0x${apiKey.slice(2).toUpperCase()}\r\n`].map(
      (text) => ['venueKey', text, apiKey] as const,
    ),
  ])('default: a %s as %j', async (kind, text, secret) => {
    const bench = workbench();
    bench.write('home/code/project/key', text);
    expect((await secretFile.read(kind, 'key', bench.host)).reveal()).toBe(secret);
  });

  test('behavior: from a pipe, as in process substitution', async () => {
    const bench = workbench();
    const pipe = join(bench.folder, 'pipe');
    execFileSync('sh', ['-c', 'mkfifo -m 600 "$0"', pipe]);
    const writer = spawn('sh', ['-c', 'printf %s "$KEY" > "$PIPE"'], {
      env: { KEY: key, PIPE: pipe, PATH: process.env.PATH },
    });
    onTestFinished(() => void writer.kill());
    expect((await secretFile.read('key', pipe, bench.host)).reveal()).toBe(key);
  });

  test.each([0o640, 0o604, 0o644, 0o660, 0o620])('error: other users may read or write it (%o)', async (mode) => {
    const bench = workbench();
    const path = bench.write('key', key, mode);
    const error = await failure('auth.keystore', () => secretFile.read('key', path, bench.host));
    expect(error.facts).toContainEqual(['mode', `0${mode.toString(8)}`]);
    expect(error.next).toBe(`chmod 600 ${path}`);
    expect(everything(error)).not.toContain(digits);
  });

  const anyway = [
    ['something else', 'correct horse battery staple'],
    ['empty', ''],
  ] as const;
  test.each([
    ...anyway.map(([what, text]) => ['key', what, text] as const),
    ['key', 'too short', digits.slice(1)],
    ['key', 'too long', `${key}0`],
    ['key', 'two of them', `${key}\n${key}\n`],
    ['key', 'zero', `0x${'00'.repeat(32)}`],
    ['key', 'the group order', '0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'],
    ...anyway.map(([what, text]) => ['venueKey', what, text] as const),
    ['venueKey', 'a wallet’s key', key],
    ['venueKey', 'too long', `${apiKey}0`],
    ['venueKey', 'two of them', `${apiKey}\n${apiKey}`],
  ] as const)('error: no %s: %s, without repeating it', async (kind, _, text) => {
    const bench = workbench();
    const path = bench.write('key', text);
    const error = await failure('auth.keystore', () => secretFile.read(kind, path, bench.host));
    expect(error.facts).toEqual([['read from', path]]);
    if (kind === 'venueKey') expect(error.hint).toContain('80 hexadecimal digits');
    if (text) expect(everything(error)).not.toContain(text.trim().slice(0, 12));
  });

  test('error: not a file', async () => {
    const bench = workbench();
    mkdirSync(join(bench.folder, 'folder'));
    const folder = await failure('auth.keystore', () =>
      secretFile.read('key', join(bench.folder, 'folder'), bench.host),
    );
    expect(folder.facts).toContainEqual(['reason', 'it is a folder']);
    const none = await failure('auth.keystore', () => secretFile.read('key', 'none', bench.host));
    expect(none.facts).toContainEqual(['reason', 'there is no such file']);
    const large = bench.write('large', 'x'.repeat(70_000));
    await failure('auth.keystore', () => secretFile.read('key', large, bench.host));
  });

  test('error: an empty stdin', async () => {
    const error = await failure('auth.keystore', () => secretFile.read('key', '-', workbench().host));
    expect(error.facts).toContainEqual(['reason', 'it ended before the key was read']);
  });

  test('error: a terminal is not read, since it would echo the key', async () => {
    const { host } = workbench({ stdin: key });
    const stdin = Object.assign(host.stdin, { isTTY: true });
    const error = await failure('auth.keystore', () => secretFile.read('key', '-', { ...host, stdin }));
    expect(error.facts).toContainEqual(['file', 'stdin']);
  });
});

describe('readOrAsk', () => {
  test.each([
    ['key', key, 'Private key'],
    ['venueKey', apiKey, 'Venue API key'],
    ['words', 'some words', 'The words of the key, in their order'],
  ] as const)('default: prompts for what no file has: %s', async (kind, secret, question) => {
    const { asked, ...terminal } = asking([secret]);
    expect((await secretFile.readOrAsk(kind, undefined, terminal)).reveal()).toBe(secret);
    expect(asked).toEqual([question]);
  });

  test('error: no terminal', async () => {
    const error = await failure('prompt.unavailable', () => secretFile.readOrAsk('key', undefined, asking()));
    expect(error.hint).toContain('--key-file');
  });
});

describe('readPassword', () => {
  test.each([
    ['pass word\n', 'pass word'],
    ['pass word', 'pass word'],
    [' padded \r\n', ' padded '],
    ['two\nlines\n', 'two\nlines'],
    ['\n', ''],
    ['', ''],
  ])('behavior: %j', async (text, password) => {
    const bench = workbench();
    const path = bench.write('password', text);
    expect(await secretFile.readPassword(path, bench.host)).toBe(password);
  });

  test.each([
    ['a mark before UTF-8', Buffer.from('\ufeffpass\r\n')],
    ['UTF-16, as PowerShell writes it', Buffer.from('\ufeffpass\r\n', 'utf16le')],
  ])('behavior: %s is no part of it', async (_, bytes) => {
    const bench = workbench();
    const path = bench.write('password', '');
    writeFileSync(path, bytes);
    expect(await secretFile.readPassword(path, bench.host)).toBe('pass');
  });

  test.each([
    ['of no file', 'hunter2 secret'],
    ['with a slash', 'a/b'],
    ['longer than a name', 'x'.repeat(5_000)],
  ])('error: a password in place of its file is not repeated: one %s', async (_, typed) => {
    const error = await failure('auth.keystore', () => secretFile.readPassword(typed, workbench().host));
    expect(everything(error)).not.toContain(typed);
    expect(error.hint).toContain('FERRY_PASSWORD_FILE');
  });

  test('error: other users may read it', async () => {
    const bench = workbench();
    const path = bench.write('a password', 'hush-hush', 0o640);
    const error = await failure('auth.keystore', () => secretFile.readPassword(path, bench.host));
    expect(error.message).toBe('Other users can read the password file.');
    expect(error.next).toBe(`chmod 600 '${path}'`);
    expect(error.hint).toContain('Mount a secret of a container with mode 0400, or pipe it into --password-file -.');
    expect(everything(error)).not.toContain('hush');
  });
});

test('newPassword, from a file: error: a short one, unless it is to be', async () => {
  const read = (path: string, bench: Workbench, rule: secretFile.NewPassword) =>
    secretFile.newPassword('main', path, { host: bench.host, prompt: answering([]), interactive: false }, rule);
  const bench = workbench({ stdin: 'hushers\n' });
  const path = bench.write('password', 'hushers\n');
  const error = await failure('auth.weak-password', () => read(path, bench, {}));
  expect(error.facts).toEqual([['read from', path]]);
  expect(error.hint).toContain('--weak-password');
  expect(everything(error)).not.toContain('hush');
  expect(await read(path, bench, { weakPassword: true })).toBe('hushers');
  const piped = await failure('auth.weak-password', () => read('-', bench, {}));
  expect(piped.facts).toEqual([['read from', 'stdin']]);
});

/** Whoever is asked gives these answers; without any there is no terminal. */
function asking(answers?: string[]) {
  const prompt = answering(answers ?? []);
  return { host: workbench().host, prompt, interactive: answers !== undefined, asked: prompt.asked };
}

describe('askPassword', () => {
  const wrong = async (): Promise<string> => {
    throw new BaseError('auth.password', 'wrong');
  };

  test('behavior: a mistyped one is asked for again', async () => {
    const { asked, ...terminal } = asking(['sceret', 'secret']);
    const open = async (password: string): Promise<string> => (password === 'secret' ? password : wrong());
    expect(await secretFile.askPassword('main', terminal, open)).toBe('secret');
    expect(asked).toEqual(['Password of main', 'Wrong password, try 2 of 3. Password of main']);
  });

  test('error: three times wrong', async () => {
    const { asked, ...terminal } = asking(['a', 'b', 'c']);
    await failure('auth.password', () => secretFile.askPassword('main', terminal, wrong));
    expect(asked).toHaveLength(3);
  });

  test('error: another failure is not the password’s', async () => {
    const broken = async (): Promise<string> => {
      throw new BaseError('auth.keystore', 'broken');
    };
    await failure('auth.keystore', () => secretFile.askPassword('main', asking(['secret']), broken));
  });

  test('error: no terminal', async () => {
    const error = await failure('prompt.unavailable', () => secretFile.askPassword('main', asking(), wrong));
    expect(error.hint).toContain('FERRY_PASSWORD_FILE');
  });
});

describe('newPassword, asked for', () => {
  const asked = async (answers: string[], how: secretFile.NewPassword) => {
    const terminal = asking(answers);
    return [await secretFile.newPassword('main', undefined, terminal, how), ...terminal.asked];
  };

  test('behavior: an empty or short one is asked for again', async () => {
    expect(await asked(['', 'sevench', 'ünïcödé', 'eightchr', 'eightchr'], {})).toEqual([
      'eightchr',
      'New password of main',
      'The password is empty. New password of main',
      'The password has fewer than 8 characters. New password of main',
      'The password has fewer than 8 characters. New password of main',
      'Repeat the password',
    ]);
  });

  test('behavior: a short one that is to be, but never an empty one', async () => {
    const [given, ...questions] = await asked(['', 'x', 'x'], { weakPassword: true });
    expect([given, questions.length]).toEqual(['x', 3]);
  });

  test('error: passwords that do not match', async () => {
    const differing = ['long secret', 'long sceret'];
    await failure('auth.password', () => asked([...differing, ...differing, ...differing], {}));
    expect(await asked([...differing, 'long secret', 'long secret'], {})).toEqual([
      'long secret',
      'New password of main',
      'Repeat the password',
      'The passwords do not match, try 2 of 3. New password of main',
      'Repeat the password',
    ]);
  });
});
