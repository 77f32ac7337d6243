/** Terminal text of a transfer's outcome. */
import * as Usd from '../base/Usd.js';
import type { OutcomeDocument } from '../execution/OutcomeDocument.js';
import { type Place, shown, withName } from '../text/Place.js';
import * as ShellCommand from '../text/ShellCommand.js';
import type { Style } from '../text/TerminalStyle.js';
import * as TerminalText from '../text/TerminalText.js';
import { inShort, short } from './QuoteText.js';

/** The outcome in a few lines. */
export function format(outcome: OutcomeDocument, style: Style, place?: Place): string {
  if (outcome.status === 'planned') return formatPlan(outcome, style, place);
  const { spent, received, gasTopup, gas, minimum, depositAddress } = outcome;
  const done = outcome.funds === 'delivered';
  const rows = [
    ...(spent ? [['Spent', `${short(spent, style)} ${spent.currency}`, '']] : []),
    ...(done
      ? [
          received
            ? ['Received', `${short(received, style)} ${received.currency}`, 'read from the chain']
            : [
                'Received',
                `at least ${short(minimum, style)} ${minimum.currency}`,
                'reported by the service, not read from the chain',
              ],
        ]
      : [['Expected', `at least ${short(minimum, style)} ${minimum.currency}`, '']]),
    ...(gasTopup ? [['Gas top-up', `${short(gasTopup, style)} ${gasTopup.currency}`, 'read from the chain']] : []),
    ...(depositAddress === null
      ? [
          [
            outcome.transactions.some(({ action }) => action === 'transfer') ? 'Fee' : 'Gas',
            `${short(gas, style)} ${gas.currency}`,
            '',
          ],
        ]
      : []),
    ...outcome.transactions.map(({ action, txHash, url: at }) => [
      TerminalText.upperFirst(action),
      at ? style.link(txHash, at) : txHash,
      '',
    ]),
    ...outcome.fills.map(({ txHash, url: at }) => ['Fill', at ? style.link(txHash, at) : txHash, '']),
    depositAddress === null
      ? ['Paid by', party(outcome.user, place), '']
      : [addressLabels[outcome.status] ?? 'Paid at', TerminalText.escape(depositAddress), ''],
    ...(place ? [['Network', shown(place, style), '']] : []),
    ['Request', outcome.requestId, ''],
  ];
  const seconds = (outcome.elapsedMs / 1000).toFixed(1);
  return [
    done
      ? `${style.green('✓')} ${style.bold(outcome.witnesses.length > 1 ? 'Delivered' : "Delivered, by the service's word,")} in ${seconds} s to ${party(outcome.recipient, place)}`
      : outcome.status in unfollowed
        ? `${style.yellow('→')} ${style.bold(unfollowed[outcome.status] ?? '')}, not followed. Next: ${style.command(ShellCommand.line`ferry resume ${outcome.run ?? ''}`)}`
        : `${style.yellow('→')} ${style.bold('Sent')}, not followed. Next: ${style.command(ShellCommand.line`ferry status ${outcome.requestId ?? ''} --watch`)}`,
    TerminalText.columns(
      rows.map(([label = '', value = '', note = '']) => [
        `  ${style.dim(label)}`,
        note ? `${value}  ${style.dim(note)}` : value,
      ]),
    ),
  ].join('\n');
}

/** What stands before a deposit address; only an open one may be paid. */
const addressLabels: Readonly<Record<string, string>> = { shown: 'Pay at', expired: 'Address' };

/** Deposit addresses that are not followed. */
const unfollowed: Readonly<Record<string, string>> = {
  shown: 'Shown',
  paid: 'Paid',
  expired: 'Expired, nothing may be paid any more',
};

/** An address with the user's name for it, or an account of the venue, which is a number. */
function party(of: string, place: Place | undefined): string {
  return /^\d+$/.test(of) ? `venue account ${of}` : withName(of, place);
}

function formatPlan(
  { plan, minimum, maxGas, requestId, user, recipient, refundTo, recommended }: OutcomeDocument,
  style: Style,
  place: Place | undefined,
): string {
  return [
    style.bold('Nothing was signed or sent. The plan:'),
    ...plan.map((step, index) =>
      [`  ${index + 1}. ${step.summary}`, ...terms(step).map((line) => `     ${style.dim(line)}`)].join('\n'),
    ),
    ...(maxGas
      ? [
          `  Gas costs at most ${short(maxGas, style)} ${maxGas.symbol} (${maxGas.usd === null ? 'no price is known' : style.number(Usd.format(Usd.from(maxGas.usd) ?? 0n))}).`,
        ]
      : []),
    ...(recommended ? [`  ${inShort(recommended, style)}.`] : []),
    `  Paid by ${party(user, place)}${place ? ` on ${shown(place, style)}` : ''}.`,
    `  Paid to ${party(recipient, place)}.`,
    `  Refunded, if it fails, to ${party(refundTo, place)}.`,
    `  At least ${short(minimum, style)} ${minimum.currency} will arrive. Request ${requestId}`,
  ].join('\n');
}

/** The terms of a step: receiver and value, or on the venue the memo, which names the order. */
function terms({ action, to, data, value }: OutcomeDocument['plan'][number]): readonly string[] {
  return action === 'transfer' ? [`to account ${to}`, `memo ${data}`] : [`to ${to}, value ${value} wei`];
}
