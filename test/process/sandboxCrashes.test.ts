/**
 * The background sandbox, killed while clients quote, pay and change the chains: what it had answered is there again, and
 * its records agree with the balances on the chains, or it is another instance and says so. It is another one only if a
 * chain was not written since it had changed.
 *
 * The suite kills twice, with every way to pay before each kill: as soon as a payment has ended, and once all is written,
 * with a change that no transaction can repeat. Fifty times, half of them at random moments:
 * CRASHES=all npx vitest run --config test/vitest.config.ts test/process/sandboxCrashes.test.ts
 */
import { randomInt } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import {
  createPublicClient,
  createWalletClient,
  encodeFunctionData,
  type Hex,
  http,
  numberToHex,
  parseEther,
  parseUnits,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type * as QuoteV2 from '../../src/core/api/QuoteV2.js';
import type * as StatusV3 from '../../src/core/api/StatusV3.js';
import * as Step from '../../src/core/api/schema/Step.js';
import { native } from '../../src/core/base/Address.js';
import * as processes from '../../src/io/locks/processes.js';
import * as sandboxRecord from '../../src/io/sandbox/sandboxRecord.js';
import { sandboxPaths } from '../../src/io/state/paths.js';
import type { Chain } from '../../src/sandbox/chain/startChains.js';
import * as stateFolder from '../../src/sandbox/service/stateFolder.js';
import * as abi from '../../src/sandbox/values/abi.js';
import { deployments } from '../../src/sandbox/values/deployment.js';
import type { Name } from '../../src/sandbox/values/devAccounts.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { type BuiltFerry, buildFerry } from '../support/builtFerry.js';
import { bodyOf } from '../support/gasless.js';
import { indexOf, parametersOf, transfer } from '../support/venueTransfer.js';

const all = process.env.CRASHES === 'all';
const kills = all ? 50 : 2;
const payers: readonly Name[] = ['dev0', 'dev1', 'dev2', 'dev3'];
/** How each of them pays: in each turn every way is taken by another. */
const ways = ['ether', 'token', 'gasless', 'venue'] as const;
type Way = (typeof ways)[number];
const { alpha, beta } = deployments;

type Started = {
  instance: string;
  baseUrl: string;
  venueUrl: string;
  rpcUrls: { alpha: string; beta: string };
  lost: { instance: string; why: string } | null;
};

/** What clients were told of one instance. */
type Told = {
  quotes: { requestId: string; way: Way; payer: Name; amount: bigint; fee: bigint; out: bigint }[];
  /** Transfers that the venue has accepted. */
  transfers: string[];
  mined: { hash: Hex; block: bigint; status: string }[];
  ended: string[];
  marks: { account: Hex; wei: bigint }[];
  recipient: Hex;
};

type Load = { told: Told; isEnough(): boolean };

let ferry: BuiltFerry;

beforeAll(async () => {
  ferry = await buildFerry();
});

afterAll(async () => {
  await ferry.run(['sandbox', 'stop']);
  await ferry.remove();
});

const newcomer = (): Hex => privateKeyToAccount(generatePrivateKey()).address;
const nothing = (): Told => ({ quotes: [], transfers: [], mined: [], ended: [], marks: [], recipient: newcomer() });

async function start(): Promise<Started> {
  const { stdout, stderr } = await ferry.run(['sandbox', 'start', '--json']);
  const { ok, data } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { ok: boolean; data: Started };
  if (!ok) throw new Error(stdout + stderr);
  return data;
}

async function json<Answer>(url: string, body?: unknown): Promise<Answer> {
  const headers = { 'content-type': 'application/json', 'x-api-key': 'sandbox-key' };
  const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}

const statusOf = ({ baseUrl }: Started, requestId: string): Promise<StatusV3.Response> =>
  json(`${baseUrl}/intents/status/v3?requestId=${requestId}`);

const reader = (url: string) => createPublicClient({ transport: http(url, { retryCount: 0 }) });

/** Quotes, pays and waits, until the sandbox is gone or it is enough. Notes what it was answered. */
async function pay(at: Started, payer: Name, way: Way, { told, isEnough }: Load): Promise<void> {
  while (!isEnough()) {
    const quote = await ask(at, payer, way, told.recipient);
    const { requestId = '' } = quote;
    const isAtVenue = way === 'venue';
    const { amount, fee } = isAtVenue
      ? { amount: BigInt(parametersOf(quote).amount), fee: BigInt(parametersOf(quote).usdcFee) }
      : { amount: BigInt(quote.details.currencyIn.amount ?? 0), fee: 0n };
    told.quotes.push({ requestId, way, payer, amount, fee, out: BigInt(quote.details.currencyOut.amount ?? 0) });
    if (isAtVenue) told.transfers.push(await transfer({ fetch: venueAt(at) }, payer, parametersOf(quote)));
    else if (way === 'gasless') {
      const chain = { ...alpha, name: 'alpha', rpcUrl: at.rpcUrls.alpha } as unknown as Chain;
      const body = await bodyOf(chain, payer, { ...quote, requestId });
      await json(`${at.baseUrl}/execute`, {
        ...body,
        executionOptions: { ...body.executionOptions, subsidizeFees: true },
      });
    } else await send(at, payer, quote, told);
    for (let status = ''; status !== 'success'; await delay(20)) {
      ({ status } = await statusOf(at, requestId));
      if (status === 'success') told.ended.push(requestId);
    }
  }
}

function ask(at: Started, payer: Name, way: Way, recipient: Hex): Promise<QuoteV2.Response> {
  const usdc = alpha.tokens.USDC.address;
  const [amount, origin, currency] = {
    ether: [parseEther('0.001') + BigInt(randomInt(1_000_000)), alpha.id, native] as const,
    token: [2_000_000n + BigInt(randomInt(1_000_000)), alpha.id, usdc] as const,
    gasless: [2_000_000n + BigInt(randomInt(1_000_000)), alpha.id, usdc] as const,
    venue: [6_000_000n + BigInt(randomInt(1_000_000)), venueId, '0'] as const,
  }[way];
  return json(`${at.baseUrl}/quote/v2`, {
    user: way === 'venue' ? String(indexOf(payer)) : accounts[payer].address,
    recipient,
    originChainId: origin,
    originCurrency: currency,
    destinationChainId: beta.id,
    destinationCurrency: way === 'ether' ? native : beta.tokens.USDC.address,
    amount: amount.toString(),
    tradeType: 'EXACT_INPUT',
  });
}

/** Sends the transactions of a quote. */
async function send(at: Started, payer: Name, quote: QuoteV2.Response, told: Told): Promise<void> {
  const client = createWalletClient({
    account: privateKeyToAccount(accounts[payer].privateKey),
    transport: http(at.rpcUrls.alpha, { retryCount: 0 }),
  });
  for (const { data: step } of quote.steps.flatMap(({ items }) => items)) {
    const { to, data, value } = Step.evmTransaction.parse(step);
    const hash = await client.sendTransaction({ to, data, value: BigInt(value), chain: null, gas: 500_000n });
    const receipt = await receiptOf(at, hash);
    told.mined.push({ hash, block: receipt.blockNumber, status: receipt.status });
  }
}

/** The receipt of a transaction once it is mined; rejects when the chain is gone. */
async function receiptOf({ rpcUrls }: Started, hash: Hex): Promise<TransactionReceipt> {
  for (;;) {
    try {
      return await reader(rpcUrls.alpha).getTransactionReceipt({ hash });
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError)) throw error;
      await delay(20);
    }
  }
}

const venueId = 3586256;

/** The venue of a sandbox in another process. */
function venueAt({ venueUrl }: Started): (request: Request) => Promise<Response> {
  return (request) => {
    const { pathname, search } = new URL(request.url);
    return fetch(new Request(`${venueUrl}${pathname}${search}`, request));
  };
}

/** The files that say that a chain has changed since it was written. */
const unwritten = (): string[] =>
  readdirSync(stateFolder.folderOf(ferry.stateDir)).filter((file) => file.endsWith('.changed'));

/** What an account of the venue holds, in base units. */
async function held({ venueUrl }: Started, index: number): Promise<bigint> {
  const { accounts: found } = await json<{ accounts: { collateral: string }[] }>(
    `${venueUrl}/api/v1/account?by=index&value=${index}`,
  );
  return parseUnits(found[0]?.collateral ?? '', 6);
}

/** Sets a balance, which no transaction can repeat. */
async function mark(at: Started, told: Told): Promise<void> {
  const account = newcomer();
  const wei = BigInt(randomInt(1, 1_000_000));
  if (all) await delay(randomInt(50, 1_000));
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
  for (const hash of told.transfers) await json(`${at.venueUrl}/api/v1/tx?by=hash&value=${hash}`);
  for (const id of told.ended) expect((await statusOf(at, id)).status).toBe('success');
  // What was paid goes on to its end: then the depository has every deposit, the venue every transfer, and the recipient
  // every fill.
  await expect.poll(() => unbalanced(at, told), { timeout: 60_000, interval: 100 }).toEqual([]);
  for (const { requestId, way } of told.quotes) {
    const { status, inTxHashes, txHashes } = await statusOf(at, requestId);
    if (status !== 'success') continue;
    expect([inTxHashes?.length, txHashes?.length]).toEqual([1, 1]);
    const [paid, filled] = [inTxHashes?.[0] as Hex, txHashes?.[0] as Hex];
    if (way !== 'venue') expect((await onAlpha.getTransactionReceipt({ hash: paid })).status).toBe('success');
    expect((await onBeta.getTransactionReceipt({ hash: filled })).status).toBe('success');
  }
}

/** What is not at its end, and what the records and the balances do not agree on. */
async function unbalanced(at: Started, told: Told): Promise<string[]> {
  const states = await Promise.all(
    told.quotes.map(async (quote) => ({ ...quote, state: await statusOf(at, quote.requestId) })),
  );
  const open = states.filter(({ state }) => !isFresh(state) && state.status !== 'success');
  const sum = (part: 'amount' | 'out' | 'fee', counts: (each: (typeof states)[number]) => boolean): bigint =>
    states.reduce((total, each) => (each.state.status === 'success' && counts(each) ? total + each[part] : total), 0n);
  const [onAlpha, onBeta] = [reader(at.rpcUrls.alpha), reader(at.rpcUrls.beta)];
  const usdc = async (client: typeof onAlpha, token: Hex, holder: Hex): Promise<bigint> => {
    const data = encodeFunctionData({ abi: abi.token, functionName: 'balanceOf', args: [holder] });
    return BigInt((await client.call({ to: token, data })).data ?? 0);
  };
  const sides: [what: string, balance: bigint, records: bigint][] = [
    ['ether in the depository', await onAlpha.getBalance({ address: alpha.depository }), sum('amount', isEther)],
    [
      'USDC in the depository',
      await usdc(onAlpha, alpha.tokens.USDC.address, alpha.depository),
      sum('amount', ({ way }) => way === 'token' || way === 'gasless'),
    ],
    ['ether of the recipient', await onBeta.getBalance({ address: told.recipient }), sum('out', isEther)],
    [
      'USDC of the recipient',
      await usdc(onBeta, beta.tokens.USDC.address, told.recipient),
      sum('out', (each) => !isEther(each)),
    ],
    ['what the relayer got', (await held(at, 7)) - firstHeld.relayer, sum('amount', ({ way }) => way === 'venue')],
  ];
  for (const payer of payers) {
    const spent = (part: 'amount' | 'fee') => sum(part, (each) => each.way === 'venue' && each.payer === payer);
    const left = firstHeld.payer - (await held(at, indexOf(payer)));
    sides.push([`what ${payer} paid at the venue`, left, spent('amount') + spent('fee')]);
  }
  return [
    ...open.map(({ requestId, way, state }) => `${way}: ${requestId} is ${state.status}`),
    ...sides.flatMap(([what, balance, records]) =>
      balance === records ? [] : [`${what}: ${balance}, not ${records}`],
    ),
  ];
}

/** What accounts of the venue hold in a new instance. */
const firstHeld = { relayer: 0n, payer: 0n };

const isRefused = (each: PromiseSettledResult<void>): boolean =>
  each.status === 'rejected' && / 4\d\d |refuses|revert/i.test(String(each.reason));

const isEther = ({ way }: { way: Way }): boolean => way === 'ether';

/** A quote that nobody has begun to pay. */
const isFresh = ({ status, inTxHashes }: StatusV3.Response): boolean =>
  status === 'waiting' && inTxHashes === undefined;

test(
  'behavior: killed at any moment, it keeps what it answered, or says that it did not',
  async () => {
    const paths = sandboxPaths({ env: ferry.env, cwd: '/', home: '/' });
    let at = await start();
    firstHeld.relayer = await held(at, 7);
    firstHeld.payer = await held(at, indexOf('dev0'));
    let told = nothing();
    const anew: (string | undefined)[] = [];
    for (let turn = 0; turn < kills; turn++) {
      const isQuiet = turn % 2 === 1;
      const isDone = (): boolean => told.ended.length >= ways.length && told.marks.length > 0;
      const load = { told, isEnough: () => isQuiet && isDone() };
      const loads = payers.map((payer, place) => pay(at, payer, ways[(turn + place) % ways.length] ?? 'ether', load));
      if (isQuiet) loads.push(mark(at, told));
      const over = Promise.allSettled(loads);
      if (isQuiet) {
        expect((await over).filter(({ status }) => status === 'rejected')).toEqual([]);
        await expect.poll(unwritten, { timeout: 60_000 }).toEqual([]);
      } else if (all) await delay(randomInt(200, 2_500));
      else await expect.poll(() => told.ended.length, { timeout: 60_000, interval: 1 }).toBeGreaterThan(0);
      const running = sandboxRecord.read(paths);
      if (!running) throw new Error('No sandbox is running.');
      processes.signal([running], 'SIGKILL');
      await processes.gone([running, ...running.children], 60_000);
      // A payment ends because the sandbox is gone, and never because it was refused.
      expect((await over).filter(isRefused)).toEqual([]);
      const before = at;
      const left = unwritten();
      at = await start();
      expect(at.instance === before.instance).toBe(left.length === 0);
      if (isQuiet) expect(at.instance).toBe(before.instance);
      if (at.instance !== before.instance) {
        expect(at.lost).toMatchObject({ instance: before.instance });
        anew.push(at.lost?.why);
        told = nothing();
      }
      await check(at, told);
    }
    const paid = ways.map(
      (way) => `${told.quotes.filter((each) => each.way === way && told.ended.includes(each.requestId)).length} ${way}`,
    );
    process.stdout.write(
      `sandbox crashes: ${paid.join(', ')} payments of the last instance; ${kills} kills, of which ${anew.length} were told as a new instance ${anew.join(', ')}\n`,
    );
    await ferry.run(['sandbox', 'stop']);
    const again = await start();
    expect(again.instance).toBe(at.instance);
    await check(again, told);
  },
  30_000 + kills * 20_000,
);
