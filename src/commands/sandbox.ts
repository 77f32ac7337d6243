import * as z from 'zod/mini';
import { BaseError } from '../core/base/Errors.js';
import * as Url from '../core/base/Url.js';
import { define } from '../core/command/Command.js';
import * as SettingFormat from '../core/config/SettingFormat.js';
import type { Event } from '../core/event/Event.js';
import type { Chain } from '../core/network/Network.js';
import * as NetworkRegistry from '../core/network/NetworkRegistry.js';
import type { LostInstance, SandboxInstance, SandboxProcess } from '../core/ports/SandboxProcess.js';
import * as TerminalText from '../core/text/TerminalText.js';

/** The instance before this one, if its state could not be continued; null if it could, or a reset ended it. */
const lost = z.nullable(
  z.object({
    /** Its id; null if it is not known. */
    instance: z.nullable(z.string()),
    /** When that was noticed, ISO 8601. */
    at: z.string(),
    /** What was wrong, to follow "its state". */
    why: z.string(),
  }),
);

function toLost(found: LostInstance | null | undefined): z.infer<typeof lost> {
  return found ? { instance: found.instance, at: new Date(found.atMs).toISOString(), why: found.why } : null;
}

/** A sentence for the terminal. */
function lostText({ instance, why }: NonNullable<z.infer<typeof lost>>): string {
  const whose = instance === null ? 'The state before' : `The state of the instance ${TerminalText.escape(instance)}`;
  return (
    `${whose} ${TerminalText.escape(why)}. Its requests, balances and transactions are gone; ` +
    'runs that were made on it say so.'
  );
}

const started = z.object({
  /** False after `--foreground`, which returns when the sandbox has stopped. */
  running: z.boolean(),
  /** Whether this command started it. */
  started: z.boolean(),
  instance: z.string(),
  lost,
  pid: z.number(),
  baseUrl: z.string(),
  /** Base URL of the venue. */
  venueUrl: z.string(),
  /** RPC URL by chain name. */
  rpcUrls: z.record(z.string(), z.string()),
  /** ISO 8601. */
  startedAt: z.string(),
});

type Output = z.infer<typeof started>;

const start = define({
  description:
    'Starts the sandbox in the background: the service, two EVM chains and a venue, on free ports of this machine. ' +
    'Commands that need the sandbox start it themselves. It stops after 15 minutes without a request; its state is kept.',
  options: {
    port: { value: 'number', description: 'port of the service (default: a free one)' },
    idle: { value: 'minutes', description: 'stop after this time without a request, 0 for never (default: 15)' },
    foreground: { description: 'run in this terminal until Ctrl-C' },
  },
  examples: [
    ['ferry sandbox start', 'start it, or show the running one'],
    ['ferry sandbox start --port 4000 --idle 0', 'on a fixed port until it is stopped'],
    ['ferry sandbox start --foreground', 'in this terminal, until Ctrl-C'],
  ],
  output: started,
  streams: true,
  async *run(options, context): AsyncGenerator<Event, Output> {
    const wishes = { port: toPort(options.port), idleMs: toIdleMs(options.idle) };
    if (options.foreground) return yield* serve(context.sandbox, wishes);
    const before = await context.sandbox.find();
    const instance = await context.sandbox.ensure(wishes);
    return toOutput(instance, { running: true, started: before?.pid !== instance.pid });
  },
  view: (data, style) =>
    data.running
      ? [
          `${style.green('●')} The sandbox ${data.started ? 'is running' : 'was running already'}.`,
          '',
          TerminalText.columns([
            ['service', data.baseUrl],
            ['venue', data.venueUrl],
            ...Object.entries(data.rpcUrls).map(([chain, url]) => [TerminalText.escape(chain), url]),
            ['instance', TerminalText.escape(data.instance)],
            ['process', String(data.pid)],
          ]),
          ...(data.lost ? ['', lostText(data.lost)] : []),
        ].join('\n')
      : 'The sandbox has stopped; its state is kept.',
  logLine: (event, style) =>
    event.type === 'ready'
      ? `${style.green('●')} The sandbox is ready at ${event.baseUrl}. Ctrl-C ends it.`
      : undefined,
});

type Wishes = { port: number | undefined; idleMs: number | undefined };

/** Runs the sandbox in this process: yields an event when it is ready, returns when it has stopped. */
async function* serve(sandbox: SandboxProcess, wishes: Wishes): AsyncGenerator<Event, Output> {
  let isReady: (instance: SandboxInstance) => void = () => {};
  const ready = new Promise<SandboxInstance>((resolve) => {
    isReady = resolve;
  });
  const served = sandbox.serve({ ...wishes, onReady: isReady });
  const instance = await Promise.race([ready, served.then(() => undefined)]);
  if (!instance)
    throw new BaseError('sandbox.start', 'The sandbox was stopped before it was ready.', {
      next: 'ferry sandbox start',
    });
  yield { type: 'ready', ...toOutput(instance, { running: true, started: true }) };
  await served;
  return toOutput(instance, { running: false, started: true });
}

function toOutput(instance: SandboxInstance, state: Pick<Output, 'running' | 'started'>): Output {
  return { ...state, ...instance, lost: toLost(instance.lost), startedAt: new Date(instance.startedAt).toISOString() };
}

/** @throws usage.invalid */
function toPort(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new BaseError('usage.invalid', `--port ${text} is not a port number.`, {
      hint: 'Use a whole number up to 65535, or 0 for a free port.',
      next: 'ferry sandbox start --help',
    });
  return Number(text);
}

/** @throws usage.invalid */
function toIdleMs(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,6}(\.\d+)?$/.test(text))
    throw new BaseError('usage.invalid', `--idle ${text} is not a number of minutes.`, {
      hint: 'Use a decimal number such as 30 or 0.5, or 0 to never stop.',
      next: 'ferry sandbox start --help',
    });
  return Math.round(Number(text) * 60_000);
}

const stop = define({
  description:
    'Stops the sandbox and waits until its processes have exited. Its chains and requests are kept for the next start.',
  examples: [['ferry sandbox stop', 'stop it; the next start continues from its state']],
  output: z.object({
    /** Whether one was running. */
    stopped: z.boolean(),
    instance: z.nullable(z.string()),
    /** Whether it did not stop in time and was killed. The next start continues from what it wrote, or says that it cannot. */
    wasKilled: z.boolean(),
  }),
  run: async (_, context) => {
    const stopped = await context.sandbox.stop();
    return {
      stopped: stopped !== undefined,
      instance: stopped?.instance ?? null,
      wasKilled: stopped?.wasKilled ?? false,
    };
  },
  view: ({ instance, wasKilled }) => {
    if (instance === null) return 'No sandbox is running.';
    return wasKilled
      ? `Killed the sandbox ${TerminalText.escape(instance)}, which did not stop in time. The next start continues from what it wrote as it ran, and says so if anything is missing.`
      : `Stopped the sandbox ${TerminalText.escape(instance)}; its state is kept.`;
  },
});

const status = define({
  description:
    'Shows whether the sandbox is running, and what any client of it needs: the URLs of the service, its WebSocket, the venue and the chains, the API key, the referrer, chain ids and token addresses. Exits 0 either way.',
  examples: [
    ['ferry sandbox status', 'whether it is running, and its URLs'],
    ['ferry sandbox status --json | jq -r .data.rpcUrls.alpha', 'the RPC URL of a chain'],
    ['ferry sandbox status --json | jq -r .data.chains[0].tokens.USDC', 'the address of a token'],
  ],
  output: z.object({
    running: z.boolean(),
    instance: z.nullable(z.string()),
    lost,
    /** How the last sandbox ended, if that was a failure and none was started since. */
    failure: z.nullable(z.object({ at: z.string(), message: z.string() })),
    pid: z.nullable(z.number()),
    baseUrl: z.nullable(z.string()),
    /** The WebSocket of statuses. */
    wsUrl: z.nullable(z.string()),
    /** Base URL of the venue. */
    venueUrl: z.nullable(z.string()),
    /** The chain id that the venue's signatures are bound to, which a signer of the venue asks for. */
    venueSigningChainId: z.nullable(z.int()),
    /** RPC URL by chain name; empty if the sandbox is not running. */
    rpcUrls: z.record(z.string(), z.string()),
    /** What the service asks of a client that names a referrer or submits calls; no secret. */
    apiKey: z.nullable(z.string()),
    referrer: z.nullable(z.string()),
    /** The chains and the venue, with their tokens by symbol; empty if the sandbox is not running. */
    chains: z.array(
      z.object({
        name: z.string(),
        id: z.int(),
        /** Null for the venue, which has its own API. */
        rpcUrl: z.nullable(z.string()),
        tokens: z.record(z.string(), z.string()),
      }),
    ),
    /** ISO 8601. */
    startedAt: z.nullable(z.string()),
    /** The folder of its state and log. */
    folder: z.string(),
  }),
  run: async (_, context) => {
    const instance = await context.sandbox.find();
    const failure = instance ? undefined : await context.sandbox.failure();
    const { apiKey = null, referrer = null, chains, venue } = await NetworkRegistry.load('sandbox');
    return {
      running: instance !== undefined,
      instance: instance?.instance ?? null,
      lost: toLost(instance?.lost),
      failure: failure ? { at: new Date(failure.at).toISOString(), message: failure.message } : null,
      pid: instance?.pid ?? null,
      baseUrl: instance?.baseUrl ?? null,
      wsUrl: instance ? Url.webSocket(instance.baseUrl) : null,
      venueUrl: instance?.venueUrl ?? null,
      venueSigningChainId: (instance && venue?.signingChainId) ?? null,
      rpcUrls: instance?.rpcUrls ?? {},
      apiKey: instance ? apiKey : null,
      referrer: instance ? referrer : null,
      chains: instance
        ? chains
            .filter(({ name, vm }) => vm === 'lvm' || name in instance.rpcUrls)
            .map((chain) => toRow(chain, instance.rpcUrls))
        : [],
      startedAt: instance ? new Date(instance.startedAt).toISOString() : null,
      folder: context.sandbox.folder,
    };
  },
  view: (data, style) =>
    [
      data.running ? `${style.green('●')} The sandbox is running.` : `${style.dim('○')} No sandbox is running.`,
      '',
      TerminalText.columns([
        ...(data.baseUrl === null ? [] : [['service', data.baseUrl]]),
        ...(data.wsUrl === null ? [] : [['WebSocket', data.wsUrl]]),
        ...(data.venueUrl === null
          ? []
          : [['venue', `${data.venueUrl}, whose signatures are for chain ${data.venueSigningChainId}`]]),
        ...Object.entries(data.rpcUrls).map(([chain, url]) => [TerminalText.escape(chain), url]),
        ...(data.apiKey === null ? [] : [['API key', data.apiKey]]),
        ...(data.referrer === null ? [] : [['referrer', data.referrer]]),
        ...(data.instance === null ? [] : [['instance', TerminalText.escape(data.instance)]]),
        ...(data.pid === null ? [] : [['process', String(data.pid)]]),
        ...(data.startedAt === null ? [] : [['started', style.time(Date.parse(data.startedAt))]]),
        ['folder', TerminalText.escape(data.folder)],
      ]),
      ...data.chains.flatMap(({ name, id, tokens }) => [
        '',
        `${style.bold(name)} ${style.dim(`chain ${id}`)}`,
        TerminalText.columns(Object.entries(tokens).map(([symbol, address]) => [`  ${symbol}`, address])),
      ]),
      ...(data.lost ? ['', lostText(data.lost)] : []),
      ...(data.failure ? ['', `The last one ended with an error: ${TerminalText.escape(data.failure.message)}`] : []),
    ].join('\n'),
});

function toRow({ name, id, native, tokens }: Chain, rpcUrls: Readonly<Record<string, string>>) {
  const all = new Map([native, ...tokens].map(({ symbol, address }) => [symbol, address]));
  return { name, id, rpcUrl: rpcUrls[name] ?? null, tokens: Object.fromEntries(all) };
}

const count = SettingFormat.whole('a whole number from 1 to 10000', /^0*[1-9]\d{0,4}$/, 10_000);

const logs = define({
  description:
    'Prints the last lines of the log of the sandbox that runs, or ran last, in the background: what went wrong in it. A healthy one writes little.',
  options: {
    lines: { short: 'n', value: 'count', description: 'how many lines (default: 50)' },
  },
  examples: [
    ['ferry sandbox logs', 'the last 50 lines'],
    ['ferry sandbox logs -n 5 --json | jq -r .data.path', 'where the log is, to follow it'],
  ],
  output: z.object({ path: z.string(), lines: z.array(z.string()) }),
  async run({ lines = '50' }, { sandbox }) {
    return { path: sandbox.logPath, lines: [...sandbox.log(SettingFormat.option(count, lines, '--lines'))] };
  },
  verbatim: true,
  view: ({ lines }) => lines.map(TerminalText.escape).join('\n'),
  note: ({ path, lines }) => (lines.length > 0 ? undefined : `The log is empty: ${TerminalText.escape(path)}`),
});

const exec = define({
  description:
    'Runs a program with an environment that points to the sandbox: FERRY_SANDBOX_URL is the service, FERRY_SANDBOX_WS_URL its ' +
    'WebSocket, FERRY_SANDBOX_VENUE_URL the venue and FERRY_SANDBOX_VENUE_CHAIN_ID what its signatures are bound to, ALPHA_RPC_URL, BETA_RPC_URL and ETH_RPC_URL (alpha) are the chains, ALPHA_CHAIN_ID ' +
    'and ALPHA_USDC an id and a token, FERRY_SANDBOX_API_KEY and FERRY_SANDBOX_REFERRER what the service asks for, and FERRY_NETWORK is ' +
    'sandbox. ferry’s keys, passwords and other settings are not passed on. Exits with the program’s exit code, or 128 and the number of the signal that ended it. With --json, the program’s ' +
    'output goes to stderr.',
  args: [
    { name: 'command', names: 'program', description: 'the program' },
    { name: 'arguments', names: 'program', description: 'its arguments', optional: true, variadic: true },
  ],
  examples: [
    ['ferry sandbox exec -- cast block-number', 'a program that reads ETH_RPC_URL'],
    [`ferry sandbox exec -- sh -c 'curl -s "$FERRY_SANDBOX_URL/chains"'`, 'a direct call of the service'],
    ['ferry sandbox exec -- npm test', 'the tests of your own application'],
  ],
  output: z.object({
    /** The exit code of the program, or 128 and the number of the signal that ended it; it is also ferry's. */
    exitCode: z.number(),
  }),
  run: async ({ args }, context) => ({
    exitCode: await context.sandbox.exec(args, context.json ? 'stderr' : 'stdout'),
  }),
  view: () => '',
  exit: ({ exitCode }) => exitCode,
});

const reset = define({
  description:
    'Stops the sandbox and deletes its chains and requests. The next start creates a new instance, ' +
    'which rejects the requests, nonces and signatures of the old one.',
  examples: [
    ['ferry sandbox reset', 'start over, after asking'],
    ['ferry sandbox reset --yes', 'without asking'],
  ],
  output: z.object({
    /** Always true: a refused reset is an error. */
    reset: z.boolean(),
    /** The id of the instance that was running; null if none was. */
    stopped: z.nullable(z.string()),
  }),
  run: async (_, context) => {
    await context.confirm('Delete the chains and requests of the sandbox?');
    const stopped = await context.sandbox.reset();
    return { reset: true, stopped: stopped?.instance ?? null };
  },
  view: ({ stopped }) =>
    stopped === null
      ? 'The sandbox is empty: the next start creates a new instance.'
      : `Stopped the sandbox ${TerminalText.escape(stopped)} and deleted its state: the next start creates a new instance.`,
});

export const commands = { start, stop, status, logs, exec, reset };
