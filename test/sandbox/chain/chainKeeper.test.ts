import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as atomicWrite from '../../../src/io/files/atomicWrite.js';
import * as chainKeeper from '../../../src/sandbox/chain/chainKeeper.js';
import * as nodeRpc from '../../../src/sandbox/chain/nodeRpc.js';
import { start } from '../../../src/sandbox/chain/startChains.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { useChains } from '../../support/chains.js';
import { signedBy } from '../../support/node.js';

const { alpha: chain } = useChains();
const target = '0x00000000000000000000000000000000000000aa';

let folder: string;
let keeper: chainKeeper.ChainKeeper;
let files: chainKeeper.Files;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ferry-keeper-'));
  files = { folder, name: 'alpha', replace: atomicWrite.replace, onFailure: () => expect.unreachable() };
  keeper = await chainKeeper.create(chain.rpcUrl, { ...files, isContinued: false });
});

afterEach(async () => {
  await keeper.abandon();
  rmSync(folder, { recursive: true, force: true });
});

const alpha = (method: string, ...params: unknown[]) => nodeRpc.call(chain.rpcUrl, method, ...params);

/** What a sandbox that continues has. */
async function continued<Result>(look: (rpcUrl: string) => Promise<Result>): Promise<Result> {
  const saved = chainKeeper.read(files);
  const again = await start({ searchPath: process.env.PATH, state: { alpha: saved, beta: saved } });
  try {
    return await look(again.alpha.rpcUrl);
  } finally {
    await again.stop();
  }
}

describe('create', () => {
  test('default: a new chain is written at once', () => {
    expect(readdirSync(folder)).toEqual(['alpha.state']);
    expect(chainKeeper.read(files)).toMatchObject({ pending: [] });
  });

  test('behavior: a change is said before it is made, and written soon after', async () => {
    const done = keeper.willChange('anvil_setBalance');
    expect(() => chainKeeper.read(files)).toThrow('it ended before anvil_setBalance was written');
    await alpha('anvil_setBalance', target, '0x7');
    done();
    await expect.poll(() => readdirSync(folder)).toEqual(['alpha.state']);
    expect(await continued((url) => nodeRpc.call(url, 'eth_getBalance', target, 'latest'))).toBe('0x7');
  });

  test('behavior: a block that nobody announced is written', async () => {
    const written = () => readFileSync(join(folder, 'alpha.state'), 'utf8');
    const before = written();
    await alpha('anvil_mine', '0x1');
    const height = await alpha('eth_blockNumber');
    await expect.poll(written).not.toBe(before);
    await expect.poll(() => readdirSync(folder)).toEqual(['alpha.state']);
    expect(await continued((url) => nodeRpc.call(url, 'eth_blockNumber'))).toBe(height);
  });

  test('behavior: a change while the state is written is not taken for written', async () => {
    await keeper.abandon();
    let between: (() => void) | undefined;
    const replace: chainKeeper.Files['replace'] = (path, text) => {
      atomicWrite.replace(path, text);
      if (path.endsWith('.state')) between?.();
    };
    keeper = await chainKeeper.create(chain.rpcUrl, { ...files, replace, isContinued: true });
    between = () => keeper.willChange('a later change');
    keeper.willChange('a change');
    await keeper.stop();
    expect(existsSync(join(folder, 'alpha.changed'))).toBe(true);
  });
});

describe('stop', () => {
  test('default: what waits in the pool is kept as well', async () => {
    const nonce = Number(await alpha('eth_getTransactionCount', accounts.dev0.address, 'latest')) + 1;
    const hash = await alpha('eth_sendRawTransaction', await signedBy('dev0', { nonce }));
    keeper.willChange('a transaction');
    await keeper.stop();
    expect(chainKeeper.read(files).pending).toHaveLength(1);
    expect(await continued((url) => nodeRpc.call(url, 'eth_getTransactionByHash', hash))).toMatchObject({ hash });
  });

  test('behavior: a removed folder is not created again', async () => {
    rmSync(folder, { recursive: true });
    keeper.willChange('a change');
    await keeper.stop();
    expect(existsSync(folder)).toBe(false);
  });
});

describe('read', () => {
  test('error: nothing there, or something else', () => {
    expect(() => chainKeeper.read({ folder, name: 'beta' })).toThrow('it ended before it was first written');
    writeFileSync(join(folder, 'beta.state'), '{');
    expect(() => chainKeeper.read({ folder, name: 'beta' })).toThrow('its snapshot is damaged');
  });
});
