import { expect, test } from 'vitest';
import { loadCatalog } from '../../../src/cli/loadCatalog.js';
import * as CommandTree from '../../../src/core/completion/CommandTree.js';

test('from: every command, and help', async () => {
  const catalog = await loadCatalog();
  const made = CommandTree.from(catalog, [{ name: 'json', summary: 'What it prints' }]);
  expect(made.commands.map(({ name }) => name)).toEqual([...catalog.commands.map(({ name }) => name), 'help']);
  expect(made.topics).toEqual([{ name: 'json', summary: 'What it prints' }]);
  const status = made.commands.find(({ name }) => name === 'status');
  expect(status?.args).toMatchObject([{ variadic: false, names: 'request' }]);
  expect(status?.flags.find(({ long }) => long === '--until')).toMatchObject({
    value: expect.any(String),
    choices: expect.arrayContaining(['success']),
  });
});
