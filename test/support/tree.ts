/** A small command tree with everything that a command line can contain. */
import type { Tree } from '../../src/core/completion/CommandTree.js';
import type { Flag } from '../../src/core/docs/CommandCatalog.js';

const flag = (long: string, rest: Partial<Flag> = {}): Flag => ({
  long,
  repeatable: false,
  description: `about ${long}`,
  ...rest,
});

export const tree: Tree = {
  commands: [
    {
      name: 'quote',
      summary: 'Price it',
      args: [{ variadic: false }, { variadic: false, names: 'currency' }, { variadic: false, names: 'currency' }],
      flags: [
        flag('--output', { short: '-o', value: 'value', names: 'file' }),
        flag('--state', { value: 'value', choices: ['waiting', 'success'] }),
        flag('--allow', { value: 'value', repeatable: true }),
        flag('--proof', { short: '-p' }),
      ],
    },
    { name: 'execute', summary: 'Do it', args: [{ variadic: true, names: 'transfer' }], flags: [] },
    {
      name: 'execute call',
      summary: 'Call it',
      args: [],
      flags: [flag('--chain', { value: 'value', names: 'chain' })],
    },
    { name: 'config get', summary: 'Get it', args: [{ variadic: false, names: 'setting' }], flags: [] },
    {
      name: 'config set',
      summary: 'Set it',
      args: [
        { variadic: false, names: 'setting' },
        { variadic: false, names: 'setting-value' },
      ],
      flags: [],
    },
    { name: 'status', summary: 'Where it is', args: [{ variadic: false, names: 'request' }], flags: [] },
    { name: 'schema', summary: 'Its shape', args: [{ variadic: true, names: 'command' }], flags: [] },
    { name: 'help', summary: 'Help', args: [{ variadic: true, names: 'topic' }], flags: [] },
  ],
  groups: { config: 'Settings' },
  topics: [{ name: 'json', summary: 'What --json prints' }],
  globals: [flag('--json'), flag('--network', { value: 'value', names: 'network' }), flag('--yes', { short: '-y' })],
};
