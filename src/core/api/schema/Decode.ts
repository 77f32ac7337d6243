/** Decodes a value with a schema: returns the value, or every problem with its path and what was expected. */

import * as z from 'zod/mini';
import { isMapping } from './Mapping.js';

export type Decoding<T> = { ok: true; value: T } | { ok: false; problems: readonly Problem[] };

export type Problem = {
  /** Keys and array indices from the top. A missing or unknown key is the last part. */
  path: readonly (string | number)[];
  /** Missing key, unknown key, wrong JSON type, or a value of the right type that is not allowed. */
  kind: 'missing' | 'unknown' | 'type' | 'value';
  /** The expected value: `a string of digits`, `at least 1 item`. */
  expectation: string;
  /** The same in the words of a JSON Schema validator: `must match pattern "^[0-9]+$"`. */
  rule: string;
};

export function from<S extends z.core.$ZodType>(schema: S, value: unknown): Decoding<z.core.output<S>> {
  try {
    const result = z.safeParse(schema, value, { reportInput: true });
    if (result.success) return { ok: true, value: result.data };
    return { ok: false, problems: result.error.issues.flatMap((issue) => problemsOf(issue, [])) };
  } catch {
    // The schema's own code cannot cope with the value, such as an object whose `length` is an object.
    return { ok: false, problems: [{ path: [], kind: 'value', ...other }] };
  }
}

/** Formats a path: `steps[0].items[0].data.value`. The top is the empty string. */
export function formatPath(path: readonly (string | number)[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text ? `${text}.${part}` : part;
  }, '');
}

/** Formats a problem as a phrase without a period: `amount: expected a string of digits`. */
export function format(problem: Problem): string {
  const path = formatPath(problem.path);
  if (problem.kind === 'missing') return `${path}: missing, expected ${problem.expectation}`;
  if (problem.kind === 'unknown') return `${path}: unknown field`;
  return `${path ? `${path}: ` : ''}expected ${problem.expectation}`;
}

/** The most problems of a summary that are spelled out. */
const most = 4;

export function summary(problems: readonly Problem[]): string {
  const shown = problems.slice(0, most).map(format).join('; ');
  return problems.length > most ? `${shown}; and ${problems.length - most} more` : shown;
}

/** The problem to report if there is room for one: a missing key before an unknown one before a bad value. */
export function foremost(problems: readonly Problem[]): Problem | undefined {
  return problems.find((p) => p.kind === 'missing') ?? problems.find((p) => p.kind === 'unknown') ?? problems[0];
}

/**
 * Formats a problem as the service's own schema validation does.
 *
 * @param where the part of the request: `body`, `headers`, `querystring`
 * @example formatSchemaMessage(problem, 'body') // "body must have required property 'user'"
 */
export function formatSchemaMessage(problem: Problem, where: string): string {
  const isAboutParent = problem.kind === 'missing' || problem.kind === 'unknown';
  const path = isAboutParent ? problem.path.slice(0, -1) : problem.path;
  return `${[where, ...path].join('/')} ${problem.rule}`;
}

type Issue = z.core.$ZodIssue;

function problemsOf(issue: Issue, above: Problem['path']): Problem[] {
  const path = [...above, ...issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))];
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      path: [...path, key],
      kind: 'unknown',
      expectation: 'no such field',
      rule: 'must NOT have additional properties',
    }));
  if (issue.code === 'invalid_union') return [problemOfUnion(issue, path)];
  const problem = { path, kind: issue.code === 'invalid_type' ? 'type' : 'value', ...wordsOf(issue) } as const;
  return [issue.input === undefined ? missing(problem) : problem];
}

/** The first alternative that matched in part, or all alternatives if each fails at the top. */
function problemOfUnion(issue: Issue & { code: 'invalid_union' }, path: Problem['path']): Problem {
  if (issue.discriminator !== undefined) {
    const problem = { path, kind: 'value', ...choice('options' in issue ? (issue.options ?? []) : []) } as const;
    const key = isMapping(issue.input) ? issue.input[issue.discriminator] : undefined;
    return key === undefined ? missing(problem) : problem;
  }
  const alternatives = issue.errors.flatMap((issues) => issues.flatMap((inner) => problemsOf(inner, path)).slice(0, 1));
  const nearest = alternatives.find((problem) => problem.path.length > path.length || problem.kind === 'value');
  if (nearest) return nearest;
  const expectation = alternatives.map((problem) => problem.expectation).join(' or ');
  const rule = `must be ${alternatives.map((problem) => problem.rule.replace('must be ', '')).join(',')}`;
  const problem = { path, kind: 'type', expectation, rule } as const;
  return issue.input === undefined ? missing(problem) : problem;
}

function missing(problem: Problem): Problem {
  return { ...problem, kind: 'missing', rule: `must have required property '${problem.path.at(-1)}'` };
}

type Words = Pick<Problem, 'expectation' | 'rule'>;

const other: Words = { expectation: 'a different value', rule: 'is not allowed' };

function wordsOf(issue: Issue): Words {
  switch (issue.code) {
    case 'invalid_type':
      return type(issue.expected);
    case 'invalid_value':
      return choice(issue.values);
    case 'invalid_format':
      return pattern(issue.pattern);
    case 'too_small':
      return bound({ limit: issue.minimum, origin: issue.origin, few: true });
    case 'too_big':
      return bound({ limit: issue.maximum, origin: issue.origin, few: false });
    default:
      return other;
  }
}

function type(expected: string): Words {
  const word = { int: 'integer', record: 'object' }[expected] ?? expected;
  const article = word === 'null' ? '' : /^[aeiou]/.test(word) ? 'an ' : 'a ';
  return { expectation: `${article}${word}`, rule: `must be ${word}` };
}

function choice(values: readonly unknown[]): Words {
  if (values.length === 1) return { expectation: String(values[0]), rule: 'must be equal to constant' };
  return { expectation: `one of ${values.join(', ')}`, rule: 'must be equal to one of the allowed values' };
}

function bound({ limit, origin, few }: { limit: number | bigint; origin: string; few: boolean }): Words {
  const unit = { array: 'item', string: 'character' }[origin];
  const expectation = `at ${few ? 'least' : 'most'} ${limit}`;
  if (unit === undefined) return { expectation, rule: `must be ${few ? '>=' : '<='} ${limit}` };
  return {
    expectation: `${expectation} ${unit}${limit === 1 ? '' : 's'}`,
    rule: `must NOT have ${few ? 'fewer' : 'more'} than ${limit} ${unit}s`,
  };
}

/** The documented patterns in words; any other pattern is shown as is. */
const spoken: Readonly<Record<string, string>> = {
  '^[0-9]+$': 'a string of digits',
  '^[0-9]+(\\.[0-9]+)?$': 'a decimal number as a string',
  '^([0-9]+(\\.[0-9]+)?|max)$': 'a decimal number as a string, or max',
  '^0x[a-fA-F0-9]{40}$': 'an address (0x and 40 hexadecimal digits)',
  '^0x[a-fA-F0-9]{64}$': '32 bytes (0x and 64 hexadecimal digits)',
  '^0x([a-fA-F0-9]{2})*$': 'bytes (0x and pairs of hexadecimal digits)',
  '^0x[a-fA-F0-9]*$': 'hexadecimal digits after 0x',
  '^[^\\0\\p{Cs}]*$': 'whole characters, none of them NUL',
  '^([0-9]{1,4}|10000)$': 'basis points from 0 to 10000 as a string',
};

/** zod reports `/source/flags`. */
function pattern(literal: string | undefined): Words {
  const source = literal?.replace(/^\/(.*)\/[a-z]*$/, '$1') ?? '';
  return { expectation: spoken[source] ?? `a string that matches ${source}`, rule: `must match pattern "${source}"` };
}
