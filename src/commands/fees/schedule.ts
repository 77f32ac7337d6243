import * as z from 'zod/mini';
import * as Amount from '../../core/base/Amount.js';
import { BaseError } from '../../core/base/Errors.js';
import { define } from '../../core/command/Command.js';
import type { Context } from '../../core/command/Context.js';
import * as FeeSchedule from '../../core/fees/FeeSchedule.js';
import * as TransactionType from '../../core/fees/TransactionType.js';
import * as Network from '../../core/network/Network.js';
import * as Currency from '../../core/quote/Currency.js';
import * as TerminalLine from '../../core/text/TerminalLine.js';
import * as TerminalText from '../../core/text/TerminalText.js';

const type = z.enum(TransactionType.types);

export const command = define({
  description:
    'Shows the service’s platform fee by transaction type, in basis points of the input, and the type of a currency pair. Campaigns may charge less or more on a route: ferry fees explain compares.',
  args: [
    { name: 'from', description: 'the currency to pay, as chain/token', optional: true },
    { name: 'to', description: 'the currency to receive, as chain/token', optional: true },
  ],
  examples: [
    ['ferry fees schedule', 'the whole table'],
    ['ferry fees schedule alpha/usdc beta/eth', 'the type and fee of a pair'],
    ['ferry fees schedule alpha/eth alpha/weth --json | jq -r .data.pair.type', 'in a script'],
  ],
  output: z.object({
    schedule: z.array(z.object({ type, name: z.string(), bps: z.string(), percent: z.string(), what: z.string() })),
    pair: z.nullable(
      z.object({
        from: z.string(),
        to: z.string(),
        /** The symbols looked up in the lists, input first. */
        symbols: z.array(z.string()),
        type,
        bps: z.string(),
        percent: z.string(),
        notes: z.array(z.string()),
      }),
    ),
    lists: z.object({ majorStablecoins: z.array(z.string()), majorTokens: z.array(z.string()) }),
  }),
  async run({ args }, context) {
    const { majorStablecoins, majorTokens } = TransactionType;
    return {
      schedule: FeeSchedule.rows.map(({ bps, ...rest }) => ({ ...rest, bps: String(bps), percent: percentOf(bps) })),
      pair: args.length === 0 ? null : await pairOf(args, context),
      lists: { majorStablecoins: [...majorStablecoins], majorTokens: [...majorTokens] },
    };
  },
  view({ schedule, pair, lists }, style) {
    // What a type is stands beside it, or in a narrow terminal below the table.
    const room = style.width - 32;
    const isNarrow = room < 20;
    const columns = TerminalText.columns(
      [
        ['Type', 'Fee', 'bps', ''].map(style.dim),
        ...schedule.flatMap((row) => {
          const cells = [row.name, `${row.percent}%`, row.bps];
          const shown = cells.map((cell) => (row.type === pair?.type ? style.bold(cell) : cell));
          const [what = '', ...more] = isNarrow ? [] : TerminalLine.fold(row.what, room).map(style.dim);
          return [[...shown, what], ...more.map((line) => ['', '', '', line])];
        }),
      ],
      [1, 2],
    );
    const notes = schedule.flatMap(({ name, what }) => TerminalLine.fold(`${name}: ${what}`, style.width));
    const table = isNarrow ? [columns, '', ...notes.map(style.dim)].join('\n') : columns;
    if (pair) {
      const { name = '' } = schedule.find((row) => row.type === pair.type) ?? {};
      return [
        `${pair.from} → ${pair.to}: ${style.bold(name.toLowerCase())}, ${pair.percent}% of the input`,
        ...pair.notes.flatMap((each) => TerminalLine.fold(TerminalText.escape(each), style.width).map(style.dim)),
        '',
        table,
      ].join('\n');
    }
    const list = (title: string, symbols: readonly string[]): string[] =>
      TerminalLine.fold(`${title}: ${symbols.join(', ')}`, style.width).map(style.dim);
    return [
      table,
      '',
      ...list('Major stablecoins', lists.majorStablecoins),
      ...list('Major tokens', lists.majorTokens),
    ].join('\n');
  },
});

async function pairOf(args: readonly string[], context: Context) {
  const { network } = context;
  const [from, to] = args;
  if (from === undefined || to === undefined)
    throw new BaseError('usage.missing', 'A pair needs two currencies.', {
      next: 'ferry fees schedule alpha/usdc beta/eth',
    });
  const [origin, destination] = await Promise.all([
    Currency.read(Currency.parse(from, network), context.chain),
    Currency.read(Currency.parse(to, network), context.chain),
  ]);
  const sides = [TransactionType.sideOf(origin), TransactionType.sideOf(destination)] as const;
  const found = TransactionType.from(...sides);
  const { bps } = FeeSchedule.row(found);
  return {
    from: Currency.format(origin),
    to: Currency.format(destination),
    symbols: sides.map(({ symbol }) => symbol),
    type: found,
    bps: String(bps),
    percent: percentOf(bps),
    notes: [
      ...(origin.chain.id === destination.chain.id && origin.token.address === destination.token.address
        ? ['The same token on the same chain is a plain transfer, not a swap.']
        : []),
      ...[origin, destination].flatMap((side) => unknown(side)),
    ],
  };
}

/** A note on a token that ferry knows only by the symbol its contract reports. */
function unknown({ chain, token }: Currency.Currency): string[] {
  if (Network.token(chain, token.address) || !TransactionType.isListed(token)) return [];
  return [
    `ferry does not know the token ${token.address} on ${chain.name}. Its contract reports the symbol ${token.symbol}: if that is another token, the swap is minor.`,
  ];
}

function percentOf(bps: bigint): string {
  const [whole = '0', fraction = ''] = Amount.format(bps, 2).split('.');
  return `${whole}.${fraction.padEnd(2, '0')}`;
}
