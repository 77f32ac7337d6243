/** Terminal text of a withdrawal from the venue: its outcome, or a signed transfer that is not submitted. */
import type { OutcomeDocument } from '../execution/OutcomeDocument.js';
import type { Place } from '../text/Place.js';
import type { Style } from '../text/TerminalStyle.js';
import * as TerminalTable from '../text/TerminalTable.js';
import * as VenueBalanceDocument from '../withdrawal/VenueBalanceDocument.js';
import * as OutcomeText from './OutcomeText.js';

export type Withdrawal = OutcomeDocument & {
  account: VenueBalanceDocument.Account;
  signed: VenueBalanceDocument.Signed | null;
};

export function format(outcome: Withdrawal, style: Style, _?: unknown, place?: Place): string {
  if (outcome.status === 'signed' && outcome.signed)
    return [
      style.bold('Signed, not sent.'),
      outcome.signed.txInfo,
      TerminalTable.rows(
        [
          ['Transaction', outcome.signed.txHash],
          ['Public key', outcome.signed.publicKey],
          ['Signing chain id', String(outcome.signed.signingChainId)],
          ['Valid until', style.time(outcome.signed.expiresAt)],
        ],
        style,
        2,
      ),
    ].join('\n');
  return `${OutcomeText.format(outcome, style, place)}\n${VenueBalanceDocument.format(outcome.account, style)}`;
}
