import { describe, expect, test } from 'vitest';
import * as Execute from '../../../src/core/api/Execute.js';
import * as RawCall from '../../../src/core/gasless/RawCall.js';

const to = '0x00000000000000000000000000000000000000AA';
const full: RawCall.Typed = { chainId: 313371, to, data: '0x1234', value: '0', subsidizeFees: true };
const authorization = JSON.stringify({ chainId: 313371, address: to, nonce: 0, yParity: 1, r: '0x01', s: '0x02' });

describe('from', () => {
  test('default: a body of spec 2.1, with nothing that was not said', () => {
    const body = RawCall.from(full);
    expect(body).toEqual({
      executionKind: 'rawCalls',
      data: { chainId: 313371, to, data: '0x1234', value: '0' },
      executionOptions: { subsidizeFees: true },
    });
    expect(Execute.request.parse(body)).toEqual(body);
  });

  test('behavior: everything that can be said', () => {
    const body = RawCall.from({
      ...full,
      authorizations: [authorization],
      destinationCalls: [`${to}:5:0xab`, to],
      destinationAuthorizations: [authorization],
      referrer: 'me',
      requestId: '0x01',
    });
    expect(body.data.authorizationList).toEqual([JSON.parse(authorization)]);
    expect(body.executionOptions).toEqual({
      referrer: 'me',
      subsidizeFees: true,
      destinationChainExecutionData: {
        calls: [{ to, value: '5', data: '0xab' }, { to }],
        authorizationList: [JSON.parse(authorization)],
      },
    });
  });

  test.each([
    [{ to: undefined }, 'to is required'],
    [{ data: undefined }, 'data is required'],
    [{ value: undefined }, 'value is required'],
    [{ chainId: undefined }, 'chainId is required'],
    [{ authorizations: [] }, 'authorizationList cannot be empty'],
    [{ to: 'me' }, 'an address'],
    [{ data: 'zz' }, 'hexadecimal'],
    [{ value: '0x1' }, 'digits'],
    [{ destinationCalls: [] }, 'at least 1 item'],
    [{ destinationAuthorizations: [authorization] }, 'calls is required'],
    [{ authorizations: ['{}'] }, 'is required'],
    [{ authorizations: ['nonsense'] }, 'must be JSON'],
  ])('error: %j is refused in the service’s words', (changed, words) => {
    expect(() => RawCall.from({ ...full, ...changed })).toThrowError(
      expect.objectContaining({ code: 'usage.invalid', exit: 2, message: expect.stringContaining(words) }),
    );
  });
});

test('check: error: an unknown field, another kind, no object', () => {
  for (const body of [
    { ...RawCall.from(full), surprise: 1 },
    { ...RawCall.from(full), executionKind: 'bundle' },
    null,
    [],
  ])
    expect(() => RawCall.check(body)).toThrow('The service would refuse this');
});
