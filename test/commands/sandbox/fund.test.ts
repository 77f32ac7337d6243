import { describe, expect, test } from 'vitest';
import { network } from '../../../src/core/network/sandbox.js';
import { at, type Envelope, ferry, temporaryFolder } from '../../support/ferry.js';
import { balanceAt } from '../../support/node.js';
import { useSandbox } from '../../support/sandbox.js';

const { sandbox } = useSandbox();

const poor = '0x00000000000000000000000000000000000000a1';
const native = '0x0000000000000000000000000000000000000000';

const fund = (args: string, more: Readonly<Record<string, string>> = {}) =>
  ferry(['sandbox', 'fund', ...args.split(' '), '--json'], { env: { ...at(sandbox), ...more } });

/** What an address holds, by the chain itself. */
async function held(chain: 'alpha' | 'beta', symbol: string, holder = poor): Promise<bigint> {
  const { tokens } = network.chains.find(({ name }) => name === chain) ?? { tokens: [] };
  const token = tokens.find((each) => each.symbol === symbol);
  return balanceAt(sandbox.rpcUrls[chain] ?? '', token?.address ?? native, holder as `0x${string}`);
}

describe('sandbox fund', () => {
  test('default: gas and USDC on each chain, mined', async () => {
    const { code, json } = await fund(poor);
    expect(code).toBe(0);
    expect(json().data.credits.map(({ chain, formatted, symbol }: Envelope) => [chain, formatted, symbol])).toEqual([
      ['alpha', '1', 'ETH'],
      ['alpha', '10000', 'USDC'],
      ['beta', '1', 'ETH'],
      ['beta', '10000', 'USDC'],
    ]);
    expect([await held('alpha', 'ETH'), await held('beta', 'USDC')]).toEqual([10n ** 18n, 10_000_000_000n]);
  });

  test('behavior: one amount of one currency, to a development account or a key', async () => {
    const before = await held('beta', 'GULL');
    expect((await fund(`${poor} 2.5 beta/gull`)).code).toBe(0);
    expect((await held('beta', 'GULL')) - before).toBe(2_500_000_000_000_000_000n);
    expect((await fund('dev9 0.5 alpha/eth')).json().data.credits[0].amount).toBe('500000000000000000');
    // Dollars without gas were no use to it.
    const line = ['execute', '1', 'alpha/usdc', 'beta/usdc', '--account', 'dev9', '--yes', '--json'];
    expect((await ferry(line, { env: at(sandbox) })).code).toBe(0);
    const home = temporaryFolder();
    expect((await ferry(['sandbox', 'fund', 'nobody', '--json'], { env: at(sandbox), home })).json().error.code).toBe(
      'auth.unknown-account',
    );
  });

  test.each([
    ['more than there is', `${poor} 1000000000000000 alpha/usdc`, 'usage.invalid'],
    ['more ETH than there is', `${poor} 1000000000000000 alpha/eth`, 'usage.invalid'],
    ['more than a number of a chain can be', `${poor} 1${'0'.repeat(75)} alpha/usdc`, 'request.invalid-amount'],
    ['an amount of nothing', `${poor} 5`, 'usage.missing'],
    ['the venue', `${poor} 5 lighter/usdc`, 'request.unsupported'],
  ])('error: %s', async (_, args, code) => {
    const before = await held('alpha', 'USDC');
    expect((await fund(args)).json().error.code).toBe(code);
    expect(await held('alpha', 'USDC')).toBe(before);
  });

  test('error: a payment that reverts', async () => {
    // The token takes none for the zero address.
    expect((await fund(`${native} 5 alpha/usdc`)).json().error.code).toBe('usage.invalid');
  });

  test('error: real networks have no faucet here, and are not asked', async () => {
    const { json } = await ferry(['sandbox', 'fund', poor, '--network', 'mainnet', '--json']);
    expect(json().error.code).toBe('request.unsupported');
  });
});
