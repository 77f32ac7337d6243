import * as z from 'zod/mini';
import * as Address from '../../core/base/Address.js';
import { define } from '../../core/command/Command.js';
import * as SignedBatch from '../../core/gasless/SignedBatch.js';
import * as Network from '../../core/network/Network.js';
import * as TerminalText from '../../core/text/TerminalText.js';
import { watchedFlag } from '../../transfer/transferOptions.js';

export const command = define({
  description:
    'Shows an account’s EIP-7702 delegation on each chain. The only delegate that ferry uses is the batch executor that it ships with or that you accepted; check any other.',
  args: [{ name: 'chain', description: 'a chain’s name or id (default: all)', optional: true }],
  options: watchedFlag,
  examples: [
    ['ferry delegation show', 'on every chain'],
    ['ferry delegation show alpha --account dev9', 'on one chain'],
  ],
  output: z.object({
    account: z.string(),
    delegations: z.array(
      z.object({
        chain: z.string(),
        chainId: z.int(),
        /** The delegate's address; null for an account without code. */
        delegate: z.nullable(z.string()),
        verdict: z.enum(['none', 'allowed', 'unknown', 'contract']),
      }),
    ),
  }),
  async run({ args }, context) {
    const account = await context.watched();
    const chains = args[0] === undefined ? context.network.chains : [Network.chain(context.network, args[0])];
    const evm = chains.filter(({ vm }) => vm === 'evm');
    const delegations = await Promise.all(
      evm.map(async (chain) => {
        const node = await context.chain(chain);
        const found = SignedBatch.delegateOf(await node.code(account));
        const allowed = chain.contracts.batchExecutor;
        const verdict =
          found === undefined
            ? ('none' as const)
            : found === 'contract'
              ? ('contract' as const)
              : allowed && Address.isEqual(found, allowed)
                ? ('allowed' as const)
                : ('unknown' as const);
        return {
          chain: chain.name,
          chainId: chain.id,
          delegate: found === undefined || found === 'contract' ? null : found,
          verdict,
        };
      }),
    );
    return { account, delegations };
  },
  placed: true,
  view({ account, delegations }, style) {
    const words = {
      none: style.dim('none: a plain account'),
      allowed: style.green('the batch executor that ferry uses'),
      unknown: style.red('not a contract that ferry delegates to'),
      contract: style.yellow('the account is a contract itself'),
    };
    return [
      style.dim(account),
      TerminalText.columns(
        delegations.map(({ chain, delegate, verdict }) => [style.bold(chain), delegate ?? '-', words[verdict]]),
      ),
    ].join('\n');
  },
});
