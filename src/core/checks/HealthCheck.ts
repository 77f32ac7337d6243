/** The checks of `ferry doctor`: each has a subject, a verdict, a summary, and a fix if one is needed. */
import * as z from 'zod/mini';
import { BaseError, type Code, type Fact } from '../base/Errors.js';
import * as TerminalLine from '../text/TerminalLine.js';
import type { Style } from '../text/TerminalStyle.js';
import * as TerminalText from '../text/TerminalText.js';

/** The subjects of checks, in display order. */
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
  /** Tells apart checks of the same subject: the name of the chain. */
  name: z.nullable(z.string()),
  verdict: z.enum(verdicts),
  /** One sentence. */
  summary: z.string(),
  facts: z.record(z.string(), z.string()),
  hint: z.nullable(z.string()),
  /** A command that fixes the problem, or leads to a fix. */
  fix: z.nullable(z.string()),
  /** The code of the error that other commands would fail with. */
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

const making =
  (verdict: Verdict) =>
  (check: Subject, summary: string, more: More = {}): Check =>
    make(check, verdict, summary, more);

export const ok = making('ok');

/** A warning: ferry works, but with limits, or not for long. */
export const warn = making('warn');

/** A failed check: ferry cannot work like this. */
export const fail = making('fail');

/** The check of an error: failed, unless another verdict is given. Rethrows anything but a `BaseError`. */
export function fromError(check: Subject, thrown: unknown, more: More & { verdict?: Verdict } = {}): Check {
  if (!(thrown instanceof BaseError)) throw thrown;
  const { verdict = 'fail', facts = [], ...rest } = more;
  const { message, hint, next, code } = thrown;
  return make(check, verdict, message, { hint, fix: next, code, ...rest, facts: [...thrown.facts, ...facts] });
}

export function worst(checks: readonly Check[]): Verdict {
  return verdicts.findLast((verdict) => checks.some((check) => check.verdict === verdict)) ?? 'ok';
}

/** Sorts by subject in display order; the order within a subject is kept. */
export function sort(checks: readonly Check[]): Check[] {
  return checks.toSorted((a, b) => subjects.indexOf(a.check) - subjects.indexOf(b.check));
}

/** Why no server is reached, by the system's code: the name or the way to it is not found. */
const noWay = /\((ENOTFOUND|EAI_AGAIN|ENETUNREACH|ENETDOWN|EHOSTUNREACH)\)$/;

/** The checks, where no server at all is found with one advice for all of them: no URL is to be mended. */
export function explainOffline(checks: readonly Check[]): Check[] {
  const isServer = ({ check }: Check): boolean => ['service', 'chain', 'venue'].includes(check);
  const isLost = ({ facts }: Check): boolean => noWay.test(facts.reason ?? '');
  const lost = checks.filter((check) => isServer(check) && isLost(check));
  if (lost.length < 2 || checks.some((check) => isServer(check) && check.verdict === 'ok')) return [...checks];
  const hint = 'No server is found: is this machine online? Behind a proxy, set HTTPS_PROXY.';
  return checks.map((check) => (lost.includes(check) ? { ...check, hint, fix: null } : check));
}

/** One line per check; for problems, the details and the fix below it. */
export function format(checks: readonly Check[], style: Style): string {
  const wide = Math.max(...checks.map((check) => titleOf(check).length));
  const lines = checks.flatMap((check) => {
    const { verdict, summary, facts, hint, fix } = check;
    const indent = ' '.repeat(wide + 4);
    const wrapped = (text: string): string[] =>
      TerminalLine.fold(TerminalText.escape(text), Math.max(20, style.width - indent.length));
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
      ...(fix === null ? [] : [`${indent}${style.command(TerminalText.escape(fix))}`]),
    ];
  });
  return [...lines, '', ending(checks, style)].join('\n');
}

/** One check as a single line, without details. */
export function formatLine({ verdict, name, summary }: Check, style: Style): string {
  return `${mark(verdict, style)} ${name === null ? '' : `${TerminalText.escape(name)}: `}${TerminalText.escape(summary)}`;
}

function ending(checks: readonly Check[], style: Style): string {
  const count = (verdict: Verdict, word: string): string[] => {
    const { length } = checks.filter((check) => check.verdict === verdict);
    return length === 0 ? [] : [TerminalText.count(length, word)];
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
    // What is read here is its report.
    fix: fix === undefined || fix.startsWith('ferry doctor') ? null : fix,
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
