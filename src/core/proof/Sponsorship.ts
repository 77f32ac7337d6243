/** Whether the answer sponsors what was asked: the components that were chosen, within the maximum, and in its amounts. */
import * as FeeBreakdown from '../api/schema/FeeBreakdown.js';
import type * as FeeSponsorship from '../api/schema/FeeSponsorship.js';
import * as Usd from '../base/Usd.js';
import { collect, type Finding } from '../quote/Finding.js';
import type { Answer } from '../quote/Quote.js';
import type { Expectation } from './Expectation.js';

type Asked = NonNullable<Expectation['sponsorship']>;

/** What `all` means to the service: the rent is sponsored only where it is named. */
const whole = ['execution', 'swap', 'platform', 'app'];

/** Millionths of a dollar by which two printed amounts may differ. */
const tolerance = 5n;

/** Nothing where nobody is to sponsor anything. */
export function check(answer: Answer, { sponsorship: asked, origin, destination }: Expectation): Finding[] {
  if (!asked) return [];
  const findings = collect();
  const phase = answer.response.feeSponsorship?.quoted;
  if (!phase) {
    const costs = componentsOf(asked).filter((name) => costOf(answer, name) > 0n);
    findings.say('sponsored-components', costs.length === 0, list(componentsOf(asked)), 'nothing');
    return [...findings.list];
  }
  const word = FeeBreakdown.platform(answer.response.details.expandedPriceImpact)?.word;
  const wanted = componentsOf(asked);
  const selected = phase.selectedComponents.map((name) => (name === word ? 'platform' : name));
  const isSelected =
    wanted.every((name) => selected.includes(name)) &&
    (asked.components === 'all' || selected.length === wanted.length);
  findings.say('sponsored-components', isSelected, list(wanted), list(selected));

  const parts = Object.entries(phase.components);
  const paid = amount(phase.sponsoredTotal);
  const left = amount(phase.userPaysTotal);
  const isWhole =
    paid !== undefined &&
    left !== undefined &&
    sum(parts, 'sponsored') === paid &&
    sum(parts, 'userPays') === left &&
    parts.every(([name, part]) => isPart(part, phase.selectedComponents.includes(name)));
  const usd = Usd.from(phase.sponsoredTotal.amountUsd ?? '');
  const isPrinted = usd !== undefined && isNear(usd, answer.fees.sponsored);
  findings.say(
    'sponsored-amounts',
    isWhole && isPrinted,
    'parts of what each component costs, as the fees have them',
    `${paid ?? 'no number'}, and ${left ?? 'no number'} left to the user`,
  );
  if (asked.maxUsd !== undefined) {
    const most = usd !== undefined && usd > answer.fees.sponsored ? usd : answer.fees.sponsored;
    findings.say('sponsored-maximum', most <= asked.maxUsd, `at most ${Usd.format(asked.maxUsd)}`, Usd.format(most));
  }
  const isOneToOne =
    origin !== undefined &&
    destination !== undefined &&
    origin.token.symbol === destination.token.symbol &&
    origin.token.decimals === destination.token.decimals;
  if (!isOneToOne || left === undefined)
    findings.skip('sponsored-charge', 'what a swap takes beside its fees cannot be told apart; --max-impact bounds it');
  else {
    // An output that is asked for may be reached by one base unit more than it takes.
    const taken = answer.input - answer.output;
    findings.say('sponsored-charge', taken <= left + 1n, `at most ${left} taken from the user`, String(taken));
  }
  return [...findings.list];
}

function componentsOf({ components }: Asked): readonly string[] {
  return components === 'all' ? whole : components;
}

/** What the user would pay, in millionths of a dollar. */
function costOf({ fees }: Answer, name: string): bigint {
  const usd = (fees as Readonly<Record<string, bigint>>)[name] ?? 0n;
  return usd < 0n ? -usd : 0n;
}

function isPart({ total, sponsored, userPays }: FeeSponsorship.Component, isSelected: boolean): boolean {
  const [whole, paid, left] = [amount(total), amount(sponsored), amount(userPays)];
  if (whole === undefined || paid === undefined || left === undefined) return false;
  return paid + left === whole && (isSelected || paid === 0n);
}

function sum(parts: readonly [string, FeeSponsorship.Component][], which: 'sponsored' | 'userPays'): bigint {
  return parts.reduce((all, [, part]) => all + (amount(part[which]) ?? 0n), 0n);
}

/** Base units; undefined where it is none. */
function amount({ amount: text }: FeeSponsorship.Component['total']): bigint | undefined {
  return text !== undefined && /^\d{1,78}$/.test(text) ? BigInt(text) : undefined;
}

function isNear(a: bigint, b: bigint): boolean {
  return a - b <= tolerance && b - a <= tolerance;
}

function list(names: readonly string[]): string {
  return names.length === 0 ? 'nothing' : [...names].sort().join(', ');
}
