/** Real ferry processes killed with SIGKILL exactly before or after an act, which is seen by gates between ferry and the sandbox. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { BuiltFerry } from './builtFerry.js';
import { at } from './ferry.js';
import { front, passTo, type ReceivedRequest } from './loopback.js';
import type { TestSandbox } from './sandbox.js';

type When = 'before' | 'after';

export type Crashes = {
  /** Runs a command in a state directory of its own, and kills it around an act: a request with an effect, and which of its kind. */
  killed(args: readonly string[], act: string, when: When): Promise<Remains>;
  stop(): Promise<void>;
};

export type Remains = {
  /** Whether it was killed before it finished. */
  wasKilled: boolean;
  run: string;
  /** Variables for whoever goes on there. */
  env: Record<string, string | undefined>;
  /** Runs a command there and kills it around an act; returns whether it got that far. */
  kills(args: readonly string[], act: string, when: When): Promise<boolean>;
  remove(): void;
};

export async function createCrashes(built: BuiltFerry, sandbox: TestSandbox): Promise<Crashes> {
  const { FERRY_BASE_URL, FERRY_VENUE_URL, FERRY_RPC_URL_ALPHA, FERRY_RPC_URL_BETA } = at(sandbox);
  const upstreams = { FERRY_BASE_URL, FERRY_VENUE_URL, FERRY_RPC_URL_ALPHA, FERRY_RPC_URL_BETA };
  let acts: string[] = [];
  let strike: { act: string; when: When; child: ChildProcess } | undefined;

  const gates = await Promise.all(
    Object.entries(upstreams).map(async ([name, upstream = '']) => {
      const gate = await front((response, request) => {
        const kind = actOf(request);
        const act = kind && `${kind} ${acts.filter((each) => each.startsWith(`${kind} `)).length + 1}`;
        if (act) acts.push(act);
        const struck = act !== undefined && strike?.act === act ? strike : undefined;
        if (struck?.when === 'before') return void struck.child.kill('SIGKILL');
        // Who is killed hears nothing.
        const unheard = (): Promise<never> => {
          struck?.child.kill('SIGKILL');
          return new Promise(() => {});
        };
        passTo(upstream, (answer) => (struck ? unheard() : answer))(response, request);
      });
      return { name, ...gate };
    }),
  );
  const through = Object.fromEntries(gates.map(({ name, url }) => [name, url]));

  /** Whether it was killed. */
  async function kills(stateDir: string, args: readonly string[], act: string, when: When): Promise<boolean> {
    acts = [];
    const env = { ...built.env, ...through, FERRY_STATE_DIR: stateDir } as NodeJS.ProcessEnv;
    const child = spawn(process.execPath, [built.path, ...args, '--yes', '--json'], { env, stdio: 'ignore' });
    strike = { act, when, child };
    await new Promise<void>((resolve) => child.once('exit', () => resolve()));
    strike = undefined;
    return child.signalCode === 'SIGKILL';
  }

  return {
    async killed(args, act, when) {
      const stateDir = mkdtempSync(join(built.stateDir, '..', 'crash-'));
      const wasKilled = await kills(stateDir, args, act, when);
      const journal = readdirSync(join(stateDir, 'runs')).find((name) => name.endsWith('.jsonl')) ?? '';
      return {
        wasKilled,
        run: journal.slice(0, -'.jsonl'.length),
        env: { ...at(sandbox), FERRY_STATE_DIR: stateDir },
        kills: (...how) => kills(stateDir, ...how),
        remove: () => rmSync(stateDir, { recursive: true, force: true }),
      };
    },
    async stop() {
      await Promise.all(gates.map(({ close }) => close()));
    },
  };
}

/** The effect of a request, if any: a broadcast transaction, a submitted signature, a notification. */
function actOf({ method, path: asked, body }: ReceivedRequest): string | undefined {
  if (method !== 'POST') return undefined;
  if (/"eth_sendRawTransaction"/.test(body)) return 'broadcast';
  const path = asked.split('?')[0] ?? '';
  return /^\/(execute|transactions)|sendTx$/.test(path) ? path : undefined;
}
