import { describe, expect, test } from 'vitest';
import { BaseError } from '../../src/core/base/Errors.js';
import { network } from '../../src/core/network/mainnet.js';
import type { Chain } from '../../src/core/network/Network.js';
import type { Clock, Chain as Node, Reach } from '../../src/core/ports/Ports.js';
import { checkNodes } from '../../src/setup/nodeChecks.js';

const shipped = network.chains.filter(({ vm }) => vm === 'evm');

/** The nodes as a port: each answers with the chain id that it is given, or is not there. Counts who was asked. */
function nodes(idOf: (chain: Chain) => number | undefined) {
  const asked: string[] = [];
  const chain = async ({ id }: Pick<Chain, 'id'>): Promise<Node> => {
    const on = shipped.find((each) => each.id === id);
    if (!on) throw new Error('no such chain');
    asked.push(on.name);
    const found = idOf(on);
    if (found === undefined) throw new BaseError('chain.unreachable', `The RPC node of ${on.name} does not answer.`);
    return {
      chainId: async () => found,
      tip: async () => ({ number: 1n, timestamp: 1_000n }),
    } as Partial<Node> as Node;
  };
  const reach = { chain } as Partial<Reach> as Reach;
  return { asked, within: () => ({ network, reach, clock: { now: () => 1_000_000 } as Partial<Clock> as Clock }) };
}

const check = async (chains: readonly Chain[], idOf: (chain: Chain) => number | undefined, isNamed = false) => {
  const { asked, within } = nodes(idOf);
  return { asked, ...(await checkNodes(chains, { network: network.name, isNamed, within })) };
};

describe('checkNodes', () => {
  test('default: every node answers', async () => {
    const { asked, checks, times } = await check(shipped, ({ id }) => id);
    expect(asked.toSorted()).toEqual(shipped.map(({ name }) => name).toSorted());
    expect(checks.map(({ name, verdict }) => [name, verdict])).toEqual(shipped.map(({ name }) => [name, 'ok']));
    expect(times).toHaveLength(shipped.length);
  });

  test('behavior: public nodes that are down are one warning that names them', async () => {
    const down = ['base', 'katana', 'degen'];
    const { checks } = await check(shipped, ({ id, name }) => (down.includes(name) ? undefined : id));
    expect(checks).toHaveLength(shipped.length - 2);
    const { facts, ...warning } = checks.at(-1) ?? {};
    expect(warning).toMatchObject({
      check: 'chain',
      name: null,
      verdict: 'warn',
      summary: '3 public nodes do not answer.',
    });
    expect(Object.keys(facts ?? {})).toEqual(down);
  });

  test('behavior: if none of the first eight answers, the others are not asked', async () => {
    const { asked, checks } = await check(shipped, () => undefined);
    expect(asked).toEqual(shipped.slice(0, 8).map(({ name }) => name));
    expect(checks.map(({ summary }) => summary)).toEqual([
      `None of 8 public nodes answers, so the other ${shipped.length - 8} were not asked.`,
    ]);
  });

  test('behavior: a node that the user chose fails on its own, and is asked whatever the others do', async () => {
    const own = shipped.map((chain) => (chain.name === 'degen' ? { ...chain, rpcUrl: 'https://mine.example' } : chain));
    const { asked, checks } = await check(own, () => undefined);
    expect(asked).toContain('degen');
    expect(checks.map(({ name, verdict }) => [name, verdict])).toEqual([
      ['degen', 'fail'],
      [null, 'warn'],
    ]);
  });

  test('behavior: a public node of another chain fails', async () => {
    const { checks } = await check(shipped.slice(0, 2), ({ id, name }) => (name === 'ethereum' ? 5 : id));
    expect(checks.map(({ name, code }) => [name, code])).toEqual([
      ['ethereum', 'chain.wrong-chain'],
      ['optimism', null],
    ]);
  });

  test('behavior: chains that the user named fail one by one', async () => {
    const { asked, checks } = await check(shipped.slice(0, 10), () => undefined, true);
    expect([asked.length, checks.length]).toEqual([10, 10]);
    expect(new Set(checks.map(({ verdict }) => verdict))).toEqual(new Set(['fail']));
  });
});
