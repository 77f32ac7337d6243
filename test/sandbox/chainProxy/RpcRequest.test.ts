import { describe, expect, test } from 'vitest';
import * as RpcRequest from '../../../src/sandbox/chainProxy/RpcRequest.js';

const chainId = { jsonrpc: '2.0', id: 1, method: 'eth_chainId' };

describe('from', () => {
  test('default: a call or a batch', () => {
    expect(RpcRequest.from(JSON.stringify(chainId))).toEqual({ calls: [{ ...chainId, params: [] }], isBatch: false });
    const named = { ...chainId, id: 'x', params: ['0x1'] };
    expect(RpcRequest.from(JSON.stringify([chainId, named]))).toEqual({
      calls: [{ ...chainId, params: [] }, named],
      isBatch: true,
    });
  });

  test.each(['', 'x', '[]', '{}', '1', 'null', '[{"method":"x"},1]', '{"method":1}'])(
    'behavior: undefined for %s',
    (body) => {
      expect(RpcRequest.from(body)).toBeUndefined();
    },
  );
});

describe('pointerTo', () => {
  test('default: by id, whatever the response order', () => {
    const calls = [1, 'a', 2].map((id) => ({ id, method: 'x', params: [] }));
    const answers = [{ id: 2 }, { id: 1 }, { id: 'a' }];
    const places = calls.map((_, at) => RpcRequest.pointerTo({ calls, isBatch: true }, answers, at));
    expect(places).toEqual(['/1', '/2', '/0']);
  });

  test('behavior: empty for a single call or a response that is not a list', () => {
    const calls = [{ id: 1, method: 'x', params: [] }];
    expect(RpcRequest.pointerTo({ calls, isBatch: false }, { id: 1 }, 0)).toBe('');
    expect(RpcRequest.pointerTo({ calls, isBatch: true }, { error: {} }, 0)).toBe('');
  });
});

describe('accountIn', () => {
  test.each([
    ['eth_getTransactionCount', ['0xab', 'latest'], '0xab'],
    ['eth_getBalance', ['0xab'], '0xab'],
    ['eth_call', [{ from: '0xab', to: '0xcd' }], '0xab'],
    ['eth_sendTransaction', [{ from: '0xab' }], '0xab'],
    ['eth_call', [{ to: '0xcd' }], undefined],
    ['eth_getBlockByHash', ['0xab'], undefined],
    ['eth_getBalance', [], undefined],
    ['eth_call', [null], undefined],
  ])('default: %s %j', (method, params, account) => {
    expect(RpcRequest.accountIn({ method, params })).toBe(account);
  });
});

describe('hashIn', () => {
  test.each([
    ['eth_getTransactionReceipt', ['0xab'], '0xab'],
    ['eth_getTransactionByHash', ['0xab'], '0xab'],
    ['eth_getTransactionByHash', [1], undefined],
    ['eth_getBlockByHash', ['0xab'], undefined],
  ])('default: %s %j', (method, params, hash) => {
    expect(RpcRequest.hashIn({ method, params })).toBe(hash);
  });
});

describe('isRead', () => {
  test.each([
    ['eth_getTransactionReceipt', true],
    ['eth_getBalance', true],
    ['eth_call', true],
    ['debug_traceTransaction', true],
    ['anvil_nodeInfo', true],
    ['anvil_dumpState', true],
    ['evm_snapshot', true],
    ['eth_sendRawTransaction', false],
    ['eth_sendTransaction', false],
    ['evm_mine', false],
    ['anvil_setBalance', false],
    ['hardhat_setStorageAt', false],
    ['evm_revert', false],
    ['anvil_reorg', false],
    ['tenderly_setBalance', false],
    ['whatever', false],
  ])('default: %s', (method, isRead) => {
    expect(RpcRequest.isRead({ method })).toBe(isRead);
  });
});
