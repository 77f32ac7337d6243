/**
 * The fault matrix: each kind of run meets each fault of the service, the node and the venue. Whatever the command says of
 * the money is true of the chain then, and when the fault is over and the run resumed, there was one payment or none.
 *
 * The suite runs a sample of the faults, each on another kind, with ferry in this process. All of it, as the built program: FAULTS=all npx vitest run --config test/vitest.config.ts test/process/faults.test.ts
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import * as Network from '../../src/core/network/Network.js';
import { network } from '../../src/core/network/sandbox.js';
import type { Input } from '../../src/sandbox/http/faults.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { type BuiltFerry, buildFerry, type Ended } from '../support/builtFerry.js';
import { addFault, clearFaults, faultsOf, type Place } from '../support/faults.js';
import { at, ferry as ferryHere } from '../support/ferry.js';
import { ask, balanceAt } from '../support/node.js';
import { startSandbox, type TestSandbox } from '../support/sandbox.js';
import { usdcOf } from '../support/venueBooks.js';

const all = process.env.FAULTS === 'all';
let built: BuiltFerry;
let cells = 0;
let struck = 0;

beforeAll(async () => {
  built = await buildFerry();
});
afterAll(() => {
  process.stderr.write(
    `fault matrix: ${cells} cells, in ${struck} of them the fault struck, at most one payment in each${all ? '' : ' (a sample; FAULTS=all)'}\n`,
  );
  built.remove();
});

const usdc = Network.token(Network.chain(network, 'alpha'), 'usdc')?.address ?? '';
const heldBy = (name: 'dev0' | 'dev9') => (sandbox: TestSandbox) =>
  balanceAt(sandbox.chains.alpha.rpcUrl, usdc, accounts[name].address);

type Match = { method?: string; path?: string; rpc?: string };

type Kind = {
  name: string;
  args: readonly string[];
  /** Where what pays is handed in, and which request it is. */
  pays: { place: Place; match: Match; after: number };
  /** The node whose receipts the run counts on. */
  node: Place;
  paid: bigint;
  held(sandbox: TestSandbox): Promise<bigint>;
};

const broadcast = { place: 'alpha', match: { rpc: 'eth_sendRawTransaction' }, after: 1 } as const;
const posted = (place: Place, path: string): Kind['pays'] => ({ place, match: { method: 'POST', path }, after: 0 });

const kinds: readonly Kind[] = [
  {
    name: 'own gas with approval',
    args: ['execute', '1', 'alpha/usdc', 'beta/usdc'],
    ...{ pays: broadcast, node: 'alpha', paid: 1_000_000n, held: heldBy('dev0') },
  },
  {
    name: 'gasless batch',
    args: ['execute', '1', 'alpha/usdc', 'beta/usdc', '--gasless', '--account', 'dev9'],
    ...{ pays: posted('service', '/execute'), node: 'alpha', paid: 1_000_000n, held: heldBy('dev9') },
  },
  {
    name: 'permit',
    args: ['execute', '1', 'alpha/usdc', 'beta/usdc', '--permit', '--account', 'dev9'],
    ...{ pays: posted('service', '/execute/permits'), node: 'alpha', paid: 1_000_000n, held: heldBy('dev9') },
  },
  {
    name: 'venue deposit',
    args: ['venue', 'deposit', '10', 'alpha/usdc'],
    ...{ pays: broadcast, node: 'alpha', paid: 10_000_000n, held: heldBy('dev0') },
  },
  {
    name: 'venue withdrawal',
    args: ['venue', 'withdraw', '10', 'beta/usdc'],
    ...{ pays: posted('venue', '/api/v1/sendTx'), node: 'beta', paid: 13_000_000n, held: (at) => usdcOf(at, 100) },
  },
];

type Fault = {
  name: string;
  /** What goes wrong, for a kind of run. */
  of(kind: Kind): readonly (readonly [Place, Input])[];
  /** The service has delivered before the payment was undone: that is its loss. */
  isUndone?: boolean;
  /** It does not pass, so that the run may stay open, or nobody may ever know. */
  isLasting?: boolean;
};

const atPayment = (name: string, fault: DistributiveOmit<Input, 'match' | 'after'>): Fault => ({
  name: `${name} at the payment`,
  of: ({ pays: { place, match, after } }) => [[place, { ...fault, match, after } as Input]],
});
const atReceipts = (name: string, fault: DistributiveOmit<Input, 'match'>): Fault => ({
  name,
  of: ({ node }) => [[node, { ...fault, match: { rpc: 'eth_getTransactionReceipt' }, times: 0 } as Input]],
});
/** On what the account broadcasts itself. */
const onChain = (name: string, fault: Partial<Extract<Input, { kind: 'chain' }>>): Fault => ({
  name,
  of: ({ pays, node }) => [[node, { kind: 'chain', match: {}, after: pays.after, ...fault } as Input]],
});
const atService = (name: string, fault: Input): Fault => ({ name, of: () => [['service', fault]] });

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

const status = { path: '/intents/status' };
const retryAfter = { headers: { 'retry-after': '1' } };

const faults: readonly Fault[] = [
  atPayment('a connection dropped before it acts', { kind: 'drop' }),
  atPayment('a connection dropped after it acted', { kind: 'drop-after' }),
  atPayment('a connection reset', { kind: 'reset' }),
  atPayment('an answer cut off', { kind: 'truncate' }),
  atPayment('an empty answer', { kind: 'empty' }),
  atPayment('a slow answer', { kind: 'trickle', delayMs: 2 }),
  atPayment('an answer without end', { kind: 'endless' }),
  atPayment('a page in HTML', { kind: 'html' }),
  atPayment('a fault of its own after it acted', { kind: 'status-after', status: 500 }),
  atPayment('429 with Retry-After', { kind: 'status', status: 429, times: 2, ...retryAfter }),
  atPayment('429 after it acted', { kind: 'status-after', status: 429 }),
  atService('429 for every status', { kind: 'status', status: 429, match: status, times: 0 }),
  atService('a service that is down for the status', { kind: 'status', status: 503, match: status, times: 0 }),
  atService('a service that sees no deposit', {
    kind: 'tamper',
    path: '/status',
    value: 'waiting',
    match: status,
    times: 0,
  }),
  atService('a refund', { kind: 'solver', does: 'refund' }),
  atService('a fill that stays away', { kind: 'solver', does: 'stuck' }),
  atService('a failure', { kind: 'solver', does: 'fail' }),
  atService('a clock an hour ahead', { kind: 'skew', skewMs: 3_600_000 }),
  {
    name: 'a node that is down for a while',
    of: ({ node }) => [[node, { kind: 'status', status: 503, times: 4, after: 12 }]],
  },
  atReceipts('receipts that are hidden', { kind: 'tamper', path: '/result', value: null }),
  atReceipts('receipts that say reverted', { kind: 'tamper', path: '/result/status', value: '0x0' }),
  onChain('a transaction that is swallowed', { does: 'swallow' }),
  onChain('transactions that are all swallowed', { does: 'swallow', times: 0 }),
  {
    name: 'a swallowed transaction with an invented receipt',
    of: ({ node, pays }) => [
      [node, { kind: 'chain', does: 'swallow', times: 0, after: pays.after }],
      [node, { kind: 'chain', does: 'forge', times: 0 }],
    ],
  },
  onChain('a transaction that the pool drops', { does: 'evict', delayMs: 300 }),
  onChain('a transaction that another one does', { does: 'replace' }),
  onChain('a transaction that is cancelled', { does: 'cancel' }),
  onChain('a chain that mines nothing for a while', { does: 'halt', delayMs: 1_500 }),
  {
    name: 'a block that is reorganised away',
    isUndone: true,
    of: ({ node, pays }) => [
      [node, { kind: 'chain', does: 'reorg', after: pays.after, match: { rpc: 'eth_getTransactionReceipt' } }],
    ],
  },
  {
    name: 'a chain whose clock is an hour ahead',
    isLasting: true,
    of: ({ node }) => [[node, { kind: 'chain', does: 'skew', skewMs: 3_600_000 }]],
  },
];

const finalCodes: readonly number[] = [0, 6, 7, 8];

type Said = { code: number | null; funds: string; run: string | undefined; error: Record<string, unknown> | undefined };

function said({ code, stdout }: Pick<Ended, 'code' | 'stdout'>): Said {
  const { data, error } = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '{}');
  return { code, error, funds: (error ?? data)?.funds, run: (error ?? data)?.run };
}

/** What is wrong with what a command said, by what the chain has. */
function disagreement(
  { code, funds, error }: Said,
  moved: bigint,
  paid: bigint,
  { isUndone = false }: Fault,
): string | undefined {
  const words = JSON.stringify(error?.message ?? '');
  if (moved !== 0n && moved !== paid && funds !== 'returned') return `moved ${moved}, said ${code} ${funds} ${words}`;
  if (funds === 'untouched' && moved !== 0n) return `said ${code} untouched ${words}, and it was paid`;
  if ((funds === 'delivered' || funds === 'held') && moved !== paid && !isUndone)
    return `said ${funds}, and nothing was paid`;
  if (code === 0 && funds !== 'delivered') return `ended with 0, and ${funds}`;
  if (code === 10 && funds !== 'unknown') return `ended with 10, and ${funds}`;
  if (code === 1 || code === null) return `ended with ${code}: ${words}`;
  return undefined;
}

async function cell(kind: Kind, fault: Fault, sandbox: TestSandbox): Promise<string | undefined> {
  const stateDir = mkdtempSync(join(built.stateDir, '..', 'fault-'));
  const env = { ...at(sandbox), FERRY_STATE_DIR: stateDir };
  const ferry = async (args: readonly string[], pace = 1): Promise<Said> => {
    const argv = [...args, '--yes', '--json'];
    return said(all ? await built.run(argv, env) : await ferryHere(argv, { env, home: stateDir, pace }));
  };
  try {
    const before = await kind.held(sandbox);
    const moved = async (): Promise<bigint> => before - (await kind.held(sandbox));
    for (const [place, input] of fault.of(kind)) await addFault(sandbox, place, input);
    // Where it waits in vain, it need not wait long.
    let ended = await ferry([...kind.args, '--timeout', '4s'], 4);
    cells += 1;
    const met = (await Promise.all(fault.of(kind).map(([place]) => faultsOf(sandbox, place)))).flat();
    if (met.some((each) => each.kind === 'skew' || each.struck > 0)) struck += 1;
    const first = disagreement(ended, await moved(), kind.paid, fault);
    if (first) return first;
    await clearFaults(sandbox);
    for (let turn = 0; turn < 3 && ended.run && !finalCodes.includes(ended.code ?? 1); turn++) {
      ended = await ferry(['resume', ended.run, '--timeout', '1m']);
      const wrong = disagreement(ended, await moved(), kind.paid, fault);
      if (wrong) return `resumed: ${wrong}`;
    }
    const isOpen = fault.isLasting === true && [9, 10].includes(ended.code ?? 1);
    if (!finalCodes.includes(ended.code ?? 1) && ended.funds !== 'untouched' && !isOpen)
      return `it came to no end: ${ended.code} ${ended.funds} ${JSON.stringify(ended.error)}`;
    await ask(sandbox.rpcUrls.alpha, 'evm_mine');
    return disagreement(ended, await moved(), kind.paid, fault);
  } finally {
    await clearFaults(sandbox);
    rmSync(stateDir, { recursive: true, force: true });
  }
}

describe('what a run says of the money', () => {
  test.skipIf(all)(
    'behavior: a sample',
    async () => {
      const sandbox = await startSandbox();
      onTestFinished(() => sandbox.stop());
      for (const [index, fault] of faults.entries()) {
        const kind = kinds[index % kinds.length];
        if (kind && index % 3 === 1)
          expect(await cell(kind, fault, sandbox), `${kind.name}: ${fault.name}`).toBeUndefined();
      }
    },
    300_000,
  );

  describe.runIf(all)('in every cell', () => {
    test.concurrent.each(kinds)(
      'behavior: $name',
      async (kind) => {
        const sandbox = await startSandbox();
        const wrong: string[] = [];
        try {
          for (const fault of faults) {
            const found = await cell(kind, fault, sandbox);
            if (found) wrong.push(`${fault.name}: ${found}`);
          }
        } finally {
          await sandbox.stop();
        }
        expect(wrong).toEqual([]);
      },
      900_000,
    );
  });
});
