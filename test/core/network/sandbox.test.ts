import { createHash } from 'node:crypto';
import { pad } from 'viem';
import { expect, test } from 'vitest';
import { native } from '../../../src/core/base/Address.js';
import * as Network from '../../../src/core/network/Network.js';
import { network } from '../../../src/core/network/sandbox.js';
import * as BaseCodec from '../../../src/core/order/BaseCodec.js';
import { usdcMint } from '../../../src/sandbox/svm/solverPayment.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { signingChainId, accounts as venueAccounts } from '../../../src/sandbox/venue/venueAccounts.js';
import { useChains } from '../../support/chains.js';
import { connect } from '../../support/nodeClients.js';

const chains = useChains();

test('default', () => {
  const { chains: shipped, ...rest } = network;
  expect(rest).toEqual({
    name: 'sandbox',
    baseUrl: undefined,
    realMoney: false,
    apiKey: 'sandbox-key',
    referrer: 'sandbox-referrer',
    solver: { chainSlug: 'alpha', addresses: [accounts.solver.address], relayers: [accounts.relayer.address] },
    venue: {
      baseUrl: undefined,
      signingChainId,
      // Of users, not of the service.
      accounts: Object.fromEntries(
        venueAccounts
          .filter(({ index }) => index >= 100 && index < 2 ** 47)
          .map(({ index, l1Address }) => [l1Address.toLowerCase(), String(index)]),
      ),
    },
  });
  // The mint of its chain of Solana's kind is the hash of a sentence, and so is nobody's key.
  const hash = createHash('sha256').update('USD Coin of the ferry sandbox').digest();
  expect(BaseCodec.decode(usdcMint, BaseCodec.bitcoin)).toEqual(Uint8Array.from(hash));
  expect(Network.chain(network, 'svm').tokens.map(({ address }) => address)).toEqual([usdcMint]);
  expect(shipped.map(({ id, name, slug, vm, native }) => ({ id, name, slug, vm, native: native.symbol }))).toEqual([
    { id: 313371, name: 'alpha', slug: 'alpha', vm: 'evm', native: 'ETH' },
    { id: 313372, name: 'beta', slug: 'beta', vm: 'evm', native: 'ETH' },
    { id: 3586256, name: 'lighter', slug: 'lighter', vm: 'lvm', native: 'USDC' },
    { id: 313374, name: 'svm', slug: 'svm', vm: 'svm', native: 'SOL' },
  ]);
});

test.each(['alpha', 'beta'] as const)('behavior: %s matches the deployment', async (name) => {
  const { contracts, tokens, native: ether, feeds = {} } = Network.chain(network, name);
  const client = connect(chains[name]);
  expect(await client.getChainId()).toBe(Network.chain(network, name).id);
  expect(ether).toEqual({ symbol: 'ETH', name: 'Ether', address: native, decimals: 18, asset: 'ETH' });

  const { depository = native, router, approvalProxy = native, wrapped, batchExecutor } = contracts;
  const allocator = { address: depository, abi: abi.depository, functionName: 'allocator' } as const;
  expect(await client.readContract(allocator)).not.toBe(native);
  const proxied = { address: approvalProxy, abi: abi.approvalProxy, functionName: 'router' } as const;
  expect(await client.readContract(proxied)).toBe(router);
  // Calibur, the code deployed on public chains, reports its own name and address.
  expect(await client.getEip712Domain({ address: batchExecutor ?? native })).toMatchObject({
    domain: {
      name: 'Calibur',
      version: '1.0.0',
      salt: pad((batchExecutor ?? native).toLowerCase() as `0x${string}`),
    },
  });

  expect(tokens.map((token) => token.symbol)).toEqual(['WETH', 'USDC', 'USDT', 'DAI', 'GULL', 'KELP']);
  for (const { address, asset: _, ...token } of tokens) {
    const contract = { address: address as `0x${string}`, abi: abi.token };
    expect({
      symbol: await client.readContract({ ...contract, functionName: 'symbol' }),
      name: await client.readContract({ ...contract, functionName: 'name' }),
      decimals: await client.readContract({ ...contract, functionName: 'decimals' }),
    }).toEqual(token);
  }
  expect(wrapped).toBe(Network.token(Network.chain(network, name), 'weth')?.address);

  const cost = { ETH: 250_000_000_000n, GULL: 25_000_000n };
  expect(Object.keys(feeds)).toEqual(Object.keys(cost));
  for (const [asset, { address, decimals }] of Object.entries(feeds)) {
    const feed = { address, abi: abi.priceFeed } as const;
    expect(await client.readContract({ ...feed, functionName: 'decimals' })).toBe(decimals);
    expect(await client.readContract({ ...feed, functionName: 'description' })).toBe(`${asset} / USD`);
    const [, answer, , updatedAt] = await client.readContract({ ...feed, functionName: 'latestRoundData' });
    expect(answer).toBe(cost[asset as keyof typeof cost]);
    expect(Math.abs(Number(updatedAt) - Date.now() / 1000)).toBeLessThan(120);
  }
});
