import { describe, expect, test } from 'vitest';
import * as SingleWitness from '../../../src/core/proof/SingleWitness.js';
import type { Finding } from '../../../src/core/quote/Finding.js';

const single: Finding = {
  check: 'price',
  subject: undefined,
  verdict: 'cannot verify',
  expected: 'two witnesses',
  found: 'one',
  witnesses: ['the service'],
};
const { witnesses: _, ...unseen } = single;

const sandbox = { name: 'sandbox', realMoney: false };
const testnet = { name: 'testnet', realMoney: false };
const mainnet = { name: 'mainnet', realMoney: true };

describe('rule', () => {
  test.each([
    ['sandbox', sandbox, true, 'ask'],
    ['sandbox', sandbox, false, 'refuse'],
    ['testnet', testnet, true, 'ask'],
    ['testnet', testnet, false, 'warn'],
    ['mainnet', mainnet, true, 'ask'],
    ['mainnet', mainnet, false, 'refuse'],
  ] as const)('default: one witness on %s, %j, asked %s: %s', (_name, network, isAsked, ruling) => {
    expect(SingleWitness.rule(single, { network, isAsked, allow: [] })).toBe(ruling);
    expect(SingleWitness.rule(single, { network, isAsked, allow: ['price'] })).toBe('accept');
  });

  test('behavior: on a test network only some facts are let pass', () => {
    const setting = { network: testnet, isAsked: false, allow: [] };
    expect(SingleWitness.rule({ ...single, check: 'effect' }, setting)).toBe('refuse');
  });

  test('error: what nobody shows, and a contradiction, are never asked about', () => {
    const setting = { network: sandbox, isAsked: true, allow: [] };
    expect(SingleWitness.rule(unseen, setting)).toBe('refuse');
    expect(SingleWitness.rule({ ...single, verdict: 'mismatch' }, { ...setting, allow: ['price'] })).toBe('refuse');
  });

  test.each(['verified', 'not checked'] as const)('behavior: %s is accepted', (verdict) => {
    expect(SingleWitness.rule({ ...single, verdict }, { network: mainnet, isAsked: false, allow: [] })).toBe('accept');
  });
});

describe('question', () => {
  test('default: the facts and their witnesses', () => {
    expect(SingleWitness.question([single])).toBe('Only one witness: price (the service).');
  });
});

describe('warning', () => {
  test('default: with the evidence', () => {
    expect(SingleWitness.warning(single)).toBe(
      'Only one witness: price (the service); expected two witnesses, found one.',
    );
  });
});
