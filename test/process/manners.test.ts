/**
 * The manners matrix: every command, in every way to end, on a terminal, in a pipe, in CI and with both words on colour.
 * Under --json stdout is one document, or lines where the command streams, and nothing else; stderr carries no JSON; there
 * is colour only where it was decided; nobody waits for an answer; and no secret is printed or written anywhere. A signal
 * at each file that a command reads ends it.
 *
 * The cells follow from the table of commands. The suite runs a sample, in which every command fails and is mistyped, and
 * those that ask and half of the others succeed, in surroundings by turns; `streams.test.ts` has the full disks of real processes. All of it:
 * MANNERS=all npx vitest run --config test/vitest.config.ts test/process/manners.test.ts
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { table } from '../../src/cli/commandTable.js';
import { addFault, clearFaults } from '../support/faults.js';
import { type Cell, carryOut, type Line, lines, mistake, mistakes } from '../support/mannersCells.js';
import { type Desk, openDesk } from '../support/mannersDesk.js';
import { elsewhere, interrupt, named, reads } from '../support/mannersReads.js';
import { type Outcome, specimens } from '../support/mannersSpecimens.js';
import { surroundings } from '../support/surroundings.js';

const all = process.env.MANNERS === 'all';
let desk: Desk;
/** How often each outcome was met, by outcome; and the surroundings of which a result had colour. */
const met = new Map<Outcome, number>();
const colored = new Set<string>();
const warnings: string[] = [];
const warned = ({ name, message }: Error): unknown => warnings.push(`${name}: ${message}`);

beforeAll(async () => {
  process.on('warning', warned);
  desk = await openDesk();
}, 120_000);
afterAll(async () => {
  process.removeListener('warning', warned);
  const count = [...met.values()].reduce((sum, each) => sum + each, 0);
  process.stderr.write(
    `manners matrix: ${count} cells of ${table.length} commands${all ? '' : ' (a sample; MANNERS=all)'}\n`,
  );
  await desk?.stop();
}, 30_000);

/** Every surrounding with and without --json: the next of them in turn, or with MANNERS=all each. */
const forms = [true, false].flatMap((json) => surroundings.map((surrounding) => ({ json, surrounding })));

function next(outcome: Outcome): readonly Cell[] {
  const turn = met.get(outcome) ?? 0;
  const cells = all ? forms : forms.slice(turn % forms.length).slice(0, 1);
  met.set(outcome, turn + cells.length);
  return cells.map((form) => ({ outcome, ...form }));
}

/** Carries out a line in a way to end; returns the specimen. */
async function assertEnds(line: Line, outcome: Outcome) {
  let found: Awaited<ReturnType<typeof carryOut>> | undefined;
  for (const cell of next(outcome)) {
    if (outcome === 'service') await refuse(cell);
    found = await carryOut(desk, line, cell);
    if (outcome === 'service') await clearFaults(desk.sandbox);
    if (found.isColored) colored.add(cell.surrounding.name);
    expect(found.wrong, found.wrong.join('\n')).toEqual([]);
  }
  return found?.specimen;
}

/** The service, the venue and the nodes refuse; with 401 they repeat what they were sent. */
async function refuse({ surrounding: { status } }: Cell): Promise<void> {
  for (const place of ['service', 'venue', 'alpha', 'beta'] as const) {
    const repeated = status === 401 ? { body: desk.repeating(place) } : {};
    await addFault(desk.sandbox, place, { kind: 'status', status, times: 0, ...repeated });
  }
}

/** Their own tests see them succeed, which takes seconds. */
const long: readonly string[] = ['demo', 'demo attack'];

describe('every command', () => {
  test('behavior: has a specimen, and nothing else has', () => {
    expect(Object.keys(specimens).sort()).toEqual(table.map(({ name }) => name).sort());
  });

  // One that asks nobody succeeds although nobody answers.
  test.each(lines)(
    'behavior: $title fails as it must, succeeds, and ends where it asks and nobody answers',
    async (line) => {
      const outcome = line.index % 2 === 0 ? 'network' : 'service';
      if (all) await assertEnds(line, outcome === 'network' ? 'service' : 'network');
      const specimen = await assertEnds(line, outcome);
      const isSampled = !long.includes(line.entry.name) && (specimen?.confirms || line.index % 2 === 1);
      if (all || (specimen?.asks !== 'nobody' && isSampled)) await assertEnds(line, 'success');
      if (specimen?.confirms) await assertEnds(line, 'unanswered');
    },
    60_000,
  );

  test.each(lines.filter(({ variant }) => variant === 0))('error: $title mistyped', async (line) => {
    const typed = mistakes(line.entry, await line.entry.load());
    // Of its kinds of mistakes each command makes one, and all commands together all of them.
    for (const argv of all ? typed : [typed[line.index % typed.length] ?? []])
      for (const cell of next('usage')) expect(await mistake(desk, line, cell, argv)).toEqual([]);
  });
});

// Only there can a test see what a thread waits for.
describe.skipIf(process.platform !== 'linux')('a signal at each read', () => {
  test('behavior: every file that a command names is in the list', async () => {
    const known = [...Object.keys(reads), ...elsewhere];
    expect((await named()).filter((name) => !known.includes(name))).toEqual([]);
  });

  test.each(Object.keys(reads).map((name, index) => [name, index] as const))('error: %s', async (name, index) => {
    const wrong = await interrupt(desk, name, index);
    expect(wrong, wrong.join('\n')).toEqual([]);
  });
});

describe('the matrix', () => {
  test('behavior: every way to end was met in all surroundings, with and without --json', () => {
    for (const [outcome, count] of met) expect([outcome, count >= forms.length]).toEqual([outcome, true]);
  });

  test('behavior: there was colour where it was decided', () => {
    const due = surroundings.filter((each) => each.colored.stdout).map(({ name }) => name);
    expect(due.filter((name) => !colored.has(name))).toEqual([]);
  });

  test('behavior: Node warned of nothing', () => {
    expect(warnings).toEqual([]);
  });
});
