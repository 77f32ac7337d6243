/** Creates the context a command runs in from the host and the configuration; expensive parts on first use. */

import { once } from '../core/base/Once.js';
import * as Redaction from '../core/base/Redaction.js';
import { confirmation, declined } from '../core/command/Confirmation.js';
import type { Context } from '../core/command/Context.js';
import * as Config from '../core/config/Config.js';
import * as EffectiveNetwork from '../core/config/EffectiveNetwork.js';
import type { Network } from '../core/network/Network.js';
import type * as Ports from '../core/ports/Ports.js';
import type { StoreControl } from '../core/ports/StoreControl.js';
import * as UnsafeCharacters from '../core/text/UnsafeCharacters.js';
import { createReach, endAfter } from '../io/connect/lazyClients.js';
import type { Exchange } from '../io/http/debugLog.js';
import type { Http } from '../io/http/httpClient.js';
import { createKeystore } from '../io/keys/keystoreFolder.js';
import type { Accounts } from '../io/keys/signerChoice.js';
import { formatHolder, type TakeOver } from '../io/locks/fileLock.js';
import type { Store } from '../io/postgres/openStore.js';
import type { Session } from '../io/postgres/session.js';
import { createSandboxProcess } from '../io/sandbox/backgroundSandbox.js';
import { createControlPlane } from '../io/sandbox/controlPlane.js';
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
  /** Ends what would outlive the command: the session with a store. */
  end(): Promise<void>;
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

  const redact = Redaction.of(Config.secrets(config, host.env));
  const onExchange = await exchangesOf(globals.verbose, host, {
    warn,
    print: (text) => {
      pause();
      host.stderr.write(`${redact(text)}\n`);
    },
  });
  const httpUntil = async (ended: AbortSignal): Promise<Http> => {
    const { createHttp } = await import('../io/http/httpClient.js');
    return createHttp({ signal: ended, env: host.env, userAgent: 'ferry', onExchange });
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
  /** Whether it is not known where the network is, before the sandbox was started. */
  const isToStart = network.name === 'sandbox' && network.baseUrl === undefined;
  const located = once(async (): Promise<Network> => {
    if (!isToStart) return network;
    waiting('Looking for the sandbox, or starting it');
    return EffectiveNetwork.atInstance(network, await sandbox.ensure());
  });
  const random = (): number => new DataView(host.randomBytes(4).buffer).getUint32(0) / 2 ** 32;
  const { store: storeUrl } = config;
  const url = storeUrl.value;
  const store = url === undefined ? undefined : once(() => createStore(url, config, host, warn));
  const control = once(() => createControl(url ?? '', config, host, warn));
  const rates = store && (async (of: { origin: string; apiKey: string | undefined }) => (await store()).rates(of));
  const remote = { network: located, clock, random, host, say, rates };
  const through = (client: () => Promise<Http>) => ({
    fetch: async () => (await client()).fetch,
    open: (url: string) => {
      client().then(
        (opened) => opened.open(url),
        () => {},
      );
    },
  });
  const reach = createReach({ ...remote, ...through(http), signal: host.signal });
  const reachUntil = (signal: AbortSignal, of: () => Promise<Network>): Ports.Reach =>
    createReach({ ...remote, ...through(once(() => httpUntil(signal))), network: of, signal });

  const prompt: Ports.Prompt = {
    confirm: (question, enter) => ask((shown) => shown.confirm(question, enter)),
    password: (question, object) => ask((shown) => shown.password(question, object)),
    text: (question, object) => ask((shown) => shown.text(question, object)),
    choose: (question, choices) => ask((shown) => shown.choose(question, choices)),
    search: (question, find, object) => ask((shown) => shown.search(question, find, object)),
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
  let signed: Promise<unknown> = Promise.resolve();
  /** One command at a time: lines of a batch may sign at once, and a device has one screen. */
  const runSigner = (command: string, input: string, folder = host.cwd): Promise<string> => {
    const answer = signed.then(async () => {
      pause();
      return (await import('../io/keys/externalSigner.js')).run(command, input, { ...host, cwd: folder });
    });
    signed = answer.catch(() => {});
    return answer;
  };
  const signers = new Map<string, Promise<Accounts>>();
  /** The part of the context that depends on the signer. An unlocked account stays unlocked. */
  const signing = (settings: Config.Config): Pick<Context, 'sender' | 'watched' | 'account' | 'signer'> => {
    const { value, source } = settings.account;
    const key = JSON.stringify([source.kind, value]);
    const accounts = (): Promise<Accounts> => {
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
      runSigner,
    });

  const confirm: Context['confirm'] = async (question, enter) => {
    if (globals.yes) return;
    if (!interactive) throw confirmation(question);
    if (!(await prompt.confirm(question, enter))) throw declined();
  };
  const takeOver = flags.takeOver === true ? createTakeOver(confirm) : undefined;
  /** The store's turns, or those of the files of this machine. */
  const turns = (timeoutMs: number): Ports.Nonces => {
    if (!store) return createNonces({ host, timeoutMs, takeOver });
    return {
      async *take(counter, held) {
        return yield* (await store()).nonces(timeoutMs).take(counter, held);
      },
    };
  };

  const counted = once(async (): Promise<Ports.Counted> => {
    const place = once(async () => (await instance({ start: false })) ?? 'chains');
    if (store) return (await store()).counted(place);
    const { createCounted } = await import('../io/locks/countedPayments.js');
    return createCounted(countedPayments(host), place);
  });

  const context: Context = {
    config,
    network,
    place: { name: network.name, realMoney: network.realMoney, addressNames: await namesOf(config) },
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
    open: (chains) => {
      if (!isToStart) reach.open(chains);
    },
    afterwards: (chain) => reachUntil(AbortSignal.timeout(afterwardsMs), located).chain(chain),
    located,
    within: (limitMs, other) => reachUntil(endAfter(limitMs, host.signal), other ? async () => other : located),
    venueKeys: once(async () => {
      const { createVenueKeys } = await import('../io/keys/venueKeys.js');
      return createVenueKeys({ host, config, network, prompt, interactive });
    }),
    runSigner,
    edit: async (text, path) => {
      pause();
      return (await import('../io/terminal/editor.js')).edit(text, path, { ...host, json: globals.json });
    },
    showCode: async (text) => {
      if (host.stderr.isTTY !== true || globals.json) return;
      pause();
      host.stderr.write((await import('../io/terminal/qrCode.js')).draw(text));
    },
    browse: async (url) => host.stdout.isTTY === true && (await import('../io/terminal/browser.js')).browse(url, host),
    ...signing(config),
    machine: once(async () => (await import('../io/connect/inspectSystem.js')).createMachine(host)),
    nonces: turns(config.timeoutMs.value),
    keystore: createKeystore({ host, config, prompt, interactive }),
    configFiles: configStore.createConfigFiles(host),
    completionFiles: createCompletionFiles(host),
    sandbox,
    control: () =>
      createControlPlane({
        during: async () => (await http()).fetch,
        afterwards: async () => (await httpUntil(AbortSignal.timeout(afterwardsMs))).fetch,
        network: located,
      }),
    instance: () => instance({ start: true }),
    runs: once(async () =>
      store ? (await store()).runs : (await import('../io/runs/runFolder.js')).createRuns(host, { warn, takeOver }),
    ),
    counted: {
      count: async (id, owner) => (await counted()).count(id, owner),
      ownerOf: async (id) => (await counted()).ownerOf(id),
    },
    store: async () => {
      if (url === undefined) throw (await import('../io/postgres/controlStore.js')).noStoreError();
      return (await control()).control;
    },
    storeDoubt: async () => (store ? (await store()).doubt() : undefined),
    batches: async () => {
      if (!store) throw (await import('../io/postgres/controlStore.js')).noStoreError();
      return (await store()).batches;
    },
    lineWitness: async () => (await import('../io/state/lineWitness.js')).createLineWitness(host),
    drain: () => host.drain?.() ?? { asked: host.signal, abort: () => {} },
    serve: async (at, answer) => (await import('../io/http/statusServer.js')).serve(at, answer),
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
        nonces: turns(settings.timeoutMs.value),
      };
    },
  };
  return {
    context,
    redact,
    async end() {
      for (const made of [store?.made(), control.made()])
        await made?.then(({ session }) => session.end()).catch(() => {});
    },
  };
}

/** Opens the store of all machines, whose runs are sealed with the secret that this one shares with them. */
async function createStore(
  url: string,
  { storeAsync }: Config.Config,
  host: Host,
  warn: (text: string) => void,
): Promise<Store> {
  const [{ openStore }, userSecret] = await Promise.all([
    import('../io/postgres/openStore.js'),
    import('../io/state/userSecret.js'),
  ]);
  return openStore({
    url,
    env: host.env,
    isAsyncAccepted: storeAsync.value,
    host,
    seal: userSecret.sealing(host),
    warn,
  });
}

/** The session of `ferry store`, which also looks at a store that is not fit for payments. */
async function createControl(
  url: string,
  { storeAsync }: Config.Config,
  host: Host,
  warn: (text: string) => void,
): Promise<{ session: Session; control: StoreControl }> {
  const [{ connect }, { createStoreControl }, userSecret] = await Promise.all([
    import('../io/postgres/session.js'),
    import('../io/postgres/controlStore.js'),
    import('../io/state/userSecret.js'),
  ]);
  const session = await connect({ url, env: host.env });
  const seal = userSecret.sealing(host);
  return { session, control: createStoreControl({ session, isAsyncAccepted: storeAsync.value, host, seal, warn }) };
}

/** The user's names by address; undefined without any. */
async function namesOf(config: Config.Config): Promise<ReadonlyMap<string, string> | undefined> {
  if (config.aliases.size === 0) return undefined;
  return (await import('../core/accounts/AddressBook.js')).byAddress(Config.addressBook(config));
}

/** What is told of each request, if `--verbose` or `FERRY_DEBUG` asks for it. */
async function exchangesOf(
  isVerbose: boolean,
  { env }: Host,
  { warn, print }: Pick<Reporter, 'warn'> & { print(text: string): void },
): Promise<((exchange: Exchange) => void) | undefined> {
  if (!isVerbose && !env.FERRY_DEBUG) return undefined;
  const DebugLog = await import('../io/http/debugLog.js');
  const { topics, unknown } = DebugLog.topicsOf(isVerbose, env.FERRY_DEBUG);
  if (unknown.length > 0)
    warn(`FERRY_DEBUG knows http, rpc and timing, not ${unknown.map(UnsafeCharacters.escape).join(', ')}.`);
  if (topics.size === 0) return undefined;
  return (exchange) => {
    const text = DebugLog.format(exchange, topics);
    if (text !== undefined) print(text);
  };
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
