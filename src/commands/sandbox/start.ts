import * as z from 'zod/mini';
import { BaseError } from '../../core/base/Errors.js';
import { define } from '../../core/command/Command.js';
import type { Event } from '../../core/event/Event.js';
import type { SandboxInstance, SandboxProcess } from '../../core/ports/SandboxProcess.js';
import * as TerminalText from '../../core/text/TerminalText.js';
import { lost, lostText, toLost } from './lostState.js';

export const output = z.object({
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

export type Output = z.infer<typeof output>;

export const command = define({
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
  output,
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

export function toOutput(instance: SandboxInstance, state: Pick<Output, 'running' | 'started'>): Output {
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
