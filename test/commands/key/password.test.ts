import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commands } from '../../../src/commands/key.js';
import * as DevelopmentAccount from '../../../src/core/network/DevelopmentAccount.js';
import { castWallet } from '../../support/cast.js';
import { context, failure, run, workbench } from '../../support/workbench.js';

describe('run', () => {
  test('behavior: an API key of the venue, from files', async () => {
    const bench = workbench();
    const [passwordFile, newPasswordFile] = [bench.write('old', 'old secret'), bench.write('new', 'new secret')];
    const parts = await context(bench, { flags: { passwordFile } });
    const place = { network: 'sandbox', accountIndex: 101, apiKeyIndex: 4 };
    await (await parts.venueKeys()).add('api', bench.write('key', DevelopmentAccount.venueKey(1)), place);
    const options = { args: ['api'], passwordFile, newPasswordFile };
    expect(await run(commands.password, options, parts)).toMatchObject({ name: 'api', venue: place });
    // The old one opens it no more.
    await failure('auth.password', () => run(commands.password, options, parts));
  });

  test('error: an empty or short new one leaves the file as it was, and a file that exists opens with its own', async () => {
    const bench = workbench();
    const folder = join(bench.home, '.config', 'ferry', 'keys');
    mkdirSync(folder, { recursive: true });
    for (const [name, old] of [
      ['bare', ''],
      ['main', 'x'],
    ] as const) {
      castWallet('import', name, '-k', folder, '--private-key', DevelopmentAccount.key(4), '--unsafe-password', old);
      const parts = await context(bench, { flags: { passwordFile: bench.write('old', old) } });
      const before = readFileSync(join(folder, name), 'utf8');
      for (const [password, weakPassword] of [
        ['', true],
        ['short', false],
      ] as const) {
        const newPasswordFile = bench.write('new', password);
        const options = { args: [name], newPasswordFile, weakPassword };
        await failure('auth.weak-password', () => run(commands.password, options, parts));
      }
      expect(readFileSync(join(folder, name), 'utf8')).toBe(before);
      await run(
        commands.password,
        { args: [name], newPasswordFile: bench.write('new', 'short'), weakPassword: true },
        parts,
      );
      expect(readFileSync(join(folder, name), 'utf8')).not.toBe(before);
    }
  });

  test('error: both from stdin', async () => {
    const parts = await context(workbench(), { flags: { passwordFile: '-' } });
    const options = { args: ['main'], passwordFile: '-', newPasswordFile: '-' };
    const error = await failure('usage.invalid', () => run(commands.password, options, parts));
    expect(error.message).toContain('--new-password-file');
  });
});
