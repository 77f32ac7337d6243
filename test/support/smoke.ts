/** Smoke test lists, run by ferry in this process on the test file's sandbox. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Input } from '../../src/sandbox/http/faults.js';
import { addFault, clearFaults } from './faults.js';
import { type Ended, type Envelope, ferry, temporaryFolder } from './ferry.js';
import { type TestSandbox, useSandbox } from './sandbox.js';

const bridge = { amount: '10', from: 'alpha/usdc', to: 'beta/usdc' };

/** Two cases that succeed. */
export const quote = { name: 'quote', ...bridge };
export const execution = { name: 'execution', does: 'execute', ...bridge };

type Options = {
  argv?: readonly string[];
  more?: Record<string, string | undefined>;
  folder?: string;
};

export type Smoked = Ended & {
  /** The data of the envelope. */
  data: Envelope;
  error: Envelope;
  /** The content of the JUnit file. */
  xml(): string;
  folder: string;
};

export type Smoke = {
  sandbox: TestSandbox;
  env: Record<string, string | undefined>;
  /** Runs a list from a file in its own folder, which also holds the journal. */
  run(content: unknown, options?: Options): Promise<Smoked>;
  /** The runs in the journal of a folder. */
  runs(folder: string): Promise<Envelope[]>;
  /** Adds a fault of the service until the test ends or its count is used up. */
  fault(body: Input): Promise<void>;
  clearFaults(): Promise<void>;
};

/** Gives the file's tests a sandbox. */
export function useSmoke(): Smoke {
  const { sandbox, env } = useSandbox();
  return {
    sandbox,
    env,
    async run(content, { argv = [], more = {}, folder = temporaryFolder() } = {}) {
      writeFileSync(join(folder, 'smoke.json'), typeof content === 'string' ? content : JSON.stringify(content));
      const here = { ...env, FERRY_STATE_DIR: join(folder, 'state'), ...more };
      const args = ['smoke', 'smoke.json', '--junit', 'smoke.xml', '--json', ...argv];
      const ended = await ferry(args, { env: here, cwd: folder });
      const { data, error } = ended.json();
      return { ...ended, data, error, folder, xml: () => readFileSync(join(folder, 'smoke.xml'), 'utf8') };
    },
    async runs(folder) {
      const here = { ...env, FERRY_STATE_DIR: join(folder, 'state') };
      return (await ferry(['runs', 'list', '--json'], { env: here })).json().data.runs;
    },
    fault: async (body) => void (await addFault(sandbox, 'service', body)),
    clearFaults: () => clearFaults(sandbox),
  };
}
