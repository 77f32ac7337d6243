/** Checks that the answer sponsors the requested components, within the maximum, with amounts that add up. */
import * as FeeBreakdown from '../api/schema/FeeBreakdown.js';
import type * as FeeSponsorship from '../api/schema/FeeSponsorship.js';
import * as Usd from '../base/Usd.js';
import { collect, type Finding } from '../quote/Finding.js';
import type { Answer } from '../quote/Quote.js';
import * as StatedAmount from '../quote/StatedAmount.js';
import type { Expectation } from './Expectation.js';

type Requested = NonNullable<Expectation['sponsorship']>;

/** What `all` means to the service: rent is sponsored only if it is named. */
const allComponents = ['execution', 'swap', 'platform', 'app'];

/** Allowed difference between two printed amounts, in millionths of a dollar. */
const tolerance = 5n;

/** No finding if no sponsorship is expected. */
export function check(answer: Answer, { sponsorship: requested, origin, destination }: Expectation): Finding[] {
  if (!requested) return [];
  const findings = collect();
  const phase = answer.response.feeSponsorship?.quoted;
  const { expandedPriceImpact } = answer.response.details;
  const sponsored = answer.fees?.sponsored ?? 0n;
  if (!phase || !expandedPriceImpact) {
    const costs = componentsOf(requested).filter((name) => costOf(answer, name) > 0n);
    findings.say('sponsored-components', costs.length === 0, list(componentsOf(requested)), 'nothing');
    return [...findings.list];
  }
  const word = FeeBreakdown.platform(expandedPriceImpact)?.word;
  const wanted = componentsOf(requested);
  const selected = phase.selectedComponents.map((name) => (name === word ? 'platform' : name));
  const isSelected =
    wanted.every((name) => selected.includes(name)) &&
    (requested.components === 'all' || selected.length === wanted.length);
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
  const isPrinted = usd !== undefined && isNear(usd, sponsored);
  findings.say(
    'sponsored-amounts',
    isWhole && isPrinted,
    'amounts that add up and agree with the fees',
    `${stated(paid, phase.sponsoredTotal)} sponsored, ${stated(left, phase.userPaysTotal)} left to the user`,
  );
  if (requested.maxUsd !== undefined) {
    const most = usd !== undefined && usd > sponsored ? usd : sponsored;
    findings.say(
      'sponsored-maximum',
      most <= requested.maxUsd,
      `at most ${Usd.format(requested.maxUsd)}`,
      Usd.format(most),
    );
  }
  const isOneToOne =
    origin !== undefined &&
    destination !== undefined &&
    origin.token.symbol === destination.token.symbol &&
    origin.token.decimals === destination.token.decimals;
  if (!isOneToOne || left === undefined)
    findings.skip('sponsored-charge', 'not separable from the exchange rate of a swap; --max-impact limits the loss');
  else {
    // With a requested output, rounding may make the input one base unit larger than needed.
    const taken = answer.input - answer.output;
    const inUnits = (base: bigint): string => StatedAmount.format(base, origin.token);
    findings.say(
      'sponsored-charge',
      taken <= left + 1n,
      `at most ${inUnits(left)} taken from the user`,
      inUnits(taken),
    );
  }
  return [...findings.list];
}

function stated(base: bigint | undefined, { currency }: FeeSponsorship.Component['total']): string {
  return base === undefined ? 'an unreadable amount' : StatedAmount.format(base, currency ?? undefined);
}

function componentsOf({ components }: Requested): readonly string[] {
  return components === 'all' ? allComponents : components;
}

/** The user's cost of a component, in millionths of a dollar. */
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

/** The amount in base units; undefined if it is not a number. */
function amount({ amount: text }: FeeSponsorship.Component['total']): bigint | undefined {
  return text !== undefined && /^\d{1,78}$/.test(text) ? BigInt(text) : undefined;
}

function isNear(a: bigint, b: bigint): boolean {
  return a - b <= tolerance && b - a <= tolerance;
}

function list(names: readonly string[]): string {
  return names.length === 0 ? 'nothing' : [...names].sort().join(', ');
}
