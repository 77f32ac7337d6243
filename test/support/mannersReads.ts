/** Every file that a command line names, with a pipe in its place. A signal must end the command there. */
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { table } from '../../src/cli/commandTable.js';
import { BaseError } from '../../src/core/base/Errors.js';
import type { Flags } from '../../src/core/command/Command.js';
import { ferry } from './ferry.js';
import { breaches } from './manners.js';
import type { Desk } from './mannersDesk.js';
import { type Surrounding, surroundings } from './surroundings.js';
import { until } from './until.js';

/** The arguments after the command's name; `@` is the path. */
type Args = readonly string[] | ((desk: Desk) => readonly string[]);

const bridge = ['alpha/usdc', 'beta/usdc'] as const;
const main = ['--account', 'main', '--password-file', '@', '--yes'] as const;
const deposit = ['10', 'alpha/usdc', '--account-index', '100'] as const;
const withdraw = ['10', 'beta/usdc', '--yes'] as const;

/** By command, then the argument or option that names the file. */
export const reads: Readonly<Record<string, Args>> = {
  'quote --output': ['1', ...bridge, '--output', '@'],
  'quote --calls': ['1', ...bridge, '--exact-output', '--calls', '@'],
  'quote --batch': ['--batch', '@'],
  'execute <what>': ['@', '--yes'],
  'execute --calls': ['1', ...bridge, '--exact-output', '--calls', '@', '--yes'],
  'execute --key-file': ['1', ...bridge, '--key-file', '@', '--yes'],
  'execute --password-file': ['1', ...bridge, ...main],
  'execute --batch': ['--batch', '@', '--out', 'ledger', '--yes'],
  'execute call --body': ['--body', '@', '--yes'],
  'venue deposit --key-file': [...deposit, '--key-file', '@', '--yes'],
  'venue deposit --password-file': [...deposit, ...main],
  'venue withdraw --key-file': [...withdraw, '--key-file', '@'],
  'venue withdraw --venue-key-file': [...withdraw, '--account', 'dev0', '--venue-key-file', '@'],
  'verify <quote>': ['@'],
  'trace <transaction>': ['@'],
  'trace --abi': ({ txHash }) => [txHash, '--abi', '@'],
  'fees explain <what>': ['@'],
  'fees compare --svg': ['10', '100', 'alpha/eth', 'beta/usdc', '--svg', '@'],
  'delegation revoke --key-file': ['alpha', '--key-file', '@', '--yes'],
  'allowance revoke --key-file': ['alpha/usdc', '--key-file', '@', '--yes'],
  'key new --password-file': ['fresh', '--password-file', '@'],
  'key import --key-file': ['fresh', '--key-file', '@'],
  'key import --keystore': ['fresh', '--keystore', '@'],
  'key import --password-file': ['fresh', '--keystore', '../keys/main', '--password-file', '@'],
  'key export --output': ['main', '--output', '@', '--yes'],
  'key password --password-file': ['main', '--password-file', '@', '--new-password-file', 'x'],
  'key password --new-password-file': ['main', '--new-password-file', '@'],
  'config init --api-key-file': ({ sandbox }) => [
    'mine',
    '--service-url',
    sandbox.baseUrl,
    '--money',
    'test',
    '--api-key-file',
    '@',
  ],
  'config init --rpc-url-file': ({ sandbox }) => [
    'mine',
    '--service-url',
    sandbox.baseUrl,
    '--money',
    'test',
    '--rpc-url-file',
    '@',
  ],
  'smoke <file>': ['@'],
};

/** What reads a file as another one does, at a moment that needs a transfer in a certain state, refuses a pipe, or is `-`. */
export const elsewhere: readonly string[] = [
  ...['quote --out', 'execute --out', 'receipt --output', 'fees explain --calls'],
  ...['resume', 'runs speed-up', 'runs cancel'].flatMap((name) => [`${name} --key-file`, `${name} --password-file`]),
  ...['venue withdraw', 'delegation revoke', 'allowance revoke'].map((name) => `${name} --password-file`),
  ...['smoke --junit', 'smoke --key-file', 'smoke --password-file'],
  ...['batch submit <file>', 'batch results --output', 'config set <value>'],
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

const [pipeline] = surroundings.filter(({ name }) => name === 'pipe') as [Surrounding];

/** Nobody reads what they write, so they never wait for more than that somebody opens it. */
const isWritten = (name: string): boolean => /--(?:output|svg)$/.test(name);

/**
 * Runs a command whose file is a pipe that nobody opens, or in every second one that nobody writes to, and stops it once
 * it waits there; returns what is wrong.
 */
export async function interrupt(desk: Desk, name: string, index: number): Promise<string[]> {
  const args = reads[name];
  const entry = table
    .filter((each) => name.startsWith(`${each.name} `))
    .sort((a, b) => b.name.length - a.name.length)[0];
  if (!args || !entry) throw new Error(`There is no ${name}.`);
  const place = desk.place();
  desk.keys(place);
  const pipe = join(place.folder, 'pipe');
  execFileSync('mkfifo', ['-m', '600', pipe]);
  const isSilent = index % 2 === 0 && !isWritten(name);
  const json = index % 4 < 2;
  // Opened for both, it waits for nobody; and as long as it is open, the pipe does not end.
  const held = isSilent ? openSync(pipe, constants.O_RDWR) : undefined;
  const words = (typeof args === 'function' ? args(desk) : args).map((word) => (word === '@' ? pipe : word));
  const argv = [...entry.name.split(' '), ...(json ? ['--json'] : []), ...words];
  const interrupted = new AbortController();
  let hasEnded = false;
  const running = ferry(argv, {
    env: { ...place.env, ...desk.leads('sandbox') },
    ...{ home: place.home, cwd: place.home, signal: interrupted.signal },
  }).finally(() => {
    hasEnded = true;
  });
  await until(() => hasEnded || waits(isSilent ? /pipe_(?:read|wait)/ : /wait_for_partner/), 'it waits for the file');
  const wrong = hasEnded ? ['it never waited for the file'] : [];
  // Nobody else is to wait for it.
  renameSync(pipe, `${pipe}-moved`);
  interrupted.abort(new BaseError('run.stopped', 'Stopped by SIGTERM.'));
  const ended = await running;
  // Lets go of the thread in it, with which a process would die.
  closeSync(held ?? openSync(`${pipe}-moved`, constants.O_RDWR));
  const told = { name: entry.name, command: await entry.load(), json, surrounding: pipeline, ended };
  wrong.push(...(await breaches(told, { codes: ['run.stopped'] })));
  return wrong.map((each) => `ferry ${argv.join(' ')}: ${each}\n${ended.stderr.slice(-300)}`);
}

/** Whether a thread of this process is in such a function of the kernel. */
function waits(pattern: RegExp): boolean {
  return readdirSync('/proc/self/task').some((task) => {
    try {
      return pattern.test(readFileSync(`/proc/self/task/${task}/wchan`, 'utf8'));
    } catch {
      // It has ended.
      return false;
    }
  });
}
