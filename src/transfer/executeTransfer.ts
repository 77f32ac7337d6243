/** Executes a transfer from its options to its end; used by `ferry execute`, batches and `ferry smoke`. */

import { BaseError } from '../core/base/Errors.js';
import type { Flags, Options } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import type { Event } from '../core/event/Event.js';
import type * as OutcomeDocument from '../core/execution/OutcomeDocument.js';
import * as Resumption from '../core/execution/Resumption.js';
import * as Network from '../core/network/Network.js';
import * as PriceCheck from '../core/proof/price/PriceCheck.js';
import * as SingleWitness from '../core/proof/SingleWitness.js';
import * as Verification from '../core/proof/Verification.js';
import * as Quote from '../core/quote/Quote.js';
import type * as TransferIntent from '../core/quote/TransferIntent.js';
import * as ShellCommand from '../core/text/ShellCommand.js';
import * as TerminalText from '../core/text/TerminalText.js';
import { creditOf } from '../setup/trustVenueAccount.js';
import { askMissing, isPartial } from './askMissing.js';
import { executeQuote, executionFlags, type Task } from './executeQuote.js';
import type { BatchLineSource } from './journalledRun.js';
import { readQuoteFile } from './quoteFile.js';
import {
  batchFlags,
  capFlags,
  draftIntent,
  intentFlags,
  keyFlags,
  readCaps,
  readIntent,
  requestQuote,
} from './transferOptions.js';

/** Lets somebody else pay. */
const addressFlags = {
  depositAddress: {
    description: 'show an address that anybody can pay, instead of signing; needs --recipient and --refund-to, no key',
  },
} as const satisfies Flags;

export const executeFlags = {
  ...intentFlags,
  ...addressFlags,
  ...capFlags,
  ...keyFlags,
  ...executionFlags,
  ...batchFlags,
} as const satisfies Flags;

/**
 * Executes a transfer, from its quote to its end.
 *
 * @throws any error of `ferry execute`
 */
export async function* executeTransfer(
  options: Options<typeof executeFlags>,
  context: Context,
  line?: BatchLineSource | undefined,
): AsyncGenerator<Event, OutcomeDocument.OutcomeDocument> {
  const args = isPartial(options.args) ? await askMissing(options.args, options, context) : options.args;
  const completed = { ...options, args };
  if (options.depositAddress) {
    const { executeByAddress } = await import('./depositAddress.js');
    return yield* executeByAddress(completed, context);
  }
  return yield* executeQuote(await readTask(completed, context), completed, context, 'execute', line);
}

/**
 * Checks everything about a transfer that is known before the service is asked. Unlocks no key.
 *
 * @param read completes a currency
 * @throws request.* · usage.* · auth.* · chain.*
 */
export async function checkExecution(
  options: Options<typeof executeFlags>,
  context: Context,
  read: Parameters<typeof draftIntent>[2],
): Promise<void> {
  const intent = await draftIntent(options, context, read);
  await assertOnChain(intent, options);
  assertPriced(intent, options, readCaps(options, context, intent), context);
  await context.chain(intent.origin.chain);
}

/**
 * Refuses a transfer whose price only the service can show: ferry knows no price of one of the tokens, and the user has
 * set no limit. A person who can be asked decides once there is a quote.
 *
 * @throws verify.unverified
 */
function assertPriced(
  intent: TransferIntent.Intent,
  { allow = [] }: Options<typeof executeFlags>,
  { minOut, maxIn }: TransferIntent.Caps,
  { network, interactive, yes }: Pick<Context, 'network' | 'interactive' | 'yes'>,
): void {
  const { origin, destination, tradeType } = intent;
  const setting = { network, isAsked: interactive && !yes, allow };
  const limit = tradeType === 'EXACT_INPUT' ? minOut : maxIn;
  if (limit !== undefined || SingleWitness.rule(PriceCheck.unpriced, setting) !== 'refuse') return;
  const unknown = [origin, destination].find(
    ({ chain, token }) => Network.tokenAt(chain, token.address)?.asset === undefined,
  );
  if (unknown) {
    const payment = SingleWitness.paymentOf(intent);
    throw new BaseError(
      'verify.unverified',
      `ferry knows no price of ${TerminalText.escape(unknown.token.symbol)}: the service alone would set what it is worth.`,
      {
        hint: SingleWitness.hint(['price'], payment, network),
      },
    );
  }
}

/**
 * The quote of a file, or a new one. If the saved quote is older than `--max-age`, or that setting, it is refused. If it has
 * expired otherwise, the same intent is quoted again, and the saved quote's minimum received and fees are the caps of
 * the new one.
 */
async function readTask(options: Options<typeof executeFlags>, context: Context): Promise<Task> {
  const [first = '', ...more] = options.args;
  const { allow = [] } = options;
  const saved = more.length > 0 ? undefined : await readQuoteFile(first, context);
  if (saved) assertNothingElse(options);
  const intent = saved?.quote.intent ?? (await readIntent(options, context));
  await assertOnChain(intent, options);
  const caps = readCaps(options, context, intent);
  // A file does not say whether the venue or the user named the account.
  const named = (saved ? undefined : options.recipient) ?? context.network.venue?.accountIndex;
  const credit = creditOf(intent, { wallet: intent.user, isNamed: String(named) === intent.recipient }, context);
  const terms = { ...credit, allow, findings: [...(saved?.findings ?? []), ...credit.findings] };
  return {
    intent,
    async getQuote() {
      if (!saved) return { ...(await requestQuote(intent, context)), ...terms, caps };
      const { quote } = saved;
      const nowMs = context.clock.now();
      if (!Quote.isExpired(quote, nowMs, caps.maxAgeMs)) {
        await assertUnpaid(quote, context);
        return { ...terms, quote, caps, baseUrl: context.network.baseUrl };
      }
      if (context.config.maxAgeMs.source.kind !== 'default')
        throw Verification.expiredQuote(nowMs - quote.quotedAt, caps.maxAgeMs);
      context.warn(
        'The saved quote has expired. ferry requests a new one and holds it to the old minimum received and fees.',
      );
      return { ...(await requestQuote(intent, context)), ...terms, caps: Verification.capsOf(quote, caps) };
    },
  };
}

/** A saved quote says itself what is paid to whom: what asks for something else is not passed over. @throws usage.invalid */
function assertNothingElse(options: Options<typeof executeFlags>): void {
  const { account: _, ...asking } = intentFlags;
  const name = Object.keys(asking).find((key) => options[key as keyof typeof asking] !== undefined);
  if (name === undefined) return;
  throw new BaseError(
    'usage.invalid',
    `${ShellCommand.flagName(name)} is not for a saved quote, which is paid as it is.`,
    {
      hint: 'Ask for another quote with it, or leave it out.',
    },
  );
}

/**
 * A quote is paid once: its order is filled once, and a second deposit would have to be refunded. Journals know this
 * machine alone, so the service is asked; one that does not answer says nothing, and nothing is paid.
 *
 * @throws request.unsupported if its payment has arrived · service.*
 */
async function assertUnpaid({ requestId }: Quote.Quote, context: Context): Promise<void> {
  const service = await context.service();
  const isPaid = await Resumption.hasBegun(requestId, service).catch((error: unknown) => {
    if (!(error instanceof BaseError) || context.signal.aborted) throw error;
    throw error.with({
      message: `Whether the saved quote has been paid is not known. ${error.message}`,
      hint: 'Nothing was signed. Try again, or request another quote.',
      funds: 'untouched',
      requestId,
    });
  });
  if (isPaid)
    throw new BaseError('request.unsupported', 'The saved quote has been paid already, and its order is filled once.', {
      hint: 'To pay again, ask for another quote.',
      next: ShellCommand.line`ferry status ${requestId}`,
      requestId,
    });
}

/** @throws request.unsupported if a venue account pays */
async function assertOnChain(intent: TransferIntent.Intent, options: Options<typeof executeFlags>): Promise<void> {
  if (intent.origin.chain.vm === 'evm') return;
  throw new BaseError(
    'request.unsupported',
    'A withdrawal from the venue has its own command, since it is signed by an API key of the account.',
    { next: await withdrawalLine(options) },
  );
}

/**
 * What was typed, as a withdrawal. A recipient or a limit that was left out would change what is paid: what that command
 * cannot say as it stands is left to its help.
 */
async function withdrawalLine({ args, ...flags }: Options<typeof executeFlags>): Promise<string> {
  const { withdrawFlags } = await import('./executeWithdrawal.js');
  const [amount, , to, ...more] = args;
  const isSaid = Object.entries(flags).every(([key, value]) => value === undefined || key in withdrawFlags);
  if (amount === undefined || to === undefined || more.length > 0 || !isSaid) return 'ferry venue withdraw --help';
  return ShellCommand.from('venue withdraw', [amount, to], flags);
}
