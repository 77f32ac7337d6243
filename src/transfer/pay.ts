/**
 * The order of every payment of a quote, whoever signs it and whoever submits it: the quote is proved, the user agrees, what
 * signs is unlocked, the turn at its nonces has come, a quote that has expired meanwhile is replaced and proved, its ids
 * are taken, and only then the payment is signed, submitted and followed.
 */

import type { Context } from '../core/command/Context.js';
import type { Event } from '../core/event/Event.js';
import * as Preparation from '../core/execution/Preparation.js';
import type { Turn } from '../core/ports/Ports.js';
import * as GuaranteedLoss from '../core/proof/GuaranteedLoss.js';
import * as SingleWitness from '../core/proof/SingleWitness.js';
import * as Verification from '../core/proof/Verification.js';
import * as Quote from '../core/quote/Quote.js';
import type * as QuoteDocument from '../core/quote/QuoteDocument.js';
import * as Place from '../core/text/Place.js';
import { plain } from '../core/text/TerminalStyle.js';
import * as TerminalText from '../core/text/TerminalText.js';
import type { Run } from '../core/tracking/RunStore.js';
import * as CallText from '../core/view/CallText.js';
import * as QuoteText from '../core/view/QuoteText.js';
import { claimIds } from './journalledRun.js';
import { requestQuote } from './transferOptions.js';

/** A quote to pay, and the terms on which the user accepts it. */
export type Proposal = Preparation.Proposal & {
  /** The recipient in words, if its address alone is not clear enough. */
  recipientText?: string | undefined;
  /** Called once the user has agreed to pay. */
  agreed?: (() => Promise<void>) | undefined;
};

/**
 * Proves a quote on the network in use, and warns of what is let pass although it rests on one witness.
 *
 * @param ports those that are not the context's own
 * @throws verify.* · chain.* · submit.*
 */
export async function* prove(
  proposal: Preparation.Proposal,
  ports: Partial<Preparation.Ports> & Pick<Preparation.Ports, 'journal'>,
  context: Context,
): AsyncGenerator<Event, Preparation.Prepared> {
  const { network, chain, clock, interactive, yes } = context;
  const prepared = yield* Preparation.run(proposal, { network, chain, clock, isAsked: interactive && !yes, ...ports });
  for (const finding of prepared.single.warned) context.warn(SingleWitness.warning(finding));
  return prepared;
}

/** How payments of one kind are proved, signed and followed. */
export type Way<Proved extends Preparation.Prepared, Signer, Held extends { turn: Turn }, Outcome> = {
  /** Proves a quote. `isAgain` if it replaces one that was agreed to: nobody is asked about it. @throws verify.* · chain.* */
  prove(proposal: Proposal, isAgain: boolean): AsyncGenerator<Event, Proved>;
  /** Refuses what would not be taken now, before anybody is asked. @throws usage.* · run.* · store.* */
  assertSubmittable(proved: Proved): Promise<void>;
  /** Asked before anything is signed; `payee` is the recipient in words. */
  question(proved: Proved, payee: string | undefined): string;
  /** Opens what signs. @throws auth.* · prompt.* */
  unlock(): Promise<Signer>;
  /** Takes the turn at the nonces of what signs; `held` is one that was taken before. @throws run.* · chain.* · venue.* */
  takeTurn(signer: Signer, held: Held | undefined): AsyncGenerator<Event, Held>;
  /** Signs once, submits and follows. @throws submit.* · sign.failed · track.* */
  carryOut(proved: Proved, signing: Signing<Signer, Held>): AsyncGenerator<Event, Outcome>;
};

/** What signs, with the turn at its nonces. */
export type Signing<Signer, Held> = {
  signer: Signer;
  held: Held;
  /** What a person was told that the gas costs at most, in wei: more is not signed for. */
  agreedGas: bigint | undefined;
};

/**
 * Pays a quote once. The turn is released when it ends, however that is.
 *
 * @param run where the payment is journaled; undefined where nothing is submitted
 * @param held the turn at its nonces, where that is known before the proof
 * @throws verify.* · chain.* · submit.* · sign.failed · prompt.* · auth.* · track.* · run.* · config.unwritable
 */
export async function* pay<Proved extends Preparation.Prepared, Signer, Held extends { turn: Turn }, Outcome>(
  proposal: Proposal,
  way: Way<Proved, Signer, Held, Outcome>,
  { run, held: before }: { run: Pick<Run, 'id'> | undefined; held: Held | undefined },
  context: Context,
): AsyncGenerator<Event, Outcome> {
  const isPersonAsked = context.interactive && !context.yes;
  let held = before;
  try {
    let proved = yield* way.prove(proposal, false);
    await way.assertSubmittable(proved);
    // Other runs must not wait for a person to answer.
    if (isPersonAsked) held?.turn.release();
    await confirmPayment(way.question(proved, proposal.recipientText), proved.single, context);
    await proposal.agreed?.();
    const agreedGas = isPersonAsked ? proved.bill?.amount : undefined;
    const signer = await way.unlock();
    held = yield* way.takeTurn(signer, isPersonAsked ? undefined : held);
    const again = await quoteAgain(proved, proposal, context);
    if (again) {
      proved = yield* way.prove(again, true);
      await way.assertSubmittable(proved);
    }
    if (run) await claimIds(proved.plan.quote, run, context);
    return yield* way.carryOut(proved, { signer, held, agreedGas });
  } finally {
    held?.turn.release();
  }
}

/**
 * Another quote for one that was agreed to, if the answer or the turn took so long that it has expired. It must keep to the
 * terms that were confirmed: what was accepted once need not be asked again, and anything else that rests on one witness
 * is refused.
 */
async function quoteAgain(
  { plan: { quote }, single, lossBps }: Preparation.Prepared,
  { caps, allow }: Proposal,
  context: Context,
): Promise<Proposal | undefined> {
  if (!Quote.isExpired(quote, context.clock.now(), caps.maxAgeMs)) return undefined;
  const accepted = single.asked.map(({ check }) => check).filter((check) => check !== GuaranteedLoss.name);
  return {
    ...(await requestQuote(quote.intent, context)),
    caps: Verification.capsOf(quote, caps, lossBps),
    allow: [...allow, ...accepted],
    findings: [],
  };
}

/** Asks before anything is signed. Where only one witness shows a fact about real money, Enter alone does not pay. */
export async function confirmPayment(
  text: string,
  { asked }: Verification.Single,
  { confirm, network }: Pick<Context, 'confirm' | 'network'>,
): Promise<void> {
  await confirm(text, network.realMoney && asked.length > 0 ? 'no' : undefined);
}

/**
 * The question asked before anything is signed.
 *
 * @param act what is done with it
 */
export function question(
  document: QuoteDocument.QuoteDocument,
  { asked }: Verification.Single,
  {
    act = 'Send',
    payee,
    gas,
    place,
  }: { act?: 'Send' | 'Sign'; payee?: string | undefined; gas?: string | undefined; place: Place.Place },
): string {
  const { origin, user, refundTo } = document.intent;
  const payer = /^0x/i.test(user) ? Place.withName(user, place) : `venue account ${user} of ${origin.chain}`;
  const single = asked.length > 0 ? `${SingleWitness.question(asked)} ` : '';
  const fees = document.fees ? `${QuoteText.inShort(QuoteText.recommended(document.fees), plain)}. ` : '';
  const refund =
    refundTo.toLowerCase() === user.toLowerCase() ? '' : `A refund goes to ${Place.withName(refundTo, place)}. `;
  return `On ${Place.inWords(place)}, ${payer} pays. ${refund}${single}${fees}${gas === undefined ? '' : `${gas} `}${act} ${inWords(document, payee, place)}?`;
}

/** What a quote pays, for what, and to whom. */
export function inWords(
  { send, receive, minimum, intent, gasTopup }: QuoteDocument.QuoteDocument,
  payee: string = intent.recipient,
  place?: Place.Place | undefined,
): string {
  const topup = gasTopup ? ` and ${gasTopup.formatted} ${TerminalText.escape(gasTopup.symbol)} for gas` : '';
  const calls = intent.calls.map((call) => `${Place.withName(call.to, place)} ${CallText.format(call, plain)}`);
  const named = /^\d+$/.test(payee) ? `account ${payee}` : Place.withName(payee, place);
  const to =
    calls.length === 0
      ? named
      : `${calls.length === 1 ? 'a call' : `${calls.length} calls`} there: ${calls.join('; ')}`;
  const [paid, received, least] = [send, receive, minimum].map(({ formatted }) => TerminalText.grouped(formatted));
  const [token, wanted] = [tokenInWords(intent.origin, send), tokenInWords(intent.destination, receive)];
  return `${paid} ${token} from ${intent.origin.chain} for ${received} ${wanted} (at least ${least})${topup} on ${intent.destination.chain} to ${to}`;
}

/** A token by its symbol; one that ferry does not know by its address too. */
function tokenInWords(
  token: QuoteDocument.QuoteDocument['intent']['origin'],
  amount: Pick<QuoteDocument.QuoteDocument['send'], 'currency'>,
): string {
  const name = TerminalText.escape(token.symbol);
  return QuoteText.isOwnWord([token, amount]) ? `${name} (${token.address})` : name;
}
