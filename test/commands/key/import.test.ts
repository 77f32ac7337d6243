import { describe, expect, test } from 'vitest';
import { command } from '../../../src/commands/key/import.js';
import * as DevelopmentAccount from '../../../src/core/DevelopmentAccount.js';
import { plain } from '../../../src/core/render/Style.js';
import { context, failure, run, workbench } from '../../support/workbench.js';

const key = DevelopmentAccount.key(4);
const address = DevelopmentAccount.address(4);

describe('run', () => {
  test('default', async () => {
    const parts = await context(workbench(), { answers: [key, 'secret', 'secret'] });
    const kept = await run(command, { args: ['main'] }, parts);
    expect(kept).toMatchObject({ name: 'main', address });
  });

  test('behavior: from stdin', async () => {
    const bench = workbench({ stdin: key });
    const passwordFile = bench.write('password', '');
    const parts = await context(bench, { flags: { passwordFile, keyFile: '-' } });
    expect(await run(command, { args: ['main'], keyFile: '-', passwordFile }, parts)).toMatchObject({ address });
  });

  test('error: key and password cannot both be stdin', async () => {
    const parts = await context(workbench({ stdin: key }), { flags: { passwordFile: '-', keyFile: '-' } });
    await failure('usage.invalid', () => run(command, { args: ['main'], keyFile: '-', passwordFile: '-' }, parts));
    expect(await parts.keystore.list()).toEqual([]);
  });

  test('error: a file that others can read', async () => {
    const bench = workbench();
    const keyFile = bench.write('key', key, 0o644);
    const parts = await context(bench, { flags: { keyFile } });
    const error = await failure('auth.keystore', () => run(command, { args: ['main'], keyFile }, parts));
    expect(`${error.stack} ${JSON.stringify(error.facts)} ${error.hint} ${error.next}`).not.toContain(key.slice(2));
  });
});

describe('view', () => {
  test('default', () => {
    expect(command.view({ name: 'main', address, path: '/keys/main' }, plain)).toMatch(/^Imported main\n/);
  });
});
