import * as z from 'zod/mini';
import * as Address from '../../core/base/Address.js';
import { type Argument, define } from '../../core/command/Command.js';
import type { Context } from '../../core/command/Context.js';
import * as Allowance from '../../core/execution/Allowance.js';
import * as Currency from '../../core/quote/Currency.js';
import * as TerminalText from '../../core/text/TerminalText.js';
import { watchedFlag } from '../../transfer/transferOptions.js';

/** The token, and whose allowance. */
export const allowanceArgs = [
  { name: 'currency', description: 'the token, as chain/token' },
  {
    name: 'spender',
    names: 'address',
    description: 'the spender (default: the contracts that ferry knows)',
    optional: true,
  },
] as const satisfies readonly Argument[];

export const allowancePlace = z.object({
  account: z.string(),
  chain: z.string(),
  chainId: z.int(),
  /** `chain/token`, as a user types it. */
  currency: z.string(),
  symbol: z.string(),
});

export const command = define({
  description:
    'Shows the allowances of a token: those of the contracts that ferry knows, or of the spender you name. A transfer approves exactly what it pays and uses it up, so any allowance here was left over or approved elsewhere.',
  args: allowanceArgs,
  options: watchedFlag,
  examples: [
    ['ferry allowance show alpha/usdc', 'of all contracts that ferry knows'],
    ['ferry allowance show alpha/usdc 0xCABEe62adFB2a4d4172Fc2F7536f324FC52C274a', 'of one spender'],
  ],
  output: z.extend(allowancePlace, { allowances: z.array(Allowance.row) }),
  async run({ args }, context) {
    const { currency, spenders, node, place } = await allowanceOf(args, context);
    const account = await context.watched();
    const found = await Allowance.find(currency, account, spenders, node);
    return {
      account,
      ...place,
      allowances: found.map((each) => Allowance.toRow(each, currency)),
    };
  },
  placed: true,
  view({ account, chain, currency, symbol, allowances }, style) {
    if (allowances.length === 0) return `ferry knows no contracts on ${chain}: name a spender.`;
    const isAllowed = allowances.some(({ amount }) => amount !== '0');
    return [
      style.dim(account),
      TerminalText.columns(
        allowances.map((each) => [
          style.bold(each.contract ?? 'unknown'),
          each.spender,
          each.amount === '0' ? style.green('nothing') : style.yellow(`${Allowance.inWords(each)} ${symbol}`),
        ]),
      ),
      ...(isAllowed ? [style.dim(`To revoke: ferry allowance revoke ${currency}`)] : []),
    ].join('\n');
  },
});

/** The token and the spenders that were typed, and where they are. @throws request.* · chain.* */
export async function allowanceOf([typed = '', spender]: readonly string[], context: Context) {
  const currency = await Currency.read(Currency.parse(typed, context.network), context.chain);
  Allowance.assertToken(currency);
  const { chain, token } = currency;
  return {
    currency,
    spenders: Allowance.spenders(chain, spender === undefined ? undefined : Address.from(spender, 'spender')),
    node: await context.chain(chain),
    place: { chain: chain.name, chainId: chain.id, currency: Currency.format(currency), symbol: token.symbol },
  };
}
