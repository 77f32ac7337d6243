/** What a command is given besides its options: built from Host and Config, each costly part on first use. */
import type { Address } from './core/Address.js';
import * as Config from './core/Config.js';
import * as ConfiguredNetwork from './core/ConfiguredNetwork.js';
import { BaseError, type Code } from './core/Errors.js';
import type * as KeyFolder from './core/KeyFolder.js';
import { type Chain, type Network, NoRpcError } from './core/Network.js';
import type * as Pins from './core/Pins.js';
import type * as Ports from './core/Ports.js';
import type { Runs } from './core/Run.js';
import type { SandboxProcess } from './core/SandboxProcess.js';
import * as configFile from './io/configFile.js';
import { createFiles } from './io/files.js';
import type { Host } from './io/host.js';
import type { Http } from './io/http.js';
import { createKeystore } from './io/keystore.js';
import { createNonces } from './io/nonces.js';
import * as pinFile from './io/pinFile.js';
import { createSandboxProcess } from './io/sandbox.js';
import { instanceAt } from './io/sandboxRunning.js';
import type { Globals } from './program.js';

export type Context = {
  config: Config.Config;
  /** Shipped and configured, with the user's pins laid over. */
  network: Network;
  pins: PinStore;
  clock: Ports.Clock;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  prompt: Ports.Prompt;
  /** Whether somebody can be asked. */
  interactive: boolean;
  /** Whether --yes answers confirmations. */
  yes: boolean;
  /** Asks before something that cannot be undone; --yes answers. @throws prompt.declined · usage.confirmation */
  confirm(question: string): Promise<void>;
  /** A line for stderr, also collected in the envelope's warnings. */
  warn(text: string): void;
  service(): Promise<Ports.Service>;
  /** @throws chain.no-rpc */
  chain(chain: Chain): Promise<Ports.Chain>;
  /** @throws venue.unconfigured */
  venue(): Promise<Ports.Venue>;
  /** Runs a command of the user's own that signs: a text on its stdin, its stdout back. @throws auth.signer */
  runSigner(command: string, input: string): Promise<string>;
  /** The sender's address, without unlocking anything. @throws auth.no-account · auth.unknown-account */
  sender(): Promise<Address>;
  /** The account that signs, unlocked. @throws auth.* */
  account(): Promise<Ports.Account>;
  /** Taken before a nonce is read, released when it is used up. */
  nonces: Ports.Nonces;
  keystore: KeyFolder.Keystore;
  venueKeys(): Promise<KeyFolder.VenueKeys>;
  configFiles: ConfigFiles;
  sandbox: SandboxProcess;
  /** The id of the sandbox's instance in use; undefined on other networks. */
  instance(): Promise<string | undefined>;
  runs(): Promise<Runs>;
  files: Files;
};

/** The contracts and tokens that the user trusts besides those that ferry ships, for the network in use. */
export type PinStore = {
  /** The file that holds them. */
  path: string;
  /** The contracts that are known of a chain, and from where. */
  contracts(chain: Chain): readonly Pins.KnownContract[];
  /** The tokens of a chain that the user pinned. */
  tokens(chain: Chain): readonly Pins.KnownToken[];
  /** The network in use with the pins as they are now. */
  network(): Network;
  /** Writes pins and gives the network with them laid over. @throws config.unwritable · config.invalid */
  write(chain: Chain, changes: Pins.Changes): Promise<Network>;
};

/** The user's configuration file. */
export type ConfigFiles = {
  /** Where the user file is or would be written. */
  userPath: string;
  set(key: string, value: string): Promise<void>;
  /** The file of signatures that traces are read by, if there is one. @throws config.unreadable */
  signatures(): Promise<{ path: string; text: string } | undefined>;
};

/** Files that the user names on the command line; `-` is stdin. */
export type Files = {
  /** @throws quote.unreadable, or the code of what is wanted · usage.missing where nothing is piped */
  read(path: string, wanted?: Wanted): Promise<string>;
  /** Written whole or not at all. @throws config.unwritable */
  write(path: string, text: string): Promise<void>;
};

/** What a file should be: a `trace`, say, of at most so many bytes. The hints and the code are for the errors. */
export type Wanted = { what: string; maxBytes: number; code: Code; hints: { missing: string; notPiped: string } };

/** What the context may do with the terminal while a command runs. */
export type Telling = {
  /** A line for stderr, also collected in the envelope's warnings. */
  warn(text: string): void;
  /** Takes an animation away before a question is put. */
  pause(): void;
};

export type Runtime = {
  context: Context;
  /** Texts that must not be printed. */
  secrets: readonly string[];
};

/**
 * The context of one command.
 *
 * @throws config.* · usage.invalid
 */
export async function createRuntime(
  host: Host,
  globals: Globals,
  flags: Readonly<Record<string, unknown>>,
  { warn, pause }: Telling,
): Promise<Runtime> {
  const files = await configFile.read(host);
  const config = Config.merge({ ...files, env: host.env, flags: { ...flags, ...globals } });
  const configured = await ConfiguredNetwork.from(config);
  for (const warning of [...config.warnings, ...ConfiguredNetwork.warnings(config, configured)]) warn(warning);
  const clock: Ports.Clock = { now: () => host.now(), sleep: (ms, signal) => host.sleep(ms, signal) };
  const interactive = !globals.json && !host.env.CI && host.stdin.isTTY === true && host.stderr.isTTY === true;

  const http = once(async (): Promise<Http> => {
    const { createHttp } = await import('./io/http.js');
    return createHttp({ signal: host.signal, env: host.env, userAgent: 'ferry', oneShot: true });
  });
  const sandbox = createSandboxProcess(host, warn);
  const instance = async ({ start }: { start: boolean }): Promise<string | undefined> => {
    if (configured.name !== 'sandbox') return undefined;
    if (configured.baseUrl !== undefined) return instanceAt(configured.baseUrl, (await http()).fetch);
    return start ? (await sandbox.ensure()).instance : sandbox.instance();
  };
  const { network, store: pins } = await pinFile.open({ host, network: configured, instance });
  /** The network with its URLs: those of the sandbox are known once it runs. */
  const located = once(async (): Promise<Network> => {
    if (network.name !== 'sandbox' || network.baseUrl !== undefined) return network;
    const { baseUrl, rpcUrls, venueUrl } = await sandbox.ensure();
    return {
      ...network,
      baseUrl,
      venue: network.venue && { ...network.venue, baseUrl: network.venue.baseUrl ?? venueUrl },
      chains: network.chains.map((chain) => ({ ...chain, rpcUrl: chain.rpcUrl ?? rpcUrls[chain.name] })),
    };
  });
  const nodes = new Map<number, Promise<Ports.Chain>>();
  const random = (): number => new DataView(host.randomBytes(4).buffer).getUint32(0) / 2 ** 32;

  /** What asking somebody over HTTP takes. */
  const { signal } = host;
  const remote = async () => ({ fetch: (await http()).fetch, network: await located(), clock, random, signal });

  const connect = async (id: number): Promise<Ports.Chain> => {
    const { chains } = await located();
    const chain = chains.find((each) => each.id === id);
    if (!chain?.rpcUrl) throw new NoRpcError(chain?.name ?? String(id), network);
    const { createChain } = await import('./io/chain.js');
    return createChain({
      fetch: (await http()).fetch,
      network: network.name,
      chain,
      rpcUrl: chain.rpcUrl,
      clock,
      random,
      signal: host.signal,
    });
  };

  const prompt: Ports.Prompt = {
    confirm: async (question) => (await asking()).confirm(question),
    password: async (question) => (await asking()).password(question),
  };
  const prompts = once(async () => (await import('./io/prompt.js')).createPrompt({ interactive, signal: host.signal }));
  const asking = async (): Promise<Ports.Prompt> => {
    pause();
    return prompts();
  };
  const accounts = once(async () => {
    const { createAccounts } = await import('./io/account.js');
    return createAccounts({ host, config, network, prompt, interactive });
  });

  const context: Context = {
    config,
    network,
    pins,
    clock,
    signal: host.signal,
    prompt,
    interactive,
    yes: globals.yes,
    confirm: async (question) => {
      if (globals.yes) return;
      if (!interactive) throw new ConfirmationError(question);
      if (!(await prompt.confirm(question))) throw new DeclinedError();
    },
    warn,
    service: once(async () => (await import('./io/service.js')).createService(await remote())),
    chain: (chain) => {
      const node = nodes.get(chain.id) ?? connect(chain.id);
      nodes.set(chain.id, node);
      return node;
    },
    venue: once(async () => (await import('./io/venue.js')).createVenue(await remote())),
    venueKeys: once(async () => {
      const { createVenueKeys } = await import('./io/venueKeys.js');
      return createVenueKeys({ host, config, network, prompt, interactive });
    }),
    runSigner: async (command, input) => {
      pause();
      return (await import('./io/signer.js')).run(command, input, host);
    },
    sender: async () => (await accounts()).sender(),
    account: async () => (await accounts()).account(),
    nonces: createNonces({ host, timeoutMs: config.timeoutMs.value }),
    keystore: createKeystore({ host, config, prompt, interactive }),
    configFiles: configFile.createConfigFiles(host),
    sandbox,
    instance: () => instance({ start: true }),
    runs: once(async () => (await import('./io/runs.js')).createRuns(host, warn)),
    files: createFiles(host),
  };
  return { context, secrets: Config.secrets(config) };
}

/** Makes a value on first use and keeps it. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

export class ConfirmationError extends BaseError {
  override name = 'ConfirmationError';
  constructor(question: string) {
    super('usage.confirmation', 'This needs a confirmation, and nobody can be asked here.', {
      facts: [['question', question]],
      hint: 'Say --yes to answer it.',
    });
  }
}

export class DeclinedError extends BaseError {
  override name = 'DeclinedError';
  constructor() {
    super('prompt.declined', 'Declined.');
  }
}
