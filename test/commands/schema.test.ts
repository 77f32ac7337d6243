import { expect, test } from 'vitest';
import { table } from '../../src/cli/commandTable.js';
import { ferry } from '../support/ferry.js';

test.each([...table.map(({ name }) => name), 'error', 'event'])(
  'run: the schema of %s is the one that was approved',
  async (name) => {
    const ended = await ferry(['schema', ...name.split(' ')]);
    expect(ended.code).toBe(0);
    await expect(ended.stdout).toMatchFileSnapshot(`../recorded/schemas/${name.replaceAll(' ', '-')}.json`);
  },
);
