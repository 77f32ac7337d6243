import { describe, expect, test } from 'vitest';
import * as DevelopmentAccount from '../../src/core/network/DevelopmentAccount.js';
import { lookUp } from '../../src/setup/findKey.js';
import { context, failure, workbench } from '../support/workbench.js';

describe('lookUp', () => {
  test('default: either kind, with its files', async () => {
    const bench = workbench();
    const parts = await context(bench, { flags: { passwordFile: bench.write('password', 'long secret') } });
    const apiKeys = await parts.venueKeys();
    const place = { network: 'sandbox', accountIndex: 101, apiKeyIndex: 4 };
    const apiKey = await apiKeys.add('api', bench.write('key', DevelopmentAccount.venueKey(1)), place);
    const wallet = await parts.keystore.create('main');
    const found = await Promise.all(['api', 'main'].map((name) => lookUp(name, parts)));
    expect(found.map(({ key }) => key.path)).toEqual([apiKey.path, wallet.path]);
    expect(JSON.parse((await found[0]?.files.text('api')) ?? '')).toHaveProperty('venue');
    expect(JSON.parse((await found[1]?.files.text('main')) ?? '')).toHaveProperty('address');
  });

  test('error: an unknown name', async () => {
    await failure('auth.unknown-account', async () => lookUp('main', await context(workbench())));
  });
});
