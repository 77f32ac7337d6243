import { describe, expect, test } from 'vitest';
import type { Funds } from '../../../src/core/base/Errors.js';
import * as Attack from '../../../src/core/checks/Attack.js';
import type { Attacked } from '../../../src/core/checks/AttackReport.js';
import * as AttackReport from '../../../src/core/checks/AttackReport.js';
import * as Network from '../../../src/core/network/Network.js';
import { network } from '../../../src/core/network/sandbox.js';
import { plain } from '../../../src/core/text/TerminalStyle.js';

const holding = (chainName: string, symbol: string, base: bigint): AttackReport.Holding => {
  const chain = Network.chain(network, chainName);
  const token = Network.token(chain, symbol) ?? chain.native;
  return { currency: { chain, token }, base };
};
const has = (usdc: bigint, onBeta: bigint, eth = 10n): AttackReport.Holding[] => [
  holding('alpha', 'eth', eth),
  holding('alpha', 'usdc', usdc),
  holding('beta', 'usdc', onBeta),
];
const failed = (said: string, funds: Funds = 'untouched'): AttackReport.Ended => ({ said, funds, checks: [] });
const found = (check: string): AttackReport.Ended => ({ ...failed('verify.mismatch'), checks: [check] });
const arrived: AttackReport.Ended = { said: 'success', funds: 'delivered', checks: [] };

const pick = (ends: Attack.Attack['ends']): Attack.Attack => {
  const attack = Attack.attacks.find((each) => each.ends === ends);
  if (!attack) throw new Error(`No attack is ${ends}.`);
  return attack;
};
const [refused, held, once] = [pick('refused'), pick('held'), pick('once')];
const hundred = 100_000_000n;

const judged = (attack: Attack.Attack, ended: readonly AttackReport.Ended[], after: readonly AttackReport.Holding[]) =>
  AttackReport.from(attack, ended, { before: has(hundred, 0n), after });

describe('from', () => {
  test('default: refused by its check, with nothing moved', () => {
    const report = judged(refused, [found(refused.caught)], has(hundred, 0n));
    expect(report).toMatchObject({
      checks: [refused.caught],
      steps: [{ said: 'verify.mismatch', funds: 'untouched' }],
      balance: { amount: '100', currency: 'alpha/usdc' },
      changes: [],
      isHeldOff: true,
    });
  });

  test.each<[string, AttackReport.Ended, AttackReport.Holding[]]>([
    ['refused for another reason', found('digest'), has(hundred, 0n)],
    ['a unit is missing', found(refused.caught), has(hundred - 1n, 0n)],
    ['gas was paid', found(refused.caught), has(hundred, 0n, 9n)],
    ['it was paid', arrived, has(0n, 0n)],
  ])('error: %s', (_, ended, after) => {
    expect(judged(refused, [ended], after).isHeldOff).toBe(false);
  });

  const steps = [failed('submit.unknown', 'unknown'), failed('run.unfinished'), arrived];

  test('default: held, not repeated, then delivered; gas may have been paid', () => {
    const report = judged(held, steps, has(0n, 99n, 9n));
    expect(report.changes).toEqual([
      { amount: '-100', currency: 'alpha/usdc' },
      { amount: '0.000099', currency: 'beta/usdc' },
    ]);
    expect(report.isHeldOff).toBe(true);
  });

  test.each<[string, readonly AttackReport.Ended[], AttackReport.Holding[]]>([
    ['called untouched', [failed('verify.cap'), ...steps.slice(1)], has(0n, 99n)],
    ['called delivered', [arrived, arrived], has(0n, 99n)],
    ['paid twice', [steps[0] as AttackReport.Ended, arrived, arrived], has(-hundred, 199n)],
    ['paid twice, in silence', steps, has(-hundred, 99n)],
    ['never arrived', steps, has(0n, 0n)],
  ])('error: %s', (_, ended, after) => {
    expect(judged(held, ended, after).isHeldOff).toBe(false);
  });

  const second = failed(once.caught);

  test('default: once, then refused', () => {
    expect(judged(once, [arrived, second], has(0n, 99n, 9n)).isHeldOff).toBe(true);
  });

  test.each<[string, readonly AttackReport.Ended[], AttackReport.Holding[]]>([
    ['paid a second time, and delivered once', [arrived, arrived], has(-hundred, 99n)],
    ['paid a second time, in silence', [arrived, second], has(-hundred, 99n)],
    ['refused for another reason', [arrived, failed('run.unfinished')], has(0n, 99n)],
    ['not known the second time', [arrived, { ...second, funds: 'unknown' }], has(0n, 99n)],
    ['never arrived', [failed('submit.unknown', 'unknown'), second], has(0n, 0n)],
  ])('error: once, but %s', (_, ended, after) => {
    expect(judged(once, ended, after).isHeldOff).toBe(false);
  });
});

const attacked: Attacked = {
  ...{ liar: 'node', lie: 'says that gas is dear', witness: 'the quote', ends: 'refused', isHeldOff: true },
  steps: [{ said: 'verify.cap', funds: 'untouched' }],
  checks: [],
  balance: { amount: '1000', currency: 'alpha/usdc' },
  changes: [],
};

describe('format', () => {
  test('default: who lied, who showed it, and the balance', () => {
    expect(AttackReport.format(attacked, plain).split('\n')).toEqual([
      '✓ The node says that gas is dear',
      '  refused  verify.cap, shown by the quote',
      '  balance  1000 alpha/usdc, unchanged',
    ]);
  });

  test('error: an attack that succeeds', () => {
    const lines = AttackReport.format({ ...attacked, isHeldOff: false }, plain).split('\n');
    expect(lines.slice(0, 2)).toEqual([
      '✗ The node says that gas is dear',
      '  missed   verify.cap, shown by the quote',
    ]);
  });
});

test('summary: error: an attack that succeeds', () => {
  expect(AttackReport.summary({ attacks: [attacked], heldOff: 0, account: '0x01' }, plain)).toBe(
    '\n1 of 1 attacks were not held off: this is a bug in ferry.',
  );
});
