import { describe, expect, test } from 'vitest';
import * as StatusV3 from '../../../../src/core/api/StatusV3.js';
import * as RequestRecord from '../../../../src/core/api/schema/RequestRecord.js';
import { decode, problems } from '../../../support/problems.js';
import { read } from '../../../support/recorded.js';

const { requests } = read('requests-v3') as { requests: { protocol: unknown; data: { route: { quoted: unknown } } }[] };

describe('states', () => {
  test('behavior: each is also a state of the status endpoint', () => {
    expect(RequestRecord.states.every(StatusV3.isState)).toBe(true);
  });
});

describe('protocol', () => {
  test('default', () => {
    for (const { protocol } of requests) expect(decode(RequestRecord.protocol, protocol)).toEqual(protocol);
  });

  test('behavior: most fields are absent before a deposit', () => {
    expect(problems(RequestRecord.protocol, { orderId: '0x1', deposit: null, settlement: null })).toEqual([]);
  });
});

describe('route', () => {
  test('default', () => {
    for (const { data } of requests) expect(decode(RequestRecord.route, data.route.quoted)).toEqual(data.route.quoted);
    expect(problems(RequestRecord.route, { origin: { router: 1 } })).toEqual(['origin.router: expected a string']);
  });
});

describe('depositAddress', () => {
  test('default', () => {
    const address = { address: '0x1', type: 'open', depositor: null, depositTxHash: null, recoveryAddress: '0x2' };
    expect(decode(RequestRecord.depositAddress, address)).toEqual(address);
    expect(problems(RequestRecord.depositAddress, { type: 'open' })).toEqual(['address: missing, expected a string']);
  });
});
