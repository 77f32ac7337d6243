import { toHex } from 'viem';
import { describe, expect, test } from 'vitest';
import * as abi from '../../../src/sandbox/values/abi.js';
import { type Account, accounts } from '../../../src/sandbox/values/devAccounts.js';
import { revert, useChains } from '../../support/chains.js';
import { connect } from '../../support/nodeClients.js';

const chains = useChains();
const { dev0 } = accounts;
const single = toHex(0, { size: 32 });

describe('manager', () => {
  test('default', async () => {
    for (const { delegator, delegationManager, ...chain } of [chains.current.alpha, chains.current.beta]) {
      const call = { address: delegator, abi: abi.delegator, functionName: 'manager' } as const;
      expect(await connect(chain).readContract(call)).toBe(delegationManager);
    }
  });
});

describe('executeFromExecutor', () => {
  test('error: caller other than the manager', async () => {
    expect(await refusal(dev0, [2n ** 64n, single, '0x'])).toBe(`CallerMustBeManager(${dev0.address})`);
  });

  test('error: unsupported mode', async () => {
    const batch = `0x01${'00'.repeat(31)}`;
    expect(await refusal(manager(), [2n ** 64n, batch, '0x'])).toBe(`UnsupportedMode(${batch})`);
  });

  test('error: expired', async () => {
    const { timestamp } = await connect(chains.current.alpha).getBlock();
    expect(await refusal(manager(), [timestamp - 1n, single, '0x'])).toBe(`DelegationExpired(${timestamp - 1n})`);
  });
});

function manager(): Account {
  return { ...dev0, address: chains.current.alpha.delegationManager };
}

async function refusal(caller: Account, args: readonly unknown[]) {
  const { alpha } = chains.current;
  const call = { address: alpha.delegator, abi: abi.delegator, functionName: 'executeFromExecutor', args };
  return await revert(alpha, caller, call);
}
