import { describe, expect, test } from 'vitest';
import * as SingleWitness from '../../../src/core/proof/SingleWitness.js';
import { type Finding, user } from '../../../src/core/quote/Finding.js';

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

  test('behavior: without a signature of the solver a test network warns, and all others refuse', () => {
    const unsigned = { ...single, check: 'solver-signature' };
    const rulings = [sandbox, testnet, mainnet].map((network) =>
      SingleWitness.rule(unsigned, { network, isAsked: false, allow: [] }),
    );
    expect(rulings).toEqual(['refuse', 'warn', 'refuse']);
  });

  test('behavior: a setting of the network accepts facts on one witness, and nothing else', () => {
    const network = { ...mainnet, allow: ['price', 'order-id'] };
    const setting = { network, isAsked: false, allow: [] };
    expect(SingleWitness.rule(single, setting)).toBe('accept');
    expect(SingleWitness.rule({ ...single, check: 'swap' }, setting)).toBe('refuse');
    expect(SingleWitness.rule({ ...unseen, check: 'order-id' }, setting)).toBe('refuse');
  });

  test.each([sandbox, testnet, mainnet])('error: where two must show it, nothing helps: $name', (network) => {
    const strict = { ...network, allow: ['price'], witnesses: 'two' as const };
    const setting = { network: strict, isAsked: true, allow: ['price'] };
    expect(SingleWitness.rule(single, setting)).toBe('refuse');
    expect(SingleWitness.rule(unseen, { ...setting, allow: ['price'] })).toBe('accept');
  });

  test('error: a message that ferry cannot compute is refused, whatever is allowed and whoever is asked', () => {
    const message = { ...unseen, check: 'signature-message' };
    const network = { ...sandbox, allow: ['signature-message'] };
    expect(SingleWitness.rule(message, { network, isAsked: true, allow: ['signature-message'] })).toBe('refuse');
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

describe('what only the user can decide about', () => {
  const loss = { ...single, check: 'loss', found: '$100 in, $90 out', witnesses: [user] };

  test('default: asked, refused where nobody is, and warned about where it is allowed', () => {
    const ruling = (isAsked: boolean, allow: string[]) =>
      SingleWitness.rule(loss, { network: mainnet, isAsked, allow });
    expect([ruling(true, []), ruling(false, []), ruling(false, ['loss'])]).toEqual(['ask', 'refuse', 'warn']);
  });

  test('behavior: it is no lack of witnesses, so the setting of two does not refuse what is allowed', () => {
    const strict = { ...mainnet, witnesses: 'two' as const };
    expect(SingleWitness.rule(loss, { network: strict, isAsked: false, allow: ['loss'] })).toBe('warn');
    expect(SingleWitness.rule(loss, { network: strict, isAsked: true, allow: [] })).toBe('ask');
  });

  test('behavior: it is spelled out', () => {
    expect(SingleWitness.question([single, loss])).toBe(
      'Expected two witnesses, but $100 in, $90 out. Only one witness: price (the service).',
    );
    expect(SingleWitness.facts([single, loss])).toBe('only one witness: price (the service); $100 in, $90 out');
    expect(SingleWitness.warning(loss)).toBe('Expected two witnesses, but $100 in, $90 out.');
  });
});

describe('hint', () => {
  const payment = { tradeType: 'EXACT_INPUT', input: 'KELP', output: 'USDC', isGuardable: false } as const;

  test('default: the limit of the user first, then the risk', () => {
    expect(SingleWitness.hint(['price'], payment, mainnet)).toBe(
      'Say what the price must be with --min-out <USDC>: the least USDC that you accept. To accept this, add --allow price.',
    );
  });

  test.each(['EXACT_OUTPUT', 'EXPECTED_OUTPUT'] as const)('behavior: %s is limited by what is paid', (tradeType) => {
    expect(SingleWitness.hint(['price'], { ...payment, tradeType }, mainnet)).toContain('--max-in <KELP>');
  });

  test('behavior: a batch is suggested only where the chain can guard it', () => {
    expect(SingleWitness.hint(['swap'], payment, mainnet)).toBe('To accept this, add --allow swap.');
    expect(SingleWitness.hint(['swap'], { ...payment, isGuardable: true }, mainnet)).toMatch(/--gasless.*--allow swap/);
  });

  test('behavior: where two witnesses are demanded, --allow is not suggested', () => {
    expect(SingleWitness.hint(['effect'], payment, { ...mainnet, witnesses: 'two' })).toContain(
      '--allow does not help',
    );
  });

  test('behavior: of a message that ferry cannot compute, --allow is not suggested', () => {
    const checks = ['signature-message', 'order-binding'];
    expect(SingleWitness.hint(checks, payment, mainnet)).toMatch(/^A message may be the hash of anything(?!.*--allow)/);
  });

  test('behavior: a permit that binds no order says why', () => {
    expect(SingleWitness.hint(['order-binding'], payment, mainnet)).toMatch(/relayer.*--permit.*--allow order-binding/);
  });
});
