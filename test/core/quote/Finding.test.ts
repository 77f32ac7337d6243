import { expect, test } from 'vitest';
import { collect } from '../../../src/core/quote/Finding.js';

test('collect: each method adds its verdict', () => {
  const findings = collect('deposit');
  findings.say('a', true, 'x', 'x');
  findings.say('b', false, 'x', 'y');
  findings.equal('c', '0xAB', '0xab');
  findings.equal('d', '0xAB', undefined);
  findings.equal('e', undefined, '0xab');
  findings.cannot('swap', 'x', 'why');
  findings.skip('g', 'why');
  expect(findings.list.map(({ check, verdict }) => `${check} ${verdict}`)).toEqual([
    'a verified',
    'b mismatch',
    'c verified',
    'd mismatch',
    'e not checked',
    'swap cannot verify',
    'g not checked',
  ]);
  expect(findings.list.every(({ subject }) => subject === 'deposit')).toBe(true);
});
