/** The events of a transfer as text, one line each. */
import * as Address from '../base/Address.js';
import * as Amount from '../base/Amount.js';
import * as Usd from '../base/Usd.js';
import type { CommandEvent } from '../event/DisplayEvent.js';
import type { Of } from '../event/Event.js';
import type { Place } from '../text/Place.js';
import type { Style } from '../text/TerminalStyle.js';
import * as TerminalText from '../text/TerminalText.js';
import { address, fees, network, otherwise } from './QuoteText.js';

/** The line of an event; undefined if a person need not see it, or if its command displays it in its own way. */
export function format(event: CommandEvent, style: Style, place?: Place): string | undefined {
  switch (event.type) {
    case 'run':
      return style.dim(`Run ${event.run}: if anything happens to this process, ferry resume ${event.run}`);
    case 'resuming':
      return `${style.cyan('→')} ${summary(event)}`;
    case 'resent': {
      const note = style.dim('signed before, sent again as it is unless it is mined');
      return `${style.cyan('→')} ${summary(event)} ${hash(event, style)} ${note}`;
    }
    case 'quoted':
      return quoted(event, style, place);
    case 'verified':
      return verified(event, style);
    case 'venue-account':
      return `${style.green('✓')} Account ${event.index} of wallet ${TerminalText.escape(event.wallet)}`;
    case 'venue-signed':
    case 'venue-executed':
      return `${style.green('✓')} ${summary(event)} ${hash(event, style)}`;
    case 'checked':
      return `${style.green('✓')} Balance and gas suffice`;
    case 'delegated':
    case 'batch-signed':
    case 'permit-signed':
    case 'claim-signed':
    case 'submitted':
      return `${style.green('✓')} ${summary(event)}`;
    case 'asking':
      return `${style.yellow('?')} ${summary(event)}: ${TerminalText.escape(event.why)}`;
    case 'skipped':
      return `${style.dim('·')} ${summary(event)}: not needed, ${event.why}`;
    case 'sent':
    case 'venue-sent':
      return `${style.cyan('→')} ${summary(event)} ${hash(event, style)}`;
    case 'mined':
      return `${style.green('✓')} ${summary(event)} ${style.dim(`mined in block ${event.blockNumber}`)} ${hash(event, style)}`;
    case 'status':
      return `${style.cyan('→')} ${capital(event.words)} ${style.dim(`(${TerminalText.escape(event.status)})`)}`;
    case 'service':
      return `${event.answers ? style.green('✓') : style.yellow('…')} ${summary(event)}`;
    case 'waiting':
    case 'held-up':
      return `${style.yellow('…')} ${summary(event)}`;
    case 'superseded':
      return `${style.cyan('→')} replaced by request ${TerminalText.escape(event.by)}: following that one`;
    // The next line, that it was sent, says enough.
    case 'signed':
    case 'result':
    case 'request':
    case 'unreadable':
    case 'scene':
    case 'ready':
    case 'progress':
    case 'checking':
    case 'answer-checked':
    case 'config-proposed':
    case 'contracts-proposed':
    case 'case-begun':
    case 'case-again':
    case 'case-ended':
    case 'attack-ended':
      return undefined;
    default:
      return event satisfies never;
  }
}

function summary(event: { summary: string }): string {
  return TerminalText.escape(event.summary);
}

/** A transaction's hash, linked to its page in the explorer if that is known. */
function hash({ txHash, url }: { txHash: string; url?: string | undefined }, style: Style): string {
  const short = style.dim(Address.shorten(txHash));
  return url === undefined ? short : style.link(short, url);
}

function verified(event: Of<'verified'>, style: Style): string {
  const { checks, single } = event;
  const passed = `${checks - single.length} checks passed`;
  const facts = single.map(({ check, witness }) => `${check} (${witness})`).join(', ');
  const line =
    single.length === 0
      ? `${style.green('✓')} ${passed}: the quote does what was asked`
      : `${style.yellow('?')} ${passed}; only one witness: ${TerminalText.escape(facts)}`;
  return `${line}${maxGas(event, style)}`;
}

/** A line with the most that the gas can cost, which the service's estimate in the quote is not. */
function maxGas({ maxGas: most }: Of<'verified'>, style: Style): string {
  if (most === null) return '';
  const usd = most.usd === null ? 'no price is known' : Usd.format(Usd.from(most.usd) ?? 0n);
  return `\n  ${style.dim(`gas costs at most ${short(most)} ${TerminalText.escape(most.symbol)} (${usd})`)}`;
}

function quoted(quote: Of<'quoted'>, style: Style, place: Place | undefined): string {
  const { send, receive, minimum } = quote;
  return [
    style.bold(
      `${short(send)} ${TerminalText.escape(send.currency)} → ${short(receive)} ${TerminalText.escape(receive.currency)}`,
    ),
    `  at least ${short(minimum)}, ${otherwise(quote, 'or')}`,
    `  paid by ${address(quote.user, style)}${place ? ` on ${network(place, style)}` : ''}`,
    ...fees(quote, style)
      .split('\n')
      .map((line) => `  ${line}`),
  ].join('\n');
}

function short({ formatted }: { formatted: string }): string {
  return Amount.shorten(formatted);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
