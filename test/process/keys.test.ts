/** Keys in files: the same files for ferry and for cast, and what a crash leaves of them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, statSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as Keystore from '../../src/core/accounts/Keystore.js';
import * as DevelopmentAccount from '../../src/core/network/DevelopmentAccount.js';
import { useFerry } from '../support/builtFerry.js';
import { castWallet } from '../support/cast.js';
import { type Ended, ferry, temporaryFolder } from '../support/ferry.js';
import { lightScrypt } from '../support/lightScrypt.js';

const key = DevelopmentAccount.key(1);
const address = DevelopmentAccount.address(1);

type Desk = {
  /** The folder of keys, for both. */
  keys: string;
  /** Runs `ferry key …` on it. */
  key(...args: readonly string[]): Promise<Ended>;
  /** A file that holds a text; a name in the same folder. */
  file(name: string, text: string): string;
  /** What cast makes of a key and a password: the key, or nothing if it finds the password wrong. */
  opened(name: string, password: string): string;
};

/** `cost` is what its new files cost in this process; a child process knows the real cost alone. */
function desk(cost: Keystore.ScryptCost): Desk {
  const folder = temporaryFolder();
  const keys = join(folder, 'keys');
  mkdirSync(keys, { mode: 0o700 });
  return {
    keys,
    key: (...args) =>
      ferry(['key', ...args, '--json'], { env: { FERRY_KEYSTORE_DIR: keys }, cwd: folder, scryptCost: cost }),
    file(name, text) {
      writeFileSync(join(folder, name), text, { mode: 0o600 });
      return join(folder, name);
    },
    opened(name, password) {
      try {
        const said = castWallet('decrypt-keystore', name, '-k', keys, '--unsafe-password', password);
        return /0x[0-9a-f]{64}/.exec(said)?.[0] ?? '';
      } catch (error) {
        if (/Mac Mismatch/.test(String(error))) return '';
        throw error;
      }
    },
  };
}

/** Nothing of it is the key. */
function assertSilent({ stdout, stderr }: Ended): void {
  expect(`${stdout}${stderr}`.toLowerCase()).not.toContain(key.slice(2));
}

const built = useFerry();

describe('key password', () => {
  // The folder changes as the new file is made, as it is written, and as it replaces the old one.
  test('behavior: killed at the second change of the folder, it leaves the old file or the new one, whole', async () => {
    const { keys, key: run, file } = desk(lightScrypt);
    const [one, two] = [file('one', 'password one'), file('two', 'password two')];
    await run('import', 'main', '--key-file', file('key', key), '--password-file', one);
    const path = join(keys, 'main');
    const before = readFileSync(path, 'utf8');
    const args = [built.path, 'key', 'password', 'main', '--password-file', one, '--new-password-file', two];
    const env = { ...built.env, FERRY_KEYSTORE_DIR: keys } as NodeJS.ProcessEnv;
    const child = spawn(process.execPath, args, { env, stdio: 'ignore' });
    const died = once(child, 'exit');
    let changes = 0;
    const watcher = watch(keys, () => {
      if (++changes === 2) child.kill('SIGKILL');
    });
    await died;
    watcher.close();
    const text = readFileSync(path, 'utf8');
    const { address: named, kdf } = Keystore.from(text, path);
    expect(named).toBe(address);
    const isOld = text === before;
    if (!isOld) expect(kdf).toMatchObject({ name: 'scrypt' });
    const again = ['--password-file', isOld ? one : two, '--new-password-file', two];
    expect((await run('password', 'main', ...again)).code).toBe(0);
  }, 60_000);
});

describe('cast wallet', { timeout: 60_000 }, () => {
  test('behavior: opens a key that ferry imported at the cost of a real file', async () => {
    const { key: run, file, opened } = desk(Keystore.scryptCost);
    const password = file('password', 'password one');
    const imported = await run('import', 'main', '--key-file', file('key', key), '--password-file', password);
    expect([imported.code, opened('main', 'password one')]).toEqual([0, key]);
  });

  test('behavior: opens a key that ferry imported, and what ferry gave another password', async () => {
    const { keys, key: run, file, opened } = desk(lightScrypt);
    const [one, two] = [file('one', 'pass word ünïcode\n'), file('two', 'password two\n')];
    const imported = await run('import', 'main', '--key-file', file('key', key), '--password-file', one);
    expect(imported.json().data).toMatchObject({ name: 'main', address });
    expect(opened('main', 'pass word ünïcode')).toBe(key);
    expect(castWallet('address', '--keystore', join(keys, 'main'), '--password', 'pass word ünïcode').trim()).toBe(
      address,
    );
    const changed = await run('password', 'main', '--password-file', one, '--new-password-file', two);
    expect([changed.code, opened('main', 'password two'), opened('main', 'pass word ünïcode')]).toEqual([0, key, '']);
    assertSilent(imported);
    assertSilent(changed);
  });

  test('behavior: a file of its own is imported, exported, and opens on both sides', async () => {
    const { keys, key: run, file, opened } = desk(lightScrypt);
    const theirs = temporaryFolder();
    castWallet('import', 'theirs', '-k', theirs, '--private-key', key, '--unsafe-password', 'password one');
    const password = file('password', 'password one');
    const args = ['--keystore', join(theirs, 'theirs'), '--password-file', password];
    const imported = await run('import', 'main', ...args);
    // cast does not write the address down; ferry does.
    expect(imported.json().data).toMatchObject({ name: 'main', address });
    expect(opened('main', 'password one')).toBe(key);
    const exported = await run('export', 'main', '-o', join(keys, 'copy'));
    expect(exported.json().data).toMatchObject({ name: 'main', address, to: join(keys, 'copy') });
    expect(statSync(join(keys, 'copy')).mode & 0o777).toBe(0o600);
    expect(opened('copy', 'password one')).toBe(key);
    assertSilent(imported);
    assertSilent(exported);
  });

  test('behavior: keys in its own folder are used as they are, and it may change their passwords', async () => {
    const { keys, key: run, file } = desk(lightScrypt);
    castWallet('import', 'theirs', '-k', keys, '--private-key', key, '--unsafe-password', 'one');
    expect((await run('show', 'theirs')).json().data).toMatchObject({ kind: 'wallet', address: null });
    castWallet('change-password', 'theirs', '-k', keys, '--unsafe-password', 'one', '--unsafe-new-password', 'two');
    const [two, three] = [file('two', 'two'), file('three', 'password three')];
    const changed = await run('password', 'theirs', '--password-file', two, '--new-password-file', three);
    expect(changed.code).toBe(0);
    castWallet(
      'change-password',
      'theirs',
      '-k',
      keys,
      '--unsafe-password',
      'password three',
      '--unsafe-new-password',
      'password four',
    );
    const again = await run(
      'import',
      'again',
      '--keystore',
      join(keys, 'theirs'),
      '--password-file',
      file('4', 'password four'),
    );
    expect(again.json().data).toMatchObject({ address });
    expect(readFileSync(join(keys, 'again'), 'utf8')).not.toBe(readFileSync(join(keys, 'theirs'), 'utf8'));
  });
});
