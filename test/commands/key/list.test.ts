import { describe, expect, test } from 'vitest';
import { command } from '../../../src/commands/key/list.js';
import * as KeyListing from '../../../src/core/accounts/KeyListing.js';
import * as DevelopmentAccount from '../../../src/core/network/DevelopmentAccount.js';
import { context, run, workbench } from '../../support/workbench.js';

describe('run', () => {
  test('default', async () => {
    const parts = await context(workbench(), { answers: ['long secret', 'long secret'] });
    const made = await parts.keystore.create('main');
    const found = await run(command, { args: [] }, parts);
    expect(found.keys).toEqual([{ ...made, venue: null }]);
    expect(found.development.map((each) => each.name)).toEqual(Array.from({ length: 10 }, (_, i) => `dev${i}`));
  });

  test('behavior: API keys of the venue stand behind the wallets’ keys', async () => {
    const bench = workbench();
    const parts = await context(bench);
    const keyFile = bench.write('key', DevelopmentAccount.venueKey(1));
    const place = { network: 'sandbox', accountIndex: 101, apiKeyIndex: 4 };
    const passwordFile = bench.write('password', 'long secret');
    const closed = await context(bench, { flags: { passwordFile } });
    const apiKey = await (await closed.venueKeys()).add('api', keyFile, place);
    const wallet = await closed.keystore.create('main');
    expect((await run(command, { args: [] }, parts)).keys).toEqual([
      KeyListing.from(wallet),
      KeyListing.fromVenue(apiKey),
    ]);
  });

  test('behavior: there are no development accounts where money is real', async () => {
    const found = await run(command, { args: [] }, await context(workbench(), { flags: { network: 'mainnet' } }));
    expect(found).toMatchObject({ keys: [], development: [] });
  });
});
