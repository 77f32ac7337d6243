import { parseEventLogs } from 'viem';
import { describe, expect, test } from 'vitest';
import * as abi from '../../../src/sandbox/values/abi.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { approve, balance, revert, send, useChains } from '../../support/chains.js';
import { connect, connectAs } from '../../support/nodeClients.js';

const chains = useChains();
const { dev0, dev1 } = accounts;

describe('deposit', () => {
  test('default', async () => {
    const { alpha } = chains.current;
    const before = await balance(alpha, weth(), dev0.address);
    const call = { address: weth(), abi: abi.weth, functionName: 'deposit', value: 5n };
    const receipt = await send(alpha, dev0, call);
    expect(await balance(alpha, weth(), dev0.address)).toBe(before + 5n);
    expect(parseEventLogs({ abi: abi.weth, logs: receipt.logs })).toMatchObject([
      { eventName: 'Deposit', args: { dst: dev0.address, wad: 5n } },
    ]);
  });

  test('behavior: a plain transfer is a deposit', async () => {
    const { alpha } = chains.current;
    const before = await balance(alpha, weth(), dev0.address);
    const client = connectAs(alpha, dev0);
    await client.waitForTransactionReceipt({ hash: await client.sendTransaction({ to: weth(), value: 6n }) });
    expect(await balance(alpha, weth(), dev0.address)).toBe(before + 6n);
  });
});

describe('withdraw', () => {
  test('default', async () => {
    const { alpha } = chains.current;
    const { address } = dev1;
    const before = await connect(alpha).getBalance({ address });
    const held = await balance(alpha, weth(), address);
    const receipt = await send(alpha, dev1, withdraw(7n));
    const gas = receipt.gasUsed * receipt.effectiveGasPrice;
    expect(await connect(alpha).getBalance({ address })).toBe(before + 7n - gas);
    expect(await balance(alpha, weth(), address)).toBe(held - 7n);
    expect(parseEventLogs({ abi: abi.weth, logs: receipt.logs })).toMatchObject([
      { eventName: 'Withdrawal', args: { src: address, wad: 7n } },
    ]);
  });

  test('error: more than the balance', async () => {
    const held = await balance(chains.current.alpha, weth(), dev0.address);
    expect(await revert(chains.current.alpha, dev0, withdraw(held + 1n))).toBe('0x');
  });
});

describe('transferFrom', () => {
  test('default', async () => {
    const { alpha } = chains.current;
    await approve(alpha, dev0, weth(), dev1.address, 4n);
    const args = [dev0.address, dev1.address, 4n];
    const call = { address: weth(), abi: abi.token, functionName: 'transferFrom', args };
    await send(alpha, dev1, call);
    expect(await revert(alpha, dev1, call)).toBe('0x');
  });
});

describe('totalSupply', () => {
  test('behavior: every unit is backed by a wei', async () => {
    for (const chain of [chains.current.alpha, chains.current.beta]) {
      const { address } = chain.tokens.WETH;
      const holders = Object.values(accounts).map((account) => account.address);
      const pools = chain.pools.map((pool) => pool.address);
      const held = await Promise.all([...holders, ...pools].map((holder) => balance(chain, address, holder)));
      const sum = held.reduce((a, b) => a + b, 0n);
      expect(await connect(chain).getBalance({ address })).toBe(sum);
      expect(await connect(chain).readContract({ address, abi: abi.token, functionName: 'totalSupply' })).toBe(sum);
    }
  });
});

function withdraw(amount: bigint) {
  return { address: weth(), abi: abi.weth, functionName: 'withdraw', args: [amount] };
}

function weth() {
  return chains.current.alpha.tokens.WETH.address;
}
