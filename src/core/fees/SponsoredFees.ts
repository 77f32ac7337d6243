/** The part of each component that a sponsor pays. Dollar amounts are bigint millionths. */
import * as FeeBreakdown from '../api/schema/FeeBreakdown.js';
import type * as FeeSponsorship from '../api/schema/FeeSponsorship.js';
import * as Usd from '../base/Usd.js';
import type * as FeeStage from './FeeStage.js';

export type Sponsorship = {
  parts: readonly Part[];
  /** The total that the sponsor pays; undefined if not stated. */
  sponsored: bigint | undefined;
  userPays: bigint | undefined;
  /** Whether the sponsor's limit was reached. */
  isCapped: boolean;
  /** Whether the parts add up to the total, within one unit each; undefined if the parts are not stated. */
  isSum: boolean | undefined;
};

export type Part = { component: FeeStage.Name | 'rent'; total: bigint; sponsored: bigint; userPays: bigint };

/** The sponsorship of a record: as charged if the charged parts are stated, else as quoted. */
export function ofRecord(record: FeeSponsorship.Received | null | undefined): Sponsorship | undefined {
  const actual = from(record?.actual);
  return actual && actual.parts.length > 0 ? actual : from(record?.quoted);
}

/** Reads `feeSponsorship.quoted` or `.actual`. A name that is not a known component is the platform's. */
export function from(phase: FeeSponsorship.PhaseReceived | null | undefined): Sponsorship | undefined {
  if (!phase) return undefined;
  const entries = Object.entries(phase.components ?? {});
  const parts = entries.flatMap(([word, component]): Part[] => {
    const { total, sponsored, userPays } = component ?? {};
    const usd = [total, sponsored, userPays].map((each) => Usd.from(each?.amountUsd ?? ''));
    const [whole, paid, left] = usd;
    if (whole === undefined || paid === undefined || left === undefined) return [];
    return [{ component: nameOf(word), total: whole, sponsored: paid, userPays: left }];
  });
  const sponsored = Usd.from(phase.sponsoredTotal?.amountUsd ?? '');
  return {
    parts,
    sponsored,
    userPays: Usd.from(phase.userPaysTotal?.amountUsd ?? ''),
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
