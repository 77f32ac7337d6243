/**
 * The background sandbox, killed after every way to pay: once all is written, with a change that no transaction can repeat,
 * it is the same instance with all that it had answered; before a chain is written, it is another one and says so.
 */
import { readdirSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { native } from '../../src/core/base/Address.js';
import * as processes from '../../src/io/locks/processes.js';
import * as sandboxRecord from '../../src/io/sandbox/sandboxRecord.js';
import { sandboxPaths } from '../../src/io/state/paths.js';
import * as stateFolder from '../../src/sandbox/service/stateFolder.js';
import { deployments } from '../../src/sandbox/values/deployment.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { useFerry } from '../support/builtFerry.js';
import { at, ferry, temporaryFolder } from '../support/ferry.js';
import { ask, balanceAt } from '../support/node.js';
import { usdcOf } from '../support/venueBooks.js';

const { alpha, beta } = deployments;

type Started = {
  instance: string;
  baseUrl: string;
  venueUrl: string;
  rpcUrls: { alpha: string; beta: string };
  lost: { instance: string; why: string } | null;
};

const built = useFerry();
afterAll(async () => {
  await built.run(['sandbox', 'stop']);
});

async function start(): Promise<Started> {
  const { stdout, stderr } = await built.run(['sandbox', 'start', '--json']);
  const { ok, data } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { ok: boolean; data: Started };
  if (!ok) throw new Error(stdout + stderr);
  return data;
}

async function kill(): Promise<void> {
  const running = sandboxRecord.read(sandboxPaths({ env: built.env, cwd: '/', home: '/' }));
  if (!running) throw new Error('No sandbox is running.');
  processes.signal([running], 'SIGKILL');
  await processes.gone([running, ...running.children], 60_000);
}

/** The files that say that a chain has changed since it was written. */
const unwritten = (): string[] =>
  readdirSync(stateFolder.folderOf(built.stateDir)).filter((file) => file.endsWith('.changed'));

const ways = [
  ['execute', '0.01', 'alpha/eth', 'beta/eth'],
  ['execute', '2', 'alpha/usdc', 'beta/usdc', '--account', 'dev1'],
  ['execute', '2', 'alpha/usdc', 'beta/usdc', '--gasless', '--account', 'dev2'],
  ['venue', 'withdraw', '6', 'beta/usdc', '--account', 'dev3'],
];

const marked = '0x00000000000000000000000000000000000ad0be';
const setMark = (to: Started): Promise<unknown> => ask(to.rpcUrls.beta, 'anvil_setBalance', marked, '0x7');

/** What the parties hold, by the nodes and the venue alone. */
const held = (of: Started): Promise<bigint[]> =>
  Promise.all([
    balanceAt(of.rpcUrls.alpha, native, alpha.depository),
    balanceAt(of.rpcUrls.alpha, alpha.tokens.USDC.address, alpha.depository),
    ...['dev1', 'dev2', 'dev3'].map((name) =>
      balanceAt(of.rpcUrls.beta, beta.tokens.USDC.address, accounts[name as 'dev1'].address),
    ),
    balanceAt(of.rpcUrls.beta, native, accounts.dev0.address),
    balanceAt(of.rpcUrls.beta, native, marked),
    usdcOf(of, 103),
  ]);

test('behavior: killed, it keeps what it answered, or says that it did not', async () => {
  const first = await start();
  const env = { ...at(first), FERRY_STATE_DIR: temporaryFolder() };
  const paid = await Promise.all(ways.map((argv) => ferry([...argv, '--yes', '--json'], { env })));
  expect(paid.map(({ code }) => code)).toEqual(ways.map(() => 0));
  await setMark(first);
  const before = await held(first);
  await expect.poll(unwritten).toEqual([]);
  await kill();

  const second = await start();
  expect([second.instance, second.lost]).toEqual([first.instance, null]);
  expect(await held(second)).toEqual(before);
  const again = { ...at(second), FERRY_STATE_DIR: temporaryFolder() };
  for (const { json } of paid) {
    const status = await ferry(['status', json().data.requestId, '--json'], { env: again });
    expect(status.json().data).toMatchObject({ status: 'success', funds: 'delivered' });
  }

  await setMark(second);
  await kill();
  // Unless it was written just before.
  const wasWritten = unwritten().length === 0;
  const third = await start();
  expect(third.instance === first.instance).toBe(wasWritten);
  expect(third.lost?.instance).toBe(wasWritten ? undefined : first.instance);

  await built.run(['sandbox', 'stop']);
  expect((await start()).instance).toBe(third.instance);
}, 120_000);
