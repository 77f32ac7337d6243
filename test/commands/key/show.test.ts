import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { command } from '../../../src/commands/key/show.js';
import * as DevelopmentAccount from '../../../src/core/network/DevelopmentAccount.js';
import { publicKeys } from '../../../src/sandbox/venue/venueAccounts.js';
import { context, failure, run, workbench } from '../../support/workbench.js';

describe('run', () => {
  test('default: a wallet’s key, and nothing of it but its address', async () => {
    const bench = workbench();
    const passwordFile = bench.write('password', 'long secret');
    const parts = await context(bench, { flags: { passwordFile } });
    const made = await parts.keystore.create('main');
    // Nobody can be asked here, so nothing is unlocked.
    const shown = await run(command, { args: ['main'] }, await context(bench));
    expect(shown).toEqual({ ...made, kind: 'wallet', venue: null });
    const { crypto } = JSON.parse(readFileSync(made.path, 'utf8'));
    expect(JSON.stringify(shown)).not.toContain(crypto.ciphertext);
  });

  test('behavior: an API key of the venue', async () => {
    const bench = workbench();
    const flags = { passwordFile: bench.write('password', 'long secret') };
    const apiKeys = await (await context(bench, { flags })).venueKeys();
    const place = { network: 'sandbox', accountIndex: 101, apiKeyIndex: 4 };
    const { path } = await apiKeys.add('api', bench.write('key', DevelopmentAccount.venueKey(1)), place);
    expect(await run(command, { args: ['api'] }, await context(bench))).toEqual({
      name: 'api',
      kind: 'venue',
      address: null,
      path,
      venue: { ...place, publicKey: publicKeys.dev1 },
    });
  });

  test('behavior: a development key on the sandbox, and nowhere else', async () => {
    const shown = await run(command, { args: ['dev3'] }, await context(workbench()));
    expect(shown).toMatchObject({ kind: 'development', address: DevelopmentAccount.address(3), path: null });
    const elsewhere = await context(workbench(), { flags: { network: 'mainnet' } });
    await failure('auth.unknown-account', () => run(command, { args: ['dev3'] }, elsewhere));
  });

  test('error: no key of that name', async () => {
    await failure('auth.unknown-account', async () => run(command, { args: ['mian'] }, await context(workbench())));
  });
});
