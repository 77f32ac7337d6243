/** Creates the context a command runs in from the host and the configuration; expensive parts on first use. */
import * as Redaction from '../core/base/Redaction.js';
import { ConfirmationError, DeclinedError } from '../core/command/Confirmation.js';
import type { Context } from '../core/command/Context.js';
import * as Config from '../core/config/Config.js';
import * as EffectiveNetwork from '../core/config/EffectiveNetwork.js';
import type { Network } from '../core/network/Network.js';
import type * as Ports from '../core/ports/Ports.js';
import { createReach, endAfter } from '../io/connect/lazyClients.js';
import type { Http } from '../io/http/httpClient.js';
import { createKeystore } from '../io/keys/keystoreFolder.js';
import type { Accounts } from '../io/keys/signerChoice.js';
import { formatHolder, type TakeOver } from '../io/locks/fileLock.js';
import { createSandboxProcess } from '../io/sandbox/backgroundSandbox.js';
import { createFaultControl } from '../io/sandbox/faultControl.js';
import { instanceAt } from '../io/sandbox/sandboxRecord.js';
import { createCompletionFiles } from '../io/state/completionFiles.js';
import * as configStore from '../io/state/configStore.js';
import { createFiles } from '../io/state/namedFiles.js';
import { createNonces } from '../io/state/nonceLocks.js';
import { countedPayments } from '../io/state/paths.js';
import * as trustFile from '../io/state/trustFile.js';
import type { Host } from '../io/terminal/host.js';
import type { PromptOptions } from '../io/terminal/prompt.js';
import { table } from './commandTable.js';
import type { Globals } from './globalFlags.js';

/** How a running command reports to the user. */
export type Reporter = {
  /** Prints a warning to stderr and adds it to the envelope's warnings. */
  warn(text: string): void;
  /** Clears any animation before a prompt. */
  pause(): void;
  /** Prints to stderr what ferry is waiting for. */
  say(text: string): void;
  /** Shows on a terminal what ferry is waiting for. */
  waiting(text: string): void;
  /** Picks the requested fields of a result. */
  pick(data: unknown): unknown;
  /** The version of ferry. */
  version: string;
};

export type Runtime = {
  context: Context;
  /** Masks what must never be printed. */
  redact: Redaction.Redact;
};

/**
 * Creates the context of one command.
 *
 * @throws config.* · usage.invalid
 */
export async function createRuntime(
  host: Host,
  globals: Globals,
  flags: Readonly<Record<string, unknown>>,
  { warn, pause, say, waiting, pick, version }: Reporter,
): Promise<Runtime> {
  const files = await configStore.read(host);
  const config = Config.merge({ ...files, env: host.env, flags: { ...flags, ...globals } });
  const configured = await EffectiveNetwork.from(config);
  for (const warning of [...config.warnings, ...EffectiveNetwork.warnings(config, configured)]) warn(warning);
  const clock: Ports.Clock = { now: () => host.now(), sleep: (ms, signal) => host.sleep(ms, signal) };
  const interactive = !globals.json && !host.env.CI && host.stdin.isTTY === true && host.stderr.isTTY === true;

  const httpUntil = async (ended: AbortSignal): Promise<Http> => {
    const { createHttp } = await import('../io/http/httpClient.js');
    return createHttp({ signal: ended, env: host.env, userAgent: 'ferry' });
  };
  const http = once(() => httpUntil(host.signal));
  const sandbox = createSandboxProcess(host, warn);
  let asked: { at: number; answer: Promise<string | undefined> } | undefined;
  const recentInstance = async (baseUrl: string): Promise<string | undefined> => {
    const isRecent = asked !== undefined && host.now() - asked.at <= instanceMs && (await asked.answer) !== undefined;
    if (!asked || !isRecent) asked = { at: host.now(), answer: http().then(({ fetch }) => instanceAt(baseUrl, fetch)) };
    return asked.answer;
  };
  const instance = async ({ start }: { start: boolean }): Promise<string | undefined> => {
    if (configured.name !== 'sandbox') return undefined;
    if (configured.baseUrl !== undefined) return recentInstance(configured.baseUrl);
    return start ? (await sandbox.ensure()).instance : sandbox.instance();
  };
  const { network, store: pins } = await trustFile.open({ host, network: configured, instance });
  const located = once(async (): Promise<Network> => {
    if (network.name !== 'sandbox' || network.baseUrl !== undefined) return network;
    waiting('Starting the sandbox, or waiting for it');
    return EffectiveNetwork.atInstance(network, await sandbox.ensure());
  });
  const random = (): number => new DataView(host.randomBytes(4).buffer).getUint32(0) / 2 ** 32;
  const remote = { fetch: async () => (await http()).fetch, network: located, clock, random, host, say };
  const reach = createReach({ ...remote, signal: host.signal });
  const reachUntil = (signal: AbortSignal, of: () => Promise<Network>): Ports.Reach =>
    createReach({ ...remote, fetch: once(async () => (await httpUntil(signal)).fetch), network: of, signal });

  const prompt: Ports.Prompt = {
    confirm: (question, enter) => ask((shown) => shown.confirm(question, enter)),
    password: (question, object) => ask((shown) => shown.password(question, object)),
    text: (question, object) => ask((shown) => shown.text(question, object)),
    choose: (question, choices) => ask((shown) => shown.choose(question, choices)),
    search: (question, find) => ask((shown) => shown.search(question, find)),
  };
  const prompts = once(async () =>
    (await import('../io/terminal/prompt.js')).createPrompt({
      interactive,
      signal: host.signal,
      ...(host.asking as Streams | undefined),
    }),
  );
  let answered: Promise<unknown> = Promise.resolve();
  /** One question at a time: lines of a batch may have some at once. */
  const ask = <T>(put: (shown: Ports.Prompt) => Promise<T>): Promise<T> => {
    const answer = answered.then(async () => {
      pause();
      return put(await prompts());
    });
    answered = answer.catch(() => {});
    return answer;
  };
  const signers = new Map<string, Promise<Accounts>>();
  /** The part of the context that depends on the signer. An unlocked account stays unlocked. */
  const signing = (settings: Config.Config): Pick<Context, 'sender' | 'watched' | 'account' | 'signer'> => {
    const { value, source } = settings.account;
    const accounts = (): Promise<Accounts> => {
      const key = JSON.stringify([source.kind, value]);
      const known = signers.get(key) ?? createSigner(settings);
      signers.set(key, known);
      return known;
    };
    return {
      sender: async () => (await accounts()).sender(),
      watched: async () => (await accounts()).watched(),
      account: async () => (await accounts()).account(),
      signer: async () => (await accounts()).named(),
    };
  };
  const createSigner = async (settings: Config.Config): Promise<Accounts> =>
    (await import('../io/keys/signerChoice.js')).createAccounts({
      host,
      config: settings,
      network,
      prompt,
      interactive,
    });

  const confirm: Context['confirm'] = async (question, enter) => {
    if (globals.yes) return;
    if (!interactive) throw new ConfirmationError(question);
    if (!(await prompt.confirm(question, enter))) throw new DeclinedError();
  };
  const takeOver = flags.takeOver === true ? createTakeOver(confirm) : undefined;

  const counted = once(async (): Promise<Ports.Counted> => {
    const { createCounted } = await import('../io/locks/countedPayments.js');
    const place = once(async () => (await instance({ start: false })) ?? 'chains');
    return createCounted(countedPayments(host), place);
  });

  const redact = Redaction.of(Config.secrets(config, host.env));
  const context: Context = {
    config,
    network,
    pins,
    clock,
    signal: host.signal,
    prompt,
    interactive,
    json: globals.json,
    yes: globals.yes,
    confirm,
    warn,
    waiting,
    ...reach,
    afterwards: (chain) => reachUntil(AbortSignal.timeout(afterwardsMs), located).chain(chain),
    located,
    within: (limitMs, other) => reachUntil(endAfter(limitMs, host.signal), other ? async () => other : located),
    venueKeys: once(async () => {
      const { createVenueKeys } = await import('../io/keys/venueKeys.js');
      return createVenueKeys({ host, config, network, prompt, interactive });
    }),
    runSigner: async (command, input) => {
      pause();
      return (await import('../io/keys/externalSigner.js')).run(command, input, host);
    },
    ...signing(config),
    machine: once(async () => (await import('../io/connect/inspectSystem.js')).createMachine(host)),
    nonces: createNonces({ host, timeoutMs: config.timeoutMs.value, takeOver }),
    keystore: createKeystore({ host, config, prompt, interactive }),
    configFiles: configStore.createConfigFiles(host),
    completionFiles: createCompletionFiles(host),
    sandbox,
    faults: () =>
      createFaultControl({
        during: async () => (await http()).fetch,
        afterwards: async () => (await httpUntil(AbortSignal.timeout(afterwardsMs))).fetch,
        network: located,
      }),
    instance: () => instance({ start: true }),
    runs: once(async () => (await import('../io/state/runFolder.js')).createRuns(host, { warn, takeOver })),
    counted: {
      count: async (id, owner) => (await counted()).count(id, owner),
    },
    seal: async ({ make }) => {
      const userSecret = await import('../io/state/userSecret.js');
      return make ? userSecret.findOrMake(host) : userSecret.find(host);
    },
    files: createFiles(host),
    ledger: async (path, owner) =>
      (await import('../io/state/ledgerFile.js')).open(path, owner, { cwd: host.cwd, takeOver }),
    pick,
    commands: table,
    conceal: redact,
    version,
    derive: (options) => {
      const settings = Config.merge({ ...files, env: host.env, flags: { ...flags, ...globals, ...options } });
      return {
        ...context,
        config: settings,
        network: {
          ...network,
          referrer: settings.referrer.value ?? network.referrer,
          witnesses: settings.witnesses.value,
        },
        yes: true,
        confirm: async () => {},
        // Several at once have a gauge of their own.
        waiting: () => {},
        ...signing(settings),
        nonces: createNonces({ host, timeoutMs: settings.timeoutMs.value, takeOver }),
      };
    },
  };
  return { context, redact };
}

/** The streams of a host that is no real process. Their types would make Node's a part of the library's. */
type Streams = Pick<PromptOptions, 'input' | 'output'>;

/** Asks once for each holder of locks that cannot be asked whether it still runs. */
function createTakeOver(confirm: Context['confirm']): TakeOver {
  const confirmed = new Map<string, Promise<void>>();
  return async (holder) => {
    const name = formatHolder(holder);
    const answer =
      confirmed.get(name) ?? confirm(`Take over from ${name}? If it still runs, both may pay for the same transfer.`);
    confirmed.set(name, answer);
    await answer;
    return true;
  };
}

/** How long the instance of a sandbox is not asked for again. A reset within a transfer would fail it anyway. */
const instanceMs = 5_000;

/** Time limit for reads after a failure, which must not delay the exit. */
const afterwardsMs = 2_000;

/** Creates a value on first use and caches it. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
