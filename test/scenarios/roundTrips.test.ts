/** How many round trips each command makes one after the other: what a user waits for on a real network. */

import type { ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { at, type Ended, ferry, temporaryFolder } from '../support/ferry.js';
import { forward, front, type ReceivedRequest } from '../support/loopback.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox } = useSandbox();
let counter: Counter;
let env: Record<string, string | undefined>;

beforeAll(async () => {
  const { baseUrl: service, venueUrl: venue, rpcUrls } = sandbox;
  counter = await countRoundTrips({ service, venue, ...rpcUrls });
  const { urls } = counter;
  env = at({ baseUrl: urls.service ?? '', venueUrl: urls.venue ?? '', rpcUrls: urls });
});
afterAll(async () => {
  await counter.close();
});

const flags = ['--yes', '--json'];

/** The commands, each as a user types it. */
const commands: Readonly<Record<string, readonly string[]>> = {
  quote: ['quote', '100', 'alpha/usdc', 'beta/usdc', '--json'],
  'execute, with an approval': ['execute', '100', 'alpha/usdc', 'beta/usdc', ...flags],
  'execute, without one': ['execute', '1', 'alpha/eth', 'beta/eth', ...flags],
  'execute --gasless': ['execute', '100', 'alpha/usdc', 'beta/usdc', '--gasless', '--account', 'dev9', ...flags],
  'execute --permit': ['execute', '100', 'alpha/usdc', 'beta/usdc', '--permit', ...flags],
  'venue deposit': ['venue', 'deposit', '20', 'alpha/usdc', ...flags],
  'venue withdraw': ['venue', 'withdraw', '20', 'alpha/usdc', ...flags],
  'fees compare': ['fees', 'compare', '100', 'alpha/usdc', 'beta/usdc', '--json'],
  balance: ['balance', '--json'],
  doctor: ['doctor', '--json'],
};

async function count(argv: readonly string[], home: string): Promise<{ ended: Ended; trips: string[] }> {
  counter.take();
  const ended = await ferry(argv, { env, home });
  return { ended, trips: counter.take() };
}

/** Sends a payment and does not follow it; resolves to its run. */
async function sent(home: string): Promise<string> {
  const argv = [...(commands['execute, with an approval'] ?? []), '--no-wait'];
  return String((await ferry(argv, { env: at(sandbox), home })).json().data.run);
}

test('the table', { timeout: 120_000 }, async () => {
  // Modules are loaded by the first use, and what an account has never done before is done.
  for (const argv of Object.values(commands)) await ferry(argv, { env: at(sandbox) });
  const home = temporaryFolder();
  await ferry(['resume', await sent(home), ...flags], { env: at(sandbox), home });
  const table = new Map<string, string[]>();
  for (const [name, argv] of Object.entries(commands)) {
    const { ended, trips } = await count(argv, home);
    expect(ended.code, `${name}: ${ended.stdout}${ended.stderr}`).toBe(0);
    table.set(name, trips);
  }
  const resumed = await count(['resume', await sent(home), ...flags], home);
  expect(resumed.ended.code, resumed.ended.stdout).toBe(0);
  table.set('resume, of what was sent', resumed.trips);
  await expect(format(table)).toMatchFileSnapshot(
    fileURLToPath(new URL('../recorded/roundTrips.txt', import.meta.url)),
  );
});

function format(table: ReadonlyMap<string, readonly string[]>): string {
  const rows = [...table].flatMap(([name, trips]) => [
    `${name}: ${trips.length}`,
    ...trips.map((asked, index) => `  ${String(index + 1).padStart(2)}  ${asked}`),
  ]);
  return `${rows.join('\n')}\n`;
}

type Counter = {
  /** The server in front of each one, by name. */
  urls: Readonly<Record<string, string>>;
  /** Starts again, and returns what was asked since, a line for each round trip. */
  take(): string[];
  close(): Promise<void>;
};

/**
 * So long nothing must be asked or answered before answers are let go. A command that only computes is faster. Of a wait that
 * took twice as long nothing is known: this process stood still, and what was asked may lie unread.
 */
const quietMs = 80;

/** Whether this process, in which the command runs, waits for a disk, a thread or a connection: it goes on by itself. */
function isBusy(): boolean {
  return process.getActiveResourcesInfo().some((name) => /Req|Job|Connect|Write|Immediate/.test(name));
}

/**
 * Counts how often a command waits for a server, one time after the other. In front of each server, given by name, stands
 * another one that holds every answer back until nothing more is asked: what is asked together waits once, what is asked
 * with an answer waits again. A status or a receipt is answered once it is final: how often it would be asked for until
 * then is chance. So the count does not depend on how fast the servers are.
 */
async function countRoundTrips(servers: Readonly<Record<string, string>>): Promise<Counter> {
  let trips: string[] = [];
  let asked: string[] = [];
  let held: (() => void)[] = [];
  let unanswered = 0;
  let timer: NodeJS.Timeout | undefined;

  const stir = (): void => {
    clearTimeout(timer);
    if (unanswered > 0 || held.length === 0) return;
    const sinceMs = performance.now();
    timer = setTimeout(() => (performance.now() - sinceMs < 2 * quietMs ? letGo() : stir()), quietMs);
  };
  const letGo = (): void => {
    if (isBusy()) {
      stir();
      return;
    }
    const release = held;
    trips.push(inWords(asked));
    [held, asked] = [[], []];
    for (const each of release) each();
  };

  async function answer(name: string, base: string, request: ReceivedRequest, response: ServerResponse): Promise<void> {
    const { path, body } = request;
    asked.push(`${name} ${label(request)}`);
    unanswered++;
    stir();
    try {
      let answered = await forward(base + path, request);
      while (isEarly(path + body, answered.text)) answered = await forward(base + path, request);
      const { status, type, text } = answered;
      if (path.startsWith('/execute')) await untilOver(base, text);
      held.push(() => {
        response.writeHead(status, { 'content-type': type });
        response.end(text);
      });
    } catch {
      held.push(() => response.destroy());
    } finally {
      unanswered--;
      stir();
    }
  }

  const opened = Object.entries(servers).map(async ([name, base]) => {
    const below = base.replace(/\/$/, '');
    return { name, ...(await front((response, request) => void answer(name, below, request, response))) };
  });
  const all = await Promise.all(opened);
  return {
    urls: Object.fromEntries(all.map(({ name, url }) => [name, url])),
    take() {
      const found = trips;
      trips = [];
      return found;
    },
    async close() {
      clearTimeout(timer);
      await Promise.all(all.map((each) => each.close()));
    },
  };
}

/** Whether the answer will be another one soon. */
function isEarly(asked: string, text: string): boolean {
  return (
    (/^\/intents\/status/.test(asked) && /"status":"(waiting|depositing|pending|submitted)"/.test(text)) ||
    (/eth_getTransactionReceipt/.test(asked) && /"result":null/.test(text))
  );
}

/** Waits until the service has carried out what it has taken: whether a nonce is used soon after is chance. */
async function untilOver(base: string, text: string): Promise<void> {
  const [, id] = /"requestId":"(0x\w+)"/.exec(text) ?? [];
  if (id === undefined) return;
  const url = `/intents/status/v3?requestId=${id}`;
  while (isEarly(url, (await forward(base + url, { method: 'GET', headers: {}, body: '' })).text));
}

/** What a request asks, without what changes from run to run. */
function label({ method, path, body }: ReceivedRequest): string {
  try {
    const sent = JSON.parse(body) as { method?: string } | { method?: string }[];
    const calls = [sent].flat().flatMap((call) => call.method ?? []);
    const names = calls.map((call) => call.replace(/^eth_/, ''));
    if (Array.isArray(sent)) return `(${inWords(names).replaceAll(', ', ' + ')})`;
    if (names.length > 0) return names.join();
  } catch {
    // It is no JSON.
  }
  const place = path.split('?', 1)[0]?.replace(/0x[0-9a-fA-F]{40,}/g, '…');
  return `${method} ${place}`;
}

/** What was asked together, by server. The order among them is chance. */
function inWords(asked: readonly string[]): string {
  const times = new Map<string, number>();
  for (const each of asked.toSorted()) times.set(each, (times.get(each) ?? 0) + 1);
  return [...times].map(([each, count]) => (count > 1 ? `${each} ×${count}` : each)).join(', ');
}
