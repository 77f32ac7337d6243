import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import * as Execution from '../../../src/core/execution/Execution.js';
import * as Plan from '../../../src/core/execution/Plan.js';
import * as RunOpening from '../../../src/core/execution/RunOpening.js';
import * as DevelopmentAccount from '../../../src/core/network/DevelopmentAccount.js';
import * as Verification from '../../../src/core/proof/Verification.js';
import * as Quote from '../../../src/core/quote/Quote.js';
import * as TransferIntent from '../../../src/core/quote/TransferIntent.js';
import * as Journal from '../../../src/core/tracking/Journal.js';
import { type Connection, connect } from '../../../src/io/connect/connect.js';
import { createAccount } from '../../../src/io/keys/localAccount.js';
import { type RunningSandbox, startSandbox } from '../../../src/io/sandbox/startSandbox.js';
import { createRuns } from '../../../src/io/state/runFolder.js';
import { host } from '../../../src/io/terminal/host.js';
import { at, ferry } from '../../support/ferry.js';

let sandbox: RunningSandbox;
let connection: Connection;

beforeAll(async () => {
  sandbox = await startSandbox();
  connection = connect(sandbox.network);
});

afterAll(async () => {
  await connection?.close();
  await sandbox?.stop();
});

const caps = { maxImpactBps: 500, maxAgeMs: 30_000 };

async function intentOf(amount: bigint, typed: TransferIntent.Typed = {}): Promise<TransferIntent.Intent> {
  const [origin, destination] = [await connection.currency('alpha/usdc'), await connection.currency('beta/usdc')];
  return TransferIntent.from(amount, origin, destination, typed, {
    network: 'sandbox',
    user: DevelopmentAccount.address(0),
  });
}

const place = { instance: '1234', baseUrl: 'http://127.0.0.1:1', command: null, account: 'dev0' };

describe('from', () => {
  test('default', async () => {
    const opening = RunOpening.from(await intentOf(1_500_000n), place);
    expect(opening).toEqual({
      kind: 'transactions',
      network: 'sandbox',
      instance: '1234',
      baseUrl: 'http://127.0.0.1:1',
      key: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      summary: '1.5 alpha/usdc → beta/usdc',
      command: null,
      account: 'dev0',
    });
  });

  test('behavior: the same key for the same transfer, whoever begins it, and another for another', async () => {
    const keyOf = async (amount: bigint, typed: TransferIntent.Typed = {}, at: RunOpening.Place = place) =>
      RunOpening.from(await intentOf(amount, typed), at).key;
    const key = await keyOf(1n);
    expect(await keyOf(1n, {}, { ...place, command: 'ferry execute …', account: null, baseUrl: undefined })).toBe(key);
    const others = [
      keyOf(2n),
      keyOf(1n, { recipient: DevelopmentAccount.address(1) }),
      keyOf(1n, { exactOutput: true }),
    ];
    for (const other of await Promise.all([...others, keyOf(1n, {}, { ...place, instance: undefined })]))
      expect(other).not.toBe(key);
  });

  test('behavior: an amount of the output, and who submits', async () => {
    expect(RunOpening.from(await intentOf(1_500_000n, { exactOutput: true }), place).summary).toBe(
      'alpha/usdc → 1.5 beta/usdc',
    );
    expect(RunOpening.from(await intentOf(1n, { gasless: true }), place).kind).toBe('batch');
  });
});

describe('fromCall', () => {
  const call = {
    executionKind: 'rawCalls' as const,
    data: { chainId: 313371, to: DevelopmentAccount.address(1), data: '0x00' as const, value: '0' },
    executionOptions: { subsidizeFees: true },
  };

  test('default: the same key for the same body, and another for another', () => {
    const opening = RunOpening.fromCall(call, connection.network, place);
    expect(opening).toMatchObject({ kind: 'call', network: 'sandbox', instance: '1234', account: 'dev0' });
    expect(opening.summary).toBe(`call ${DevelopmentAccount.address(1)} on alpha`);
    const { data, executionOptions, executionKind } = call;
    expect(RunOpening.fromCall({ data, executionOptions, executionKind }, connection.network, place).key).toBe(
      opening.key,
    );
    for (const other of [
      { ...call, requestId: '0x01' },
      { ...call, data: { ...data, value: '1' } },
    ])
      expect(RunOpening.fromCall(other, connection.network, place).key).not.toBe(opening.key);
  });
});

describe('proved', () => {
  test('behavior: what a program began and left, ferry resume finishes with one payment', async () => {
    const stateDir = mkdtempSync(join(tmpdir(), 'ferry-begun-'));
    onTestFinished(() => rmSync(stateDir, { recursive: true, force: true }));
    const { network, service, clock, signal } = connection;
    const dev0 = await createAccount({ name: 'dev0', key: DevelopmentAccount.key(0) });
    const intent = await intentOf(7_000_000n);
    const quote = await Quote.ask(intent, connection);
    const policy = { caps, allow: [], shown: [] };
    const surroundings = { network, baseUrl: service.baseUrl, nowMs: clock.now() };
    const verified = await Verification.from(quote, surroundings, policy);
    const plan = Plan.from(verified);

    const runs = createRuns({ ...host(signal), env: { FERRY_STATE_DIR: stateDir } }, () => {});
    const opening = RunOpening.from(intent, { ...place, instance: sandbox.instance, baseUrl: service.baseUrl });
    const journal = await runs.create(opening, { again: false });
    for (const entry of RunOpening.proved(verified, policy)) await journal.append(entry);
    expect(journal.state().steps).toEqual(Plan.steps(plan));
    const running = Execution.run(plan, connection.worldOf(plan, { account: dev0, journal }), {
      wait: true,
      timeoutMs: 20_000,
    });
    // The last transaction is signed and written down, and never sent.
    for (let step = await running.next(); !step.done; step = await running.next())
      if (step.value.type === 'signed' && step.value.action === 'deposit') break;
    await running.return(undefined as never);
    expect(Journal.next(journal.state())).toBe('settle');
    journal.close();

    const [alpha, beta] = network.chains.map(({ rpcUrl = '' }) => rpcUrl);
    const urls = { baseUrl: service.baseUrl, rpcUrls: { alpha: alpha ?? '', beta: beta ?? '' } };
    const resumed = await ferry(['resume', '--yes', '--json'], { env: { ...at(urls), FERRY_STATE_DIR: stateDir } });
    expect(resumed.stderr).toBe('');
    expect(resumed.json()).toMatchObject({ ok: true, data: { requestId: quote.requestId, status: 'success' } });
    expect(await runs.unfinished()).toEqual([]);
    const paid = await service.requests({ user: dev0.address });
    expect(paid.requests.map(({ id }) => id)).toEqual([quote.requestId]);
  });
});
