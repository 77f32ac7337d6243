/** How a withdrawal from the venue ended, as a person reads it; a signed transfer as whoever hands it in needs it. */
import type { OutcomeDocument } from '../OutcomeDocument.js';
import * as VenueDocument from '../VenueDocument.js';
import * as Outcome from './Outcome.js';
import type { Style } from './Style.js';
import * as Text from './Text.js';

export type Withdrawal = OutcomeDocument & { account: VenueDocument.Account; signed: VenueDocument.Signed | null };

/** The end in a few lines. */
export function format(outcome: Withdrawal, style: Style): string {
  if (outcome.status === 'signed' && outcome.signed) return formatSigned(outcome.signed, style);
  return `${Outcome.format(outcome, style)}\n${VenueDocument.format(outcome.account, style)}`;
}

/** The transfer on a line of its own, so that it can be copied. */
function formatSigned(
  { txInfo, txHash, publicKey, signingChainId, expiresAt }: VenueDocument.Signed,
  style: Style,
): string {
  return [
    style.bold('Signed, not sent.'),
    txInfo,
    Text.columns(
      [
        ['Transaction', txHash],
        ['Public key', publicKey],
        ['Signing chain id', String(signingChainId)],
        ['Valid until', new Date(expiresAt).toISOString()],
      ].map(([label = '', value = '']) => [`  ${style.dim(label)}`, value]),
    ),
  ].join('\n');
}
