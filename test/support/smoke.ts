/** Smoke test lists, run by ferry in this process on the test file's own sandbox. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Input } from '../../src/sandbox/http/faults.js';
import { at, type Ended, type Envelope, ferry, temporaryFolder } from './ferry.js';
import { startSandbox, type TestSandbox } from './sandbox.js';

const bridge = { amount: '10', from: 'alpha/usdc', to: 'beta/usdc' };

/** Two cases that succeed. */
export const quote = { name: 'quote', ...bridge };
export const execution = { name: 'execution', does: 'execute', ...bridge };

export type Options = {
  argv?: readonly string[];
  more?: Record<string, string | undefined>;
  folder?: string;
  /** How many times faster waits pass. */
  pace?: number;
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
  /** Adds a fault until the test ends or its count is used up. */
  fault(body: Input): Promise<void>;
  clearFaults(): Promise<void>;
};

/** Starts the sandbox before the file's tests and stops it afterwards. */
export function useSmoke(): Smoke {
  let started: TestSandbox | undefined;
  const running = (): TestSandbox => {
    if (!started) throw new Error('The sandbox runs within tests only.');
    return started;
  };
  const clearFaults = async (): Promise<void> => {
    await fetch(`${running().baseUrl}/sandbox/faults`, { method: 'DELETE' });
  };

  beforeAll(async () => {
    started = await startSandbox();
  });
  afterEach(clearFaults);
  afterAll(() => started?.stop());

  return {
    get sandbox() {
      return running();
    },
    get env() {
      return at(running());
    },
    async run(content, { argv = [], more = {}, folder = temporaryFolder(), pace } = {}) {
      writeFileSync(join(folder, 'smoke.json'), typeof content === 'string' ? content : JSON.stringify(content));
      const env = { ...at(running()), FERRY_STATE_DIR: join(folder, 'state'), ...more };
      const args = ['smoke', 'smoke.json', '--junit', 'smoke.xml', '--json', ...argv];
      const ended = await ferry(args, { env, cwd: folder, ...(pace && { pace }) });
      const { data, error } = ended.json();
      return { ...ended, data, error, folder, xml: () => readFileSync(join(folder, 'smoke.xml'), 'utf8') };
    },
    async runs(folder) {
      const env = { ...at(running()), FERRY_STATE_DIR: join(folder, 'state') };
      return (await ferry(['runs', 'list', '--json'], { env })).json().data.runs;
    },
    async fault(body) {
      const headers = { 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify(body) };
      expect((await fetch(`${running().baseUrl}/sandbox/faults`, init)).status).toBe(200);
    },
    clearFaults,
  };
}
