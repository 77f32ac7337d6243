import { describe, expect, test } from 'vitest';
import * as RpcRequest from '../../../src/sandbox/chainProxy/RpcRequest.js';

describe('from', () => {
  test.each(['', 'x', '[]', '{}', '1', 'null', '[{"method":"x"},1]', '{"method":1}'])(
    'behavior: undefined for %s',
    (body) => {
      expect(RpcRequest.from(body)).toBeUndefined();
    },
  );
});

describe('isRead', () => {
  test.each([
    ['eth_call', true],
    ['debug_traceTransaction', true],
    ['anvil_dumpState', true],
    ['evm_snapshot', true],
    ['eth_sendRawTransaction', false],
    ['anvil_setBalance', false],
    ['evm_revert', false],
    ['whatever', false],
  ])('default: %s', (method, isRead) => {
    expect(RpcRequest.isRead({ method })).toBe(isRead);
  });
});
