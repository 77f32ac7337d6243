import * as z from 'zod/mini';
import { define } from '../core/command/Command.js';
import * as TerminalText from '../core/text/TerminalText.js';

export const command = define({
  description:
    'The chains of the network, as ferry ships or you configured them. With --live the service says which of them it serves now.',
  args: [],
  options: { live: { type: 'boolean', description: 'ask the service which of them take deposits now' } },
  examples: [
    ['ferry chains', 'names and ids to write currencies with'],
    ['ferry chains --network mainnet --live', 'with the service’s word on each'],
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
        /** Whether the service takes deposits on it; null where it was not asked. */
        depositEnabled: z.nullable(z.boolean()),
      }),
    ),
  }),
  async run({ live }, context) {
    const answer = live ? await (await context.service()).chains() : undefined;
    return {
      chains: context.network.chains.map((chain) => {
        const said = answer?.chains.find(({ id }) => id === chain.id);
        return {
          name: chain.name,
          id: chain.id,
          displayName: chain.displayName,
          vm: chain.vm,
          native: chain.native.symbol,
          tokens: chain.tokens.map(({ symbol }) => symbol),
          explorerUrl: chain.explorerUrl ?? null,
          depository: chain.contracts.depository ?? null,
          depositEnabled: answer ? said !== undefined && said.depositEnabled !== false && said.disabled !== true : null,
        };
      }),
    };
  },
  view({ chains }, style) {
    const asked = chains.some(({ depositEnabled }) => depositEnabled !== null);
    const word = (enabled: boolean | null): string => (enabled ? style.green('open') : style.yellow('closed'));
    return TerminalText.columns(
      [
        ['Chain', 'Id', 'Native', 'Tokens', ...(asked ? ['Deposits'] : [])].map(style.dim),
        ...chains.map((chain) => [
          style.bold(chain.name),
          String(chain.id),
          chain.native,
          list(chain.tokens, style.width - (asked ? 50 : 40)),
          ...(asked ? [word(chain.depositEnabled)] : []),
        ]),
      ],
      [1],
    );
  },
});

/** As many names as fit, and how many more there are. */
function list(names: readonly string[], room: number): string {
  let text = '';
  for (const [index, name] of names.entries()) {
    const next = text ? `${text}, ${name}` : name;
    if (next.length > room && index > 0) return `${text}, +${names.length - index}`;
    text = next;
  }
  return text;
}
