import * as z from 'zod/mini';
import type { Context } from '../../context.js';
import type { Caps } from '../../core/Intent.js';
import * as JournalCaps from '../../core/JournalCaps.js';
import * as Opening from '../../core/Opening.js';
import * as Outcome from '../../core/OutcomeDocument.js';
import * as Plan from '../../core/Plan.js';
import type { Journal } from '../../core/Ports.js';
import * as Quote from '../../core/Quote.js';
import * as QuoteDocument from '../../core/QuoteDocument.js';
import * as ProgressText from '../../core/render/Progress.js';
import * as WithdrawalText from '../../core/render/Withdrawal.js';
import type * as VenueAccount from '../../core/VenueAccount.js';
import * as VenueAccounts from '../../core/VenueAccount.js';
import * as VenueDocument from '../../core/VenueDocument.js';
import type { World as VenueWorld } from '../../core/VenueExecution.js';
import * as Verification from '../../core/Verification.js';
import * as Withdrawal from '../../core/Withdrawal.js';
import { define, type Event, type Flags, type Options } from '../Command.js';
import { destinationNode, question, quoted, validForMs } from '../carryOut.js';
import { askQuote, capFlags, intentFlags, keyFlags, readCaps, readIntent } from '../intent.js';
import { begin, runFlags, written } from '../running.js';
import { accountAt, currencyOf, ownAccount } from './lookUp.js';
import { openSigner, type Preloaded, preload, signingFlags } from './signing.js';

const { gasless: _, permit: __, ...transferFlags } = intentFlags;

const flags = {
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

export const command = define({
  description:
    'Withdraws from an account of the venue: proves the quote and the transfer that it asks for, signs it with the account’s API key and with the wallet that owns it, hands it in and follows it until the money has arrived. The venue takes a fee of its own on top of the amount.',
  args: [
    { name: 'amount', description: 'a decimal in units of the venue’s USDC, or max' },
    { name: 'to', description: 'the currency that arrives, as chain/token' },
  ],
  options: flags,
  examples: [
    ['ferry venue withdraw 100 alpha/usdc', 'to the wallet that signs'],
    ['ferry venue withdraw 100 beta/eth --recipient 0x70997970C51812dc3A010C7d01b50e0d17dc79C8', 'to another wallet'],
    ['ferry venue withdraw max alpha/usdc --max-venue-fee 3 --yes --json', 'everything, for a script'],
    ['ferry venue withdraw 100 alpha/usdc --sign-only', 'the signed transfer, to hand in yourself'],
    ['ferry venue withdraw 100 alpha/usdc --signer ./sign.sh', 'signed by a command of your own'],
  ],
  output: z.extend(Outcome.schema, {
    account: VenueDocument.account,
    /** What the venue takes for the transfer, on top of the amount. */
    venueFee: VenueDocument.usdc,
    /** The signed transfer; null where none was signed. */
    signed: z.nullable(VenueDocument.signed),
  }),
  streams: true,
  async *run(options, context) {
    const account = await payer(options, context);
    const preloaded = preload(context, account);
    const before = VenueAccounts.usdc(account);
    yield { type: 'venue-account', ...VenueDocument.toAccount(account, before, undefined) };
    const asked = await firstQuote(account, options, context);
    // What is only shown, or handed in by somebody else, is no run of ferry's.
    const run =
      options.dryRun || options.signOnly
        ? undefined
        : yield* begin(
            (place) => Opening.from(asked.quote.intent, place),
            { name: 'venue withdraw', options },
            context,
          );
    const running = withdraw(asked, { account, preloaded, journal: run }, options, context);
    return run ? yield* written(run, running, context) : yield* running;
  },
  view: WithdrawalText.format,
  tell: ProgressText.format,
});

/** Who pays, what is loaded for it already, and where the run is written down. */
type Payer = {
  account: VenueAccount.VenueAccount;
  preloaded: Preloaded;
  /** Undefined for what is no run of ferry's. */
  journal: Journal | undefined;
};

/** Proves, asks, signs, hands in and follows. */
async function* withdraw(
  asked: Awaited<ReturnType<typeof askQuote>>,
  { account, preloaded, journal }: Payer,
  options: Options<typeof flags>,
  context: Context,
): AsyncGenerator<Event, WithdrawalText.Withdrawal> {
  const before = VenueAccounts.usdc(account);
  const caps = readCaps(options, context, asked.quote.intent);
  let { plan, document } = yield* prepare(asked, caps, { account, journal }, options, context);
  const result = (outcome: Outcome.OutcomeDocument, signed: VenueDocument.Signed | null, after?: bigint) => ({
    ...outcome,
    account: VenueDocument.toAccount(account, before, after),
    venueFee: VenueDocument.toUsdc(plan.transfer.usdcFee),
    signed,
  });
  if (options.dryRun) return result(Outcome.fromPlan(plan), null);
  await context.confirm(`${question(document)} ${Withdrawal.feeInWords(plan.transfer)}`);
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
    if (!options.signOnly) Withdrawal.assertFeeAsked(plan.transfer, await signer.feeAsked(plan.transfer), context.warn);
    const signed = await signer.sign(plan.transfer, validForMs(options.validFor));
    const shown = Withdrawal.toSigned(signed);
    const summary = `Signed with API key ${shown.apiKeyIndex} and by the wallet`;
    yield { type: 'venue-signed', summary, ...shown };
    if (options.signOnly || !journal) return result({ ...Outcome.fromPlan(plan), status: 'signed' }, shown);

    const world = await worldOf(plan, { journal, turn }, context);
    const VenueExecution = await import('../../core/VenueExecution.js');
    const patience = { wait: !options.noWait, timeoutMs: context.config.timeoutMs.value };
    const outcome = Outcome.from(plan, yield* VenueExecution.run(plan, signed, world, patience));
    const after = await world.venue.account(account.index).catch(() => undefined);
    return result(outcome, shown, after && VenueAccounts.usdc(after));
  } finally {
    turn.release();
  }
}

/** What handing a transfer in and following it takes. */
export async function worldOf(
  plan: Plan.Plan,
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
async function payer({ accountIndex }: Options<typeof flags>, context: Context): Promise<VenueAccount.VenueAccount> {
  const account = accountIndex === undefined ? await ownAccount(context) : await accountAt(accountIndex, context);
  Withdrawal.assertOwner(account, await context.sender());
  return account;
}

/** Proves a quote, and makes the plan of it, for an account that can pay it. */
async function* prepare(
  { quote, baseUrl }: Awaited<ReturnType<typeof askQuote>>,
  caps: Caps,
  { account, journal }: { account: VenueAccount.VenueAccount; journal: Journal | undefined },
  options: Options<typeof flags>,
  context: Context,
): AsyncGenerator<Event, { plan: Withdrawal.Plan; document: QuoteDocument.QuoteDocument }> {
  const { origin } = quote.intent;
  const allow = options.allow ?? [];
  const surroundings = { network: context.network, baseUrl, nowMs: context.clock.now() };
  const findings = await Verification.prove(quote, Verification.expectationOf(quote, caps), surroundings);
  const document = QuoteDocument.from(quote, findings);
  await journal?.append({ type: 'quote', requestId: quote.requestId, document });
  yield { type: 'quoted', ...quoted(document) };
  Verification.assertAllowed(findings, allow, origin.chain.name);
  Withdrawal.assertBalance(quote, VenueAccounts.usdc(account));
  const verified = await Verification.from(quote, surroundings, { caps, allow, shown: [] });
  yield { type: 'verified', checks: verified.findings.length };
  const plan = Withdrawal.planOf(Plan.from(verified));
  await journal?.append({ type: 'proof', checks: verified.findings.length, allow, caps: JournalCaps.from(caps) });
  await journal?.append({ type: 'plan', steps: Plan.steps(plan) });
  if (Withdrawal.isFeeLarge(plan.transfer)) context.warn(Withdrawal.feeInWords(plan.transfer));
  return { plan, document };
}

/** The quote of what was typed. `max` is what the account has less the venue's fee, which a first quote tells. */
async function firstQuote(
  account: VenueAccount.VenueAccount,
  options: Options<typeof flags>,
  context: Context,
): Promise<Awaited<ReturnType<typeof askQuote>>> {
  const [typed = '', to = ''] = options.args;
  const { chain, token } = currencyOf(context.network);
  const from = `${chain.name}/${token.symbol.toLowerCase()}`;
  const ask = async (amount: string) =>
    askQuote(await readIntent([amount, from, to], options, context, { account }), context);
  if (typed !== 'max') return ask(typed);
  const balance = VenueAccounts.usdc(account);
  const all = await ask(VenueDocument.toUsdc(balance).formatted);
  return ask(VenueDocument.toUsdc(balance - (Quote.venueFee(all.quote) ?? 0n)).formatted);
}
