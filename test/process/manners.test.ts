/**
 * The manners matrix: every command, in every way to end, on a terminal, in a pipe, in CI and with both words on colour.
 * Under --json stdout is one document, or lines where the command streams, and nothing else; stderr carries no JSON; there
 * is colour only where it was decided; nobody waits for an answer; and no secret is printed or written anywhere. As a process
 * it also meets a full disk behind stdout or stderr, and a signal at each file that it reads, and ends as it must.
 *
 * The cells follow from the table of commands. The suite runs a sample, in which every command ends in every way, and in
 * every way in all surroundings; as a process it runs two lines of each kind. All of it:
 * MANNERS=all npx vitest run --config test/vitest.config.ts test/process/manners.test.ts
 */
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { table } from '../../src/cli/commandTable.js';
import { addFault, clearFaults } from '../support/faults.js';
import { around, type Cell, carryOut, confirms, lines, mistake, mistakes, quick } from '../support/mannersCells.js';
import { type Desk, openDesk } from '../support/mannersDesk.js';
import { elsewhere, interrupt, named, readCells, reads } from '../support/mannersReads.js';
import { type Outcome, specimens } from '../support/mannersSpecimens.js';
import { type Surrounding, surroundings } from '../support/surroundings.js';
import { describeWith } from '../support/terminal.js';

const all = process.env.MANNERS === 'all';
let desk: Desk;
const cells = new Map<string, number>();
/** Where a result was in colour. */
const colored = new Set<string>();
const warnings: string[] = [];
const warned = ({ name, message }: Error): unknown => warnings.push(`${name}: ${message}`);

beforeAll(async () => {
  process.on('warning', warned);
  desk = await openDesk();
}, 120_000);
afterAll(async () => {
  process.removeListener('warning', warned);
  const count = (part: string): number =>
    [...cells].reduce((sum, [name, number]) => (name.includes(part) ? sum + number : sum), 0);
  process.stderr.write(
    `manners matrix: ${count('')} cells of ${table.length} commands, ${count('built')} of them as processes, no secret in any of them${all ? '' : ' (a sample; MANNERS=all)'}\n`,
  );
  await desk?.stop();
}, 30_000);

type Line = (typeof lines)[number];
type How = { runs?: Cell['runs']; act?: typeof carryOut; full?: 'stdout' | 'stderr'; forms?: readonly boolean[] };

/** What succeeds or nearly does may send, and a signer has one sequence of nonces. */
const shared: readonly Outcome[] = ['success', 'unanswered'];

/** Two lines, each time others, one with and one without --json; with MANNERS=all every one with both. */
const half = Math.ceil(lines.length / 2);
const few = (turn: number) => lines.filter(({ index }) => all || index % half === turn);
const formsOf = ({ index }: Line): readonly boolean[] => (all ? [true, false] : [index < half]);

/** With and without --json in turn, in all surroundings; with MANNERS=all both. */
const inTurn = ({ index }: Line): readonly boolean[] =>
  all ? [true, false] : [Math.floor(index / surroundings.length) % 2 === 0];

/** They start and stop the one in the background. */
const isOfSandbox = ({ name }: Line['entry']): boolean => name.startsWith('sandbox ');

/** Runs a line in one of the ways to end, with and without --json: both at once where they share nothing. */
async function assertManners(
  { entry, variant }: Line,
  outcome: Outcome,
  at: readonly Surrounding[],
  { runs = 'here', act = carryOut, full, forms = [true, false] }: How = {},
): Promise<void> {
  const isApart = entry.name.startsWith('key ') || !(isOfSandbox(entry) || shared.includes(outcome));
  const wrong: string[] = [];
  for (const surrounding of at) {
    const run = async (json: boolean): Promise<void> => {
      const judged = await act(desk, { entry, variant, outcome, surrounding, json, runs, ...(full && { full }) });
      wrong.push(...judged.wrong);
      const name = `${runs} ${full === undefined ? outcome : `full ${full}`} ${surrounding.name} ${json}`;
      cells.set(name, (cells.get(name) ?? 0) + 1);
      if (judged.isColored) colored.add(`${runs} ${surrounding.name}`);
    };
    if (isApart) await Promise.all(forms.map(run));
    else for (const json of forms) await run(json);
  }
  expect(wrong, wrong.join('\n')).toEqual([]);
}

describe('the table', () => {
  test('behavior: every command has a specimen, and nothing else has', () => {
    expect(Object.keys(specimens).sort()).toEqual(table.map(({ name }) => name).sort());
  });
});

describe('a success', () => {
  test.each(lines)(
    'behavior: $title; where it asks and nobody answers, it ends',
    async (line) => {
      // The text of a quick one is looked at with its colors.
      const forms = quick.includes(line.entry.name) ? [true] : inTurn(line);
      await assertManners(line, 'success', around(line.index, 0, all), { forms: all ? [true, false] : forms });
      if (await confirms(desk, line))
        await assertManners(line, 'unanswered', around(line.index, 1, all), { forms: inTurn(line) });
    },
    60_000,
  );
});

describe('a usage error', () => {
  test.each(lines.filter(({ variant }) => variant === 0))('error: $title', async (line) => {
    const typed = mistakes(line.entry, await line.entry.load());
    for (const [turn, argv] of typed.entries()) {
      // Of its kinds of mistakes each command makes every third, and all commands together all of them.
      if (!all && (turn + line.index) % 3 !== 0) continue;
      await assertManners(line, 'usage', around(line.index, turn, all), { act: (at, cell) => mistake(at, cell, argv) });
    }
  });
});

/** Every line fails, or proves that it asks nobody by succeeding all the same. */
function failing(outcome: 'service' | 'network', surrounding: Surrounding, turn: number): void {
  const ofMatrix = lines.filter(({ variant }) => all || variant === 0);
  const here = ofMatrix.filter(({ index }) => around(index, turn, all).includes(surrounding));
  const alone = here.filter(({ entry }) => isOfSandbox(entry));
  // With and without --json in turn.
  const forms = ({ index }: Line): readonly boolean[] => (all ? [true, false] : [(index + turn) % 2 === 0]);
  const fails = (line: Line): Promise<void> => assertManners(line, outcome, [surrounding], { forms: forms(line) });
  test.concurrent.each(here.filter((line) => !alone.includes(line)))('error: $title', fails, 60_000);
  test.each(alone)('error: $title', fails);
}

describe.each(surroundings)('a service, a venue and nodes that answer with $status: $name', (surrounding) => {
  beforeAll(async () => {
    const { status } = surrounding;
    for (const place of ['service', 'venue', 'alpha', 'beta'] as const) {
      const repeated = status === 401 ? { body: desk.repeating(place) } : {};
      await addFault(desk.sandbox, place, { kind: 'status', status, times: 0, ...repeated });
    }
  });
  afterAll(() => clearFaults(desk.sandbox));
  failing('service', surrounding, 2);
});

describe.each(surroundings)('a network where nobody answers: $name', (surrounding) => {
  failing('network', surrounding, 3);
});

describeWith(['script'], 'the built program', () => {
  test.each(few(0))(
    'behavior: $title succeeds',
    async (line) => {
      await assertManners(line, 'success', around(line.index, 0, false), { runs: 'built', forms: formsOf(line) });
    },
    60_000,
  );
  test.each(few(1))(
    'error: $title where nobody answers',
    async (line) => {
      await assertManners(line, 'network', around(line.index, 3, false), { runs: 'built', forms: formsOf(line) });
    },
    60_000,
  );
  test.each(few(2))(
    'error: $title with an option that it has not',
    async (line) => {
      const argv = [...line.entry.name.split(' '), '--no-such-option'];
      const act: typeof carryOut = (at, cell) => mistake(at, cell, argv);
      await assertManners(line, 'usage', around(line.index, 4, false), { runs: 'built', act, forms: formsOf(line) });
    },
    60_000,
  );
});

describe.skipIf(!existsSync('/dev/full'))('a full disk, and a stdin that nobody writes to', () => {
  const at = surroundings.filter(({ name }) => name === 'pipe');
  const how = (line: Line, full: 'stdout' | 'stderr'): How => ({ runs: 'built', full, forms: formsOf(line) });
  test.each(few(1))(
    'error: $title with stdout on a full disk',
    async (line) => {
      await assertManners(line, 'success', at, how(line, 'stdout'));
    },
    60_000,
  );
  test.each(few(7))(
    'behavior: $title with stderr on a full disk',
    async (line) => {
      await assertManners(line, 'success', at, how(line, 'stderr'));
    },
    60_000,
  );
});

// Only there can a test see what a process waits for.
describe.skipIf(process.platform !== 'linux')('a signal at each read', () => {
  test('behavior: every file that a command names is in the list', async () => {
    const known = [...Object.keys(reads), ...elsewhere];
    expect((await named()).filter((name) => !known.includes(name))).toEqual([]);
  });

  // One in forty-eight; with MANNERS=all every one.
  test.each(readCells.filter(({ index }) => all || index % 48 === 5))(
    'error: $name, $waits, $signal, --json $json',
    async (cell) => {
      const wrong = await interrupt(desk, cell);
      cells.set('built signal', (cells.get('built signal') ?? 0) + 1);
      expect(wrong, wrong.join('\n')).toEqual([]);
    },
    90_000,
  );
});

describe('the matrix', () => {
  test('behavior: every way to end was met in all surroundings, with and without --json', () => {
    const ways = ['success', 'unanswered', 'usage', 'service', 'network'];
    const due = ways.flatMap((way) =>
      surroundings.flatMap(({ name }) => [true, false].map((json) => `here ${way} ${name} ${json}`)),
    );
    expect(due.filter((name) => !cells.has(name))).toEqual([]);
  });

  test('behavior: there was colour where it was decided', () => {
    const due = surroundings.filter((each) => each.colored.stdout).map(({ name }) => `here ${name}`);
    expect(due.filter((name) => !colored.has(name))).toEqual([]);
  });

  test('behavior: Node warned of nothing', () => {
    expect(warnings).toEqual([]);
  });
});
