import { beforeEach, describe, expect, test } from 'vitest';
import { type Envelope, ferry } from '../../support/ferry.js';
import * as Loopback from '../../support/loopback.js';
import { useSandbox } from '../../support/sandbox.js';

const { sandbox, env, user } = useSandbox();
const made = { bridge: '', refund: '', waiting: '', venue: '' };

/** Made once, within the first test. */
beforeEach(async () => {
  if (made.venue) return;
  const requestId = async (...argv: string[]): Promise<string> => {
    const { data, error } = (await ferry([...argv, '--yes', '--json'], { env })).json();
    return (data ?? error).requestId;
  };
  made.bridge = await requestId('execute', '5', 'alpha/usdc', 'beta/usdc');
  made.refund = await requestId('execute', '0.01', 'alpha/eth', 'beta/gull', '--referrer', 'debug-force-refund');
  made.waiting = await requestId('quote', '7', 'alpha/usdc', 'alpha/dai');
  made.venue = await requestId('execute', '10', 'alpha/usdc', 'lighter/usdc');
});

async function show(name: string, more: Record<string, string | undefined> = {}): Promise<Envelope> {
  return (await ferry(['requests', 'show', name, '--json'], { env: { ...env, ...more } })).json();
}

describe('run', () => {
  test('default: a delivered transfer, and what to type next', async () => {
    const ended = await ferry(['requests', 'show', made.bridge, '--json'], { env });
    expect(ended.code).toBe(0);
    expect(ended.json()).toMatchObject({
      schema: 'ferry.requests-show/1',
      data: {
        requestId: made.bridge,
        funds: 'delivered',
        kind: 'Bridge',
        version: 'v3',
        origin: { currency: 'alpha/usdc', formatted: '5' },
        next: `ferry fees explain ${made.bridge}`,
      },
      warnings: [],
    });
    const text = await ferry(['requests', 'show', made.bridge], { env });
    expect(text.stdout).toMatch(/^Status +success {2}the service reports the delivery\n/);
    expect(text.stdout).toContain(`next: ferry fees explain ${made.bridge}`);
  });

  test('behavior: by the run that made it, which its bill takes too', async () => {
    const there = user();
    const { run, requestId } = (await there.run('execute', '3', 'alpha/usdc', 'beta/usdc')).json().data;
    for (const name of [run, run.slice(-6)]) {
      const shown = await there.run('requests', 'show', name);
      expect(shown.json().data).toMatchObject({ requestId, funds: 'delivered' });
      const bill = await there.run('fees', 'explain', name);
      expect(bill.json().data).toMatchObject({ requestId, source: 'record' });
    }
    const unknown = await there.run('fees', 'explain', 'ffffff');
    expect(unknown.json().error).toMatchObject({ code: 'run.unknown', funds: 'untouched' });
  });

  test("behavior: the venue's hashes have 80 digits, also with a prefix", async () => {
    const { data } = await show(made.venue);
    const fill = data.transactions.find((each: { role: string }) => each.role === 'fill').hash;
    expect(fill).toMatch(/^[0-9a-f]{80}$/);
    expect((await show(`0x${fill}`)).data.requestId).toBe(made.venue);
  });

  test('behavior: what is not finished is to be followed', async () => {
    const next = `ferry status ${made.waiting} --watch`;
    expect((await show(made.waiting)).data).toMatchObject({ status: 'waiting', next });
  });

  test('behavior: a service with the deprecated records alone', async () => {
    const { url } = await Loopback.loopback(withoutV3);
    const full = (await show(made.refund)).data;
    // They do not say what a transaction cost in dollars.
    const transactions = full.transactions.map((each: object) => ({ ...each, feeUsd: null }));
    for (const name of [made.refund, full.orderId, full.transactions[0].hash, full.transactions[1].hash]) {
      const { data, warnings } = await show(name, { FERRY_BASE_URL: url });
      expect(data).toMatchObject({ requestId: made.refund, version: 'v2', transactions });
      expect(warnings).toEqual([expect.stringMatching(/deprecated records.*2026-11-24/)]);
    }
  });

  test('behavior: an id that a service made up is put into no command', async () => {
    const hash = `0x${'5'.repeat(64)}`;
    const record = { id: '0x1; rm -rf ~', status: 'success', data: { inTxs: [{ txHash: hash }] } };
    const { url } = await Loopback.loopback(Loopback.json({ requests: [record] }));
    expect((await show(hash, { FERRY_BASE_URL: url })).data.next).toBeNull();
  });

  test('behavior: the order of a deprecated record is held against its id', async () => {
    const { url, seen } = await Loopback.loopback(withoutV3);
    const { data } = await show(made.bridge, { FERRY_BASE_URL: url });
    expect(data.order).toEqual({ verdict: 'verified', recomputed: data.orderId, why: null });
    expect(seen.map(({ path }) => path).filter((path) => path.includes('includeOrderData=true'))).toHaveLength(1);
    expect((await show(made.bridge)).data.order).toBeNull();
  });

  test.each([
    ['by its id', { id: `0x${'17'.repeat(32)}`, status: 'success', data: 'much' }, 'requests[0].data'],
    ['by something else', 7, 'requests[0]'],
  ])('error: a record that cannot be read, found %s', async (_, record, at) => {
    const { url } = await Loopback.loopback(Loopback.json({ requests: [record] }));
    const { error } = await show(`0x${'17'.repeat(32)}`, { FERRY_BASE_URL: url });
    expect(error).toMatchObject({
      code: 'service.malformed',
      message: 'The service’s record of this request cannot be read.',
      facts: { at, problem: 'expected an object' },
    });
    const explained = await user({ FERRY_BASE_URL: url }).run('fees', 'explain', `0x${'17'.repeat(32)}`);
    expect(explained.json().error).toMatchObject({ code: 'service.malformed', facts: { at } });
  });

  test('error: a service that answers with other requests than it was asked for', async () => {
    const { url } = await Loopback.loopback(Loopback.json({ requests: [{ id: '0x01', status: 'success' }] }));
    expect((await show(`0x${'5'.repeat(64)}`, { FERRY_BASE_URL: url })).error.code).toBe('service.unknown-request');
  });
});

/** The sandbox behind something that has never heard of requests/v3. */
const withoutV3: Loopback.Behaviour = (response, request) => {
  if (request.path.startsWith('/requests/v3')) return Loopback.html(404)(response, request);
  Loopback.passTo(sandbox.baseUrl)(response, request);
};
