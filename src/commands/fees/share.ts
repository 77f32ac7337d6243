import * as z from 'zod/mini';
import * as Address from '../../core/base/Address.js';
import * as Amount from '../../core/base/Amount.js';
import { BaseError } from '../../core/base/Errors.js';
import * as Usd from '../../core/base/Usd.js';
import { define, type Flags, type Options } from '../../core/command/Command.js';
import type { Context } from '../../core/command/Context.js';
import * as FeeSchedule from '../../core/fees/FeeSchedule.js';
import * as RevenueShare from '../../core/fees/RevenueShare.js';
import * as TerminalLine from '../../core/text/TerminalLine.js';
import type { Style } from '../../core/text/TerminalStyle.js';
import * as TerminalText from '../../core/text/TerminalText.js';

const standing = z.enum(['holds', 'fails', 'unknown']);

const yesOrNo = ['yes', 'no'] as const;

const flags = {
  volume: { value: 'dollars', description: 'volume over the last 30 days: 25000000 or 25M' },
  mix: {
    value: 'type=percent,…',
    description: 'the makeup of the volume, for an estimate: bridge, wrap, stablecoin, major, minor',
  },
  key: { value: 'value', choices: yesOrNo, description: 'whether quotes are requested with an API key' },
  verified: { value: 'value', choices: yesOrNo, description: 'whether business verification is complete' },
  payoutWallet: { value: 'address', description: 'the EVM wallet to pay' },
} as const satisfies Flags;

export const command = define({
  description:
    'Shows the integrator’s share of the platform fee: the tier for a volume, the share of each transaction type, which of the four conditions hold, and what a mix of volume would earn in 30 days.',
  options: flags,
  examples: [
    ['ferry fees share --volume 25M', 'the tier and its shares'],
    ['ferry fees share --volume 25M --mix bridge=20,stablecoin=30,major=50', 'with an estimate'],
    ['ferry fees share --volume 25M --key yes --verified yes --payout-wallet 0x…', 'check the conditions'],
  ],
  output: z.object({
    /** Dollars. */
    volume: z.string(),
    tier: z.enum(['none', 'lower', 'upper', 'unpublished']),
    tierName: z.string(),
    /** Whether a share is paid: all four conditions must hold. */
    qualifies: standing,
    conditions: z.object({ apiKey: standing, verified: standing, volume: standing, payoutWallet: standing }),
    shares: z.array(
      z.object({
        type: z.string(),
        name: z.string(),
        feeBps: z.string(),
        /** Percent of the platform fee; null if no table publishes it. */
        sharePercent: z.nullable(z.string()),
        /** Dollars; null without a mix. */
        volume: z.nullable(z.string()),
        payout: z.nullable(z.string()),
      }),
    ),
    /** Dollars in 30 days, if every condition holds; null without a mix or above the published table. */
    payout: z.nullable(z.string()),
  }),
  async run(options, context) {
    if (options.volume === undefined)
      throw new BaseError('usage.missing', 'The share depends on the volume of the last 30 days.', {
        next: 'ferry fees share --volume 25M',
      });
    const volume = RevenueShare.volumeFrom(options.volume);
    const tier = RevenueShare.tierOf(volume);
    const conditions = conditionsOf(options, volume, context);
    const mix = options.mix === undefined ? undefined : RevenueShare.mixFrom(options.mix);
    const estimate = mix && RevenueShare.payout(volume, mix);
    return {
      volume: Usd.formatWire(volume),
      tier,
      tierName: tierNames[tier],
      qualifies: RevenueShare.standingOf(conditions),
      conditions,
      shares: FeeSchedule.rows.map(({ type, name, bps }) => {
        const share = RevenueShare.shareOf(tier, type);
        const line = estimate?.lines.find((each) => each.type === type);
        return {
          type,
          name,
          feeBps: String(bps),
          sharePercent: share === undefined ? null : Amount.format(share, 2),
          volume: line ? Usd.formatWire(line.volume) : null,
          payout: line ? Usd.formatWire(line.payout) : null,
        };
      }),
      payout: estimate ? Usd.formatWire(estimate.total) : null,
    };
  },
  view(data, style) {
    const dollars = (usd: string | null): string => (usd === null ? '' : style.number(Usd.shown(usd)));
    const isEstimated = data.payout !== null;
    const rows = data.shares.map((row) => [
      row.name,
      `${row.feeBps} bps`,
      row.sharePercent === null ? 'not published' : `${row.sharePercent}%`,
      ...(isEstimated ? [dollars(row.volume), dollars(row.payout)] : []),
    ]);
    const total = isEstimated ? [['Total', '', '', dollars(data.volume), dollars(data.payout)].map(style.bold)] : [];
    return [
      `${style.bold(dollars(data.volume))} in 30 days: ${data.tierName}`,
      '',
      TerminalText.columns(
        [['Type', 'Fee', 'Share', ...(isEstimated ? ['Volume', 'Payout'] : [])].map(style.dim), ...rows, ...total],
        [1, 2, 3, 4],
      ),
      '',
      ...conditionLines(data.conditions, style),
      '',
      ...TerminalLine.fold(verdicts[data.qualifies], style.width),
      ...TerminalLine.fold('The share cannot be used to discount the service for end users.', style.width).map(
        style.dim,
      ),
    ].join('\n');
  },
});

const tierNames: Readonly<Record<RevenueShare.Tier, string>> = {
  none: 'no share; it takes more than 10M',
  lower: 'the tier from 10M to 100M',
  upper: 'the tier from 100M to 1B',
  unpublished: 'above 1B, which the published table does not cover',
};

const verdicts: Readonly<Record<RevenueShare.Standing, string>> = {
  holds: 'All four conditions hold: the share is paid.',
  fails: 'A condition fails: no share is paid.',
  unknown: 'Whether the share is paid depends on the unknown conditions.',
};

/** The known conditions. ferry sends the API key of the network in use with every quote request. */
function conditionsOf(
  { key, verified, payoutWallet }: Options<typeof flags>,
  volume: bigint,
  { network }: Context,
): RevenueShare.Conditions {
  const toStanding = (answer: string | undefined): RevenueShare.Standing =>
    answer === undefined ? 'unknown' : answer === 'yes' ? 'holds' : 'fails';
  if (payoutWallet !== undefined) Address.from(payoutWallet, 'payout wallet');
  return {
    apiKey: key === undefined && network.apiKey !== undefined ? 'holds' : toStanding(key),
    verified: toStanding(verified),
    volume: volume > RevenueShare.floor ? 'holds' : 'fails',
    payoutWallet: payoutWallet === undefined ? 'unknown' : 'holds',
  };
}

function conditionLines(conditions: RevenueShare.Conditions, style: Style): string[] {
  const marks = { holds: style.green('✓'), fails: style.red('✗'), unknown: style.yellow('?') };
  const lines = [
    [conditions.apiKey, 'quotes are requested with an API key', '--key'],
    [conditions.verified, 'business verification is complete', '--verified'],
    [conditions.volume, 'more than 10M in 30 days', '--volume'],
    [conditions.payoutWallet, 'an EVM payout wallet', '--payout-wallet'],
  ] as const;
  return lines.map(([each, text, flag]) => {
    const hint = each === 'unknown' ? style.dim(` (set ${flag})`) : '';
    return `${marks[each]} ${text}${hint}`;
  });
}
