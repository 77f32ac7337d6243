import { describe, expect, test } from 'vitest';
import * as Candidates from '../../../src/core/completion/Candidates.js';
import type { Tree } from '../../../src/core/completion/CommandTree.js';
import * as CursorContext from '../../../src/core/completion/CursorContext.js';
import type { LocalNames } from '../../../src/core/completion/LocalNames.js';
import * as PartialCommand from '../../../src/core/completion/PartialCommand.js';
import { network as sandbox } from '../../../src/core/network/sandbox.js';
import { network as testnet } from '../../../src/core/network/testnet.js';
import { hostileNames, unspeakableNames } from '../../support/hostileNames.js';
import { tree } from '../../support/tree.js';

const id = `0x${'1'.repeat(64)}`;

const known: LocalNames = {
  network: async (name) => (name === 'nowhere' ? undefined : name === 'testnet' ? testnet : sandbox),
  configured: async () => ({
    networks: [{ name: 'local', chains: ['dev'] }],
    aliases: [{ name: 'ada', address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }],
  }),
  keys: () => [{ name: 'main', about: '0xab' }],
  venueKeys: () => [{ name: 'api', about: 'API key of the venue' }],
  runs: () => [
    { id: '20261121-093000-1f2e3d', summary: '100 alpha/usdc → beta/usdc', isUnfinished: true, requestId: id },
    { id: '20261120-093000-1f2e3d', summary: '1 alpha/eth → beta/eth', isUnfinished: false, requestId: undefined },
  ],
};

/** The candidates for a line whose last word is at the cursor. */
async function at(
  line: string,
  words: Tree = tree,
  from: LocalNames = known,
): Promise<{ texts: string[]; files: boolean }> {
  const given = line.split(' ');
  const position = CursorContext.from(words, given.slice(0, -1), given.at(-1) ?? '');
  const { candidates, files } = await Candidates.from(position, words, from);
  return { texts: candidates.map(({ text }) => text), files };
}
const texts = async (line: string) => (await at(line)).texts;

/** A tree with one command whose only argument is of the given kind. */
const of = (names: NonNullable<Tree['commands'][number]['args'][number]['names']>): Tree => ({
  ...tree,
  commands: [{ name: 'x', summary: '', args: [{ variadic: true, names }], flags: [] }],
});

describe('from', () => {
  test.each([
    ['quote 1 ', ['alpha/', 'beta/', 'lighter/', 'svm/']],
    [
      'quote 1 alpha/',
      ['alpha/eth', 'alpha/weth', 'alpha/usdc', 'alpha/usdt', 'alpha/dai', 'alpha/gull', 'alpha/kelp'],
    ],
    [
      'quote 1 Alpha/x',
      ['Alpha/eth', 'Alpha/weth', 'Alpha/usdc', 'Alpha/usdt', 'Alpha/dai', 'Alpha/gull', 'Alpha/kelp'],
    ],
    ['quote 1 a/b --network testnet ', ['sepolia/', 'base-sepolia/']],
    ['quote --state ', ['waiting', 'success']],
    ['--network ', ['sandbox', 'testnet', 'mainnet', 'local']],
    ['execute 1.5 ', ['alpha/', 'beta/', 'lighter/', 'svm/']],
    ['execute max alpha/usdc ', ['alpha/', 'beta/', 'lighter/', 'svm/']],
    ['execute quote.json ', []],
    ['status ', [id]],
    ['config set color ', ['auto', 'always', 'never']],
    ['config set network ', ['sandbox', 'testnet', 'mainnet', 'local']],
    ['config set account ', ['main', ...Array.from({ length: 10 }, (_, index) => `dev${index}`), 'ada']],
    ['config get networks.', ['networks.sandbox.', 'networks.testnet.', 'networks.mainnet.', 'networks.local.']],
    [
      'config get networks.local.',
      [
        ...['baseUrl', 'apiKey', 'apiKeys', 'referrer', 'realMoney', 'rateLimit', 'allow'],
        ...['account', 'accountSigner', 'keyFile', 'passwordFile', 'venueKey', 'venueKeyFile'],
        ...['slippage', 'maxImpact', 'maxFeeUsd', 'maxVenueFee', 'maxGasUsd', 'maxTip', 'maxAge', 'timeout'],
        ...['chains.', 'venue.'],
      ].map((key) => `networks.local.${key}`),
    ],
    ['config get networks.local.chains.', ['networks.local.chains.dev.']],
    [
      'config get networks.testnet.chains.',
      ['networks.testnet.chains.sepolia.', 'networks.testnet.chains.base-sepolia.'],
    ],
    [
      'config get networks.local.chains.dev.',
      ['id', 'vm', 'nativeSymbol', 'nativeDecimals', 'rpcUrl', 'rpcUrls', 'explorerUrl'].map(
        (key) => `networks.local.chains.dev.${key}`,
      ),
    ],
    [
      'config get networks.local.venue.',
      ['baseUrl', 'signingChainId', 'accountIndex', 'apiKeyIndex'].map((key) => `networks.local.venue.${key}`),
    ],
    ['config get aliases.', ['aliases.ada']],
    ['schema ', ['quote', 'execute', 'config', 'status', 'schema', 'error', 'event']],
    ['schema config ', ['get', 'set']],
    ['help ', ['quote', 'execute', 'config', 'status', 'schema', 'json']],
  ])('default: %s', async (line, expected) => {
    expect(await texts(line)).toEqual(expected);
  });

  test('behavior: files only where they are valid', async () => {
    expect((await at('quote -o ')).files).toBe(true);
    expect((await at('execute ')).files).toBe(true);
    for (const line of ['execute 1 ', 'quote ', 'quote 1 ']) expect((await at(line)).files).toBe(false);
    expect(await at('x ', of('program'))).toEqual({ texts: [], files: true });
    expect(await at('x ', of('bill'))).toEqual({ texts: [id], files: true });
  });

  test('behavior: runs, unfinished runs, and keys without the accounts of the sandbox', async () => {
    expect(await at('x ', of('run'))).toMatchObject({ texts: ['20261121-093000-1f2e3d', '20261120-093000-1f2e3d'] });
    expect(await at('x ', of('unfinished-run'))).toMatchObject({ texts: ['20261121-093000-1f2e3d'] });
    expect((await at('x ', of('key'))).texts).toEqual(['main', 'api']);
    expect((await at('x ', of('venue-key'))).texts).toEqual(['api']);
    expect((await at('x --network testnet ', of('account'))).texts).toEqual(['main', 'ada']);
  });

  describe('hostile names', () => {
    const tokens = [...hostileNames, ...unspeakableNames].map((symbol) => ({
      symbol,
      name: 'tab\tline\nred\u001b[31m',
      address: '0x',
      decimals: 6,
    }));
    const from: LocalNames = {
      ...known,
      network: async () => ({ ...sandbox, chains: sandbox.chains.map((chain) => ({ ...chain, tokens })) }),
    };

    test('behavior: offers typeable names unchanged, omits others, and describes them on one line', async () => {
      const { texts: found } = await at('quote 1 alpha/', tree, from);
      expect(found).toEqual(['alpha/eth', ...hostileNames.map((name) => `alpha/${name.toLowerCase()}`)]);
      const position = CursorContext.from(tree, ['quote', '1'], 'alpha/');
      const { candidates } = await Candidates.from(position, tree, from);
      expect(candidates.at(-1)?.about).toBe('tab\\x09line\\x0ared\\x1b[31m');
    });
  });
});

describe('CompletionReply', () => {
  const of = (...texts: string[]) => texts.map((text) => ({ text, about: `about ${text}` }));
  const bash = (line: string) => PartialCommand.fromBash(`ferry ${line}`, ` \t\n"'><=;|&(:`);
  const zsh = (typed: string) => PartialCommand.fromWords(['ferry', typed], 'zsh');

  describe('format', () => {
    test('default: bash gets matching candidates, quoted, without descriptions', () => {
      const candidates = of('alpha/usdc', 'alpha/$(touch x)', 'beta/usdc');
      expect(Candidates.format({ candidates, files: false }, bash('alpha/'), 'bash')).toBe(
        '\nalpha/usdc\nalpha/\\$\\(touch\\ x\\)\n',
      );
    });

    test('behavior: no space after an incomplete candidate', () => {
      const both = { candidates: of('alpha/', 'beta'), files: false };
      expect(Candidates.format(both, bash('a'), 'bash')).toBe('open\nalpha/\n');
      expect(Candidates.format(both, bash(''), 'bash')).toBe('\nalpha/\nbeta\n');
    });

    test('behavior: files next to candidates for zsh, instead of them for the others', () => {
      const both = { candidates: of('0x01'), files: true };
      expect(Candidates.format(both, zsh(''), 'zsh')).toMatch(/^files\n0x01/);
      expect(Candidates.format(both, PartialCommand.fromWords(['ferry', ''], 'fish'), 'fish')).toMatch(/^\n0x01/);
      expect(Candidates.format(both, bash('quo'), 'bash')).toBe('files\n');
    });
  });
});
