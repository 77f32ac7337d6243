import { describe, expect, test } from 'vitest';
import { loadCatalog } from '../../../src/cli/loadCatalog.js';
import * as CommandTree from '../../../src/core/completion/CommandTree.js';

describe('from', () => {
  test('default: every command, and help', async () => {
    const catalog = await loadCatalog();
    const made = CommandTree.from(catalog, [{ name: 'json', summary: 'What it prints' }]);
    expect(made.commands.map(({ name }) => name)).toEqual([...catalog.commands.map(({ name }) => name), 'help']);
    expect(made.topics).toEqual([{ name: 'json', summary: 'What it prints' }]);
    const status = made.commands.find(({ name }) => name === 'status');
    expect(status?.args).toEqual([{ variadic: false, names: 'request', choices: undefined }]);
    expect(status?.flags.find(({ long }) => long === '--until')).toMatchObject({
      takesValue: true,
      choices: expect.arrayContaining(['success']),
    });
  });

  test('behavior: omits what only help needs', async () => {
    const catalog = await loadCatalog();
    const text = JSON.stringify(CommandTree.from(catalog, []));
    for (const { description, examples } of catalog.commands)
      for (const words of [description, ...examples.flat()]) expect(text).not.toContain(JSON.stringify(words));
  });
});
