import * as z from 'zod/mini';
import * as VenueAccounts from '../../core/accounts/VenueAccount.js';
import * as Address from '../../core/base/Address.js';
import { BaseError } from '../../core/base/Errors.js';
import { define } from '../../core/command/Command.js';
import * as OutcomeDocument from '../../core/execution/OutcomeDocument.js';
import * as RunOpening from '../../core/execution/RunOpening.js';
import * as WithdrawalText from '../../core/view/WithdrawalText.js';
import * as VenueBalanceDocument from '../../core/withdrawal/VenueBalanceDocument.js';
import * as WithdrawalChecks from '../../core/withdrawal/WithdrawalChecks.js';
import { validForMs } from '../../transfer/executeQuote.js';
import {
  executeWithdrawal,
  type Held,
  holdTurn,
  payingAccount,
  quoteWithdrawal,
  tipAhead,
  withdrawFlags,
} from '../../transfer/executeWithdrawal.js';
import { assertVenue, type Expected, expectedAccount } from '../../transfer/findVenueAccount.js';
import { startRun, withJournal } from '../../transfer/journalledRun.js';
import { assertOneSigner, preload } from '../../transfer/withdrawalSigner.js';

export const command = define({
  description:
    'Withdraws from a venue account: proves the quote and the transfer it requires, signs the transfer with the account’s API key and its owner’s wallet, submits it, and follows it until the funds are delivered. The venue charges its own fee on top of the amount.',
  args: [
    { name: 'amount', description: 'a decimal amount of USDC at the venue, or max' },
    { name: 'to', description: 'the currency to receive, as chain/token' },
  ],
  options: withdrawFlags,
  examples: [
    ['ferry venue withdraw 100 alpha/usdc', 'to your wallet'],
    ['ferry venue withdraw 100 beta/eth --recipient 0x70997970C51812dc3A010C7d01b50e0d17dc79C8', 'to another wallet'],
    ['ferry venue withdraw max alpha/usdc --max-venue-fee 3 --yes --json', 'the whole balance, in a script'],
    ['ferry venue withdraw 100 alpha/usdc --sign-only', 'print the signed transfer, to submit it yourself'],
    ['ferry venue withdraw 100 alpha/usdc --signer ./sign.sh', 'signed by your own command'],
  ],
  output: z.extend(OutcomeDocument.schema, {
    account: VenueBalanceDocument.account,
    /** The venue's fee for the transfer, on top of the amount. */
    venueFee: VenueBalanceDocument.usdc,
    /** The signed transfer; null if none was signed. */
    signed: z.nullable(VenueBalanceDocument.signed),
  }),
  streams: true,
  pays: true,
  async *run(options, context) {
    assertVenue(context.network);
    assertOneSigner(options);
    WithdrawalChecks.assertValidity(validForMs(options.validFor));
    const reading = payingAccount(options, context);
    reading.catch(() => {});
    const startsRun = !options.dryRun && !options.signOnly;
    if (startsRun) context.instance().catch(() => {});
    // Which account that is may be known before the venue has confirmed it.
    const expected = (await expectedAccount(options.accountIndex, context)) ?? (await reading);
    const begin = (of: Expected) => {
      const quoting = quoteWithdrawal(of, async () => VenueAccounts.usdc(await reading), options, context);
      quoting.catch(() => {});
      return { preloaded: preload(of, options, context), tip: tipAhead(options, context), quoting };
    };
    let begun: ReturnType<typeof begin> | undefined;
    let held: Held | undefined;
    try {
      held = yield* holdTurn(expected, options, context, () => {
        begun = begin(expected);
      });
    } catch (error) {
      // It was the wrong slot, or the account of somebody else: what signs is found out below, and says why it cannot.
      const isOfVenue = error instanceof BaseError && error.code.startsWith('venue.');
      if (!isOfVenue && isSame(await reading, expected)) throw error;
    }
    try {
      const account = await reading;
      if (!isSame(account, expected)) {
        held?.turn.release();
        [held, begun] = [undefined, undefined];
      }
      const { quoting, ...ahead } = begun ?? begin(account);
      const before = VenueAccounts.usdc(account);
      yield { type: 'venue-account', ...VenueBalanceDocument.toAccount(account, before, undefined) };
      const asked = await quoting;
      // Nothing is submitted with --dry-run or --sign-only, so there is no run to journal.
      const run = startsRun
        ? yield* startRun(
            (place) => RunOpening.from(asked.quote.intent, place),
            { name: 'venue withdraw', options },
            context,
          )
        : undefined;
      const running = executeWithdrawal(asked, { account, ...ahead, journal: run, held }, options, context);
      return run ? yield* withJournal(run, running, context) : yield* running;
    } finally {
      held?.turn.release();
    }
  },
  view: WithdrawalText.format,
});

function isSame(account: Expected, expected: Expected): boolean {
  return account.index === expected.index && Address.isEqual(account.wallet, expected.wallet);
}
