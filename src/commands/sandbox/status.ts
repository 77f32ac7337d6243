import * as z from 'zod/mini';
import * as Url from '../../core/base/Url.js';
import { define } from '../../core/command/Command.js';
import type { Chain } from '../../core/network/Network.js';
import * as NetworkRegistry from '../../core/network/NetworkRegistry.js';
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
});

export const command = define({
  description:
    'Shows whether the sandbox is running, and what any client of it needs: the URLs of the service, its WebSocket, the venue and the chains, the API key, the referrer, chain ids and token addresses. Exits 0 either way.',
  examples: [
    ['ferry sandbox status', 'whether it is running, and its URLs'],
    ['ferry sandbox status --json | jq -r .data.rpcUrls.alpha', 'the RPC URL of a chain'],
    ['ferry sandbox status --json | jq -r .data.chains[0].tokens.USDC', 'the address of a token'],
  ],
  output,
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
