/** Terminal text of a transfer's outcome. */
import type { OutcomeDocument } from '../execution/OutcomeDocument.js';
import { type Place, shown, withName } from '../text/Place.js';
import * as ShellCommand from '../text/ShellCommand.js';
import type { Style } from '../text/TerminalStyle.js';
import * as TerminalTable from '../text/TerminalTable.js';
import * as TerminalText from '../text/TerminalText.js';
import * as QuoteText from './QuoteText.js';

/**
 * The outcome in a few lines.
 *
 * @param isWhole whether the command saw the transfer from its payment on: else it does not know how long that took
 */
export function format(outcome: OutcomeDocument, style: Style, place?: Place, isWhole = true): string {
  if (outcome.status === 'planned') return formatPlan(outcome, style, place);
  const { spent, gasTopup, gas, depositAddress } = outcome;
  const linked = (hash: string, at: string | null): string => (at ? style.link(hash, at) : hash);
  const rows: TerminalTable.Row[] = [
    ['Spent', spent && `${QuoteText.short(spent, style)} ${spent.currency}`],
    arrived(outcome, style),
    ['Gas top-up', gasTopup && `${QuoteText.short(gasTopup, style)} ${gasTopup.currency}`, 'read from the chain'],
    [
      outcome.transactions.some(({ action }) => action === 'transfer') ? 'Fee' : 'Gas',
      depositAddress === null ? `${QuoteText.short(gas, style)} ${gas.currency}` : null,
    ],
    ...outcome.transactions.map(
      ({ action, txHash, url }) => [TerminalText.upperFirst(action), linked(txHash, url)] as const,
    ),
    ...outcome.fills.map(({ txHash, url }) => ['Fill', linked(txHash, url)] as const),
    depositAddress === null
      ? ['Paid by', party(outcome.user, place)]
      : [addressLabels[outcome.status] ?? 'Paid at', TerminalText.escape(depositAddress)],
    ...QuoteText.calls(outcome.calls, style, place),
    ['Network', place && shown(place, style)],
    ['Request', outcome.requestId],
  ];
  const time = isWhole ? ` in ${(outcome.elapsedMs / 1000).toFixed(1)} s` : '';
  const head =
    outcome.funds === 'delivered'
      ? `${style.green('✓')} ${style.bold(outcome.witnesses.length > 1 ? 'Delivered' : "Delivered, by the service's word,")}${time} to ${payee(outcome, place)}`
      : notDelivered(outcome, style);
  return [head, TerminalTable.rows(rows, style, 2)].join('\n');
}

/** That nothing was paid, or what is followed no longer, with the command that follows it. */
function notDelivered({ status, run, requestId }: OutcomeDocument, style: Style): string {
  if (status === canceled) return `${style.green('✓')} ${style.bold('Canceled')}: nothing but gas was paid.`;
  const next = unfollowed[status]
    ? ShellCommand.line`ferry resume ${run ?? ''}`
    : ShellCommand.line`ferry status ${requestId ?? ''} --watch`;
  return `${style.yellow('→')} ${style.bold(unfollowed[status] ?? 'Sent')}, not followed. Next: ${style.command(next)}`;
}

function arrived({ status, funds, received, minimum, recipient }: OutcomeDocument, style: Style): TerminalTable.Row {
  if (status === canceled) return ['Expected', null];
  const place = isVenueAccount(recipient) ? 'venue' : 'chain';
  const least = `at least ${QuoteText.short(minimum, style)} ${minimum.currency}`;
  if (funds !== 'delivered') return ['Expected', least];
  return received
    ? ['Received', `${QuoteText.short(received, style)} ${received.currency}`, `read from the ${place}`]
    : ['Received', least, `reported by the service, not read from the ${place}`];
}

/** The status of what was made void before it was paid. */
const canceled = 'cancelled';

/** What stands before a deposit address; only an open one may be paid. */
const addressLabels: Readonly<Record<string, string>> = { shown: 'Pay at', expired: 'Address' };

/** Deposit addresses that are not followed. */
const unfollowed: Readonly<Record<string, string>> = {
  shown: 'Shown',
  paid: 'Paid',
  expired: 'Expired, nothing may be paid any more',
};

/** Who is paid: the recipient, or the calls that are made with what arrives. */
function payee({ calls, recipient }: OutcomeDocument, place: Place | undefined): string {
  if (calls.length === 0) return party(recipient, place);
  return calls.length === 1 ? 'a call on arrival' : `${calls.length} calls on arrival`;
}

/** An address with the user's name for it, or an account of the venue, which is a number. */
function party(of: string, place: Place | undefined): string {
  return isVenueAccount(of) ? `venue account ${of}` : withName(of, place);
}

/** An account of the venue is a number, which no address is. */
function isVenueAccount(party: string): boolean {
  return /^\d+$/.test(party);
}

function formatPlan(outcome: OutcomeDocument, style: Style, place: Place | undefined): string {
  const { plan, minimum, maxGas, requestId, recommended, calls } = outcome;
  return [
    style.bold('Nothing was signed or sent. The plan:'),
    ...plan.map((step, index) =>
      [`  ${index + 1}. ${step.summary}`, ...terms(step).map((line) => `     ${style.dim(line)}`)].join('\n'),
    ),
    ...(maxGas ? [`  ${TerminalText.upperFirst(QuoteText.gasLimit(maxGas, style))}.`] : []),
    ...(recommended ? [`  ${QuoteText.inShort(recommended, style)}.`] : []),
    `  Paid by ${party(outcome.user, place)}${place ? ` on ${shown(place, style)}` : ''}.`,
    `  Paid to ${payee(outcome, place)}${calls.length === 0 ? '.' : ':'}`,
    ...(calls.length === 0 ? [] : [TerminalTable.rows(QuoteText.calls(calls, style, place), style, 4)]),
    `  Refunded, if it fails, to ${party(outcome.refundTo, place)}.`,
    `  At least ${QuoteText.short(minimum, style)} ${minimum.currency} will arrive. Request ${requestId}`,
  ].join('\n');
}

/** The terms of a step: receiver and value, or on the venue the memo, which names the order. */
function terms({ action, to, data, value }: OutcomeDocument['plan'][number]): readonly string[] {
  return action === 'transfer' ? [`to account ${to}`, `memo ${data}`] : [`to ${to}, value ${value} wei`];
}
