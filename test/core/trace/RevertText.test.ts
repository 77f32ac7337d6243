import { describe, expect, test } from 'vitest';
import * as Revert from '../../../src/core/trace/Revert.js';
import * as RevertText from '../../../src/core/trace/RevertText.js';

const permit2 = { type: 'CALL', contract: 'Permit2' };
const custom = { type: 'customError', reason: 'InvalidSignature()', name: 'InvalidSignature', args: [] } as const;

describe('sentence', () => {
  test.each([
    [custom, 'Permit2 reverted: InvalidSignature()'],
    [{ type: 'errorString', reason: 'paused' }, 'Permit2 reverted: "paused"'],
    [Revert.from(`0x4e487b71${'12'.padStart(64, '0')}`), 'Permit2 failed: a division by zero (panic 0x12)'],
    [Revert.from('0xdeadbeef'), 'Permit2 reverted with an unknown custom error: 0xdeadbeef'],
    [Revert.from('0x'), 'Permit2 reverted without a reason'],
    [{ type: 'halt', reason: 'OutOfGas' }, 'Permit2 ran out of gas'],
    [{ type: 'halt', reason: 'invalid opcode: INVALID' }, 'Permit2 halted: invalid opcode: INVALID'],
    [
      { type: 'customError', reason: 'A() or B()', signatures: ['A()', 'B()'], selector: '0x01020304' },
      'Permit2 reverted: A() or B()',
    ],
  ] as const)('default: %j', (revert, text) => {
    expect(RevertText.sentence(permit2, revert)).toBe(text);
  });

  test('behavior: names the contract', () => {
    const to = '0xa27bc320252d51eeaa24bccf6cc003979e485860';
    expect(RevertText.sentence({ type: 'CALL', to }, custom)).toBe(
      'The contract 0xa27bC320252d51EEAA24BCCF6cc003979E485860 reverted: InvalidSignature()',
    );
    expect(RevertText.sentence({ type: 'CREATE2', to }, custom)).toMatch(/^The contract being created reverted/);
    expect(RevertText.sentence({ type: 'CALL' }, custom)).toMatch(/^A contract reverted/);
    expect(RevertText.sentence({ type: 'CALL', contract: 'USDC\u001b' }, custom)).toMatch(/^USDC\\x1b reverted/);
  });
});

describe('format', () => {
  test('default: an error among the arguments is formatted as an error', () => {
    const inner = Revert.from(`0x4e487b71${'01'.padStart(64, '0')}`);
    const revert = {
      type: 'customError',
      reason: '',
      name: 'CallFailed',
      args: [
        { name: 'index', type: 'uint256', value: '3' },
        { name: 'reason', type: 'bytes', value: `0x4e487b71${'01'.padStart(64, '0')}` },
        { name: 'last', type: 'bool', value: true },
      ],
      cause: inner,
    } as const;
    expect(RevertText.format(revert, 'line')).toBe(
      'CallFailed(index: 3, reason: an assertion failed (panic 0x01), last: true)',
    );
  });

  test('behavior: escapes untrusted text', () => {
    const evil = 'x\u001b[2J\u202e\n';
    for (const revert of [
      { type: 'errorString', reason: evil },
      { type: 'halt', reason: evil },
      { type: 'panic', reason: evil },
      { type: 'unknownCustomError', reason: evil },
      { type: 'customError', reason: evil, name: evil, args: [{ name: evil, value: evil }] },
      { type: 'customError', reason: evil },
    ] as const)
      expect(RevertText.format(revert, 'full')).not.toMatch(/\p{Cc}|\p{Cf}/u);
  });
});
