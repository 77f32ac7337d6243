/** Batches for ferry in this process, on the test file's own sandbox, with their ledgers. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from 'vitest';
import * as Network from '../../src/core/network/Network.js';
import { network } from '../../src/core/network/sandbox.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { assertEvents } from './events.js';
import { addFault, clearFaults } from './faults.js';
import { at, type Ended, type Envelope, ferry, type Surroundings, temporaryFolder } from './ferry.js';
import { balanceAt } from './node.js';
import { startSandbox, type TestSandbox } from './sandbox.js';

export type Written = Record<string, unknown>;

/** A transfer with an id. */
export function transfer(id: string, changed: Written = {}): Written {
  return { id, amount: '1', from: 'alpha/usdc', to: 'beta/usdc', ...changed };
}

export function ndjson(lines: readonly Written[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

export type Batches = {
  sandbox: TestSandbox;
  fault: typeof addFault extends (sandbox: TestSandbox, ...rest: infer R) => infer T ? (...rest: R) => T : never;
  clearFaults(): Promise<void>;
  /** A folder with a batch, in which ferry runs and keeps its state. */
  of(lines: readonly Written[]): Batch;
  /** dev0's USDC balance on alpha in base units. */
  held(): Promise<bigint>;
};

export type Batch = {
  folder: string;
  write(lines: readonly Written[]): void;
  run(argv: readonly string[], surroundings?: Surroundings): Promise<Ended>;
  /** The lines of the ledger; empty if there is no ledger. */
  ledger(): Envelope[];
  ledgerPath: string;
};

/** Starts the sandbox before the file's tests and stops it afterwards. */
export function useBatches(): Batches {
  let started: TestSandbox | undefined;
  const running = (): TestSandbox => {
    if (!started) throw new Error('The sandbox runs within tests only.');
    return started;
  };
  beforeAll(async () => {
    started = await startSandbox();
  });
  afterEach(() => clearFaults(running()));
  afterAll(() => started?.stop());

  return {
    get sandbox() {
      return running();
    },
    fault: (...rest) => addFault(running(), ...rest),
    clearFaults: () => clearFaults(running()),
    of(lines) {
      const folder = temporaryFolder();
      const ledgerPath = join(folder, 'ledger.ndjson');
      const write = (changed: readonly Written[]): void => writeFileSync(join(folder, 'batch.ndjson'), ndjson(changed));
      write(lines);
      return {
        folder,
        write,
        ledgerPath,
        run: (argv, { env, ...surroundings } = {}) =>
          ferry(argv, {
            ...surroundings,
            env: { ...at(running()), FERRY_STATE_DIR: join(folder, 'state'), ...env },
            cwd: folder,
          }),
        ledger: () => (existsSync(ledgerPath) ? read(readFileSync(ledgerPath, 'utf8')) : []),
      };
    },
    held: () => balanceAt(running().rpcUrls.alpha, usdc, accounts.dev0.address),
  };
}

function read(text: string): Envelope[] {
  assertEvents(text);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

const usdc = Network.token(Network.chain(network, 'alpha'), 'usdc')?.address ?? '';
