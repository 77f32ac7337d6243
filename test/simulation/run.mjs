/** `npm run simulate`; takes the arguments of `simulate.ts`. */
import { load } from './bundle.mjs';

// Whoever reads may have seen enough: `npm run simulate -- --verbose | head`.
process.stdout.on('error', (error) => {
  if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EPIPE') throw error;
  // biome-ignore lint/nursery/noProcessExit: nobody reads what is still computed
  process.exit();
});

await load('simulate.ts');
