/**
 * Asks on a terminal for the missing arguments of a transfer: the currencies, by search with balances, and the amount.
 */

import type * as Address from '../core/base/Address.js';
import * as Amount from '../core/base/Amount.js';
import { BaseError } from '../core/base/Errors.js';
import type { Context } from '../core/command/Context.js';
import type { Choice } from '../core/ports/Ports.js';
import * as Currency from '../core/quote/Currency.js';
import * as CurrencySearch from '../core/quote/CurrencySearch.js';
import * as TerminalText from '../core/text/TerminalText.js';

/** Time limit for reading balances; currencies whose balance is late are listed without one. */
const balanceTimeoutMs = 3_000;

/** Whether the arguments are the beginning of a transfer: none, an amount, or an amount and a currency. */
export function isPartial(args: readonly string[]): boolean {
  const [amount, , to] = args;
  return to === undefined && (amount === undefined || amount === 'max' || /^\d+(\.\d+)?$/.test(amount));
}

/**
 * The amount and both currencies; asks for those that are missing.
 *
 * @throws usage.missing without a terminal · prompt.declined
 */
export async function askMissing(
  [amount, from, to]: readonly string[],
  { exactOutput, expectedOutput }: { exactOutput?: boolean | undefined; expectedOutput?: boolean | undefined },
  context: Context,
): Promise<readonly [amount: string, from: string, to: string]> {
  const { prompt, interactive, network } = context;
  if (!interactive) throw new MissingTransferError();
  const candidates = CurrencySearch.from(network);
  const payable = candidates.filter(({ chain }) => chain.vm === 'evm');
  const balances = from === undefined ? await balancesOf(payable, context) : new Map<string, bigint>();
  const held = payable.toSorted((a, b) => Number(has(balances, b)) - Number(has(balances, a)));
  const origin =
    from ??
    (await prompt.search(`From which of ${held.length} currencies? Type to filter:`, async (term) =>
      choices(held, term, balances, context),
    ));
  // The same token on another chain comes first: a bridge is what is asked for most.
  const [, token] = origin.split('/');
  const targets = candidates
    .filter(({ typed }) => typed !== origin)
    .toSorted((a, b) => Number(b.typed.split('/')[1] === token) - Number(a.typed.split('/')[1] === token));
  const destination =
    to ??
    (await prompt.search(`To which of ${targets.length} currencies? Type to filter:`, async (term) =>
      choices(targets, term, new Map(), context),
    ));
  if (amount !== undefined) return [amount, origin, destination];
  const isOutput = exactOutput || expectedOutput;
  const currency = await Currency.read(Currency.parse(isOutput ? destination : origin, network), context.chain);
  const balance = isOutput ? undefined : balances.get(origin);
  const most = balance === undefined ? '' : `, or max of ${Amount.format(balance, currency.token.decimals)}`;
  const { symbol, decimals } = currency.token;
  const question = `How much ${TerminalText.escape(symbol)}${isOutput ? ' should arrive' : most}?`;
  return [await prompt.text(question, async (typed) => objection(typed, decimals, balance)), origin, destination];
}

async function objection(typed: string, decimals: number, balance: bigint | undefined): Promise<string | undefined> {
  if (typed === 'max') return undefined;
  try {
    const amount = Amount.from(typed, decimals);
    if (balance === undefined || amount <= balance) return undefined;
    return `That is more than the ${Amount.format(balance, decimals)} that there is. Type less, or max.`;
  } catch (error) {
    return error instanceof BaseError ? error.message : String(error);
  }
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
  candidates: readonly CurrencySearch.Candidate[],
  context: Context,
): Promise<ReadonlyMap<string, bigint>> {
  const balances = new Map<string, bigint>();
  const owner = await context.watched().catch(() => undefined);
  if (!owner) return balances;
  const reading = candidates.map(async ({ chain, token, typed }) => {
    const node = await context.chain(chain);
    balances.set(typed, await node.balance(owner, token.address as Address.Address));
  });
  const late = new AbortController();
  await Promise.race([
    Promise.allSettled(reading),
    context.clock.sleep(balanceTimeoutMs, AbortSignal.any([context.signal, late.signal])).catch(() => {}),
  ]);
  late.abort();
  return new Map(balances);
}

export class MissingTransferError extends BaseError {
  override name = 'MissingTransferError';
  constructor() {
    super('usage.missing', 'A transfer needs an amount and two currencies, or a quote file.', {
      hint: 'For example: ferry execute 100 alpha/usdc beta/usdc. On a terminal ferry asks for what is missing.',
    });
  }
}
