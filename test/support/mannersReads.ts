/**
 * Every file that a command line names, with a pipe in its place: a pipe that nobody opens, one that nobody writes to,
 * and standard input that stays open. A signal must end the command at each of them.
 */
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, constants, openSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { table } from '../../src/cli/commandTable.js';
import type { Flags } from '../../src/core/command/Command.js';
import { breaches } from './manners.js';
import type { Desk } from './mannersDesk.js';
import { assertSilent } from './secrets.js';
import { type Surrounding, surroundings } from './surroundings.js';

/** How far the command gets before the signal. */
export type Waits = 'unopened' | 'silent' | 'stdin';

type Read = {
  /** The arguments after the command's name; `@` is the path. */
  args: readonly string[] | ((desk: Desk) => readonly string[]);
  /** A file that is written has only a pipe that nobody opens, and not every file may be `-`. */
  ways: readonly Waits[];
};

const file = { ways: ['unopened', 'silent'] } as const;
const fileOrInput = { ways: ['unopened', 'silent', 'stdin'] } as const;
const input = { ways: ['stdin'] } as const;
const output = { ways: ['unopened'] } as const;

const bridge = ['alpha/usdc', 'beta/usdc'] as const;
const main = ['--account', 'main', '--password-file', '@', '--yes'] as const;
const deposit = ['10', 'alpha/usdc', '--account-index', '100'] as const;
const withdraw = ['10', 'beta/usdc', '--yes'] as const;

/** By command, then the argument or option that names the file. */
export const reads: Readonly<Record<string, Read>> = {
  'quote --output': { args: ['1', ...bridge, '--output', '@'], ...output },
  'quote --calls': { args: ['1', ...bridge, '--exact-output', '--calls', '@'], ...file },
  'quote --batch': { args: ['--batch', '@'], ...fileOrInput },
  'execute <what>': { args: ['@', '--yes'], ...fileOrInput },
  'execute --calls': { args: ['1', ...bridge, '--exact-output', '--calls', '@', '--yes'], ...file },
  'execute --key-file': { args: ['1', ...bridge, '--key-file', '@', '--yes'], ...fileOrInput },
  'execute --password-file': { args: ['1', ...bridge, ...main], ...fileOrInput },
  'execute --batch': { args: ['--batch', '@', '--out', 'ledger', '--yes'], ...fileOrInput },
  'execute call --body': { args: ['--body', '@', '--yes'], ...fileOrInput },
  'venue deposit --key-file': { args: [...deposit, '--key-file', '@', '--yes'], ...file },
  'venue deposit --password-file': { args: [...deposit, ...main], ...file },
  'venue withdraw --key-file': { args: [...withdraw, '--key-file', '@'], ...file },
  'venue withdraw --venue-key-file': { args: [...withdraw, '--account', 'dev0', '--venue-key-file', '@'], ...file },
  'verify <quote>': { args: ['@'], ...fileOrInput },
  'trace <transaction>': { args: ['@'], ...fileOrInput },
  'trace --abi': { args: ({ txHash }) => [txHash, '--abi', '@'], ...file },
  'fees explain <what>': { args: ['@'], ...fileOrInput },
  'fees compare --svg': { args: ['10', '100', 'alpha/eth', 'beta/usdc', '--svg', '@'], ...output },
  'delegation revoke --key-file': { args: ['alpha', '--key-file', '@', '--yes'], ...file },
  'allowance revoke --key-file': { args: ['alpha/usdc', '--key-file', '@', '--yes'], ...file },
  'key new --password-file': { args: ['fresh', '--password-file', '@'], ...fileOrInput },
  'key import --key-file': { args: ['fresh', '--key-file', '@'], ...fileOrInput },
  'key import --keystore': { args: ['fresh', '--keystore', '@'], ...fileOrInput },
  'key import --password-file': { args: ['fresh', '--keystore', '../keys/main', '--password-file', '@'], ...file },
  'key export --output': { args: ['main', '--output', '@', '--yes'], ...output },
  'key password --password-file': {
    args: ['main', '--password-file', '@', '--new-password-file', 'x'],
    ...fileOrInput,
  },
  'key password --new-password-file': { args: ['main', '--new-password-file', '@'], ...fileOrInput },
  'config init --api-key-file': {
    args: ({ sandbox }) => ['mine', '--service-url', sandbox.baseUrl, '--money', 'test', '--api-key-file', '@'],
    ...fileOrInput,
  },
  'config init --rpc-url-file': {
    args: ({ sandbox }) => ['mine', '--service-url', sandbox.baseUrl, '--money', 'test', '--rpc-url-file', '@'],
    ...file,
  },
  'config set <value>': { args: ['maxFeeUsd', '@'], ...input },
  'smoke <file>': { args: ['@'], ...fileOrInput },
};

/** What reads a file as another one does, at a moment that needs a transfer in a certain state, or refuses a pipe. */
export const elsewhere: readonly string[] = [
  ...['quote --out', 'execute --out', 'receipt --output', 'fees explain --calls'],
  ...['resume', 'runs speed-up', 'runs cancel'].flatMap((name) => [`${name} --key-file`, `${name} --password-file`]),
  ...['venue withdraw', 'delegation revoke', 'allowance revoke'].map((name) => `${name} --password-file`),
  ...['smoke --junit', 'smoke --key-file', 'smoke --password-file'],
  ...['batch submit <file>', 'batch results --output'],
];

/** Every argument and option that names a file, by the commands' own declarations. */
export async function named(): Promise<string[]> {
  const found: string[] = [];
  for (const { name, load } of table) {
    const { args, options } = await load();
    const isFile = (kind: string): boolean => ['file', 'transfer', 'bill'].includes(kind);
    for (const each of args) if (isFile(each.names ?? each.name)) found.push(`${name} <${each.name}>`);
    for (const [key, { value }] of Object.entries(options as Flags))
      if (value === 'file') found.push(`${name} --${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
  }
  return found;
}

export type ReadCell = { name: string; waits: Waits; signal: 'SIGTERM' | 'SIGINT'; json: boolean };

/** All cells; `index` spreads them for a sample. */
export const readCells: readonly (ReadCell & { index: number })[] = Object.entries(reads)
  .flatMap(([name, { ways }]) => ways.flatMap((waits) => [true, false].map((json) => ({ name, waits, json }))))
  .map((cell, index) => ({ ...cell, signal: index % 4 < 2 ? 'SIGTERM' : 'SIGINT', index }));

const [surrounding] = surroundings.filter(({ name }) => name === 'pipe') as [Surrounding];

/** Runs a cell; returns what is wrong with it. */
export async function interrupt(desk: Desk, { name, waits, signal, json }: ReadCell): Promise<string[]> {
  const read = reads[name];
  const entry = table
    .filter((each) => name.startsWith(`${each.name} `))
    .sort((a, b) => b.name.length - a.name.length)[0];
  if (!read || !entry) throw new Error(`There is no ${name}.`);
  const place = desk.place();
  desk.keys(place);
  const pipe = join(place.folder, 'pipe');
  execFileSync('mkfifo', ['-m', '600', pipe]);
  const typed = typeof read.args === 'function' ? read.args(desk) : read.args;
  const isPiped = waits === 'stdin';
  const path = isPiped ? '-' : pipe;
  const argv = [
    ...entry.name.split(' '),
    ...(json ? ['--json'] : []),
    ...typed.map((word) => (word === '@' ? path : word)),
  ];
  const env = { ...desk.built.env, ...place.env, ...desk.leads('sandbox'), HOME: place.home };
  // Opened for both, it waits for nobody; and as long as it is open, the pipe does not end.
  const held = isPiped ? openSync(pipe, constants.O_RDWR) : undefined;
  const child = spawn(process.execPath, [desk.built.path, ...argv], {
    env: env as NodeJS.ProcessEnv,
    cwd: place.home,
    stdio: [held ?? 'ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const closed = new Promise<NodeJS.Signals | number | null>((resolve) =>
    child.once('close', (code, by) => resolve(by ?? code)),
  );
  let writer: number | undefined;
  const isWaiting = (): boolean => {
    if (isPiped) return readsInput(child.pid ?? 0);
    if (waits === 'unopened') return isIn(child.pid ?? 0, /wait_for_partner/);
    writer ??= openWriter(pipe);
    return writer !== undefined && isIn(child.pid ?? 0, /pipe_(read|wait)/);
  };
  const wrong: string[] = [];
  // One that neither waits for the file nor ends is killed, so that it is named.
  const late = setTimeout(() => child.kill('SIGKILL'), 60_000);
  while (!isWaiting()) {
    if (child.exitCode !== null || child.signalCode !== null) {
      wrong.push('it never waited for the file');
      break;
    }
    await delay(20);
  }
  child.kill(signal);
  const by = await closed;
  clearTimeout(late);
  for (const file of [held, writer]) if (file !== undefined) closeSync(file);
  rmSync(pipe, { force: true });
  if (by !== signal) wrong.push(`it ended by ${by}`);
  if (!/Stopped by SIG|The batch was stopped/.test(stderr)) wrong.push('it does not say that it was stopped');
  const told = { name: entry.name, command: await entry.load(), json, surrounding };
  // It dies by the signal, and would have ended with this code.
  wrong.push(...(await breaches({ ...told, ended: { code: 11, stdout, stderr } }, { codes: ['run.stopped'] })));
  try {
    assertSilent(`${stdout}\n${stderr}\n${place.written()}`, desk.secrets);
  } catch (error) {
    wrong.push(String(error));
  }
  return wrong.map((each) => `${waits}, ${signal}: ferry ${argv.join(' ')}: ${each}\n${stderr.slice(-300)}`);
}

/** Whether a thread of the process is in such a function of the kernel. */
function isIn(pid: number, pattern: RegExp): boolean {
  return entriesOf(`/proc/${pid}/task`).some((task) => pattern.test(textOf(`/proc/${pid}/task/${task}/wchan`)));
}

/** Whether the process polls its standard input. */
function readsInput(pid: number): boolean {
  const files = entriesOf(`/proc/${pid}/fd`).filter((each) => linkOf(`/proc/${pid}/fd/${each}`).includes('eventpoll'));
  return files.some((each) => /^tfd:\s+0 /m.test(textOf(`/proc/${pid}/fdinfo/${each}`)));
}

function openWriter(pipe: string): number | undefined {
  try {
    return openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    // Nobody reads yet.
    return undefined;
  }
}

function entriesOf(folder: string): string[] {
  return reading(() => readdirSync(folder)) ?? [];
}

function textOf(path: string): string {
  return reading(() => readFileSync(path, 'utf8')) ?? '';
}

function linkOf(path: string): string {
  return reading(() => readlinkSync(path)) ?? '';
}

/** The process may end meanwhile. */
function reading<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
