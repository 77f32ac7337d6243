import { describe, expect, test } from 'vitest';
import { command } from '../../src/commands/balance.js';
import type { Context } from '../../src/core/command/Context.js';
import { network } from '../../src/core/network/sandbox.js';
import { plain } from '../../src/core/text/TerminalStyle.js';
import { at, type Envelope, ferry } from '../support/ferry.js';
import { json, loopback } from '../support/loopback.js';
import { balanceAt } from '../support/node.js';
import { contextAt } from '../support/ownNetwork.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox } = useSandbox();

const balance = (args: string, env: Readonly<Record<string, string>> = {}) =>
  ferry(['balance', ...args.split(' ').filter(Boolean), '--json'], { env: { ...at(sandbox), ...env } });

const dev1 = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' as const;

describe('balance', () => {
  test('default: every chain and the venue, as the nodes say, with a sum', async () => {
    const { data } = (await balance('dev1')).json();
    expect([data.account, data.partial]).toEqual([dev1, false]);
    expect(new Set(data.balances.map(({ chain }: Envelope) => chain))).toEqual(new Set(['alpha', 'beta']));
    for (const { chain, symbol, address, amount } of data.balances) {
      const read = await balanceAt(sandbox.rpcUrls[chain as 'alpha' | 'beta'], address, dev1);
      expect([chain, symbol, amount]).toEqual([chain, symbol, String(read)]);
    }
    expect(data.venue).toEqual([{ index: 101, symbol: 'USDC', perps: '10000.000000', spot: expect.any(String) }]);
    const usdOf = (currency: string) => data.balances.find((each: Envelope) => each.currency === currency)?.usd;
    expect([usdOf('alpha/usdc'), usdOf('alpha/kelp')]).toEqual(['1000000.000000', null]);
    expect(usdOf('alpha/eth')).toMatch(/^2\d{7}\.\d{6}$/);
    const sum = data.balances.reduce((all: number, { usd }: Envelope) => all + Number(usd ?? 0), 10_000);
    expect(Number(data.totalUsd)).toBeCloseTo(sum, 3);
  });

  test('behavior: what there is nothing of is shown only when asked', async () => {
    const nobody = '0x00000000000000000000000000000000000000B1';
    expect((await balance(nobody)).json().data).toMatchObject({ balances: [], venue: [], totalUsd: null, unread: [] });
    const { data } = (await balance(`${nobody} --zero --chain beta`)).json();
    const beta = network.chains.find(({ name }) => name === 'beta');
    expect(data.balances).toHaveLength(1 + (beta?.tokens.length ?? 0));
    expect((await ferry(['balance', nobody], { env: at(sandbox) })).stdout).toBe(
      `Network  sandbox\nAccount  ${nobody}\n\nIt holds nothing that ferry looks for: no native asset and no well-known token.\n`,
    );
  });

  test('behavior: a node or a venue that does not answer is named, and in no sum', async () => {
    const { url } = await loopback(json({ error: 'busy' }, 500));
    const { code, json: read } = await balance('dev1', { FERRY_RPC_URL_BETA: url, FERRY_VENUE_URL: url });
    const { data } = read();
    expect(data.partial).toBe(true);
    const text = await ferry(['balance', 'dev1'], { env: { ...at(sandbox), FERRY_RPC_URL_BETA: url } });
    expect(text.stdout).toMatch(/^Total of what was read +\$\d+\.\d\d$/m);
    expect([code, data.unread.map(({ chain }: Envelope) => chain)]).toEqual([0, ['beta', 'lighter']]);
    expect(new Set(data.balances.map(({ chain }: Envelope) => chain))).toEqual(new Set(['alpha']));
  });

  test('error: no chain answers: in a moment, and what to do', async () => {
    const silent = await loopback(() => {});
    const env = { FERRY_RPC_URL_ALPHA: silent.url, FERRY_RPC_URL_BETA: silent.url, FERRY_VENUE_URL: silent.url };
    const { json: read } = await balance('dev1 --timeout 500ms', env);
    const message = 'None of the 2 chains has a node that answers.';
    expect(read().error).toMatchObject({ code: 'chain.unreachable', exit: 3, message, next: 'ferry doctor' });
    expect(read().error.hint).toContain('Is this machine online?');
  });

  test('behavior: a node that is late is named, and the other is read', async () => {
    const silent = await loopback(() => {});
    const context = await contextAt({ ...at(sandbox), FERRY_RPC_URL_BETA: silent.url });
    // Only beta is given little time.
    const within: Context['within'] = () => ({
      ...context.within(120_000),
      chain: (chain) => context.within(chain.id === 313372 ? 500 : 120_000).chain(chain),
    });
    const { balances, unread } = (await command.run({ args: ['dev1'] }, { ...context, within })) as Envelope;
    expect(unread).toMatchObject([{ chain: 'beta', reason: 'The RPC node of beta took too long to answer.' }]);
    expect(new Set(balances.map(({ chain }: Envelope) => chain))).toEqual(new Set(['alpha']));
  });

  test('error: no account, or a chain that there is not', async () => {
    const { json: read } = await ferry(['balance', '--network', 'mainnet', '--json']);
    expect(read().error).toMatchObject({ code: 'auth.no-account', next: 'ferry balance <address> --network mainnet' });
    expect((await balance('dev1 --chain gamma')).json().error.code).toBe('request.unknown-chain');
  });

  test('behavior: thousands are apart on a terminal, and nowhere else', async () => {
    const line = ['balance', dev1, '--chain', 'alpha', '--no-color'];
    const shown = (await ferry(line, { env: at(sandbox), terminals: { stdout: true }, columns: 120 })).stdout;
    expect(shown).toMatch(/alpha +1,000,000 +USDC +\$1,000,000\.00\n/);
    for (const flags of [[], ['--json']])
      expect((await ferry([...line, ...flags], { env: at(sandbox) })).stdout).not.toMatch(/\d,\d{3}/);
    expect((await ferry([...line, '--json'], { env: at(sandbox), terminals: { stdout: true } })).stdout).not.toMatch(
      /\d,\d{3}/,
    );
  });

  test('behavior: hostile words of a chain do not reach the terminal', () => {
    const row = { chain: 'alpha', chainId: 1, symbol: 'X\u001b[2J', currency: 'alpha/x', address: '0x', amount: '1' };
    const balances = [{ ...row, formatted: '1', usd: null }];
    const said = { account: dev1, balances, venue: [], totalUsd: null, partial: false, unread: [] };
    const text = command.view(said, plain);
    expect(text).not.toContain('\u001b');
  });
});
