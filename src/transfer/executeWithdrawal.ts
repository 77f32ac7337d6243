/** Proves a withdrawal from the venue, asks, signs, submits and follows it. */

import type * as VenueAccount from '../core/accounts/VenueAccount.js';
import * as VenueAccounts from '../core/accounts/VenueAccount.js';
import * as Amount from '../core/base/Amount.js';
import * as ClockSkew from '../core/checks/ClockSkew.js';
import type { Flags, Options } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import type { Event } from '../core/event/Event.js';
import * as Facts from '../core/execution/Facts.js';
import * as OutcomeDocument from '../core/execution/OutcomeDocument.js';
import type * as Plan from '../core/execution/Plan.js';
import type * as Preparation from '../core/execution/Preparation.js';
import type { NonceCounter, Waiting } from '../core/ports/Ports.js';
import * as Currency from '../core/quote/Currency.js';
import * as Quote from '../core/quote/Quote.js';
import type { Run } from '../core/tracking/RunStore.js';
import type * as WithdrawalText from '../core/view/WithdrawalText.js';
import * as VenueBalanceDocument from '../core/withdrawal/VenueBalanceDocument.js';
import * as WithdrawalChecks from '../core/withdrawal/WithdrawalChecks.js';
import type { Ports as VenuePorts } from '../core/withdrawal/WithdrawalExecution.js';
import { type Taken, takeTurn } from '../setup/trustNonces.js';
import { patienceOf, portsOfAnyOrigin, validForMs } from './executeQuote.js';
import { accountOfIndex, currencyOf, type Expected, ownAccount } from './findVenueAccount.js';
import { runFlags, witnessFlags } from './journalledRun.js';
import { pay, prove, question, type Signing, type Way } from './pay.js';
import { capFlags, intentFlags, keyFlags, readCaps, readIntent, requestQuote } from './transferOptions.js';
import { expectedSlot, openSigner, type Preloaded, type Signer, signingFlags } from './withdrawalSigner.js';

const { gasless: _, permit: __, call: ___, calls: ____, gasTopup: _____, ...transferFlags } = intentFlags;

export const withdrawFlags = {
  ...transferFlags,
  accountIndex: { value: 'index', description: 'the venue account to pay from (default: your wallet’s)' },
  ...signingFlags,
  ...capFlags,
  ...keyFlags,
  dryRun: { description: 'show what would be signed and sent, and stop' },
  signOnly: { description: 'sign, print the signed transfer, and send nothing' },
  noWait: { description: 'exit once the venue has executed the transfer, without following it' },
  timeout: { value: 'time', description: 'how long to follow the transfer (default: 5m)' },
  validFor: { value: 'time', description: 'how long the signed transfer is valid, at most 10m (default: 9m)' },
  allow: { value: 'check', repeats: true, description: 'accept a check that cannot be verified; may be repeated' },
  ...witnessFlags,
  ...runFlags,
} as const satisfies Flags;

/** The account that pays, what is preloaded for it, and the journal of the run. */
type Payment = {
  account: VenueAccount.VenueAccount;
  preloaded: Preloaded;
  /** Undefined with `--dry-run` and `--sign-only`, which start no run. */
  journal: Pick<Run, 'id' | 'append'> | undefined;
  /** The destination's last block, if nobody was asked since. */
  tip: Facts.Early<bigint | undefined> | undefined;
  /** The turn at the nonces of a slot, if it was taken before the quote was asked for. */
  held: Held | undefined;
};

/** A turn at the nonces of an API key, and the next of them. */
export type Held = Taken & { apiKeyIndex: number };

/**
 * Takes the turn at the nonces of the API key that is expected to sign, where nobody is asked before it does. Undefined
 * elsewhere: other runs must not wait for a person.
 *
 * @param begin called as soon as the turn has come: what else it asks for is not asked one after the other
 */
export async function* holdTurn(
  account: Expected,
  options: Options<typeof withdrawFlags>,
  context: Context,
  begin: () => void,
): AsyncGenerator<Waiting, Held | undefined> {
  const isUnattended = !context.interactive && options.signer === undefined && !options.dryRun && !options.signOnly;
  const apiKeyIndex = isUnattended ? await expectedSlot(account, options, context) : undefined;
  if (apiKeyIndex === undefined) {
    begin();
    return undefined;
  }
  const terms = { isStrict: false, allow: options.allow ?? [] };
  return { ...(yield* takeTurn(counterOf(account, apiKeyIndex, context), terms, context, begin)), apiKeyIndex };
}

function counterOf({ index }: Expected, apiKeyIndex: number, { network }: Context): NonceCounter {
  const chain = currencyOf(network).chain.name;
  return { signingChainId: network.venue?.signingChainId ?? 0, chain, accountIndex: index, apiKeyIndex };
}

/** Proves a quote, asks, signs, submits and follows. A venue account pays by a transfer that its API key and its owner sign. */
export async function* executeWithdrawal(
  asked: Awaited<ReturnType<typeof requestQuote>>,
  payment: Payment,
  options: Options<typeof withdrawFlags>,
  context: Context,
): AsyncGenerator<Event, WithdrawalText.Withdrawal> {
  const { account, preloaded, journal } = payment;
  const caps = readCaps(options, context, asked.quote.intent);
  const proposal = { ...asked, caps, allow: options.allow ?? [], findings: [] };
  if (options.dryRun) {
    const { plan } = yield* prepare(proposal, payment, context);
    return documentOf(plan, payment, OutcomeDocument.fromPlan(plan), null);
  }
  const way: Way<Proved, Signer, Held, WithdrawalText.Withdrawal> = {
    prove: (each, isAgain) => prepare(each, payment, context, isAgain ? { isAsked: false } : {}),
    async assertSubmittable() {
      ClockSkew.assertFit((await context.service()).clockSkew?.());
    },
    question({ plan, document, single }) {
      const act = options.signOnly ? 'Sign' : 'Send';
      return `${question(document, single, { act, place: context.place })} ${WithdrawalChecks.feeInWords(plan.transfer)}`;
    },
    unlock: () => openSigner(account, preloaded, options, context),
    async *takeTurn({ apiKeyIndex }, held) {
      if (held?.apiKeyIndex === apiKeyIndex) return held;
      const known = { isStrict: false, allow: proposal.allow };
      return { ...(yield* takeTurn(counterOf(account, apiKeyIndex, context), known, context)), apiKeyIndex };
    },
    carryOut: ({ plan }, signing) => signAndSubmit(plan, payment, signing, options, context),
  };
  return yield* pay(proposal, way, { run: journal, held: payment.held }, context);
}

/** Signs the transfer of a plan that was agreed to, submits it and follows it. */
async function* signAndSubmit(
  plan: Plan.VenuePlan,
  payment: Payment,
  { signer, held }: Signing<Signer, Held>,
  options: Options<typeof withdrawFlags>,
  context: Context,
): AsyncGenerator<Event, WithdrawalText.Withdrawal> {
  const { account, journal, tip } = payment;
  // With --sign-only the user submits the transfer, and learns the current fee from the venue.
  if (!options.signOnly)
    WithdrawalChecks.assertFeeAsked(plan.transfer, await signer.feeAsked(plan.transfer), context.warn);
  const signed = await signer.sign(plan, validForMs(options.validFor), held);
  const shown = WithdrawalChecks.toSigned(signed);
  yield { type: 'venue-signed', summary: `Signed with API key ${shown.apiKeyIndex} and the wallet`, ...shown };
  if (options.signOnly || !journal) return documentOf(plan, payment, OutcomeDocument.fromSigned(plan), shown);

  const ports = await venuePortsOf(plan, { journal, turn: held.turn }, context);
  const WithdrawalExecution = await import('../core/withdrawal/WithdrawalExecution.js');
  let reading: Promise<VenueAccount.VenueAccount | undefined> | undefined;
  const onExecuted = (): void => {
    reading = ports.venue.account(account.index).catch(() => undefined);
  };
  const patience = patienceOf(options, context);
  const lastBlock = tip && Facts.isRecent(tip, context.clock) ? await tip.asked : undefined;
  const outcome = yield* WithdrawalExecution.run(plan, signed, { ...ports, onExecuted }, patience, lastBlock);
  return documentOf(plan, payment, OutcomeDocument.from(plan, outcome), shown, await reading);
}

/** The outcome with the account, as it was before and as it is after. */
function documentOf(
  { transfer }: Plan.VenuePlan,
  { account }: Payment,
  outcome: OutcomeDocument.OutcomeDocument,
  signed: VenueBalanceDocument.Signed | null,
  after?: VenueAccount.VenueAccount,
): WithdrawalText.Withdrawal & { venueFee: ReturnType<typeof VenueBalanceDocument.toUsdc> } {
  const [before, now] = [VenueAccounts.usdc(account), after && VenueAccounts.usdc(after)];
  return {
    ...outcome,
    account: VenueBalanceDocument.toAccount(account, before, now),
    venueFee: VenueBalanceDocument.toUsdc(transfer.usdcFee),
    signed,
  };
}

/** The ports needed to submit a transfer to the venue and follow it. */
export async function venuePortsOf(
  plan: Plan.Restored,
  run: Pick<VenuePorts, 'journal' | 'turn' | 'head'>,
  context: Context,
): Promise<VenuePorts> {
  return { ...(await portsOfAnyOrigin(plan, run, context)), venue: await context.venue() };
}

/**
 * The venue account that pays. A signing command may sign for the owner too: for an account that is named by its index
 * no wallet is needed here, unless the user selects one.
 *
 * @throws auth.* unless the wallet that signs owns it
 */
export async function payingAccount(
  { accountIndex, signer, account: wallet, accountSigner, keyFile }: Options<typeof withdrawFlags>,
  context: Context,
): Promise<VenueAccount.VenueAccount> {
  const account = accountIndex === undefined ? await ownAccount(context) : await accountOfIndex(accountIndex, context);
  const isNamed = accountIndex !== undefined || context.network.venue?.accountIndex !== undefined;
  const isSelected = [wallet, accountSigner, keyFile].some((option) => option !== undefined);
  const needsWallet = signer === undefined || !isNamed || isSelected;
  if (needsWallet) WithdrawalChecks.assertOwner(account, await context.sender());
  return account;
}

type Proved = Preparation.Prepared & { plan: Plan.VenuePlan };

/** Prepares a quote for signing by a venue account. */
async function* prepare(
  proposal: Preparation.Proposal,
  { account, journal }: Payment,
  context: Context,
  asking: Pick<Preparation.Ports, 'isAsked'> = {},
): AsyncGenerator<Event, Proved> {
  const prepared = yield* prove(proposal, { venueAccount: account, journal, ...asking }, context);
  const plan = WithdrawalChecks.planOf(prepared.plan);
  if (WithdrawalChecks.isFeeLarge(plan.transfer)) context.warn(WithdrawalChecks.feeInWords(plan.transfer));
  return { ...prepared, plan };
}

/** Asks for the destination's last block, which is noted before the transfer leaves, where nobody is asked before that. */
export function tipAhead(
  { args: [, to = ''] }: Options<typeof withdrawFlags>,
  { interactive, yes, network, chain, clock }: Context,
): Facts.Early<bigint | undefined> | undefined {
  if (interactive && !yes) return undefined;
  // A currency that there is not is refused elsewhere.
  const node = (async () => {
    const destination = Currency.parse(to, network).chain;
    return destination.vm === 'evm' ? chain(destination) : undefined;
  })();
  return { at: clock.now(), asked: Facts.tipOf(node) };
}

/** The quote for the arguments. `max` is the balance of the account less the venue's fee, which a first quote returns. */
export async function quoteWithdrawal(
  account: Expected,
  balance: () => Promise<bigint>,
  options: Options<typeof withdrawFlags>,
  context: Context,
): Promise<Awaited<ReturnType<typeof requestQuote>>> {
  const [typed = '', to = ''] = options.args;
  const { chain, token } = currencyOf(context.network);
  const from = `${chain.name}/${token.symbol.toLowerCase()}`;
  const ask = async (amount: string) =>
    requestQuote(await readIntent({ ...options, args: [amount, from, to] }, context, { account }), context);
  if (!Amount.isMax(typed)) return ask(typed);
  const most = await balance();
  const all = most === 0n ? undefined : await ask(VenueBalanceDocument.toUsdc(most).formatted);
  const fee = (all && Quote.venueFee(all.quote)) ?? 0n;
  if (most <= fee) throw WithdrawalChecks.nothingToWithdraw(account.index, { balance: most, fee });
  return ask(VenueBalanceDocument.toUsdc(most - fee).formatted);
}
