import * as z from 'zod/mini';
import * as Address from '../../core/base/Address.js';
import { define } from '../../core/command/Command.js';
import * as Allowance from '../../core/execution/Allowance.js';
import * as Currency from '../../core/quote/Currency.js';
import * as TerminalText from '../../core/text/TerminalText.js';

export const command = define({
  description:
    'Shows who may take how much of a token from an account: the contracts that ferry knows, or the one that is named. A transfer allows exactly what it pays and uses it up, so anything here was left over or allowed elsewhere.',
  args: [
    { name: 'currency', description: 'the token, as chain/token' },
    { name: 'spender', description: 'who may take (default: the contracts that ferry knows)', optional: true },
  ],
  options: {
    account: {
      type: 'string',
      value: 'name',
      description: 'the account: a key’s name, or dev0 to dev9 on the sandbox',
    },
  },
  examples: [
    ['ferry allowance show alpha/usdc', 'by the contracts that ferry knows'],
    ['ferry allowance show alpha/usdc 0xCABEe62adFB2a4d4172Fc2F7536f324FC52C274a', 'by this one'],
  ],
  output: z.object({
    account: z.string(),
    chain: z.string(),
    chainId: z.int(),
    /** As it is typed. */
    currency: z.string(),
    symbol: z.string(),
    allowances: z.array(Allowance.row),
  }),
  async run({ args: [typed = '', spender] }, context) {
    const currency = await Currency.read(Currency.parse(typed, context.network), context.chain);
    Allowance.assertToken(currency);
    const { chain, token } = currency;
    const asked = Allowance.spenders(chain, spender === undefined ? undefined : Address.from(spender, 'spender'));
    const [node, account] = [await context.chain(chain), await context.sender()];
    const found = await Allowance.find(currency, account, asked, node);
    return {
      account,
      chain: chain.name,
      chainId: chain.id,
      currency: Currency.format(currency),
      symbol: token.symbol,
      allowances: found.map((each) => Allowance.toRow(each, currency)),
    };
  },
  view({ account, chain, currency, symbol, allowances }, style) {
    if (allowances.length === 0) return `ferry knows no contracts on ${chain}: name a spender.`;
    const isAllowed = allowances.some(({ amount }) => amount !== '0');
    return [
      style.dim(account),
      TerminalText.columns(
        allowances.map((each) => [
          style.bold(each.contract ?? 'another'),
          each.spender,
          each.amount === '0' ? style.green('nothing') : style.yellow(`${Allowance.inWords(each)} ${symbol}`),
        ]),
      ),
      ...(isAllowed ? [style.dim(`ferry allowance revoke ${currency} would take it back.`)] : []),
    ].join('\n');
  },
});
