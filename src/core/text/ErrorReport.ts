/** An error as text for a person and as the JSON envelope for a program. */
import type * as z from 'zod/mini';
import { BaseError, type Funds } from '../base/Errors.js';
import type { schema } from './ErrorSchema.js';
import type { Style } from './TerminalStyle.js';
import * as TerminalText from './TerminalText.js';

/** `error` of the envelope `ferry.error/1`. */
export type Failure = z.output<typeof schema>;

/** Any thrown value as the error it means; what ferry did not foresee is a bug of its own. */
export function toBaseError(thrown: unknown): BaseError {
  if (thrown instanceof BaseError) return thrown;
  const what = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  const at =
    thrown instanceof Error ? thrown.stack?.split('\n').find((line) => line.trim().startsWith('at ')) : undefined;
  return new BaseError('internal.bug', 'ferry made a mistake of its own.', {
    facts: [['what', what], ...(at ? ([['where', at.trim()]] as const) : [])],
    hint: 'This is a bug. If a transaction was sent, its hash was printed above: look at it before trying again.',
    funds: 'unknown',
    cause: thrown,
  });
}

/** The envelope's `error`. */
export function toJson(error: BaseError): Failure {
  return {
    code: error.code,
    message: error.message,
    facts: Object.fromEntries(error.facts),
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

const fundsInWords: Record<Funds, string> = {
  untouched: 'untouched, nothing was sent',
  'in-flight': 'in flight',
  returned: 'returned to the refund address',
  held: 'held by the service',
  delivered: 'delivered',
  unknown: 'unknown: do not repeat the transfer before you know',
};

/** What was sent and paid nothing, an approval or a transaction that reverted, has still cost its gas. */
function fundsOf({ funds, txHash, allowances }: BaseError): string {
  const isSent = txHash !== undefined || allowances.length > 0;
  return funds === 'untouched' && isSent ? 'untouched but for gas, nothing was paid' : fundsInWords[funds];
}

/** What happened, the facts, where the money is, and what to type next. */
export function format(error: BaseError, style: Style): string {
  const facts: [string, string][] = [...error.facts.map(([label, value]): [string, string] => [label, value])];
  if (error.requestId && !facts.some(([, value]) => value === error.requestId))
    facts.push(['request', error.requestId]);
  if (error.txHash && !facts.some(([, value]) => value === error.txHash)) facts.push(['transaction', error.txHash]);
  if (error.run) facts.push(['run', error.run]);
  facts.push(['funds', fundsOf(error)]);
  for (const { formatted, symbol, chain, spender, next } of error.allowances) {
    facts.push(['allowance left', `${formatted} ${symbol} on ${chain} to ${spender}`]);
    if (next !== error.next) facts.push(['to clear it', next]);
  }
  const wide = Math.max(...facts.map(([label]) => label.length));
  return [
    `${style.red(style.bold('error'))}: ${error.message} ${style.dim(`(${error.code})`)}`,
    ...facts.map(([label, value]) => `  ${style.dim(TerminalText.padEnd(label, wide))}  ${value}`),
    ...(error.hint ? [`  ${error.hint}`] : []),
    ...(error.next ? [`  ${style.dim('next:')} ${style.cyan(error.next)}`] : []),
  ].join('\n');
}
