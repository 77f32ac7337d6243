/**
 * Every pair of the sandbox's tokens can be executed where nobody is asked, and nothing is allowed by name. By default
 * each currency once as input and once as output; `PAIRS=all` takes every pair.
 */
import { expect, test } from 'vitest';
import { network } from '../../src/core/network/sandbox.js';
import { at, ferry } from '../support/ferry.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox } = useSandbox();

/** The one token that no feed has a price for: it shows the refusal. */
const unpriced = 'KELP';

// The chain of Solana's kind needs a recipient of its own: svmTransfers.test.ts.
const evmAndVenue = network.chains.filter(({ vm }) => vm !== 'svm');
const currencies = evmAndVenue.flatMap(({ name, native, tokens }) =>
  [native, ...tokens.filter(({ address }) => address !== native.address)].map(({ symbol, asset }) => ({
    name: `${name}/${symbol.toLowerCase()}`,
    symbol,
    amount: asset === 'ETH' ? '0.01' : '20',
    isOnChain: name !== 'lighter',
  })),
);
const priced = currencies.filter(({ symbol }) => symbol !== unpriced);
const sources = priced.filter(({ isOnChain }) => isOnChain);

/** Far enough from each other that most are on two chains. */
const stride = 3;
const isAll = process.env.PAIRS === 'all';
const pairs = sources.flatMap((from, index) =>
  priced
    .filter((to, at) => to.name !== from.name && (isAll || at === (index + stride) % priced.length))
    .map((to) => [from, to] as const),
);

const planned = (from: string, to: string, amount: string) =>
  ferry(['execute', amount, from, to, '--dry-run', '--yes', '--json'], { env: at(sandbox) });

test('each pair is planned without --allow', async () => {
  expect(new Set(pairs.map(([{ name }]) => name)).size).toBe(sources.length);
  const failures: unknown[] = [];
  for (const [from, to] of pairs) {
    const ended = await planned(from.name, to.name, from.amount);
    const { data, error } = ended.json();
    if (ended.code !== 0 || data.plan.length === 0) failures.push([from.name, to.name, error?.code, error?.facts]);
  }
  expect(failures).toEqual([]);
}, 300_000);

test('the token without a feed is not', async () => {
  const of = currencies.filter(({ symbol }) => symbol === unpriced);
  expect(of.map(({ name }) => name)).toEqual(['alpha/kelp', 'beta/kelp']);
  for (const [from, to] of [
    ['alpha/kelp', 'beta/usdc'],
    ['alpha/usdc', 'beta/kelp'],
  ] as const)
    expect((await planned(from, to, '20')).json().error).toMatchObject({ exit: 5, funds: 'untouched' });
});
