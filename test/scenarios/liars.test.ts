/**
 * Nobody's word alone: each witness lies about each fact that it is asked for, one lie at a time, over every way to
 * pay, with and without a person who is asked. The lies are generated from what honest runs are answered. No money is
 * lost or paid twice, and nothing is called untouched or delivered that is not.
 *
 * Each payer is new, and each cell has its own state folder, so that no cell knows of another. By default the smallest
 * sample in which there is a lie about everything that is asked, and two in every flow, but for most that alter files; which
 * ones depends on `LIARS_SEED`.
 * `LIARS=2000` takes about so many, of every kind, and `LIARS=all` each kind of lie about each fact; `LIARS_LOG` names a
 * file for one line a cell.
 */
import { appendFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BuiltFerry, buildFerry } from '../support/builtFerry.js';
import * as cells from '../support/liarCells.js';
import { type Flow, flows } from '../support/liarFlows.js';
import * as kinds from '../support/lieKinds.js';
import { sampled } from '../support/sampled.js';
import { startSandbox, type TestSandbox } from '../support/sandbox.js';
import { open, type Witnesses } from '../support/witnesses.js';

const { LIARS = '12', LIARS_SEED = '1', LIARS_LOG } = process.env;
const isWhole = LIARS !== '12';

/** How many lies a flow gets: those that altered files are for take two commands, and get fewer than the others. */
function shareOf(flow: Flow): number {
  if (LIARS === 'all') return Number.POSITIVE_INFINITY;
  const weightOf = (flow: Pick<Flow, 'begin'>): number => (flow.begin ? 2 : 5);
  const weights = flows.map(weightOf);
  return Math.ceil((Number(LIARS) * weightOf(flow)) / weights.reduce((sum, each) => sum + each, 0));
}

/** Of each flow that no file is read for, so many cells are done by a real process; of the others, and by default, none. */
const processesOf = ({ begin, name }: Flow): number => (isWhole && !begin ? 4 : name === 'gasless' ? 1 : 0);

/** How often each thing that is asked, and each kind of change, was lied about: what was least is next. */
const told = new Map<string, number>();
/** All that could be lied about. */
const tellable = new Set<string>();

let sandbox: TestSandbox;
let built: BuiltFerry;
beforeAll(async () => {
  [sandbox, built] = await Promise.all([startSandbox(), buildFerry()]);
}, 120_000);
afterAll(async () => {
  built.remove();
  await sandbox.stop();
});

/** Two honest runs, one in each mode, and a sample of the lies about the second. */
async function prepared(flow: Flow, witnesses: Witnesses, most: number, seed: string) {
  const reports = [];
  for (const mode of cells.modes) {
    const report = await cells.run({ flow, mode, lie: undefined }, { sandbox, witnesses });
    expect([mode, report.said[0], report.breaches]).toMatchObject([mode, { code: 0, funds: 'delivered' }, []]);
    reports.push(report);
  }
  const [earlier = [], now = []] = reports.map(({ asked }) => asked);
  const all = kinds.all(now, earlier);
  return {
    earlier,
    lies: kinds.sample(all, { most, seed: `${seed} ${flow.name}`, told, tellable, isOfEveryKind: isWhole }),
    processLies: kinds.sample(all, { most: processesOf(flow), seed: `${seed} ${flow.name} processes`, told }),
  };
}

/** A lie as it is told in a cell. */
function asTold(lie: kinds.Named, earlier: Parameters<typeof kinds.told>[1]): Pick<cells.Cell, 'lie' | 'isHarmless'> {
  return { lie: kinds.told(lie, earlier), isHarmless: kinds.ruleOf(lie) !== undefined };
}

/** What is wrong with a cell, by its name. */
function breachesOf(name: string, lie: kinds.Named, report: cells.Report): string[] {
  const { said, breaches, spent, got } = report;
  if (LIARS_LOG !== undefined) {
    const words = said.map(({ code, funds, error = '' }) => `${code}/${funds}/${error}`).join(' ');
    appendFileSync(LIARS_LOG, `${[name, words, spent, got, breaches.join('; ')].join('\t')}\n`);
  }
  const rule = kinds.ruleOf(lie);
  const isRefused = rule !== undefined && said[0]?.funds !== 'delivered';
  return [...breaches, ...(isRefused ? [`it decides something, although "${rule.reason}"`] : [])].map(
    (breach) => `${name}: ${breach}`,
  );
}

describe('one witness lies', () => {
  const [begun, others] = [flows.filter(({ begin }) => begin), flows.filter(({ begin }) => !begin)];
  // The flows with few lies last: they tell what no other could.
  const ordered = [...others, ...(isWhole ? begun : sampled(begun, 2))];
  test.each(ordered.map((flow) => [flow.name, flow] as const))(
    '%s',
    async (_, flow) => {
      const witnesses = await open(sandbox);
      const { earlier, lies, processLies } = await prepared(flow, witnesses, shareOf(flow), LIARS_SEED);
      const breaches: string[] = [];
      const tally: Record<string, number> = {};
      for (const [index, lie] of lies.entries()) {
        const mode = cells.modes[index % 2] ?? '--yes';
        const cell = { flow, mode, ...asTold(lie, earlier) };
        const report = await cells.run(cell, { sandbox, witnesses });
        const said = report.said[0]?.funds ?? 'unknown';
        tally[said] = (tally[said] ?? 0) + 1;
        breaches.push(...breachesOf(`${flow.name}, ${mode}, ${kinds.nameOf(lie)}`, lie, report));
      }
      for (const lie of processLies) {
        const cell = { flow, mode: '--yes', ...asTold(lie, earlier) } as const;
        const report = await cells.run(cell, { sandbox, witnesses, built });
        breaches.push(...breachesOf(`${flow.name}, process, ${kinds.nameOf(lie)}`, lie, report));
      }
      process.stdout.write(`${flow.name}: ${lies.length} lies, ferry said ${JSON.stringify(tally)}\n`);
      expect(breaches).toEqual([]);
    },
    isWhole ? 7_200_000 : 600_000,
  );

  test('behavior: a lie was told about everything that is asked', () => {
    expect([...tellable].filter((each) => !told.has(each))).toEqual([]);
  });
});
