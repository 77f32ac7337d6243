/** `ferry sandbox status`: shows whether the sandbox is running, and its URLs. */
import * as z from 'zod/mini';
import { define } from '../../core/command/Command.js';
import * as TerminalText from '../../core/text/TerminalText.js';
import { lost, lostText, toLost } from './lostState.js';

export const output = z.object({
  running: z.boolean(),
  instance: z.nullable(z.string()),
  lost,
  /** How the last sandbox ended, if that was a failure and none was started since. */
  failure: z.nullable(z.object({ at: z.string(), message: z.string() })),
  pid: z.nullable(z.number()),
  baseUrl: z.nullable(z.string()),
  /** Base URL of the venue. */
  venueUrl: z.nullable(z.string()),
  /** RPC URL by chain name; empty if the sandbox is not running. */
  rpcUrls: z.record(z.string(), z.string()),
  /** ISO 8601. */
  startedAt: z.nullable(z.string()),
  /** The folder of its state and log. */
  folder: z.string(),
});

export const command = define({
  description: 'Shows whether the sandbox is running, and its URLs. Exits 0 either way.',
  args: [],
  options: {},
  examples: [
    ['ferry sandbox status', 'whether it is running, and its URLs'],
    ['ferry sandbox status --json | jq -r .data.rpcUrls.alpha', 'the RPC URL of a chain'],
  ],
  output,
  run: async (_, context) => {
    const instance = await context.sandbox.find();
    const failure = instance ? undefined : await context.sandbox.failure();
    return {
      running: instance !== undefined,
      instance: instance?.instance ?? null,
      lost: toLost(instance?.lost),
      failure: failure ? { at: new Date(failure.at).toISOString(), message: failure.message } : null,
      pid: instance?.pid ?? null,
      baseUrl: instance?.baseUrl ?? null,
      venueUrl: instance?.venueUrl ?? null,
      rpcUrls: instance?.rpcUrls ?? {},
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
        ...(data.venueUrl === null ? [] : [['venue', data.venueUrl]]),
        ...Object.entries(data.rpcUrls).map(([chain, url]) => [TerminalText.escape(chain), url]),
        ...(data.instance === null ? [] : [['instance', TerminalText.escape(data.instance)]]),
        ...(data.pid === null ? [] : [['process', String(data.pid)]]),
        ...(data.startedAt === null ? [] : [['started', data.startedAt]]),
        ['folder', TerminalText.escape(data.folder)],
      ]),
      ...(data.lost ? ['', lostText(data.lost)] : []),
      ...(data.failure ? ['', `The last one ended with an error: ${TerminalText.escape(data.failure.message)}`] : []),
    ].join('\n'),
});
