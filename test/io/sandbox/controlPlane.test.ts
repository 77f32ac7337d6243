import { expect, onTestFinished, test } from 'vitest';
import type { Network } from '../../../src/core/network/Network.js';
import { createHttp } from '../../../src/io/http/httpClient.js';
import { createControlPlane } from '../../../src/io/sandbox/controlPlane.js';
import { startSandbox } from '../../../src/io/sandbox/startSandbox.js';
import { json, loopback } from '../../support/loopback.js';

/** The control of a network, and the end of the command's own requests. */
function controlOf(network: Network) {
  const interrupted = new AbortController();
  const fetchUntil = (signal: AbortSignal) => async () => createHttp({ signal, env: {}, userAgent: 'test' }).fetch;
  const control = createControlPlane({
    during: fetchUntil(interrupted.signal),
    afterwards: fetchUntil(new AbortController().signal),
    network: async () => network,
  });
  return { control, interrupted };
}

/** The kinds of the faults at a URL. */
async function kindsAt(url: string | undefined): Promise<string[]> {
  const { faults } = (await (await fetch(`${url}/sandbox/faults`)).json()) as { faults: { kind: string }[] };
  return faults.map(({ kind }) => kind);
}

test('default: adds faults, and clears its own, also after Ctrl-C', async () => {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.stop());
  const { network } = sandbox;
  const places = [network.baseUrl, network.chains[1]?.rpcUrl];
  await fetch(`${network.baseUrl}/sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'empty', after: 1_000 }),
  });
  const { control, interrupted } = controlOf(network);
  await control.add('service', { kind: 'drop', after: 1_000 });
  await control.add('beta', { kind: 'delay', delayMs: 1, after: 1_000 });
  expect(await Promise.all(places.map(kindsAt))).toEqual([['empty', 'drop'], ['delay']]);
  interrupted.abort();
  await control.clear();
  expect(await Promise.all(places.map(kindsAt))).toEqual([['empty'], []]);
  await control.clear();
});

test('error: what takes no faults', async () => {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.stop());
  const { control } = controlOf(sandbox.network);
  await expect(control.add('service', { kind: 'unheard of' })).rejects.toThrow('does not take this fault');
  const { url } = await loopback(json({ faults: 'none' }));
  const { control: another } = controlOf({ ...sandbox.network, baseUrl: url });
  await expect(another.add('service', { kind: 'drop' })).rejects.toThrow('has no control plane');
});
