import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { startsProcesses, unitTests } from './support/reach.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Files of real processes mostly wait, those of chains half, unit tests never: mixed evenly, they keep the cores busy. The
 * last fifth of the way is left to unit tests, which are short, so that all workers end together.
 */
class Mixed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return Object.entries(ends)
      .flatMap(([kind, end]) => {
        const its = sorted.filter(({ moduleId }) => kindOf(moduleId.slice(root.length)) === kind);
        return its.map((file, index) => ({ file, at: (index / its.length) * end }));
      })
      .toSorted((a, b) => a.at - b.at)
      .map(({ file }) => file);
  }
}

/** Where the last file of a kind stands, from 0 to 1. */
const ends = { process: 0.8, long: 0.8, unit: 1 };

function kindOf(path: string): keyof typeof ends {
  if (path.startsWith('test/process/')) return 'process';
  return startsProcesses(path) || path.startsWith('test/simulation/') ? 'long' : 'unit';
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
    sequence: { sequencer: Mixed },
    testTimeout: 30_000,
    // What is waited for comes: the default of a second is less than a loaded machine needs.
    expect: { poll: { interval: 25, timeout: 25_000 } },
    hookTimeout: 30_000,
    unstubEnvs: true,
  },
});
