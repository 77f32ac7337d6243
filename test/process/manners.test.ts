/**
 * The manners matrix: every command, in every way to end, on a terminal, in a pipe, in CI and with both words on colour.
 * Under --json stdout is one document, or lines where the command streams, and nothing else; stderr carries no JSON; there
 * is colour only where it was decided; nobody waits for an answer; and no secret is printed or written anywhere.
 *
 * The cells follow from the table of commands: every command fails and is mistyped, and those that ask and half of the others
 * succeed, in surroundings by turns; `streams.test.ts` has the full disks of real processes.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { table } from '../../src/cli/commandTable.js';
import { type Cell, carryOut, type Line, lines, mistake, mistakes } from '../support/mannersCells.js';
import { type Desk, openDesk } from '../support/mannersDesk.js';
import { type Outcome, type Specimen, specimens } from '../support/mannersSpecimens.js';
import { surroundings } from '../support/surroundings.js';

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
  await desk?.stop();
}, 30_000);

/** Every surrounding with and without --json, of which the next is taken in turn. */
const forms = [true, false].flatMap((json) => surroundings.map((surrounding) => ({ json, surrounding })));

function next(outcome: Outcome): Cell {
  const turn = met.get(outcome) ?? 0;
  met.set(outcome, turn + 1);
  return { outcome, ...(forms[turn % forms.length] as (typeof forms)[number]) };
}

/** Carries out a line in a way to end; returns the specimen. */
async function assertEnds(line: Line, outcome: Outcome): Promise<Specimen> {
  const cell = next(outcome);
  const found = await carryOut(desk, line, cell);
  if (found.isColored) colored.add(cell.surrounding.name);
  expect(found.wrong, found.wrong.join('\n')).toEqual([]);
  return found.specimen;
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
      const { asks, confirms } = await assertEnds(line, 'network');
      const isSampled = !long.includes(line.entry.name) && (confirms || line.index % 2 === 1);
      if (asks !== 'nobody' && isSampled) await assertEnds(line, 'success');
      if (confirms) await assertEnds(line, 'unanswered');
    },
    60_000,
  );

  test.each(lines.filter(({ variant }) => variant === 0))('error: $title mistyped', async (line) => {
    const typed = mistakes(line.entry, await line.entry.load());
    // Of its kinds of mistakes each command makes one, and all commands together all of them.
    expect(await mistake(desk, line, next('usage'), typed[line.index % typed.length] ?? [])).toEqual([]);
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
