/** A cell of the manners matrix: one command line with one outcome in one environment, and its violations. */

import { stripVTControlCharacters } from 'node:util';
import { table } from '../../src/cli/commandTable.js';
import { type Code, entry as entryOf } from '../../src/core/base/Errors.js';
import type { Command, CommandEntry, Flag } from '../../src/core/command/Command.js';
import { ferry } from './ferry.js';
import { breaches, type Expected } from './manners.js';
import type { Desk, Env, Place } from './mannersDesk.js';
import { type Asked, type Outcome, type Specimen, specimens } from './mannersSpecimens.js';
import { programs } from './postgres.js';
import { assertSilent } from './secrets.js';
import { type Surrounding, surroundings } from './surroundings.js';

export type Cell = {
  entry: CommandEntry;
  /** Which of the command's specimens. */
  variant: number;
  outcome: Outcome;
  surrounding: Surrounding;
  json: boolean;
  /** In this process, or as the built program. */
  runs: 'here' | 'built';
  /** The stream of the built program whose disk is full. Its stdin is then a pipe that nobody writes to or closes. */
  full?: 'stdout' | 'stderr';
};

/** The violations of a cell, and whether its result had color. */
export type Judged = { wrong: string[]; isColored: boolean };

type Ended = { code: number | null; stdout: string; stderr: string };

/** Every specimen of every command, with its index. */
export const lines: readonly { entry: CommandEntry; variant: number; index: number; title: string }[] = table
  .filter(({ name }) => programs !== undefined || !name.startsWith('store '))
  .flatMap((entry) => (specimens[entry.name] ?? []).map((_, variant) => ({ entry, variant })))
  .map(({ entry, variant }, index) => ({ entry, variant, index, title: `${entry.name}${variant ? ' …' : ''}` }));

/** The surroundings of a line: all of them, or one, in rotation. */
export function around(index: number, turn: number, all: boolean): readonly Surrounding[] {
  const { length } = surroundings;
  return all ? surroundings : surroundings.slice((index + turn) % length).slice(0, 1);
}

/** Commands whose views take less than a second each, and which `test/scenarios/colors.test.ts` shows as text. */
export const quick: readonly string[] = [
  ...['quote', 'execute', 'venue account', 'verify', 'status', 'runs list', 'runs show', 'requests list'],
  ...['requests show', 'fees explain', 'fees schedule', 'fees share', 'fees compare', 'fees balance', 'chains'],
  ...['tokens', 'contracts list', 'delegation show', 'allowance show', 'key list', 'key show', 'config list'],
  ...['config get', 'doctor', 'receipt', 'trace', 'smoke', 'completion', 'schema', 'balance', 'address list'],
];

/** Runs a cell. */
export async function carryOut(desk: Desk, cell: Cell): Promise<Judged> {
  const { entry, variant, outcome, json } = cell;
  const command = await entry.load();
  const place = desk.place();
  const specimen = await specimens[entry.name]?.[variant]?.(desk, place, outcome);
  if (!specimen) throw new Error(`There is no specimen of ${entry.name}.`);
  const yes = specimen.confirms && outcome !== 'unanswered' ? ['--yes'] : [];
  const argv = [...entry.name.split(' '), ...(json ? ['--json'] : []), ...yes, ...specimen.args];
  const line = { ...cell, surrounding: met(cell, specimen), command, argv, specimen, place };
  const ended = await beside(specimen, runs(desk, line));
  return judged(desk, line, ended, expected(specimen, cell));
}

/** What a specimen prints in this process, on both streams, in a place of its own. */
export async function printed(
  desk: Desk,
  { entry, variant, outcome }: Pick<Cell, 'entry' | 'variant' | 'outcome'>,
  { columns, env }: { columns: number; env: Env },
): Promise<string> {
  const place = desk.place();
  const specimen = await specimens[entry.name]?.[variant]?.(desk, place, outcome);
  if (!specimen) throw new Error(`There is no specimen of ${entry.name}.`);
  const yes = specimen.confirms && outcome !== 'unanswered' ? ['--yes'] : [];
  const { stdout, stderr } = await beside(
    specimen,
    ferry([...entry.name.split(' '), ...yes, ...specimen.args], {
      env: { ...place.env, ...desk.leads(leads[outcome]), ...specimen.env, ...env },
      ...{ home: place.home, cwd: place.folder, columns, pace, self: [process.execPath, desk.built.path] },
      ...(specimen.stdin === undefined ? {} : { stdin: specimen.stdin }),
    }),
  );
  return `${stdout}${stderr}`;
}

/** How many times faster the waits of a command pass, such as that before a second try. */
const pace = 20;

/** What a running line ends with, once what happens beside it has happened. */
async function beside<T>(specimen: Specimen, running: Promise<T>): Promise<T> {
  let hasEnded = false;
  const ending = running.finally(() => {
    hasEnded = true;
  });
  const [ended] = await Promise.all([ending, specimen.meanwhile?.(() => hasEnded)]);
  await specimen.after?.();
  return ended;
}

/** Whether a line asks for confirmation. */
export async function confirms(desk: Desk, { entry, variant }: Pick<Cell, 'entry' | 'variant'>): Promise<boolean> {
  return (await specimens[entry.name]?.[variant]?.(desk, desk.place(), 'usage'))?.confirms === true;
}

/** Runs an invalid command line. */
export async function mistake(desk: Desk, cell: Cell, argv: readonly string[]): Promise<Judged> {
  const place = desk.place();
  const command = await cell.entry.load();
  const typed = cell.json ? [...argv.slice(0, 1), '--json', ...argv.slice(1)] : argv;
  const specimen: Specimen = { args: [], asks: 'nobody' };
  const line = { ...cell, surrounding: met(cell, specimen), command, argv: typed, specimen, place };
  return judged(desk, line, await runs(desk, line), { codes: usage });
}

/** Invalid command lines, derived from the command's own declaration. */
export function mistakes({ name }: CommandEntry, { args, options }: Command): string[][] {
  const words = name.split(' ');
  const flags = Object.entries(options) as [string, Flag][];
  const flag = (key: string): string => `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  const valued = flags.find(([, { type }]) => type !== 'boolean');
  const chosen = flags.find(([, { choices }]) => choices);
  return [
    [...words, '--no-such-option'],
    ...(args[0] && !args[0].optional ? [words] : []),
    ...(args[0]?.choices ? [[...words, 'no-such-choice']] : []),
    ...(args.some(({ variadic }) => variadic) ? [] : [[...words, ...args.map(() => 'x'), 'one-too-many']]),
    ...(valued ? [[...words, flag(valued[0])]] : []),
    ...(chosen ? [[...words, flag(chosen[0]), 'no-such-choice']] : []),
  ];
}

const usage: readonly Code[] = ['usage.unknown-option', 'usage.missing', 'usage.invalid'];

type Line = Cell & { command: Command; argv: readonly string[]; specimen: Specimen; place: Place };

/** The surroundings of a command: as a process, only stdout is a terminal, and stdin is not if it is piped. */
function met({ surrounding, runs: where, full }: Cell, { stdin }: Specimen): Surrounding {
  if (where === 'here') return surrounding;
  const { env, terminals, colored } = surrounding;
  const isForced = env.FORCE_COLOR !== undefined;
  const isTerminal = terminals.stdout === true && stdin === undefined && full === undefined;
  return {
    ...surrounding,
    terminals: { stdout: isTerminal, stderr: false },
    colored: { stdout: isForced || (isTerminal && colored.stdout), stderr: isForced },
  };
}

async function runs(
  desk: Desk,
  { argv, specimen, place, outcome, surrounding, json, full, ...line }: Line,
): Promise<Ended> {
  const { terminals } = surrounding;
  const env: Env = { ...place.env, ...desk.leads(leads[outcome]), ...specimen.env, ...surrounding.env };
  const given = specimen.stdin === undefined ? {} : { stdin: specimen.stdin };
  if (line.runs === 'built') {
    const theirs = { CI: undefined, TERM: undefined, ...env, HOME: place.home };
    const isTerminal = terminals.stdout === true;
    if (full === undefined) return desk.built.run(argv, theirs, { isTerminal, ...given });
    const stdin = specimen.stdin === undefined ? { stdin: place.pipe() } : {};
    return desk.built.run(argv, theirs, { ...given, files: { ...stdin, [full]: '/dev/full' } });
  }
  return ferry(argv, {
    ...{ env, home: place.home, cwd: place.folder, ...given },
    // What succeeds tries nothing twice, and some of it waits for a time of the real chains.
    pace: outcome === 'success' ? 1 : pace,
    // Under --json there are no prompts, even on a terminal.
    terminals: { ...(json && { stdin: true }), ...terminals, ...(given.stdin && { stdin: false }) },
    ...(terminals.stdout ? { columns: 100 } : {}),
    self: [process.execPath, desk.built.path],
  });
}

const leads = {
  success: 'sandbox',
  unanswered: 'sandbox',
  service: 'faults',
  network: 'nobody',
  usage: 'nobody',
} as const;

async function judged(desk: Desk, line: Line, ended: Ended, due: Expected): Promise<Judged> {
  const { entry, argv, place, outcome, surrounding } = line;
  const wrong = line.full === 'stdout' ? lost(line, ended) : await breaches({ ...line, name: entry.name, ended }, due);
  try {
    assertSilent(`${ended.stdout}\n${ended.stderr}`, desk.secrets);
    assertSilent(place.written(), desk.secrets);
  } catch (error) {
    wrong.push(String(error));
  }
  const what = `${line.runs}, ${outcome}, ${surrounding.name}: ferry ${argv.join(' ')}`;
  return { wrong: wrong.map((each) => `${what}: ${each}`), isColored: ended.stdout.includes('\u001b[') };
}

/** They begin a run, which has paid when they succeed. */
const paying: readonly string[] = [
  ...['execute', 'execute call', 'venue deposit', 'venue withdraw'],
  ...['resume', 'runs speed-up'],
];

/** What is wrong with a line that succeeded and could not say so. */
function lost({ entry, json, specimen: { writesNothing } }: Line, { code, stderr }: Ended): string[] {
  const due: Code = paying.includes(entry.name) ? 'output.lost' : 'output.unwritable';
  const plain = stripVTControlCharacters(stderr);
  if (writesNothing && !json) return code === 0 ? [] : [`it ended with ${code}, and has no result to lose: ${plain}`];
  return [
    ...(code === entryOf(due).exit ? [] : [`it ended with ${code} and not ${entryOf(due).exit}`]),
    ...(plain.includes(`(${due})\n`) ? [] : [`it does not say ${due}: ${plain.slice(-600)}`]),
    ...(/^ {4}at |bug in ferry/m.test(plain) ? [`a stack: ${plain.slice(-600)}`] : []),
    ...(due === 'output.unwritable' || /next: ferry runs show \S+/.test(plain) ? [] : ['it does not name its run']),
  ];
}

/** The expected end of a line, by the server it contacts first. */
function expected({ asks, fails, reports }: Specimen, { outcome, surrounding: { status } }: Cell): Expected {
  if (outcome === 'unanswered') return { codes: ['usage.confirmation', 'prompt.unavailable'] };
  if (outcome === 'success') return {};
  if (asks === 'nobody') return { isSilent: true };
  const at = outcome === 'network' ? 0 : status;
  const code = fails?.(at) ?? refusals[asks][at];
  if (code === undefined) throw new Error(`Nobody says what ${at} of the ${asks} means.`);
  return { codes: [code], reports };
}

/** The error code for each HTTP status, and for 0, which means unreachable. */
const refusals: Readonly<Record<Exclude<Asked, 'nobody'>, Readonly<Record<number, Code>>>> = {
  service: {
    0: 'service.unreachable',
    400: 'service.refused',
    401: 'auth.refused',
    429: 'service.rate-limited',
    500: 'service.unavailable',
    503: 'service.unavailable',
  },
  venue: {
    0: 'venue.unreachable',
    400: 'venue.refused',
    401: 'venue.refused',
    429: 'venue.rate-limited',
    500: 'venue.unavailable',
    503: 'venue.unavailable',
  },
  node: {
    0: 'chain.unreachable',
    400: 'chain.refused',
    401: 'chain.refused',
    429: 'chain.refused',
    500: 'chain.unreachable',
    503: 'chain.unreachable',
  },
};
