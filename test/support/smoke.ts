/** Smoke test lists, run by ferry in this process on the test file's sandbox. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Input } from '../../src/sandbox/http/faults.js';
import { addFault, clearFaults } from './faults.js';
import { type Envelope, ferry, temporaryFolder } from './ferry.js';
import { useSandbox } from './sandbox.js';

const bridge = { amount: '10', from: 'alpha/usdc', to: 'beta/usdc' };

/** Two cases that succeed. */
export const quote = { name: 'quote', ...bridge };
export const execution = { name: 'execution', does: 'execute', ...bridge };

type Options = {
  argv?: readonly string[];
  more?: Record<string, string | undefined>;
  folder?: string;
};

/** Gives the file's tests a sandbox. */
export function useSmoke() {
  const { sandbox, env } = useSandbox();
  return {
    sandbox,
    env,
    /** Runs a list from a file in its own folder, which also holds the journal. */
    async run(content: unknown, { argv = [], more = {}, folder = temporaryFolder() }: Options = {}) {
      writeFileSync(join(folder, 'smoke.json'), typeof content === 'string' ? content : JSON.stringify(content));
      const here = { ...env, FERRY_STATE_DIR: join(folder, 'state'), ...more };
      const args = ['smoke', 'smoke.json', '--junit', 'smoke.xml', '--json', ...argv];
      const ended = await ferry(args, { env: here, cwd: folder });
      const { data, error } = ended.json();
      return { ...ended, data, error, folder, xml: () => readFileSync(join(folder, 'smoke.xml'), 'utf8') };
    },
    /** The runs in the journal of a folder. */
    async runs(folder: string): Promise<Envelope[]> {
      const here = { ...env, FERRY_STATE_DIR: join(folder, 'state') };
      return (await ferry(['runs', 'list', '--json'], { env: here })).json().data.runs;
    },
    /** Adds a fault of the service until the test ends or its count is used up. */
    fault: (body: Input) => addFault(sandbox, 'service', body),
    clearFaults: () => clearFaults(sandbox),
  };
}
