/**
 * Writes src/core/network/mainnet.ts and testnet.ts from networks.data.json. Run by hand when that file or viem's chain
 * list changes; a test fails while the files are stale:
 *
 *   node test/build/networks.mjs
 *
 * The data names the source of each address, none of which is the service, and what each source says of a depository.
 * A chain on whose depository they do not agree is left out, and named on standard output. From viem's chain list come
 * native token, public node and explorer, unless the data has them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as viemChains from 'viem/chains';
import { getAddress } from 'viem/utils';

/** @import { Chain as ViemChain } from 'viem' */

/** @typedef {[symbol: string, name: string, address: string, decimals: number, sources: string]} Token */

/**
 * A chain of the data. `depository` and `router` say for each source which variant of the contracts it names. `viem` is
 * the chain's name in viem's list; a chain that is not there has `native`, `node`, `explorer` and their sources in `by`.
 *
 * @typedef {object} Row
 * @property {number} id
 * @property {string} name
 * @property {string} displayName
 * @property {Readonly<Record<string, string>>} depository
 * @property {Readonly<Record<string, string>>} [router]
 * @property {string} [viem]
 * @property {[symbol: string, name: string, decimals: number]} [native]
 * @property {string} [node]
 * @property {string} [explorer]
 * @property {string} [by]
 * @property {string} [wrapped]
 * @property {Token[]} tokens
 * @property {{ gwei: number, by: string }} [maxTip] the highest tip that is paid, where 3 gwei are too little
 */

/**
 * A chain that is neither an EVM chain nor the venue. `by` names the sources of its id, kind and slug; node and explorer
 * are its own project's.
 *
 * @typedef {object} Other
 * @property {number} id
 * @property {string} name
 * @property {string} displayName
 * @property {string} vm
 * @property {string} by
 * @property {Token} native
 * @property {string} [node]
 * @property {string} [explorer]
 * @property {Token[]} tokens
 */

/** @typedef {[address: string, decimals: number, heartbeat: number, sources: string]} Feed */

/**
 * @typedef {object} Data
 * @property {Readonly<Record<string, string>>} sources
 * @property {Readonly<Record<string, Readonly<Record<string, string>>>>} variants
 * @property {Readonly<Record<string, readonly string[]>>} assets the symbols of the tokens below that are each asset
 * @property {Readonly<Record<string, { feeds: Readonly<Record<string, Feed>>, sequencer?: string }>>} feeds by chain
 * @property {Readonly<Record<string, Readonly<Record<string, [address: string, sources: string]>>>>} code by chain: the
 * contracts whose code enforces what a call or a payment promises
 * @property {Other[]} others the chains of the production deployment that are neither EVM chains nor the venue
 * @property {Row[]} mainnet
 * @property {Row[]} testnet
 */

/** What an account is delegated to for gasless execution: the same on every EVM chain. */
const batchExecutor = '0x000000009B1D0aF20D8C6d0A44e162d11F9b8f00';

const here = new URL('./', import.meta.url);

/** @returns {Data} */
export function readData() {
  return JSON.parse(readFileSync(new URL('networks.data.json', here), 'utf8'));
}

/**
 * The chains on whose contracts the sources agree, and the names of the others with what is said of them.
 *
 * @param {readonly Row[]} rows
 * @returns {{ agreed: Row[], leftOut: string[] }}
 */
export function split(rows) {
  const isAgreed = (/** @type {Row} */ { depository, router = {} }) =>
    new Set([...Object.values(depository), ...Object.values(router)]).size === 1;
  return {
    agreed: rows.filter(isAgreed),
    leftOut: rows
      .filter((row) => !isAgreed(row))
      .map(({ name, depository, router }) => `${name}: ${JSON.stringify({ depository, router })}`),
  };
}

/** @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", "\\'")}'`;

/**
 * The asset of a token of the data, which nobody but us names.
 *
 * @param {string} symbol
 */
function assetOf(symbol) {
  return Object.entries(readData().assets).find(([, symbols]) => symbols.includes(symbol))?.[0];
}

/** @param {string} symbol */
const withAsset = (symbol) => {
  const asset = assetOf(symbol);
  return asset === undefined ? '' : `, ${quoted(asset)}`;
};

/**
 * The lines of the price feeds of a network's chains.
 *
 * @param {readonly Row[]} rows
 * @returns {string[]}
 */
function feedLines(rows) {
  const of = Object.entries(readData().feeds).filter(([chain]) => rows.some(({ name }) => name === chain));
  if (of.length === 0) return [];
  return [
    '/** Price feeds: the address, and the seconds after which they publish at the latest. */',
    '// biome-ignore format: one line for each chain',
    'const feeds: ChainRow.Feeds = {',
    ...of.map(([chain, { feeds, sequencer }]) => {
      const each = Object.entries(feeds).map(([asset, [at, fine, heartbeat]]) => {
        if (fine !== 8) throw new Error(`The ${asset} feed of ${chain} has ${fine} decimals.`);
        return `${asset}: [${quoted(getAddress(at))}, ${heartbeat}]`;
      });
      const up = sequencer === undefined ? '' : `, sequencer: ${quoted(getAddress(sequencer))}`;
      return `  ${chain}: { assets: { ${each.join(', ')} }${up} },`;
    }),
    '};',
    '',
  ];
}

/**
 * The lines of the contracts whose code enforces what a call or a payment promises.
 *
 * @param {readonly Row[]} rows
 * @returns {string[]}
 */
function codeLines(rows) {
  const of = Object.entries(readData().code).filter(([chain]) => rows.some(({ name }) => name === chain));
  if (of.length === 0) return [];
  return [
    '/** Contracts whose code enforces what a call or a payment promises. */',
    '// biome-ignore format: one line for each chain',
    'const code: ChainRow.Code = {',
    ...of.map(([chain, pinned]) => {
      const each = Object.entries(pinned).map(([contract, [at]]) => `${contract}: ${quoted(getAddress(at))}`);
      return `  ${/^[a-z_]+$/.test(chain) ? chain : quoted(chain)}: { ${each.join(', ')} },`;
    }),
    '};',
    '',
  ];
}

/** @param {string} url */
const trimmed = (url) => url.replace(/\/$/, '');

/**
 * The line of a chain: a `Row` of ChainRow.ts.
 *
 * @param {Row} row
 * @returns {string}
 */
function line({ id, name, displayName, depository, viem, native, node, explorer, wrapped = '', tokens, maxTip }) {
  const known = viem === undefined ? undefined : /** @type {Record<string, ViemChain>} */ (viemChains)[viem];
  const currency = known?.nativeCurrency;
  const [symbol, title, decimals] = native ?? [currency?.symbol, currency?.name, currency?.decimals];
  const rpcUrl = node ?? known?.rpcUrls.default.http[0];
  const explorerUrl = explorer ?? known?.blockExplorers?.default.url;
  if (!symbol || !title || !decimals || !rpcUrl || !explorerUrl || (known && known.id !== id))
    throw new Error(`No native token, node or explorer of ${name} is known, or viem's list has another chain.`);
  if (wrapped && !tokens.some((token) => token[0] === wrapped)) throw new Error(`${name} has no ${wrapped}.`);
  const cells = [
    String(id),
    quoted(name),
    quoted(displayName),
    Object.values(depository)[0],
    `[${quoted(symbol)}, ${quoted(symbol === 'ETH' ? 'Ether' : title)}, ${decimals}${withAsset(symbol)}]`,
    quoted(trimmed(rpcUrl)),
    quoted(trimmed(explorerUrl)),
    quoted(wrapped),
    tokenCells(tokens.map(([symbol, long, at, fine]) => [symbol, long, getAddress(at), fine])),
    ...(maxTip ? [String(maxTip.gwei)] : []),
  ];
  return `  [${cells.join(', ')}],`;
}

/**
 * The text of a table.
 *
 * @param {string} name
 * @param {string} about
 * @param {readonly string[]} settings the lines of the network besides its name and its chains
 * @param {readonly Row[]} rows
 * @param {readonly string[]} [own] the lines of a chain of its own kind
 * @param {readonly Other[]} [others] chains that ferry only pays to
 */
function table(name, about, settings, rows, own = [], others = []) {
  const { variants } = readData();
  const { agreed } = split(rows);
  const used = Object.entries(variants).filter(([variant]) =>
    agreed.some(({ depository }) => Object.values(depository).includes(variant)),
  );
  const [priced, pinned] = [feedLines(agreed), codeLines(agreed)];
  const known = [...(priced.length > 0 ? ['feeds'] : []), ...(pinned.length > 0 ? ['code'] : [])];
  const toChains = `rows.map((row) => ChainRow.toChain(row, { ${known.join(', ')} }))`;
  const chains =
    others.length > 0
      ? ['  chains: [', `    ...${toChains},`, ...own, '    ...others.map(ChainRow.toOther),', '  ],']
      : [`  chains: ${toChains},`];
  return [
    `/** ${about} Generated by test/build/networks.mjs. */`,
    "import * as ChainRow from './ChainRow.js';",
    "import type { Contracts, Network } from './Network.js';",
    '',
    '/** What an account may delegate to: the same on every EVM chain. */',
    `const batchExecutor = ${quoted(getAddress(batchExecutor))};`,
    ...used.flatMap(([variant, contracts]) => [
      '',
      `const ${variant}: Contracts = {`,
      ...Object.entries(contracts).map(([key, address]) => `  ${key}: ${quoted(getAddress(address))},`),
      '  batchExecutor,',
      '};',
    ]),
    '',
    '// biome-ignore format: one line for each chain',
    'const rows: readonly ChainRow.Row[] = [',
    ...agreed.map(line),
    '];',
    '',
    ...(others.length > 0
      ? [
          '/** Chains that ferry only pays to. */',
          '// biome-ignore format: one line for each chain',
          'const others: readonly ChainRow.OtherRow[] = [',
          ...others.map(other),
          '];',
          '',
        ]
      : []),
    ...priced,
    ...pinned,
    'export const network: Network = {',
    `  name: ${quoted(name)},`,
    ...settings,
    ...chains,
    '};',
    '',
  ].join('\n');
}

/** The venue, with its accounts that the service documents as taking withdrawals. */
const venue = ["    ChainRow.venue(['723071', '731033']),"];

/**
 * The line of a chain that ferry only pays to: an `OtherRow` of ChainRow.ts.
 *
 * @param {Other} chain
 * @returns {string}
 */
function other({ id, name, displayName, vm, native, node, explorer, tokens }) {
  const urls = [node, explorer].map((url) => (url ? quoted(url) : 'undefined'));
  const cells = [
    String(id),
    quoted(name),
    quoted(displayName),
    quoted(vm),
    tokenCell(native),
    tokenCells(tokens),
    ...urls,
  ];
  return `  [${cells.join(', ')}],`;
}

/** @param {readonly (readonly [string, string, string, number, ...unknown[]])[]} tokens */
function tokenCells(tokens) {
  return `[${tokens.map(tokenCell).join(', ')}]`;
}

/** @param {readonly [string, string, string, number, ...unknown[]]} token */
function tokenCell([symbol, long, address, decimals]) {
  return `[${quoted(symbol)}, ${quoted(long)}, ${quoted(address)}, ${decimals}${withAsset(symbol)}]`;
}

/**
 * The generated files by their paths.
 *
 * @returns {Record<string, string>}
 */
export function files() {
  const data = readData();
  const path = (/** @type {string} */ name) => fileURLToPath(new URL(`../../src/core/network/${name}.ts`, here));
  return {
    [path('mainnet')]: table(
      'mainnet',
      'The production deployment of the service, which moves real money.',
      [
        "  baseUrl: 'https://api.relay.link',",
        '  realMoney: true,',
        "  solver: { chainSlug: 'base', addresses: ['0xf70da97812CB96acDF810712Aa562db8dfA3dbEF'] },",
        "  venue: { baseUrl: 'https://mainnet.zklighter.elliot.ai', signingChainId: 304 },",
      ],
      data.mainnet,
      venue,
      data.others,
    ),
    // The venue has a test deployment of its own, but the service's test deployment does not serve it.
    [path('testnet')]: table(
      'testnet',
      'The test deployment of the service, with little liquidity for swaps and without the venue.',
      ["  baseUrl: 'https://api.testnets.relay.link',", '  realMoney: false,'],
      data.testnet,
    ),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, text] of Object.entries(files())) writeFileSync(path, text);
  const { mainnet, testnet } = readData();
  for (const each of split([...mainnet, ...testnet]).leftOut) process.stdout.write(`left out: ${each}\n`);
}
