import { describe, expect, test } from 'vitest';
import * as ConfigV2 from '../../../src/core/api/foreign/ConfigV2.js';
import * as TokenDetails from '../../../src/core/api/foreign/TokenDetails.js';
import { native } from '../../../src/core/base/Address.js';
import { network } from '../../../src/core/network/sandbox.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { useService } from '../../support/customer.js';

const service = useService();

const [alpha, beta] = network.chains as [(typeof network.chains)[number], (typeof network.chains)[number]];
const venue = network.chains.find(({ vm }) => vm === 'lvm');
const user = accounts.dev2.address;

async function ask(query: Record<string, string>): Promise<[status: number, body: unknown]> {
  const answer = await service.get(`/config/v2?${new URLSearchParams(query)}`);
  return [answer.status, await answer.json()];
}

async function config(query: Record<string, string> = {}): Promise<ConfigV2.Response> {
  const [status, body] = await ask({ originChainId: `${alpha.id}`, destinationChainId: `${beta.id}`, ...query });
  expect(status).toBe(200);
  return ConfigV2.response.parse(body);
}

describe('bridgeConfig', () => {
  test('default: the native currency, with what the solver holds', async () => {
    const balance = `${await service.holds(accounts.solver.address, 'beta/ETH')}`;
    expect(await config()).toEqual({
      enabled: true,
      fee: expect.stringMatching(/^[1-9][0-9]*$/),
      solver: { address: accounts.solver.address, balance, capacityPerRequest: balance },
      supportsExternalLiquidity: false,
    });
  });

  test("behavior: the user's balance, and what a quote of all of it yields", async () => {
    const { user: found, fee } = await config({ currency: 'usdc', user });
    const balance = await service.holds(user, 'alpha/USDC');
    expect(found?.balance).toBe(`${balance}`);
    const quote = await service.quote({ from: 'alpha/USDC', to: 'beta/USDC', amount: `${balance}`, account: 'dev2' });
    expect(found?.maxBridgeAmount).toBe(quote.details.currencyOut.amount);
    expect(BigInt(fee ?? 0)).toBeLessThan(balance);
  });

  test('behavior: gas is kept back of a native currency', async () => {
    const { user: found } = await config({ user });
    const balance = await service.holds(user, 'alpha/ETH');
    const quote = await service.quote({ from: 'alpha/ETH', to: 'beta/ETH', amount: `${balance}`, account: 'dev2' });
    expect(BigInt(found?.maxBridgeAmount ?? 0)).toBeGreaterThan(0n);
    expect(BigInt(found?.maxBridgeAmount ?? 0)).toBeLessThan(BigInt(quote.details.currencyOut.amount));
  });

  test('behavior: an account without funds can bridge nothing', async () => {
    const { user: found } = await config({ currency: 'usdc', user: `0x${'9'.repeat(40)}` });
    expect(found).toEqual({ balance: '0', maxBridgeAmount: '0' });
  });

  test('behavior: one chain, the venue, or a currency that nobody has', async () => {
    expect(await config({ destinationChainId: `${venue?.id}`, currency: 'usdc' })).toMatchObject({ enabled: false });
    expect(await config({ destinationChainId: `${alpha.id}` })).toMatchObject({ enabled: false });
    expect(await config({ currency: 'doge' })).toMatchObject({ enabled: false });
  });

  test('error: an unknown chain, a user that is no account, no chain', async () => {
    const chains = { originChainId: `${alpha.id}`, destinationChainId: `${beta.id}` };
    expect(await ask({ ...chains, originChainId: '1' })).toMatchObject([400, { errorCode: 'UNSUPPORTED_CHAIN' }]);
    expect(await ask({ ...chains, user: 'me' })).toMatchObject([400, { errorCode: 'INVALID_ADDRESS' }]);
    expect(await ask({})).toMatchObject([400, { code: 'FST_ERR_VALIDATION' }]);
  });
});

describe('GET /chains/{chainId}/currencies/{address}', () => {
  test.each([
    ['alpha', native, { symbol: 'ETH', decimals: 18, vmType: 'evm', price: 2500, metadata: { isNative: true } }],
    ['beta', beta.tokens.find(({ symbol }) => symbol === 'USDC')?.address, { symbol: 'USDC', price: 1 }],
    ['lighter', '0', { symbol: 'USDC (Perp)', decimals: 6, vmType: 'lvm', price: 1 }],
  ])('default: on %s, %s', async (name, address, expected) => {
    const chainId = network.chains.find((chain) => chain.name === name)?.id;
    const answer = await service.get(`/chains/${chainId}/currencies/${address}`);
    const token = await answer.json();
    expect(TokenDetails.response.parse(token)).toEqual(token);
    expect([answer.status, token]).toMatchObject([200, { chainId, address, ...expected }]);
  });

  test.each([`/chains/1/currencies/0x1`, `/chains/${alpha.id}/currencies/${user}`])('error: %s', async (path) => {
    const answer = await service.get(path);
    expect([answer.status, await answer.json()]).toEqual([400, { message: 'Unsupported currency' }]);
  });
});
