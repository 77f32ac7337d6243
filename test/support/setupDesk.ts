/** A configuration folder of its own for `ferry config init`: typed with flags, or talked through by a person. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { command } from '../../src/commands/config/init.js';
import type { CommandEvent } from '../../src/core/event/DisplayEvent.js';
import { type Ended, ferry, temporaryFolder } from './ferry.js';
import { contextAt } from './ownNetwork.js';
import type { TestSandbox } from './sandbox.js';

export type Desk = {
  /** The configuration file, whether it is there or not. */
  path: string;
  written(): unknown;
  /** A file with a text; its path. */
  file(name: string, text: string): string;
  /** The command line, where nobody can be asked. */
  init(args: readonly string[], more?: { env?: Record<string, string>; stdin?: string }): Promise<Ended>;
  /** The dialogue with a person who has the answers ready. */
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

/** What a command gives in the end, and what it tells on the way. */
async function drain<Data>(running: AsyncGenerator<CommandEvent, Data> | Promise<Data>) {
  const events: CommandEvent[] = [];
  if (!(Symbol.asyncIterator in running)) throw new Error('it tells nothing on the way');
  for (;;) {
    const step = await running.next();
    if (step.done) return { data: step.value, events };
    events.push(step.value);
  }
}

/** The flags that name the nodes of a sandbox. */
export function nodesOf({ rpcUrls }: Pick<TestSandbox, 'rpcUrls'>): string[] {
  return Object.entries(rpcUrls).flatMap(([chain, url]) => ['--rpc-url', `${chain}=${url}`]);
}
