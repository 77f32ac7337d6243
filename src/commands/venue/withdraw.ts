import * as z from 'zod/mini';
import * as VenueAccounts from '../../core/accounts/VenueAccount.js';
import { define } from '../../core/command/Command.js';
import * as OutcomeDocument from '../../core/execution/OutcomeDocument.js';
import * as RunOpening from '../../core/execution/RunOpening.js';
import * as EventText from '../../core/view/EventText.js';
import * as WithdrawalText from '../../core/view/WithdrawalText.js';
import * as VenueBalanceDocument from '../../core/withdrawal/VenueBalanceDocument.js';
import { firstQuote, payer, withdraw, withdrawFlags } from '../../transfer/executeWithdrawal.js';
import { begin, written } from '../../transfer/journalledRun.js';
import { preload } from '../../transfer/withdrawalSigner.js';

export const command = define({
  description:
    'Withdraws from an account of the venue: proves the quote and the transfer that it asks for, signs it with the account’s API key and with the wallet that owns it, hands it in and follows it until the money has arrived. The venue takes a fee of its own on top of the amount.',
  args: [
    { name: 'amount', description: 'a decimal in units of the venue’s USDC, or max' },
    { name: 'to', description: 'the currency that arrives, as chain/token' },
  ],
  options: withdrawFlags,
  examples: [
    ['ferry venue withdraw 100 alpha/usdc', 'to the wallet that signs'],
    ['ferry venue withdraw 100 beta/eth --recipient 0x70997970C51812dc3A010C7d01b50e0d17dc79C8', 'to another wallet'],
    ['ferry venue withdraw max alpha/usdc --max-venue-fee 3 --yes --json', 'everything, for a script'],
    ['ferry venue withdraw 100 alpha/usdc --sign-only', 'the signed transfer, to hand in yourself'],
    ['ferry venue withdraw 100 alpha/usdc --signer ./sign.sh', 'signed by a command of your own'],
  ],
  output: z.extend(OutcomeDocument.schema, {
    account: VenueBalanceDocument.account,
    /** What the venue takes for the transfer, on top of the amount. */
    venueFee: VenueBalanceDocument.usdc,
    /** The signed transfer; null where none was signed. */
    signed: z.nullable(VenueBalanceDocument.signed),
  }),
  streams: true,
  async *run(options, context) {
    const account = await payer(options, context);
    const preloaded = preload(context, account);
    const before = VenueAccounts.usdc(account);
    yield { type: 'venue-account', ...VenueBalanceDocument.toAccount(account, before, undefined) };
    const asked = await firstQuote(account, options, context);
    // What is only shown, or handed in by somebody else, is no run of ferry's.
    const run =
      options.dryRun || options.signOnly
        ? undefined
        : yield* begin(
            (place) => RunOpening.from(asked.quote.intent, place),
            { name: 'venue withdraw', options },
            context,
          );
    const running = withdraw(asked, { account, preloaded, journal: run }, options, context);
    return run ? yield* written(run, running, context) : yield* running;
  },
  view: WithdrawalText.format,
  logLine: EventText.format,
});
