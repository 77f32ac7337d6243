import { describe, expect, test } from 'vitest';
import * as nodeRpc from '../../../src/sandbox/chain/nodeRpc.js';
import { useChains } from '../../support/chains.js';

const chains = useChains();

describe('call', () => {
  test('default', async () => {
    expect(await nodeRpc.call(chains.current.beta.rpcUrl, 'eth_chainId')).toBe('0x4c81c');
  });

  test('error: rejected by the node', async () => {
    await expect(nodeRpc.call(chains.current.alpha.rpcUrl, 'eth_noSuchMethod')).rejects.toThrow(/^eth_noSuchMethod: /);
  });
});

describe('callAll', () => {
  test('default', async () => {
    const { rpcUrl } = chains.current.alpha;
    expect(await nodeRpc.callAll(rpcUrl, [['eth_chainId'], ['eth_getBlockTransactionCountByNumber', '0x0']])).toEqual([
      '0x4c81b',
      '0x0',
    ]);
  });

  test('error: one of them rejected', async () => {
    await expect(nodeRpc.callAll(chains.current.alpha.rpcUrl, [['eth_chainId'], ['eth_noSuchMethod']])).rejects.toThrow(
      /^eth_noSuchMethod: /,
    );
  });
});
