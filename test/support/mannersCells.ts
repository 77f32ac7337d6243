/** A cell of the manners matrix: one command line with one outcome in one environment, and its violations. */
import { table } from '../../src/cli/commandTable.js';
import type { Code } from '../../src/core/base/Errors.js';
import type { Command, CommandEntry, Flag } from '../../src/core/command/Command.js';
import { type Ended, ferry, type Surroundings } from './ferry.js';
import { breaches, type Expected } from './manners.js';
import type { Desk, Env, Place } from './mannersDesk.js';
import { type Asked, type Outcome, type Specimen, specimens } from './mannersSpecimens.js';
import { programs } from './postgres.js';
import { assertSilent } from './secrets.js';
import type { Surrounding } from './surroundings.js';

/** A specimen of a command, by its number. */
export type Line = { entry: CommandEntry; variant: number; index: number; title: string };

export type Cell = { outcome: Outcome; surrounding: Surrounding; json: boolean };

/** The violations of a cell, its specimen, and whether its result had color. */
export type Judged = { wrong: string[]; specimen: Specimen; isColored: boolean };

/** Every specimen of every command, with its index. */
export const lines: readonly Line[] = table
  .filter(({ name }) => programs !== undefined || !name.startsWith('store '))
  .flatMap((entry) => (specimens[entry.name] ?? []).map((_, variant) => ({ entry, variant })))
  .map(({ entry, variant }, index) => ({ entry, variant, index, title: `${entry.name}${variant ? ' …' : ''}` }));

/** Runs a line in one of the ways to end. */
export async function carryOut(desk: Desk, line: Line, { json: wished, ...how }: Cell): Promise<Judged> {
  const { outcome, surrounding } = how;
  const place = desk.place();
  const specimen = await specimenOf(desk, line, outcome, place);
  const { stdin } = specimen;
  const argv = argvOf(line, specimen, outcome);
  // Behind them a flag is another program's.
  const json = wished && !argv.includes('--');
  const typed = json ? [...argv, '--json'] : argv;
  const ended = await beside(
    specimen,
    ferry(typed, {
      ...given(desk, specimen, place, outcome, surrounding.env),
      // What succeeds tries nothing twice, and some of it waits for a time of the real chains.
      pace: outcome === 'success' ? 1 : pace,
      // Under --json there are no prompts, even on a terminal.
      terminals: {
        ...(json && { stdin: true }),
        ...surrounding.terminals,
        ...(stdin !== undefined && { stdin: false }),
      },
      ...(surrounding.terminals.stdout ? { columns: 100 } : {}),
    }),
  );
  const wrong = await judged(
    desk,
    { line, cell: { ...how, json }, argv: typed, place, ended },
    expected(specimen, outcome),
  );
  return { wrong, specimen, isColored: ended.stdout.includes('\u001b[') };
}

/** What a line prints, on both streams, in a place of its own. */
export async function printed(
  desk: Desk,
  line: Line,
  outcome: Outcome,
  { columns, env }: { columns: number; env: Env },
): Promise<string> {
  const place = desk.place();
  const specimen = await specimenOf(desk, line, outcome, place);
  const running = ferry(argvOf(line, specimen, outcome), {
    ...given(desk, specimen, place, outcome, env),
    ...{ columns, pace },
  });
  const { stdout, stderr } = await beside(specimen, running);
  return `${stdout}${stderr}`;
}

async function specimenOf(desk: Desk, { entry, variant }: Line, outcome: Outcome, place: Place): Promise<Specimen> {
  const specimen = await specimens[entry.name]?.[variant]?.(desk, place, outcome);
  if (!specimen) throw new Error(`There is no specimen of ${entry.name}.`);
  return specimen;
}

function argvOf({ entry }: Line, { confirms, args }: Specimen, outcome: Outcome): string[] {
  return [...entry.name.split(' '), ...(confirms && outcome !== 'unanswered' ? ['--yes'] : []), ...args];
}

function given(desk: Desk, { env, stdin }: Specimen, place: Place, outcome: Outcome, more: Env): Surroundings {
  return {
    env: { ...place.env, ...desk.leads(leads[outcome]), ...env, ...more },
    ...{ home: place.home, cwd: place.folder, self: [process.execPath, desk.built.path] },
    ...(stdin === undefined ? {} : { stdin }),
  };
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
export async function confirms(desk: Desk, line: Line): Promise<boolean> {
  return (await specimenOf(desk, line, 'usage', desk.place())).confirms === true;
}

/** Runs an invalid command line. */
export async function mistake(desk: Desk, line: Line, cell: Cell, mistyped: readonly string[]): Promise<string[]> {
  const place = desk.place();
  const argv = cell.json ? [...mistyped.slice(0, 1), '--json', ...mistyped.slice(1)] : mistyped;
  const { terminals, env } = cell.surrounding;
  const ended = await ferry(argv, {
    ...given(desk, { args: [], asks: 'nobody' }, place, 'usage', env),
    terminals: { ...(cell.json && { stdin: true }), ...terminals },
    ...(terminals.stdout ? { columns: 100 } : {}),
  });
  return judged(desk, { line, cell, argv, place, ended }, { codes: usage });
}

/** Invalid command lines, derived from the command's own declaration. */
export function mistakes({ name }: CommandEntry, { args, options }: Command): string[][] {
  const words = name.split(' ');
  const flags = Object.entries(options) as [string, Flag][];
  const flag = (key: string): string => `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  const valued = flags.find(([, { value }]) => value !== undefined);
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

const leads = {
  success: 'sandbox',
  unanswered: 'sandbox',
  network: 'nobody',
  usage: 'nobody',
} as const;

type Run = { line: Line; cell: Cell; argv: readonly string[]; place: Place; ended: Ended };

async function judged(
  desk: Desk,
  { line: { entry }, cell, argv, place, ended }: Run,
  due: Expected,
): Promise<string[]> {
  const command = await entry.load();
  const wrong = await breaches({ name: entry.name, command, ...cell, ended }, due);
  try {
    assertSilent(`${ended.stdout}\n${ended.stderr}\n${place.written()}`, desk.secrets);
  } catch (error) {
    wrong.push(String(error));
  }
  return wrong.map((each) => `${cell.outcome}, ${cell.surrounding.name}: ferry ${argv.join(' ')}: ${each}`);
}

/** The expected end of a line, by the server it contacts first. */
function expected({ asks, fails, reports }: Specimen, outcome: Outcome): Expected {
  if (outcome === 'unanswered') return { codes: ['usage.confirmation', 'prompt.unavailable'] };
  if (outcome === 'success') return {};
  if (asks === 'nobody') return { isSilent: true };
  return { codes: [fails ?? unreachable[asks]], reports };
}

/** The error code of each where nobody answers. */
const unreachable: Readonly<Record<Exclude<Asked, 'nobody'>, Code>> = {
  service: 'service.unreachable',
  venue: 'venue.unreachable',
  node: 'chain.unreachable',
};
