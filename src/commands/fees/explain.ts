import { define, type Flags, type Options } from '../../core/command/Command.js';
import * as FeeExpectation from '../../core/fees/FeeExpectation.js';
import * as FeeStatement from '../../core/fees/FeeStatement.js';
import * as FeeStatementSchema from '../../core/fees/FeeStatementSchema.js';
import * as FeesText from '../../core/view/FeesText.js';
import { intentFlags } from '../../transfer/transferOptions.js';
import { readBill } from './readBill.js';

const flags = {
  ...intentFlags,
  check: { type: 'boolean', description: 'exit 12 unless everything adds up, and no more is charged than was quoted' },
  tolerance: {
    type: 'string',
    value: 'limit',
    description:
      'for --check: how much more than quoted may be charged, a percentage of the input or dollars (default: 0.5%)',
  },
  strictSchedule: { type: 'boolean', description: 'for --check: the platform fee must be the schedule’s' },
} as const satisfies Flags;

export const command = define({
  description:
    'Explains what a transfer costs: every part of the price with what it is and who gets it, the costs that are in no part of the breakdown, quoted against charged once the request is filled, and whether it all adds up. It takes a saved quote, an answer or a record of the service, a request id, or an amount and two currencies.',
  args: [
    {
      name: 'what',
      description: '<amount> <from> <to>, or a file, or - for stdin, or a request id',
      names: 'bill',
      variadic: true,
    },
  ],
  options: flags,
  examples: [
    ['ferry fees explain 100 alpha/usdc beta/eth', 'of a new quote'],
    ['ferry fees explain quote.json', 'of a quote that was saved, offline'],
    ['ferry fees explain 0x17…', 'of a request: quoted against charged'],
    ['ferry fees explain 0x17… --check --tolerance 0.1% --json', 'for a pipeline: exits 12 where it does not add up'],
    ['ferry quote 1 alpha/eth beta/gull --json | ferry fees explain -', 'in a pipe'],
  ],
  output: FeeStatementSchema.schema,
  async run(options, context) {
    const told = await readBill(options, context);
    const expectation = expected(options);
    const statement = FeeStatement.from(told.bill, { ...told, expectation });
    if (expectation) for (const each of unchecked(statement)) context.warn(each);
    return statement;
  },
  view: FeesText.format,
  outcome: ({ expectation }) => (expectation?.met === false ? 'expect.unmet' : undefined),
});

/** What --check could not look at: it is no breach, but it is no success either. */
function unchecked({ checks, source, total }: FeeStatement.Statement): string[] {
  const untold = checks.filter(({ verdict }) => verdict === 'cannot tell');
  return [
    ...untold.map(({ check }) => `${check} could not be checked: the figures do not suffice.`),
    ...(source === 'record' && total.difference === null
      ? ['Quoted and charged could not be compared: the request is not filled.']
      : []),
  ];
}

/** What --check holds it to; each of its options says --check too. */
function expected({ check, tolerance, strictSchedule }: Options<typeof flags>): FeeExpectation.Expectation | undefined {
  if (!check && tolerance === undefined && !strictSchedule) return undefined;
  return {
    tolerance: tolerance === undefined ? FeeExpectation.initial : FeeExpectation.toleranceFrom(tolerance),
    isScheduleStrict: strictSchedule === true,
  };
}
