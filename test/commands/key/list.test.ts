import { describe, expect, test } from 'vitest';
import { command } from '../../../src/commands/key/list.js';
import { plain } from '../../../src/core/render/Style.js';
import { context, run, workbench } from '../../support/workbench.js';

describe('run', () => {
  test('default', async () => {
    const parts = await context(workbench(), { answers: ['', ''] });
    const made = await parts.keystore.create('main');
    const found = await run(command, { args: [] }, parts);
    expect(found.keys).toEqual([made]);
    expect(found.development.map((each) => each.name)).toEqual(Array.from({ length: 10 }, (_, i) => `dev${i}`));
  });

  test('behavior: there are no development accounts where money is real', async () => {
    const found = await run(command, { args: [] }, await context(workbench(), { flags: { network: 'mainnet' } }));
    expect(found).toMatchObject({ keys: [], development: [] });
  });
});

describe('view', () => {
  test('default', () => {
    const address = '0x1111111111111111111111111111111111111111';
    const keys = [{ name: 'main', address, path: '/keys/main' }];
    expect(command.view({ folder: '/keys', keys, development: [] }, plain)).toBe(`/keys\nmain  ${address}`);
  });
});
