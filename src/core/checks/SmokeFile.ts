/** Smoke files: a list of transfers, each with expectations. */
import * as z from 'zod/mini';
import * as Decode from '../api/schema/Decode.js';
import * as Errors from '../base/Errors.js';
import * as TransferEntry from '../batch/TransferEntry.js';
import { nearest } from '../text/DidYouMean.js';
import * as TerminalText from '../text/TerminalText.js';

const { problem } = TransferEntry;

export type Smoke = {
  /** The limit on the spending of all cases together, as written. */
  cap: Cap | undefined;
  cases: readonly Case[];
};

/** A limit in dollars, or a decimal limit per currency; the key `usd` is a total in dollars. */
export type Cap = string | Readonly<Record<string, string>>;

export type Case = {
  name: string;
  does: TransferEntry.Action;
  /** As written: a decimal or `max`, and two currencies. */
  amount: string;
  from: string;
  to: string;
  /** Options of `ferry quote` or `ferry execute`, as written. */
  options: TransferEntry.TransferOptions;
  expect: Expect;
};

/** The expectations of a case. Without an exit code, an error code or a status, the case must succeed. */
export type Expect = Omit<z.output<typeof expectSchema>, 'code'> & { code?: Errors.Code | undefined };

const { decimal } = TransferEntry;

const expectSchema = z.strictObject({
  /** A decimal in units of the output: the amount that a quote guarantees, or that an execution receives. */
  minOut: z.optional(decimal),
  /** Decimal dollars. */
  maxFeeUsd: z.optional(decimal),
  /** Limit for the whole case, including the proof and the wait for delivery. */
  maxSeconds: z.optional(z.number().check(z.gte(0))),
  exit: z.optional(z.int().check(z.gte(0), z.lte(12))),
  code: z.optional(z.string()),
  status: z.optional(z.enum(['success', 'refund'])),
});

const deed = z.enum(['quote', 'execute']);

const caseSchema = z.strictObject({
  name: z.string().check(z.minLength(1), z.maxLength(200)),
  does: z.optional(deed),
  ...TransferEntry.route,
  expect: z.optional(expectSchema),
  ...TransferEntry.options,
});

const schema = z.strictObject({
  cap: z.optional(z.union([decimal, z.record(z.string(), decimal)])),
  defaults: z.optional(
    z.strictObject({ does: z.optional(deed), expect: z.optional(expectSchema), ...TransferEntry.options }),
  ),
  cases: z.array(caseSchema).check(z.minLength(1), z.maxLength(1000)),
});

type Written = z.output<typeof schema>;

/**
 * Reads the cases of a file and applies its defaults.
 *
 * @param path the name of the file in errors
 * @throws smoke.unreadable with the path of each problem and what is expected there
 */
export function read(content: unknown, path: string): Smoke {
  const decoding = Decode.from(schema, content);
  if (!decoding.ok) throw noSmoke(path, decoding.problems);
  const { cap, defaults = {}, cases } = decoding.value;
  const problems = [
    ...problemsOf(defaults, ['defaults'], 'execute'),
    ...cases.flatMap((each, index) => [
      ...problemsOf(each, ['cases', index], each.does ?? defaults.does ?? 'quote'),
      ...(cases.findIndex(({ name }) => name === each.name) < index
        ? [problem(['cases', index, 'name'], 'a unique name')]
        : []),
    ]),
  ];
  if (problems.length > 0) throw noSmoke(path, problems);
  return { cap, cases: cases.map((each) => merged(each, defaults)) };
}

/**
 * The cases whose name contains one of the texts, or matches one with `*` or `?`. All cases if there are no texts.
 *
 * @throws usage.invalid if no case matches
 */
export function select(cases: readonly Case[], only: readonly string[]): readonly Case[] {
  if (only.length === 0) return cases;
  const chosen = cases.filter(({ name }) => only.some((text) => fits(name.toLowerCase(), text.toLowerCase())));
  if (chosen.length === 0) {
    const asked = only.map((each) => `"${TerminalText.escape(each)}"`).join(' or ');
    throw new Errors.BaseError('usage.invalid', `No case matches ${asked}.`, {
      facts: [['cases', TerminalText.few(cases.map(({ name }) => TerminalText.escape(name)))]],
    });
  }
  return chosen;
}

function merged(each: Written['cases'][number], defaults: NonNullable<Written['defaults']>): Case {
  const { name, amount, from, to, does = defaults.does ?? 'quote', expect = {}, ...options } = each;
  const { does: _, expect: expected = {}, ...under } = defaults;
  const inherited = Object.entries(under).filter(
    ([key]) => does === 'execute' || !(TransferEntry.ofExecutions as readonly string[]).includes(key),
  );
  const { status, ...rest } = { ...expected, ...expect } as Expect;
  return {
    ...{ name, does, amount, from, to },
    options: { ...Object.fromEntries(inherited), ...options },
    expect: does === 'execute' && status !== undefined ? { ...rest, status } : rest,
  };
}

type Path = Decode.Problem['path'];

/** Problems that the schema cannot express. */
function problemsOf(
  given: TransferEntry.TransferOptions & Pick<Written['cases'][number], 'expect'>,
  at: Path,
  does: TransferEntry.Action,
): Decode.Problem[] {
  const { code, status } = given.expect ?? {};
  const known = `one of ferry’s error codes, such as ${nearest(code ?? '', codes()) ?? 'service.refused'}`;
  const isMisplaced = does === 'quote' && status !== undefined;
  return [
    ...TransferEntry.problems(given, at),
    ...(code === undefined || codes().includes(code) ? [] : [problem([...at, 'expect', 'code'], known)]),
    ...TransferEntry.misplaced(given, does, at),
    ...(isMisplaced ? [problem([...at, 'expect', 'status'], 'no value: it applies to executions only')] : []),
  ];
}

function codes(): string[] {
  return Errors.entries().map(([code]) => code);
}

function fits(name: string, pattern: string): boolean {
  if (!/[*?]/.test(pattern)) return name.includes(pattern);
  const source = pattern.replace(/[\\^$.|+()[\]{}]/g, '\\$&').replace(/\*+/g, '.*');
  return new RegExp(`^${source.replaceAll('?', '.')}$`, 'su').test(name);
}

const shown = 8;

function noSmoke(path: string, problems: readonly Decode.Problem[]): Errors.BaseError {
  const isRounded = problems.some(({ kind, rule }) => kind === 'type' && rule === 'must be string');
  const known = [...Object.keys(caseSchema.shape), ...Object.keys(expectSchema.shape), ...Object.keys(schema.shape)];
  const unknown = problems.find(({ kind }) => kind === 'unknown')?.path.at(-1);
  const near = unknown === undefined ? undefined : nearest(String(unknown), known);
  const hint = near
    ? `Did you mean ${near}?`
    : isRounded
      ? 'Put amounts and other strings in quotes: a parser may round a bare number.'
      : undefined;
  return new Errors.BaseError('smoke.unreadable', `${path} is not a list of cases for ferry smoke.`, {
    facts: [
      ...problems.slice(0, shown).map((each) => TransferEntry.toFact(each, 'the file')),
      ...(problems.length > shown ? [['and', `${problems.length - shown} more`] as const] : []),
    ],
    hint,
    next: 'ferry smoke --example',
  });
}
