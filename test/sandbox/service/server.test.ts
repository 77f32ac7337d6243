import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zeroAddress } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as Step from '../../../src/core/api/schema/Step.js';
import { identify } from '../../../src/io/locks/processes.js';
import * as nodeRpc from '../../../src/sandbox/chain/nodeRpc.js';
import type * as QuoteAnswer from '../../../src/sandbox/quote/QuoteAnswer.js';
import { serve } from '../../../src/sandbox/service/server.js';
import * as stateFolder from '../../../src/sandbox/service/stateFolder.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { addFault, addFaultAt, clearFaults, faultsAt, faultsOf } from '../../support/faults.js';
import { freePort } from '../../support/freePort.js';
import { bridgeOn } from '../../support/instances.js';
import { connectAs } from '../../support/nodeClients.js';
import { signal } from '../../support/processes.js';
import { sampled } from '../../support/sampled.js';
import { startSandbox, type TestSandbox } from '../../support/sandbox.js';

let stateDir: string;
let sandbox: TestSandbox | undefined;

beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'ferry-server-'));
});

afterEach(async () => {
  await sandbox?.stop().catch(() => {});
  sandbox = undefined;
  rmSync(stateDir, { recursive: true, force: true });
});

async function start(options: Parameters<typeof startSandbox>[0] = {}): Promise<TestSandbox> {
  sandbox = await startSandbox(options);
  return sandbox;
}

function pids({ chains }: TestSandbox): number[] {
  return [chains.alpha.pid, chains.beta.pid];
}

async function isOpen(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

const portOf = (url: string): number => Number(new URL(url).port);

/** Leaves traces of use: three more blocks, and a marked account. */
async function use({ rpcUrls }: TestSandbox): Promise<void> {
  await nodeRpc.call(rpcUrls.alpha, 'anvil_mine', '0x3');
  await nodeRpc.call(rpcUrls.beta, 'anvil_setBalance', '0x00000000000000000000000000000000000000aa', '0x7');
}

async function traces({ rpcUrls }: TestSandbox): Promise<unknown[]> {
  return [
    await nodeRpc.call(rpcUrls.alpha, 'eth_blockNumber'),
    await nodeRpc.call(rpcUrls.beta, 'eth_getBalance', '0x00000000000000000000000000000000000000aa', 'latest'),
  ];
}

/** Resolves once it has looked from beginning to end whether it is used. Each time it reads where a chain is. */
async function looked({ chains: { beta } }: TestSandbox): Promise<void> {
  const { rpcUrl } = beta;
  let reads = 0;
  const get = () => {
    reads += 1;
    return rpcUrl;
  };
  Object.defineProperty(beta, 'rpcUrl', { configurable: true, enumerable: true, get });
  await expect.poll(() => reads).toBeGreaterThan(1);
  Object.defineProperty(beta, 'rpcUrl', { value: rpcUrl });
}

/** A bridge by a client that uses the nodes directly; returns its final status. */
async function bridge({ baseUrl, chains: { alpha, beta } }: TestSandbox): Promise<string> {
  const native = { originCurrency: zeroAddress, destinationCurrency: zeroAddress, amount: '1000000000000000' };
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify(bridgeOn({ alpha, beta }, native));
  const asked = await fetch(`${baseUrl}/quote/v2`, { method: 'POST', headers, body });
  const quote = (await asked.json()) as QuoteAnswer.Response;
  const { to, data, value } = Step.evmTransaction.parse(quote.steps[0]?.items[0]?.data);
  const client = connectAs(alpha, accounts.dev0);
  const hash = await client.sendTransaction({ to, data, value: BigInt(value) });
  await client.waitForTransactionReceipt({ hash });
  for (;;) {
    const answer = await fetch(`${baseUrl}/intents/status/v3?requestId=${quote.steps[0]?.requestId}`);
    const { status } = (await answer.json()) as { status: string };
    if (['success', 'failure', 'refund'].includes(status)) return status;
  }
}

describe('serve: one that runs', () => {
  let running: TestSandbox;
  beforeAll(async () => {
    running = await startSandbox();
  });
  afterAll(() => running.stop());

  test('behavior: the published RPC URLs are those of the gates', async () => {
    const { baseUrl, rpcUrls, chains } = running;
    const nodes = [chains.alpha.rpcUrl, chains.beta.rpcUrl];
    expect([rpcUrls.alpha, rpcUrls.beta].filter((url) => nodes.includes(url))).toEqual([]);
    const listed = (await (await fetch(`${baseUrl}/chains`)).json()) as { chains: Record<string, unknown>[] };
    expect(listed.chains.map(({ httpRpcUrl }) => httpRpcUrl)).toEqual([rpcUrls.alpha, rpcUrls.beta, '', rpcUrls.svm]);
    const instance = (await (await fetch(`${baseUrl}/sandbox/instance`)).json()) as { chains: { rpcUrl: string }[] };
    expect(instance.chains.map(({ rpcUrl }) => rpcUrl)).toEqual([rpcUrls.alpha, rpcUrls.beta]);
  });

  test("behavior: faults at the gates do not affect the service's own requests", async () => {
    for (const place of ['alpha', 'beta'] as const) await addFault(running, place, { kind: 'drop', times: 0 });
    await expect(nodeRpc.call(running.rpcUrls.alpha, 'eth_blockNumber')).rejects.toThrow('socket hang up');
    expect(await bridge(running)).toBe('success');
    expect(await faultsOf(running, 'alpha')).toMatchObject([{ met: 1, struck: 1 }]);
    expect(await faultsOf(running, 'beta')).toMatchObject([{ met: 0 }]);
    await clearFaults(running);
    expect(await nodeRpc.call(running.rpcUrls.alpha, 'eth_chainId')).toBe('0x4c81b');
  });

  test('error: port in use', async () => {
    const { baseUrl } = running;
    await expect(startSandbox({ venuePort: portOf(baseUrl) })).rejects.toMatchObject({ code: 'sandbox.start' });
    await expect(startSandbox({ port: portOf(baseUrl) })).rejects.toMatchObject({
      code: 'sandbox.start',
      message: `The sandbox cannot listen on port ${portOf(baseUrl)}.`,
      retryable: false,
    });
  });
});

describe('serve', () => {
  test('default', async () => {
    // With chains of its own, which end with it.
    const running = await start({ searchPath: process.env.PATH });
    const { baseUrl, venueUrl, rpcUrls, fetch: inProcess } = running;
    expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const answer = await fetch(`${baseUrl}/chains`);
    expect(answer.status).toBe(200);
    const same = await inProcess(new Request(`${baseUrl}/chains`));
    expect(await same.json()).toEqual(await answer.json());
    const nonce = await fetch(`${venueUrl}/api/v1/nextNonce?account_index=100&api_key_index=4`);
    expect(await nonce.json()).toEqual({ code: 200, nonce: 0 });
    expect(nonce.headers.get('x-sandbox-instance')).toBe(running.instance);
    expect(await nodeRpc.call(rpcUrls.alpha, 'eth_chainId')).toBe('0x4c81b');
    expect(await nodeRpc.call(rpcUrls.beta, 'eth_chainId')).toBe('0x4c81c');

    const left = pids(running);
    await running.stop();
    expect(left.map(identify)).toEqual([undefined, undefined]);
    const ports = [baseUrl, venueUrl, rpcUrls.alpha, rpcUrls.beta].map(portOf);
    expect(await Promise.all(ports.map(isOpen))).toEqual([false, false, false, false]);
  });

  test('behavior: continues from the last run, without its faults', async () => {
    const first = await start({ stateDir });
    await use(first);
    const expected = await traces(first);
    const paid = await first.venue.pay({ to: 100, amount: 5_000_000n, memo: `0x${'00'.repeat(32)}` }, () => {});
    await addFault(first, 'alpha', { kind: 'chain', does: 'halt' });
    await first.stop();
    expect(readdirSync(join(stateDir, 'sandbox'))).toEqual(['state']);
    const second = await start({ stateDir });
    expect(second.instance).toBe(first.instance);
    expect(await traces(second)).toEqual(expected);
    expect(second.venue.transfer(paid)).toMatchObject({ from: 7, to: 100, amount: 5_000_000n });
    expect(await faultsOf(second, 'alpha')).toEqual([]);
    expect(await nodeRpc.call(second.rpcUrls.alpha, 'anvil_getAutomine')).toBe(true);
    expect(await bridge(second)).toBe('success');
  });

  test('behavior: after a state that cannot be continued there is another instance, which says why', async () => {
    const [instance, why] = ['ab', 'was saved by another version of ferry'];
    mkdirSync(stateFolder.folderOf(stateDir), { recursive: true });
    writeFileSync(stateFolder.identityFile(stateDir), JSON.stringify({ version: '0.0.1', instance }));
    const warnings: string[] = [];
    const first = await start({ stateDir, warn: (warning) => warnings.push(warning) });
    expect(warnings).toEqual([expect.stringContaining(`${why}. The sandbox starts anew, as another instance`)]);
    expect(first.lost).toMatchObject({ instance, why });
    expect(await nodeRpc.call(first.rpcUrls.alpha, 'eth_blockNumber')).toBe('0x1');
    await first.stop();
    const second = await start({ stateDir, warn: (warning) => warnings.push(warning) });
    expect([second.instance, second.lost, warnings.length]).toEqual([first.instance, first.lost, 1]);
  });

  test.each(sampled(['ledger', 'venue'] as const, 1))(
    'behavior: if %s.log was cut after a stop, the instance is new',
    async (name) => {
      const first = await start({ stateDir });
      await first.venue.pay({ to: 100, amount: 5_000_000n, memo: `0x${'00'.repeat(32)}` }, () => {});
      expect(await bridge(first)).toBe('success');
      await first.stop();
      const log = stateFolder.logFile(stateDir, name);
      truncateSync(log, Math.floor(statSync(log).size / 2));
      const second = await start({ stateDir });
      expect(second.instance).not.toBe(first.instance);
      expect(second.lost).toMatchObject({
        instance: first.instance,
        why: expect.stringContaining(`the end of ${name}.log is missing`),
      });
    },
  );

  test('behavior: writes nothing at the end if the folder is not its own any more', async () => {
    const running = await start({ stateDir, onStopping: async () => 'discard' });
    await running.stop();
    expect(stateFolder.read(stateDir)).toMatchObject({ isStopped: false });
  });

  test('behavior: completes in-flight responses on shutdown, and leaves its ports to a new instance', async () => {
    const ports = { port: await freePort(), venuePort: await freePort() };
    const { baseUrl, venueUrl, instance, stop } = await start(ports);
    await addFaultAt(baseUrl, { kind: 'delay', delayMs: 300, match: { path: '/chains' } });
    const slow = fetch(`${baseUrl}/chains`);
    await expect.poll(async () => (await faultsAt(baseUrl))[0]?.struck).toBe(1);
    const stopped = stop();
    expect((await slow).status).toBe(200);
    await stopped;
    const again = await start(ports);
    expect([again.baseUrl, again.venueUrl]).toEqual([baseUrl, venueUrl]);
    expect(again.instance).not.toBe(instance);
    expect(again.instance).toMatch(/^[0-9a-f]{16}$/);
  });

  test('behavior: shuts down when idle', async () => {
    let now = Date.now();
    const running = await start({ stateDir, idleMs: 80, clock: () => now });
    // Three kinds of use: a request to the service, one to the venue, a block on a chain.
    for (let i = 0; i < 6; i++) {
      await looked(running);
      now += 60;
      if (i % 3 === 2) await nodeRpc.call(running.rpcUrls.beta, 'anvil_mine', '0x1');
      else expect((await fetch(`${i % 3 ? running.venueUrl : running.baseUrl}/sandbox/instance`)).status).toBe(200);
    }
    await looked(running);
    now += 80;
    await running.ended;
    expect(pids(running).map(identify)).toEqual([undefined, undefined]);
    expect(stateFolder.read(stateDir)).toMatchObject({ instance: running.instance, isStopped: true });
  });

  test('behavior: clock skew does not delay the idle shutdown', async () => {
    let now = Date.now();
    const running = await start({ idleMs: 80, clock: () => now });
    await addFault(running, 'service', { kind: 'skew', skewMs: 86_400_000 });
    await addFault(running, 'venue', { kind: 'skew', skewMs: -86_400_000 });
    await looked(running);
    now += 80;
    await running.ended;
  });

  test('error: a chain that exits', async () => {
    const running = await start({ stateDir });
    signal(running.chains.beta.pid, 'SIGKILL');
    await expect(running.ended).rejects.toMatchObject({
      code: 'sandbox.start',
      message: 'A chain of the sandbox exited unexpectedly.',
    });
    expect(pids(running).map(identify)).toEqual([undefined, undefined]);
    const again = await start({ stateDir });
    expect(again.instance).toBe(running.instance);
  });

  test('error: aborted before it was ready', async () => {
    const end = new AbortController();
    const served = serve({ signal: end.signal, searchPath: process.env.PATH, onReady: () => expect.unreachable() });
    end.abort(new Error('Stopped.'));
    await expect(served).rejects.toThrow('Stopped.');
  });
});
