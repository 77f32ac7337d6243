import { expect, test } from 'vitest';
import { table } from '../../src/cli/commandTable.js';
import { command } from '../../src/commands/schema.js';
import type { Context } from '../../src/core/command/Context.js';
import { plain } from '../../src/core/text/TerminalStyle.js';
import { ferry } from '../support/ferry.js';

const context = { commands: table } as Partial<Context> as Context;

test.each([...table.map(({ name }) => name), 'error', 'event'])(
  'run: the schema of %s is the one that was approved',
  async (name) => {
    const schema = await command.run({ args: name.split(' ') }, context);
    if (Symbol.asyncIterator in schema) throw new Error('the command streams');
    await expect(`${command.view(schema, plain)}\n`).toMatchFileSnapshot(
      `../recorded/schemas/${name.replaceAll(' ', '-')}.json`,
    );
  },
);

test('view: stdout is the schema', async () => {
  const ended = await ferry(['schema', 'config', 'list']);
  expect(ended.code).toBe(0);
  await expect(ended.stdout).toMatchFileSnapshot('../recorded/schemas/config-list.json');
});
