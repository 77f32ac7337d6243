/** The tokens that need no signature: Token, Tether and WETH9. UsdCoin has a test of its own. */
import { encodeFunctionData, parseEventLogs } from 'viem';
import { describe, expect, test } from 'vitest';
import * as abi from '../../../src/sandbox/values/abi.js';
import { type Account, accounts } from '../../../src/sandbox/values/devAccounts.js';
import { approve, balance, type Call, revert, send, useChains } from '../../support/chains.js';
import { connect, connectAs } from '../../support/nodeClients.js';

const chains = useChains();
const { dev0, dev1, dev2, alphaTokens } = accounts;
const abis = { GULL: abi.token, USDC: abi.token, USDT: abi.tether, WETH: [...abi.token, ...abi.weth] } as const;

type Symbol = keyof typeof abis;

const addressOf = (symbol: Symbol) => chains.current.alpha.tokens[symbol].address;
const held = (symbol: Symbol, { address }: Account) => balance(chains.current.alpha, addressOf(symbol), address);

function call(symbol: Symbol, functionName: string, ...args: readonly unknown[]): Call {
  return { address: addressOf(symbol), abi: abis[symbol], functionName, args };
}

const sends = (from: Account, ...of: Parameters<typeof call>) => send(chains.current.alpha, from, call(...of));
const reverts = (from: Account, ...of: Parameters<typeof call>) => revert(chains.current.alpha, from, call(...of));

const allowance = (owner: Account, spender: Account) =>
  connect(chains.current.alpha).readContract({
    address: addressOf('USDT'),
    abi: abi.tether,
    functionName: 'allowance',
    args: [owner.address, spender.address],
  });

test('default: names and decimals', async () => {
  const client = connect(chains.current.alpha);
  for (const { address, symbol, name, decimals } of Object.values(chains.current.alpha.tokens)) {
    const read = (functionName: 'symbol' | 'name' | 'decimals') =>
      client.readContract({ address, abi: abi.token, functionName });
    expect([await read('symbol'), await read('name'), await read('decimals')]).toEqual([symbol, name, decimals]);
  }
});

test('mint: by the deployer alone', async () => {
  for (const symbol of ['GULL', 'USDC', 'USDT'] as const) {
    const before = await held(symbol, dev1);
    await sends(alphaTokens, symbol, 'mint', dev1.address, 3n);
    expect(await held(symbol, dev1)).toBe(before + 3n);
  }
  const refusal = `OwnableUnauthorizedAccount(${dev0.address})`;
  expect(await reverts(dev0, 'GULL', 'mint', dev1.address, 3n)).toBe(refusal);
  expect(await reverts(dev0, 'USDT', 'mint', dev0.address, 1n)).toBe('0x');
});

test('transferFrom: no more than is allowed', async () => {
  const refusals = { GULL: `ERC20InsufficientAllowance(${dev1.address}, 0, 4)`, USDT: '0x', WETH: '0x' };
  for (const [symbol, refusal] of Object.entries(refusals) as [keyof typeof refusals, string][]) {
    await approve(chains.current.alpha, dev0, addressOf(symbol), dev1.address, 4n);
    const before = await held(symbol, dev1);
    await sends(dev1, symbol, 'transferFrom', dev0.address, dev1.address, 4n);
    expect(await held(symbol, dev1)).toBe(before + 4n);
    expect(await reverts(dev1, symbol, 'transferFrom', dev0.address, dev1.address, 4n)).toBe(refusal);
  }
});

describe('Tether', () => {
  test('approve: no other amount until it is none', async () => {
    await sends(dev0, 'USDT', 'approve', dev1.address, 5n);
    expect(await reverts(dev0, 'USDT', 'approve', dev1.address, 6n)).toBe('0x');
    expect(await allowance(dev0, dev1)).toBe(5n);
    await sends(dev0, 'USDT', 'approve', dev1.address, 0n);
    await sends(dev0, 'USDT', 'approve', dev1.address, 6n);
    expect(await allowance(dev0, dev1)).toBe(6n);
  });

  test('transfer: returns nothing, and fails without a reason', async () => {
    const before = await held('USDT', dev2);
    const receipt = await sends(dev0, 'USDT', 'transfer', dev2.address, 9n);
    expect(await held('USDT', dev2)).toBe(before + 9n);
    expect(parseEventLogs({ abi: abi.token, logs: receipt.logs })).toMatchObject([
      { eventName: 'Transfer', args: { from: dev0.address, to: dev2.address, value: 9n } },
    ]);
    const data = encodeFunctionData({ abi: abi.token, functionName: 'transfer', args: [dev2.address, 5n] });
    const answer = connect(chains.current.alpha).call({ account: dev0.address, to: addressOf('USDT'), data });
    expect(await answer).toEqual({ data: undefined });
    expect(await reverts(dev0, 'USDT', 'transfer', dev2.address, (await held('USDT', dev0)) + 1n)).toBe('0x');
  });

  test('transferFrom: an unlimited allowance is not reduced', async () => {
    await sends(dev2, 'USDT', 'approve', dev0.address, 2n ** 256n - 1n);
    await sends(dev0, 'USDT', 'transferFrom', dev2.address, dev0.address, 4n);
    expect(await allowance(dev2, dev0)).toBe(2n ** 256n - 1n);
  });
});

describe('WETH9', () => {
  test('deposit: by name, and by a plain transfer', async () => {
    const before = await held('WETH', dev0);
    const receipt = await send(chains.current.alpha, dev0, { ...call('WETH', 'deposit'), value: 5n });
    expect(parseEventLogs({ abi: abi.weth, logs: receipt.logs })).toMatchObject([
      { eventName: 'Deposit', args: { dst: dev0.address, wad: 5n } },
    ]);
    const client = connectAs(chains.current.alpha, dev0);
    const hash = await client.sendTransaction({ to: addressOf('WETH'), value: 6n });
    await client.waitForTransactionReceipt({ hash });
    expect(await held('WETH', dev0)).toBe(before + 11n);
  });

  test('withdraw: no more than the balance', async () => {
    const client = connect(chains.current.alpha);
    const { address } = dev1;
    const [before, wrapped] = [await client.getBalance({ address }), await held('WETH', dev1)];
    const receipt = await sends(dev1, 'WETH', 'withdraw', 7n);
    const gas = receipt.gasUsed * receipt.effectiveGasPrice;
    expect(await client.getBalance({ address })).toBe(before + 7n - gas);
    expect(await held('WETH', dev1)).toBe(wrapped - 7n);
    expect(parseEventLogs({ abi: abi.weth, logs: receipt.logs })).toMatchObject([
      { eventName: 'Withdrawal', args: { src: address, wad: 7n } },
    ]);
    expect(await reverts(dev1, 'WETH', 'withdraw', wrapped)).toBe('0x');
  });
});
