import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { startsProcesses, unitTests } from './support/reach.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The long files come first, so that all workers end together. Which are long is known before the first run. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => weight(b.moduleId) - weight(a.moduleId));
  }
}

/** Files of real processes weigh most, then those that start chains or a sandbox. */
function weight(path: string): number {
  const name = path.slice(root.length);
  if (name.startsWith('test/process/')) return 2;
  return startsProcesses(name) ? 1 : 0;
}

// biome-ignore lint/style/noDefaultExport: vitest reads its configuration from the default export
export default defineConfig({
  root,
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/leftovers.ts'],
    setupFiles: ['test/support/propertySeed.ts', 'test/support/noProcesses.ts'],
    provide: { unitTests: unitTests() },
    pool: 'forks',
    // Modules keep no state and nothing is mocked, so the files of a worker share what they import: a tenth of the time.
    isolate: false,
    // A larger young generation: a tenth less of the time goes into collecting it.
    execArgv: ['--max-semi-space-size=64'],
    // What is compiled is kept for the next run.
    experimental: { fsModuleCache: true },
    // Two more than cores: half of the time a worker waits for a process, a block or a deadline.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongFirst },
    testTimeout: 30_000,
    // What is waited for comes: the default of a second is less than a loaded machine needs.
    expect: { poll: { interval: 25, timeout: 25_000 } },
    hookTimeout: 30_000,
    unstubEnvs: true,
  },
});
