import { describe, expect, onTestFinished, test } from 'vitest';
import { keepFresh, oldestSeconds } from '../../../src/sandbox/chain/freshBlocks.js';
import * as nodeRpc from '../../../src/sandbox/chain/nodeRpc.js';
import { start } from '../../../src/sandbox/chain/startChains.js';
import { temporaryFolder } from '../../support/ferry.js';
import { startSandbox } from '../../support/sandbox.js';

describe('keepFresh', () => {
  test('default: an old block is followed by an empty one, unless mining is off', async () => {
    const chains = await start();
    onTestFinished(() => chains.stop());
    const { rpcUrl } = chains.alpha;
    const later = () => Date.now() + 2 * oldestSeconds * 1_000;
    const height = async (clock: () => number) => {
      onTestFinished(await keepFresh([rpcUrl], clock));
      return Number(await nodeRpc.call(rpcUrl, 'eth_blockNumber'));
    };
    const before = await height(Date.now);
    expect(await height(Date.now)).toBe(before);
    expect(await height(later)).toBe(before + 1);
    await nodeRpc.call(rpcUrl, 'evm_setAutomine', false);
    expect(await height(later)).toBe(before + 1);
  });

  test('behavior: a sandbox that was stopped yesterday has prices of today', async () => {
    const stateDir = temporaryFolder();
    const old = await startSandbox({ stateDir, genesisTimestamp: Math.floor(Date.now() / 1000) - 86_400 });
    await old.stop();
    const sandbox = await startSandbox({ stateDir });
    onTestFinished(() => sandbox.stop());
    for (const url of [sandbox.rpcUrls.alpha, sandbox.rpcUrls.beta]) {
      const { timestamp } = (await nodeRpc.call(url, 'eth_getBlockByNumber', 'latest', false)) as { timestamp: string };
      expect(Date.now() / 1000 - Number(timestamp)).toBeLessThan(oldestSeconds);
    }
  });
});
