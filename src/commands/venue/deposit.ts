import * as z from 'zod/mini';
import * as VenueAccount from '../../core/accounts/VenueAccount.js';
import { BaseError } from '../../core/base/Errors.js';
import { define, type Flags, type Options } from '../../core/command/Command.js';
import type { Context } from '../../core/command/Context.js';
import * as OutcomeDocument from '../../core/execution/OutcomeDocument.js';
import * as EventText from '../../core/view/EventText.js';
import * as OutcomeText from '../../core/view/OutcomeText.js';
import * as VenueBalanceDocument from '../../core/withdrawal/VenueBalanceDocument.js';
import { creditOf } from '../../setup/trustVenueAccount.js';
import { executeQuote, executionFlags } from '../../transfer/executeQuote.js';
import { accountOfIndex, accountOfWallet, currencyOf, ownAccount } from '../../transfer/findVenueAccount.js';
import { capFlags, intentFlags, keyFlags, readCaps, readIntent, requestQuote } from '../../transfer/transferOptions.js';

const { recipient: _, ...transferFlags } = intentFlags;
const { maxVenueFee: __, ...caps } = capFlags;

const flags = {
  accountIndex: {
    type: 'string',
    value: 'index',
    description: 'the account to credit (default: your wallet’s)',
  },
  wallet: { type: 'string', value: 'address', description: 'the wallet whose account to credit' },
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
  async *run(options, context) {
    const [amount = '', from = ''] = options.args;
    const { chain, token } = currencyOf(context.network);
    const account = await accountToCredit(options, context);
    const { index, wallet } = account;
    const before = VenueAccount.usdc(account);
    yield { type: 'venue-account', ...VenueBalanceDocument.toAccount(account, before, undefined) };
    const to = `${chain.name}/${token.symbol.toLowerCase()}`;
    const intent = await readIntent([amount, from, to], options, context, { account });
    const caps = readCaps(options, context, intent);
    const recipientText = `account ${index} of wallet ${wallet}`;
    const getQuote = async () => ({
      ...(await requestQuote(intent, context)),
      caps,
      ...creditOf(intent, { wallet, isNamed: isNamed(options, account, context) }, context),
      recipientText,
    });
    const outcome = yield* executeQuote(
      { origin: intent.origin.chain, getQuote: getQuote },
      options,
      context,
      'venue deposit',
    );
    const shown = outcome.funds === 'delivered' ? await (await context.venue()).account(index) : undefined;
    return {
      ...outcome,
      account: VenueBalanceDocument.toAccount(account, before, shown && VenueAccount.usdc(shown)),
    };
  },
  view: (outcome, style, _, place) =>
    `${OutcomeText.format(outcome, style, place)}\n${VenueBalanceDocument.format(outcome.account, style)}`,
  logLine: EventText.format,
});

/** Whether the user named the account by its index, in the command or in the settings. */
function isNamed(
  { accountIndex }: Options<typeof flags>,
  { index }: VenueAccount.VenueAccount,
  { network }: Context,
): boolean {
  return accountIndex !== undefined || network.venue?.accountIndex === index;
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
