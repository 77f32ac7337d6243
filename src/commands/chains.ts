import * as z from 'zod/mini';
import { define } from '../core/command/Command.js';
import * as ChainAbility from '../core/network/ChainAbility.js';
import * as TerminalTable from '../core/text/TerminalTable.js';
import * as TerminalText from '../core/text/TerminalText.js';

export const command = define({
  description:
    'Lists the chains of the network, as shipped with ferry or configured by you, and what ferry can do with each: send, receive, pay without gas, call on arrival, give deposit addresses. With --live, asks the service which of them it serves now.',
  options: { live: { description: 'ask the service which chains accept deposits now' } },
  examples: [
    ['ferry chains', 'the names and ids that currencies are written with'],
    ['ferry chains --network mainnet --live', 'and whether the service accepts deposits on each'],
  ],
  output: z.object({
    chains: z.array(
      z.object({
        name: z.string(),
        id: z.int(),
        displayName: z.string(),
        vm: z.string(),
        /** What ferry can do there; a chain without `send` is receive only. */
        can: z.array(z.enum(ChainAbility.abilities)),
        native: z.string(),
        tokens: z.array(z.string()),
        explorerUrl: z.nullable(z.string()),
        depository: z.nullable(z.string()),
        /** Whether the service accepts deposits on the chain; null without `--live`. */
        depositEnabled: z.nullable(z.boolean()),
      }),
    ),
  }),
  async run({ live }, context) {
    const served = live ? await (await context.service()).chains() : undefined;
    return {
      chains: context.network.chains.map((chain) => {
        const entry = served?.chains.find(({ id }) => id === chain.id);
        return {
          name: chain.name,
          id: chain.id,
          displayName: chain.displayName,
          vm: chain.vm,
          can: [...ChainAbility.of(chain)],
          native: chain.native.symbol,
          tokens: chain.tokens.map(({ symbol }) => symbol),
          explorerUrl: chain.explorerUrl ?? null,
          depository: chain.contracts.depository ?? null,
          depositEnabled: served
            ? entry !== undefined && entry.depositEnabled !== false && entry.disabled !== true
            : null,
        };
      }),
    };
  },
  placed: true,
  view({ chains }, style) {
    const isLive = chains.some(({ depositEnabled }) => depositEnabled !== null);
    const deposits = (enabled: boolean | null): string => (enabled ? style.green('open') : style.yellow('closed'));
    const head = ['Chain', 'Id', 'Native', 'Can', ...(isLive ? ['Deposits'] : [])];
    const cells = chains.map((chain) => [
      style.bold(chain.name),
      String(chain.id),
      chain.native,
      inWords(chain.can),
      ...(isLive ? [deposits(chain.depositEnabled)] : []),
    ]);
    // The tokens take the room that is left.
    const widths = [head, ...cells].reduce<number[]>(
      (most, row) => row.map((cell, i) => Math.max(most[i] ?? 0, TerminalText.width(cell))),
      [],
    );
    const left = style.width - widths.reduce((sum, each) => sum + each + 2, 0);
    const room = left >= narrowest || style.lineWidth > style.width ? Math.max(left, 0) : style.width - 2;
    const rows = cells.map((row, i) => [...row, fitted(chains[i]?.tokens ?? [], room)]);
    return TerminalTable.format({ head: [...head, 'Tokens'], rows, right: [1] }, style);
  },
});

/** The columns that the tokens need at least to stand beside the rest. */
const narrowest = 12;

/** `all`, `send, receive`, or `receive only`. */
function inWords(can: readonly ChainAbility.Ability[]): string {
  if (can.length === ChainAbility.abilities.length) return 'all';
  return can.length === 1 ? `${can[0]} only` : can.join(', ');
}

/** As many names as fit into a width, and the number of the others. */
function fitted(names: readonly string[], width: number): string {
  for (let count = names.length; ; count--) {
    const rest = names.length - count;
    const text = [...names.slice(0, count), ...(rest > 0 ? [`+${rest}`] : [])].join(', ');
    if (text.length <= width || count <= 1) return text;
  }
}
