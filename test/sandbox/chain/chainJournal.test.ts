import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEther } from 'viem';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as atomicWrite from '../../../src/io/files/atomicWrite.js';
import * as chainJournal from '../../../src/sandbox/chain/chainJournal.js';
import { connectAs } from '../../../src/sandbox/chain/clients.js';
import * as nodeRpc from '../../../src/sandbox/chain/nodeRpc.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { useChains } from '../../support/chains.js';

const chains = useChains();
const target = '0x00000000000000000000000000000000000000aa';

let folder: string;
let journal: chainJournal.ChainJournal;
let place: chainJournal.Place;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ferry-journal-'));
  place = { folder, name: 'alpha', replace: atomicWrite.replace, onFailure: () => expect.unreachable() };
  journal = await chainJournal.create(chains.current.alpha.rpcUrl, { ...place, generations: [], isUnchanged: false });
});

afterEach(async () => {
  await journal.stop();
  rmSync(folder, { recursive: true, force: true });
});

const read = (generation = 1): chainJournal.Saved | undefined => chainJournal.read(place, [generation]);
const kinds = (generation?: number): string[] => (read(generation)?.entries ?? []).flatMap(Object.keys);

async function send(): Promise<`0x${string}`> {
  const client = connectAs(chains.current.alpha, accounts.dev0);
  const request = await client.prepareTransactionRequest({ to: target, value: parseEther('1') });
  const signed = await client.signTransaction(request);
  journal.willSend(signed);
  const hash = await client.sendRawTransaction({ serializedTransaction: signed });
  await client.waitForTransactionReceipt({ hash });
  return hash;
}

describe('create', () => {
  test('default: a snapshot, then each transaction and its block', async () => {
    expect(readdirSync(folder).sort()).toEqual(['alpha.1.log', 'alpha.1.state']);
    const hash = await send();
    await journal.catchUp();
    expect(kinds()).toEqual(['since', 'raw', 'hash', 'atMs', 'block']);
    expect(read()?.entries.at(-1)).toMatchObject({ block: { hashes: [hash] } });
  });

  test('behavior: a transaction that came another way is written with its block', async () => {
    const { rpcUrl } = chains.current.alpha;
    const hash = await nodeRpc.call(rpcUrl, 'eth_sendTransaction', {
      from: accounts.dev1.address,
      to: target,
      value: '0x1',
    });
    await journal.adopt(hash as `0x${string}`);
    await expect.poll(() => nodeRpc.call(rpcUrl, 'eth_getTransactionReceipt', hash)).not.toBeNull();
    await journal.catchUp();
    expect(read()?.entries).toEqual(expect.arrayContaining([expect.objectContaining({ hash })]));
    expect(kinds().filter((kind) => kind === 'raw')).toHaveLength(1);
  });

  test('behavior: a change of another kind takes a snapshot, which replaces what was before', async () => {
    const done = journal.willChange('anvil_setBalance');
    expect(kinds()).toContain('change');
    await nodeRpc.call(chains.current.alpha.rpcUrl, 'anvil_setBalance', target, '0x7');
    done();
    await expect.poll(() => readdirSync(folder).sort()).toEqual(['alpha.2.log', 'alpha.2.state']);
    expect(kinds(2)).toEqual(['since']);
  });

  test('behavior: a reorganization takes a snapshot', async () => {
    const hash = await send();
    await journal.catchUp();
    await nodeRpc.call(chains.current.alpha.rpcUrl, 'anvil_reorg', 1, []);
    await expect.poll(() => readdirSync(folder)).toContain('alpha.2.state');
    expect(await nodeRpc.call(chains.current.alpha.rpcUrl, 'eth_getTransactionReceipt', hash)).toBeNull();
  });
});

describe('stop', () => {
  test('default: the last snapshot has everything; another one is not needed', async () => {
    await send();
    await journal.stop();
    expect(readdirSync(folder).sort()).toEqual(['alpha.2.log', 'alpha.2.state']);
    expect(kinds(2)).toEqual(['since']);
    const { rpcUrl } = chains.current.alpha;
    const again = await chainJournal.create(rpcUrl, { ...place, generations: [2], isUnchanged: true });
    await again.stop();
    expect(readdirSync(folder).sort()).toEqual(['alpha.2.log', 'alpha.2.state']);
  });
});

describe('read', () => {
  test('behavior: nothing without a snapshot', () => {
    expect(chainJournal.read(place, [7])).toBeUndefined();
  });
});
