/** The report of a smoke run: the output of `ferry smoke --json`, and the source of its table and JUnit file. */
import * as z from 'zod/mini';
import { type Code, fundsWords } from '../base/Errors.js';
import * as ExitCode from '../base/ExitCode.js';
import * as TerminalLine from '../text/TerminalLine.js';
import type { Style } from '../text/TerminalStyle.js';
import * as TerminalText from '../text/TerminalText.js';
import * as SmokeBudget from './SmokeBudget.js';
import type * as SmokeFile from './SmokeFile.js';
import type { Check, Verdict } from './SmokeVerdict.js';

const text = z.nullable(z.string());

const attempt = z.object({ code: z.string(), message: z.string(), seconds: z.number() });

const result = z.object({
  name: z.string(),
  does: z.enum(['quote', 'execute']),
  /** `100 alpha/usdc → beta/usdc`, as written. */
  route: z.string(),
  verdict: z.enum(['met', 'unmet', 'error', 'skipped']),
  checks: z.array(z.object({ what: z.string(), expected: z.string(), found: z.string(), met: z.boolean() })),
  /** Null if the case succeeded or was not started. */
  error: z.nullable(
    z.object({
      code: z.string(),
      exit: z.int(),
      message: z.string(),
      /** Details, one line each. */
      facts: z.array(z.string()),
      hint: text,
      next: text,
    }),
  ),
  /** The last status of an execution. */
  status: text,
  funds: z.enum(fundsWords),
  /** Duration of the last attempt. */
  seconds: z.number(),
  /** The attempts before the last one. They failed with a transient error before anything was signed. */
  failedAttempts: z.array(attempt),
  requestId: text,
  run: text,
});

export type Result = z.output<typeof result>;

export type Attempt = z.output<typeof attempt>;

export const schema = z.object({
  /** Null for the built-in list. */
  file: text,
  /** Unix time in milliseconds. */
  startedAt: z.number(),
  seconds: z.number(),
  version: z.string(),
  results: z.array(result),
  met: z.int(),
  unmet: z.int(),
  errors: z.int(),
  skipped: z.int(),
  /** The error code behind the exit code: the worst unexpected one. */
  worst: text,
  budget: SmokeBudget.schema,
});

export type Report = z.output<typeof schema>;

export type Source = Pick<Report, 'file' | 'startedAt' | 'seconds' | 'version' | 'budget'>;

export function from(results: readonly Result[], source: Source): Report {
  const count = (verdict: Verdict): number => results.filter((each) => each.verdict === verdict).length;
  return {
    ...source,
    results: [...results],
    met: count('met'),
    unmet: count('unmet'),
    errors: count('error'),
    skipped: count('skipped'),
    worst: worstOf(results) ?? null,
  };
}

export function skipped({ name, does, amount, from: origin, to }: SmokeFile.Case): Result {
  return {
    ...{ name, does, route: `${amount} ${origin} → ${to}` },
    verdict: 'skipped',
    checks: [],
    error: null,
    status: null,
    funds: 'untouched',
    seconds: 0,
    failedAttempts: [],
    requestId: null,
    run: null,
  };
}

/** The worst unexpected error; without one, `expect.unmet` if any expectation was not met. */
function worstOf(results: readonly Result[]): Code | undefined {
  const codes = results.flatMap(({ verdict, error }) => (verdict === 'error' && error ? [error.code as Code] : []));
  const worst = codes.reduce<Code | null>(ExitCode.worse, null);
  return worst ?? (results.some(({ verdict }) => verdict === 'unmet') ? 'expect.unmet' : undefined);
}

/** One line that says why a result is not met. */
export function reasonOf({ verdict, checks, error }: Pick<Result, 'verdict' | 'checks' | 'error'>): string {
  if (verdict === 'error' && error) return `${error.code}: ${error.message}`;
  return checks
    .filter(({ met }) => !met)
    .map(formatCheck)
    .join('; ');
}

/** `minOut: expected at least 98, found 97.5`. */
export function formatCheck({ what, expected, found }: Omit<Check, 'what' | 'met'> & { what: string }): string {
  return `${what}: expected ${expected}, found ${found}`;
}

/** A row for each case, what was found below it, and the sum. */
export function format(report: Report, style: Style): string {
  const { results } = report;
  // What is left by the other columns.
  const room = Math.max(12, Math.min(40, style.width - 40));
  const names = results.map(({ name }) => TerminalLine.cut(TerminalText.escape(name), room));
  const rows = results.map(({ does, verdict, seconds, failedAttempts }, index) => [
    `${mark(verdict, style)} ${names[index] ?? ''}`,
    does,
    colour(verdict, style)(verdict),
    verdict === 'skipped' ? '' : seconds.toFixed(1),
    verdict === 'skipped' ? '' : String(failedAttempts.length + 1),
  ]);
  const table = TerminalText.columns(
    [['  Case', 'Does', 'Verdict', 'Seconds', 'Attempts'].map(style.dim), ...rows],
    [3, 4],
  );
  const [head = '', ...lines] = table.split('\n');
  const body = lines.flatMap((line, index) => {
    const result = results[index];
    return result ? [line, ...below(result, style)] : [line];
  });
  return [head, ...body, '', sum(report, style)].join('\n');
}

/** `✓ bridge: met in 0.4 s`, while they go on. */
export function resultLine(result: Result, style: Style): string {
  const { name, verdict, seconds } = result;
  return `${mark(verdict, style)} ${TerminalText.escape(name)}: ${colour(verdict, style)(verdict)}${verdict === 'skipped' ? '' : ` in ${seconds.toFixed(1)} s`}`;
}

/** What was expected and found. Of what is as it should be, what was found is enough. */
function below(result: Result, style: Style): string[] {
  const { checks, error, verdict, failedAttempts, run } = result;
  const met = checks.filter((check) => check.met && check.what !== 'outcome');
  const lines = [
    ...(met.length === 0
      ? []
      : [
          met
            .map(({ what, found, expected }) =>
              found === expected ? `${what} ${found}` : `${what} ${found} (${expected})`,
            )
            .join(', '),
        ]),
    ...checks.filter((check) => !check.met).map(formatCheck),
    ...(verdict !== 'error' || !error
      ? []
      : [`${error.code}: ${error.message}`, ...error.facts, ...(error.hint ? [error.hint] : [])]),
    ...failedAttempts.map(
      ({ code }, index) => `attempt ${index + 1}: ${code}, nothing was signed, and it was repeated`,
    ),
    ...(verdict === 'error' && run !== null ? [`run ${run}`] : []),
    ...(verdict === 'error' && error?.next ? [`next: ${error.next}`] : []),
  ];
  const room = Math.max(20, style.width - 4);
  // A word beyond the length of a hash, which no line has room for, is none to be copied.
  return lines
    .flatMap((line) => TerminalLine.fold(TerminalText.escape(line), room))
    .map((line) => TerminalLine.cut(line, Math.max(room, 66)))
    .map((line) => `    ${verdict === 'met' ? style.dim(line) : line}`);
}

function sum({ met, unmet, errors, skipped, budget, seconds }: Report, style: Style): string {
  const counts = [
    `${met} met`,
    ...(unmet > 0 ? [style.red(`${unmet} unmet`)] : []),
    ...(errors > 0 ? [style.red(`${errors} ${errors === 1 ? 'error' : 'errors'}`)] : []),
    ...(skipped > 0 ? [style.yellow(`${skipped} skipped`)] : []),
  ].join(', ');
  const spent = budget.spent.tokens.map(({ currency, amount }) => `${amount} ${currency}`);
  return `${style.bold(counts)} in ${seconds.toFixed(1)} s. ${spent.length > 0 ? `Sent: ${spent.join(', ')}.` : 'Nothing was sent.'}`;
}

function mark(verdict: Result['verdict'], style: Style): string {
  return colour(verdict, style)({ met: '✓', unmet: '✗', error: '✗', skipped: '·' }[verdict]);
}

function colour(verdict: Result['verdict'], style: Style): (text: string) => string {
  if (verdict === 'met') return style.green;
  return verdict === 'skipped' ? style.dim : style.red;
}
