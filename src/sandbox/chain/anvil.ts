/** Locates, starts and stops an anvil process. */
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { accessSync, closeSync, constants, mkdtempSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { BaseError } from '../../core/base/Errors.js';

export type Anvil = Awaited<ReturnType<typeof start>>;

export type AnvilOptions = {
  path: string;
  /** PATH for the child process, in case the executable is a script. */
  searchPath?: string | undefined;
  chainId: number;
  /** In Unix seconds; defaults to the current time. */
  genesisTimestamp?: number | undefined;
  /** What the chain begins with, beside the ten development accounts: the text of a genesis file. */
  genesis?: string | undefined;
};

/** Derives the accounts of `devAccounts.ts`; the nodes hold the first ten unlocked. */
export const mnemonic = 'test test test test test test test test test test test junk';

/** Gas prices on these chains, in wei. */
export const gasPrice = {
  /**
   * The lowest base fee that EIP-1559 reaches. From a higher one, near-empty blocks would lower it by an eighth each,
   * and the cost of a fill would depend on the number of blocks before it.
   */
  baseFeePerGas: 7n,
  /** Paid by the sandbox's own transactions: a fill of 65,000 gas costs a sixth of a cent. */
  maxPriorityFeePerGas: 10_000_000n,
  maxFeePerGas: 20_000_000n,
} as const;

const startTimeoutMs = 20_000;

/**
 * A shell between the two processes with one job: it kills anvil when its standard input closes. The operating system
 * closes that pipe when the parent exits, however it exits, so anvil never outlives its parent. The last line kills the
 * whole process group, because the executable may be a script that started the real anvil.
 */
const supervisor = `
"$@" </dev/null &
echo "pid $!"
exec >/dev/null 2>&1
read -r _
kill -9 $!
wait $!
kill -9 0
`;

/**
 * The path of the anvil executable: the one the user configured, else the optional package's, else the first on PATH.
 *
 * @throws sandbox.no-anvil
 */
export function find(options: { path?: string | undefined; searchPath?: string | undefined }): string {
  if (options.path) {
    if (isExecutable(options.path)) return options.path;
    throw new NoAnvilError(`${options.path} is not an executable file.`);
  }
  const folders = (options.searchPath ?? '').split(delimiter).filter((folder) => folder !== '');
  const candidates = [...packagedAnvil(), ...folders.map((folder) => join(folder, 'anvil'))];
  const found = candidates.find(isExecutable);
  if (!found) throw new NoAnvilError('The sandbox runs its chains on anvil, which is not installed.');
  return found;
}

/**
 * Starts anvil on a free port of an address that cannot be guessed, and resolves once it is listening.
 *
 * @throws sandbox.start
 */
export async function start(options: AnvilOptions) {
  const host = await unguessableHost();
  const genesis = options.genesis === undefined ? undefined : openText(options.genesis);
  const child = spawn('/bin/sh', ['-c', supervisor, 'sh', options.path, ...toArguments(options, host)], {
    // Outside the terminal's process group: Ctrl-C must reach only the sandbox, which still has to save its state.
    detached: true,
    // Pass no other variables: they may hold secrets, or settings for anvil.
    env: options.searchPath === undefined ? {} : { PATH: options.searchPath },
    stdio: ['pipe', 'pipe', 'pipe', genesis ?? 'ignore'],
  }) as ChildProcessWithoutNullStreams;
  if (genesis !== undefined) closeSync(genesis);
  child.stdin.on('error', () => {});
  // The shell exits only after anvil, unless the shell alone was killed.
  child.once('exit', () => killGroup(child));
  // Only anvil still holds this pipe: once it closes, the shell can exit.
  child.stdout.once('end', () => child.stdin.end());
  // All three pipes are closed only after every process has exited.
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const { pid, address } = await waitUntilListening(child).catch(async (error: unknown) => {
    child.stdin.end();
    await ended;
    throw error;
  });
  return {
    rpcUrl: `http://${address}`,
    /** Of anvil itself, not of the shell around it. */
    pid,
    /** Resolves when the process has exited for any reason. */
    ended,
    /** Kills the process and waits until it has exited. */
    stop: async (): Promise<void> => {
      child.stdin.end();
      await ended;
    },
  };
}

function toArguments({ chainId, genesis, genesisTimestamp }: AnvilOptions, host: string): readonly string[] {
  return [
    ...['--host', host, '--port', '0'],
    // Only the sandbox calls it. Its own port in front decides which web pages may.
    '--no-cors',
    ...['--chain-id', String(chainId), '--hardfork', 'prague', '--gas-limit', '60000000'],
    ...['--base-fee', String(gasPrice.baseFeePerGas)],
    ...['--mnemonic', mnemonic, '--accounts', '10', '--balance', '10000'],
    // Makes the `safe` and `finalized` blocks advance.
    ...['--slots-in-an-epoch', '1'],
    // Without a limit, anvil writes historical states to the user's home directory.
    ...['--prune-history', '256'],
    // A saved state can be large.
    '--no-request-size-limit',
    // A genesis file has a time of its own, which this replaces.
    ...['--timestamp', String(genesisTimestamp ?? Math.floor(Date.now() / 1000))],
    ...(genesis === undefined ? [] : ['--init', '/dev/fd/3']),
  ];
}

/** A descriptor that reads a text, of a file that is gone already. */
function openText(text: string): number {
  const folder = mkdtempSync(join(tmpdir(), 'ferry-genesis-'));
  try {
    writeFileSync(join(folder, 'text'), text);
    return openSync(join(folder, 'text'), 'r');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * A random loopback address. anvil checks neither the host nor the origin of a request, nor asks for a key, and a web
 * page can try the ports of 127.0.0.1 one by one; it cannot try sixteen million addresses. Systems that have no more
 * than that one address, such as macOS, get 127.0.0.1.
 */
async function unguessableHost(): Promise<string> {
  const host = `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`;
  const server = createServer();
  const isOurs = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(0, host, () => resolve(true));
  });
  await new Promise((resolve) => server.close(resolve));
  return isOurs ? host : '127.0.0.1';
}

/** Waits until anvil prints its address. */
function waitUntilListening(child: ChildProcess): Promise<{ pid: number; address: string }> {
  return new Promise((resolve, reject) => {
    let output = '';
    let errorOutput = '';
    const timer = setTimeout(() => fail(`It did not listen within ${startTimeoutMs / 1000} s.`), startTimeoutMs);
    const fail = (reason: string): void => {
      clearTimeout(timer);
      reject(new StartError(reason));
    };
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      errorOutput += text;
    });
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const pid = /^pid (\d+)\n/m.exec(output)?.[1];
      const address = /^Listening on (\S+)\n/m.exec(output)?.[1];
      if (!pid || !address) return;
      clearTimeout(timer);
      child.stdout?.removeAllListeners('data').resume();
      child.stderr?.removeAllListeners('data').resume();
      resolve({ pid: Number(pid), address });
    });
    // Standard error may still deliver output after standard output has closed.
    let open = 2;
    for (const stream of [child.stdout, child.stderr])
      stream?.once('end', () => {
        open -= 1;
        if (open === 0) fail(errorOutput.trim().split('\n')[0] || 'It exited without output.');
      });
    child.once('error', (error) => fail(error.message));
  });
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has already exited.
  }
}

function packagedAnvil(): readonly string[] {
  const architecture = { x64: 'amd64', arm64: 'arm64' }[process.arch as string];
  try {
    // Resolved from the package that depends on it, so any node_modules layout works.
    const wrapper = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json');
    const platform = `@foundry-rs/anvil-${process.platform}-${architecture}`;
    return [createRequire(wrapper).resolve(`${platform}/bin/anvil`)];
  } catch {
    return [];
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

export class NoAnvilError extends BaseError {
  override name = 'NoAnvilError';
  constructor(message: string) {
    super('sandbox.no-anvil', message, {
      hint: 'Install it next to ferry, or set FERRY_ANVIL to the path of an existing anvil.',
      next: 'npm install @foundry-rs/anvil',
    });
  }
}

export class StartError extends BaseError {
  override name = 'StartError';
  constructor(reason: string, cause?: unknown) {
    super('sandbox.start', 'A chain of the sandbox did not start.', {
      facts: [['anvil', reason]],
      hint: 'The next start tries it again. FERRY_ANVIL names another anvil.',
      next: 'ferry sandbox start',
      cause,
    });
  }
}
