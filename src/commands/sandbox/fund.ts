import * as z from 'zod/mini';
import * as Address from '../../core/base/Address.js';
import * as Amount from '../../core/base/Amount.js';
import { BaseError } from '../../core/base/Errors.js';
import { define } from '../../core/command/Command.js';
import type { Context } from '../../core/command/Context.js';
import * as SettingFormat from '../../core/config/SettingFormat.js';
import * as Currency from '../../core/quote/Currency.js';
import * as ShellCommand from '../../core/text/ShellCommand.js';
import * as TerminalText from '../../core/text/TerminalText.js';

/** What an address gets that needs something to try ferry with: on each chain. */
const usual = [
  ['1', 'eth'],
  ['10000', 'usdc'],
] as const;

export const output = z.object({
  address: z.string(),
  credits: z.array(
    z.object({
      chain: z.string(),
      chainId: z.int(),
      symbol: z.string(),
      currency: z.string(),
      /** Base units. */
      amount: z.string(),
      formatted: z.string(),
      txHash: z.string(),
    }),
  ),
});

export const command = define({
  description:
    'Pays money of the sandbox to any address, a key of yours or a development account: 1 ETH and 10,000 USDC on each chain, or the amount and currency that you name. It is worth nothing.',
  args: [
    { name: 'account', description: 'an address, a key’s name, or dev0 to dev9' },
    { name: 'amount', description: 'the amount', optional: true },
    { name: 'currency', description: 'what to pay: alpha/usdc', optional: true },
  ],
  examples: [
    ['ferry sandbox fund 0x00000000000000000000000000000000000000A1', 'something of everything on both chains'],
    ['ferry sandbox fund dev9 0.5 alpha/eth', 'gas for an account without any'],
    ['ferry sandbox fund main 250 beta/gull --json', 'a token for a key of yours, in a script'],
  ],
  output,
  async run({ args: [account = '', amount, currency] }, context) {
    const { network } = onSandbox(context);
    if (amount !== undefined && currency === undefined)
      throw new BaseError('usage.missing', `${TerminalText.escape(amount)} of what?`, {
        next: ShellCommand.line`ferry sandbox fund ${account} ${amount} alpha/usdc`,
      });
    const whose = SettingFormat.option(SettingFormat.account, account, 'The account');
    const address = await context.derive({ account: whose }).watched();
    const evm = network.chains.filter((chain) => chain.vm === 'evm');
    const wanted =
      amount !== undefined && currency !== undefined
        ? [[amount, currency] as const]
        : evm.flatMap((chain) => usual.map(([much, symbol]) => [much, `${chain.name}/${symbol}`] as const));
    const control = context.control();
    const credits = [];
    for (const [much, text] of wanted) {
      const parsed = Currency.parse(text, network);
      if (parsed.chain.vm !== 'evm')
        throw new BaseError('request.unsupported', `Money reaches ${parsed.chain.name} by a deposit.`, {
          next: ShellCommand.line`ferry venue deposit ${much} alpha/usdc`,
        });
      const { chain, token } = await Currency.read(parsed, context.chain);
      const units = Amount.from(much, token.decimals);
      const credit = {
        chainId: chain.id,
        currency: Address.from(token.address, 'currency'),
        to: address,
        amount: units,
      };
      credits.push({
        ...{ chain: chain.name, chainId: chain.id, symbol: token.symbol, currency: token.address },
        ...Amount.toDocument(units, token.decimals),
        txHash: await control.fund(credit),
      });
    }
    return { address, credits };
  },
  view: ({ address, credits }, style) =>
    [
      `Paid to ${style.bold(address)}`,
      TerminalText.columns(
        credits.map(({ formatted, symbol, chain, txHash }) => [
          `  ${formatted} ${TerminalText.escape(symbol)}`,
          chain,
          style.dim(txHash),
        ]),
      ),
    ].join('\n'),
});

/** The context, if its network is the sandbox. @throws request.unsupported */
export function onSandbox(context: Context): Context {
  if (context.network.name === 'sandbox') return context;
  throw new BaseError(
    'request.unsupported',
    `Only the sandbox can do this, and the network is ${context.network.name}.`,
    {
      hint: 'Nothing was asked of any server.',
      next: 'ferry config set network sandbox',
    },
  );
}
