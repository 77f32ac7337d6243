import * as z from 'zod/mini';
import * as Address from '../core/base/Address.js';
import * as Amount from '../core/base/Amount.js';
import { BaseError } from '../core/base/Errors.js';
import { define, type Options } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import type { Event } from '../core/event/Event.js';
import * as Execution from '../core/execution/Execution.js';
import * as Following from '../core/execution/Following.js';
import type * as Plan from '../core/execution/Plan.js';
import * as Preparation from '../core/execution/Preparation.js';
import * as Currency from '../core/quote/Currency.js';
import * as QuoteDocument from '../core/quote/QuoteDocument.js';
import * as ShellCommand from '../core/text/ShellCommand.js';
import type { Style } from '../core/text/TerminalStyle.js';
import * as TerminalTable from '../core/text/TerminalTable.js';
import * as TerminalText from '../core/text/TerminalText.js';
import * as EventText from '../core/view/EventText.js';
import { fees } from '../core/view/QuoteText.js';
import { counterOf, takeTurn } from '../setup/trustNonces.js';
import { portsOf } from '../transfer/executeQuote.js';
import { type intentFlags, readCaps, readIntent, requestQuote } from '../transfer/transferOptions.js';

type Scene = Options<typeof intentFlags> & { title: string };

const scenes: readonly Scene[] = [
  { title: 'Bridge 100 USDC from alpha to beta', args: ['100', 'alpha/usdc', 'beta/usdc'] },
  { title: 'Swap 0.1 ETH for USDC on alpha', args: ['0.1', 'alpha/eth', 'alpha/usdc'] },
  { title: 'Swap 50 USDC on alpha for GULL on beta', args: ['50', 'alpha/usdc', 'beta/gull'] },
  {
    title: 'Bridge 25 DAI, and have the service refund it',
    args: ['25', 'alpha/dai', 'beta/dai'],
    referrer: 'debug-force-refund',
  },
];

const transfer = z.object({
  title: z.string(),
  quote: z.object({ send: z.string(), receive: z.string(), minimum: z.string() }),
  fees: QuoteDocument.schema.shape.fees,
  originGas: QuoteDocument.schema.shape.originGas,
  sendUsd: z.nullable(z.string()),
  ended: z.enum(['delivered', 'refunded']),
  /** The amount delivered or refunded, read from the chain. */
  received: z.string(),
  requestId: z.string(),
  transactions: z.array(z.object({ action: z.string(), txHash: z.string() })),
  fills: z.array(z.string()),
  elapsedMs: z.int(),
});

type Transfer = z.output<typeof transfer>;

export const command = define({
  description:
    'Runs a demo on the sandbox: a bridge, a swap on one chain, a swap across chains and a refund, each on real EVM chains on this machine, with balances before and after. The account dev0 pays, whatever account is configured.',
  examples: [['ferry demo', 'needs no setup and no funds']],
  output: z.object({
    account: z.string(),
    transfers: z.array(transfer),
    balances: z.array(z.object({ currency: z.string(), before: z.string(), after: z.string(), change: z.string() })),
  }),
  streams: true,
  async *run(_, { network, derive }) {
    if (network.name !== 'sandbox') throw notSandbox(network.name);
    // The configured account may hold nothing on the sandbox, and would have to be unlocked.
    const context = derive({ account: 'dev0' });
    const user = await context.sender();
    const before = await balances(user, context);
    const transfers: Transfer[] = [];
    for (const scene of scenes) {
      yield { type: 'scene', title: scene.title };
      transfers.push(yield* perform(scene, context));
    }
    const after = await balances(user, context);
    return {
      account: user,
      transfers,
      balances: before.flatMap(({ currency, base }, index) => {
        const now = after[index]?.base ?? base;
        const decimals = currency.token.decimals;
        if (now === base) return [];
        return [
          {
            currency: Currency.format(currency),
            before: Amount.format(base, decimals),
            after: Amount.format(now, decimals),
            change: Amount.format(now - base, decimals),
          },
        ];
      }),
    };
  },
  logLine(event, style) {
    if (event.type === 'scene') return `\n${style.bold(event.title)}`;
    return event.type === 'quoted' ? undefined : EventText.format(event, style);
  },
  view({ transfers, balances: changed, account }, style) {
    const parts = transfers.flatMap((each) => [
      `${each.ended === 'delivered' ? style.green('✓') : style.yellow('↩')} ${style.bold(each.title)} ${style.dim(`${each.ended} in ${(each.elapsedMs / 1000).toFixed(1)} s`)}`,
      TerminalTable.rows(
        [
          ['quoted', `${each.quote.send} → ${each.quote.receive}, at least ${each.quote.minimum}`],
          [each.ended === 'delivered' ? 'received' : 'returned', each.received],
          ...each.transactions.map(({ action, txHash }) => [action, txHash] as const),
          ...each.fills.map((txHash) => [each.ended === 'delivered' ? 'fill' : 'refund', txHash] as const),
        ],
        style,
        2,
      ),
      TerminalText.indent(fees({ fees: each.fees, originGas: each.originGas, send: { usd: each.sendUsd } }, style)),
      '',
    ]);
    const table = TerminalText.columns(
      [
        [`Balances of ${Address.shorten(account)}`, 'before', 'after', 'change'].map(style.dim),
        ...changed.map((each) => [
          style.bold(each.currency),
          Amount.shorten(each.before),
          Amount.shorten(each.after),
          change(each.change, style),
        ]),
      ],
      [1, 2, 3],
    );
    return [...parts, table, '', `Now yours: ${style.command('ferry quote 100 alpha/usdc beta/usdc')}`].join('\n');
  },
});

async function* perform({ title, ...typed }: Scene, context: Context): AsyncGenerator<Event, Transfer> {
  const { network, clock } = context;
  // The transfer of anybody, and not of the app that has the sandbox's key.
  const anybody = { ...context, network: { ...network, referrer: undefined } };
  const intent = await readIntent(typed, anybody);
  const { origin, destination } = intent;
  const { quote, baseUrl } = await requestQuote(intent, context);
  // A demo is never resumed, so there is nothing to write down.
  const journal = { append: async () => {} };
  const proposal = { quote, baseUrl, caps: readCaps({}, context, intent), allow: [], findings: [] };
  const { plan, document } = yield* Preparation.run(proposal, {
    network,
    chain: context.chain,
    service: await context.service(),
    clock,
    journal,
  });
  const account = await context.account();
  const { turn } = yield* takeTurn(await counterOf(origin.chain, context), { isStrict: false, allow: [] }, context);
  const ports = { ...(await portsOf(plan, { journal, turn }, context)), account };
  const { outcome, refunded } = yield* carryOut(plan, ports, context);
  return {
    title,
    quote: {
      send: `${Amount.shorten(document.send.formatted)} ${origin.token.symbol}`,
      receive: `${Amount.shorten(document.receive.formatted)} ${destination.token.symbol}`,
      minimum: Amount.shorten(document.minimum.formatted),
    },
    fees: document.fees,
    originGas: document.originGas,
    sendUsd: document.send.usd,
    ended: refunded ? 'refunded' : 'delivered',
    received:
      outcome.received === undefined || !outcome.place
        ? 'not read from the chain'
        : `${Amount.shorten(Amount.format(outcome.received, outcome.place.decimals))} ${outcome.place.symbol} on ${outcome.place.chain.name}`,
    requestId: outcome.requestId,
    transactions: outcome.transactions.map(({ action, txHash }) => ({ action, txHash })),
    fills: [...(outcome.progress?.outTxHashes ?? [])].filter(
      (hash) => !outcome.transactions.some(({ txHash }) => txHash === hash),
    ),
    elapsedMs: outcome.elapsedMs,
  };
}

/** Executes a plan. A refund is an error to `ferry execute`; here it is an expected result. */
async function* carryOut(
  plan: Plan.Plan,
  ports: Execution.Ports,
  context: Context,
): AsyncGenerator<Event, { outcome: Following.Outcome; refunded: boolean }> {
  try {
    const outcome = yield* Execution.run(plan, ports, { wait: true, timeoutMs: context.config.timeoutMs.value });
    return { outcome, refunded: false };
  } catch (error) {
    if (error instanceof Following.EndedBadlyError && error.code === 'track.refunded')
      return { outcome: error.outcome, refunded: true };
    throw error;
  } finally {
    ports.turn.release();
  }
}

/** What an account holds on the EVM chains of all that the network knows. */
export async function balances(
  user: Address.Address,
  context: Context,
): Promise<{ currency: Currency.Currency; base: bigint }[]> {
  const currencies = context.network.chains
    .filter(({ vm }) => vm === 'evm')
    .flatMap((chain) => [chain.native, ...chain.tokens].map((token) => ({ chain, token })));
  return Promise.all(
    currencies.map(async (currency) => {
      const node = await context.chain(currency.chain);
      return { currency, base: await node.balance(user, currency.token.address as Address.Address) };
    }),
  );
}

function change(text: string, style: Style): string {
  const short = Amount.shorten(text);
  return text.startsWith('-') ? style.red(short) : style.green(`+${short}`);
}

export function notSandbox(network: string, command = 'demo'): BaseError {
  return new BaseError('request.unsupported', `The demo runs on the sandbox only, and the network is ${network}.`, {
    next: ShellCommand.line`ferry ${command.split(' ')} --network sandbox`,
  });
}
