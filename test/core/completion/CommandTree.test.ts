import { describe, expect, test } from 'vitest';
import { loadCatalogue } from '../../../src/cli/loadCatalog.js';
import * as CommandTree from '../../../src/core/completion/CommandTree.js';
import { tree } from '../../support/tree.js';

describe('from', () => {
  test('default: every command, and help', async () => {
    const catalogue = await loadCatalogue();
    const made = CommandTree.from(catalogue, [{ name: 'json', summary: 'What it prints' }]);
    expect(made.commands.map(({ name }) => name)).toEqual([...catalogue.commands.map(({ name }) => name), 'help']);
    expect(made.topics).toEqual([{ name: 'json', summary: 'What it prints' }]);
    const status = made.commands.find(({ name }) => name === 'status');
    expect(status?.args).toEqual([{ variadic: false, names: 'request', choices: undefined }]);
    expect(status?.flags.find(({ long }) => long === '--until')).toMatchObject({
      takesValue: true,
      choices: expect.arrayContaining(['success']),
    });
  });

  test('behavior: nothing that only help needs', async () => {
    const catalogue = await loadCatalogue();
    const text = JSON.stringify(CommandTree.from(catalogue, []));
    for (const { description, examples } of catalogue.commands)
      for (const words of [description, ...examples.flat()]) expect(text).not.toContain(JSON.stringify(words));
  });
});

describe('wordsAfter', () => {
  test('default', () => {
    const words = (...path: string[]) => CommandTree.wordsAfter(tree, path).map(({ name }) => name);
    expect([words('config'), words('execute'), words('config', 'get'), words('frob')]).toEqual([
      ['get', 'set'],
      ['call'],
      [],
      [],
    ]);
  });
});
