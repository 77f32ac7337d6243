/** The integrator's share of the platform fee, by spec section 8. Dollar amounts are bigint millionths. */
import { BaseError } from '../base/Errors.js';
import * as Usd from '../base/Usd.js';
import * as TerminalText from '../text/TerminalText.js';
import * as FeeSchedule from './FeeSchedule.js';
import type { TransactionType } from './TransactionType.js';

/** A tier of the trailing 30-day volume. */
export type Tier = 'none' | 'lower' | 'upper' | 'unpublished';

export type Standing = 'holds' | 'fails' | 'unknown';

/** The conditions for a share to be paid; all must hold. */
export type Conditions = { apiKey: Standing; verified: Standing; volume: Standing; payoutWallet: Standing };

/** Basis points of the volume per transaction type; they add up to 10,000. */
export type Mix = Partial<Record<TransactionType, bigint>>;

/** The earnings of one transaction type; `shareBps` are basis points of the platform fee. */
export type Line = { type: TransactionType; volume: bigint; platformFee: bigint; shareBps: bigint; payout: bigint };

const million = 1_000_000n * 1_000_000n;

/** The largest volume without a share: more than 10M dollars is needed. */
export const floor = 10n * million;
const middle = 100n * million;
const ceiling = 1_000n * million;

/** Basis points of the platform fee. */
const shares: Readonly<Record<'lower' | 'upper', Readonly<Record<TransactionType, bigint>>>> = {
  lower: { bridge: 0n, wrap: 0n, stablecoin: 3_400n, major: 2_500n, minor: 3_333n },
  upper: { bridge: 0n, wrap: 0n, stablecoin: 6_700n, major: 5_000n, minor: 6_667n },
};

/**
 * The tier of a volume in millionths of a dollar: up to and including 10M dollars none, up to 100M lower, up to 1B
 * upper, above that unpublished.
 */
export function tierOf(volumeUsd: bigint): Tier {
  if (volumeUsd <= floor) return 'none';
  if (volumeUsd <= middle) return 'lower';
  return volumeUsd <= ceiling ? 'upper' : 'unpublished';
}

/** The share in basis points of the platform fee; undefined if it is not published. */
export function shareOf(tier: Tier, type: TransactionType): bigint | undefined {
  if (tier === 'none') return 0n;
  return tier === 'unpublished' ? undefined : shares[tier][type];
}

/** Whether a share is paid, which needs every condition to hold. */
export function standingOf(conditions: Conditions): Standing {
  const all = Object.values(conditions);
  if (all.includes('fails')) return 'fails';
  return all.every((each) => each === 'holds') ? 'holds' : 'unknown';
}

/**
 * The earnings of a 30-day volume, if every condition holds: volume × mix × platform fee × share per type, each rounded
 * down.
 *
 * @returns undefined if the volume is above the published tiers
 */
export function payout(volumeUsd: bigint, mix: Mix): { lines: Line[]; total: bigint } | undefined {
  const tier = tierOf(volumeUsd);
  const lines: Line[] = [];
  for (const { type, bps } of FeeSchedule.rows) {
    const part = mix[type];
    const shareBps = shareOf(tier, type);
    if (shareBps === undefined) return undefined;
    if (part === undefined) continue;
    const volume = (volumeUsd * part) / 10_000n;
    // A single division, so rounding loses less than a millionth of a dollar.
    const scaled = volumeUsd * part * bps;
    const earned = (scaled * shareBps) / 10_000n ** 3n;
    lines.push({ type, volume, platformFee: scaled / 10_000n ** 2n, shareBps, payout: earned });
  }
  return { lines, total: lines.reduce((sum, line) => sum + line.payout, 0n) };
}

const factors: Readonly<Record<string, bigint>> = { '': 1n, k: 1_000n, m: 1_000_000n, b: 1_000_000_000n };

/**
 * Parses a volume: dollars, optionally with the suffix K, M or B.
 *
 * @throws usage.invalid
 * @example volumeFrom('12.5M')
 */
export function volumeFrom(text: string): bigint {
  const match = /^\$?(\d{1,15}(?:\.\d{1,6})?)([kmb]?)$/i.exec(text);
  const usd = Usd.from(match?.[1] ?? '');
  const factor = factors[match?.[2]?.toLowerCase() ?? ''];
  if (usd === undefined || factor === undefined)
    throw new BaseError('usage.invalid', `"${TerminalText.escape(text)}" is not a volume.`, {
      hint: 'Give the volume of the last 30 days in dollars: 25000000, or 25M.',
    });
  return usd * factor;
}

/**
 * Parses a mix: percentages per transaction type that add up to 100.
 *
 * @throws usage.invalid
 * @example mixFrom('bridge=20,stablecoin=30,major=50')
 */
export function mixFrom(text: string): Mix {
  const mix: Mix = {};
  let sum = 0n;
  for (const each of text.split(',')) {
    const match = /^(\w+)=(\d{1,3})(?:\.(\d{1,2}))?%?$/.exec(each.trim());
    const type = FeeSchedule.rows.find((row) => row.type === match?.[1])?.type;
    if (!match || !type || mix[type] !== undefined) throw notAMix(text);
    const bps = BigInt(`${match[2]}${(match[3] ?? '').padEnd(2, '0')}`);
    mix[type] = bps;
    sum += bps;
  }
  if (sum !== 10_000n) throw notAMix(text);
  return mix;
}

function notAMix(text: string): BaseError {
  return new BaseError('usage.invalid', `"${TerminalText.escape(text)}" is not a mix of volume.`, {
    facts: [['types', FeeSchedule.rows.map(({ type }) => type).join(', ')]],
    hint: 'Give percentages per type that add up to 100: bridge=20,stablecoin=30,major=50.',
  });
}
