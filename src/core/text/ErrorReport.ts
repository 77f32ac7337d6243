/** Formats an error as text for a terminal and as JSON for scripts. */
import type * as z from 'zod/mini';
import { BaseError, type Code, type Funds } from '../base/Errors.js';
import type { schema } from './ErrorSchema.js';
import * as Place from './Place.js';
import * as TerminalLine from './TerminalLine.js';
import type { Style } from './TerminalStyle.js';
import * as TerminalText from './TerminalText.js';

/** The `error` member of the `ferry.error/1` envelope. */
export type Failure = z.output<typeof schema>;

/**
 * Wraps any thrown value that is not a `BaseError` as `internal.bug`.
 *
 * @param funds where the money is, if that is known
 */
export function toBaseError(thrown: unknown, funds: Funds = 'unknown'): BaseError {
  if (thrown instanceof BaseError) return thrown;
  const what = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  const at =
    thrown instanceof Error ? thrown.stack?.split('\n').find((line) => line.trim().startsWith('at ')) : undefined;
  return new BaseError('internal.bug', 'Internal error: this is a bug in ferry.', {
    facts: [['what', what], ...(at ? ([['where', at.trim()]] as const) : [])],
    hint:
      funds === 'untouched'
        ? 'Nothing was signed.'
        : 'If a transaction was sent, its hash was printed above: check it before you retry.',
    funds,
    cause: thrown,
  });
}

/** What was under way when the user stopped ferry, by the code that the wait for it then ends with. */
const interrupted: Readonly<Partial<Record<Code, readonly [message: string, hint: string]>>> = {
  'submit.unknown': [
    'What was signed may have been sent, and may still be used.',
    'Do not pay again. Resuming the run finds out what became of it, and never pays a second time.',
  ],
  'track.unfinished': [
    'The transfer is not followed any more.',
    'It continues without ferry. Do not send it again: resuming the run follows it to its end.',
  ],
  'track.unwitnessed': [
    'The service reports the end of the transfer, and the chain was not asked for it to the last.',
    'Do not send it again. Resuming the run looks at the chain.',
  ],
};

/**
 * The error that a command ended with because it was stopped. Neither the node nor the service has failed, so none of them
 * is blamed; where the money is, and the way on, stay.
 *
 * @param reason why it was stopped
 */
export function stopped(error: BaseError, reason: unknown): BaseError {
  const by = reason instanceof BaseError ? reason.message : 'Stopped.';
  const [message = error.message, hint] = interrupted[error.code] ?? [];
  if (hint === undefined) return error;
  const isUntouched = error.funds === 'untouched';
  return error.with({
    message: `${by} ${isUntouched ? error.message : message}`,
    hint: error.run && !isUntouched ? hint : error.hint,
    httpStatus: undefined,
    trace: undefined,
    cause: error,
  });
}

export function toJson(error: BaseError): Failure {
  return {
    code: error.code,
    message: bounded(error.message),
    facts: Object.fromEntries(error.facts.map(([label, value]) => [label, bounded(value)])),
    hint: error.hint ?? null,
    next: error.next ?? null,
    retryable: error.retryable,
    funds: error.funds,
    exit: error.exit,
    ...(error.run ? { run: error.run } : {}),
    ...(error.requestId ? { requestId: error.requestId } : {}),
    ...(error.txHash ? { txHash: error.txHash } : {}),
    ...(error.httpStatus ? { httpStatus: error.httpStatus } : {}),
    ...(error.allowances.length > 0 ? { allowances: [...error.allowances] } : {}),
    ...(error.trace ? { trace: { ...error.trace } } : {}),
  };
}

/** The longest text of an error in a document: one of the service's may have millions of characters. */
const longest = 2_000;

function bounded(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

const fundsInWords: Record<Funds, string> = {
  untouched: 'untouched, nothing was sent',
  'in-flight': 'in flight',
  returned: 'returned to the refund address',
  held: 'held by the service',
  delivered: 'delivered',
  unknown: 'unknown: do not repeat the transfer until you know the outcome',
};

/**
 * An approval or a reverted transaction leaves the funds untouched, but still costs gas. A transfer that the venue refuses or
 * fails, whose hash has no 0x, costs nothing.
 */
function fundsOf({ funds, txHash, allowances }: BaseError): string {
  const isSent = txHash !== undefined || allowances.length > 0;
  if (funds !== 'untouched' || !isSent) return fundsInWords[funds];
  const isGasPaid = txHash === undefined || txHash.startsWith('0x');
  return isGasPaid ? 'untouched except for gas, nothing was paid' : 'untouched, nothing was paid';
}

/** What is known of the command that failed. */
export type Around = {
  place?: Place.Place | undefined;
  /** Whether it can pay; assumed unless it is known. */
  pays?: boolean;
};

/** The message with its code, the aligned facts, where the money is, the hint and the command to type next. */
export function format(error: BaseError, style: Style, { place, pays = true }: Around = {}): string {
  const safe = TerminalText.escape;
  // A command that reads moves no money, nor does a mistyped line, so there is nothing to say about it.
  const isMistake = /^(usage|config|request|system)\./.test(error.code);
  const isAboutMoney = error.run || error.funds !== 'untouched' || (pays && !isMistake);
  const shown = isAboutMoney ? place : undefined;
  const facts: [string, string][] = error.facts
    .filter(([label]) => !shown || label !== 'network')
    .map(([label, value]) => [safe(label), safe(value)]);
  if (error.requestId && !facts.some(([, value]) => value === error.requestId))
    facts.push(['request', safe(error.requestId)]);
  if (error.txHash && !facts.some(([, value]) => value === error.txHash))
    facts.push(['transaction', safe(error.txHash)]);
  if (error.run) facts.push(['run', safe(error.run)]);
  if (shown) facts.push(['network', Place.inWords(shown)]);
  if (isAboutMoney) facts.push(['funds', fundsOf(error)]);
  for (const { formatted, symbol, chain, spender, next } of error.allowances) {
    facts.push(['unused allowance', safe(`${formatted} ${symbol} on ${chain} to ${spender}`)]);
    if (next !== error.next) facts.push(['to revoke it', style.command(safe(next))]);
  }
  const width = Math.max(0, ...facts.map(([label]) => label.length));
  const lines = [
    `${style.red(style.bold('error'))}: ${safe(error.message)} ${style.dim(`(${error.code})`)}`,
    ...facts.flatMap(([label, value]) =>
      TerminalLine.hang(`  ${style.dim(label)}`, value, { columns: style.lineWidth, indent: width + 4 }),
    ),
    ...(error.hint ? [`  ${error.hint.split('\n').map(safe).join('\n')}`] : []),
    ...(error.next ? [`  ${style.dim('next:')} ${style.command(safe(error.next))}`] : []),
  ];
  return TerminalLine.fit(lines.join('\n'), style.lineWidth);
}
