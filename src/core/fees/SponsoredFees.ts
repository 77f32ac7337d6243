/** Which part of each component a sponsor pays. Dollars are bigint millionths. */
import * as FeeBreakdown from '../api/schema/FeeBreakdown.js';
import type * as FeeSponsorship from '../api/schema/FeeSponsorship.js';
import * as Usd from '../base/Usd.js';
import type * as FeeStage from './FeeStage.js';

export type Sponsorship = {
  parts: readonly Part[];
  /** What the sponsor pays in all; undefined where it is not told. */
  sponsored: bigint | undefined;
  userPays: bigint | undefined;
  /** Whether the sponsor's limit cut it off. */
  isCapped: boolean;
  /** Whether the parts make up the whole, within a unit each; undefined where they are not told. */
  isSum: boolean | undefined;
};

export type Part = { component: FeeStage.Name | 'rent'; total: bigint; sponsored: bigint; userPays: bigint };

/** Of a record: as it was charged where that says the parts, else as it was quoted. */
export function ofRecord(told: FeeSponsorship.FeeSponsorship | null | undefined): Sponsorship | undefined {
  const actual = from(told?.actual);
  return actual && actual.parts.length > 0 ? actual : from(told?.quoted);
}

/** Reads `feeSponsorship.quoted` or `.actual`. The platform's word is the one that is no other component. */
export function from(phase: FeeSponsorship.Phase | null | undefined): Sponsorship | undefined {
  if (!phase) return undefined;
  const entries = Object.entries(phase.components);
  const parts = entries.flatMap(([word, { total, sponsored, userPays }]): Part[] => {
    const usd = [total, sponsored, userPays].map(({ amountUsd }) => Usd.from(amountUsd ?? ''));
    const [whole, given, left] = usd;
    if (whole === undefined || given === undefined || left === undefined) return [];
    return [{ component: nameOf(word), total: whole, sponsored: given, userPays: left }];
  });
  const sponsored = Usd.from(phase.sponsoredTotal.amountUsd ?? '');
  return {
    parts,
    sponsored,
    userPays: Usd.from(phase.userPaysTotal.amountUsd ?? ''),
    isCapped: phase.capHit === true,
    isSum:
      sponsored === undefined || parts.length === 0 || parts.length < entries.length
        ? undefined
        : isSum(parts, sponsored),
  };
}

function isSum(parts: readonly Part[], whole: bigint): boolean {
  const near = (a: bigint, b: bigint, units: number): boolean => a - b <= BigInt(units) && b - a <= BigInt(units);
  const sum = parts.reduce((all, part) => all + part.sponsored, 0n);
  return near(sum, whole, parts.length) && parts.every((part) => near(part.total, part.sponsored + part.userPays, 2));
}

function nameOf(word: string): Part['component'] {
  const known = FeeBreakdown.words.find((each) => each === word);
  return known ?? 'platform';
}
