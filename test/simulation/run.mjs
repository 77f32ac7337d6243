/** Bundles the simulator and runs it, for `npm run simulate`; takes the arguments of `simulate.ts`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const folder = mkdtempSync(join(tmpdir(), 'ferry-simulate-'));
const outfile = join(folder, 'simulate.mjs');
try {
  await build({
    entryPoints: [fileURLToPath(new URL('simulate.ts', import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
    // What is never run here, and what a bundle of one file cannot hold.
    external: ['litesvm', '@solana/*', '@solana-program/*', 'pg', 'undici', 'ws'],
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  await import(pathToFileURL(outfile).href);
} finally {
  rmSync(folder, { recursive: true });
}
