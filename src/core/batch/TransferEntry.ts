/** A transfer in a file: an amount, two currencies, and command-line options. */
import * as z from 'zod/mini';
import * as Decode from '../api/schema/Decode.js';
import type { Fact } from '../base/Errors.js';
import * as SettingFormat from '../config/SettingFormat.js';
import * as TerminalText from '../text/TerminalText.js';

export type Action = 'quote' | 'execute';

/** Options of `ferry quote` or `ferry execute`, by their camelCase names. */
export type TransferOptions = { -readonly [K in keyof typeof options]?: z.output<(typeof options)[K]> };

type Key = keyof TransferOptions;

/** Decimals are strings, since a number in a file may be rounded when parsed. */
export const decimal = z.string().check(z.regex(/^[0-9]+(\.[0-9]+)?$/));
const percent = z.union([z.string(), z.number()]);
const word = z.string().check(z.minLength(1));
const words = z.array(word);

export const options = {
  recipient: z.optional(word),
  refundTo: z.optional(word),
  slippage: z.optional(percent),
  exactOutput: z.optional(z.boolean()),
  expectedOutput: z.optional(z.boolean()),
  call: z.optional(words),
  referrer: z.optional(word),
  account: z.optional(word),
  appFee: z.optional(words),
  gasless: z.optional(z.boolean()),
  permit: z.optional(z.boolean()),
  gasTopup: z.optional(decimal),
  sponsor: z.optional(word),
  maxSponsoredUsd: z.optional(decimal),
  maxImpact: z.optional(percent),
  maxFeeUsd: z.optional(decimal),
  minOut: z.optional(decimal),
  maxIn: z.optional(decimal),
  maxVenueFee: z.optional(decimal),
  maxGasUsd: z.optional(decimal),
  witnesses: z.optional(z.enum(['one', 'two'])),
  maxAge: z.optional(word),
  timeout: z.optional(word),
  validFor: z.optional(word),
  allow: z.optional(words),
  replay: z.optional(z.boolean()),
};

/** The amount, a decimal or `max`, and two currencies as chain/token. */
export const route = {
  amount: z.string().check(z.regex(/^([0-9]+(\.[0-9]+)?|max)$/)),
  from: word,
  to: word,
};

/** Options of executions only. */
export const ofExecutions: readonly Key[] = [
  'maxImpact',
  'maxFeeUsd',
  'minOut',
  'maxIn',
  'maxVenueFee',
  'maxGasUsd',
  'witnesses',
  'maxAge',
  'timeout',
  'validFor',
  'replay',
];

/** Options whose values have a format beyond their JSON type. */
const formats: { readonly [K in Key]?: SettingFormat.Format<unknown> } = {
  slippage: SettingFormat.percent,
  maxImpact: SettingFormat.percent,
  maxSponsoredUsd: SettingFormat.usd,
  maxFeeUsd: SettingFormat.usd,
  gasTopup: SettingFormat.usd,
  maxVenueFee: SettingFormat.usd,
  maxGasUsd: SettingFormat.usd,
  maxAge: SettingFormat.duration,
  timeout: SettingFormat.duration,
  validFor: SettingFormat.duration,
};

type Path = Decode.Problem['path'];

/** Problems with options that the schema cannot express. */
export function problems(given: TransferOptions, at: Path): Decode.Problem[] {
  return (Object.keys(formats) as Key[]).flatMap((key) => {
    const format = formats[key];
    const raw = given[key];
    return !format || raw === undefined || format.read(raw) ? [] : [problem([...at, key], format.expects)];
  });
}

/** Options that do not apply to the command. */
export function misplaced(given: TransferOptions, deed: Action, at: Path): Decode.Problem[] {
  if (deed === 'execute') return [];
  const keys = ofExecutions.filter((key) => given[key] !== undefined);
  return keys.map((key) => problem([...at, key], 'no value: it applies to executions only'));
}

/** The options as strings for a command; a percentage may be a number in a file. */
export function typed(given: TransferOptions): Record<string, string | boolean | string[] | undefined> {
  const texts = Object.entries(given).map(([key, value]) => [key, typeof value === 'number' ? String(value) : value]);
  return Object.fromEntries(texts);
}

export function problem(path: Path, expectation: string): Decode.Problem {
  return { path, kind: 'value', expectation, rule: expectation };
}

/** Where it is, and what is expected there; at the top, `whole`. */
export function toFact({ path, kind, expectation }: Decode.Problem, whole: string): Fact {
  const expected = kind === 'unknown' ? 'unknown field' : `expected ${expectation}`;
  const where = TerminalText.escape(Decode.formatPath(path)) || whole;
  return [where, kind === 'missing' ? `missing, ${expected}` : expected];
}
