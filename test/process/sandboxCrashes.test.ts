/**
 * The background sandbox, killed at random moments while clients quote, pay and change the chains: what it had answered
 * is there again, and its records agree with the balances on the chains, or it is another instance and says so.
 *
 * The suite kills twice. Fifty times:
 * CRASHES=all npx vitest run --config test/vitest.config.ts test/process/sandboxCrashes.test.ts
 */
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createPublicClient, createWalletClient, type Hex, http, numberToHex, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type * as QuoteV2 from '../../src/core/api/QuoteV2.js';
import type * as StatusV3 from '../../src/core/api/StatusV3.js';
import * as Step from '../../src/core/api/schema/Step.js';
import { native } from '../../src/core/base/Address.js';
import * as processes from '../../src/io/locks/processes.js';
import * as sandboxRecord from '../../src/io/sandbox/sandboxRecord.js';
import { sandboxPaths } from '../../src/io/state/paths.js';
import { deployments } from '../../src/sandbox/values/deployment.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { type BuiltFerry, buildFerry } from '../support/builtFerry.js';

const kills = process.env.CRASHES === 'all' ? 50 : 2;
const payers = [accounts.dev0, accounts.dev1, accounts.dev2, accounts.dev3];
const { alpha, beta } = deployments;

type Started = {
  instance: string;
  baseUrl: string;
  rpcUrls: { alpha: string; beta: string };
  lost: { instance: string; why: string } | null;
};

/** What clients were told of one instance. */
type Told = {
  quotes: { requestId: string; amount: bigint; out: bigint }[];
  mined: { hash: Hex; block: bigint; status: string }[];
  ended: string[];
  marks: { account: Hex; wei: bigint }[];
  recipient: Hex;
};

let ferry: BuiltFerry;

beforeAll(async () => {
  ferry = await buildFerry();
});

afterAll(async () => {
  await ferry.run(['sandbox', 'stop']);
  await ferry.remove();
});

const newcomer = (): Hex => privateKeyToAccount(generatePrivateKey()).address;
const nothing = (): Told => ({ quotes: [], mined: [], ended: [], marks: [], recipient: newcomer() });

async function start(): Promise<Started> {
  const { stdout, stderr } = await ferry.run(['sandbox', 'start', '--json']);
  const { ok, data } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { ok: boolean; data: Started };
  if (!ok) throw new Error(stdout + stderr);
  return data;
}

async function json<Answer>(url: string, body?: unknown): Promise<Answer> {
  const headers = { 'content-type': 'application/json' };
  const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}

const statusOf = ({ baseUrl }: Started, requestId: string): Promise<StatusV3.Response> =>
  json(`${baseUrl}/intents/status/v3?requestId=${requestId}`);

const reader = (url: string) => createPublicClient({ transport: http(url, { retryCount: 0 }), pollingInterval: 20 });

/** Quotes, pays and waits, until the sandbox is gone. Notes what it was answered. */
async function pay(at: Started, payer: (typeof payers)[number], told: Told): Promise<void> {
  const client = createWalletClient({
    account: privateKeyToAccount(payer.privateKey),
    transport: http(at.rpcUrls.alpha, { retryCount: 0 }),
  });
  for (;;) {
    const amount = parseEther('0.001') + BigInt(randomInt(1_000_000));
    const quote = await json<QuoteV2.Response>(`${at.baseUrl}/quote/v2`, {
      user: payer.address,
      recipient: told.recipient,
      originChainId: alpha.id,
      originCurrency: native,
      destinationChainId: beta.id,
      destinationCurrency: native,
      amount: amount.toString(),
      tradeType: 'EXACT_INPUT',
    });
    const requestId = quote.steps[0]?.requestId ?? '';
    told.quotes.push({ requestId, amount, out: BigInt(quote.details.currencyOut.amount ?? 0) });
    const { to, data, value } = Step.evmTransaction.parse(quote.steps[0]?.items[0]?.data);
    const hash = await client.sendTransaction({ to, data, value: BigInt(value), chain: null, gas: 500_000n });
    // By default it waits for three minutes, also for a chain that is gone.
    const receipt = await reader(at.rpcUrls.alpha).waitForTransactionReceipt({ hash, timeout: 2_000 });
    told.mined.push({ hash, block: receipt.blockNumber, status: receipt.status });
    for (let status = ''; status !== 'success'; await delay(20)) {
      ({ status } = await statusOf(at, requestId));
      if (status === 'success') told.ended.push(requestId);
    }
  }
}

/** Sets a balance, which no transaction can repeat. */
async function mark(at: Started, told: Told): Promise<void> {
  const account = newcomer();
  const wei = BigInt(randomInt(1, 1_000_000));
  await delay(randomInt(50, 1_000));
  await json(at.rpcUrls.beta, {
    ...{ jsonrpc: '2.0', id: 1 },
    method: 'anvil_setBalance',
    params: [account, numberToHex(wei)],
  });
  told.marks.push({ account, wei });
}

/** Everything that was answered is there; records and balances agree. */
async function check(at: Started, told: Told): Promise<void> {
  const [onAlpha, onBeta] = [reader(at.rpcUrls.alpha), reader(at.rpcUrls.beta)];
  for (const { hash, block, status } of told.mined) {
    const receipt = await onAlpha.getTransactionReceipt({ hash });
    expect([receipt.blockNumber, receipt.status]).toEqual([block, status]);
  }
  for (const { account, wei } of told.marks) expect(await onBeta.getBalance({ address: account })).toBe(wei);
  // What was paid goes on to its end: then the depository has every deposit, and the recipient every fill.
  const ends = await Promise.all(
    told.quotes.map(async ({ requestId, amount, out }) => {
      let status = await statusOf(at, requestId);
      expect(status.status).not.toBe('unknown');
      if (told.ended.includes(requestId)) expect(status.status).toBe('success');
      for (const until = Date.now() + 20_000; !['waiting', 'success'].includes(status.status); await delay(50)) {
        if (Date.now() > until) throw new Error(`${requestId} is still ${status.status}.`);
        status = await statusOf(at, requestId);
      }
      if (status.status !== 'success') return { paid: 0n, delivered: 0n };
      for (const [client, hashes] of [
        [onAlpha, status.inTxHashes],
        [onBeta, status.txHashes],
      ] as const) {
        expect(hashes).toHaveLength(1);
        for (const hash of hashes ?? [])
          expect((await client.getTransactionReceipt({ hash: hash as Hex })).status).toBe('success');
      }
      return { paid: amount, delivered: out };
    }),
  );
  const paid = ends.reduce((sum, each) => sum + each.paid, 0n);
  const delivered = ends.reduce((sum, each) => sum + each.delivered, 0n);
  expect(await onAlpha.getBalance({ address: alpha.depository })).toBe(paid);
  expect(await onBeta.getBalance({ address: told.recipient })).toBe(delivered);
}

test(
  'behavior: killed at any moment, it keeps what it answered, or says that it did not',
  async () => {
    const paths = sandboxPaths({ env: ferry.env, cwd: '/', home: '/' });
    let at = await start();
    let told = nothing();
    const anew: (string | undefined)[] = [];
    let marked = 0;
    for (let turn = 0; turn < kills; turn++) {
      const load = payers.map((payer) => pay(at, payer, told));
      if (turn % 3 === 1) {
        marked += 1;
        load.push(mark(at, told));
      }
      const over = Promise.allSettled(load);
      await delay(randomInt(200, 2_500));
      const running = sandboxRecord.read(paths);
      if (!running) throw new Error('No sandbox is running.');
      processes.signal([running], 'SIGKILL');
      await processes.gone([running, ...running.children], 5_000);
      await over;
      const before = at;
      at = await start();
      if (at.instance !== before.instance) {
        expect(at.lost).toMatchObject({ instance: before.instance });
        anew.push(at.lost?.why);
        told = nothing();
      }
      await check(at, told);
    }
    process.stdout.write(
      `sandbox crashes: ${kills} kills, of which ${anew.length} were told as a new instance ${anew.join(', ')}\n`,
    );
    // A change that no transaction can repeat is lost only if the kill comes before its snapshot.
    expect(anew.length).toBeLessThanOrEqual(marked);
    await ferry.run(['sandbox', 'stop']);
    const again = await start();
    expect(again.instance).toBe(at.instance);
    await check(again, told);
  },
  30_000 + kills * 20_000,
);
