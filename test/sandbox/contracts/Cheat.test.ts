import { encodeFunctionData, parseAbi } from 'viem';
import { describe, expect, test } from 'vitest';
import * as abi from '../../../src/sandbox/values/abi.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { balance, send, useChains } from '../../support/chains.js';
import { ask } from '../../support/node.js';

const chains = useChains();
const { dev0 } = accounts;

describe('trade', () => {
  test('default: keeps the tokens where gas is paid, and swaps them where it is free', async () => {
    const { alpha } = chains.current;
    const { USDC, DAI } = alpha.tokens;
    const pool = alpha.pools.find(({ token0 }) => token0 === DAI.address)?.address ?? alpha.cheat;
    const erc20 = parseAbi(['function approve(address, uint256)']);
    await send(alpha, dev0, {
      address: USDC.address,
      abi: erc20,
      functionName: 'approve',
      args: [alpha.cheat, 10n ** 9n],
    });
    const swap = encodeFunctionData({
      abi: abi.pool,
      functionName: 'swapExactIn',
      args: [USDC.address, 10n ** 8n, 1n, dev0.address],
    });
    const args = [USDC.address, 10n ** 8n, pool, swap] as const;
    const simulated = (await ask(alpha.rpcUrl, 'eth_simulateV1', {
      blockStateCalls: [
        {
          calls: [
            {
              from: dev0.address,
              to: alpha.cheat,
              data: encodeFunctionData({ abi: abi.cheat, functionName: 'trade', args }),
            },
          ],
        },
      ],
    })) as [{ calls: [{ status: string; logs: { address: string }[] }] }];
    expect(simulated[0].calls[0].status).toBe('0x1');
    expect(simulated[0].calls[0].logs.map(({ address }) => address.toLowerCase())).toContain(DAI.address.toLowerCase());
    const held = await balance(alpha, DAI.address, dev0.address);
    const receipt = await send(alpha, dev0, { address: alpha.cheat, abi: abi.cheat, functionName: 'trade', args });
    expect([receipt.status, receipt.logs.length]).toEqual(['success', 1]);
    expect(await balance(alpha, DAI.address, dev0.address)).toBe(held);
    expect(await balance(alpha, USDC.address, alpha.cheat)).toBe(10n ** 8n);
  });
});
