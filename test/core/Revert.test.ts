import { encodeErrorResult, parseAbi } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import * as Revert from '../../src/core/Revert.js';

const abi = parseAbi([
  'error Error(string)',
  'error Panic(uint256)',
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
]);
const sender = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

describe('from', () => {
  test('default', () => {
    expect(Revert.from(encodeErrorResult({ abi, errorName: 'Error', args: ['paused'] }))).toEqual({
      type: 'errorString',
      reason: 'paused',
      selector: '0x08c379a0',
    });
  });

  test.each([
    [17n, 'panic 0x11: an arithmetic overflow or underflow'],
    [1n, 'panic 0x01: an assertion failed'],
    [255n, 'panic 0xff: unknown'],
  ])('behavior: panic %d', (code, reason) => {
    expect(Revert.from(encodeErrorResult({ abi, errorName: 'Panic', args: [code] }))).toEqual({
      type: 'panic',
      reason,
      selector: '0x4e487b71',
    });
  });

  test('behavior: a well-known custom error', () => {
    expect(
      Revert.from(encodeErrorResult({ abi, errorName: 'ERC20InsufficientBalance', args: [sender, 1n, 2n] })),
    ).toEqual({
      type: 'customError',
      reason: `ERC20InsufficientBalance(${sender}, 1, 2)`,
      selector: '0xe450d38c',
    });
  });

  test.each([
    ['0x', 'empty', undefined],
    ['0xdeadbeef', 'unknownCustomError', '0xdeadbeef'],
    ['0xDEADBEEF00', 'unknownCustomError', '0xdeadbeef'],
    ['0x12', 'unknownCustomError', '0x12'],
    ['0x08c379a0', 'unknownCustomError', '0x08c379a0'],
  ] as const)('behavior: %s is %s', (data, type, selector) => {
    expect(Revert.from(data)).toMatchObject({ type, ...(selector ? { selector } : {}) });
  });
});
