import { describe, expect, test } from 'vitest';
import { groups, table } from '../../src/cli/commandTable.js';
import { loadCatalog } from '../../src/cli/loadCatalog.js';
import { parse } from '../../src/cli/program.js';

const { commands, globals } = await loadCatalog();

describe('loadCatalog', () => {
  test('default: loads every command of the table', () => {
    expect(commands.map(({ name }) => name)).toEqual(table.map(({ name }) => name));
  });

  test.each(commands.map((command) => [command.name, command] as const))(
    'behavior: ferry %s --help lists the same options',
    async (name, { flags }) => {
      const parsed = await parse([...name.split(' '), '--help'], '1', { columns: 200, hasColors: false });
      const text = parsed.kind === 'text' ? parsed.text : '';
      expect(text).toContain('Examples:');
      const shown = [...text.matchAll(/^ {2}(-\w, )?(--[a-z-]+)( <[^>]+>)?/gm)].map(
        ([, short, long, value]) => `${short ?? ''}${long}${value ?? ''}`,
      );
      const all = [...flags, ...globals].map(
        ({ long, short, value }) => `${short ? `${short}, ` : ''}${long}${value === undefined ? '' : ` <${value}>`}`,
      );
      expect(shown.filter((each) => each !== '-h, --help').sort()).toEqual(all.sort());
    },
  );

  test('behavior: recognizes files, chains and currencies by their placeholders', () => {
    const named = commands.flatMap(({ args, flags }) => [
      ...args.map(({ name, names }) => [name, names] as const),
      ...flags.map(({ value = '', names }) => [value, names] as const),
    ]);
    for (const [word, kind] of [
      ['file', 'file'],
      ['chain', 'chain'],
      ['chain/token', 'currency'],
      ['from', 'currency'],
      ['to', 'currency'],
      ['currency', 'currency'],
    ])
      expect([...new Set(named.filter(([name]) => name === word).map(([, names]) => names))]).toEqual([kind]);
  });
});

describe('table', () => {
  test('default: every command loads and documents its options and examples', async () => {
    for (const { name, load } of table) {
      const command = await load();
      expect([name, command.examples.length > 0]).toEqual([name, true]);
      expect(command.description).toMatch(/^[A-Z].*\.$/s);
      for (const [line] of command.examples) expect(line).toContain(`ferry ${name}`);
      for (const [key, flag] of Object.entries(command.options))
        expect([key, flag]).toEqual([key, expect.objectContaining({ description: expect.any(String) })]);
    }
  });

  test('behavior: every group has a description', () => {
    const names = table.map(({ name }) => name);
    const found = names
      .flatMap((name) => (name.includes(' ') ? [name.split(' ')[0] ?? ''] : []))
      .filter((name) => !names.includes(name));
    expect([...new Set(found)].sort()).toEqual(Object.keys(groups).sort());
  });
});
