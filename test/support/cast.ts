/** Foundry's cast: an independent client for the chains, and another tool that uses keystore files. */
import { execFile, execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const binary = find();

/** The folder of the program, for `PATH`. */
export const castFolder = dirname(binary);

/** The program itself: what npm links as `cast` is a Node script that starts it, which takes ten times as long. */
function find(): string {
  const require = createRequire(import.meta.url);
  const wrapper = require.resolve('@foundry-rs/cast/package.json');
  const architecture = { x64: 'amd64', arm64: 'arm64' }[process.arch as string];
  const manifest = `@foundry-rs/cast-${process.platform}-${architecture}/package.json`;
  return join(dirname(createRequire(wrapper).resolve(manifest)), 'bin/cast');
}

/** Runs cast and resolves to its stdout without the final newline. */
export async function cast(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(binary, [...args]);
  return stdout.trimEnd();
}

/** Runs `cast wallet …` and returns its output. */
export function castWallet(...args: string[]): string {
  return execFileSync(binary, ['wallet', ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
