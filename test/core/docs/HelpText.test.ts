import { describe, expect, test } from 'vitest';
import * as HelpText from '../../../src/core/docs/HelpText.js';

const document = [
  {
    title: 'One',
    blocks: [
      { text: 'A paragraph that is long enough to be broken where the room ends.' },
      {
        terms: [
          ['short', 'what it means'],
          ['longer-term', 'what this one means, which takes two lines'],
        ] as const,
      },
      { lines: ['ferry quote 1 alpha/usdc beta/usdc', '  as it is'] },
    ],
  },
  { title: 'Two', blocks: [{ text: 'Last.' }] },
];

describe('format', () => {
  test('default', () => {
    expect(HelpText.format(document, 48)).toMatchInlineSnapshot(`
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
    expect(HelpText.format([{ title: 'One', blocks: [{ terms }] }], 50)).toMatchInlineSnapshot(`
      "One:
        networks.<name>.chains.<chain>.rpcUrl
          a URL"
    `);
  });
});
