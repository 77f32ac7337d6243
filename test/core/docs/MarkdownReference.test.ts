import { describe, expect, test } from 'vitest';
import { loadCatalog } from '../../../src/cli/loadCatalog.js';
import * as MarkdownReference from '../../../src/core/docs/MarkdownReference.js';
import { catalog } from '../../support/catalog.js';

describe('format', () => {
  test('default', () => {
    const topics = [
      [{ title: 'Exit codes', blocks: [{ terms: [['a|b', 'done']] as const }, { lines: ['x'] }, { text: '*' }] }],
    ];
    expect(MarkdownReference.format({ catalog, topics, version: '1.2.3' })).toMatchInlineSnapshot(`
      "# ferry 1.2.3: reference

      Written by the build from the command table; \`ferry help <command>\` says the same.

      - [ferry config set](#ferry-config-set): write "it" down
      - [ferry chains](#ferry-chains): chains

      ## Options of every command

      | Option | |
      | --- | --- |
      | \`--json\` | print JSON |

      ## Settings

      ### ferry config set

      .dots and 'quotes' come first: C:\\\\path, ~/.config, \\\`x\\\`, a^b, “curly” – and 船.

      \`\`\`
      ferry config set <key> [words...]
      \`\`\`

      | Argument | |
      | --- | --- |
      | \`key\` | .ferryrc or \\<other\\> |
      | \`words\` | 'quoted': a, b |

      | Option | |
      | --- | --- |
      | \`--sponsor <all\\|components>\` | -5 or more |
      | \`-y, --yes\` | says \\*yes\\* |

      \`\`\`
      # for a script
      .hidden --x 'a "b"' | jq -r .data
      \`\`\`

      ## Other

      ### ferry chains

      All.

      \`\`\`
      ferry chains
      \`\`\`

      \`\`\`
      # all
      ferry chains
      \`\`\`

      ## Exit codes

      |  | |
      | --- | --- |
      | \`a\\|b\` | done |

      \`\`\`
      x
      \`\`\`

      \\*
      "
    `);
  });

  test('behavior: every command has its place, and every link leads to one', async () => {
    const page = MarkdownReference.format({ catalog: await loadCatalog(), topics: [], version: '1' });
    const headings = [...page.matchAll(/^### (.+)$/gm)].map(([, heading]) => heading?.replaceAll(' ', '-'));
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, link]) => link);
    expect(links).toEqual(headings);
  });
});

describe('syntaxOf', () => {
  test('default', () => {
    expect(catalog.commands.map(MarkdownReference.syntaxOf)).toEqual([
      'ferry config set <key> [words...]',
      'ferry chains',
    ]);
  });
});
