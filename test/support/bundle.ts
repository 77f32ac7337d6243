/** Builds a program of the tests that is run beside them. */
import { build } from 'esbuild';

export async function bundle(entry: string, outfile: string): Promise<void> {
  await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm' });
}
