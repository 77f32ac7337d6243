/** Faults of the service: how they are set and listed, and what each does to an answer. */
import { describe, expect, test } from 'vitest';
import { DroppedError, documentedBody, withFaults } from '../../../src/sandbox/http/faultGate.js';
import { createFaults, type Input, schema } from '../../../src/sandbox/http/faults.js';
import { useService } from '../../support/customer.js';
import { bridgeOn } from '../../support/instances.js';
import { listen, send } from '../../support/served.js';

const service = useService();
const { alpha, beta } = service.chains;

const faults = async () => (await service.asked('/sandbox/faults'))[1];

describe('POST /sandbox/faults', () => {
  test('default: listed, and strikes', async () => {
    const answer = await service.posted('/sandbox/faults', { kind: 'status', status: 503, match: { path: '/chains' } });
    const fault = {
      id: 'fault-1',
      kind: 'status',
      status: 503,
      match: { path: '/chains' },
      times: 1,
      after: 0,
      met: 0,
      struck: 0,
    };
    expect(answer).toEqual([200, { fault }]);
    expect(await faults()).toEqual({ faults: [fault] });
    expect((await service.get('/chains')).status).toBe(503);
    expect((await service.get('/chains')).status).toBe(200);
    expect(await faults()).toEqual({ faults: [{ ...fault, met: 2, struck: 1 }] });
  });

  test.each([
    [{ kind: 'delay' }, "body must have required property 'delayMs'"],
    [{ kind: 'tamper', path: 'x' }, 'body/path must match pattern "^(\\/[^/]*)+$"'],
    [{ kind: 'status', status: 99 }, 'body/status must be >= 200'],
    [{ kind: 'sequencer', does: 'fail' }, 'body/kind sequencer does not apply here'],
    [{ kind: 'chain', does: 'halt' }, 'body/kind chain does not apply here'],
    [{ kind: 'skew' }, "body must have required property 'skewMs'"],
    [
      { kind: 'solver', does: 'x' },
      'body/does must be equal to one of the allowed values: refund, revert, stuck, fail, delay',
    ],
    [{ kind: 'sequencer' }, "body must have required property 'does': fail, stuck, delay"],
    [
      { kind: 'tamper', recipe: 'x' },
      expect.stringMatching(/^body\/recipe must be equal to one of the allowed values: .*wrong-recipient/),
    ],
  ])('error: %j', async (body, message) => {
    expect(await service.posted('/sandbox/faults', body)).toMatchObject([400, { code: 'FST_ERR_VALIDATION', message }]);
    expect(await faults()).toEqual({ faults: [] });
  });
});

describe('DELETE /sandbox/faults', () => {
  test('default: all, or one', async () => {
    const remove = async (path: string) =>
      await (await service.sandbox.fetch(new Request(`http://localhost${path}`, { method: 'DELETE' }))).json();
    const id = await service.fault({ kind: 'drop' });
    await service.fault({ kind: 'html' });
    await service.fault({ kind: 'empty' });
    expect(await remove(`/sandbox/faults/${id}`)).toEqual({ cleared: 1 });
    expect(await remove(`/sandbox/faults/${id}`)).toEqual({ cleared: 0 });
    expect(await remove('/sandbox/faults')).toEqual({ cleared: 2 });
    expect(await faults()).toEqual({ faults: [] });
  });
});

describe('GET /sandbox/instance', () => {
  test('default', async () => {
    expect((await service.asked('/sandbox/instance'))[1]).toEqual({
      instance: 'test',
      seed: 'test',
      chains: [
        { id: 313371, name: 'alpha', rpcUrl: alpha.rpcUrl },
        { id: 313372, name: 'beta', rpcUrl: beta.rpcUrl },
      ],
    });
  });
});

/** Routes that count requests, behind faults. */
function gate(...inputs: readonly Input[]) {
  const faults = createFaults();
  for (const input of inputs) faults.add(schema.parse(input));
  const asked: string[] = [];
  const fetch = withFaults(faults, async (request) => {
    asked.push(`${request.method} ${new URL(request.url).pathname} ${await request.text()}`);
    return Response.json({ amount: '1' });
  });
  const ask = (path: string, body?: unknown) =>
    fetch(
      new Request(`http://localhost${path}`, body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    );
  return { ask, asked };
}

describe('withFaults', () => {
  const failure = { kind: 'status', status: 500, headers: { 'retry-after': '1' } } as const;
  const internal = '{"error":"Internal server error"}';
  const tampering: Input[] = [
    { kind: 'tamper', path: '/amount', value: '2' },
    { kind: 'tamper', path: '/x', value: 1 },
  ];

  test.each<[string, readonly Input[], path: string, status: number, text: unknown, acts: number]>([
    ['no fault', [], '/quote/v2', 200, '{"amount":"1"}', 1],
    ['a status with its documented body, before acting', [failure], '/execute', 500, internal, 0],
    ['a status after acting', [{ ...failure, kind: 'status-after' }], '/execute', 500, internal, 1],
    ['a status with a custom body', [{ ...failure, body: { error: 'X' } }], '/execute', 500, '{"error":"X"}', 0],
    ['HTML', [{ kind: 'html' }], '/chains', 502, expect.stringMatching(/^<!doctype html>/), 0],
    ['an empty body', [{ kind: 'empty' }], '/chains', 200, '', 0],
    ['a truncated response', [{ kind: 'truncate' }], '/chains', 200, '{"amoun', 1],
    ['a tampered response', tampering, '/chains', 200, '{"amount":"2","x":1}', 1],
  ])('default: %s', async (_, faults, path, status, text, acts) => {
    const { ask, asked } = gate(...faults);
    const answer = await ask(path, {});
    expect([answer.status, await answer.text()]).toEqual([status, text]);
    expect(asked).toEqual(Array(acts).fill(`POST ${path} {}`));
    if (status === 500) expect(answer.headers.get('retry-after')).toBe('1');
    if (status === 502) expect(answer.headers.get('content-type')).toBe('text/html');
  });

  test('behavior: the first response again and again, though every request acts', async () => {
    const faults = createFaults();
    faults.add(schema.parse({ kind: 'repeat', times: 0, match: { path: '/chains' } }));
    let asked = 0;
    const fetch = withFaults(faults, async () => {
      asked += 1;
      return Response.json(asked, { status: 200 + 10 * asked });
    });
    const answers = [];
    for (const path of ['/price', '/chains', '/chains', '/price', '/chains']) {
      const answer = await fetch(new Request(`http://localhost${path}`));
      answers.push(`${answer.status} ${await answer.text()}`);
    }
    expect([answers, asked]).toEqual([['210 1', '220 2', '220 2', '240 4', '220 2'], 5]);
  });

  test('behavior: an in-process drop or reset is a lost connection, before acting or after', async () => {
    const { ask, asked } = gate({ kind: 'drop' }, { kind: 'reset' }, { kind: 'drop-after' });
    await expect(ask('/chains')).rejects.toThrow(DroppedError);
    const lost = { message: 'fetch failed', cause: { code: 'ECONNRESET' } };
    await expect(ask('/chains')).rejects.toMatchObject(lost);
    expect(asked).toHaveLength(0);
    await expect(ask('/chains')).rejects.toMatchObject(lost);
    expect(asked).toHaveLength(1);
  });

  test('behavior: a complete response, one byte at a time', async () => {
    const { ask, asked } = gate({ kind: 'trickle', delayMs: 5 });
    const chunks: number[] = [];
    for await (const chunk of (await ask('/chains')).body ?? []) chunks.push(chunk.length);
    expect(chunks).toEqual(Array.from('{"amount":"1"}', () => 1));
    expect(asked).toHaveLength(1);
  });

  test('behavior: an endless response', async () => {
    const { ask, asked } = gate({ kind: 'endless' });
    let text = '';
    for await (const chunk of (await ask('/chains')).body ?? []) {
      text += Buffer.from(chunk).toString();
      if (text.length > 2 ** 20) break;
    }
    expect(text.trim()).toBe('{"amount":"1"');
    expect(asked).toHaveLength(1);
  });

  test('behavior: a delay', async () => {
    const { ask, asked } = gate({ kind: 'delay', delayMs: 60 });
    await Promise.all([ask('/chains'), ask('/price')]);
    expect(asked).toEqual(['GET /price ', 'GET /chains ']);
  });

  test('behavior: reads attributes from body or query, and leaves the body intact', async () => {
    const fault = { kind: 'status', status: 429, times: 0 } as const;
    const { ask, asked } = gate({ ...fault, match: { user: '0x1' } }, { ...fault, match: { requestId: '0x2' } });
    expect((await ask('/quote/v2', { user: '0x1' })).status).toBe(429);
    expect((await ask('/intents/status/v3?requestId=0x2')).status).toBe(429);
    expect((await ask('/requests/v3?id=0x2')).status).toBe(429);
    expect((await ask('/quote/v2', { user: '0x3' })).status).toBe(200);
    expect(asked).toEqual(['POST /quote/v2 {"user":"0x3"}']);
  });

  test('behavior: the control plane is exempt', async () => {
    const { ask } = gate({ kind: 'drop', times: 0 });
    expect((await ask('/sandbox/faults')).status).toBe(200);
  });
});

describe('documentedBody', () => {
  test.each([
    ['/execute', 401, { error: 'Unauthorized' }],
    ['/execute', 400, { error: 'to is required' }],
    ['/execute', 500, { error: 'Internal server error' }],
    ['/quote/v2', 400, { message: 'No routes found', errorCode: 'NO_SWAP_ROUTES_FOUND' }],
    ['/quote/v2', 401, { message: 'Please provide an api key', errorCode: 'UNAUTHORIZED_QUOTE' }],
    ['/price', 400, { message: 'No routes found', errorCode: 'NO_SWAP_ROUTES_FOUND' }],
    ['/quote/v2', 503, { message: 'Service unavailable', errorCode: 'SERVICE_UNAVAILABLE' }],
    ['/requests/v3', 401, { message: 'Unauthorized: Check API Key' }],
    ['/chains', 404, { message: 'Not found' }],
  ])('default: %s %i', (path, status, body) => {
    expect(documentedBody(path, status)).toEqual(body);
  });

  test('behavior: 429 on the deprecated records names their successor', () => {
    expect(documentedBody('/requests/v2', 429)).toMatchObject({ successor: '/requests/v3' });
    expect(documentedBody('/requests/v3', 429)).toEqual({ message: expect.any(String) });
  });
});

describe('withFaults: on a server', () => {
  test('behavior: a drop destroys the connection, before acting or after', async () => {
    const port = await listen(service.sandbox);
    const body = JSON.stringify(bridgeOn(service.chains));
    const quotes = async () => {
      const headers = { 'x-api-key': 'sandbox-key' };
      return ((await (await service.get('/requests/v3?includeTotal=true', headers)).json()) as { total: number }).total;
    };
    const before = await quotes();
    await service.fault({ kind: 'drop', match: { path: '/quote' } });
    await expect(send(port, '/quote/v2', {}, body)).rejects.toThrow('socket hang up');
    expect(await quotes()).toBe(before);

    await service.fault({ kind: 'drop-after', match: { path: '/quote' } });
    await expect(send(port, '/quote/v2', {}, body)).rejects.toThrow('socket hang up');
    expect(await quotes()).toBe(before + 1);
    expect((await send(port, '/quote/v2', {}, body)).status).toBe(200);
  });
});
