import { describe, expect, test } from 'vitest';
import * as HelpLookup from '../../../src/core/docs/HelpLookup.js';
import { topics } from '../../../src/core/docs/HelpTopic.js';
import { failure } from '../../support/workbench.js';

const names = ['quote', 'config', 'config set'];

describe('from', () => {
  test.each(topics.map(({ name }) => name))('default: the topic %s, wrapped to the width', async (name) => {
    for (const columns of [60, 80, 200]) {
      const subject = await HelpLookup.from([name], { topics, names }, columns);
      const lines = 'text' in subject ? subject.text.split('\n') : [];
      expect(lines.length).toBeGreaterThan(10);
      // Preformatted lines are indented by four.
      expect(lines.filter((line) => line.length > columns && !line.startsWith('    '))).toEqual([]);
      expect(lines.filter((line) => line !== line.trimEnd())).toEqual([]);
    }
  });

  test('error: neither a command nor a topic', async () => {
    const error = await failure('usage.unknown-command', () => HelpLookup.from(['exit-code'], { topics, names }, 80));
    expect(error).toMatchObject({ hint: 'Did you mean exit-codes?', next: 'ferry --help' });
    const part = await failure('usage.unknown-command', () => HelpLookup.from(['config', 'st'], { topics, names }, 80));
    expect(part.hint).toBe('Did you mean config set?');
  });
});

const document = [
  [
    'One',
    'A paragraph that is long enough to be broken where the room ends.',
    {
      terms: [
        ['short', 'what it means'],
        ['longer-term', 'what this one means, which takes two lines'],
      ],
    },
    { lines: ['ferry quote 1 alpha/usdc beta/usdc', '  as it is'] },
  ],
  ['Two', 'Last.'],
] as const;

describe('format', () => {
  test('default', () => {
    expect(HelpLookup.format(document, 48)).toMatchInlineSnapshot(`
      "One:
        A paragraph that is long enough to be broken
        where the room ends.

        short        what it means
        longer-term  what this one means, which takes
                     two lines

          ferry quote 1 alpha/usdc beta/usdc
            as it is

      Two:
        Last."
    `);
  });

  test('behavior: long terms get their own lines', () => {
    const terms = [['networks.<name>.chains.<chain>.rpcUrl', 'a URL']] as const;
    expect(HelpLookup.format([['One', { terms }]], 50)).toMatchInlineSnapshot(`
      "One:
        networks.<name>.chains.<chain>.rpcUrl
          a URL"
    `);
  });
});
