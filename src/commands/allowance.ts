import * as z from 'zod/mini';
import * as Address from '../core/base/Address.js';
import * as Amount from '../core/base/Amount.js';
import { type Argument, define } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import * as Allowance from '../core/execution/Allowance.js';
import * as GasBound from '../core/execution/GasBound.js';
import * as Currency from '../core/quote/Currency.js';
import * as QuoteDocument from '../core/quote/QuoteDocument.js';
import * as Place from '../core/text/Place.js';
import * as TerminalText from '../core/text/TerminalText.js';
import { boundedPrice, confirmGas, gasTerms, unquotedGasFlags } from '../setup/limitGas.js';
import { assertFree, counterOf } from '../setup/trustNonces.js';
import { keyFlags, signerFlag, watchedFlag } from '../transfer/transferOptions.js';

/** The token, and whose allowance. */
const allowanceArgs = [
  { name: 'currency', description: 'the token, as chain/token' },
  {
    name: 'spender',
    names: 'address',
    description: 'the spender (default: the contracts that ferry knows)',
    optional: true,
  },
] as const satisfies readonly Argument[];

const allowancePlace = z.object({
  account: z.string(),
  chain: z.string(),
  chainId: z.int(),
  /** `chain/token`, as a user types it. */
  currency: z.string(),
  symbol: z.string(),
});

const show = define({
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
async function allowanceOf([typed = '', spender]: readonly string[], context: Context) {
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

/**
 * No journal is kept: the chain is read first, and what is sent can only reduce an allowance. Repeating the command
 * after a crash finds the allowance gone, or revokes it again at the cost of the gas alone.
 */
const revoke = define({
  description:
    'Revokes the allowances of a token: those of the contracts that ferry knows, or of the spender you name. Each nonzero allowance takes one transaction, and the account pays the gas. If nothing is allowed, nothing is sent.',
  args: allowanceArgs,
  options: {
    ...signerFlag,
    ...keyFlags,
    ...unquotedGasFlags,
    timeout: { value: 'time', description: 'how long to wait for each receipt (default: 5m)' },
  },
  examples: [
    ['ferry allowance revoke alpha/usdc', 'the allowances of all contracts that ferry knows'],
    ['ferry allowance revoke alpha/usdc 0xCABEe62adFB2a4d4172Fc2F7536f324FC52C274a', 'the allowance of one spender'],
  ],
  output: z.extend(allowancePlace, {
    /** The allowances before they were revoked; empty if there were none. */
    revoked: z.array(z.extend(Allowance.row, { txHash: z.string(), gas: QuoteDocument.amount })),
    /** Most that the gas of all transactions could cost; null if nothing was sent. */
    maxGas: z.nullable(QuoteDocument.gasCost),
    /** Who paid the gas. */
    paidBy: z.nullable(z.literal('account')),
  }),
  pays: true,
  async *run(options, context) {
    const { currency, spenders, node, place } = await allowanceOf(options.args, context);
    const { chain, token } = currency;
    const owner = await context.sender();
    const readAllowances = async (): Promise<Allowance.Allowance[]> =>
      (await Allowance.find(currency, owner, spenders, node)).filter(({ amount }) => amount > 0n);
    const { clock, signal } = context;
    const timeoutMs = context.config.timeoutMs.value;
    const rows = [];
    let maxGas = null;
    const found = await readAllowances();
    if (found.length > 0) {
      const amounts = found.map((each) => Allowance.inWords(Allowance.toRow(each, currency)));
      const holders = found.map(({ spender: each }) => Place.withName(each, context.place)).join(' and ');
      const terms = await gasTerms(chain, options, context);
      const fees = await boundedPrice(node, terms, context);
      const bill = await Allowance.bill(currency, found, { owner, fees, node, gas: terms });
      maxGas = GasBound.toDocument(bill, terms);
      const gas = await confirmGas(
        `Revoke the allowance of ${amounts.join(' and ')} ${token.symbol} on ${chain.name} for ${holders}?`,
        owner,
        bill,
        terms,
        context,
      );
      const account = await context.account();
      // wei
      let gasSigned = 0n;
      const counter = await counterOf(chain, context);
      const turn = yield* context.nonces.take(counter);
      try {
        await assertFree({ turn }, counter, context);
        // A run that held the turn before may have used an allowance up.
        for (const each of await readAllowances()) {
          const ports = { node, account, turn, clock, signal, gas, gasSigned };
          const { txHash, gasCost, maxGas: signed } = await Allowance.revoke(currency, each, ports, timeoutMs);
          gasSigned += signed;
          const paid = Amount.toDocument(gasCost, chain.native.decimals);
          rows.push({ ...Allowance.toRow(each, currency), txHash, gas: paid });
        }
      } finally {
        turn.release();
      }
    }
    return {
      account: owner,
      ...place,
      revoked: rows,
      maxGas,
      paidBy: rows.length > 0 ? ('account' as const) : null,
    };
  },
  placed: true,
  view({ account, chain, symbol, revoked, paidBy, maxGas }, style) {
    if (revoked.length === 0) return `No ${symbol} allowance on ${chain}: nothing was sent.`;
    return [
      ...revoked.map(
        (each) =>
          `${style.green('✓')} ${each.spender} can no longer spend ${symbol} of ${account} on ${chain}. The allowance was ${Allowance.inWords(each)}.`,
      ),
      `  The ${paidBy} paid the gas: ${revoked.map(({ gas }) => Amount.shorten(gas.formatted)).join(' + ')} ${maxGas?.symbol ?? ''}.`,
    ].join('\n');
  },
});

export const commands = { show, revoke };
