import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as Network from '../../../src/core/network/Network.js';
import type { Entry } from '../../../src/core/tracking/Journal.js';
import { createRuns } from '../../../src/io/runs/runFolder.js';
import { createKnown } from '../../../src/io/state/readLocalNames.js';
import { intent } from '../../support/journals.js';
import { unprivileged } from '../../support/unprivileged.js';
import { type Workbench, workbench } from '../../support/workbench.js';

const address = 'f39fd6e51aad88f6f4ce6ab8827279cfffb92266';

const pins = (network: string, deployment: string, chainId: number, symbol: string) =>
  JSON.stringify({
    version: 1,
    chains: [
      {
        network,
        deployment,
        chainId,
        contracts: {},
        tokens: [{ symbol, name: 'Puffin', decimals: 6, address: `0x${address}`, at: '2026-01-01T00:00:00.000Z' }],
      },
    ],
  });

const tokens = async (bench: Workbench, chain: string, name?: string) => {
  const network = await createKnown(bench.host).network(name);
  return network && Network.chain(network, chain).tokens.map(({ symbol }) => symbol);
};

describe('network', () => {
  test('behavior: without a file, the one that the environment names; an empty variable counts as unset', async () => {
    const named = async (FERRY_NETWORK: string) =>
      (await createKnown(workbench({ env: { FERRY_NETWORK } }).host).network(undefined))?.name;
    const names = await Promise.all(['testnet', 'testnet\r', ''].map(named));
    expect(names).toEqual(['testnet', 'testnet', 'sandbox']);
  });

  test('behavior: of a file that cannot be read, only what is named', async () => {
    const bench = workbench();
    bench.write('home/.config/ferry/config.json', '{');
    const known = createKnown(bench.host);
    expect(await known.network(undefined)).toBeUndefined();
    expect((await known.network('testnet'))?.name).toBe('testnet');
    expect(await known.configured()).toEqual({ networks: [], aliases: [] });
  });

  test('behavior: includes the tokens pinned for the deployment', async () => {
    const bench = workbench();
    bench.write('home/.config/ferry/pins.json', pins('testnet', 'https://api.testnets.relay.link', 84532, 'PUFF'));
    expect(await tokens(bench, 'base-sepolia', 'testnet')).toContain('PUFF');
    bench.host.env.FERRY_BASE_URL = 'http://127.0.0.1:9';
    expect(await tokens(bench, 'base-sepolia', 'testnet')).not.toContain('PUFF');
  });

  test('behavior: on the sandbox, the tokens of the running or saved instance', async () => {
    const bench = workbench();
    bench.write('home/.config/ferry/pins.json', pins('sandbox', 'one', 313371, 'PUFF'));
    expect(await tokens(bench, 'alpha')).toContain('PUFF');
    bench.write(
      'home/.local/state/ferry/sandbox/state/instance.json',
      `{"version":"1","instance":"two","seed":"${'0'.repeat(9000)}`,
    );
    expect(await tokens(bench, 'alpha')).not.toContain('PUFF');
    bench.write('home/.local/state/ferry/sandbox/running.json', '{ "instance": "one" }');
    expect(await tokens(bench, 'alpha')).toContain('PUFF');
  });

  test('behavior: none for an unknown name', async () => {
    expect(await createKnown(workbench().host).network('frob')).toBeUndefined();
  });
});

describe('keys', () => {
  test('default: encrypted keys with their addresses', () => {
    const bench = workbench();
    const keystore = JSON.stringify({ version: 3, address, crypto: {} });
    for (const name of ['main', 'b-2', 'dev3', '.hidden', '$(touch ran)', 'with space'])
      bench.write(`home/.config/ferry/keys/${name}`, keystore);
    bench.write('home/.config/ferry/keys/password', 'secret');
    bench.write('home/.config/ferry/keys/old', '{ "version": 1 }');
    bench.write('home/.config/ferry/keys/venue.keys/api', '{ "version": 3 }');
    const known = createKnown(bench.host);
    expect(known.keys()).toEqual([
      { name: 'b-2', about: `0x${address}` },
      { name: 'main', about: `0x${address}` },
    ]);
    expect(known.venueKeys().map(({ name }) => name)).toEqual(['api']);
  });

  test('behavior: none if the folder is missing or a file', () => {
    const bench = workbench();
    expect(createKnown(bench.host).keys()).toEqual([]);
    bench.write('home/.config/ferry/keys', '');
    expect(createKnown(bench.host).keys()).toEqual([]);
  });
});

describe('runs', () => {
  /** Journaled runs, a second apart. */
  async function begin(bench: Workbench, ...runs: readonly (readonly Entry[])[]): Promise<string[]> {
    let now = Date.parse('2026-11-21T09:30:00Z');
    const host = { ...bench.host, now: () => now, signal: new AbortController().signal };
    const ids: string[] = [];
    for (const [index, entries] of runs.entries()) {
      const { type: _, run: __, ...begun } = { ...intent, key: `0x${index}` };
      const run = await createRuns(host, { warn: () => {} }).create(begun, { again: true });
      for (const entry of entries) await run.append(entry);
      run.close();
      ids.push(run.id);
      now += 1000;
    }
    return ids;
  }
  const requestId = `0x${'1'.repeat(64)}`;
  const taken: readonly Entry[] = [
    { type: 'quote', requestId, document: {} },
    { type: 'request', requestId },
  ];

  test('default: newest first', async () => {
    const bench = workbench();
    const [first = '', second = ''] = await begin(bench, taken, []);
    expect(createKnown(bench.host).runs()).toEqual([
      { id: second, summary: intent.summary, isUnfinished: false, requestId: undefined },
      { id: first, summary: intent.summary, isUnfinished: true, requestId },
    ]);
  });

  test('behavior: writes, locks and leaves nothing', async () => {
    const bench = workbench();
    await begin(bench, taken, taken);
    const files = () => readdirSync(bench.folder, { recursive: true }).sort();
    const before = files();
    const known = createKnown(bench.host);
    known.runs();
    known.keys();
    await known.network(undefined);
    expect(files()).toEqual(before);
  });

  test('behavior: skips files that are not journals', async () => {
    const bench = workbench();
    const [id] = await begin(bench, taken);
    const runs = 'home/.local/state/ferry/runs';
    bench.write(`${runs}/20261121-093000-aaaaaa.jsonl`, 'torn');
    bench.write(`${runs}/$(touch ran).jsonl`, 'x');
    bench.write(`${runs}/20261121-093000-bbbbbb.jsonl`, '0'.repeat(1_000_001));
    mkdirSync(join(bench.folder, `${runs}/20261121-093000-cccccc.jsonl`));
    execFileSync('mkfifo', [join(bench.folder, `${runs}/20261121-093000-dddddd.jsonl`)]);
    expect(createKnown(bench.host).runs()).toMatchObject([{ id }]);
  });

  test('behavior: none if the folder is not readable', async () => {
    const bench = workbench();
    await begin(bench, taken);
    chmodSync(join(bench.home, '.local/state/ferry/runs'), 0);
    expect(await unprivileged(async () => createKnown(bench.host).runs())).toEqual([]);
    chmodSync(join(bench.home, '.local/state/ferry/runs'), 0o700);
    expect(createKnown(bench.host).runs()).toHaveLength(1);
  });
});
