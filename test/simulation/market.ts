/** The network of the model as the program knows it, and the market as the service knows it. */

import type { Address } from '../../src/core/base/Address.js';
import type * as Network from '../../src/core/network/Network.js';
import { network as shipped } from '../../src/core/network/sandbox.js';
import { venueDescription } from '../../src/sandbox/settlement/readVenue.js';
import { deployments } from '../../src/sandbox/values/deployment.js';
import type { EvmChain, Market, VenueChain } from '../../src/sandbox/values/Market.js';
import type { Blockchain } from './blockchain.js';
import type { Contracts } from './contracts.js';
import * as venues from './venue.js';

/** The sandbox's chains and contracts, as a network whose money is real: what is lenient for tests is not lenient here. */
export const network: Network.Network = {
  ...shipped,
  name: 'model',
  baseUrl: 'https://service.example',
  realMoney: true,
  // Whoever swaps has accepted a contract that ferry does not know.
  allow: ['swap'],
  venue: shipped.venue && { ...shipped.venue, baseUrl: 'https://venue.example' },
  chains: shipped.chains.filter(({ vm }) => vm === 'evm' || vm === 'lvm'),
};

export type ChainName = 'alpha' | 'beta';

/** The contracts of a chain, in lower case. */
export function contractsOf(name: ChainName): Contracts {
  const { id, tokens, ...deployed } = deployments[name];
  const { depository, router, approvalProxy, aggregator, batchExecutor } = deployed;
  const { depositFactory, depositImplementation } = deployed;
  return {
    chainId: id,
    depository: depository.toLowerCase(),
    router: router.toLowerCase(),
    approvalProxy: approvalProxy.toLowerCase(),
    aggregator: aggregator.toLowerCase(),
    batchExecutor: batchExecutor.toLowerCase(),
    depositFactory: depositFactory.toLowerCase(),
    depositImplementation: depositImplementation.toLowerCase(),
    tokens: new Set(Object.values(tokens).map(({ address }) => address.toLowerCase())),
  };
}

/** What prices depend on. The pools are as they were deployed: no swap of the model moves a price. */
export function marketOf(nowMs: number, chains: readonly Blockchain[], venue: venues.Model): Market {
  return {
    nowMs,
    chains: [...chains.map(describe), describeVenue(venue)],
  };
}

/** The chain that the program knows the venue as. */
export const venueId = venueDescription.id;

function describeVenue(venue: venues.Model): VenueChain {
  const index = String(venues.accountIndex) as VenueChain['relayer'];
  const account = { balance: venue.balance(), transferFee: venues.transferFee, activationFee: 0n };
  const own = { index: venueDescription.relayer, balance: 10n ** 14n, transferFee: 0n, activationFee: 0n };
  return { ...venueDescription, accounts: [{ index, ...account }, own] };
}

const tip = 100_000_000n;

function describe({ name, tip: latest }: Blockchain): EvmChain {
  const { baseFee } = latest();
  const deployed = deployments[name as ChainName];
  const chain = network.chains.find((each) => each.name === name);
  if (!chain) throw new Error(`the network has no chain ${name}`);
  const { multicall3, aggregator, swapExecutor, depositFactory, depositImplementation } = deployed;
  const { depository, router, approvalProxy } = deployed;
  const wrapped = deployed.tokens.WETH.address;
  const forDeposits = { depositFactory, depositImplementation };
  return {
    vm: 'evm',
    id: chain.id,
    slug: chain.slug,
    displayName: chain.displayName,
    gasPriceWei: baseFee + tip,
    maxFeePerGasWei: 2n * baseFee + tip,
    maxPriorityFeePerGasWei: tip,
    contracts: { depository, router, approvalProxy, wrapped, multicall3, aggregator, swapExecutor, ...forDeposits },
    tokens: [chain.native, ...chain.tokens].map(({ symbol, name: label, decimals, address }) => ({
      symbol,
      name: label,
      decimals,
      address: address as Address,
      priceUsd: /ETH$/.test(symbol) ? 2_500_000_000n : 1_000_000n,
      needsZeroApproval: symbol === 'USDT',
      takesPermits: symbol === 'USDC',
    })),
    pools: deployed.pools.map(({ liquidity0, liquidity1, ...pool }) => ({
      ...{ ...pool, reserve0: liquidity0, reserve1: liquidity1 },
    })),
  };
}
