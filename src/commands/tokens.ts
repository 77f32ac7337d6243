import * as z from 'zod/mini';
import { define } from '../core/command/Command.js';
import * as Network from '../core/network/Network.js';
import type { Style } from '../core/text/TerminalStyle.js';
import * as TerminalTable from '../core/text/TerminalTable.js';
import * as TerminalText from '../core/text/TerminalText.js';

export const command = define({
  description:
    'Lists the tokens that ferry knows by symbol: their addresses ship with ferry or were pinned by you with ferry contracts accept. With --search, searches the service’s list, whose symbols are not trusted: use the addresses.',
  args: [{ name: 'chain', description: 'a chain’s name or id (default: all)', optional: true }],
  options: { search: { value: 'text', description: 'search the service’s list' } },
  examples: [
    ['ferry tokens alpha', 'on one chain'],
    ['ferry tokens --search gull', 'search for a token by name'],
    ['ferry tokens --json | jq -r ".data.tokens[].currency"', 'every currency, as chain/token'],
  ],
  output: z.object({
    tokens: z.array(
      z.object({
        /** `chain/token`, as a user types it. */
        currency: z.string(),
        chain: z.string(),
        chainId: z.int(),
        symbol: z.string(),
        name: z.string(),
        address: z.string(),
        decimals: z.int(),
        /** Whether the symbol can be used: it ships with ferry, or is pinned. */
        known: z.boolean(),
        /** Whether the user pinned it. */
        pinned: z.boolean(),
      }),
    ),
  }),
  async run({ args, search }, context) {
    const { network, pins } = context;
    const rowOf = (chain: Network.Chain, token: Network.Token, known: boolean) => {
      const isPinned = pins.tokens(chain).some((each) => each.token.symbol === token.symbol);
      return {
        currency: `${chain.name}/${known ? token.symbol.toLowerCase() : token.address}`,
        chain: chain.name,
        chainId: chain.id,
        symbol: token.symbol,
        name: token.name,
        address: token.address,
        decimals: token.decimals,
        known,
        pinned: known && isPinned,
      };
    };
    const chains = args[0] === undefined ? network.chains : [Network.chain(network, args[0])];
    if (search === undefined)
      return {
        tokens: chains.flatMap((chain) => [chain.native, ...chain.tokens].map((token) => rowOf(chain, token, true))),
      };
    const service = await context.service();
    const found = await service.currencies({ term: search, chainIds: chains.map(({ id }) => id), limit: 50 });
    return {
      tokens: found.flatMap((each) => {
        const chain = chains.find(({ id }) => id === each.chainId);
        if (!chain) return [];
        const { symbol, name, address, decimals } = each;
        const own = Network.token(chain, address);
        return [rowOf(chain, own ?? { symbol, name, address, decimals }, own !== undefined)];
      }),
    };
  },
  placed: true,
  view({ tokens }, style) {
    if (tokens.length === 0) return 'No tokens.';
    const rows = tokens.map((token) => [
      style.bold(TerminalText.escape(token.currency)),
      TerminalText.escape(token.name) + note(token, style),
      String(token.decimals),
      TerminalText.escape(token.address),
    ]);
    return TerminalTable.format({ head: ['Currency', 'Name', 'Decimals', 'Address'], rows }, style);
  },
});

function note({ known, pinned, symbol }: { known: boolean; pinned: boolean; symbol: string }, style: Style): string {
  if (!known) return style.yellow(` (${TerminalText.escape(symbol)}, by the service)`);
  return pinned ? style.dim(' (pinned)') : '';
}
