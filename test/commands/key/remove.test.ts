import { describe, expect, test } from 'vitest';
import { command } from '../../../src/commands/key/remove.js';
import { plain } from '../../../src/core/render/Style.js';
import { context, failure, run, workbench } from '../../support/workbench.js';

describe('run', () => {
  test('default', async () => {
    const parts = await context(workbench(), { answers: ['', '', 'y'] });
    const made = await parts.keystore.create('main');
    expect(await run(command, { args: ['main'] }, parts)).toEqual(made);
    expect(await parts.keystore.list()).toEqual([]);
  });

  test('behavior: --yes asks nothing', async () => {
    const bench = workbench();
    const passwordFile = bench.write('password', '');
    const parts = await context(bench, { flags: { yes: true, passwordFile } });
    await parts.keystore.create('main');
    await run(command, { args: ['main'] }, parts);
    expect(await parts.keystore.list()).toEqual([]);
  });

  test('error: declined', async () => {
    const parts = await context(workbench(), { answers: ['', '', 'n'] });
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

describe('view', () => {
  test('default', () => {
    expect(command.view({ name: 'main', address: null, path: '/keys/main' }, plain)).toBe(
      'Removed main\n  address  not told by the file\n  file     /keys/main',
    );
  });
});
