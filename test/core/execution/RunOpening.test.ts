import { describe, expect, test } from 'vitest';
import type { Hex } from '../../../src/core/base/Hex.js';
import * as RunOpening from '../../../src/core/execution/RunOpening.js';
import * as DevelopmentAccount from '../../../src/core/network/DevelopmentAccount.js';
import type * as TransferIntent from '../../../src/core/quote/TransferIntent.js';
import { intent, network } from '../../support/quoted.js';

const intentOf = (amount: string, typed: TransferIntent.Typed = {}) => intent(amount, 'alpha/usdc', 'beta/usdc', typed);

const place = { instance: '1234', baseUrl: 'http://127.0.0.1:1', command: null, account: 'dev0' };

describe('from', () => {
  test('default', () => {
    const opening = RunOpening.from(intentOf('1.5'), place);
    expect(opening).toEqual({
      kind: 'transactions',
      network: 'sandbox',
      instance: '1234',
      baseUrl: 'http://127.0.0.1:1',
      key: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      summary: '1.5 alpha/usdc → beta/usdc',
      command: null,
      account: 'dev0',
    });
  });

  test('behavior: the same key for the same transfer, whoever begins it, and another for another', () => {
    const keyOf = (amount: string, typed: TransferIntent.Typed = {}, at: RunOpening.Source = place) =>
      RunOpening.from(intentOf(amount, typed), at).key;
    const key = keyOf('1');
    expect(keyOf('1', {}, { ...place, command: 'ferry execute …', account: null, baseUrl: undefined })).toBe(key);
    const called = (data: Hex, value: bigint) => ({ calls: [{ to: DevelopmentAccount.address(1), data, value }] });
    const calling = (data: Hex, value = 0n) =>
      RunOpening.from({ ...intentOf('1', { exactOutput: true }), ...called(data, value) }, place).key;
    const keys = [
      key,
      keyOf('2'),
      keyOf('1', { recipient: DevelopmentAccount.address(1) }),
      keyOf('1', { exactOutput: true }),
      keyOf('1', {}, { ...place, instance: undefined }),
      calling('0xaa'),
      calling('0xbb'),
      calling('0xaa', 1n),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('behavior: an amount of the output, and who submits', () => {
    expect(RunOpening.from(intentOf('1.5', { exactOutput: true }), place).summary).toBe('alpha/usdc → 1.5 beta/usdc');
    expect(RunOpening.from(intentOf('1', { gasless: true }), place).kind).toBe('batch');
  });
});

describe('fromCall', () => {
  const call = {
    executionKind: 'rawCalls' as const,
    data: { chainId: 313371, to: DevelopmentAccount.address(1), data: '0x00' as const, value: '0' },
    executionOptions: { subsidizeFees: true },
  };

  test('default: the same key for the same body, and another for another', () => {
    const opening = RunOpening.fromCall(call, network, place);
    expect(opening).toMatchObject({ kind: 'call', network: 'sandbox', instance: '1234', account: 'dev0' });
    expect(opening.summary).toBe(`call ${DevelopmentAccount.address(1)} on alpha`);
    const { data, executionOptions, executionKind } = call;
    expect(RunOpening.fromCall({ data, executionOptions, executionKind }, network, place).key).toBe(opening.key);
    for (const same of [
      { ...data, to: data.to.toLowerCase() as typeof data.to },
      { ...data, value: '00' },
    ])
      expect(RunOpening.fromCall({ ...call, data: same }, network, place).key).toBe(opening.key);
    for (const other of [
      { ...call, requestId: '0x01' },
      { ...call, data: { ...data, value: '1' } },
    ])
      expect(RunOpening.fromCall(other, network, place).key).not.toBe(opening.key);
  });
});
