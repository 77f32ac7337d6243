/** A custom network named `mine` with a sandbox as its service and chains, without contracts shipped with ferry. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRuntime } from '../../src/cli/createContext.js';
import { BaseError } from '../../src/core/base/Errors.js';
import type { Context } from '../../src/core/command/Context.js';
import { host as realHost } from '../../src/io/terminal/host.js';
import { temporaryFolder } from './ferry.js';
import type { TestSandbox } from './sandbox.js';
import { answering } from './workbench.js';

type Wishes = {
  /** Whether there are RPC URLs. */
  rpcs?: boolean;
  folder?: string;
  realMoney?: boolean;
  /** The venue's URL; without it the network has no venue. */
  venueUrl?: string;
};

/** Writes the configuration. Returns the variables for `ferry` that select the network, and the path of its pins. */
export function ownNetwork(
  { baseUrl, rpcUrls }: Pick<TestSandbox, 'baseUrl' | 'rpcUrls'>,
  { rpcs = true, folder = temporaryFolder(), realMoney = false, venueUrl }: Wishes = {},
) {
  const chain = (id: number, rpcUrl: string) => ({ id, ...(rpcs ? { rpcUrl } : {}) });
  const chains = {
    alpha: chain(313371, rpcUrls.alpha),
    beta: chain(313372, rpcUrls.beta),
    ...(venueUrl === undefined ? {} : { lighter: { id: 3586256 } }),
  };
  const venue = venueUrl === undefined ? {} : { venue: { baseUrl: venueUrl, signingChainId: 313373 } };
  const mine = { baseUrl, realMoney, chains, ...venue };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ networks: { mine } }));
  return { env: { FERRY_CONFIG_DIR: folder, FERRY_NETWORK: 'mine' }, file: join(folder, 'pins.json') };
}

/** The context of a command with prepared answers; without answers there is no terminal. */
export async function contextAt(
  env: Readonly<Record<string, string | undefined>>,
  { answers, yes = false }: { answers?: readonly string[]; yes?: boolean } = {},
): Promise<Context & { asked: readonly string[] }> {
  const home = temporaryFolder();
  const host = { ...realHost(new AbortController().signal), env: { HOME: home, ...env }, home, cwd: home };
  const flags = { json: false, yes, quiet: false, verbose: false, utc: false };
  const globals = { ...flags, fields: undefined, network: undefined, color: undefined };
  const nothing = (): void => {};
  const told = { warn: nothing, pause: nothing, say: nothing, waiting: nothing };
  const reporter = { ...told, pick: (data: unknown) => data, version: 'test' };
  const { context } = await createRuntime(host, globals, {}, reporter);
  const person = answering(answers ?? []);
  return {
    ...context,
    asked: person.asked,
    interactive: answers !== undefined,
    prompt: person,
    confirm: async (question) => {
      if (answers === undefined || yes) return context.confirm(question);
      if (!(await person.confirm(question))) throw new BaseError('prompt.declined', 'Declined.');
    },
  };
}
