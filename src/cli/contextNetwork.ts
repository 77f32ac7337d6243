/** What a command is given of its network: where it is, and clients of its service, its venue and its chains. */
import { once } from '../core/base/Once.js';
import type * as Redaction from '../core/base/Redaction.js';
import type { Context } from '../core/command/Context.js';
import * as EffectiveNetwork from '../core/config/EffectiveNetwork.js';
import type { Network } from '../core/network/Network.js';
import type * as Ports from '../core/ports/Ports.js';
import * as UnsafeCharacters from '../core/text/UnsafeCharacters.js';
import { createReach, endAfter } from '../io/connect/lazyClients.js';
import type { Exchange } from '../io/http/debugLog.js';
import type { Http } from '../io/http/httpClient.js';
import type { BudgetSettings } from '../io/http/rateLimiter.js';
import { createSandboxProcess } from '../io/sandbox/backgroundSandbox.js';
import { createControlPlane } from '../io/sandbox/controlPlane.js';
import { instanceAt } from '../io/sandbox/sandboxRecord.js';
import * as trustFile from '../io/state/trustFile.js';
import type { Host } from '../io/terminal/host.js';

/** How long the instance of a sandbox is not asked for again. A reset within a transfer would fail it anyway. */
const instanceMs = 5_000;

/** Time limit for reads after a failure, which must not delay the exit. */
const afterwardsMs = 2_000;

export type NetworkSettings = {
  host: Host;
  clock: Ports.Clock;
  /** The network as it is configured. */
  configured: Network;
  /** Whether requests are shown. */
  verbose: boolean;
  redact: Redaction.Redact;
  warn(text: string): void;
  pause(): void;
  say(text: string): void;
  waiting(text: string): void;
  rates: BudgetSettings['rates'];
};

/** @throws config.invalid for pins that cannot be read */
export async function createNetworkAccess(settings: NetworkSettings) {
  const { host, clock, configured, warn, waiting, say, rates } = settings;
  const onExchange = await exchangesOf(settings);
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
  const ports = {
    ...reach,
    pins,
    open: (chains) => {
      if (!isToStart) reach.open(chains);
    },
    afterwards: (chain) => reachUntil(AbortSignal.timeout(afterwardsMs), located).chain(chain),
    located,
    within: (limitMs, other) => reachUntil(endAfter(limitMs, host.signal), other ? async () => other : located),
    sandbox,
    control: () =>
      createControlPlane({
        during: async () => (await http()).fetch,
        afterwards: async () => (await httpUntil(AbortSignal.timeout(afterwardsMs))).fetch,
        network: located,
      }),
    instance: () => instance({ start: true }),
  } satisfies Partial<Context>;
  return { network, ports, instance };
}

/** What is told of each request, if `--verbose` or `FERRY_DEBUG` asks for it. */
async function exchangesOf(settings: NetworkSettings): Promise<((exchange: Exchange) => void) | undefined> {
  const { host, verbose, redact, warn, pause } = settings;
  const { FERRY_DEBUG } = host.env;
  if (!verbose && !FERRY_DEBUG) return undefined;
  const DebugLog = await import('../io/http/debugLog.js');
  const { topics, unknown } = DebugLog.topicsOf(verbose, FERRY_DEBUG);
  if (unknown.length > 0)
    warn(`FERRY_DEBUG knows http, rpc and timing, not ${unknown.map(UnsafeCharacters.escape).join(', ')}.`);
  if (topics.size === 0) return undefined;
  return (exchange) => {
    const text = DebugLog.format(exchange, topics);
    if (text === undefined) return;
    pause();
    host.stderr.write(`${redact(text)}\n`);
  };
}
