/** Terminal text of a transfer's outcome. */
import * as Amount from '../base/Amount.js';
import * as Usd from '../base/Usd.js';
import type { OutcomeDocument } from '../execution/OutcomeDocument.js';
import type { Place } from '../text/Place.js';
import type { Style } from '../text/TerminalStyle.js';
import * as TerminalText from '../text/TerminalText.js';
import { network } from './QuoteText.js';

/** The outcome in a few lines. */
export function format(outcome: OutcomeDocument, style: Style, place?: Place): string {
  if (outcome.status === 'planned') return formatPlan(outcome, style, place);
  const { spent, received, gas, minimum } = outcome;
  const done = outcome.funds === 'delivered';
  const rows = [
    ...(spent ? [['Spent', `${short(spent)} ${spent.currency}`, '']] : []),
    ...(done
      ? [
          received
            ? ['Received', `${short(received)} ${received.currency}`, 'read from the chain']
            : [
                'Received',
                `at least ${short(minimum)} ${minimum.currency}`,
                'reported by the service, not read from the chain',
              ],
        ]
      : [['Expected', `at least ${short(minimum)} ${minimum.currency}`, '']]),
    [
      outcome.transactions.some(({ action }) => action === 'transfer') ? 'Fee' : 'Gas',
      `${short(gas)} ${gas.currency}`,
      '',
    ],
    ...outcome.transactions.map(({ action, txHash, url: at }) => [
      capital(action),
      at ? style.link(txHash, at) : txHash,
      '',
    ]),
    ...outcome.fills.map(({ txHash, url: at }) => ['Fill', at ? style.link(txHash, at) : txHash, '']),
    ['Paid by', outcome.user, ''],
    ...(place ? [['Network', network(place, style), '']] : []),
    ['Request', outcome.requestId, ''],
  ];
  const seconds = (outcome.elapsedMs / 1000).toFixed(1);
  return [
    done
      ? `${style.green('✓')} ${style.bold(outcome.witnesses.length > 1 ? 'Delivered' : "Delivered, by the service's word,")} in ${seconds} s to ${outcome.recipient}`
      : `${style.yellow('→')} ${style.bold('Sent')}, not followed. Next: ${style.cyan(`ferry status ${outcome.requestId} --watch`)}`,
    TerminalText.columns(
      rows.map(([label = '', value = '', note = '']) => [
        `  ${style.dim(label)}`,
        note ? `${value}  ${style.dim(note)}` : value,
      ]),
    ),
  ].join('\n');
}

function formatPlan(
  { plan, minimum, maxGas, requestId, user }: OutcomeDocument,
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
          `  Gas costs at most ${short(maxGas)} ${maxGas.symbol} (${maxGas.usd === null ? 'no price is known' : Usd.format(Usd.from(maxGas.usd) ?? 0n)}).`,
        ]
      : []),
    `  Paid by ${user}${place ? ` on ${network(place, style)}` : ''}.`,
    `  At least ${short(minimum)} ${minimum.currency} will arrive. Request ${requestId}`,
  ].join('\n');
}

/** The terms of a step: receiver and value, or on the venue the memo, which names the order. */
function terms({ action, to, data, value }: OutcomeDocument['plan'][number]): readonly string[] {
  return action === 'transfer' ? [`to account ${to}`, `memo ${data}`] : [`to ${to}, value ${value} wei`];
}

function short({ formatted }: { formatted: string }): string {
  return Amount.shorten(formatted);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
