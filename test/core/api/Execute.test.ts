import { describe, expect, test } from 'vitest';
import * as Execute from '../../../src/core/api/Execute.js';
import * as Decode from '../../../src/core/api/schema/Decode.js';
import { decode, problems } from '../../support/problems.js';
import { read } from '../../support/recorded.js';

const authorization = { chainId: 313372, address: `0x${'11'.repeat(20)}`, nonce: 0, yParity: 0, r: '0x1', s: '0x2' };
const data = { chainId: 313371, to: `0x${'22'.repeat(20)}`, data: '0x', value: '0' };
const executionOptions = { referrer: 'sandbox-referrer', subsidizeFees: true };
const request = { executionKind: 'rawCalls', data, executionOptions };

const full = {
  ...request,
  data: { ...data, authorizationList: [authorization] },
  executionOptions: {
    ...executionOptions,
    destinationChainExecutionData: {
      calls: [{ to: `0x${'33'.repeat(20)}`, value: '1', data: '0xabc' }, {}],
      authorizationList: [authorization],
    },
  },
  requestId: '0x1',
  originGasOverhead: 80000,
};

/** The request with fields of `data` or of the options changed; undefined removes a field. */
const withData = (change: object) => json({ ...request, data: { ...data, ...change } });
const withOptions = (change: object) => json({ ...request, executionOptions: { ...executionOptions, ...change } });
const withDestination = (destinationChainExecutionData: object) => withOptions({ destinationChainExecutionData });

describe('request', () => {
  test('default', () => {
    expect(decode(Execute.request, request)).toEqual(request);
  });

  test('behavior: accepts every documented field', () => {
    expect(decode(Execute.request, full)).toEqual(full);
  });

  test('behavior: the referrer is optional', () => {
    expect(problems(Execute.request, withOptions({ referrer: undefined }))).toEqual([]);
  });

  const address = 'expected an address (0x and 40 hexadecimal digits)';
  const destination = 'executionOptions.destinationChainExecutionData';
  test.each<[name: string, request: unknown, problem: string]>([
    ['no kind', json({ ...request, executionKind: undefined }), 'executionKind: missing, expected rawCalls'],
    ['another kind', { ...request, executionKind: 'calls' }, 'executionKind: expected rawCalls'],
    ['no data', json({ ...request, data: undefined }), 'data: missing, expected an object'],
    ['no options', json({ ...request, executionOptions: undefined }), 'executionOptions: missing, expected an object'],
    ['no chain id', withData({ chainId: undefined }), 'data.chainId: missing, expected a number'],
    ['no contract', withData({ to: undefined }), 'data.to: missing, expected a string'],
    ['no call data', withData({ data: undefined }), 'data.data: missing, expected a string'],
    ['no value', withData({ value: undefined }), 'data.value: missing, expected a string'],
    [
      'no subsidy choice',
      withOptions({ subsidizeFees: undefined }),
      'executionOptions.subsidizeFees: missing, expected a boolean',
    ],
    ['a chain id as text', withData({ chainId: '1' }), 'data.chainId: expected a number'],
    ['a malformed contract', withData({ to: '0x22' }), `data.to: ${address}`],
    ['malformed call data', withData({ data: 'abcd' }), 'data.data: expected hexadecimal digits after 0x'],
    ['value as a number', withData({ value: 0 }), 'data.value: expected a string'],
    ['no authorization', withData({ authorizationList: [] }), 'data.authorizationList: expected at least 1 item'],
    ['gas', withData({ gas: '1' }), 'data.gas: unknown field'],
    ['an unknown field', { ...request, kind: 'x' }, 'kind: unknown field'],
    ['an unknown option', withOptions({ sponsor: true }), 'executionOptions.sponsor: unknown field'],
    ['no calls', withDestination({}), `${destination}.calls: missing, expected an array`],
    ['zero calls', withDestination({ calls: [] }), `${destination}.calls: expected at least 1 item`],
    ['a malformed call target', withDestination({ calls: [{ to: 'x' }] }), `${destination}.calls[0].to: ${address}`],
    [
      'malformed data of a call',
      withDestination({ calls: [{ data: '0xzz' }] }),
      `${destination}.calls[0].data: expected hexadecimal digits after 0x`,
    ],
    ['more in a call', withDestination({ calls: [{ gas: '1' }] }), `${destination}.calls[0].gas: unknown field`],
  ])('error: %s', (_, odd, problem) => {
    expect(problems(Execute.request, odd)).toEqual([problem]);
  });
});

describe('complaint', () => {
  const complaint = (value: unknown) => {
    const decoding = Decode.from(Execute.request, value);
    return decoding.ok ? undefined : Execute.complaint(decoding.problems);
  };

  test.each(['to', 'data', 'value', 'chainId'])('behavior: no %s', (key) => {
    expect(complaint(withData({ [key]: undefined }))).toBe(`${key} is required`);
  });

  test('behavior: several missing fields: the first in documented order', () => {
    expect(complaint({ ...request, data: {} })).toBe('to is required');
    expect(complaint({ ...request, data: { to: data.to } })).toBe('data is required');
  });

  test('behavior: an empty authorization list', () => {
    const destination = { calls: [{}], authorizationList: [] };
    for (const each of [withData({ authorizationList: [] }), withDestination(destination)])
      expect(complaint(each)).toBe('authorizationList cannot be empty');
  });

  test('behavior: any other problem is reported by its path', () => {
    expect(complaint(withData({ value: '-1' }))).toBe('data.value: expected a string of digits');
  });
});

describe('response', () => {
  test('default', () => {
    expect(decode(Execute.response, read('execute'))).toEqual(read('execute'));
    expect(problems(Execute.response, { message: 'x' })).toEqual(['requestId: missing, expected a string']);
  });
});

describe('bareError', () => {
  const answers = Object.entries(read('execute-errors') as Record<string, { status: number; body: object }>);
  const bare = answers.filter(([, { body }]) => Object.keys(body).length === 1);

  test.each(bare)('default: %s', (_, { body }) => {
    expect(problems(Execute.bareError, body)).toEqual([]);
  });

  test('behavior: every documented message is recorded, with its status', () => {
    expect(bare.map(([name, { status }]) => [status, name])).toEqual([
      [400, 'to is required'],
      [400, 'data is required'],
      [400, 'value is required'],
      [400, 'chainId is required'],
      [400, 'authorizationList cannot be empty'],
      [401, 'missing API key'],
      [401, 'invalid referrer'],
      [500, 'internal error'],
    ]);
  });

  test('error: an additional property', () => {
    expect(problems(Execute.bareError, { error: 'to is required', requestId: '0x1' })).toEqual([
      'requestId: unknown field',
    ]);
    expect(problems(Execute.bareError, {})).toEqual(['error: missing, expected a string']);
  });
});

/** As sent over the wire: without undefined members. */
function json(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
