/** Batches for ferry in this process, on the test file's sandbox, with their ledgers. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { assertEvents } from './events.js';
import { addFault, clearFaults } from './faults.js';
import { type Envelope, ferry, type Surroundings, temporaryFolder } from './ferry.js';
import { usdcAt, useSandbox } from './sandbox.js';

export type Written = Record<string, unknown>;

/** A transfer with an id. */
export function transfer(id: string, changed: Written = {}): Written {
  return { id, amount: '1', from: 'alpha/usdc', to: 'beta/usdc', ...changed };
}

export function ndjson(lines: readonly Written[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

export type Batch = ReturnType<ReturnType<typeof useBatches>['of']>;

/** Gives the file's tests a sandbox. */
export function useBatches() {
  const { sandbox, env: there } = useSandbox();
  return {
    sandbox,
    fault: addFault.bind(undefined, sandbox),
    clearFaults: () => clearFaults(sandbox),
    /** A folder with a batch, in which ferry runs and keeps its state. */
    of(lines: readonly Written[]) {
      const folder = temporaryFolder();
      const ledgerPath = join(folder, 'ledger.ndjson');
      const write = (changed: readonly Written[]): void => writeFileSync(join(folder, 'batch.ndjson'), ndjson(changed));
      write(lines);
      return {
        folder,
        write,
        ledgerPath,
        run: (argv: readonly string[], { env, ...surroundings }: Surroundings = {}) =>
          ferry(argv, {
            ...surroundings,
            env: { ...there, FERRY_STATE_DIR: join(folder, 'state'), ...env },
            cwd: folder,
          }),
        /** The lines of the ledger; empty if there is no ledger. */
        ledger: (): Envelope[] => (existsSync(ledgerPath) ? read(readFileSync(ledgerPath, 'utf8')) : []),
      };
    },
    /** dev0's USDC balance on alpha in base units. */
    held: () => usdcAt(sandbox, accounts.dev0.address),
  };
}

function read(text: string): Envelope[] {
  assertEvents(text);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
