import * as z from 'zod/mini';
import { BaseError } from '../core/base/Errors.js';
import * as Usd from '../core/base/Usd.js';
import { define } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import * as SettingFormat from '../core/config/SettingFormat.js';
import * as Network from '../core/network/Network.js';
import * as ChainAddress from '../core/order/ChainAddress.js';
import * as Balances from '../core/proof/price/Balances.js';
import * as Place from '../core/text/Place.js';
import * as TerminalLine from '../core/text/TerminalLine.js';
import * as TerminalTable from '../core/text/TerminalTable.js';
import * as TerminalText from '../core/text/TerminalText.js';
import { accountOfIndex, accountsOfWallet } from '../transfer/findVenueAccount.js';

const venueRow = z.object({ index: z.int(), symbol: z.string(), perps: z.string(), spot: z.string() });

type VenueRow = z.infer<typeof venueRow>;

export const command = define({
  description:
    'Shows what an account holds: the native asset and the well-known tokens of every chain of the network, asked for at the same time, in units and, where a price feed tells, in dollars; and its account on the venue. Each node learns the address: --chain asks fewer. No key is needed.',
  args: [
    {
      name: 'account',
      description: 'an address, a key’s name, a name of your address book, or dev0 to dev9 on the sandbox',
      optional: true,
    },
  ],
  options: {
    chain: { value: 'chain', repeats: true, names: 'chain', description: 'only this chain; repeatable' },
    zero: { description: 'also what the account has nothing of' },
    account: { value: 'account', description: 'the same as the argument' },
    timeout: { value: 'time', description: 'how long to wait for the nodes (default: 8s)' },
  },
  examples: [
    ['ferry balance', 'what your account holds'],
    ['ferry balance 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --chain alpha', 'any account, on one chain'],
    ['ferry balance --json | jq -r .data.totalUsd', 'the sum in dollars'],
  ],
  output: z.object({
    account: z.string(),
    balances: z.array(Balances.row),
    /** The accounts of the wallet on the venue, in whole units. */
    venue: z.array(venueRow),
    /** The sum of what has a price; null if nothing has. */
    totalUsd: z.nullable(z.string()),
    /** Whether something could not be read, so that the account may hold more. */
    partial: z.boolean(),
    /** What could not be read, and is in no sum. */
    unread: z.array(Balances.unread),
  }),
  async run({ args: [named], chain: wanted, zero = false, timeout = '8s' }, context) {
    const limitMs = SettingFormat.duration.read(timeout)?.value ?? 8_000;
    const whose =
      named === undefined
        ? context
        : context.derive({ account: SettingFormat.option(SettingFormat.account, named, 'The account') });
    const account = await whose.watched().catch((error: unknown) => {
      throw error instanceof BaseError && error.code === 'auth.no-account'
        ? new BaseError('auth.no-account', 'Whose balance? No account is configured.', {
            next: 'ferry balance <address>',
            cause: error,
          })
        : error;
    });
    const { network } = context;
    const chains = wanted ? wanted.map((text) => Network.chain(network, text)) : network.chains;
    const unread = wanted && chains.find(ChainAddress.isForeign);
    if (unread)
      throw new BaseError(
        'request.unsupported',
        `ferry reads no balances on ${unread.displayName}: your wallet has no account there.`,
        {
          next: 'ferry chains',
        },
      );
    const evm = chains.filter(({ vm }) => vm === 'evm');
    const venueChain = chains.find(({ vm }) => vm === 'lvm');
    context.waiting(`Reading ${evm.length === 1 ? evm[0]?.name : `${evm.length} chains`} of ${network.name}`);
    const reach = context.within(limitMs);
    const [read, venue] = await Promise.all([
      Balances.read(account, evm, { node: reach.chain, nowMs: context.clock.now() }),
      venueChain
        ? onVenue(account, venueChain, { context: { ...context, venue: reach.venue }, isAlone: evm.length === 0 })
        : { rows: [], unread: [] },
    ]);
    const balances = read.balances.filter(({ amount }) => zero || amount !== '0');
    const missed = [...read.unread, ...venue.unread];
    return {
      ...{ account, balances, venue: venue.rows },
      totalUsd: Balances.total([...balances, ...venue.rows.map(toDollars)]),
      partial: missed.length > 0,
      unread: missed,
    };
  },
  view({ account, balances, venue, totalUsd, partial, unread }, style, _, place) {
    const dollars = (usd: string | null): string => (usd === null ? '' : style.number(Usd.shown(usd)));
    const rows = balances.map(({ chain, formatted, symbol, usd }) => [
      chain,
      style.bold(style.number(formatted)),
      TerminalText.escape(symbol),
      dollars(usd),
    ]);
    const onVenues = venue.map((each) => [
      `venue account ${each.index}`,
      style.bold(style.number(each.perps)),
      `${TerminalText.escape(each.symbol)}${Number(each.spot) > 0 ? `, and ${style.number(each.spot)} spot` : ''}`,
      dollars(toDollars(each).usd),
    ]);
    const all = [...rows, ...onVenues];
    const isSummed = totalUsd !== null && (all.length > 1 || partial);
    const label = partial ? 'Total of what was read' : 'Total';
    const sum = isSummed ? [[style.bold(label), '', '', style.bold(dollars(totalUsd))]] : [];
    const subject: TerminalTable.Row[] = [
      ['Network', place && Place.shown(place, style)],
      ['Account', Place.withName(account, place)],
    ];
    const missed = unread.flatMap(({ chain, reason }) =>
      TerminalLine.fold(`${chain} was not read: ${TerminalText.escape(reason)}`, style.width),
    );
    const nothing = partial
      ? 'It holds nothing on what was read.'
      : 'It holds nothing that ferry looks for: no native asset and no well-known token.';
    return [
      TerminalTable.rows(subject, style),
      '',
      ...(all.length === 0
        ? TerminalLine.fold(nothing, style.width)
        : [TerminalTable.format({ rows: [...all, ...sum], right: [1, 3] }, style)]),
      ...missed.map((line) => style.yellow(line)),
    ].join('\n');
  },
});

/** The wallet's accounts on the venue. One that cannot be asked is named, as a chain is, unless nothing else is asked. */
async function onVenue(
  wallet: Parameters<typeof Balances.read>[0],
  { name, id }: Network.Chain,
  { context, isAlone }: { context: Context; isAlone: boolean },
): Promise<{ rows: VenueRow[]; unread: Balances.Unread[] }> {
  try {
    const found = await accountsOfWallet(wallet, context);
    const accounts = await Promise.all(found.map(({ index }) => accountOfIndex(index, context)));
    return {
      rows: accounts.flatMap(({ index, assets = [] }) =>
        assets
          .filter(({ perps, spot }) => Number(perps) > 0 || Number(spot) > 0)
          .map(({ symbol, perps, spot }) => ({ index, symbol, perps, spot })),
      ),
      unread: [],
    };
  } catch (error) {
    const reason = reasonOf(error);
    if (isAlone || reason === undefined) throw error;
    return { rows: [], unread: [{ chain: name, chainId: id, reason }] };
  }
}

/** Why the venue was not read; undefined if it is not the venue's doing. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof BaseError && error.code.startsWith('venue.')) return error.message;
  return error instanceof Error && error.name === 'TimeoutError' ? 'it took too long to answer' : undefined;
}

/** The venue's dollars are dollars; its other assets have no price here. */
function toDollars({ symbol, perps, spot }: VenueRow): { usd: string | null } {
  const [first, second] = [Usd.from(perps), Usd.from(spot)];
  const isKnown = symbol === 'USDC' && first !== undefined && second !== undefined;
  return { usd: isKnown ? Usd.formatWire(first + second) : null };
}
