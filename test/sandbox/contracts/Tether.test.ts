import { encodeFunctionData, parseEventLogs } from 'viem';
import { describe, expect, test } from 'vitest';
import * as abi from '../../../src/sandbox/values/abi.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { approve, balance, revert, send, useChains } from '../../support/chains.js';
import { connect } from '../../support/nodeClients.js';

const chains = useChains();
const { dev0, dev1, dev2 } = accounts;

describe('approve', () => {
  test('default', async () => {
    const { alpha } = chains.current;
    await approve(alpha, dev0, usdt(), dev1.address, 5n);
    expect(await allowance()).toBe(5n);
    expect(await revert(alpha, dev0, tether('approve', dev1.address, 6n))).toBe('0x');
    await approve(alpha, dev0, usdt(), dev1.address, 0n);
    await approve(alpha, dev0, usdt(), dev1.address, 6n);
    expect(await allowance()).toBe(6n);
  });
});

describe('transfer', () => {
  test('default', async () => {
    const { alpha } = chains.current;
    const before = await balance(alpha, usdt(), dev2.address);
    const receipt = await send(alpha, dev0, tether('transfer', dev2.address, 9n));
    expect(await balance(alpha, usdt(), dev2.address)).toBe(before + 9n);
    expect(parseEventLogs({ abi: abi.token, logs: receipt.logs })).toMatchObject([
      { eventName: 'Transfer', args: { from: dev0.address, to: dev2.address, value: 9n } },
    ]);
  });

  test('behavior: returns nothing', async () => {
    const to = usdt();
    const data = encodeFunctionData({ abi: abi.token, functionName: 'transfer', args: [dev2.address, 5n] });
    expect(await connect(chains.current.alpha).call({ account: dev0.address, to, data })).toEqual({ data: undefined });
  });

  test('error: more than the balance', async () => {
    const held = await balance(chains.current.alpha, usdt(), dev0.address);
    expect(await revert(chains.current.alpha, dev0, tether('transfer', dev2.address, held + 1n))).toBe('0x');
  });
});

describe('transferFrom', () => {
  test('default', async () => {
    const { alpha } = chains.current;
    await approve(alpha, dev2, usdt(), dev1.address, 4n);
    await send(alpha, dev1, tether('transferFrom', dev2.address, dev0.address, 4n));
    expect(await revert(alpha, dev1, tether('transferFrom', dev2.address, dev0.address, 1n))).toBe('0x');
  });

  test('behavior: an unlimited allowance is not reduced', async () => {
    const { alpha } = chains.current;
    await approve(alpha, dev2, usdt(), dev0.address, 2n ** 256n - 1n);
    await send(alpha, dev0, tether('transferFrom', dev2.address, dev0.address, 4n));
    const args = [dev2.address, dev0.address] as const;
    const call = { address: usdt(), abi: abi.tether, functionName: 'allowance', args } as const;
    expect(await connect(alpha).readContract(call)).toBe(2n ** 256n - 1n);
  });
});

describe('mint', () => {
  test('error: not the deployer', async () => {
    expect(await revert(chains.current.alpha, dev0, tether('mint', dev0.address, 1n))).toBe('0x');
  });
});

function tether(functionName: string, ...args: readonly unknown[]) {
  return { address: usdt(), abi: abi.tether, functionName, args };
}

function usdt() {
  return chains.current.alpha.tokens.USDT.address;
}

async function allowance(): Promise<bigint> {
  const args = [dev0.address, dev1.address] as const;
  const call = { address: usdt(), abi: abi.tether, functionName: 'allowance', args } as const;
  return await connect(chains.current.alpha).readContract(call);
}
