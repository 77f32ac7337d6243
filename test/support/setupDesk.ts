/** A separate configuration folder for `ferry config init`, run with flags or with prepared answers. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { command } from '../../src/commands/config/init.js';
import type { CommandEvent } from '../../src/core/event/DisplayEvent.js';
import { type Ended, ferry, temporaryFolder } from './ferry.js';
import { contextAt } from './ownNetwork.js';
import type { TestSandbox } from './sandbox.js';

export type Desk = {
  /** The path of the configuration file, which may not exist. */
  path: string;
  written(): unknown;
  /** Writes a file; returns its path. */
  file(name: string, text: string): string;
  /** Runs the command without a terminal. */
  init(args: readonly string[], more?: { env?: Record<string, string>; stdin?: string }): Promise<Ended>;
  /** Runs the command with prepared answers. */
  talk(args: readonly string[], answers: readonly string[]): Promise<Talk>;
};

type Done = { network: string; written: readonly unknown[]; isDefault: boolean };

type Talk = { data: Done; events: CommandEvent[]; asked: readonly string[] };

export function desk(content?: object): Desk {
  const folder = temporaryFolder();
  const path = join(folder, 'config.json');
  if (content) writeFileSync(path, JSON.stringify(content), { mode: 0o644 });
  const env = { FERRY_CONFIG_DIR: folder };
  return {
    path,
    written: () => JSON.parse(readFileSync(path, 'utf8')),
    file(name, text) {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    },
    init: (args, more = {}) => ferry(['config', 'init', ...args], { ...more, env: { ...env, ...more.env } }),
    async talk(args, answers) {
      const context = await contextAt(env, { answers });
      return { ...(await drain(command.run({ args }, context))), asked: context.asked };
    },
  };
}

/** The result of a command and its events. */
async function drain<Data>(running: AsyncGenerator<CommandEvent, Data> | Promise<Data>) {
  const events: CommandEvent[] = [];
  if (!(Symbol.asyncIterator in running)) throw new Error('it tells nothing on the way');
  for (;;) {
    const step = await running.next();
    if (step.done) return { data: step.value, events };
    events.push(step.value);
  }
}

/** The flags for the nodes of a sandbox. */
export function nodesOf({ rpcUrls }: Pick<TestSandbox, 'rpcUrls'>): string[] {
  const { alpha, beta } = rpcUrls;
  return ['--rpc-url', `alpha=${alpha}`, '--rpc-url', `beta=${beta}`];
}
