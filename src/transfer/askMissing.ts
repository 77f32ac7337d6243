/**
 * Asks on a terminal for the missing arguments of a transfer: the currencies, by search with balances, and the amount.
 */

import * as Address from '../core/base/Address.js';
import * as Amount from '../core/base/Amount.js';
import { BaseError } from '../core/base/Errors.js';
import type { Context } from '../core/command/Context.js';
import type { Choice } from '../core/ports/Ports.js';
import * as Currency from '../core/quote/Currency.js';
import * as CurrencySearch from '../core/quote/CurrencySearch.js';
import * as TransferIntent from '../core/quote/TransferIntent.js';
import * as TerminalText from '../core/text/TerminalText.js';

/** Time limit for reading balances; currencies whose balance is late are listed without one. */
const balanceTimeoutMs = 3_000;

/** Whether the arguments are the beginning of a transfer: none, an amount, or an amount and a currency. */
export function isPartial(args: readonly string[]): boolean {
  const [amount, , to] = args;
  return to === undefined && (amount === undefined || Amount.isMax(amount) || /^\d+(\.\d+)?$/.test(amount));
}

/**
 * The amount and both currencies; asks for those that are missing, and again for one that cannot be.
 *
 * @throws usage.missing without a terminal · prompt.declined
 */
export async function askMissing(
  [amount, from, to]: readonly string[],
  { exactOutput, expectedOutput }: { exactOutput?: boolean | undefined; expectedOutput?: boolean | undefined },
  context: Context,
): Promise<readonly [amount: string, from: string, to: string]> {
  const { prompt, interactive, network } = context;
  if (!interactive)
    throw new BaseError('usage.missing', 'A transfer needs an amount and two currencies, or a quote file.', {
      hint: 'For example: ferry execute 100 alpha/usdc beta/usdc. On a terminal ferry asks for what is missing.',
    });
  const candidates = CurrencySearch.from(network);
  const payable = candidates.filter(({ chain }) => chain.vm === 'evm');
  const wrongOrigin = from === undefined ? '' : await originObjection(from, context);
  const balances = wrongOrigin === undefined ? new Map<string, bigint>() : await balancesOf(payable, context);
  const held = payable.toSorted((a, b) => Number(has(balances, b)) - Number(has(balances, a)));
  const origin =
    from !== undefined && wrongOrigin === undefined
      ? from
      : await prompt.search(
          after(wrongOrigin, `From which of ${held.length} currencies?`),
          async (term) => choices(held, term, balances, context),
          (typed) => originObjection(typed, context),
        );
  const paid = await currencyOf(origin, context);
  const targetObjection = (typed: string) => destinationObjection(typed, paid, context);
  // The same token on another chain comes first: a bridge is what is asked for most.
  const isBridge = ({ chain, token }: Currency.Currency): boolean =>
    chain.id !== paid.chain.id && token.symbol === paid.token.symbol;
  const targets = candidates
    .filter(({ chain, token }) => !isSame({ chain, token }, paid))
    .toSorted((a, b) => Number(isBridge(b)) - Number(isBridge(a)));
  const wrongTarget = to === undefined ? '' : await targetObjection(to);
  const destination =
    to !== undefined && wrongTarget === undefined
      ? to
      : await prompt.search(
          after(wrongTarget, `To which of ${targets.length} currencies?`),
          async (term) => choices(targets, term, new Map(), context),
          targetObjection,
        );
  const isOutput = exactOutput === true || expectedOutput === true;
  const { token } = isOutput ? await currencyOf(destination, context) : paid;
  const balance = isOutput
    ? undefined
    : (balances.get(Currency.format(paid)) ?? (await balancesOf([paid], context)).get(Currency.format(paid)));
  const object = async (typed: string) => amountObjection(typed, token.decimals, isOutput ? 'output' : balance);
  const wrong = amount === undefined ? '' : await object(amount);
  if (amount !== undefined && wrong === undefined) return [amount, origin, destination];
  const most = balance === undefined ? '' : ` (max: ${TerminalText.grouped(Amount.format(balance, token.decimals))})`;
  const question = `How much ${TerminalText.escape(token.symbol)}${isOutput ? ' should arrive?' : `?${most}`}`;
  return [await prompt.text(after(wrong, question), object), origin, destination];
}

/** A question after what is wrong with the answer so far, if there was one. */
function after(wrong: string | undefined, question: string): string {
  return wrong ? `${wrong} ${question}` : question;
}

async function currencyOf(text: string, { network, chain }: Context): Promise<Currency.Currency> {
  return Currency.read(Currency.parse(text, network), chain);
}

async function originObjection(typed: string, context: Context): Promise<string | undefined> {
  return objectionOf(async () => {
    const { chain } = await currencyOf(typed, context);
    if (chain.vm === 'evm') return undefined;
    TransferIntent.assertOrigin({ chain });
    return `A balance on ${chain.name} is paid out with ferry venue withdraw.`;
  });
}

async function destinationObjection(
  typed: string,
  origin: Currency.Currency,
  context: Context,
): Promise<string | undefined> {
  return objectionOf(async () =>
    isSame(await currencyOf(typed, context), origin) ? 'That is the currency to be paid.' : undefined,
  );
}

/** @param balance what can be paid, if that is known; `output` if the amount is what should arrive */
async function amountObjection(
  typed: string,
  decimals: number,
  balance: bigint | 'output' | undefined,
): Promise<string | undefined> {
  return objectionOf(async () => {
    if (balance === 'output' && Amount.isMax(typed)) return 'What should arrive has no max. Type an amount.';
    if (Amount.isMax(typed)) return balance === 0n ? 'There is none of it to pay.' : undefined;
    const amount = Amount.from(typed, decimals);
    if (amount === 0n) return 'The amount must be more than zero.';
    if (balance === undefined || balance === 'output' || amount <= balance) return undefined;
    return `That is more than the ${TerminalText.grouped(Amount.format(balance, decimals))} that there is. Type less, or max.`;
  });
}

async function objectionOf(check: () => Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof Amount.InvalidAmountError) return `${error.message} ${error.hint}`;
    if (error instanceof BaseError && !error.code.startsWith('internal')) return error.message;
    throw error;
  }
}

function isSame(a: Currency.Currency, b: Currency.Currency): boolean {
  return a.chain.id === b.chain.id && Address.isEqual(a.token.address, b.token.address);
}

/** The matching currencies; for a term that matches none but is a valid `chain/address`, that currency. */
function choices(
  candidates: readonly CurrencySearch.Candidate[],
  term: string,
  balances: ReadonlyMap<string, bigint>,
  { network }: Context,
): Choice<string>[] {
  const found = CurrencySearch.matching(candidates, term).map((candidate) => ({
    value: candidate.typed,
    description: CurrencySearch.inWords(candidate, balances.get(candidate.typed)),
  }));
  if (found.length > 0 || !term.includes('/')) return found;
  try {
    Currency.parse(term, network);
    return [{ value: term, description: term }];
  } catch {
    return [];
  }
}

function has(balances: ReadonlyMap<string, bigint>, { typed }: CurrencySearch.Candidate): boolean {
  return (balances.get(typed) ?? 0n) > 0n;
}

/** The sender's balances by `chain/token`; those not read in time are left out. */
async function balancesOf(
  currencies: readonly Currency.Currency[],
  context: Context,
): Promise<ReadonlyMap<string, bigint>> {
  const balances = new Map<string, bigint>();
  const owner = await context.watched().catch(() => undefined);
  if (!owner) return balances;
  const reading = currencies.map(async (currency) => {
    const { chain, token } = currency;
    const node = await context.chain(chain);
    balances.set(Currency.format(currency), await node.balance(owner, token.address as Address.Address));
  });
  const late = new AbortController();
  await Promise.race([
    Promise.allSettled(reading),
    context.clock.sleep(balanceTimeoutMs, AbortSignal.any([context.signal, late.signal])).catch(() => {}),
  ]);
  late.abort();
  return new Map(balances);
}
