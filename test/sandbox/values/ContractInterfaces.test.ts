import { encodeFunctionData, toFunctionSelector } from 'viem';
import { describe, expect, test } from 'vitest';
import * as abi from '../../../src/sandbox/values/abi.js';
import * as ContractInterfaces from '../../../src/sandbox/values/ContractInterfaces.js';
import { deployments } from '../../../src/sandbox/values/deployment.js';
import * as market from '../../support/market.js';

const { alpha, beta } = deployments;

describe('at', () => {
  test("behavior: undefined for an unknown address or the other chain's contract", () => {
    expect(ContractInterfaces.at(alpha, market.user)).toBeUndefined();
    expect(ContractInterfaces.at(alpha, beta.tokens.USDC.address)).toBeUndefined();
  });
});

describe('functionName', () => {
  const usdc = ContractInterfaces.at(alpha, alpha.tokens.USDC.address);
  if (!usdc) throw new Error('no USDC');

  test('default: also inherited token functions', () => {
    const transfer = encodeFunctionData({ abi: abi.token, functionName: 'transfer', args: [market.user, 1n] });
    expect(ContractInterfaces.functionName(usdc, transfer)).toBe('transfer');
    const nonces = encodeFunctionData({ abi: abi.usdCoin, functionName: 'nonces', args: [market.user] });
    expect(ContractInterfaces.functionName(usdc, nonces)).toBe('nonces');
  });

  test('behavior: undefined for an unknown, truncated or missing selector', () => {
    expect(ContractInterfaces.functionName(usdc, toFunctionSelector('unheardOf()'))).toBeUndefined();
    expect(ContractInterfaces.functionName(usdc, '0xa9059c')).toBeUndefined();
    expect(ContractInterfaces.functionName(usdc, '0x')).toBeUndefined();
  });
});
