import { describe, expect, test } from 'vitest';
import { network as sandbox } from '../../../src/core/network/sandbox.js';
import * as ContractLabels from '../../../src/core/trace/ContractLabels.js';
import { type ChainName, chainNames, deployments } from '../../../src/sandbox/values/deployment.js';

function names(chain: ChainName): ContractLabels.Names {
  return ContractLabels.from(
    sandbox,
    sandbox.chains.filter(({ name }) => name === chain),
  );
}

describe('from', () => {
  test.each(chainNames)('default: every contract of the sandbox on %s', (name) => {
    const { tokens, pools, ...rest } = deployments[name];
    const named = names(name);
    const at = (address: string) => named.get(address.toLowerCase());
    for (const token of Object.values(tokens)) expect(at(token.address)).toBe(token.symbol);
    for (const pool of pools) expect(at(pool.address)).toBe(`Pool ${at(pool.token0)}/${at(pool.token1)}`);
    const labels = {
      depository: 'Depository',
      router: 'Router',
      approvalProxy: 'ApprovalProxy',
      batchExecutor: 'Calibur',
      multicall3: 'Multicall3',
      delegationManager: 'DelegationManager',
      delegator: 'Delegator',
      forwarder: 'Forwarder',
      reverter: 'Reverter',
    } as const;
    for (const [contract, label] of Object.entries(labels))
      expect(at(rest[contract as keyof typeof labels])).toBe(label);
  });

  test('behavior: an address with two names has none', () => {
    const [alpha] = sandbox.chains;
    if (!alpha) throw new Error('no chain');
    const token = { symbol: 'A', name: 'A', address: '0x00000000000000000000000000000000000000AA', decimals: 18 };
    const other = { ...alpha, tokens: [{ ...token, symbol: 'B' }] };
    const named = ContractLabels.from(sandbox, [{ ...alpha, tokens: [token] }, other]);
    expect(named.get(token.address.toLowerCase())).toBeUndefined();
  });
});

test.each([
  ['0x0000000000000000000000000000000000000001', true],
  ['0x0000000000000000000000000000000000000011', true],
  // Arbitrum's own precompile, which has functions.
  ['0x0000000000000000000000000000000000000064', false],
  ['0x0000000000000000000000000000000000000100', false],
  ['0xa27bc320252d51eeaa24bccf6cc003979e485860', false],
])('isPrecompile: %s %s', (address, is) => {
  expect(ContractLabels.isPrecompile(address)).toBe(is);
});
