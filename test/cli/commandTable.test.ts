import { describe, expect, test } from 'vitest';
import { groups, table } from '../../src/cli/commandTable.js';

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
