import { encodeErrorResult, parseAbi, toFunctionSelector } from 'viem';
import { describe, expect, test } from 'vitest';
import type * as SimulationFailure from '../../../src/core/api/schema/SimulationFailure.js';
import * as Revert from '../../../src/sandbox/execute/Revert.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import * as market from '../../support/market.js';
import { read } from '../../support/recorded.js';

const solidity = parseAbi(['error Error(string)', 'error Panic(uint256)']);

function errorString(reason: string) {
  return encodeErrorResult({ abi: solidity, errorName: 'Error', args: [reason] });
}

function panic(code: bigint) {
  return encodeErrorResult({ abi: solidity, errorName: 'Panic', args: [code] });
}

/** As in the recorded responses. */
const recorded = read('execute-errors') as Record<string, { body: { details: SimulationFailure.Details } }>;

describe('from', () => {
  test('default: a custom error with its arguments', () => {
    const output = encodeErrorResult({
      abi: abi.token,
      errorName: 'ERC20InsufficientBalance',
      args: [market.user, 1n, 2n],
    });
    expect(Revert.from({ output })).toEqual({
      type: 'customError',
      label: 'ERC20_INSUFFICIENT_BALANCE',
      message: 'ERC20 insufficient balance',
      selector: toFunctionSelector('ERC20InsufficientBalance(address,uint256,uint256)'),
      name: 'ERC20InsufficientBalance',
      args: { sender: market.user, balance: '1', needed: '2' },
    });
  });

  test('behavior: an error string, as recorded', () => {
    const { revert } = recorded.errorString?.body.details ?? {};
    expect(Revert.from({ output: errorString('transfer amount exceeds balance') })).toEqual(revert);
  });

  test('behavior: an error string without letters', () => {
    expect(Revert.from({ output: errorString('…') })).toMatchObject({
      type: 'errorString',
      label: 'ERROR',
      message: '…',
    });
    expect(Revert.from({ output: errorString('a'.repeat(1_000)) }).label).toHaveLength(80);
  });

  test('behavior: a panic, as recorded', () => {
    expect(Revert.from({ output: panic(0x11n) })).toEqual(recorded.panic?.body.details.revert);
  });

  test.each([0x01n, 0x12n, 0x21n, 0x22n, 0x31n, 0x32n, 0x41n, 0x51n, 0x99n])('behavior: panic %s', (code) => {
    const { type, label, message, args } = Revert.from({ output: panic(code) });
    expect([type, label, args]).toEqual([
      'panic',
      `PANIC_0X${code.toString(16).padStart(2, '0')}`,
      { code: code.toString() },
    ]);
    expect(message.startsWith('Panic of code')).toBe(code === 0x99n);
  });

  test('behavior: an unknown custom error, as recorded', () => {
    const word = '7'.padStart(64, '0');
    expect(Revert.from({ output: `0xa1b2c3d4${word}` })).toEqual(recorded.unknownCustomError?.body.details.revert);
  });

  test('behavior: a known selector with malformed arguments is unknown', () => {
    expect(Revert.from({ output: '0x08c379a0ff' })).toMatchObject({
      type: 'unknownCustomError',
      label: 'UNKNOWN_CUSTOM_ERROR_0x08c379a0',
      rawArgsHex: '0xff',
    });
  });

  test('behavior: nothing, as recorded', () => {
    for (const nothing of [
      {},
      { output: '0x' },
      { output: '0x', error: 'execution reverted' },
      { output: '0x12' },
    ] as const)
      expect(Revert.from(nothing)).toEqual(recorded.empty?.body.details.revert);
  });

  test('behavior: nothing, because the node aborted the call', () => {
    expect(Revert.from({ error: 'out of gas' })).toEqual({
      type: 'empty',
      label: 'OUT_OF_GAS',
      message: 'Out of gas',
    });
  });

  test("behavior: prefers the contract's own ABI for a shared selector", () => {
    const own = parseAbi(['error ERC20InsufficientBalance(address holder, uint256 has, uint256 wants)']);
    const output = encodeErrorResult({ abi: own, errorName: 'ERC20InsufficientBalance', args: [market.user, 1n, 2n] });
    expect(Object.keys(Revert.from({ output }, own).args ?? {})).toEqual(['holder', 'has', 'wants']);
  });

  test('behavior: formats arguments of every type as text', () => {
    const own = parseAbi(['struct P { uint256 x; bool y; }', 'error Odd(P p, uint256[] list, bool, bytes b)']);
    const args = [{ x: 2n ** 255n, y: true }, [1n, 2n], false, '0xab'] as const;
    const revert = Revert.from({ output: encodeErrorResult({ abi: own, errorName: 'Odd', args }) }, own);
    expect(revert.args).toEqual({
      p: `{"x":"${2n ** 255n}","y":true}`,
      list: '["1","2"]',
      '2': 'false',
      b: '0xab',
    });
  });
});

describe('label', () => {
  test.each([
    ['DelegationRedeemFailed', 'DELEGATION_REDEEM_FAILED'],
    ['InvalidSignature', 'INVALID_SIGNATURE'],
    ['ERC20InsufficientBalance', 'ERC20_INSUFFICIENT_BALANCE'],
    ['SafeERC20FailedOperation', 'SAFE_ERC20_FAILED_OPERATION'],
    ['Multicall3: call failed', 'MULTICALL3_CALL_FAILED'],
    ['ERC20: transfer amount exceeds balance', 'ERC20_TRANSFER_AMOUNT_EXCEEDS_BALANCE'],
    ['', ''],
  ])('default: %s', (text, label) => {
    expect(Revert.label(text)).toBe(label);
  });
});
