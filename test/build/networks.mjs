/**
 * Writes src/core/network/mainnet.ts and testnet.ts. Run by hand when a table below or viem's chain list changes:
 *
 *   node test/build/networks.mjs
 *
 * From viem's chain list: id, native token, public RPC URL, explorer. From the tables below: names, slugs, contracts
 * and well-known tokens. An address that is not certain is left out, and so is a chain whose depository is not known.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  arbitrum,
  avalanche,
  base,
  baseSepolia,
  bsc,
  celo,
  cronos,
  gnosis,
  ink,
  linea,
  mainnet,
  mantle,
  metis,
  mode,
  optimism,
  polygon,
  scroll,
  sepolia,
  soneium,
  sonic,
  unichain,
  worldchain,
  zora,
} from 'viem/chains';
import { getAddress } from 'viem/utils';

/** @import { Chain as ViemChain } from 'viem' */
/** @import { Chain, Network } from '../../src/core/network/Network.js' */

/** @typedef {readonly [symbol: string, name: string, address: string, decimals: number]} Token */
/** @typedef {(address: string, decimals?: number) => Token} TokenAt */

/**
 * A row of the tables below.
 *
 * @typedef {object} Row
 * @property {ViemChain} of
 * @property {string} name
 * @property {string} [displayName]
 * @property {Readonly<Record<string, string>>} contracts
 * @property {{ symbol: string, name: string, address: string }} [wrapped]
 * @property {readonly Token[]} tokens
 */

const zero = '0x0000000000000000000000000000000000000000';

/** Contracts where the chain runs Cancun, and where it only runs London. */
const cancun = {
  depository: '0x4cd00e387622c35bddb9b4c962c136462338bc31',
  router: '0xb92fe925dc43a0ecde6c8b1a2709c170ec4fff4f',
  approvalProxy: '0xccc88a9d1b4ed6b0eaba998850414b24f1c315be',
};
const london = {
  depository: '0x59916da825d2d2ec1bf878d71c88826f6633ecca',
  router: '0x9ef6d3c2f60d7b9008d74cab1fc0f899c957c819',
  approvalProxy: '0x8754bc615047de01228a7527b712806a71a8dc9a',
};
const testnet = { depository: '0x5feab8db4534f9f7e2669bb260c57a01ad1c12e3' };

/** What an account is delegated to for gasless execution: the same on every EVM chain. */
const batchExecutor = '0x000000009B1D0aF20D8C6d0A44e162d11F9b8f00';

/** @type {TokenAt} */
const USDC = (address, decimals = 6) => ['USDC', 'USD Coin', address, decimals];
/** @type {TokenAt} */
const bridgedUSDC = (address) => ['USDC.e', 'Bridged USDC', address, 6];
/** @type {TokenAt} */
const USDT = (address, decimals = 6) => ['USDT', 'Tether USD', address, decimals];
/** @type {TokenAt} */
const DAI = (address) => ['DAI', 'Dai Stablecoin', address, 18];
/** @type {TokenAt} */
const WETH = (address) => ['WETH', 'Wrapped Ether', address, 18];
/** @type {TokenAt} */
const WBTC = (address) => ['WBTC', 'Wrapped BTC', address, 8];
const wrapped = (/** @type {string} */ symbol, /** @type {string} */ name, /** @type {string} */ address) => ({
  symbol,
  name,
  address,
});
const opWETH = wrapped('WETH', 'Wrapped Ether', '0x4200000000000000000000000000000000000006');

/**
 * viem's chain, the name that is typed, how it is shown, its contracts, its wrapped native token, its tokens.
 *
 * @type {readonly Row[]}
 */
const mainnetChains = [
  {
    of: mainnet,
    name: 'ethereum',
    contracts: cancun,
    wrapped: wrapped('WETH', 'Wrapped Ether', '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'),
    tokens: [
      USDC('0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'),
      USDT('0xdAC17F958D2ee523a2206206994597C13D831ec7'),
      DAI('0x6B175474E89094C44Da98b954EedeAC495271d0F'),
      WBTC('0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599'),
    ],
  },
  {
    of: optimism,
    name: 'optimism',
    displayName: 'Optimism',
    contracts: cancun,
    wrapped: opWETH,
    tokens: [
      USDC('0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85'),
      bridgedUSDC('0x7F5c764cBc14f9669B88837ca1490cCa17c31607'),
      USDT('0x94b008aA00579c1307B0EF2c499aD98a8ce58e58'),
      DAI('0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1'),
      WBTC('0x68f180fcCe6836688e9084f035309E29Bf0A2095'),
    ],
  },
  {
    of: base,
    name: 'base',
    contracts: cancun,
    wrapped: opWETH,
    tokens: [
      USDC('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'),
      USDT('0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2'),
      DAI('0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb'),
      ['cbBTC', 'Coinbase Wrapped BTC', '0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf', 8],
    ],
  },
  {
    of: arbitrum,
    name: 'arbitrum',
    displayName: 'Arbitrum',
    contracts: cancun,
    wrapped: wrapped('WETH', 'Wrapped Ether', '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1'),
    tokens: [
      USDC('0xaf88d065e77c8cC2239327C5EDb3A432268e5831'),
      bridgedUSDC('0xFF970A61A04b1cA14834A43f5dE4533eBDDB5CC8'),
      USDT('0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9'),
      DAI('0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1'),
      WBTC('0x2f2a2543B76A4166549F7aaB2e75Bef0aefC5B0f'),
    ],
  },
  {
    of: polygon,
    name: 'polygon',
    contracts: cancun,
    wrapped: wrapped('WPOL', 'Wrapped POL', '0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270'),
    tokens: [
      USDC('0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'),
      bridgedUSDC('0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174'),
      USDT('0xc2132D05D31c914a87C6611C10748AEb04B58e8F'),
      DAI('0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063'),
      WETH('0x7ceB23fD6bC0adD59E62ac25578270cFf1b9f619'),
      WBTC('0x1BFD67037B42Cf73acF2047067bd4F2C47D9BfD6'),
    ],
  },
  {
    of: bsc,
    name: 'bnb',
    displayName: 'BNB Chain',
    contracts: cancun,
    wrapped: wrapped('WBNB', 'Wrapped BNB', '0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c'),
    tokens: [
      USDC('0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d', 18),
      USDT('0x55d398326f99059fF775485246999027B3197955', 18),
    ],
  },
  {
    of: avalanche,
    name: 'avalanche',
    contracts: cancun,
    wrapped: wrapped('WAVAX', 'Wrapped AVAX', '0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7'),
    tokens: [USDC('0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E'), USDT('0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7')],
  },
  {
    of: linea,
    name: 'linea',
    displayName: 'Linea',
    contracts: london,
    wrapped: wrapped('WETH', 'Wrapped Ether', '0xe5D7C2a44FfDDf6b295A15c148167daaAf5Cf34f'),
    tokens: [USDC('0x176211869cA2b568f2A7D4EE941E073a821EE1ff'), USDT('0xA219439258ca9da29E9Cc4cE5596924745e12B93')],
  },
  {
    of: scroll,
    name: 'scroll',
    contracts: cancun,
    wrapped: wrapped('WETH', 'Wrapped Ether', '0x5300000000000000000000000000000000000004'),
    tokens: [USDC('0x06eFdBFf2a14a7c8E15944D1F4A48F9F95F663A4'), USDT('0xf55BEC9cafDbE8730f096Aa55dad6D22d44099Df')],
  },
  {
    of: unichain,
    name: 'unichain',
    contracts: cancun,
    wrapped: opWETH,
    tokens: [USDC('0x078D782b760474a361dDA0AF3839290b0EF57AD6')],
  },
  {
    of: worldchain,
    name: 'worldchain',
    contracts: cancun,
    wrapped: opWETH,
    tokens: [USDC('0x79A02482A880bCE3F13e09Da970dC34db4CD24d1')],
  },
  { of: ink, name: 'ink', contracts: cancun, wrapped: opWETH, tokens: [] },
  { of: soneium, name: 'soneium', displayName: 'Soneium', contracts: cancun, wrapped: opWETH, tokens: [] },
  { of: mode, name: 'mode', displayName: 'Mode', contracts: cancun, wrapped: opWETH, tokens: [] },
  { of: zora, name: 'zora', contracts: cancun, wrapped: opWETH, tokens: [] },
  {
    of: gnosis,
    name: 'gnosis',
    contracts: cancun,
    wrapped: wrapped('WXDAI', 'Wrapped XDAI', '0xe91D153E0b41518A2Ce8Dd3D7944Fa863463a97d'),
    tokens: [USDC('0xDDAfbb505ad214D7b80b1f830fcCc89B60fb7A83')],
  },
  {
    of: celo,
    name: 'celo',
    contracts: cancun,
    tokens: [USDC('0xcebA9300f2b948710d2653dD7B07f33A8B32118C')],
  },
  {
    of: sonic,
    name: 'sonic',
    contracts: cancun,
    wrapped: wrapped('wS', 'Wrapped Sonic', '0x039e2fB66102314Ce7b64Ce5Ce3E5183bc94aD38'),
    tokens: [USDC('0x29219dd400f2Bf60E5a23d13Be72B486D4038894')],
  },
  {
    of: mantle,
    name: 'mantle',
    contracts: london,
    wrapped: wrapped('WMNT', 'Wrapped Mantle', '0x78c1b0C915c4FAA5FffA6CAbf0219DA63d7f4cb8'),
    tokens: [USDC('0x09Bc4E0D864854c6aFB6eB9A9cdF58aC190D4dF9'), USDT('0x201EBa5CC46D216Ce6DC03F6a759e8E766e956aE')],
  },
  {
    of: cronos,
    name: 'cronos',
    displayName: 'Cronos',
    contracts: london,
    wrapped: wrapped('WCRO', 'Wrapped CRO', '0x5C7F8A570d578ED84E63fdFA7b1eE72dEae1AE23'),
    tokens: [USDC('0xc21223249CA28397B4B6541dfFaEcC539BfF0c59'), USDT('0x66e428c3f67a68878562e79A0234c1F83c208770')],
  },
  { of: metis, name: 'metis', contracts: london, tokens: [] },
];

/** @type {readonly Row[]} */
const testnetChains = [
  {
    of: sepolia,
    name: 'sepolia',
    contracts: testnet,
    wrapped: wrapped('WETH', 'Wrapped Ether', '0xfFf9976782d46CC05630D1f6eBAb18b2324d6B14'),
    tokens: [USDC('0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238')],
  },
  {
    of: baseSepolia,
    name: 'base-sepolia',
    contracts: testnet,
    wrapped: opWETH,
    tokens: [USDC('0x036CbD53842c5426634e7929541eC2318f3dCF7e')],
  },
];

/**
 * The venue settles in its own units: one currency, `0`, and account indices for addresses.
 *
 * @type {Chain}
 */
const venue = {
  id: 3586256,
  name: 'lighter',
  displayName: 'Lighter',
  slug: 'lighter',
  vm: 'lvm',
  native: { symbol: 'USDC', name: 'USD Coin (Perp)', address: '0', decimals: 6 },
  // The accounts that the service documents as taking withdrawals.
  contracts: { accounts: ['723071', '731033'] },
  tokens: [],
};

/**
 * @param {Row} row
 * @returns {Chain}
 */
function chain({ of: known, name, displayName, contracts, wrapped: native, tokens }) {
  const { symbol, decimals } = known.nativeCurrency;
  const [rpcUrl] = known.rpcUrls.default.http;
  const explorer = known.blockExplorers?.default;
  if (!rpcUrl || !explorer) throw new Error(`viem's list has no public node or no explorer of ${name}.`);
  /** @type {readonly Token[]} */
  const all = native ? [[native.symbol, native.name, native.address, decimals], ...tokens] : tokens;
  return {
    id: known.id,
    name,
    displayName: displayName ?? known.name,
    slug: name,
    vm: 'evm',
    native: { symbol, name: symbol === 'ETH' ? 'Ether' : known.nativeCurrency.name, address: zero, decimals },
    rpcUrl: rpcUrl.replace(/\/$/, ''),
    explorerUrl: explorer.url.replace(/\/$/, ''),
    contracts: {
      ...Object.fromEntries(Object.entries(contracts).map(([key, address]) => [key, getAddress(address)])),
      ...(native ? { wrapped: getAddress(native.address) } : {}),
      batchExecutor: getAddress(batchExecutor),
    },
    tokens: all.map(([tokenSymbol, tokenName, address, tokenDecimals]) => ({
      symbol: tokenSymbol,
      name: tokenName,
      address: getAddress(address),
      decimals: tokenDecimals,
    })),
  };
}

/**
 * Source text with one line for an object that holds no other.
 *
 * @param {unknown} value
 * @returns {string}
 */
function literal(value) {
  if (Array.isArray(value)) return value.length ? `[\n${value.map((each) => `${literal(each)},`).join('\n')}\n]` : '[]';
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, each]) => `${key}: ${literal(each)}`);
  const isFlat = Object.values(value).every((each) => typeof each !== 'object');
  return isFlat ? `{ ${entries.join(', ')} }` : `{\n${entries.join(',\n')}\n}`;
}

/**
 * @param {string} name
 * @param {string} what
 * @param {Omit<Network, 'name'>} network
 */
function write(name, what, network) {
  const path = fileURLToPath(new URL(`../../src/core/network/${name}.ts`, import.meta.url));
  const lines = [
    `/** ${what} Generated by test/build/networks.mjs. */`,
    "import type { Network } from './Network.js';",
    '',
    `export const network: Network = ${literal({ name, ...network })};`,
    '',
  ];
  writeFileSync(path, lines.join('\n'));
  execFileSync('node_modules/.bin/biome', ['check', '--write', path], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    stdio: 'inherit',
  });
}

write('mainnet', 'The production deployment of the service, which moves real money.', {
  baseUrl: 'https://api.relay.link',
  realMoney: true,
  solver: { chainSlug: 'base', addresses: [getAddress('0xf70da97812cb96acdf810712aa562db8dfa3dbef')] },
  venue: { baseUrl: 'https://mainnet.zklighter.elliot.ai', signingChainId: 304 },
  chains: [...mainnetChains.map(chain), venue],
});
write('testnet', 'The test deployment of the service, with little liquidity for swaps.', {
  baseUrl: 'https://api.testnets.relay.link',
  realMoney: false,
  venue: { baseUrl: 'https://testnet.zklighter.elliot.ai', signingChainId: 300 },
  chains: testnetChains.map(chain),
});
