import { encodeFunctionData, parseAbi } from 'viem';
import { describe, expect, test } from 'vitest';
import * as ExactCall from '../../../../src/core/proof/router/ExactCall.js';

const abi = parseAbi(['function approve(address spender, uint256 amount)', 'function withdraw(uint256 amount)']);
const data = encodeFunctionData({ abi, functionName: 'withdraw', args: [7n] });

describe('decode', () => {
  test('default: the function and its arguments', () => {
    expect(ExactCall.decode(abi, data)).toEqual({ functionName: 'withdraw', args: [7n] });
  });
  test('behavior: undefined for more bytes, fewer bytes or another function', () => {
    expect(ExactCall.decode(abi, `${data}00`)).toBeUndefined();
    expect(ExactCall.decode(abi, data.slice(0, -2) as `0x${string}`)).toBeUndefined();
    expect(ExactCall.decode(abi, '0xdeadbeef')).toBeUndefined();
    expect(ExactCall.decode(abi, '0x')).toBeUndefined();
  });
});
