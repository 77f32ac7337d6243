import { describe, expect, test } from 'vitest';
import { plain } from '../../../src/core/text/TerminalStyle.js';
import * as TerminalTable from '../../../src/core/text/TerminalTable.js';

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const at = (width: number) => ({ ...plain, width, lineWidth: width });

describe('format', () => {
  const table = {
    head: ['Currency', 'Name', 'Decimals', 'Address'],
    rows: [
      ['alpha/usdc', 'USD Coin', '6', address],
      ['alpha/eth', 'Ether', '18', ''],
    ],
    right: [2],
  };

  test('default: columns where they fit', () => {
    expect(TerminalTable.format(table, at(80))).toBe(
      [
        'Currency    Name      Decimals  Address',
        `alpha/usdc  USD Coin         6  ${address}`,
        'alpha/eth   Ether           18',
      ].join('\n'),
    );
  });

  test('behavior: each row flows where they do not', () => {
    expect(TerminalTable.format(table, at(50)).split('\n')).toEqual([
      'Currency  Name  Decimals  Address',
      'alpha/usdc  USD Coin  6',
      `  ${address}`,
      'alpha/eth  Ether  18',
    ]);
  });
});

describe('rows', () => {
  const rows = [
    ['Network', 'sandbox'],
    ['To', address, 'the sender'],
  ] as const;

  test('default: aligned, notes behind their values', () => {
    expect(TerminalTable.rows(rows, at(80), 2)).toBe(`  Network  sandbox\n  To       ${address}  the sender`);
  });

  test('behavior: a note goes below where there is no room, and a word below its label', () => {
    expect(TerminalTable.rows(rows, at(54), 2).split('\n')).toEqual([
      '  Network  sandbox',
      `  To       ${address}`,
      '           the sender',
    ]);
    expect(TerminalTable.rows(rows, at(46), 2).split('\n')).toEqual([
      '  Network  sandbox',
      '  To',
      `    ${address}`,
      '           the sender',
    ]);
  });
});
