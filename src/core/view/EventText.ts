/** The events of a transfer as text, one line each. */
import * as Address from '../base/Address.js';
import type { CommandEvent } from '../event/DisplayEvent.js';
import type { Of } from '../event/Event.js';
import * as SingleWitness from '../proof/SingleWitness.js';
import * as Place from '../text/Place.js';
import * as TerminalLine from '../text/TerminalLine.js';
import type { Style } from '../text/TerminalStyle.js';
import * as TerminalText from '../text/TerminalText.js';
import { address, belowMinimum, fees, gasLimit, short } from './QuoteText.js';

/** The line of an event; undefined if a person need not see it, or if its command displays it in its own way. */
export function format(event: CommandEvent, style: Style, place?: Place.Place): string | undefined {
  switch (event.type) {
    case 'run':
      return named(event, style);
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
    case 'address':
      return payable(event, style, place);
    case 'address-balance':
      return held(event, style);
    case 'status':
      return `${style.cyan('→')} ${TerminalText.upperFirst(event.words)} ${style.dim(`(${TerminalText.escape(event.status)})`)}`;
    case 'service':
      return `${event.answers ? style.green('✓') : style.yellow('…')} ${summary(event)}`;
    case 'waiting':
    case 'held-up':
      return `${style.yellow('…')} ${summary(event)}`;
    case 'serving':
      return `${style.green('✓')} Serving ${event.url}`;
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

/** What goes on with a run that stops is a command to type: it stands on a line of its own where it would be broken. */
function named({ run, next }: { run: string; next: string }, style: Style): string {
  const name = `Run ${run}; if it stops:`;
  const fits = TerminalText.width(`${name} ${next}`) <= style.lineWidth;
  return fits ? style.dim(`${name} ${next}`) : `${style.dim(name)}\n  ${style.dim(next)}`;
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
  const facts = SingleWitness.facts(single.map(({ witness, ...fact }) => ({ ...fact, witnesses: [witness] })));
  const line =
    single.length === 0
      ? `${style.green('✓')} ${passed}: the quote does what was asked`
      : `${style.yellow('?')} ${passed}; ${TerminalText.escape(facts)}`;
  return event.maxGas === null ? line : `${line}\n  ${style.dim(gasLimit(event.maxGas, style))}`;
}

function quoted(quote: Of<'quoted'>, style: Style, place: Place.Place | undefined): string {
  const { send, receive, minimum } = quote;
  return [
    style.bold(
      `${short(send, style)} ${TerminalText.escape(send.currency)} → ${short(receive, style)} ${TerminalText.escape(receive.currency)}`,
    ),
    `  at least ${short(minimum, style)}, ${belowMinimum(quote, 'or')}`,
    `  paid by ${quote.byAddress ? 'anybody' : payer(quote.user, style)}${place ? ` on ${Place.shown(place, style)}` : ''}`,
    TerminalText.indent(fees(quote, style)),
  ].join('\n');
}

/** An address, or an account of the venue, which is a number. */
function payer(user: string, style: Style): string {
  return /^\d+$/.test(user) ? `venue account ${user}` : address(user, style);
}

/** What to pay, to whom, until when, and what happens belowMinimum. */
function payable(event: Of<'address'>, style: Style, place: Place.Place | undefined): string {
  const { send, minimum, chain, refundTo, recipient, untilMs } = event;
  const text = (of: { formatted: string; currency: string }): string =>
    `${TerminalText.escape(of.formatted)} ${TerminalText.escape(of.currency)}`;
  const rows: (readonly [label: string, value: string])[] = [
    ['until', style.time(untilMs)],
    ...(place ? ([['network', Place.shown(place, style)]] as const) : []),
    ['from', 'any wallet, multisig or exchange; by one plain transfer'],
    ['arrives', `at least ${text(minimum)} at ${address(recipient, style)}`],
    ['too little', `is sent back to ${address(refundTo, style)}, less gas; so is a second payment, and a late one`],
    ['too much', 'is not promised: no more arrives, and the rest need not come back'],
    ['else', 'another token, or on another chain, stays at the address: do not send it'],
  ];
  return [
    style.bold(`Send exactly ${text(send)} to this address on ${TerminalText.escape(chain)}:`),
    '',
    `  ${style.bold(TerminalText.escape(event.address))}`,
    '',
    ...rows.flatMap(([label, value]) =>
      TerminalLine.hang(`  ${style.dim(label)}`, value, { columns: style.width, indent: 14 }),
    ),
  ].join('\n');
}

function held({ held: there, wanted, isEnough }: Of<'address-balance'>, style: Style): string {
  const symbol = TerminalText.escape(wanted.symbol);
  if (isEnough) return `${style.green('✓')} The address holds ${there.formatted} ${symbol}`;
  if (there.amount === '0') return `${style.cyan('→')} The address was emptied into the depository`;
  return `${style.yellow('!')} The address holds ${there.formatted} ${symbol} of ${wanted.formatted}: too little is sent back`;
}
