import * as z from 'zod/mini';
import * as Address from '../../core/base/Address.js';
import * as Usd from '../../core/base/Usd.js';
import * as ClaimableFees from '../../core/claims/ClaimableFees.js';
import { define } from '../../core/command/Command.js';
import type { Style } from '../../core/text/TerminalStyle.js';
import * as TerminalText from '../../core/text/TerminalText.js';
import { watchedFlag } from '../../transfer/transferOptions.js';

export const command = define({
  description:
    'Shows the app fees that a wallet has earned and not claimed, by currency, and its latest claims. App fees accrue at the service when a transfer that names the wallet is delivered. No key is needed.',
  args: [
    {
      name: 'wallet',
      names: 'address',
      description: 'the wallet that earns the fees (default: that of the account)',
      optional: true,
    },
  ],
  options: watchedFlag,
  examples: [
    ['ferry fees balance', 'what your wallet has earned'],
    ['ferry fees balance 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --json', 'of any wallet, in a script'],
  ],
  output: z.object({
    wallet: z.string(),
    balances: z.array(ClaimableFees.row),
    /** Dollars: the sum of the balances; null if one of them has no price. */
    totalUsd: z.nullable(z.string()),
    /** The latest claims. */
    claims: z.array(ClaimableFees.claimRow),
  }),
  async run({ args: [typed] }, context) {
    const wallet = typed === undefined ? await context.watched() : Address.from(typed, 'wallet');
    const service = await context.service();
    const [received, signed] = await Promise.all([service.appFees(wallet), service.appFeeClaims(wallet)]);
    const balances = ClaimableFees.from(received, context.network);
    const prices = balances.map(({ usd }) => (usd === null ? undefined : Usd.from(usd)));
    const isPriced = prices.every((usd) => usd !== undefined);
    return {
      wallet,
      balances,
      totalUsd: isPriced ? Usd.formatWire(prices.reduce<bigint>((sum, usd) => sum + (usd ?? 0n), 0n)) : null,
      claims: ClaimableFees.fromClaims(signed),
    };
  },
  placed: true,
  view({ wallet, balances, totalUsd, claims }, style) {
    const dollars = (usd: string | null): string => (usd === null ? 'no price' : style.number(Usd.shown(usd)));
    const rows = balances.map((each) => [
      `${each.formatted === null ? each.amount : style.number(each.formatted)} ${TerminalText.escape(each.symbol)}`,
      each.chain ?? `chain ${each.chainId}`,
      dollars(each.usd),
    ]);
    const total = balances.length > 1 ? [[style.bold('Total'), '', style.bold(dollars(totalUsd))]] : [];
    const latest = claims.map((each) => [
      TerminalText.escape(momentOf(each.createdAt, style)),
      TerminalText.escape(each.status),
      each.recipient === null ? '' : `to ${TerminalText.escape(each.recipient)}`,
      style.dim(TerminalText.escape(each.txHash ?? each.claimId)),
    ]);
    return [
      style.dim(wallet),
      balances.length === 0 ? 'No app fees to claim.' : TerminalText.columns([...rows, ...total]),
      ...(claims.length === 0 ? [] : ['', style.bold('Claims'), TerminalText.columns(latest)]),
      ...(balances.length === 0 ? [] : [style.dim('What a claim takes: ferry fees claim --dry-run')]),
    ].join('\n');
  },
});

/** The service's word where it is no time. */
function momentOf(text: string | null, style: Style): string {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? (text ?? '') : style.time(ms);
}
