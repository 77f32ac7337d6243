/** The port to the sandbox process in the background. */
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
  /** Stops the running sandbox and keeps its state. Undefined if none was running. */
  stop(): Promise<SandboxInstance | undefined>;
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

/** A running sandbox. */
export type SandboxInstance = {
  /** The id of its state; a reset creates a new one. */
  instance: string;
  pid: number;
  baseUrl: string;
  /** The URL of its venue. */
  venueUrl: string;
  /** RPC URLs by chain name. */
  rpcUrls: Readonly<Record<string, string>>;
  /** Unix time in milliseconds. */
  startedAt: number;
};
