/** What happens during a transfer, one line each. */
import * as Address from '../base/Address.js';
import * as Amount from '../base/Amount.js';
import type { QuoteDocument } from '../quote/QuoteDocument.js';
import type { Style } from '../text/TerminalStyle.js';
import * as TerminalText from '../text/TerminalText.js';
import { fees } from './QuoteText.js';

type Happening = { type: string } & Record<string, unknown>;

/** The line of an event; undefined for what a person need not see. */
export function format(event: Happening, style: Style): string | undefined {
  const summary = typeof event.summary === 'string' ? TerminalText.escape(event.summary) : '';
  const hash = linked(event, style);
  switch (event.type) {
    case 'run':
      return style.dim(
        `Run ${String(event.run)}: if anything happens to this process, ferry resume ${String(event.run)}`,
      );
    case 'resent':
      return `${style.cyan('→')} ${summary} ${hash} ${style.dim('signed before, sent again as it is unless it is mined')}`;
    case 'quoted':
      return quoted(event as unknown as QuoteDocument, style);
    case 'verified':
      return `${style.green('✓')} ${String(event.checks)} checks passed: the quote does what was asked`;
    case 'venue-account':
      return `${style.green('✓')} Account ${String(event.index)} of wallet ${TerminalText.escape(String(event.wallet))}`;
    case 'venue-signed':
    case 'venue-executed':
      return `${style.green('✓')} ${summary} ${hash}`;
    case 'venue-sent':
      return `${style.cyan('→')} ${summary} ${hash}`;
    case 'checked':
      return `${style.green('✓')} Balance and gas suffice`;
    case 'delegated':
    case 'batch-signed':
    case 'permit-signed':
    case 'submitted':
      return `${style.green('✓')} ${summary}`;
    case 'asking':
      return `${style.yellow('?')} ${summary}: ${TerminalText.escape(String(event.why))}`;
    case 'skipped':
      return `${style.dim('·')} ${summary}: not needed, ${String(event.why)}`;
    case 'sent':
      return `${style.cyan('→')} ${summary} ${hash}`;
    case 'mined':
      return `${style.green('✓')} ${summary} ${style.dim(`mined in block ${String(event.blockNumber)}`)} ${hash}`.trimEnd();
    case 'status':
      return `${style.cyan('→')} ${TerminalText.escape(String(event.status))}: ${String(event.words)}`;
    case 'waiting':
      return `${style.yellow('…')} ${summary}`;
    case 'superseded':
      return `${style.cyan('→')} replaced by request ${TerminalText.escape(String(event.by))}: following that one`;
    default:
      return undefined;
  }
}

/** A transaction's hash, which leads to the explorer where there is one. */
function linked({ txHash, url }: Happening, style: Style): string {
  if (typeof txHash !== 'string') return '';
  const short = style.dim(Address.shorten(txHash));
  return typeof url === 'string' ? style.link(short, url) : short;
}

function quoted(quote: QuoteDocument, style: Style): string {
  const { send, receive, minimum } = quote;
  return [
    style.bold(
      `${short(send)} ${TerminalText.escape(send.currency)} → ${short(receive)} ${TerminalText.escape(receive.currency)}`,
    ),
    `  at least ${short(minimum)}, or refunded`,
    ...fees(quote, style)
      .split('\n')
      .map((line) => `  ${line}`),
  ].join('\n');
}

function short({ formatted }: { formatted: string }): string {
  return Amount.shorten(formatted);
}
