import { afterEach, describe, expect, test } from 'vitest';
import { useService } from '../../support/customer.js';

const service = useService();

afterEach(() => service.clearFaults());

async function faults(): Promise<unknown> {
  return await (await service.get('/sandbox/faults')).json();
}

describe('POST /sandbox/faults', () => {
  test('default: listed, and strikes', async () => {
    const answer = await service.post('/sandbox/faults', { kind: 'status', status: 503, match: { path: '/chains' } });
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
    expect([answer.status, await answer.json()]).toEqual([200, { fault }]);
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
    const answer = await service.post('/sandbox/faults', body);
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'FST_ERR_VALIDATION', message }]);
    expect(await faults()).toEqual({ faults: [] });
  });

  test('error: an unknown kind', async () => {
    expect((await service.post('/sandbox/faults', { kind: 'x' })).status).toBe(400);
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
    expect(await (await service.get('/sandbox/instance')).json()).toEqual({
      instance: 'test',
      seed: 'test',
      chains: [
        { id: 313371, name: 'alpha', rpcUrl: service.chains.alpha.rpcUrl },
        { id: 313372, name: 'beta', rpcUrl: service.chains.beta.rpcUrl },
      ],
    });
  });
});
