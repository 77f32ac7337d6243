/** How many round trips each command makes one after the other: what a user waits for on a real network. */
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { at, type Ended, ferry, temporaryFolder } from '../support/ferry.js';
import { type Counter, countRoundTrips } from '../support/roundTrips.js';
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
