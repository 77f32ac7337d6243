/** A shell in a real terminal, driven by keys: tmux with its own server. */
import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, onTestFinished } from 'vitest';
import type { BuiltFerry } from './builtFerry.js';
import { assertSilent, secretsOf } from './secrets.js';

export type Terminal = {
  /** Types a text literally. */
  type(text: string): Promise<void>;
  /** Presses a key by tmux's name: `Tab`, `Enter`, `C-u`. */
  press(key: string): Promise<void>;
  /** Types texts, each followed by a key, without looking at the screen. */
  typeAhead(strokes: readonly (readonly [text: string, key: string])[]): Promise<void>;
  /** The screen without trailing blanks. @throws if it shows a secret from the variables */
  screen(): Promise<string>;
  /** The screen with its colors as escape sequences. */
  colored(): Promise<string>;
  /** Waits until the condition holds for the screen; returns it. @throws on timeout */
  until(holds: (screen: string) => boolean, timeoutMs?: number): Promise<string>;
  close(): void;
};

export type Wishes = {
  /** The program and its arguments. */
  command: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  columns?: number;
  rows?: number;
};

/** A suite that needs programs; skipped with a note if one is not installed. */
export function describeWith(programs: readonly string[], name: string, suite: () => void): void {
  const missing = programs.filter((program) => !isInstalled(program));
  if (missing.length > 0) process.stderr.write(`skipped: ${name}: ${missing.join(', ')} not installed\n`);
  describe.skipIf(missing.length > 0)(name, suite);
}

/** Whether a program is on the PATH. */
export function isInstalled(name: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, name)));
}

/** A folder that is removed after the test, once its shells have exited. */
export function homeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ferry-home-'));
  onTestFinished(async () => {
    for (let left = 100; ; left--) {
      try {
        return rmSync(folder, { recursive: true, force: true });
      } catch (error) {
        if (left === 0) throw error;
        await delay(50);
      }
    }
  });
  return folder;
}

export async function openTerminal({ command, env, cwd, columns = 120, rows = 50 }: Wishes): Promise<Terminal> {
  const folder = mkdtempSync(join(tmpdir(), 'ferry-terminal-'));
  const server = ['-S', join(folder, 'socket'), '-f', '/dev/null'];
  const clean = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)) as NodeJS.ProcessEnv;
  const tmux = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)('tmux', [...server, ...args], { env: clean, cwd })).stdout;
  await tmux('new-session', '-d', '-x', String(columns), '-y', String(rows), ...command);

  const screen = async (): Promise<string> => {
    const shown = (await tmux('capture-pane', '-J', '-p')).trimEnd();
    assertSilent(shown, secretsOf([], { env, cwd }));
    return shown;
  };
  return {
    type: async (text) => {
      await tmux('send-keys', '-l', '--', text);
    },
    press: async (key) => {
      await tmux('send-keys', '--', key);
    },
    typeAhead: async (strokes) => {
      const keys = (key: string): string[] => ['send-keys', '--', key];
      await tmux(...strokes.flatMap(([text, key]) => ['send-keys', '-l', '--', text, ';', ...keys(key), ';']));
    },
    screen,
    colored: async () => (await tmux('capture-pane', '-e', '-J', '-p')).trimEnd(),
    async until(holds, timeoutMs = 60_000) {
      const deadline = Date.now() + timeoutMs;
      for (;;) {
        const seen = await screen();
        if (holds(seen)) return seen;
        if (Date.now() > deadline) throw new Error(`the screen never became so:\n${seen}`);
        await delay(100);
      }
    },
    close() {
      execFileSync('tmux', [...server, 'kill-server'], { env: clean, stdio: 'ignore' });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type Shell = Terminal & {
  home: string;
  /** Types a line, and Enter. */
  enter(line: string): Promise<void>;
};

/** A shell of somebody who has nothing in the home but `ferry` on the path. */
export async function openShell(
  built: BuiltFerry,
  { columns, env }: { columns: number; env?: (home: string) => Readonly<Record<string, string>> },
): Promise<Shell> {
  const home = homeFolder();
  mkdirSync(join(home, 'bin'));
  writeFileSync(join(home, 'bin', 'ferry'), `#!/bin/sh\nexec ${process.execPath} ${built.path} "$@"\n`);
  chmodSync(join(home, 'bin', 'ferry'), 0o755);
  const { CI: _, NO_COLOR: __, ...rest } = built.env;
  const own = { ...rest, TZ: 'UTC', HOME: home, PATH: `${join(home, 'bin')}:${rest.PATH}`, ...env?.(home) };
  const terminal = await openTerminal({ command: ['sh'], env: own, cwd: home, columns });
  onTestFinished(terminal.close);
  const enter = async (line: string): Promise<void> => {
    if (line !== '') await terminal.type(line);
    await terminal.press('Enter');
  };
  // Of its own accord root's shell has another.
  await enter("PS1='$ '");
  return { ...terminal, home, enter };
}
