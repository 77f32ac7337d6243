import { describe, expect, test } from 'vitest';
import * as RpcEffect from '../../../src/sandbox/chainProxy/RpcEffect.js';

describe('of', () => {
  test.each([
    ['eth_sendRawTransaction', 'send'],
    ['eth_sendTransaction', 'block'],
    ['evm_mine', 'block'],
    ['anvil_mine', 'block'],
    ['eth_getTransactionReceipt', 'receipt'],
    ['eth_getBalance', 'none'],
    ['eth_call', 'none'],
    ['debug_traceTransaction', 'none'],
    ['anvil_nodeInfo', 'none'],
    ['anvil_dumpState', 'none'],
    ['evm_snapshot', 'none'],
    ['anvil_impersonateAccount', 'none'],
    ['evm_increaseTime', 'none'],
    ['anvil_setBalance', 'change'],
    ['hardhat_setStorageAt', 'change'],
    ['evm_revert', 'change'],
    ['anvil_reorg', 'change'],
    ['anvil_loadState', 'change'],
    ['anvil_dropTransaction', 'change'],
    ['tenderly_setBalance', 'change'],
    ['whatever', 'change'],
  ])('default: %s', (method, effect) => {
    expect(RpcEffect.of({ params: [], method })).toBe(effect);
  });
});

describe('rawOf', () => {
  test('default', () => {
    expect(RpcEffect.rawOf({ method: 'm', params: ['0x02ab'] })).toBe('0x02ab');
    for (const params of [[], [1], ['0x'], ['text']]) expect(RpcEffect.rawOf({ method: 'm', params })).toBeUndefined();
  });
});
