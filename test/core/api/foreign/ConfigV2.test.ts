import { describe, expect, test } from 'vitest';
import * as ConfigV2 from '../../../../src/core/api/foreign/ConfigV2.js';
import { decode, problems, withUnknownFields } from '../../../support/problems.js';

const config: ConfigV2.Response = {
  enabled: true,
  user: { balance: '5', maxBridgeAmount: '4' },
  fee: '1',
  solver: { address: '0x1', balance: '100', capacityPerRequest: '100' },
  supportsExternalLiquidity: false,
};

describe('response', () => {
  test('default', () => {
    expect(decode(ConfigV2.response, withUnknownFields(config))).toEqual(withUnknownFields(config));
    expect(decode(ConfigV2.response, { enabled: false })).toEqual({ enabled: false });
  });

  test('error: an amount that is no whole number', () => {
    expect(problems(ConfigV2.response, { ...config, fee: '1.5' })).toHaveLength(1);
  });
});

describe('query', () => {
  test('default', () => {
    expect(
      problems(ConfigV2.query, { originChainId: '1', destinationChainId: '2', user: '0x1', currency: 'eth' }),
    ).toEqual([]);
    expect(problems(ConfigV2.query, {})).toHaveLength(2);
  });
});
