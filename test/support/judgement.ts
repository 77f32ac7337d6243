/** The proof's verdicts on altered answers, counted by the kind of alteration. */
import * as Address from '../../src/core/base/Address.js';
import { BaseError } from '../../src/core/base/Errors.js';
import { MismatchError, UnverifiedError } from '../../src/core/proof/Verification.js';
import * as Quote from '../../src/core/quote/Quote.js';
import { type Rule, rulesOf } from './harmless.js';
import { lies } from './liar.js';
import type { Mutant } from './mutations.js';
import { quoteOf, type Specimen, verify } from './specimens.js';

export type Verdict =
  /** A check that fails or cannot be verified, or an exceeded cap. */
  | { kind: 'refused'; checks: readonly string[] }
  /** The client cannot decode the answer, so there is nothing to sign. */
  | { kind: 'unreadable' }
  | { kind: 'passed'; quote: Quote.Quote };

/** The outcome for a mutant. `missed` must never occur. */
export type Outcome = 'refused' | 'unreadable' | 'harmless' | 'by effect' | 'missed';

export type Tally = Record<Outcome, number>;

/** The verdict on one answer for a specimen's intent. */
export async function judge(specimen: Specimen, answer: unknown): Promise<Verdict> {
  const quote = quoteOf(specimen, answer);
  if (!quote) return { kind: 'unreadable' };
  try {
    await verify(specimen, quote);
    return { kind: 'passed', quote };
  } catch (error) {
    if (error instanceof MismatchError || error instanceof UnverifiedError)
      return { kind: 'refused', checks: error.findings.map(({ check }) => check) };
    if (error instanceof BaseError && error.code === 'verify.cap') return { kind: 'refused', checks: ['cap'] };
    throw error;
  }
}

/** The outcome for a mutant as it is, and for the worst consistent lie made from it. */
export async function outcomes(specimen: Specimen, mutant: Mutant): Promise<{ naive: Outcome; liar: Outcome }> {
  const naive = await judge(specimen, mutant.answer);
  let worst = outcome(specimen, mutant, naive);
  const found = { naive: worst };
  for (const lie of await lies(specimen, mutant)) {
    if (lie === mutant.answer) continue;
    const next = outcome(specimen, mutant, await judge(specimen, lie));
    if (badness.indexOf(next) > badness.indexOf(worst)) worst = next;
  }
  return { ...found, liar: worst };
}

/** The rules that have been applied to a mutant. */
export const applied = new Set<Rule>();

/** From best to worst. */
const badness: readonly Outcome[] = ['unreadable', 'refused', 'harmless', 'by effect', 'missed'];

function outcome(specimen: Specimen, mutant: Mutant, verdict: Verdict): Outcome {
  if (verdict.kind !== 'passed')
    return verdict.kind === 'refused' && verdict.checks.length === 0 ? 'missed' : verdict.kind;
  const honest = honestOf(specimen);
  const isSame = contentOf(verdict.quote) === honest.content;
  const rule = rulesOf(specimen, mutant).find(({ signed }) => isSame || signed);
  if (rule) {
    applied.add(rule);
    return 'harmless';
  }
  return honest.quote && isByRouter(verdict.quote, honest.quote) ? 'by effect' : 'missed';
}

type Honest = { quote: Quote.Quote | undefined; content: string };

/** The honest quote of a specimen, read once for its thousands of mutants. */
function honestOf(specimen: Specimen): Honest {
  const known = honestQuotes.get(specimen);
  if (known) return known;
  const quote = quoteOf(specimen, specimen.answer);
  const read = { quote, content: contentOf(quote) };
  honestQuotes.set(specimen, read);
  return read;
}

const honestQuotes = new WeakMap<Specimen, Honest>();

/** Everything that would be signed. */
export function contentOf(quote: Quote.Quote | undefined): string {
  const items = quote?.items.map((item) => {
    if (item.kind === 'transaction') return [item.chainId, item.from, item.to, item.data, String(item.value)];
    if (item.kind === 'venue') return item.parameters;
    return item.kind === 'signature' ? (item.data as { sign: unknown }).sign : item.why;
  });
  return JSON.stringify(items).toLowerCase();
}

/** Whether the payment calls the router differently from the honest one, which only the simulated effect reveals. */
function isByRouter(quote: Quote.Quote, honest: Quote.Quote): boolean {
  const [found, expected] = [quote, honest].map((each) => Quote.transactions(each).at(-1));
  if (!found || !expected || !/ulticall$/.test(found.call?.function ?? '')) return false;
  const { chainId, from, to, value } = expected;
  const isAlike =
    found.chainId === chainId &&
    found.value === value &&
    Address.isEqual(found.from, from) &&
    (Address.isEqual(found.to, to) || expected.call?.function === 'wrap' || expected.call?.function === 'unwrap');
  return isAlike && found.data !== expected.data;
}

/** The kinds of alterations; the first match counts. */
const classes: readonly (readonly [name: string, at: RegExp])[] = [
  ['status endpoint, request', /\.check\b|requestId$/],
  ['gas', /\.(gas|max\w*PerGas)$/],
  ['typed data and its post', /\.data\.(sign|post)\b/],
  ['router calldata', /ulticall\./],
  ['who pays, who is paid', /(sender|recipient|depositor|\.from|owner|transfer\.to)$/],
  ['contracts, allowances', /(depository|spender|approve\.\w+|data\.to|extraData|depositAddress|toAccountIndex)$/],
  ['order id, solver, signature', /(orderId|orderSignature|solver\w*|salt|version|memo|\.id)$/],
  ['currencies, chains', /(currency(\.address|\.decimals)?|chainId|\.token|assetIndex|\w+RouteType)$/],
  [
    'amounts, minimum',
    /(details\.currency(In|Out)\.(amount|minimumAmount)|payments?\.(\d+\.)?\w*[aA]mount|paymentDetails\.amount|\.amount|data\.value|usdcFee|weight)$/,
  ],
  ['refunds, deadlines, calls, fees', /orderData/],
  ['order as a whole', /^protocol/],
  ['calldata', /data\.data/],
  ['steps put in or replaced', /^steps$/],
  ['steps', /^steps/],
  ['prices in USD', /amountUsd$|Impact/],
  ['words for a reader', /./],
];

export function classOf({ at }: Mutant): string {
  return classes.find(([, of]) => of.test(at))?.[0] ?? '';
}

/** The table of results, one line per kind. */
export function format(tallies: ReadonlyMap<string, { naive: Tally; liar: Tally }>): string {
  const outcomes = ['refused', 'unreadable', 'harmless', 'by effect', 'missed'] as const;
  const line = (name: string, cells: readonly string[]): string =>
    `${name.padEnd(32)}${cells.map((cell) => cell.padStart(11)).join('')}`;
  const total = (tally: Tally): number => outcomes.reduce((sum, each) => sum + tally[each], 0);
  const rows = classes.flatMap(([name]) => {
    const tally = tallies.get(name);
    if (!tally) return [];
    return [
      line(name, ['naive', String(total(tally.naive)), ...outcomes.map((each) => String(tally.naive[each]))]),
      line('', ['liar', String(total(tally.liar)), ...outcomes.map((each) => String(tally.liar[each]))]),
    ];
  });
  return [line('what is altered', ['how', 'mutants', ...outcomes]), ...rows].join('\n');
}
