/** The tests that start no process and no chain, without the scenarios: `npm run test:unit`. */
import { availableParallelism } from 'node:os';
import { unitTests } from './support/reach.js';
import whole from './vitest.config.js';

// biome-ignore lint/style/noDefaultExport: vitest reads its configuration from the default export
export default {
  ...whole,
  test: {
    ...whole.test,
    include: unitTests().filter((path) => !path.startsWith('test/scenarios/')),
    // They wait for nothing, and each worker loads the sources for itself.
    maxWorkers: availableParallelism(),
  },
};
