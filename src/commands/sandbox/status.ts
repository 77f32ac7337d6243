/** `ferry sandbox status`: shows whether the sandbox is running, and its URLs. */
import * as z from 'zod/mini';
import { define } from '../../core/command/Command.js';
import * as TerminalText from '../../core/text/TerminalText.js';

export const output = z.object({
  running: z.boolean(),
  instance: z.nullable(z.string()),
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
    return {
      running: instance !== undefined,
      instance: instance?.instance ?? null,
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
    ].join('\n'),
});
