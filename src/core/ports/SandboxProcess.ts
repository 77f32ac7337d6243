/** The sandbox as commands use it. */
/** The sandbox as a process in the background. */
export type SandboxProcess = {
  /** Where its state, its log and the file that names the running one are. */
  folder: string;
  /**
   * Finds the running one or starts it.
   *
   * @throws sandbox.no-anvil · config.unwritable · sandbox.start, also where one runs otherwise than is wished
   */
  ensure(wishes?: { port?: number | undefined; idleMs?: number | undefined }): Promise<SandboxInstance>;
  /** The running one, if any. Cheap: whether it answers is seen on connecting. */
  find(): Promise<SandboxInstance | undefined>;
  /** The name of the state that runs, or that the next start takes up. Undefined where there is none. */
  instance(): Promise<string | undefined>;
  /** Runs it in this process until the signal or idleness ends it. `idleMs` 0: idleness never does. */
  serve(options: {
    port?: number | undefined;
    idleMs?: number | undefined;
    onReady?: ((instance: SandboxInstance) => void) | undefined;
  }): Promise<void>;
  /** Ends the running one and keeps its state. Undefined where none ran. */
  stop(): Promise<SandboxInstance | undefined>;
  /** Throws its state away; the next start is a new instance. Resolves to the one that ran, if any. */
  reset(): Promise<SandboxInstance | undefined>;
  /**
   * Runs a command with `FERRY_*` and `ETH_RPC_URL` pointing at it, its standard output on one of ferry's own streams.
   * Resolves to its exit code.
   *
   * @throws usage.invalid
   */
  exec(command: readonly string[], stdout: 'stdout' | 'stderr'): Promise<number>;
};

export type SandboxInstance = {
  /** Names this state: a reset gives another. */
  instance: string;
  pid: number;
  baseUrl: string;
  /** Where its venue answers. */
  venueUrl: string;
  /** RPC URL by chain name. */
  rpcUrls: Readonly<Record<string, string>>;
  /** Unix time in milliseconds. */
  startedAt: number;
};
