import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as NetworkOf from '../../../src/core/network/Network.js';
import { network as sandbox } from '../../../src/core/network/sandbox.js';
import * as trustFile from '../../../src/io/state/trustFile.js';
import { failure, type Workbench, workbench } from '../../support/workbench.js';

const one = '0x1111111111111111111111111111111111111111';
const now = Date.UTC(2026, 0, 31);
const mine: NetworkOf.Network = { ...sandbox, name: 'mine', baseUrl: 'https://mine.example/v2' };
const alpha = NetworkOf.chain(mine, 'alpha');
const depository = { contracts: { depository: one }, tokens: [] } as const;

type Wishes = Partial<Pick<trustFile.PinnedDeployment, 'network' | 'instance'>>;

/** The pins as a command sees them. */
function open(bench: Workbench, { network = mine, instance = async () => undefined }: Wishes = {}) {
  const host = { ...bench.host, now: () => now, signal: new AbortController().signal };
  return trustFile.open({ host, network, instance });
}

const known = async (bench: Workbench, wishes: Wishes = {}) =>
  NetworkOf.chain((await open(bench, wishes)).network, 'alpha').contracts.depository;

describe('read', () => {
  test.each([
    ['a damaged file', '{', 'config.unreadable'],
    ['an empty file', '', 'config.unreadable'],
    ['a file that is too large', ' '.repeat(1_000_001), 'config.unreadable'],
    ['a file of a newer ferry', '{"version":2}', 'config.invalid'],
  ])('error: %s', async (_, text, code) => {
    const bench = workbench();
    const path = bench.write('home/.config/ferry/pins.json', text);
    const error = await failure(code, () => trustFile.read(bench.host));
    expect(error.facts).toContainEqual(['file', path]);
  });

  test('error: pins that others could have written', async () => {
    const bench = workbench();
    const path = bench.write('home/.config/ferry/pins.json', '{"version":1,"chains":[]}');
    for (const each of [path, dirname(path)]) {
      const { mode } = statSync(each);
      chmodSync(each, mode | 0o022);
      const error = await failure('state.untrusted', () => trustFile.read(bench.host));
      expect(error).toMatchObject({ next: `chmod go-w ${each}`, funds: 'untouched' });
      chmodSync(each, mode);
    }
    expect(trustFile.read(bench.host)).toEqual([]);
  });
});

describe('open', () => {
  test('default: a written pin applies at once and to the next command', async () => {
    const bench = workbench();
    const { network, store } = await open(bench);
    expect(network).toBe(mine);
    const written = await store.write(alpha, depository);
    expect(NetworkOf.chain(written, 'alpha').contracts).toEqual({ ...alpha.contracts, depository: one });
    expect(NetworkOf.chain(written, 'beta')).toEqual(NetworkOf.chain(mine, 'beta'));
    const row = { contract: 'depository', address: one, source: 'accepted', at: now };
    expect(store.contracts(alpha)).toContainEqual({ ...row, instead: alpha.contracts.depository });
    const next = await open(bench);
    expect(next.network).toEqual(written);
    // Also for the chain overlaid with the pins.
    expect(next.store.contracts(NetworkOf.chain(next.network, 'alpha'))).toEqual(store.contracts(alpha));
  });

  test('behavior: a network with another URL inherits no pins', async () => {
    const bench = workbench();
    await (await open(bench)).store.write(alpha, depository);
    const at = (baseUrl: string) => known(bench, { network: { ...mine, baseUrl } });
    expect(await at('https://mine.example/v3')).toBe(one);
    expect(await at('https://other.example/v2')).toBe(alpha.contracts.depository);
    expect(await at('http://mine.example/v2')).toBe(alpha.contracts.depository);
    expect(await known(bench, { network: { ...mine, name: 'yours' } })).toBe(alpha.contracts.depository);
  });

  test('behavior: the sandbox’s pins belong to its instance', async () => {
    const bench = workbench();
    const at = (id: string | undefined) => ({ network: sandbox, instance: async () => id });
    await (await open(bench, at('first'))).store.write(alpha, depository);
    expect(await known(bench, at('first'))).toBe(one);
    expect(await known(bench, at('second'))).toBe(alpha.contracts.depository);
    expect(await known(bench, at(undefined))).toBe(alpha.contracts.depository);
  });

  test('behavior: looks up the instance only if there are pins for it, and starts it only to write', async () => {
    const bench = workbench();
    const asked: boolean[] = [];
    const instance: trustFile.PinnedDeployment['instance'] = async ({ start }) => {
      asked.push(start);
      return 'first';
    };
    const { store } = await open(bench, { network: sandbox, instance });
    expect(asked).toEqual([]);
    await store.write(alpha, depository);
    await open(bench, { network: sandbox, instance });
    expect(asked).toEqual([true, false]);
  });

  test('behavior: concurrent writes do not undo each other', async () => {
    const bench = workbench();
    const both = mine.chains.filter(({ vm }) => vm === 'evm');
    const stores = await Promise.all(both.map(async () => (await open(bench)).store));
    await Promise.all(stores.map((store, i) => store.write(both[i] ?? alpha, depository)));
    const { network } = await open(bench);
    expect(both.map(({ name }) => NetworkOf.chain(network, name).contracts.depository)).toEqual([one, one]);
  });

  test('error: the sandbox does not report its instance', async () => {
    const { store } = await open(workbench(), { network: sandbox });
    await failure('config.invalid', () => store.write(alpha, depository));
  });

  test('error: a file damaged in the meantime is left unchanged', async () => {
    const bench = workbench();
    const { store } = await open(bench);
    await store.write(alpha, depository);
    writeFileSync(store.path, '{');
    await failure('config.unreadable', () => store.write(alpha, depository));
    expect(readFileSync(store.path, 'utf8')).toBe('{');
  });
});
