import * as z from 'zod/mini';
import * as VenueAccount from '../../core/accounts/VenueAccount.js';
import type { Address } from '../../core/base/Address.js';
import { BaseError } from '../../core/base/Errors.js';
import { define, type Flags, type Options } from '../../core/command/Command.js';
import type { Context } from '../../core/command/Context.js';
import type { Event } from '../../core/event/Event.js';
import * as OutcomeDocument from '../../core/execution/OutcomeDocument.js';
import * as Place from '../../core/text/Place.js';
import * as OutcomeText from '../../core/view/OutcomeText.js';
import * as VenueBalanceDocument from '../../core/withdrawal/VenueBalanceDocument.js';
import { creditOf } from '../../setup/trustVenueAccount.js';
import { executeQuote, executionFlags } from '../../transfer/executeQuote.js';
import {
  accountOfIndex,
  accountOfWallet,
  currencyOf,
  type Expected,
  expectedAccount,
  ownAccount,
} from '../../transfer/findVenueAccount.js';
import { capFlags, intentFlags, keyFlags, readCaps, readIntent, requestQuote } from '../../transfer/transferOptions.js';

const { recipient: _, call: __, calls: ___, gasTopup: ____, ...transferFlags } = intentFlags;
const { maxVenueFee: _____, ...caps } = capFlags;

const flags = {
  accountIndex: { value: 'index', description: 'the account to credit (default: your wallet’s)' },
  wallet: { value: 'address', description: 'the wallet whose account to credit' },
  ...transferFlags,
  ...caps,
  ...keyFlags,
  ...executionFlags,
} as const satisfies Flags;

export const command = define({
  description:
    'Deposits to a venue account: looks the account up at the venue, proves the quote, signs and sends the transactions, and follows the transfer until the venue shows the credit. The account must exist.',
  args: [
    { name: 'amount', description: 'a decimal in units of the input token, or max' },
    { name: 'from', description: 'the currency to pay, as chain/token' },
  ],
  options: flags,
  examples: [
    ['ferry venue deposit 100 alpha/usdc', 'to the account of your wallet'],
    ['ferry venue deposit 0.5 beta/eth --account-index 101', 'to another account, by its index'],
    ['ferry venue deposit 100 alpha/usdc --gasless --yes --json', 'without gas, in a script'],
  ],
  output: z.extend(OutcomeDocument.schema, { account: VenueBalanceDocument.account }),
  streams: true,
  pays: true,
  async *run(options, context) {
    const [amount = '', from = ''] = options.args;
    const { chain, token } = currencyOf(context.network);
    const reading = accountToCredit(options, context);
    reading.catch(() => {});
    // Which account that is may be known before the venue has confirmed it.
    const expected = (await expectedCredit(options, context)) ?? (await reading);
    const to = `${chain.name}/${token.symbol.toLowerCase()}`;
    const intentFor = (account: Expected) => readIntent({ ...options, args: [amount, from, to] }, context, { account });
    const intent = await intentFor(expected);
    const caps = readCaps(options, context, intent);
    const getQuote = async () => {
      const asking = requestQuote(intent, context);
      asking.catch(() => {});
      const account = await reading;
      const { index, wallet } = account;
      const asked = await (index === expected.index ? asking : requestQuote(await intentFor(account), context));
      const credit = creditOf(asked.quote.intent, { wallet, isNamed: isNamed(options, account, context) }, context);
      return {
        ...asked,
        caps,
        allow: options.allow ?? [],
        ...credit,
        recipientText: `account ${index} of wallet ${Place.withName(wallet, context.place)}`,
      };
    };
    const venue = await context.venue();
    const running = executeQuote({ intent, getQuote }, options, context, 'venue deposit');
    const { outcome, after } = yield* announcing(running, reading, () => venue.account(expected.index));
    const account = await reading;
    const before = VenueAccount.usdc(account);
    // What was read as soon as the service reported the credit may be a moment too old.
    const isCredited = after && VenueAccount.usdc(after) > before;
    const shown = outcome.funds === 'delivered' ? (isCredited ? after : await venue.account(account.index)) : undefined;
    return {
      ...outcome,
      account: VenueBalanceDocument.toAccount(account, before, shown && VenueAccount.usdc(shown)),
    };
  },
  view: (outcome, style, _, place) =>
    `${OutcomeText.format(outcome, style, place)}\n${VenueBalanceDocument.format(outcome.account, style)}`,
});

/** Whether the user named the account by its index, in the command or in the settings. */
function isNamed(
  { accountIndex }: Options<typeof flags>,
  { index }: VenueAccount.VenueAccount,
  { network }: Context,
): boolean {
  return accountIndex !== undefined || network.venue?.accountIndex === index;
}

/**
 * Shows the account before anything that depends on it, also before what went wrong, and reads it again as soon as the
 * service reports the credit.
 */
async function* announcing<T>(
  running: AsyncGenerator<Event, T>,
  reading: Promise<VenueAccount.VenueAccount>,
  readAgain: () => Promise<VenueAccount.VenueAccount | undefined>,
): AsyncGenerator<Event, { outcome: T; after: VenueAccount.VenueAccount | undefined }> {
  let after: ReturnType<typeof readAgain> | undefined;
  let isShown = false;
  const shown = (account: VenueAccount.VenueAccount): Event => {
    isShown = true;
    const before = VenueAccount.usdc(account);
    return { type: 'venue-account', ...VenueBalanceDocument.toAccount(account, before, undefined) };
  };
  try {
    for (let step = await running.next(); ; step = await running.next()) {
      if (step.done) return { outcome: step.value, after: await after };
      if (step.value.type === 'status' && step.value.status === 'success') after = readAgain().catch(() => undefined);
      if (!isShown && step.value.type !== 'waiting') yield shown(await reading);
      yield step.value;
    }
  } catch (error) {
    const account = isShown ? undefined : await reading.catch(() => undefined);
    if (account) yield shown(account);
    throw error;
  } finally {
    await running.return(undefined as never);
  }
}

/** The account to credit, as far as it is known before the venue is asked. */
async function expectedCredit(
  { accountIndex, wallet }: Options<typeof flags>,
  context: Context,
): Promise<Expected | undefined> {
  if (wallet === undefined) return expectedAccount(accountIndex, context);
  const pinned = context.pins.account(wallet);
  return pinned && { index: Number(pinned.index), wallet: wallet as Address };
}

/** The account to credit, read from the venue. */
async function accountToCredit(
  { accountIndex, wallet }: Options<typeof flags>,
  context: Context,
): Promise<VenueAccount.VenueAccount> {
  if (accountIndex !== undefined && wallet !== undefined)
    throw new BaseError('usage.invalid', '--account-index and --wallet cannot be combined: each selects the account.');
  if (accountIndex !== undefined) return accountOfIndex(accountIndex, context);
  return wallet === undefined ? ownAccount(context) : accountOfWallet(wallet, context);
}
