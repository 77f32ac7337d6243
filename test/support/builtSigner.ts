/** The stand-in for the venue's signing tool as a program of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.js';

export type BuiltSigner = {
  /** The program, for node. */
  path: string;
  /** The command line with arguments. */
  line(...args: string[]): string;
  remove(): void;
};

export async function buildSigner(): Promise<BuiltSigner> {
  const folder = mkdtempSync(join(tmpdir(), 'ferry-signer-'));
  const path = join(folder, 'signer.mjs');
  await bundle(fileURLToPath(new URL('venueSigner.ts', import.meta.url)), path);
  return {
    path,
    line: (...args) => `node ${path} ${args.join(' ')}`,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
