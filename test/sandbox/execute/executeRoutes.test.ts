import { encodeFunctionData } from 'viem';
import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../../src/sandbox/service/service.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import { type Answer, key, useService } from '../../support/customer.js';
import { sponsored } from '../../support/gasless.js';

const service = useService();
const { posted: post } = service;
const { alpha, beta } = service.chains;

/** A valid call with overrides; undefined removes a field. */
function body(data: object = {}, options: object = {}, more: object = {}): unknown {
  const whole = sponsored(alpha, alpha.reverter, succeed);
  return {
    ...whole,
    data: { ...whole.data, ...data },
    executionOptions: { ...whole.executionOptions, ...options },
    ...more,
  };
}

const succeed = encodeFunctionData({ abi: abi.reverter, functionName: 'succeed', args: [1n] });

describe('POST /execute', () => {
  test('behavior: the referrer is optional, and extra fields of existing clients are accepted', async () => {
    expect((await post('/execute', body({}, { referrer: undefined }), key))[0]).toBe(200);
    expect((await post('/execute', body({}, { referrer: '' }), key))[0]).toBe(200);
    expect((await post('/execute', body({}, {}, { originGasOverhead: 80_000 }), key))[0]).toBe(200);
    expect((await post('/execute', body({}, { referrer: 'debug-force-refund' }), key))[0]).toBe(200);
  });

  test.each<[string, Record<string, string>]>([
    ['without a key', {}],
    ['with an empty key', { 'x-api-key': '' }],
    ['with a wrong key', { 'x-api-key': 'sandbox-key2' }],
    ['with a key in another header', { authorization: 'Bearer sandbox-key' }],
  ])('error: 401 %s, whatever the body', async (_, headers) => {
    expect(await post('/execute', body(), headers)).toEqual([401, { error: 'Unauthorized' }]);
    expect(await post('/execute', 'nonsense', headers)).toEqual([401, { error: 'Unauthorized' }]);
  });

  test('error: 401 for an unknown referrer, before other errors', async () => {
    expect(await post('/execute', body({}, { referrer: 'somebody' }), key)).toEqual([
      401,
      { error: 'Invalid referrer' },
    ]);
    expect(await post('/execute', body({ to: undefined }, { referrer: 'somebody' }), key)).toEqual([
      401,
      { error: 'Invalid referrer' },
    ]);
  });

  test.each<[message: string, data: object, options?: object, more?: object]>([
    ['to is required', { to: undefined }],
    ['executionKind is required', {}, {}, { executionKind: undefined }],
    ['executionOptions is required', {}, {}, { executionOptions: undefined }],
    ['subsidizeFees is required', {}, { subsidizeFees: undefined }],
    ['executionKind: expected rawCalls', {}, {}, { executionKind: 'userOperations' }],
    ['data.to: expected an address (0x and 40 hexadecimal digits)', { to: '0x12' }],
    ['data.gas: unknown field', { gas: '1' }],
    [
      'executionOptions.destinationChainExecutionData.calls: expected at least 1 item',
      {},
      { destinationChainExecutionData: { calls: [] } },
    ],
    ['data must be whole bytes', { data: '0x123' }],
    ['Chain 1 is not supported', { chainId: 1 }],
    ['requestId 0x01 names no quote', {}, {}, { requestId: '0x01' }],
    ['subsidizeFees must be true without the requestId of a quote', {}, { subsidizeFees: false }],
    [
      'destinationChainExecutionData needs the requestId of a quote',
      {},
      { destinationChainExecutionData: { calls: [{}] } },
    ],
  ])('error: 400 %s', async (error, data, options = {}, more = {}) => {
    expect(await post('/execute', body(data, options, more), key)).toEqual([400, { error }]);
  });

  test('error: 400 in the same form for an unreadable body', async () => {
    const send = async (text: string, type = 'application/json'): Promise<Answer> => {
      const headers = { ...key, 'content-type': type };
      const request = new Request('http://localhost/execute', { method: 'POST', headers, body: text });
      const answer = await service.sandbox.fetch(request);
      return [answer.status, await answer.json()];
    };
    expect(await send('{"data":')).toEqual([400, { error: expect.stringMatching(/^Body is not valid JSON/) }]);
    expect(await send('')).toEqual([400, { error: expect.stringMatching(/^Body cannot be empty/) }]);
    expect(await send('{}', 'text/plain')).toEqual([400, { error: 'Unsupported Media Type: text/plain' }]);
    expect(await send('[]')).toEqual([400, { error: 'expected an object' }]);
    expect(await send('null')).toEqual([400, { error: 'expected an object' }]);
  });

  test('error: 500 without details on internal errors', async () => {
    const nodes = [alpha, beta].map((node) => ({
      ...node,
      rpcUrl: 'http://127.0.0.1:1',
    }));
    const broken = await createSandbox({ chains: nodes, seed: 'broken', instance: 'broken' });
    const headers = { ...key, 'content-type': 'application/json' };
    const text = JSON.stringify(body());
    const request = new Request('http://localhost/execute', { method: 'POST', headers, body: text });
    const answer = await broken.fetch(request);
    expect([answer.status, await answer.json()]).toEqual([500, { error: 'Internal server error' }]);
    await broken.stop();
  });
});

describe('POST /execute/permits', () => {
  const signature = `0x${'11'.repeat(65)}`;

  test.each<[message: string, query: string, body: unknown]>([
    ["querystring must have required property 'signature'", '', { kind: 'eip3009', requestId: '0x01' }],
    ["body must have required property 'kind'", `?signature=${signature}`, {}],
    ["body must have required property 'requestId'", `?signature=${signature}`, { kind: 'eip3009' }],
    ['Request not found', `?signature=${signature}`, { kind: 'eip3009', requestId: '0x01', api: 'bridge' }],
  ])('error: 400 %s', async (message, query, posted) => {
    expect(await post(`/execute/permits${query}`, posted)).toEqual([400, { message }]);
  });
});
