import * as z from 'zod/mini';
import { define } from '../../core/command/Command.js';
import * as ContractListing from '../../core/network/ContractListing.js';
import * as Network from '../../core/network/Network.js';
import * as ReportedContracts from '../../core/network/ReportedContracts.js';
import * as TerminalText from '../../core/text/TerminalText.js';

export const command = define({
  description:
    'Lists the contracts that may hold funds or be approved, and the source of each: shipped with ferry, pinned or accepted by you. A quote that pays any other contract is refused. With --live, also shows the contracts that the service reports now.',
  args: [{ name: 'chain', description: 'a chain’s name or id (default: all)', optional: true }],
  options: {
    live: { description: 'ask the service which contracts it uses now, and mark the differences' },
    check: { description: 'ask the service, and exit 12 if its contracts differ' },
  },
  examples: [
    ['ferry contracts list alpha', 'on one chain'],
    ['ferry contracts list --live', 'compared with what the service reports'],
    ['ferry contracts list --network mainnet --check', 'in CI: fail if the service uses other contracts'],
  ],
  output: z.object({
    chains: z.array(
      z.object({
        chain: z.string(),
        chainId: z.int(),
        displayName: z.string(),
        contracts: z.array(ContractListing.schema),
        /** Tokens pinned by the user; `ferry tokens` lists all known ones. */
        tokens: z.array(ContractListing.tokenSchema),
      }),
    ),
    /** Whether a difference is a failure (`--check`). */
    checked: z.boolean(),
    /** The path of the file of pins, whether or not there are any. */
    file: z.string(),
  }),
  async run({ args, live, check }, context) {
    const { network, pins } = context;
    const selected = args[0] === undefined ? network.chains : [Network.chain(network, args[0])];
    const answer = live || check ? await (await context.service()).chains() : undefined;
    return {
      chains: selected
        .filter(({ vm }) => vm === 'evm')
        .map((chain) => ({
          chain: chain.name,
          chainId: chain.id,
          displayName: chain.displayName,
          contracts: ContractListing.from(pins.contracts(chain), answer && ReportedContracts.from(answer, chain.id)),
          tokens: pins.tokens(chain).map(ContractListing.fromToken),
        })),
      checked: check === true,
      file: pins.path,
    };
  },
  placed: true,
  view({ chains }, style) {
    if (chains.length === 0) return 'No contracts.';
    const blocks = chains.map(({ chain, chainId, contracts, tokens }) =>
      [
        `${style.bold(chain)} ${style.dim(String(chainId))}`,
        contracts.length + tokens.length > 0
          ? ContractListing.format(contracts, tokens, style)
          : style.yellow('none that ferry knows'),
        ...(contracts.some(({ address, differs }) => address === null || differs)
          ? [style.dim(`To trust what the service reports: ferry contracts accept ${TerminalText.escape(chain)}`)]
          : []),
      ].join('\n'),
    );
    return blocks.join('\n\n');
  },
  outcome: ({ chains, checked }) =>
    checked && chains.some(({ contracts }) => contracts.some(({ differs }) => differs)) ? 'expect.unmet' : undefined,
});
