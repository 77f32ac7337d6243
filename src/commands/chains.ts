import * as z from 'zod/mini';
import { define } from '../core/command/Command.js';
import * as TerminalText from '../core/text/TerminalText.js';

export const command = define({
  description:
    'Lists the chains of the network, as shipped with ferry or configured by you. With --live, asks the service which of them it serves now.',
  args: [],
  options: { live: { type: 'boolean', description: 'ask the service which chains accept deposits now' } },
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
  view({ chains }, style) {
    const isLive = chains.some(({ depositEnabled }) => depositEnabled !== null);
    const deposits = (enabled: boolean | null): string => (enabled ? style.green('open') : style.yellow('closed'));
    return TerminalText.columns(
      [
        ['Chain', 'Id', 'Native', 'Tokens', ...(isLive ? ['Deposits'] : [])].map(style.dim),
        ...chains.map((chain) => [
          style.bold(chain.name),
          String(chain.id),
          chain.native,
          fitted(chain.tokens, style.width - (isLive ? 50 : 40)),
          ...(isLive ? [deposits(chain.depositEnabled)] : []),
        ]),
      ],
      [1],
    );
  },
});

/** As many names as fit into a width, and the number of the others. */
function fitted(names: readonly string[], width: number): string {
  let text = '';
  for (const [index, name] of names.entries()) {
    const next = text ? `${text}, ${name}` : name;
    if (next.length > width && index > 0) return `${text}, +${names.length - index}`;
    text = next;
  }
  return text;
}
