import { expect, test } from 'vitest';
import * as CursorContext from '../../../src/core/completion/CursorContext.js';
import { tree } from '../../support/tree.js';

/** The position in a line whose last word is at the cursor. */
const at = (line: string) => {
  const words = line.split(' ');
  return CursorContext.from(tree, words.slice(0, -1), words.at(-1) ?? '');
};
const words = (line: string) => at(line).words.map(({ name }) => name);
const flags = (line: string) => at(line).flags.map(({ long }) => long);
const globals = ['--json', '--network', '--yes', '--help'];

test.each([
  ['', ['quote', 'execute', 'config', 'status', 'schema', 'help']],
  ['--json ', ['quote', 'execute', 'config', 'status', 'schema', 'help']],
  ['config ', ['get', 'set']],
  ['execute ', ['call']],
  ['execute quote.json ', []],
  ['quote ', []],
])('default: the words of commands after "%s"', (line, expected) => {
  expect(words(line)).toEqual(expected);
});

test.each([
  ['quote -', ['--output', '--state', '--allow', '--proof', ...globals]],
  ['quote --o', ['--output', '--state', '--allow', '--proof', ...globals]],
  ['--', [...globals, '--version']],
  ['quote --json -o f --allow a --', ['--state', '--allow', '--proof', '--network', '--yes', '--help']],
  ['quote 1 a b ', ['--output', '--state', '--allow', '--proof', ...globals]],
  ['quote 1 ', []],
  ['quote -- -', []],
  ['config get maxFee ', globals],
])('default: the options after "%s"', (line, expected) => {
  expect(flags(line)).toEqual(expected);
});

test.each([
  ['quote 1 ', 'currency'],
  ['quote 1 a b', 'currency'],
  ['quote -o ', 'file'],
  ['quote -yo ', 'file'],
  ['quote --output ', 'file'],
  ['--network ', 'network'],
  ['quote --network ', 'network'],
  ['execute call --chain ', 'chain'],
  ['config set maxFee ', 'setting-value'],
  ['schema config ', 'command'],
  ['help ', 'topic'],
  ['quote 1 -- a', 'currency'],
])('default: after "%s" comes a %s', (line, kind) => {
  expect(at(line).value?.names).toBe(kind);
});

test('behavior: a value in the same word', () => {
  expect(at('quote --state=su')).toMatchObject({
    before: '--state=',
    typed: 'su',
    value: { choices: ['waiting', 'success'] },
  });
  expect(at('quote --frob=x').value).toBeUndefined();
});

test('behavior: the selected network; accepts any incomplete line', () => {
  const lines = ['quote ', 'quote --network a ', '--network=b quote ', 'quote --network c --network d '];
  expect(lines.map((line) => at(line).network)).toEqual([undefined, 'a', 'b', 'd']);
  for (const line of ['frob x ', 'config frob ', '-x -y -z', 'quote -- -- --', '= =', '--network', 'help help help '])
    expect(() => at(line)).not.toThrow();
});
