import { expect, onTestFinished, test } from 'vitest';
import type { Network } from '../../../src/core/network/Network.js';
import { network as table } from '../../../src/core/network/sandbox.js';
import { type SandboxOptions, startSandbox } from '../../../src/io/sandbox/startSandbox.js';
import { temporaryFolder } from '../../support/ferry.js';
import { failure } from '../../support/workbench.js';

/** A sandbox that is stopped after the test. */
async function started(options: SandboxOptions = {}) {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.stop());
  return sandbox;
}

/** Every URL of a network. */
function urlsOf({ baseUrl, venue, chains }: Network): string[] {
  return [baseUrl, venue?.baseUrl, ...chains.map(({ rpcUrl }) => rpcUrl)].filter((url) => url !== undefined);
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}

test('default: the shipped network with working URLs, until it is stopped', async () => {
  const { network, instance, stop, ended } = await started();
  const urls = urlsOf(network);
  expect(urls).toHaveLength(5);
  expect(await Promise.all(urls.map(answers))).toEqual([true, true, true, true, true]);
  expect(instance).toMatch(/^[0-9a-f]{16}$/);
  const { chains, ...rest } = network;
  expect(rest).toEqual({
    ...table,
    chains: undefined,
    baseUrl: urls[0],
    venue: { ...table.venue, baseUrl: urls[1] },
  });
  expect(chains.map(({ rpcUrl: _, ...chain }) => chain)).toEqual(table.chains);

  await stop();
  await ended;
  expect(await Promise.all(urls.map(answers))).toEqual([false, false, false, false, false]);
});

test('behavior: several at once, each with its own state; a signal stops one too, and a kept state is restored', async () => {
  const stateDir = temporaryFolder();
  const end = new AbortController();
  const [one, other] = await Promise.all([started({ stateDir, signal: end.signal }), started({ seed: 'other' })]);
  expect(one.instance).not.toBe(other.instance);
  expect(new Set([...urlsOf(one.network), ...urlsOf(other.network)]).size).toBe(10);
  const port = Number(new URL(other.network.baseUrl ?? '').port);
  await failure('sandbox.start', () => startSandbox({ port }));
  end.abort();
  await one.ended;
  const again = await started({ stateDir });
  expect(again.instance).toBe(one.instance);
});
