/** How a transfer ended, as a person reads it. */
import * as Amount from '../Amount.js';
import type { OutcomeDocument } from '../OutcomeDocument.js';
import type { Style } from './Style.js';
import * as Text from './Text.js';

/** The end of a transfer in a few lines. */
export function format(outcome: OutcomeDocument, style: Style): string {
  if (outcome.status === 'planned') return formatPlan(outcome, style);
  const { spent, received, gas, minimum } = outcome;
  const done = outcome.funds === 'delivered';
  const rows = [
    ...(spent ? [['Spent', `${short(spent)} ${spent.currency}`, '']] : []),
    ...(done
      ? [
          received
            ? ['Received', `${short(received)} ${received.currency}`, 'read from the chain']
            : ['Received', `at least ${short(minimum)} ${minimum.currency}`, 'by the service, not read from the chain'],
        ]
      : [['To arrive', `at least ${short(minimum)} ${minimum.currency}`, '']]),
    ['Gas', `${short(gas)} ${gas.currency}`, ''],
    ...outcome.transactions.map(({ action, txHash, url: at }) => [
      capital(action),
      at ? style.link(txHash, at) : txHash,
      '',
    ]),
    ...outcome.fills.map(({ txHash, url: at }) => ['Fill', at ? style.link(txHash, at) : txHash, '']),
    ['Request', outcome.requestId, ''],
  ];
  const seconds = (outcome.elapsedMs / 1000).toFixed(1);
  return [
    done
      ? `${style.green('✓')} ${style.bold('Delivered')} in ${seconds} s to ${outcome.recipient}`
      : `${style.yellow('→')} ${style.bold('Sent')}, not followed. Next: ${style.cyan(`ferry status ${outcome.requestId} --watch`)}`,
    Text.columns(
      rows.map(([label = '', value = '', note = '']) => [
        `  ${style.dim(label)}`,
        note ? `${value}  ${style.dim(note)}` : value,
      ]),
    ),
  ].join('\n');
}

function formatPlan({ plan, minimum, requestId }: OutcomeDocument, style: Style): string {
  return [
    style.bold('Nothing was signed or sent. The plan:'),
    ...plan.map(
      ({ summary, to, value }, index) =>
        `  ${index + 1}. ${summary}\n     ${style.dim(`to ${to}, value ${value} wei`)}`,
    ),
    `  At least ${short(minimum)} ${minimum.currency} arrive. Request ${requestId}`,
  ].join('\n');
}

function short({ formatted }: { formatted: string }): string {
  return Amount.shorten(formatted);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
