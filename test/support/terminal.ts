/** A shell in a real terminal, driven by keys: tmux with its own server. */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, onTestFinished } from 'vitest';
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
  /** Gives the terminal another width, as somebody does who drags the corner of its window. */
  resize(columns: number): Promise<void>;
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
    resize: async (wide) => {
      await tmux('resize-window', '-x', String(wide), '-y', String(rows));
    },
    close() {
      execFileSync('tmux', [...server, 'kill-server'], { env: clean, stdio: 'ignore' });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
