/** What `ferry doctor` finds: a verdict on one thing after the other, each with a sentence and what would mend it. */
import * as z from 'zod/mini';
import { BaseError, type Code, type Fact } from '../base/Errors.js';
import * as TerminalLine from '../text/TerminalLine.js';
import type { Style } from '../text/TerminalStyle.js';
import * as TerminalText from '../text/TerminalText.js';

/** What is looked at, in the order in which it is told. */
const subjects = [
  'configuration',
  'account',
  'keys',
  'state',
  'node',
  'sandbox',
  'service',
  'api-key',
  'chain',
  'pins',
  'venue',
  'clock',
] as const;

export const verdicts = ['ok', 'warn', 'fail'] as const;

export const schema = z.object({
  check: z.enum(subjects),
  /** Which one, where there are several: the chain's name. */
  name: z.nullable(z.string()),
  verdict: z.enum(verdicts),
  /** One sentence. */
  summary: z.string(),
  /** What was found, by label. */
  facts: z.record(z.string(), z.string()),
  hint: z.nullable(z.string()),
  /** A command that mends it, or that leads there. */
  fix: z.nullable(z.string()),
  /** The code of the error that it would be elsewhere. */
  code: z.nullable(z.string()),
});

export type Check = z.infer<typeof schema>;

export type Subject = Check['check'];

export type Verdict = Check['verdict'];

export type More = {
  name?: string | undefined;
  facts?: readonly Fact[] | undefined;
  hint?: string | undefined;
  fix?: string | undefined;
  code?: Code | undefined;
};

/** It is as it should be. */
export function ok(check: Subject, summary: string, more: More = {}): Check {
  return make(check, 'ok', summary, more);
}

/** ferry works, and not all of it, or not for long. */
export function warn(check: Subject, summary: string, more: More = {}): Check {
  return make(check, 'warn', summary, more);
}

/** ferry does not work with it. */
export function fail(check: Subject, summary: string, more: More = {}): Check {
  return make(check, 'fail', summary, more);
}

/** What an error says of it: a failure, unless the verdict is another. What is no error of ferry's own is thrown on. */
export function fromError(check: Subject, thrown: unknown, more: More & { verdict?: Verdict } = {}): Check {
  if (!(thrown instanceof BaseError)) throw thrown;
  const { verdict = 'fail', facts = [], ...rest } = more;
  const { message, hint, next, code } = thrown;
  return make(check, verdict, message, { hint, fix: next, code, ...rest, facts: [...thrown.facts, ...facts] });
}

/** The worst of them. */
export function worst(checks: readonly Check[]): Verdict {
  return verdicts.findLast((verdict) => checks.some((check) => check.verdict === verdict)) ?? 'ok';
}

/** In the order in which they are told; those of one subject stay as they are. */
export function sort(checks: readonly Check[]): Check[] {
  return checks.toSorted((a, b) => subjects.indexOf(a.check) - subjects.indexOf(b.check));
}

/** A line for each; where something is wrong, what was found and what mends it below. */
export function format(checks: readonly Check[], style: Style): string {
  const wide = Math.max(...checks.map((check) => titleOf(check).length));
  const lines = checks.flatMap((check) => {
    const { verdict, summary, facts, hint, fix } = check;
    const indent = ' '.repeat(wide + 4);
    const wrapped = (text: string): string[] =>
      TerminalLine.wrap(TerminalText.escape(text), Math.max(20, style.width - indent.length));
    const [first = '', ...more] = wrapped(summary);
    const title = [
      `${mark(verdict, style)} ${style.bold(TerminalText.padEnd(titleOf(check), wide))}  ${first}`,
      ...more.map((line) => `${indent}${line}`),
    ];
    if (verdict === 'ok') return title;
    const rows = Object.entries(facts).map(([label, value]) => [
      style.dim(TerminalText.escape(label)),
      TerminalText.escape(value),
    ]);
    return [
      ...title,
      ...(rows.length > 0 ? TerminalText.columns(rows).split('\n') : []).map((row) => `${indent}${row}`),
      ...(hint === null ? [] : wrapped(hint).map((line) => `${indent}${line}`)),
      ...(fix === null ? [] : [`${indent}${style.cyan(TerminalText.escape(fix))}`]),
    ];
  });
  return [...lines, '', ending(checks, style)].join('\n');
}

/** One check as a line, without what is below it. */
export function formatLine({ verdict, name, summary }: Check, style: Style): string {
  return `${mark(verdict, style)} ${name === null ? '' : `${TerminalText.escape(name)}: `}${TerminalText.escape(summary)}`;
}

function ending(checks: readonly Check[], style: Style): string {
  const count = (verdict: Verdict, word: string): string[] => {
    const { length } = checks.filter((check) => check.verdict === verdict);
    return length === 0 ? [] : [`${length} ${word}${length === 1 ? '' : 's'}`];
  };
  const found = [...count('fail', 'failure'), ...count('warn', 'warning')].join(', ');
  if (found === '') return style.green('Everything is in order.');
  return worst(checks) === 'fail' ? style.red(`${found}.`) : style.yellow(`ferry works, with ${found}.`);
}

function make(check: Subject, verdict: Verdict, summary: string, { name, facts = [], hint, fix, code }: More): Check {
  return {
    check,
    name: name ?? null,
    verdict,
    summary,
    facts: Object.fromEntries(facts),
    hint: hint ?? null,
    fix: fix ?? null,
    code: code ?? null,
  };
}

function titleOf({ check, name }: Check): string {
  return name === null ? check : `${check} ${TerminalText.escape(name)}`;
}

function mark(verdict: Verdict, style: Style): string {
  if (verdict === 'ok') return style.green('✓');
  return verdict === 'warn' ? style.yellow('!') : style.red('✗');
}
