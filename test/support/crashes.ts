/**
 * Real ferry processes killed with SIGKILL: when a journal line appears, or exactly before or after an action, which is
 * observed by a gate between ferry and the sandbox.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { BuiltFerry, Ended } from './builtFerry.js';
import { at, ferry } from './ferry.js';
import { forward } from './loopback.js';
import type { TestSandbox } from './sandbox.js';

/** Where a run is killed: when a line appears, around an action, or not at all, with its journal cut off afterwards. */
export type Point = { kind: 'line'; line: number } | Act | { kind: 'cut'; lines: number };

/** A request with an effect, by its name and its occurrence. */
export type Act = { kind: 'act'; act: string; when: 'before' | 'after' };

export type Crashes = {
  /** Runs a command to completion. */
  whole(args: readonly string[]): Promise<Whole>;
  /** Runs it in its own state directory, kills it at the point, and returns what is left: if it is cut off, of the whole. */
  killed(args: readonly string[], point: Point, whole?: Whole): Promise<Remains>;
  /** The journals of all that runs or was killed. */
  journals(): string[];
  stop(): Promise<void>;
};

/** A run that ended: its actions, the lines of its journal and the secret that seals them. */
export type Whole = { acts: string[]; lines: string[]; secret: string };

export type Remains = {
  /** Whether it was killed before it finished. */
  wasKilled: boolean;
  /** Undefined if not even a journal was created. */
  run: string | undefined;
  lines(): string[];
  ferry(...args: string[]): Promise<Pick<Ended, 'code' | 'stdout' | 'stderr'>>;
  /** Runs a command there and kills it around an action; returns whether it got that far. */
  kills(args: readonly string[], point: Act): Promise<boolean>;
  remove(): void;
};

/** What goes on from the remains, which it knows from the disk alone, runs in this process, or as one of its own if `isApart`. */
export async function createCrashes(
  built: BuiltFerry,
  sandbox: TestSandbox,
  { isApart }: { isApart: boolean },
): Promise<Crashes> {
  const { FERRY_BASE_URL, FERRY_VENUE_URL, FERRY_RPC_URL_ALPHA, FERRY_RPC_URL_BETA } = at(sandbox);
  const upstreams = { FERRY_BASE_URL, FERRY_VENUE_URL, FERRY_RPC_URL_ALPHA, FERRY_RPC_URL_BETA };
  let acts: string[] = [];
  let strike: { act: string; when: 'before' | 'after'; kill(): void } | undefined;

  const gates = await Promise.all(
    Object.entries(upstreams).map(async ([name, upstream]): Promise<[string, string, Server]> => {
      const server = createServer(async (request, response) => {
        const body = await read(request);
        const act = actOf(request, body);
        const name = act && `${act} ${acts.filter((each) => each.startsWith(`${act} `)).length + 1}`;
        if (name) acts.push(name);
        const struck = name !== undefined && strike?.act === name ? strike : undefined;
        if (struck?.when === 'before') return struck.kill();
        const { method = 'GET', headers } = request;
        const { status, type, text } = await forward(`${upstream}${request.url}`, { method, headers, body });
        if (struck) return struck.kill();
        response.writeHead(status, { 'content-type': type });
        response.end(text);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return [name, `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server];
    }),
  );
  const through = Object.fromEntries(gates.map(([name, url]) => [name, url]));

  function remains(stateDir: string, wasKilled: boolean): Remains {
    const folder = join(stateDir, 'runs');
    return {
      wasKilled,
      run: journalIn(folder)?.slice(0, -'.jsonl'.length),
      lines: () => linesIn(folder),
      async kills(args, point) {
        const { child, exited } = start(args, stateDir);
        strike = { ...point, kill: () => void child.kill('SIGKILL') };
        await exited;
        strike = undefined;
        return child.signalCode === 'SIGKILL';
      },
      ferry(...args) {
        const env = { ...at(sandbox), FERRY_STATE_DIR: stateDir };
        return isApart ? built.run(args, env) : ferry(args, { env, home: stateDir });
      },
      remove: () => rmSync(stateDir, { recursive: true, force: true }),
    };
  }

  function start(args: readonly string[], stateDir: string): { child: ChildProcess; exited: Promise<void> } {
    acts = [];
    const env = { ...built.env, ...through, FERRY_STATE_DIR: stateDir } as NodeJS.ProcessEnv;
    const child = spawn(process.execPath, [built.path, ...args, '--yes', '--json'], { env, stdio: 'ignore' });
    return { child, exited: new Promise((resolve) => child.once('exit', () => resolve())) };
  }

  const stateDirOf = (): string => mkdtempSync(join(built.stateDir, '..', 'crash-'));

  return {
    async whole(args) {
      const stateDir = stateDirOf();
      const { child, exited } = start(args, stateDir);
      await exited;
      if (child.exitCode !== 0) throw new Error(`ferry ${args.join(' ')} ended with ${child.exitCode}`);
      const secret = readFileSync(join(stateDir, 'secret'), 'utf8');
      const found = { acts, lines: remains(stateDir, false).lines(), secret };
      rmSync(stateDir, { recursive: true });
      return found;
    },

    async killed(args, point, whole) {
      const stateDir = stateDirOf();
      const folder = join(stateDir, 'runs');
      if (point.kind === 'cut') {
        if (!whole) throw new Error('There is no journal to cut off.');
        mkdirSync(folder, { mode: 0o700 });
        writeFileSync(join(stateDir, 'secret'), whole.secret, { mode: 0o600 });
        const run = JSON.parse(whole.lines[0] ?? '').entry.run;
        const text = whole.lines.slice(0, point.lines).map((line) => `${line}\n`);
        writeFileSync(join(folder, `${run}.jsonl`), text.join(''), { mode: 0o600 });
        return remains(stateDir, true);
      }
      const { child, exited } = start(args, stateDir);
      const kill = (): void => void child.kill('SIGKILL');
      if (point.kind === 'act') strike = { ...point, kill };
      else
        while (child.exitCode === null && child.signalCode === null) {
          if (linesIn(folder).length >= point.line) kill();
          await delay(0.2);
        }
      await exited;
      strike = undefined;
      return remains(stateDir, child.signalCode === 'SIGKILL');
    },

    journals: () =>
      readdirSync(join(built.stateDir, '..'))
        .filter((name) => name.startsWith('crash-'))
        .flatMap((name) => linesIn(join(built.stateDir, '..', name, 'runs'))),

    async stop() {
      for (const [, , server] of gates) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}

/** The effect of a request, if any: a broadcast transaction, a submitted signature, a notification. */
function actOf({ method, url = '' }: IncomingMessage, body: string): string | undefined {
  if (method !== 'POST') return undefined;
  if (/"eth_sendRawTransaction"/.test(body)) return 'broadcast';
  const path = url.split('?')[0] ?? '';
  return /^\/(execute|transactions)|sendTx$/.test(path) ? path : undefined;
}

async function read(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) text += part;
  return text;
}

function journalIn(folder: string): string | undefined {
  try {
    return readdirSync(folder).find((name) => name.endsWith('.jsonl'));
  } catch {
    return undefined;
  }
}

function linesIn(folder: string): string[] {
  const name = journalIn(folder);
  return name === undefined ? [] : readFileSync(join(folder, name), 'utf8').split('\n').slice(0, -1);
}
