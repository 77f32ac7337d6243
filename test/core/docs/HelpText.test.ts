import { describe, expect, test } from 'vitest';
import * as HelpLookup from '../../../src/core/docs/HelpLookup.js';

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
