import { describe, expect, test } from 'vitest';
import { command } from '../../../src/commands/key/remove.js';
import * as KeyListing from '../../../src/core/accounts/KeyListing.js';
import { BaseError } from '../../../src/core/base/Errors.js';
import type { Context } from '../../../src/core/command/Context.js';
import * as DevelopmentAccount from '../../../src/core/network/DevelopmentAccount.js';
import { answering, context, failure, run, workbench } from '../../support/workbench.js';

describe('run', () => {
  test('default', async () => {
    const parts = await context(workbench(), { answers: ['long secret', 'long secret', 'y'] });
    const made = await parts.keystore.create('main');
    expect(await run(command, { args: ['main'] }, parts)).toEqual({ ...made, venue: null });
    expect(await parts.keystore.list()).toEqual([]);
  });

  test('behavior: an API key of the venue, and nothing else', async () => {
    const bench = workbench();
    const flags = { passwordFile: bench.write('password', 'long secret') };
    const place = { network: 'sandbox', accountIndex: 101, apiKeyIndex: 4 };
    const apiKeys = await (await context(bench, { flags })).venueKeys();
    const made = await apiKeys.add('api', bench.write('key', DevelopmentAccount.venueKey(1)), place);
    const asked = answering(['n', 'y']);
    const parts: Context = {
      ...(await context(bench, { flags })),
      confirm: async (question) => {
        if (!(await asked.confirm(question))) throw new BaseError('prompt.declined', 'Declined.');
      },
    };
    await failure('prompt.declined', () => run(command, { args: ['api'] }, parts));
    expect(await apiKeys.list()).toEqual([made]);
    expect(await run(command, { args: ['api'] }, parts)).toEqual(KeyListing.fromVenue(made));
    expect(asked.asked[0]).toBe('Delete the API key api of venue account 101?');
    expect(await apiKeys.list()).toEqual([]);
  });

  test('error: declined', async () => {
    const parts = await context(workbench(), { answers: ['long secret', 'long secret', 'n'] });
    const made = await parts.keystore.create('main');
    await failure('prompt.declined', () => run(command, { args: ['main'] }, parts));
    expect(await parts.keystore.list()).toEqual([made]);
  });

  test('error: no key of that name, before anything is asked', async () => {
    const parts = await context(workbench(), { answers: [] });
    await failure('auth.unknown-account', () => run(command, { args: ['main'] }, parts));
    await failure('auth.unknown-account', () => run(command, { args: ['../../config.json'] }, parts));
  });
});
