/** Transfers from an EVM chain to the sandbox's chain of Solana's kind, read by that chain's own client library. */
import { mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { address, createSolanaRpc, signature } from '@solana/kit';
import * as token from '@solana-program/token';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as Network from '../../src/core/network/Network.js';
import { network } from '../../src/core/network/sandbox.js';
import { addFault } from '../support/faults.js';
import { at, type Ended, ferry, type Surroundings } from '../support/ferry.js';
import * as Loopback from '../support/loopback.js';
import { startSandbox, type TestSandbox } from '../support/sandbox.js';

const mint = address(Network.token(Network.chain(network, 'svm'), 'usdc')?.address ?? '');
const recipient = 'GTtzwxqy67xx9DVESJjx28TgXqpc8xTqtiytgNMaQBTE';
const other = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';

const stateDir = mkdtempSync(join(tmpdir(), 'ferry-svm-'));
let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ stateDir });
});
afterAll(async () => {
  await sandbox.stop();
  rmSync(stateDir, { recursive: true, force: true });
});

/** The chain's own client library, at its node. */
const rpc = () => createSolanaRpc(sandbox.rpcUrls.svm ?? '');

/** What a wallet holds of USDC, as that library reads it. */
async function held(owner: string): Promise<bigint> {
  const [ata] = await token.findAssociatedTokenPda({
    ...{ owner: address(owner), mint },
    tokenProgram: token.TOKEN_PROGRAM_ADDRESS,
  });
  const { value } = await rpc().getAccountInfo(ata, { encoding: 'base64' }).send();
  if (!value) return 0n;
  const { value: balance } = await rpc().getTokenAccountBalance(ata).send();
  expect(token.getTokenDecoder().decode(Buffer.from(value.data[0], 'base64')).amount).toBe(BigInt(balance.amount));
  return BigInt(balance.amount);
}

function pay(
  to: string,
  {
    more = [],
    env = {},
    pace,
  }: { more?: readonly string[]; env?: Record<string, string>; pace?: Surroundings['pace'] } = {},
): Promise<Ended> {
  const args = ['execute', '10', 'alpha/usdc', 'svm/usdc', '--recipient', to, '--yes', '--json', ...more];
  return ferry(args, { env: { ...at(sandbox), FERRY_RPC_URL_SVM: sandbox.rpcUrls.svm, ...env }, pace });
}

/** The service, with its answers altered. */
async function altered(change: (text: string, path: string) => string): Promise<Loopback.Loopback> {
  return Loopback.loopback(Loopback.passTo(sandbox.baseUrl, (text, { path }) => change(text, path)));
}

describe('ferry execute', () => {
  test('default: delivers, and the service and the node show it', async () => {
    const before = await held(recipient);
    const ended = await pay(recipient);
    const { data } = ended.json();
    expect(ended.code).toBe(0);
    expect(data).toMatchObject({
      ...{ status: 'success', funds: 'delivered', recipient },
      witnesses: ['the service', 'the node of svm'],
    });
    expect((await held(recipient)) - before).toBe(BigInt(data.received.amount));
    expect(BigInt(data.received.amount)).toBeGreaterThanOrEqual(BigInt(data.minimum.amount));
  });

  test('behavior: the fill names the order, and the library finds it', async () => {
    const { data } = (await pay(recipient)).json();
    const id = signature(data.fills[0].txHash);
    const { value } = await rpc().getSignatureStatuses([id]).send();
    expect(value[0]).toMatchObject({ err: null, confirmationStatus: 'finalized' });
    const found = await rpc().getTransaction(id, { encoding: 'jsonParsed', maxSupportedTransactionVersion: 0 }).send();
    const record = await ferry(['requests', 'show', data.requestId, '--json'], { env: at(sandbox) });
    expect(found?.meta?.logMessages?.join('\n')).toContain(record.json().data.orderId);
  });

  test('behavior: another asset is swapped on the way', async () => {
    const before = await held(other);
    const args = ['execute', '0.01', 'alpha/eth', 'svm/usdc', '--recipient', other, '--yes', '--json'];
    const ended = await ferry(args, { env: { ...at(sandbox), FERRY_RPC_URL_SVM: sandbox.rpcUrls.svm } });
    expect(ended.code).toBe(0);
    expect((await held(other)) - before).toBe(BigInt(ended.json().data.received.amount));
  });

  test('behavior: without a node the service’s word is left, and the outcome says so', async () => {
    const ended = await ferry(
      ['execute', '10', 'alpha/usdc', 'svm/usdc', '--recipient', recipient, '--yes', '--json'],
      { env: at(sandbox) },
    );
    expect(ended.code).toBe(0);
    expect(ended.json().data).toMatchObject({ status: 'success', received: null, witnesses: ['the service'] });
    expect(ended.json().warnings.join()).toContain('No RPC node for svm is available');
  });

  test('error: a fill that fails is refunded on the origin', async () => {
    const before = await held(recipient);
    await addFault(sandbox, 'service', { kind: 'solver', does: 'revert', times: 1 });
    const ended = await pay(recipient);
    expect([ended.code, ended.json().error.code]).toEqual([7, 'track.refunded']);
    expect(await held(recipient)).toBe(before);
  });

  test('error: a service that names somebody else’s fill is not believed', async () => {
    const earlier = (await pay(other)).json().data.fills[0].txHash;
    let isOver = false;
    const lying = await altered((text, path) => {
      if (!path.startsWith('/intents/status')) return text;
      isOver ||= text.includes('"status":"success"');
      return text.replace(/"txHashes":\["[^"]*"\]/, `"txHashes":["${earlier}"]`);
    });
    const pace = () => (isOver ? 60 : 1);
    const ended = await pay(recipient, { env: { FERRY_BASE_URL: lying.url }, more: ['--timeout', '1m'], pace });
    expect([ended.code, ended.json().error.code]).toEqual([10, 'track.unwitnessed']);
  });

  test('error: from this chain', async () => {
    const ended = await ferry(['quote', '1', 'svm/usdc', 'alpha/usdc', '--json'], { env: at(sandbox) });
    expect([ended.code, ended.json().error.message]).toEqual([2, 'SVM is receive only: ferry does not pay from it.']);
  });
});

describe('an answer that names another account', () => {
  test('error: one that differs in case alone', async () => {
    const swapped = 'gTtzwxqy67xx9DVESJjx28TgXqpc8xTqtiytgNMaQBTE';
    const lying = await altered((text) => text.replaceAll(recipient, swapped));
    const ended = await pay(recipient, { env: { FERRY_BASE_URL: lying.url } });
    expect([ended.code, ended.json().error.code]).toEqual([5, 'verify.mismatch']);
    expect(Object.keys(ended.json().error.facts)).toEqual(expect.arrayContaining(['recipient', 'order-recipient']));
  });
});

describe('the chain', () => {
  test('behavior: if its log was cut after a stop, the instance is new and says what is lost', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ferry-svm-cut-'));
    const first = await startSandbox({ stateDir: folder });
    let second: TestSandbox | undefined;
    try {
      const env = { ...at(first), FERRY_RPC_URL_SVM: first.rpcUrls.svm ?? '' };
      const args = ['execute', '10', 'alpha/usdc', 'svm/usdc', '--recipient', recipient, '--yes', '--json'];
      expect((await ferry(args, { env })).code).toBe(0);
      await first.stop();
      const log = join(folder, 'sandbox', 'state', 'svm.log');
      truncateSync(log, Math.floor(statSync(log).size / 2));
      const warnings: string[] = [];
      second = await startSandbox({ stateDir: folder, warn: (text) => warnings.push(text) });
      expect(second.instance).not.toBe(first.instance);
      expect(second.lost).toMatchObject({
        instance: first.instance,
        why: expect.stringContaining('the end of svm.log is missing'),
      });
      expect(warnings).toEqual([expect.stringContaining('are gone')]);
    } finally {
      await first.stop();
      await second?.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
