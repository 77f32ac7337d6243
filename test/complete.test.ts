import { describe, expect, test } from 'vitest';
import { complete } from '../src/complete.js';
import { workbench } from './support/workbench.js';

/** The first line and the candidates, without their descriptions. */
async function answer(line: string, shell: 'zsh' | 'fish', host = workbench().host): Promise<[string, ...string[]]> {
  const text = await complete([shell, ...line.split(' ')], host);
  const [how = '', ...rows] = text.replace(/\n$/, '').split('\n');
  return [how, ...rows.map((row) => row.split('\t')[0] ?? '')];
}

describe('complete', () => {
  test.each([
    ['ferry quote 1 alpha/usdc ', ['open', 'alpha/', 'beta/', 'lighter/', 'svm/']],
    ['ferry venue deposit 5 lighter/', ['', 'lighter/usdc']],
    ['ferry venue account --account d', ['', ...Array.from({ length: 10 }, (_, index) => `dev${index}`)]],
    ['ferry requests list --origin ', ['', 'alpha', 'beta', 'lighter', 'svm']],
    [
      'ferry requests list --currency-in alpha/g',
      ['', ...['eth', 'weth', 'usdc', 'usdt', 'dai', 'gull', 'kelp'].map((token) => `alpha/${token}`)],
    ],
    ['ferry trace x --calldata ', ['', 'cut', 'full']],
    ['ferry delegation revoke ', ['', 'alpha', 'beta', 'lighter', 'svm']],
    ['ferry fees compare 10 100 alpha/usdc beta/usdc ', ['open', 'alpha/', 'beta/', 'lighter/', 'svm/']],
    ['ferry sandbox ', ['', 'start', 'stop', 'status', 'fund', 'fault', 'logs', 'exec', 'reset']],
    ['ferry completion ', ['', 'install', 'bash', 'zsh', 'fish']],
    ['ferry completion install ', ['', 'bash', 'zsh', 'fish']],
    ['ferry help exi', expect.arrayContaining(['exit-codes', 'quote', 'config'])],
    ['ferry key import x --key-file ', ['files']],
    ['ferry verify ', ['files']],
    ['ferry sandbox exec -- ', ['files']],
    ['ferry frob ', expect.any(Array)],
  ])('default: %s', async (line, expected) => {
    expect(await answer(line, 'zsh')).toEqual(expected);
  });

  test('behavior: each candidate comes with its description', async () => {
    expect(await complete(['fish', 'ferry', 'chai'], workbench().host)).toContain(
      '\nchains\tList the chains of the network\n',
    );
  });

  test('behavior: bash passes its line and its break characters', async () => {
    const { host } = workbench();
    expect(await complete(['bash', ' =', 'ferry quote --network=t'], host)).toBe('\ntestnet\n');
    expect(await complete(['bash', ' ', 'ferry quote --network=t'], host)).toBe('\n--network=testnet\n');
  });

  test.each([[], ['ksh', 'ferry', ''], ['']])('behavior: prints nothing for %j', async (...argv) => {
    expect(await complete(argv, workbench().host)).toBe('');
  });

  describe('configuration files', () => {
    test('behavior: the network comes from the flag, the variable, the project file or the user file', async () => {
      const bench = workbench();
      const chains = async (line = 'ferry quote 1 ') => (await answer(line, 'zsh', bench.host)).slice(1);
      bench.write('home/.config/ferry/config.json', '{ "network": "mainnet" }');
      expect(await chains()).toContain('base/');
      bench.write('home/code/project/.ferryrc.json', '{ "network": "testnet" }');
      expect(await chains()).toEqual(['sepolia/', 'base-sepolia/']);
      bench.host.env.FERRY_NETWORK = 'sandbox';
      expect(await chains()).toContain('alpha/');
      expect(await chains('ferry quote --network testnet 1 ')).toContain('sepolia/');
    });

    test('behavior: reads YAML, custom networks and their chains', async () => {
      const bench = workbench();
      bench.write(
        'home/.config/ferry/config.yaml',
        'network: local\nnetworks:\n  local:\n    baseUrl: http://127.0.0.1:9\n    chains:\n      base: {}\n      puffin: { id: 77, vm: evm, nativeSymbol: PUF, nativeDecimals: 18 }\n',
      );
      expect((await answer('ferry quote 1 ', 'zsh', bench.host)).slice(1)).toEqual(['base/', 'puffin/']);
      expect(await answer('ferry --network ', 'zsh', bench.host)).toContain('local');
      expect(await answer('ferry config get networks.', 'zsh', bench.host)).toContain('networks.local.');
    });

    test('behavior: a project file cannot select a network with real money', async () => {
      const bench = workbench();
      bench.write('home/code/project/.ferryrc.json', '{ "network": "mainnet" }');
      expect(await answer('ferry quote 1 ', 'zsh', bench.host)).toEqual(['']);
    });
  });
});
