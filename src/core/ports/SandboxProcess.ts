/** The ports to the sandbox: to its process in the background, and to its control plane. */
import type { Address } from '../base/Address.js';

/** The sandbox process in the background. */
export type SandboxProcess = {
  /** The folder that holds its state, its log and the file that identifies the running process. */
  folder: string;
  /**
   * Finds the running sandbox or starts one.
   *
   * @throws sandbox.no-anvil · config.unwritable · sandbox.start, also if one is running with different options
   */
  ensure(wishes?: { port?: number | undefined; idleMs?: number | undefined }): Promise<SandboxInstance>;
  /** The running sandbox, if any. Cheap: does not check that it responds. */
  find(): Promise<SandboxInstance | undefined>;
  /** The id of the state that is running or that the next start will load; undefined if there is none. */
  instance(): Promise<string | undefined>;
  /** Runs it in this process until the signal or the idle timeout. An `idleMs` of 0 disables the timeout. */
  serve(options: {
    port?: number | undefined;
    idleMs?: number | undefined;
    onReady?: ((instance: SandboxInstance) => void) | undefined;
  }): Promise<void>;
  /** The file of its log. */
  logPath: string;
  /** The last lines of its log; empty if there is none. */
  log(lines: number): readonly string[];
  /** How the last sandbox ended, if that was a failure and nothing was started since. */
  failure(): Promise<SandboxFailure | undefined>;
  /** Stops the running sandbox, whose state is kept. Undefined if none was running. */
  stop(): Promise<StoppedSandbox | undefined>;
  /** Discards its state, so the next start is a new instance. Resolves to the instance that was running, if any. */
  reset(): Promise<SandboxInstance | undefined>;
  /**
   * Runs a command with `FERRY_*` and `ETH_RPC_URL` pointing to the sandbox, and its stdout on one of ferry's own
   * streams. Resolves to the command's exit code.
   *
   * @throws usage.invalid
   */
  exec(command: readonly string[], stdout: 'stdout' | 'stderr'): Promise<number>;
};

/** The end of a sandbox that failed. */
export type SandboxFailure = {
  /** Unix time in milliseconds. */
  at: number;
  message: string;
};

export type StoppedSandbox = SandboxInstance & {
  /** Whether it did not stop in time. What it wrote until then is what the next start continues. */
  wasKilled: boolean;
};

/** A state that could not be continued, and with it its instance. */
export type LostInstance = {
  /** Its id; null if it is not known. */
  instance: string | null;
  /** Unix time in milliseconds at which that was noticed. */
  atMs: number;
  /** What was wrong, to follow "its state". */
  why: string;
};

/** A running sandbox. */
export type SandboxInstance = {
  /** The id of its state; a reset creates a new one, and so does a state that cannot be continued. */
  instance: string;
  /** The instance before this one, if it was lost. */
  lost: LostInstance | null;
  pid: number;
  baseUrl: string;
  /** The URL of its venue. */
  venueUrl: string;
  /** RPC URLs by chain name. */
  rpcUrls: Readonly<Record<string, string>>;
  /** Unix time in milliseconds. */
  startedAt: number;
};

/** A fault, by `kind`; the sandbox checks it. */
export type Fault = Readonly<Record<string, unknown>>;

/** What only a sandbox does: faults, which make its servers fail or lie, and money from nowhere. */
export type ControlPlane = {
  /**
   * Adds a fault and returns it with its id.
   *
   * @param place the service, the venue, or a chain by its name
   * @throws usage.invalid if the sandbox refuses it · sandbox.start if there is no sandbox
   */
  add(place: string, fault: Fault): Promise<Fault>;
  /** Clears all that were added here; also after Ctrl-C. */
  clear(): Promise<void>;
  /** The faults of a place, whoever added them. @throws sandbox.start */
  list(place: string): Promise<readonly Fault[]>;
  /** Clears a fault of a place by its id, or all of them; returns how many. @throws sandbox.start */
  remove(place: string, id?: string): Promise<number>;
  /** Pays an amount in base units to an address; returns the hash of the mined transaction. @throws sandbox.start */
  fund(credit: { chainId: number; currency: Address; to: Address; amount: bigint }): Promise<string>;
};
