import { parseAbi } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import * as SelectorLookup from '../../../src/core/trace/SelectorLookup.js';
import { failure } from '../../support/workbench.js';

const texts = (map: SelectorLookup.Signatures['functions']): Record<string, string[]> =>
  Object.fromEntries([...map].map(([selector, all]) => [selector, all.map(({ text }) => text)]));

const lines = [
  'struct Part { address to; uint value; }',
  'function pay(Part[] parts, bytes32 id) returns (bool ok)',
  'error TooMuch(uint256 limit)',
  'event Paid(address to)',
];

test('merge: behavior: keeps two signatures with one selector', () => {
  const merged = SelectorLookup.merge(
    SelectorLookup.fromWritten(['function transfer(address to, uint256 value)']),
    SelectorLookup.fromWritten(['function many_msg_babbage(bytes1)']),
  );
  expect(texts(merged.functions)).toEqual({
    '0xa9059cbb': ['transfer(address,uint256)', 'many_msg_babbage(bytes1)'],
  });
});

describe('fromLines', () => {
  test('error: a long line of spaces is refused, and not parsed for minutes', () => {
    const text = `pay(address)\ntransfer(a${' '.repeat(2 ** 20)}ddress)`;
    expect(() => SelectorLookup.fromLines(text, 'signatures.txt')).toThrow('Line 2 of the signature file');
  });

  test('default: one per line, with comments and structs; a bare one is a function and an error', () => {
    const text = [
      '# my contracts',
      '',
      ...lines,
      'withdraw(uint256) // both',
      'function paused() view returns (bool)',
    ].join('\r\n');
    const found = SelectorLookup.fromLines(text, 'signatures.txt');
    expect(Object.values(texts(found.functions)).flat().sort()).toEqual([
      'paused()',
      'pay((address,uint256)[],bytes32)',
      'withdraw(uint256)',
    ]);
    expect(Object.values(texts(found.errors)).flat().sort()).toEqual(['TooMuch(uint256)', 'withdraw(uint256)']);
  });

  test('error: names the line', async () => {
    const error = await failure('config.invalid', () =>
      SelectorLookup.fromLines('error A()\n0xa9059cbb\n', '/home/s.txt'),
    );
    expect(error.message).toContain('Line 2');
    expect(error.facts).toContainEqual(['file', '/home/s.txt']);
  });
});

describe('fromJson', () => {
  const abi = parseAbi(['function pay(address to)', 'error TooMuch(uint256 limit)', 'constructor(string)']);
  test.each([
    ['a bare ABI', abi],
    ['a forge artifact', { abi, bytecode: { object: '0x60' }, methodIdentifiers: { 'pay(address)': '0c11dedd' } }],
    ['a hardhat artifact', { _format: 'hh-sol-artifact-1', contractName: 'A', abi, bytecode: '0x60' }],
    ['human-readable signatures', ['function pay(address to)', 'error TooMuch(uint256 limit)']],
  ])('default: %s', (_, value) => {
    const found = SelectorLookup.fromJson(JSON.stringify(value), 'A.json');
    expect(Object.values(texts(found.functions))).toEqual([['pay(address)']]);
    expect(Object.values(texts(found.errors))).toEqual([['TooMuch(uint256)']]);
  });

  test('behavior: omits items without a name or with an invalid type', () => {
    const odd = [
      { type: 'function', inputs: [] },
      { type: 'function', name: 'a b', inputs: [] },
      { type: 'error', name: 'A', inputs: [{ type: 'uint9', name: 'x' }] },
      { type: 'error', name: 'B' },
    ];
    const found = SelectorLookup.fromJson(JSON.stringify(odd), 'A.json');
    expect([...found.functions.keys()]).toEqual([]);
    expect(Object.values(texts(found.errors))).toEqual([['B()']]);
  });

  test.each(['', 'no JSON', '{}', '{"abi":3}', '[1]', '["not a signature"]', '{"abi":[{"name":"x"}]}'])(
    'error: %j',
    async (text) => {
      const error = await failure('trace.unreadable', () => SelectorLookup.fromJson(text, 'A.json'));
      expect([error.exit, error.message]).toEqual([2, 'A.json does not contain an ABI.']);
    },
  );
});
