import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commands } from '../../../src/commands/key.js';
import * as Keystore from '../../../src/core/accounts/Keystore.js';
import * as VenueKeyFile from '../../../src/core/accounts/VenueKeyFile.js';
import * as DevelopmentAccount from '../../../src/core/network/DevelopmentAccount.js';
import { context, failure, run, type Workbench, workbench } from '../../support/workbench.js';

const encrypted = {
  ciphertext: '01'.repeat(32),
  iv: '02'.repeat(16),
  mac: '03'.repeat(32),
  kdf: { name: 'scrypt', ...Keystore.scryptCost, salt: '04'.repeat(32) },
} as const;

/** A workbench with a wallet's key `main` and an API key `api`, which nobody could open. */
function kept(): Workbench {
  const bench = workbench();
  const folder = 'home/.config/ferry/keys';
  bench.write(`${folder}/main`, Keystore.format({ ...encrypted, address: DevelopmentAccount.address(4) }, 'id'));
  const place = { network: 'sandbox', accountIndex: 101, apiKeyIndex: 4, publicKey: 'ab'.repeat(40) };
  const apiKey = VenueKeyFile.format({ ...encrypted, ciphertext: '01'.repeat(40), ...place }, 'id');
  bench.write(`${folder}/venue.keys/api`, apiKey);
  return bench;
}

describe('run', () => {
  test.each(['main', 'api'])('default: the encrypted file of %s, closed to others, unlocking nothing', async (name) => {
    const bench = kept();
    const to = join(bench.folder, 'copy.json');
    // Nobody can be asked here.
    const done = await run(commands.export, { args: [name], output: to }, await context(bench));
    expect(done).toMatchObject({ name, to });
    expect(readFileSync(to, 'utf8')).toBe(readFileSync(done.path, 'utf8'));
    expect(JSON.parse(readFileSync(to, 'utf8'))).toMatchObject({ version: 3, crypto: { cipher: 'aes-128-ctr' } });
    expect(statSync(to).mode & 0o777).toBe(0o600);
  });

  test('behavior: asks before it overwrites', async () => {
    const bench = kept();
    const output = bench.write('copy.json', 'mine', 0o644);
    const options = { args: ['main'], output };
    await failure('usage.confirmation', async () => run(commands.export, options, await context(bench)));
    await failure('prompt.declined', async () =>
      run(commands.export, options, await context(bench, { answers: ['n'] })),
    );
    expect(readFileSync(output, 'utf8')).toBe('mine');
    await run(commands.export, options, await context(bench, { answers: ['y'] }));
    expect([statSync(output).mode & 0o777, JSON.parse(readFileSync(output, 'utf8')).version]).toEqual([0o600, 3]);
  });

  test('error: a file that keeps a key is never overwritten', async () => {
    const bench = kept();
    const parts = await context(bench, { flags: { yes: true } });
    const { path: output } = await parts.keystore.find('main');
    const before = readFileSync(output, 'utf8');
    await failure('auth.key-exists', () => run(commands.export, { args: ['api'], output }, parts));
    expect(readFileSync(output, 'utf8')).toBe(before);
  });

  test.each([
    ['no file', undefined, 'usage.missing'],
    ['stdout', '-', 'usage.invalid'],
    ['a folder that is not there', 'nowhere/copy.json', 'config.unwritable'],
  ])('error: %s', async (_, output, code) => {
    const bench = kept();
    await failure(code, async () =>
      run(commands.export, { args: ['main'], ...(output && { output }) }, await context(bench)),
    );
  });
});
