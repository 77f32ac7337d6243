/** One anvil process: found, started, watched and ended. */
import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { BaseError } from '../../core/base/Errors.js';

export type Anvil = {
  /** `http://127.0.0.1:PORT`. */
  rpcUrl: string;
  /** Of anvil itself. */
  pid: number;
  /** Resolves when the process is gone, whoever ended it. */
  ended: Promise<void>;
  /** Ends the process and waits until it is gone. */
  stop(): Promise<void>;
};

export type Options = {
  /** The executable. */
  path: string;
  /** The search path, for an executable that is a script. */
  searchPath?: string | undefined;
  chainId: number;
  mnemonic: string;
  /** Unix time in seconds of the genesis block, from where the chain's clock goes on; the machine's clock otherwise. */
  genesisTimestamp?: number | undefined;
  /** Leaves mining to the caller until `evm_setAutomine`. */
  paused?: boolean | undefined;
};

/** What a unit of gas costs on these chains, in wei. */
export const gasPrice = {
  /**
   * The least that EIP-1559 can come down to. From any greater fee nearly empty blocks would come down to it an eighth
   * at a time, and the cost of a fill would depend on how many blocks went before.
   */
  baseFeePerGas: 7n,
  /** What the sandbox's own transactions pay: a fill of 65,000 gas costs a sixth of a cent. */
  maxPriorityFeePerGas: 10_000_000n,
  maxFeePerGas: 20_000_000n,
} as const;

/** How long a start may take before it counts as failed. */
const startTimeoutMs = 20_000;

/**
 * A shell stands between the two processes and does one thing: when its standard input ends, it kills anvil. The
 * operating system closes that pipe when the parent is gone, however it went, so no anvil outlives its parent. The last
 * line ends the whole process group: the anvil found may be a script that started the real one.
 */
const watcher = `
"$@" </dev/null &
echo "pid $!"
exec >/dev/null 2>&1
read -r _
kill -9 $!
wait $!
kill -9 0
`;

/**
 * Where anvil is: the file that the user names, else the optional package's, else the one on the search path.
 *
 * @throws sandbox.no-anvil
 */
export function find(options: { path?: string | undefined; searchPath?: string | undefined }): string {
  if (options.path) {
    if (isExecutable(options.path)) return options.path;
    throw new NoAnvilError(`${options.path} is not an executable file.`);
  }
  const folders = (options.searchPath ?? '').split(delimiter).filter((folder) => folder !== '');
  const candidates = [...packaged(), ...folders.map((folder) => join(folder, 'anvil'))];
  const found = candidates.find(isExecutable);
  if (!found) throw new NoAnvilError('The sandbox runs its chains on anvil, which is not installed.');
  return found;
}

/**
 * Starts a process on a free port of this machine and resolves when it listens.
 *
 * @throws sandbox.start
 */
export async function start(options: Options): Promise<Anvil> {
  const child = spawn('/bin/sh', ['-c', watcher, 'sh', options.path, ...toArguments(options)], {
    // Out of the terminal's process group: Ctrl-C must reach the sandbox only, which still has the state to save.
    detached: true,
    // Nothing else of the environment: it may hold secrets, or settings for anvil.
    env: options.searchPath === undefined ? {} : { PATH: options.searchPath },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => {});
  // The shell's end is anvil's, unless somebody killed the shell alone.
  child.once('exit', () => killGroup(child));
  // Only anvil still holds this pipe: when it ends, the shell has nothing left to wait for.
  child.stdout.once('end', () => child.stdin.end());
  // All three pipes are closed only when everything that was started is gone.
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const { pid, address } = await listening(child).catch(async (error: unknown) => {
    child.stdin.end();
    await ended;
    throw error;
  });
  return {
    rpcUrl: `http://${address}`,
    pid,
    ended,
    stop: async () => {
      child.stdin.end();
      await ended;
    },
  };
}

function toArguments({ chainId, mnemonic, genesisTimestamp, paused }: Options): readonly string[] {
  return [
    ...['--host', '127.0.0.1', '--port', '0'],
    // A web page under development may talk to its chain, as it may to any other anvil.
    ...['--allow-origin', '*'],
    ...['--chain-id', String(chainId), '--hardfork', 'prague', '--gas-limit', '60000000'],
    ...['--base-fee', String(gasPrice.baseFeePerGas)],
    ...['--mnemonic', mnemonic, '--accounts', '20', '--balance', '10000'],
    // The blocks `safe` and `finalized` move along.
    ...['--slots-in-an-epoch', '1'],
    // Without a bound anvil writes the states of old blocks to the user's home.
    ...['--prune-history', '256'],
    // A saved state may be large.
    '--no-request-size-limit',
    ...(genesisTimestamp === undefined ? [] : ['--timestamp', String(genesisTimestamp)]),
    ...(paused ? ['--no-mining'] : []),
  ];
}

/** Waits until anvil has said where it listens. */
function listening(child: ChildProcess): Promise<{ pid: number; address: string }> {
  return new Promise((resolve, reject) => {
    let output = '';
    let complaint = '';
    const timer = setTimeout(() => fail(`It did not listen within ${startTimeoutMs / 1000} s.`), startTimeoutMs);
    const fail = (reason: string): void => {
      clearTimeout(timer);
      reject(new StartError(reason));
    };
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      complaint += text;
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
    // Its last words may arrive after the end of its output.
    let open = 2;
    for (const stream of [child.stdout, child.stderr])
      stream?.once('end', () => {
        open -= 1;
        if (open === 0) fail(complaint.trim().split('\n')[0] || 'It ended without a word.');
      });
    child.once('error', (error) => fail(error.message));
  });
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody is left, as it should be.
  }
}

function packaged(): readonly string[] {
  const architecture = { x64: 'amd64', arm64: 'arm64' }[process.arch as string];
  try {
    // Resolved from the package that depends on it, wherever the package manager put the two.
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
      hint: 'Install it beside ferry, or name the one you have in FERRY_ANVIL.',
      next: 'npm install @foundry-rs/anvil',
    });
  }
}

export class StartError extends BaseError {
  override name = 'StartError';
  constructor(reason: string, cause?: unknown) {
    super('sandbox.start', 'A chain of the sandbox did not start.', { facts: [['anvil', reason]], cause });
  }
}
