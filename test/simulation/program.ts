/** The program over the model: the commands that pay, resume, speed up and cancel, with the model's ports. */

import { command as call } from '../../src/commands/execute/call.js';
import { command as resume } from '../../src/commands/resume.js';
import { command as cancel } from '../../src/commands/runs/cancel.js';
import { command as reconcile } from '../../src/commands/runs/reconcile.js';
import { commands as runs } from '../../src/commands/runs.js';
import { command as withdraw } from '../../src/commands/venue/withdraw.js';
import { BaseError, type Funds } from '../../src/core/base/Errors.js';
import type { Context } from '../../src/core/command/Context.js';
import * as Config from '../../src/core/config/Config.js';
import type { Event } from '../../src/core/event/Event.js';
import type { OutcomeDocument } from '../../src/core/execution/OutcomeDocument.js';
import type { Chain } from '../../src/core/ports/Ports.js';
import { toBaseError } from '../../src/core/text/ErrorReport.js';
import { together } from '../../src/io/chain/severalNodes.js';
import { apiKeyIndex } from '../../src/sandbox/venue/venueAccounts.js';
import { executeTransfer } from '../../src/transfer/executeTransfer.js';
import * as client from './client.js';
import type { Kernel } from './kernel.js';
import type { Machine } from './machine.js';
import { type ChainName, network } from './market.js';
import { connect, type Node } from './node.js';
import type { Random } from './random.js';
import type * as service from './service.js';
import { toldBy } from './told.js';
import type { Trouble } from './trouble.js';
import * as venues from './venue.js';
import * as wallet from './wallet.js';

/** What is typed. */
export type Typed =
  | {
      command: 'execute' | 'venue withdraw';
      args: readonly string[];
      flags: Readonly<Record<string, boolean | string>>;
    }
  | { command: 'execute call' | 'runs reconcile' }
  | { command: 'resume' | 'runs cancel' | 'runs speed-up'; run: string };

/** What the program has said in the end; nothing if it died. */
export type Word = {
  atMs: number;
  funds: Funds | undefined;
  /** The error's code, or the status word of a result. */
  code: string;
  run: string | undefined;
  next: string | undefined;
  text: string;
  /** Who shows how it ended. */
  witnesses?: readonly string[];
  /** The events, as `toldBy` names them. */
  told: readonly string[];
  process: string;
};

export type Surroundings = {
  kernel: Kernel;
  trouble: Trouble;
  random: Random;
  machine: Machine;
  service: service.Model;
  venue: venues.Model;
  nodes: Readonly<Record<ChainName, readonly Node[]>>;
  /** How long somebody takes to answer a question; undefined if nobody is asked. */
  answerMs?: number | undefined;
  /** Called when a deposit address is shown. */
  shown(payable: { address: string; token: string; amount: bigint }): void;
  /** Called when a process has signed bytes. */
  signed(bytes: string, process: string): void;
  /** Called when signed bytes leave the process. */
  left(bytes: string, process: string, requestId?: string): void;
};

/** The settings: the defaults, with less patience. */
const config = Config.merge({ flags: { timeout: '40s' } });

/** Runs a command until it ends or dies. */
export async function run(name: string, typed: Typed, surroundings: Surroundings): Promise<Word> {
  const { kernel, trouble, machine } = surroundings;
  const skewMs = trouble.during(name, 'has a wrong clock')?.size ?? 0;
  const process = client.create(name, { kernel, trouble, skewMs });
  machine.clients.push(process);
  kernel.note(name, () => inWords(typed));
  // The run's name was shown before anything was done in it.
  let begun = 'run' in typed ? typed.run : undefined;
  const told: string[] = [];
  const notice = (event: Event): void => {
    if (event.type === 'run') begun = event.run;
    if (event.type === 'address') surroundings.shown({ ...event, amount: BigInt(event.send.amount) });
    told.push(...toldBy(event));
    kernel.note(process.name, () => `${event.type} ${'summary' in event ? event.summary : ''}`);
  };
  const word = await Promise.race([
    ended(process, typed, surroundings, notice),
    process.killed.then(() => ({ funds: undefined, code: 'died', run: begun, next: undefined, text: '' })),
  ]);
  process.kill();
  kernel.note(name, () => (word.funds ? `says: ${word.funds} (${word.code}) ${word.text}` : 'is gone'));
  return { ...word, told, atMs: kernel.now(), process: name };
}

function inWords(typed: Typed): string {
  if ('run' in typed) return `ferry ${typed.command} ${typed.run}`;
  if (!('args' in typed)) return `ferry ${typed.command}`;
  return [`ferry ${typed.command}`, ...typed.args, ...Object.keys(typed.flags).map(flagOf)].join(' ');
}

/** `oneByOne`: `--one-by-one`. */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

async function ended(
  process: client.Client,
  typed: Typed,
  surroundings: Surroundings,
  notice: (event: Event) => void,
): Promise<Omit<Word, 'atMs' | 'process' | 'told'>> {
  const context = contextOf(process, surroundings);
  const running = runningOf(typed, context);
  try {
    const generator = running as AsyncGenerator<Event, OutcomeDocument>;
    let step = await generator.next();
    while (!step.done) {
      notice(step.value);
      step = await generator.next();
    }
    const { funds, status, run, witnesses } = step.value;
    return { funds, code: status, run: run ?? undefined, next: undefined, text: '', witnesses };
  } catch (thrown) {
    const error = toBaseError(thrown);
    const { funds, code, run, next, message, facts } = error;
    const what = facts.map(([label, value]) => `${label}: ${value}`).join('; ');
    return { funds, code, run, next, text: `${message} ${what}` };
  }
}

function runningOf(typed: Typed, context: Context): ReturnType<typeof executeTransfer> {
  switch (typed.command) {
    case 'resume':
      return resume.run({ args: [typed.run], timeout: '40s' }, context) as ReturnType<typeof executeTransfer>;
    case 'runs cancel':
      return cancel.run({ args: [typed.run] }, context) as ReturnType<typeof executeTransfer>;
    case 'runs speed-up':
      return runs['speed-up'].run({ args: [typed.run], timeout: '40s' }, context) as ReturnType<typeof executeTransfer>;
    case 'runs reconcile':
      return adopting(context) as unknown as ReturnType<typeof executeTransfer>;
    case 'execute':
      return executeTransfer({ args: typed.args, ...typed.flags }, context);
    case 'venue withdraw':
      return withdraw.run({ args: [...typed.args], ...typed.flags }, context) as ReturnType<typeof executeTransfer>;
    case 'execute call':
      return call.run({ args: [], ...rawCall }, context) as unknown as ReturnType<typeof executeTransfer>;
  }
}

/** Has the machine adopt what it does not know of the account. */
async function* adopting(context: Context) {
  const running = reconcile.run({ args: ['alpha'] }, context) as AsyncGenerator<Event, { adopted: boolean }>;
  const { adopted } = yield* running;
  return { funds: 'untouched', status: adopted ? 'adopted' : 'nothing unknown' };
}

/** A call that does nothing but to be made. */
const rawCall = { chain: 'alpha', to: `0x${'ca11'.repeat(10)}`, data: '0x12345678', subsidizeFees: true };

/** The one API key that the account has. */
const venueKeys = {
  list: async () => [
    {
      name: wallet.apiKey.name,
      publicKey: wallet.apiKey.publicKey,
      path: '/keys/key.json',
      network: network.name,
      accountIndex: venues.accountIndex,
      apiKeyIndex,
    },
  ],
  unlock: async () => wallet.apiKey,
} as unknown as Awaited<ReturnType<Context['venueKeys']>>;

function contextOf(process: client.Client, surroundings: Surroundings): Context {
  const { kernel, machine, nodes, service, venue, random, trouble, left, answerMs } = surroundings;
  const { clock, signal } = process;
  const warn = (text: string): void => kernel.note(process.name, () => `warns: ${text}`);
  // Nothing is asked any more by whoever was interrupted.
  const leaving = (bytes: string, requestId?: string): void => {
    if (!signal.aborted) left(bytes, process.name, requestId);
  };
  const later = (ms: number, act: () => void): void => kernel.after(ms, act);
  const clients = new Map<number, Chain>();
  const chainOf = (id: number): Chain => {
    const found = network.chains.find((each) => each.id === id);
    const own = nodes[found?.name as ChainName];
    if (!found || !own) throw new Error(`the model has no chain ${id}`);
    const connected = own.map((node) => ({
      host: node.host,
      chain: connect(node, { client: process, random, trouble, read: wallet.read, left: leaving, later }),
      silentUntil: 0,
    }));
    const [only] = connected;
    const chain =
      only && connected.length === 1 ? only.chain : together({ nodes: connected, chain: found, clock, signal });
    clients.set(id, chain);
    return chain;
  };
  const chain: Context['chain'] = async ({ id }) => clients.get(id) ?? chainOf(id);
  const runs = machine.runs(process, warn);
  const reached = service.connect(process, leaving);
  const reachedVenue = venue.connect(process, (txInfo, orderId) => leaving(txInfo, service.requestOf(orderId)));
  const account = wallet.account((what, bytes) => {
    surroundings.signed(bytes, process.name);
    kernel.note(process.name, () => `signs a ${what}`);
  });
  const used: Partial<Context> = {
    config,
    network,
    place: { name: network.name, realMoney: network.realMoney, addressNames: undefined },
    pins: {
      path: '/pins',
      contracts: () => [{ contract: 'depository' }] as never,
      tokens: () => [],
      account: () => ({ index: String(venues.accountIndex), source: 'pin', at: 0 }) as never,
      network: () => network,
      write: async () => network,
    },
    clock,
    signal,
    interactive: answerMs !== undefined,
    json: answerMs === undefined,
    yes: answerMs === undefined,
    async confirm(question) {
      if (answerMs === undefined) return;
      await clock.sleep(answerMs, signal);
      // Whoever is asked about what somebody else did says no.
      if (/paid twice/.test(question)) throw new BaseError('prompt.declined', 'Declined.');
    },
    waiting: () => {},
    warn,
    open: () => {},
    service: async () => reached,
    chain,
    payments: async () => undefined,
    venue: async () => reachedVenue,
    venueKeys: async () => venueKeys,
    afterwards: chain,
    located: async () => network,
    instance: async () => undefined,
    sender: async () => wallet.owner,
    watched: async () => wallet.owner,
    account: async () => account,
    signer: async () => ({ name: 'dev0', kind: 'development', address: wallet.owner }) as never,
    nonces: machine.nonces(process),
    runs: async () => runs,
    counted: machine.counted(process),
    storeDoubt: async () => undefined,
    conceal: (text) => text,
    showCode: async () => {},
    version: '0.0.0',
  };
  return used as Context;
}
