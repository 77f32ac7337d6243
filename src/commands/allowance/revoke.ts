import * as z from 'zod/mini';
import * as Address from '../../core/base/Address.js';
import * as Amount from '../../core/base/Amount.js';
import { define } from '../../core/command/Command.js';
import * as Allowance from '../../core/execution/Allowance.js';
import * as Currency from '../../core/quote/Currency.js';
import * as EventText from '../../core/view/EventText.js';
import { keyFlags } from '../../transfer/transferOptions.js';

/**
 * It keeps no journal: it looks at the chain first, what it sends can only take away, and whoever repeats it after a crash
 * finds the allowance gone, or takes it back once more for the gas alone.
 */
export const command = define({
  description:
    'Takes back what somebody may take of a token from an account: the contracts that ferry knows, or the one that is named. One transaction for each that may take anything; the account pays the gas. Where nothing is allowed, nothing is sent.',
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
    ...keyFlags,
    timeout: { type: 'string', value: 'time', description: 'how long to wait for it (default: 5m)' },
  },
  examples: [
    ['ferry allowance revoke alpha/usdc', 'from the contracts that ferry knows'],
    ['ferry allowance revoke alpha/usdc 0xCABEe62adFB2a4d4172Fc2F7536f324FC52C274a', 'from this one'],
  ],
  output: z.object({
    account: z.string(),
    chain: z.string(),
    chainId: z.int(),
    /** As it is typed. */
    currency: z.string(),
    symbol: z.string(),
    /** What could be taken until now; empty where there was nothing to do. */
    revoked: z.array(
      z.extend(Allowance.row, { txHash: z.string(), gas: z.object({ amount: z.string(), formatted: z.string() }) }),
    ),
    /** Who paid the gas. */
    paidBy: z.nullable(z.literal('account')),
  }),
  async *run({ args: [typed = '', spender] }, context) {
    const currency = await Currency.read(Currency.parse(typed, context.network), context.chain);
    Allowance.assertToken(currency);
    const { chain, token } = currency;
    const asked = Allowance.spenders(chain, spender === undefined ? undefined : Address.from(spender, 'spender'));
    const [node, owner] = [await context.chain(chain), await context.sender()];
    const allowed = async (): Promise<Allowance.Allowance[]> =>
      (await Allowance.find(currency, owner, asked, node)).filter(({ amount }) => amount > 0n);
    const { clock, signal } = context;
    const timeoutMs = context.config.timeoutMs.value;
    const rows = [];
    const found = await allowed();
    if (found.length > 0) {
      const words = found.map((each) => Allowance.inWords(Allowance.toRow(each, currency)));
      const from = found.map(({ spender: each }) => each).join(' and ');
      await context.confirm(`Take back ${words.join(' and ')} ${token.symbol} on ${chain.name} from ${from}?`);
      const account = await context.account();
      const turn = yield* context.nonces.take({ chainId: chain.id, chain: chain.name, address: owner });
      try {
        // Whoever was in front may have used it up.
        for (const each of await allowed()) {
          const { txHash, gasCost } = await Allowance.revoke(
            currency,
            each,
            { node, account, clock, signal },
            timeoutMs,
          );
          const gas = { amount: String(gasCost), formatted: Amount.format(gasCost, chain.native.decimals) };
          rows.push({ ...Allowance.toRow(each, currency), txHash, gas });
        }
      } finally {
        turn.release();
      }
    }
    return {
      account: owner,
      chain: chain.name,
      chainId: chain.id,
      currency: Currency.format(currency),
      symbol: token.symbol,
      revoked: rows,
      paidBy: rows.length > 0 ? ('account' as const) : null,
    };
  },
  logLine: EventText.format,
  view({ account, chain, symbol, revoked, paidBy }, style) {
    if (revoked.length === 0) return `Nothing of ${symbol} is allowed on ${chain}: nothing was sent.`;
    return [
      ...revoked.map(
        (each) =>
          `${style.green('✓')} ${each.spender} may take no ${symbol} of ${account} on ${chain} any more. It was ${Allowance.inWords(each)}.`,
      ),
      `  Gas was paid by the ${paidBy}.`,
    ].join('\n');
  },
});
