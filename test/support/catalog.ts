/** A small command table as data, with everything that is hard to escape: leading dots, quotes, dashes, bars. */
import type { Catalog } from '../../src/core/docs/CommandCatalog.js';

export const catalog: Catalog = {
  commands: [
    {
      name: 'config set',
      group: 'Settings',
      summary: 'Write "it" down',
      description: ".dots and 'quotes' come first: C:\\path, ~/.config, `x`, a^b, “curly” – and 船.",
      args: [
        { name: 'key', description: '.ferryrc or <other>', optional: false, variadic: false },
        { name: 'words', description: "'quoted'", optional: true, variadic: true, choices: ['a', 'b'] },
      ],
      flags: [
        { long: '--sponsor', value: 'all|components', repeatable: false, description: '-5 or more' },
        { long: '--yes', short: '-y', repeatable: false, description: 'says *yes*' },
      ],
      examples: [['.hidden --x \'a "b"\' | jq -r .data', 'for a script']],
    },
    {
      name: 'chains',
      group: 'Other',
      summary: 'Chains',
      description: 'All.',
      args: [],
      flags: [],
      examples: [['ferry chains', 'all']],
    },
  ],
  groups: { config: 'Settings' },
  globals: [{ long: '--json', repeatable: false, description: 'print JSON' }],
};
