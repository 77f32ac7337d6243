/** Proves a withdrawal from the venue, asks, signs, hands it in and follows it. */

import type * as VenueAccount from '../core/accounts/VenueAccount.js';
import * as VenueAccounts from '../core/accounts/VenueAccount.js';
import type { Flags, Options } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import type { Event } from '../core/event/Event.js';
import * as OutcomeDocument from '../core/execution/OutcomeDocument.js';
import type * as Plan from '../core/execution/Plan.js';
import * as Preparation from '../core/execution/Preparation.js';
import * as Verification from '../core/proof/Verification.js';
import * as Quote from '../core/quote/Quote.js';
import type * as QuoteDocument from '../core/quote/QuoteDocument.js';
import type { Caps } from '../core/quote/TransferIntent.js';
import type { JournalWriter } from '../core/tracking/Journal.js';
import type * as WithdrawalText from '../core/view/WithdrawalText.js';
import * as VenueBalanceDocument from '../core/withdrawal/VenueBalanceDocument.js';
import * as WithdrawalChecks from '../core/withdrawal/WithdrawalChecks.js';
import type { World as VenueWorld } from '../core/withdrawal/WithdrawalExecution.js';
import { destinationNode, question, validForMs } from './executeQuote.js';
import { accountAt, currencyOf, ownAccount } from './findVenueAccount.js';
import { runFlags } from './journalledRun.js';
import { askQuote, capFlags, intentFlags, keyFlags, readCaps, readIntent } from './transferOptions.js';
import { openSigner, type Preloaded, signingFlags } from './withdrawalSigner.js';

const { gasless: _, permit: __, ...transferFlags } = intentFlags;

export const withdrawFlags = {
  ...transferFlags,
  accountIndex: { type: 'string', value: 'index', description: 'the account that pays (default: your wallet’s first)' },
  ...signingFlags,
  ...capFlags,
  ...keyFlags,
  dryRun: { type: 'boolean', description: 'show what would be signed and sent, and stop' },
  signOnly: { type: 'boolean', description: 'sign, print the signed transfer, and send nothing' },
  noWait: { type: 'boolean', description: 'end when the venue has executed it, do not follow the transfer' },
  timeout: { type: 'string', value: 'time', description: 'how long to follow it (default: 5m)' },
  validFor: { type: 'string', value: 'time', description: 'how long the signed transfer may be used (default: 10m)' },
  allow: { type: 'strings', value: 'check', description: 'accept that a check cannot be verified; may be repeated' },
  ...runFlags,
} as const satisfies Flags;

/** Who pays, what is loaded for it already, and where the run is written down. */
type Payer = {
  account: VenueAccount.VenueAccount;
  preloaded: Preloaded;
  /** Undefined for what is no run of ferry's. */
  journal: JournalWriter | undefined;
};

/** Proves, asks, signs, hands in and follows. */
export async function* withdraw(
  asked: Awaited<ReturnType<typeof askQuote>>,
  { account, preloaded, journal }: Payer,
  options: Options<typeof withdrawFlags>,
  context: Context,
): AsyncGenerator<Event, WithdrawalText.Withdrawal> {
  const before = VenueAccounts.usdc(account);
  const caps = readCaps(options, context, asked.quote.intent);
  let { plan, document } = yield* prepare(asked, caps, { account, journal }, options, context);
  const result = (
    outcome: OutcomeDocument.OutcomeDocument,
    signed: VenueBalanceDocument.Signed | null,
    after?: bigint,
  ) => ({
    ...outcome,
    account: VenueBalanceDocument.toAccount(account, before, after),
    venueFee: VenueBalanceDocument.toUsdc(plan.transfer.usdcFee),
    signed,
  });
  if (options.dryRun) return result(OutcomeDocument.fromPlan(plan), null);
  await context.confirm(`${question(document)} ${WithdrawalChecks.feeInWords(plan.transfer)}`);
  const signer = await openSigner(account, preloaded, options, context);
  const { index: accountIndex } = account;
  const { apiKeyIndex } = signer;
  const signingChainId = context.network.venue?.signingChainId ?? 0;
  const turn = yield* context.nonces.take({ signingChainId, accountIndex, apiKeyIndex });
  try {
    if (Quote.isExpired(plan.quote, context.clock.now(), caps.maxAgeMs)) {
      // Whoever was asked took long to answer, or others were in front: a new quote is held to what was agreed to.
      const anew = await askQuote(plan.intent, context);
      const held = Verification.capsOf(plan.quote, caps);
      ({ plan, document } = yield* prepare(anew, held, { account, journal }, options, context));
    }
    // Whoever hands it in himself hears from the venue what it asks.
    if (!options.signOnly)
      WithdrawalChecks.assertFeeAsked(plan.transfer, await signer.feeAsked(plan.transfer), context.warn);
    const signed = await signer.sign(plan, validForMs(options.validFor));
    const shown = WithdrawalChecks.toSigned(signed);
    const summary = `Signed with API key ${shown.apiKeyIndex} and by the wallet`;
    yield { type: 'venue-signed', summary, ...shown };
    if (options.signOnly || !journal) return result({ ...OutcomeDocument.fromPlan(plan), status: 'signed' }, shown);

    const world = await venueWorldOf(plan, { journal, turn }, context);
    const WithdrawalExecution = await import('../core/withdrawal/WithdrawalExecution.js');
    const patience = { wait: !options.noWait, timeoutMs: context.config.timeoutMs.value };
    const outcome = OutcomeDocument.from(plan, yield* WithdrawalExecution.run(plan, signed, world, patience));
    const after = await world.venue.account(account.index).catch(() => undefined);
    return result(outcome, shown, after && VenueAccounts.usdc(after));
  } finally {
    turn.release();
  }
}

/** What handing a transfer in and following it takes. */
export async function venueWorldOf(
  plan: Plan.Restored,
  { journal, turn }: Pick<VenueWorld, 'journal' | 'turn'>,
  context: Context,
): Promise<VenueWorld> {
  const { clock, signal, warn } = context;
  return {
    service: await context.service(),
    venue: await context.venue(),
    destination: await destinationNode(plan, context),
    journal,
    turn,
    clock,
    signal,
    warn,
  };
}

/** The account that pays, owned by the wallet that signs. */
export async function payer(
  { accountIndex }: Options<typeof withdrawFlags>,
  context: Context,
): Promise<VenueAccount.VenueAccount> {
  const account = accountIndex === undefined ? await ownAccount(context) : await accountAt(accountIndex, context);
  WithdrawalChecks.assertOwner(account, await context.sender());
  return account;
}

/** Prepares a quote for signing by an account of the venue. */
async function* prepare(
  asked: Awaited<ReturnType<typeof askQuote>>,
  caps: Caps,
  { account, journal }: { account: VenueAccount.VenueAccount; journal: JournalWriter | undefined },
  { allow = [] }: Options<typeof withdrawFlags>,
  context: Context,
): AsyncGenerator<Event, { plan: Plan.VenuePlan; document: QuoteDocument.QuoteDocument }> {
  const { network, chain, clock } = context;
  const world = { network, chain, venueAccount: account, clock, journal };
  const prepared = yield* Preparation.run({ ...asked, caps, allow, findings: [] }, world);
  const plan = WithdrawalChecks.planOf(prepared.plan);
  if (WithdrawalChecks.isFeeLarge(plan.transfer)) context.warn(WithdrawalChecks.feeInWords(plan.transfer));
  return { ...prepared, plan };
}

/** The quote of what was typed. `max` is what the account has less the venue's fee, which a first quote tells. */
export async function firstQuote(
  account: VenueAccount.VenueAccount,
  options: Options<typeof withdrawFlags>,
  context: Context,
): Promise<Awaited<ReturnType<typeof askQuote>>> {
  const [typed = '', to = ''] = options.args;
  const { chain, token } = currencyOf(context.network);
  const from = `${chain.name}/${token.symbol.toLowerCase()}`;
  const ask = async (amount: string) =>
    askQuote(await readIntent([amount, from, to], options, context, { account }), context);
  if (typed !== 'max') return ask(typed);
  const balance = VenueAccounts.usdc(account);
  const all = await ask(VenueBalanceDocument.toUsdc(balance).formatted);
  return ask(VenueBalanceDocument.toUsdc(balance - (Quote.venueFee(all.quote) ?? 0n)).formatted);
}
