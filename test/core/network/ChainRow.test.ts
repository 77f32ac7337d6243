import { describe, expect, test } from 'vitest';
import * as ChainRow from '../../../src/core/network/ChainRow.js';

const weth = '0x4200000000000000000000000000000000000006';
const depository = '0x4cD00E387622C35bDDB9b4c962C136462338BC31';

describe('toChain', () => {
  test('default', () => {
    const row: ChainRow.Row = [
      ...([8453, 'base', 'Base', { depository }, ['ETH', 'Ether', 18]] as const),
      ...(['https://rpc.example', 'https://scan.example', 'WETH', [['WETH', 'Wrapped Ether', weth, 18]]] as const),
    ];
    expect(ChainRow.toChain(row)).toEqual({
      id: 8453,
      name: 'base',
      displayName: 'Base',
      slug: 'base',
      vm: 'evm',
      native: { symbol: 'ETH', name: 'Ether', address: '0x0000000000000000000000000000000000000000', decimals: 18 },
      rpcUrl: 'https://rpc.example',
      explorerUrl: 'https://scan.example',
      contracts: { depository, wrapped: weth },
      tokens: [{ symbol: 'WETH', name: 'Wrapped Ether', address: weth, decimals: 18 }],
    });
  });

  test('behavior: a chain whose wrapped token is not known has none, whatever its tokens', () => {
    const row: ChainRow.Row = [
      ...([143, 'monad', 'Monad', { depository }, ['MON', 'Monad', 18]] as const),
      ...(['https://rpc.example', 'https://scan.example', '', [['WETH', 'Wrapped Ether', weth, 18]]] as const),
    ];
    expect(ChainRow.toChain(row).contracts).toEqual({ depository });
  });
});
