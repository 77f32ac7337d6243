/** Addresses of everything deployed on the sandbox's chains, identical in every sandbox. */
import type { Address } from '../../core/base/Address.js';
import * as Network from '../../core/network/Network.js';
import { network } from '../../core/network/sandbox.js';
import { accounts } from './devAccounts.js';

export type ChainName = (typeof chainNames)[number];

export type Deployment = Readonly<ReturnType<typeof from>>;

export type Symbol = 'WETH' | 'USDC' | 'USDT' | 'DAI' | 'GULL' | 'KELP';

export type Token = { symbol: Symbol; name: string; address: Address; decimals: number };

export const chainNames = ['alpha', 'beta'] as const;

/** Contracts that the client does not know, at the same addresses on both chains. */
const own = {
  /** An exchange that swaps only where it is simulated; a liar's calldata calls it. */
  cheat: '0x0000000000000000000000000000000000bad5a9',
  // Not deployed but written with `anvil_setCode` to their canonical addresses.
  multicall3: '0xcA11bde05977b3631167028862bE2a173976CA11',
  /** Makes the swaps of KyberSwap's router, which the network names. */
  swapExecutor: '0x8F10B468b06c6FD214B65F87778827F7D113f996',
  delegationManager: '0xD89c1432EaA169C54dC7610C744c68a2F4b6B3e5',
  /** A delegator account, whose calls the delegation manager redeems. */
  delegator: '0x4425918ff69Fe214AC093710cF41216AE9149c3A',
  /** Propagates, wraps or swallows the failures of the calls it forwards. */
  forwarder: '0x58c1c343c185Aa5CD3c2Cc1c2b7d7bD055F1bf98',
  /** Fails in every way that a contract can fail. */
  reverter: '0x749d20D85555330d20862770b58a72939285c42a',
} as const;

/** The pools, each of a token with USDC, in deployment order: initial liquidity in whole tokens. */
const liquidity = [
  { symbol: 'WETH', whole: 2_000n, wholeUsdc: 5_000_000n, feeBps: 5n },
  { symbol: 'USDT', whole: 10_000_000n, wholeUsdc: 10_000_000n, feeBps: 1n },
  { symbol: 'DAI', whole: 10_000_000n, wholeUsdc: 10_000_000n, feeBps: 1n },
  { symbol: 'GULL', whole: 4_000_000n, wholeUsdc: 1_000_000n, feeBps: 30n },
  { symbol: 'KELP', whole: 10_000_000n, wholeUsdc: 1_000_000n, feeBps: 30n },
] as const;

type PoolAddresses = Readonly<Record<(typeof liquidity)[number]['symbol'], Address>>;

export const deployments: Readonly<Record<ChainName, Deployment>> = {
  alpha: from('alpha', accounts.alphaTokens.address, {
    WETH: '0xF8f7754dACc9F8f4293C21476d920DE9Ba11F22e',
    USDT: '0x45a4ad99d85173469525ad61842eD6Dc75926Bb0',
    DAI: '0xacC09486C9e34aa1Dff13b2E64d5482A3648D018',
    GULL: '0x8E6c252223A9E220B72339D13fb57668694feEff',
    KELP: '0x5904E6E3fB62b1fdaFfF6D40575cC0c9B4E8EB56',
  }),
  beta: from('beta', accounts.betaTokens.address, {
    WETH: '0x71EF432a9BDB258732972e86427b42853E238f6a',
    USDT: '0x7E7A0E795e14a11E62b20efAEC48407003BFdc8F',
    DAI: '0x40cca3dA6ceAd6DaDa9e9fFc4c06e9039791876A',
    GULL: '0x59BA6340a85e311f8f43071372De1d0f5fB90dc4',
    KELP: '0xe0983CeDD797b38090E6dcde54Af88aA6eB22EDc',
  }),
};

export function units(token: Token, whole: bigint): bigint {
  return whole * 10n ** BigInt(token.decimals);
}

/**
 * Takes addresses and tokens from the network that ships with the client, as far as it has them.
 *
 * @param minter deploys the tokens and pools; the only account that may mint
 */
function from(name: ChainName, minter: Address, poolAddresses: PoolAddresses) {
  const chain = Network.chain(network, name);
  const { depository, router, approvalProxy, batchExecutor, kyberSwap: aggregator, universalRouter } = chain.contracts;
  const { depositFactory, depositImplementation } = chain.contracts;
  if (!depository || !router || !approvalProxy || !batchExecutor || !aggregator || !universalRouter)
    throw new Error(`The network lacks a contract on ${name}.`);
  if (!depositFactory || !depositImplementation) throw new Error(`The network lacks a deposit factory on ${name}.`);
  const tokens = Object.fromEntries(chain.tokens.map((token) => [token.symbol, token])) as Record<Symbol, Token>;
  const pools = liquidity.map(({ symbol, whole, wholeUsdc, feeBps }) => ({
    address: poolAddresses[symbol],
    token0: tokens[symbol].address,
    token1: tokens.USDC.address,
    feeBps,
    // In base units.
    liquidity0: units(tokens[symbol], whole),
    liquidity1: units(tokens.USDC, wholeUsdc),
  }));
  const contracts = { depository, router, approvalProxy, batchExecutor, aggregator, universalRouter };
  const deposits = { depositFactory, depositImplementation };
  const others: Readonly<Record<keyof typeof own, Address>> = own;
  return { ...others, ...contracts, ...deposits, name, id: chain.id, minter, tokens, pools };
}
