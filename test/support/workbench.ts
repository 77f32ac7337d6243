/** A temporary home with the real parts of a context that need neither network nor terminal. */

import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ScryptCost } from '../../src/core/accounts/Keystore.js';
import { BaseError } from '../../src/core/base/Errors.js';
import type { Command, Flags, Options } from '../../src/core/command/Command.js';
import type { Context } from '../../src/core/command/Context.js';
import * as Config from '../../src/core/config/Config.js';
import * as EffectiveNetwork from '../../src/core/config/EffectiveNetwork.js';
import type { CommandEvent } from '../../src/core/event/DisplayEvent.js';
import type { Objection, Prompt } from '../../src/core/ports/Ports.js';
import { createKeystore } from '../../src/io/keys/keystoreFolder.js';
import { createVenueKeys } from '../../src/io/keys/venueKeys.js';
import * as configStore from '../../src/io/state/configStore.js';
import { createFiles } from '../../src/io/state/namedFiles.js';
import type { Host } from '../../src/io/terminal/host.js';
import { lightScrypt } from './lightScrypt.js';

export type Workbench = {
  /** The folder that contains `home` and `project`; removed after the test. */
  folder: string;
  home: string;
  project: string;
  host: Pick<Host, 'env' | 'cwd' | 'home' | 'stdin' | 'signal' | 'randomBytes' | 'scryptCost'> & {
    env: Record<string, string | undefined>;
  };
  /** Writes a private file below the folder and returns its path. */
  write(path: string, text: string, mode?: number): string;
};

export type Wishes = {
  env?: Record<string, string>;
  flags?: Record<string, unknown>;
  /** Answers to prompts, in order. Without them there is no terminal. */
  answers?: readonly string[];
  stdin?: string;
  /** What new key files cost; little by default, and `undefined` is what a real process takes. */
  scryptCost?: ScryptCost | undefined;
};

/** Creates an empty home with an empty project in it. */
export function workbench(wishes: Pick<Wishes, 'env' | 'stdin' | 'scryptCost'> = {}): Workbench {
  const { env = {}, stdin = '', scryptCost } = { scryptCost: lightScrypt, ...wishes };
  // The canonical path, so that it equals paths resolved from it.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'workbench-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const home = join(folder, 'home');
  const project = join(home, 'code', 'project');
  mkdirSync(project, { recursive: true });
  return {
    folder,
    home,
    project,
    host: {
      ...{ env, cwd: project, home, stdin: input(stdin), scryptCost },
      signal: new AbortController().signal,
      randomBytes: (length) => randomBytes(length),
    },
    write(path, text, mode = 0o600) {
      const at = join(folder, path);
      mkdirSync(dirname(at), { recursive: true });
      writeFileSync(at, text);
      chmodSync(at, mode);
      return at;
    },
  };
}

/** The parts of a context for configuration and keys, with real implementations on a workbench. */
export async function context(bench: Workbench, { flags = {}, answers }: Wishes = {}): Promise<Context> {
  const files = await configStore.read(bench.host);
  const config = Config.merge({ ...files, env: bench.host.env, flags });
  const network = await EffectiveNetwork.from(config);
  const interactive = answers !== undefined;
  const prompt = answering(answers ?? []);
  const parts = {
    config,
    network,
    prompt,
    interactive,
    confirm: async (question: string) => {
      if (flags.yes === true) return;
      if (!interactive) throw new BaseError('usage.confirmation', question);
      if (!(await prompt.confirm(question))) throw new BaseError('prompt.declined', 'Declined.');
    },
    keystore: createKeystore({ host: bench.host, config, prompt, interactive }),
    venueKeys: async () => createVenueKeys({ host: bench.host, config, network, prompt, interactive }),
    configFiles: configStore.createConfigFiles(bench.host),
    files: createFiles({ ...bench.host, stdout: { write: () => true } }),
  };
  return parts as Partial<Context> as Context;
}

/** Runs a command to its end and checks its result against its schema. */
export async function run<F extends Flags, Data>(
  command: Command<F, Data>,
  options: Options<F>,
  parts: Context,
  heard?: (event: CommandEvent) => void,
): Promise<Data> {
  const running = command.run(options, parts);
  const data = Symbol.asyncIterator in running ? await ended(running, heard) : await running;
  command.output.parse(data);
  return data;
}

/** The result of what tells something on the way. */
export async function ended<Told, Data>(
  running: AsyncGenerator<Told, Data>,
  heard?: (told: Told) => void,
): Promise<Data> {
  let step = await running.next();
  for (; !step.done; step = await running.next()) heard?.(step.value);
  return step.value;
}

/** Prompts with prepared answers. An unexpected prompt is a failure. */
export function answering(answers: readonly string[]): Prompt & { asked: string[] } {
  const left = [...answers];
  const asked: string[] = [];
  const next = async (question: string): Promise<string> => {
    asked.push(question);
    const answer = left.shift();
    if (answer === undefined) throw new Error(`nobody expected the question "${question}"`);
    return answer;
  };
  // After an objection, the next answer is tried.
  const persist = async (question: string, object?: Objection): Promise<string> => {
    for (;;) {
      const answer = await next(question);
      const objection = await object?.(answer);
      if (objection === undefined) return answer;
      asked.push(objection);
    }
  };
  return {
    asked,
    confirm: async (question, _, secret = '') => (await next(`${secret}${question}`)) === 'y',
    password: persist,
    text: persist,
    async choose(question, choices) {
      const answer = await next(question);
      const chosen = choices.find(({ value }) => value === answer);
      if (!chosen) throw new Error(`"${answer}" is no choice for "${question}"`);
      return chosen.value;
    },
    async search(question, find) {
      const answer = await next(question);
      const [first] = await find(answer);
      if (!first) throw new Error(`nothing is found by "${answer}" for "${question}"`);
      return first.value;
    },
  };
}

async function* input(text: string): AsyncGenerator<string> {
  if (text) yield text;
}

/** Expects an action to throw an error with the code and returns it. @throws if it does not */
export async function failure(code: string, act: () => unknown): Promise<BaseError> {
  try {
    await act();
  } catch (error) {
    if (error instanceof BaseError && error.code === code) return error;
    throw error;
  }
  throw new Error(`nothing was thrown where ${code} was expected`);
}
