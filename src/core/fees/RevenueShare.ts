/** The integrator's share of the platform fee, spec section 8. Dollars are bigint millionths. */
import { BaseError } from '../base/Errors.js';
import * as Usd from '../base/Usd.js';
import * as TerminalText from '../text/TerminalText.js';
import * as FeeSchedule from './FeeSchedule.js';
import type { TransactionType } from './TransactionType.js';

/** A tier of the trailing volume of 30 days. */
export type Tier = 'none' | 'lower' | 'upper' | 'unpublished';

/** Whether a condition holds, as far as is known. */
export type Standing = 'holds' | 'fails' | 'unknown';

/** What must all hold for a share to be paid. */
export type Conditions = { apiKey: Standing; verified: Standing; volume: Standing; payoutWallet: Standing };

/** Basis points of the volume by type; all of them make 10 000. */
export type Mix = Partial<Record<TransactionType, bigint>>;

/** What one type of transaction earns. */
export type Line = { type: TransactionType; volume: bigint; platformFee: bigint; shareBps: bigint; payout: bigint };

const million = 1_000_000n * 1_000_000n;

/** The least volume that is not enough. */
export const floor = 10n * million;
const middle = 100n * million;
const ceiling = 1_000n * million;

/** Hundredths of a percent of the platform fee. */
const shares: Readonly<Record<'lower' | 'upper', Readonly<Record<TransactionType, bigint>>>> = {
  lower: { bridge: 0n, wrap: 0n, stablecoin: 3_400n, major: 2_500n, minor: 3_333n },
  upper: { bridge: 0n, wrap: 0n, stablecoin: 6_700n, major: 5_000n, minor: 6_667n },
};

/** The tier of a volume: exactly 10M is none yet, exactly 100M the lower, exactly 1B the upper, more is not published. */
export function tierOf(volumeUsd: bigint): Tier {
  if (volumeUsd <= floor) return 'none';
  if (volumeUsd <= middle) return 'lower';
  return volumeUsd <= ceiling ? 'upper' : 'unpublished';
}

/** The share of a type's platform fee in hundredths of a percent; undefined where no table says it. */
export function shareOf(tier: Tier, type: TransactionType): bigint | undefined {
  if (tier === 'none') return 0n;
  return tier === 'unpublished' ? undefined : shares[tier][type];
}

/** Whether a share is paid: every condition must hold. */
export function standingOf(conditions: Conditions): Standing {
  const all = Object.values(conditions);
  if (all.includes('fails')) return 'fails';
  return all.every((each) => each === 'holds') ? 'holds' : 'unknown';
}

/**
 * What a mix of volume earns in 30 days, if every condition holds. Each amount is rounded down.
 *
 * @returns undefined above the published table
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
    // In one division, so that what is lost is less than a millionth.
    const scaled = volumeUsd * part * bps;
    const earned = (scaled * shareBps) / 10_000n ** 3n;
    lines.push({ type, volume, platformFee: scaled / 10_000n ** 2n, shareBps, payout: earned });
  }
  return { lines, total: lines.reduce((sum, line) => sum + line.payout, 0n) };
}

const factors: Readonly<Record<string, bigint>> = { '': 1n, k: 1_000n, m: 1_000_000n, b: 1_000_000_000n };

/** A volume as typed: dollars, or thousands, millions and billions of them. @throws usage.invalid @example 12.5M */
export function volumeFrom(text: string): bigint {
  const match = /^\$?(\d{1,15}(?:\.\d{1,6})?)([kmb]?)$/i.exec(text);
  const usd = Usd.from(match?.[1] ?? '');
  const factor = factors[match?.[2]?.toLowerCase() ?? ''];
  if (usd === undefined || factor === undefined) throw new VolumeError(text);
  return usd * factor;
}

/** A mix as typed: percentages by type that make 100. @throws usage.invalid @example bridge=20,stablecoin=30,major=50 */
export function mixFrom(text: string): Mix {
  const mix: Mix = {};
  let sum = 0n;
  for (const each of text.split(',')) {
    const match = /^(\w+)=(\d{1,3})(?:\.(\d{1,2}))?%?$/.exec(each.trim());
    const type = FeeSchedule.rows.find((row) => row.type === match?.[1])?.type;
    if (!match || !type || mix[type] !== undefined) throw new MixError(text);
    const bps = BigInt(`${match[2]}${(match[3] ?? '').padEnd(2, '0')}`);
    mix[type] = bps;
    sum += bps;
  }
  if (sum !== 10_000n) throw new MixError(text);
  return mix;
}

/** A text that is no volume. */
export class VolumeError extends BaseError {
  override name = 'VolumeError';
  constructor(text: string) {
    super('usage.invalid', `"${TerminalText.escape(text)}" is not a volume.`, {
      hint: 'Write dollars of the last 30 days: 25000000, or 25M.',
    });
  }
}

/** A text that is no mix, or one that does not make 100%. */
export class MixError extends BaseError {
  override name = 'MixError';
  constructor(text: string) {
    super('usage.invalid', `"${TerminalText.escape(text)}" is not a mix of volume.`, {
      facts: [['types', FeeSchedule.rows.map(({ type }) => type).join(', ')]],
      hint: 'Write percentages by type that make 100: bridge=20,stablecoin=30,major=50',
    });
  }
}
