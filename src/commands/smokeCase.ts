/** One case of a smoke file: run, judged, and run again where what failed may pass and nothing was signed. */
import type { Context } from '../cli/createContext.js';
import type { BaseError, Funds } from '../core/base/Errors.js';
import * as Usd from '../core/base/Usd.js';
import * as TransferEntry from '../core/batch/TransferEntry.js';
import * as SmokeBudget from '../core/checks/SmokeBudget.js';
import type * as SmokeFile from '../core/checks/SmokeFile.js';
import * as SmokeReport from '../core/checks/SmokeReport.js';
import * as SmokeVerdict from '../core/checks/SmokeVerdict.js';
import type { Event } from '../core/command/Command.js';
import type { OutcomeDocument } from '../core/execution/OutcomeDocument.js';
import * as Verification from '../core/proof/Verification.js';
import type * as QuoteDocument from '../core/quote/QuoteDocument.js';
import { toBaseError } from '../core/text/ErrorReport.js';
import * as TerminalText from '../core/text/TerminalText.js';
import * as Journal from '../core/tracking/Journal.js';
import * as TransferStatus from '../core/tracking/TransferStatus.js';
import { execute } from './execute.js';
import { quote } from './quote.js';

/** What cases have in common. */
export type Course = {
  /** How often one is repeated. */
  retries: number;
  caps: readonly SmokeBudget.Cap[];
  /** What those before have spent; each adds its own. */
  spent: SmokeBudget.Spending[];
};

/** How an attempt ended. */
type Attempt = {
  error: BaseError | undefined;
  /** Of the quote that counted last. */
  priced: Priced | undefined;
  outcome: OutcomeDocument | undefined;
  /** Decimals in units of the output. */
  out: string | null;
  spending: SmokeBudget.Spending | undefined;
  /** Whether anything was signed, or may have been. */
  signed: boolean;
};

type Priced = Pick<QuoteDocument.QuoteDocument, 'requestId' | 'send' | 'fees' | 'originGas'>;

/** Between attempts, growing. */
const pauseMs = 1000;

/** Runs a case to its verdict. Only an interruption is thrown. */
export async function* runCase(
  each: SmokeFile.Case,
  course: Course,
  context: Context,
): AsyncGenerator<Event, SmokeReport.Result> {
  const { clock, signal } = context;
  const failedAttempts: SmokeReport.Attempt[] = [];
  while (true) {
    const startedAt = clock.now();
    const attempt = yield* attemptOf(each, course, context);
    const seconds = (clock.now() - startedAt) / 1000;
    if (attempt.spending && attempt.signed) course.spent.push(attempt.spending);
    const found = foundOf(attempt, seconds);
    const checks = SmokeVerdict.check(each, found);
    const verdict = SmokeVerdict.from(checks, found);
    const { error } = attempt;
    if (verdict === 'met' || !error || !isFlaky(attempt) || failedAttempts.length >= course.retries)
      return { ...SmokeReport.skipped(each), ...toResult(attempt), verdict, checks, seconds, failedAttempts };
    const failed = { code: error.code, message: error.message, seconds };
    failedAttempts.push(failed);
    yield { type: 'case-again', name: each.name, attempt: failedAttempts.length, retries: course.retries, ...failed };
    await clock.sleep(pauseMs * failedAttempts.length, signal);
  }
}

/** Whether the same may go well another time, and for certain nothing is under way. */
function isFlaky({ error, signed }: Attempt): boolean {
  return error?.retryable === true && error.funds === 'untouched' && !signed;
}

async function* attemptOf(each: SmokeFile.Case, course: Course, parent: Context): AsyncGenerator<Event, Attempt> {
  const attempt: Attempt = {
    ...{ error: undefined, priced: undefined, outcome: undefined },
    ...{ out: null, spending: undefined, signed: false },
  };
  try {
    const options = typed(each);
    const warn = (text: string): void => parent.warn(`${TerminalText.escape(each.name)}: ${text}`);
    const context = { ...parent.derive(options), warn };
    if (each.does === 'quote') await quoteOf(attempt, options, context);
    else yield* execution(attempt, options, course, context);
  } catch (thrown) {
    if (parent.signal.aborted) throw thrown;
    attempt.error = toBaseError(thrown);
  }
  attempt.signed ||= await hasSigned(attempt.error, parent);
  return attempt;
}

type Typed = Parameters<typeof execute>[0];

/** A case as it would be typed. */
function typed({ amount, from, to, options }: SmokeFile.Case): Typed {
  return { ...TransferEntry.typed(options), args: [amount, from, to] };
}

/** A quote that `ferry execute` would refuse to sign fails as it would there. */
async function quoteOf(attempt: Attempt, options: Typed, context: Context): Promise<void> {
  const document = await quote(options, context);
  attempt.priced = document;
  attempt.out = document.minimum.formatted;
  const findings = document.proof.map(({ subject, ...rest }) => ({ ...rest, subject: subject ?? undefined }));
  Verification.assertAllowed(findings, options.allow ?? [], document.intent.origin.chain);
}

/** Every quote that might be signed is held against the caps before it is. */
async function* execution(
  attempt: Attempt,
  options: Typed,
  { caps, spent }: Course,
  context: Context,
): AsyncGenerator<Event, void> {
  const running = execute(options, context);
  try {
    let step = await running.next();
    while (!step.done) {
      const event = step.value;
      if (event.type === 'quoted') {
        attempt.priced = event as unknown as Priced;
        attempt.spending = SmokeBudget.spendingOf(attempt.priced);
        const objection = SmokeBudget.objection(caps, spent, attempt.spending);
        if (objection) {
          const error = new SmokeBudget.SpendingError(objection);
          // Thrown where it waits, so that the run's journal says how it ended; and here, whatever becomes of it there.
          await running.throw(error);
          throw error;
        }
      }
      yield event;
      step = await running.next();
    }
    attempt.outcome = step.value;
    attempt.out = (step.value.received ?? step.value.minimum).formatted;
    attempt.signed = true;
  } finally {
    await running.return(undefined as never);
  }
}

/** What the journal says of a run that failed. Without one there was nothing to sign. */
async function hasSigned(error: BaseError | undefined, context: Context): Promise<boolean> {
  if (error?.run === undefined) return false;
  try {
    const { state } = await (await context.runs()).show(error.run);
    return state === undefined || Journal.hasSigned(state) || state.taken !== undefined;
  } catch {
    return true;
  }
}

function foundOf({ error, out, priced, outcome }: Attempt, seconds: number): SmokeVerdict.Found {
  return {
    code: error?.code ?? null,
    status: statusOf(error) ?? outcome?.status ?? null,
    out: error ? null : out,
    feeUsd: priced ? -(Usd.from(priced.fees.total) ?? 0n) : null,
    seconds,
    objection: error instanceof SmokeBudget.SpendingError ? error.objection : undefined,
  };
}

function statusOf(error: BaseError | undefined): string | undefined {
  return ['refund', 'failure'].find(
    (status) => error !== undefined && TransferStatus.codeOf({ status }) === error.code,
  );
}

function toResult({
  error,
  outcome,
  priced,
}: Attempt): Pick<SmokeReport.Result, 'error' | 'status' | 'funds' | 'requestId' | 'run'> {
  const funds: Funds = error?.funds ?? outcome?.funds ?? 'untouched';
  return {
    error: error
      ? {
          code: error.code,
          exit: error.exit,
          message: error.message,
          facts: error.facts.map(([label, value]) => `${label}: ${value}`),
          hint: error.hint ?? null,
          next: error.next ?? null,
        }
      : null,
    status: statusOf(error) ?? outcome?.status ?? null,
    funds,
    requestId: outcome?.requestId ?? error?.requestId ?? priced?.requestId ?? null,
    run: outcome?.run ?? error?.run ?? null,
  };
}
