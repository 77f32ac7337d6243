/** Creates the context a command runs in from the host and the configuration; expensive parts on first use. */

import { BaseError } from '../core/base/Errors.js';
import { once } from '../core/base/Once.js';
import * as Redaction from '../core/base/Redaction.js';
import type { Context } from '../core/command/Context.js';
import * as Config from '../core/config/Config.js';
import * as EffectiveNetwork from '../core/config/EffectiveNetwork.js';
import type * as Ports from '../core/ports/Ports.js';
import { allowable } from '../core/quote/Finding.js';
import { nearest } from '../core/text/DidYouMean.js';
import * as TerminalText from '../core/text/TerminalText.js';
import { formatHolder, type TakeOver } from '../io/locks/fileLock.js';
import { createCompletionFiles } from '../io/state/completionFiles.js';
import * as configStore from '../io/state/configStore.js';
import { createFiles } from '../io/state/namedFiles.js';
import type { Host } from '../io/terminal/host.js';
import type { PromptOptions } from '../io/terminal/prompt.js';
import { table } from './commandTable.js';
import { createNetworkAccess } from './contextNetwork.js';
import { createSigning } from './contextSigning.js';
import { createStorage } from './contextStore.js';
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
 * @param isUnconfigured leaves out the files and variables of the configuration
 *
 * @throws config.* · usage.invalid
 */
export async function createRuntime(
  host: Host,
  globals: Globals,
  flags: Readonly<Record<string, unknown>>,
  { warn, pause, say, waiting, pick, version }: Reporter,
  isUnconfigured = false,
): Promise<Runtime> {
  assertAllowable(flags.allow);
  const layers = isUnconfigured ? {} : { ...(await configStore.read(host)), env: host.env };
  const config = Config.merge({ ...layers, flags: { ...flags, ...globals } });
  const configured = await EffectiveNetwork.from(config);
  for (const warning of [...config.warnings, ...(await EffectiveNetwork.warnings(config, configured))]) warn(warning);
  const clock: Ports.Clock = { now: () => host.now(), sleep: (ms, signal) => host.sleep(ms, signal) };
  const redact = Redaction.of(Config.secrets(config, host.env));
  const { interactive, prompt, confirm } = createAsking(host, globals, pause);
  const takeOver = flags.takeOver === true ? createTakeOver(confirm) : undefined;
  const deployment = async (): Promise<string> => (await access.instance({ start: false })) ?? 'chains';
  const storage = createStorage({ host, config, warn, takeOver, deployment });
  const reporter = { verbose: globals.verbose, redact, warn, pause, say, waiting };
  const access = await createNetworkAccess({ host, clock, configured, rates: storage.rates, ...reporter });
  const { network } = access;
  const { signing, keys } = createSigning({ host, config, network, prompt, interactive, pause });

  const context: Context = {
    config,
    network,
    place: { name: network.name, realMoney: network.realMoney, addressNames: await namesOf(config) },
    clock,
    signal: host.signal,
    prompt,
    interactive,
    json: globals.json,
    yes: globals.yes,
    confirm,
    warn,
    waiting,
    ...access.ports,
    ...keys,
    ...signing(config),
    ...createTerminalPorts(host, globals, pause),
    ...storage.ports,
    nonces: storage.turns(config.timeoutMs.value),
    machine: once(async () => (await import('../io/connect/inspectSystem.js')).createMachine(host)),
    configFiles: configStore.createConfigFiles(host),
    completionFiles: createCompletionFiles(host),
    drain: () => host.drain?.() ?? { asked: host.signal, abort: () => {} },
    serve: async (at, answer) => (await import('../io/http/statusServer.js')).serve(at, answer),
    seal: async ({ make }) => {
      const userSecret = await import('../io/state/userSecret.js');
      return make ? userSecret.findOrMake(host) : userSecret.find(host);
    },
    files: createFiles(host),
    pick,
    commands: table,
    conceal: redact,
    version,
    derive: (options) => {
      const settings = Config.merge({ ...layers, flags: { ...flags, ...globals, ...options } });
      const referrer = settings.referrer.value ?? network.referrer;
      return {
        ...context,
        config: settings,
        network: { ...network, referrer, witnesses: settings.witnesses.value },
        yes: true,
        confirm: async () => {},
        // Several at once have a gauge of their own.
        waiting: () => {},
        ...signing(settings),
        nonces: storage.turns(settings.timeoutMs.value),
      };
    },
  };
  return { context, redact, end: storage.end };
}

/** A name that no check has would accept nothing. @throws usage.invalid */
function assertAllowable(names: unknown): void {
  const known: readonly unknown[] = allowable;
  const wrong = Array.isArray(names) ? names.find((name) => !known.includes(name)) : undefined;
  if (wrong === undefined) return;
  const near = nearest(String(wrong), allowable);
  throw new BaseError(
    'usage.invalid',
    `There is no check "${TerminalText.escape(String(wrong))}" that --allow could accept.`,
    {
      facts: [['checks', allowable.join(', ')]],
      hint: near && `Did you mean ${near}?`,
    },
  );
}

/** Questions on the terminal, one at a time: lines of a batch may have some at once. */
function createAsking(
  host: Host,
  { json, yes }: Pick<Globals, 'json' | 'yes'>,
  pause: () => void,
): Pick<Context, 'interactive' | 'prompt' | 'confirm'> {
  const interactive = !json && !host.env.CI && host.stdin.isTTY === true && host.stderr.isTTY === true;
  const prompts = once(async () =>
    (await import('../io/terminal/prompt.js')).createPrompt({
      interactive,
      signal: host.signal,
      ...(host.asking as Streams | undefined),
    }),
  );
  let answered: Promise<unknown> = Promise.resolve();
  const ask = <T>(put: (shown: Ports.Prompt) => Promise<T>): Promise<T> => {
    const answer = answered.then(async () => {
      pause();
      return put(await prompts());
    });
    answered = answer.catch(() => {});
    return answer;
  };
  const prompt: Ports.Prompt = {
    confirm: (...question) => ask((shown) => shown.confirm(...question)),
    password: (question, object) => ask((shown) => shown.password(question, object)),
    text: (question, object) => ask((shown) => shown.text(question, object)),
    choose: (question, choices) => ask((shown) => shown.choose(question, choices)),
    search: (question, find, object) => ask((shown) => shown.search(question, find, object)),
  };
  const confirm: Context['confirm'] = async (question, enter) => {
    if (yes) return;
    if (!interactive)
      throw new BaseError('usage.confirmation', 'This needs confirmation, and there is no terminal to ask on.', {
        facts: [['question', question]],
        hint: 'Use --yes to confirm.',
      });
    if (!(await prompt.confirm(question, enter))) throw new BaseError('prompt.declined', 'Declined.');
  };
  return { interactive, prompt, confirm };
}

/** Other programs of the user, and what is drawn. */
function createTerminalPorts(
  host: Host,
  { json }: Pick<Globals, 'json'>,
  pause: () => void,
): Pick<Context, 'edit' | 'showCode' | 'browse'> {
  return {
    edit: async (text, path) => {
      pause();
      return (await import('../io/terminal/editor.js')).edit(text, path, { ...host, json });
    },
    showCode: async (text) => {
      if (host.stderr.isTTY !== true || json) return;
      pause();
      host.stderr.write((await import('../io/terminal/qrCode.js')).draw(text));
    },
    browse: async (url) => host.stdout.isTTY === true && (await import('../io/terminal/programs.js')).browse(url, host),
  };
}

/** The user's names by address; undefined without any. */
async function namesOf(config: Config.Config): Promise<ReadonlyMap<string, string> | undefined> {
  if (config.aliases.size === 0) return undefined;
  return (await import('../core/accounts/AddressBook.js')).byAddress(Config.addressBook(config));
}

/** The streams of a host that is no real process. Their types would make Node's a part of the library's. */
type Streams = Pick<PromptOptions, 'input' | 'output'>;

/** Asks once for each holder of locks that cannot be asked whether it still runs. */
function createTakeOver(confirm: Context['confirm']): TakeOver {
  const confirmed = new Map<string, Promise<void>>();
  return async (holder) => {
    const name = formatHolder(holder);
    const answer =
      confirmed.get(name) ??
      confirm(`Take over from process ${name}? If it still runs, both may pay for the same transfer.`);
    confirmed.set(name, answer);
    await answer;
    return true;
  };
}
