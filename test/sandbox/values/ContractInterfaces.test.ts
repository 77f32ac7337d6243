import { encodeFunctionData, toFunctionSelector } from 'viem';
import { describe, expect, test } from 'vitest';
import * as abi from '../../../src/sandbox/values/abi.js';
import * as ContractInterfaces from '../../../src/sandbox/values/ContractInterfaces.js';
import { deployments } from '../../../src/sandbox/values/deployment.js';
import * as market from '../../support/market.js';

const { alpha, beta } = deployments;

describe('at', () => {
  test.each([
    ['depository', 'Depository'],
    ['router', 'Router'],
    ['approvalProxy', 'ApprovalProxy'],
    ['batchExecutor', 'BatchExecutor'],
    ['multicall3', 'Multicall3'],
    ['delegationManager', 'DelegationManager'],
    ['delegator', 'Delegator'],
    ['forwarder', 'Forwarder'],
    ['reverter', 'Reverter'],
  ] as const)('default: the %s, in any spelling', (key, name) => {
    expect(ContractInterfaces.at(alpha, alpha[key])?.name).toBe(name);
    expect(ContractInterfaces.at(beta, beta[key].toLowerCase() as `0x${string}`)?.name).toBe(name);
  });

  test('behavior: tokens and pools by their kind', () => {
    const names = Object.values(alpha.tokens).map(({ symbol, address }) => [
      symbol,
      ContractInterfaces.at(alpha, address)?.name,
    ]);
    expect(Object.fromEntries(names)).toEqual({
      WETH: 'WETH9',
      USDC: 'UsdCoin',
      USDT: 'Tether',
      DAI: 'Token',
      GULL: 'Token',
      KELP: 'Token',
    });
    for (const { address } of alpha.pools) expect(ContractInterfaces.at(alpha, address)?.name).toBe('Pool');
  });

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
