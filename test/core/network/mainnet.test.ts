import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { majorStablecoins, majorTokens } from '../../../src/core/fees/TransactionType.js';
import * as ChainVm from '../../../src/core/network/ChainVm.js';
import { network } from '../../../src/core/network/mainnet.js';
import * as Network from '../../../src/core/network/Network.js';
import * as AddressEncoding from '../../../src/core/order/AddressEncoding.js';
import { files, readData, split } from '../../build/networks.mjs';
import { describeTable } from '../../support/networkTable.js';
import { describePublished, read } from '../../support/published.js';

describeTable(network);

describe('network', () => {
  test('behavior: a chain has each token by which the platform fee is decided', () => {
    const known = new Set(
      network.chains.flatMap(({ native, tokens }) => [native, ...tokens].map(({ symbol }) => symbol)),
    );
    const unknown = [...majorStablecoins, ...majorTokens].filter((symbol) => !known.has(symbol));
    // No source but the lists themselves names a contract of it.
    expect(unknown).toEqual(['PlumeUSD']);
  });

  test('behavior: every EVM chain has the contracts of one of three variants', () => {
    const of = (prefix: string) => network.chains.filter((chain) => chain.contracts.depository?.startsWith(prefix));
    const [cancun, london, zksync] = [of('0x4cD00E38'), of('0x59916DA8'), of('0xa88Cf786')];
    for (const { contracts } of cancun) {
      expect(contracts.router).toMatch(/^0xb92fe925/);
      expect(contracts.approvalProxy).toMatch(/^0xCcC88a9d/);
    }
    // Chains without transient storage.
    expect(london.map((chain) => chain.name).sort()).toEqual(
      'cronos hychain linea mantle metis polygon_zkevm taiko'.split(' '),
    );
    for (const chain of london)
      expect(chain.contracts).toMatchObject({
        router: '0x9EF6d3c2F60d7b9008D74CAb1FC0F899c957C819',
        approvalProxy: '0x8754Bc615047de01228a7527B712806A71A8dc9a',
      });
    expect(zksync.map((chain) => chain.name)).toEqual(['zero']);
    expect(zksync[0]?.contracts).toMatchObject({
      router: '0xE16870B028704E38dbC254a84D3f72C8BA345cA9',
      approvalProxy: '0xF6e54BbF91e564FcF0df3ED9F2dD82913E9232C3',
    });
    expect(cancun.length + london.length + zksync.length).toBe(network.chains.filter(({ vm }) => vm === 'evm').length);
  });

  test('behavior: a chain whose nodes want a higher tip has its own highest', () => {
    const tips = network.chains.flatMap(({ name, maxTipWei }) => (maxTipWei === undefined ? [] : [[name, maxTipWei]]));
    expect(tips).toEqual([['polygon', 60_000_000_000n]]);
    const { mainnet, sources } = readData();
    for (const { maxTip } of mainnet) if (maxTip) expect(Object.keys(sources)).toContain(maxTip.by);
  });

  test('behavior: a native currency is what the chain has, not ether by default', () => {
    const native = Object.fromEntries(network.chains.map((chain) => [chain.name, chain.native]));
    for (const [name, symbol] of Object.entries({ monad: 'MON', ethereal: 'USDe', stable: 'USDT0', anime: 'ANIME' }))
      expect([name, native[name]?.symbol]).toEqual([name, symbol]);
    // USDC is the native currency of Arc, with 18 decimals; its ERC-20 form has 6 and is typed as an address.
    expect(native.arc).toMatchObject({ symbol: 'USDC', decimals: 18 });
    expect(native.tempo).toMatchObject({ symbol: 'USD', decimals: 6 });
  });

  test('behavior: stablecoins on BNB Chain have 18 decimals', () => {
    const bnb = network.chains.find((chain) => chain.name === 'bnb');
    expect(bnb?.tokens.filter((token) => /^USD/.test(token.symbol)).map((token) => token.decimals)).toEqual([18, 18]);
  });
});

describe('the generated tables', () => {
  test('behavior: are what the script writes from its data', () => {
    for (const [path, text] of Object.entries(files())) expect(readFileSync(path, 'utf8')).toBe(text);
  });

  test('behavior: a chain on whose contracts the sources do not agree is left out, and named', () => {
    const [first, second] = readData().mainnet;
    if (!first || !second) throw new Error('no data');
    const torn = { ...second, depository: { protocol: 'cancun', documentation: 'london' } };
    const tornRouter = { ...second, router: { deployments: 'london' } };
    expect(split([first, torn])).toMatchObject({
      agreed: [first],
      leftOut: [expect.stringMatching(/^optimism: .*"documentation":"london"/)],
    });
    expect(split([tornRouter]).agreed).toEqual([]);
    expect(split(readData().mainnet).leftOut).toEqual([]);
  });
});

describePublished('the chains of the protocol', () => {
  type Oracle = { id: string; depository: string; vmType: string; hubChainId: string }[];
  const oracle = () =>
    (read('live/protocol-chains-mainnets.json') as Oracle).filter(({ vmType }) => vmType === 'ethereum-vm');

  test('behavior: all 64 EVM chains are in the table, by slug, id and depository', () => {
    const said = oracle().map((each) => [each.id, Number(each.hubChainId), each.depository.toLowerCase()]);
    expect(said).toHaveLength(64);
    expect(new Set(said.map(([, , depository]) => depository)).size).toBe(3);
    const held = said.map(([slug]) => network.chains.find((chain) => chain.slug === slug));
    expect(held.map((chain) => [chain?.slug, chain?.id, chain?.contracts.depository?.toLowerCase()])).toEqual(said);
    expect(held.map((chain) => [chain?.vm, chain?.name])).toEqual(said.map(([slug]) => ['evm', slug]));
  });

  test('behavior: the venue takes withdrawals at the account that the protocol names', () => {
    const all = read('live/protocol-chains-mainnets.json') as Oracle;
    const venue = all.find(({ vmType }) => vmType === 'lighter-vm');
    const chain = network.chains.find(({ vm }) => vm === 'lvm');
    expect(chain?.slug).toBe(venue?.id);
    expect(chain?.contracts.accounts).toContain(venue?.depository);
  });

  test('behavior: the others of the table are chains of the protocol, of the kind that it names', () => {
    const all = read('live/protocol-chains-mainnets.json') as Oracle;
    const others = network.chains.filter(({ vm }) => vm !== 'evm' && vm !== 'lvm');
    for (const chain of others)
      expect([chain.slug, ChainVm.ofOne(chain)]).toEqual([chain.slug, all.find(({ id }) => id === chain.slug)?.vmType]);
    // Eclipse and XRP are left out: no currency of Eclipse was captured, and XRP takes a tag beside the address.
    const left = all.filter(({ id }) => !network.chains.some(({ slug }) => slug === id)).map(({ id }) => id);
    expect(left).toEqual(['eclipse', 'xrp']);
  });

  test('behavior: every other EVM chain of the table is one that the documentation lists with its depository', () => {
    const slugs = new Set(oracle().map(({ id }) => id));
    const others = network.chains.filter(({ vm, slug }) => vm === 'evm' && !slugs.has(slug));
    const rows = readData().mainnet;
    for (const { id } of others)
      expect(Object.keys(rows.find((row) => row.id === id)?.depository ?? {})).toContain('documentation');
    expect(others).toHaveLength(15);
  });
});

describe('the chains of other kinds', () => {
  const others = network.chains.filter(({ vm }) => vm !== 'evm' && vm !== 'lvm');
  const { others: rows, sources } = readData();

  test.each(others)('behavior: each currency of $name is one of its chain, and has sources', (chain) => {
    const row = rows.find(({ id }) => id === chain.id);
    const said = [row?.by, ...[row?.native, ...(row?.tokens ?? [])].map((token) => token?.[4])];
    for (const names of said)
      for (const source of String(names).split(' ')) expect(Object.keys(sources)).toContain(source);
    for (const { address } of [chain.native, ...chain.tokens])
      expect(AddressEncoding.currency(address, ChainVm.ofOne(chain))).toBeDefined();
  });
});

describePublished('the captured quotes of other chains', () => {
  type Side = { currency: { chainId: number; address: string; symbol?: string; decimals?: number } };
  type Captured = { details: { currencyIn: Side; currencyOut: Side } };

  test.each([
    'live/quote-solana-1.json',
    'live/quote-solana-origin-1.json',
    'live/quote-bitcoin-1.json',
    'live/quote-hyperliquid-origin-2.json',
  ])('behavior: the currencies of %s are in the table', (file) => {
    const { currencyIn, currencyOut } = (read(file) as Captured).details;
    for (const { currency } of [currencyIn, currencyOut]) {
      const chain = Network.chainById(network, currency.chainId);
      const token = chain && Network.token(chain, currency.address);
      const { symbol = token?.symbol, decimals = token?.decimals } = currency;
      expect(token).toMatchObject({ symbol, decimals });
    }
  });
});

describePublished('the published chains', () => {
  type Published = {
    chains: { id: number; name: string; erc20Currencies: { symbol: string; address: string; decimals: number }[] }[];
  };

  test.each(['chains.json', 'live/chains-2.json'])('behavior: %s agrees with the table', (file) => {
    for (const { id, name, erc20Currencies } of (read(file) as Published).chains) {
      const chain = network.chains.find((each) => each.id === id);
      expect(chain?.name).toBe(name);
      for (const { symbol, address, decimals } of erc20Currencies)
        expect(chain?.tokens.find((token) => token.symbol === symbol)).toMatchObject({
          address: expect.stringMatching(new RegExp(`^${address}$`, 'i')),
          decimals,
        });
    }
  });
});
