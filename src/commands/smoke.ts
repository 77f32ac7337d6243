import * as z from 'zod/mini';
import * as Amount from '../core/base/Amount.js';
import { BaseError, type Code, type Funds } from '../core/base/Errors.js';
import * as Usd from '../core/base/Usd.js';
import * as TransferEntry from '../core/batch/TransferEntry.js';
import * as JUnit from '../core/checks/JUnit.js';
import * as SmokeBudget from '../core/checks/SmokeBudget.js';
import * as SmokeExample from '../core/checks/SmokeExample.js';
import * as SmokeFile from '../core/checks/SmokeFile.js';
import * as SmokeReport from '../core/checks/SmokeReport.js';
import * as SmokeVerdict from '../core/checks/SmokeVerdict.js';
import { define, type Flags, type Options } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import * as SettingFormat from '../core/config/SettingFormat.js';
import type { CommandEvent } from '../core/event/DisplayEvent.js';
import type { OutcomeDocument } from '../core/execution/OutcomeDocument.js';
import * as Verification from '../core/proof/Verification.js';
import * as Currency from '../core/quote/Currency.js';
import * as QuoteDocument from '../core/quote/QuoteDocument.js';
import { toBaseError } from '../core/text/ErrorReport.js';
import * as TerminalText from '../core/text/TerminalText.js';
import * as Journal from '../core/tracking/Journal.js';
import * as EventText from '../core/view/EventText.js';
import { executionFlags } from '../transfer/executeQuote.js';
import { executeTransfer } from '../transfer/executeTransfer.js';
import { quoteTransfer } from '../transfer/quoteTransfer.js';
import { intentFlags, keyFlags } from '../transfer/transferOptions.js';

const flags = {
  maxSpend: {
    value: 'cap',
    repeats: true,
    description: 'cap on the total spending of all cases: dollars, or chain/token=amount; may be repeated',
  },
  only: {
    value: 'name',
    repeats: true,
    description: 'only cases with this name, part of a name or pattern; may be repeated',
  },
  failFast: { description: 'stop after the first case that is not met' },
  retries: {
    value: 'number',
    description: 'retries of a case that failed for a temporary reason before anything was signed (default: 2)',
  },
  junit: { value: 'file', description: 'also write the results as JUnit XML' },
  example: { description: 'print a file to start from, and stop' },
  account: {
    ...intentFlags.account,
    description: 'the account that pays unless a case names one: a key’s name, its address, or dev0 to dev9',
  },
  ...keyFlags,
  timeout: executionFlags.timeout,
} as const satisfies Flags;

const retryCount = SettingFormat.whole('a whole number from 0 to 99', /^\d{1,2}$/);

const data = z.union([SmokeReport.schema, z.object({ example: z.string() })]);

type Data = z.output<typeof data>;

export const command = define({
  description:
    'Runs a list of transfers, each a quote or an execution, and checks the results against expectations: for CI. The exit code is that of the worst unexpected failure, or 12 if only an expectation was not met. Without a file it runs a built-in list on the sandbox.',
  args: [{ name: 'file', description: 'the list, as JSON or YAML, or - for stdin', optional: true }],
  options: flags,
  examples: [
    ['ferry smoke', 'the built-in list on the sandbox, without funds or keys'],
    ['ferry smoke --example > smoke.yaml', 'a file to start from'],
    ['ferry smoke smoke.yaml --junit smoke.xml', 'with a report that CI systems read'],
    ['ferry smoke smoke.yaml --only "quote *" --fail-fast', 'some of the cases'],
    ['ferry smoke smoke.yaml --network testnet --max-spend sepolia/usdc=20', 'on a test network, within a cap'],
  ],
  output: data,
  pays: true,
  run,
  logLine(event, style) {
    if (event.type === 'case-begun') return style.bold(TerminalText.escape(event.name));
    if (event.type === 'case-again')
      return `${style.yellow('↻')} ${TerminalText.escape(event.name)}: ${event.code}, nothing was signed; repeated (${event.attempt} of ${event.retries})`;
    if (event.type === 'case-ended') return SmokeReport.resultLine(event.result, style);
    const line = event.type === 'quoted' ? undefined : EventText.format(event, style);
    return line === undefined ? undefined : TerminalText.indent(line);
  },
  view: (found, style) => ('example' in found ? found.example.trimEnd() : SmokeReport.format(found, style)),
  outcome: (found) => ('example' in found ? undefined : ((found.worst as Code | null) ?? undefined)),
});

async function* run(options: Options<typeof flags>, context: Context): AsyncGenerator<CommandEvent, Data> {
  const { network, clock, version } = context;
  if (options.example) return { example: SmokeExample.format(network) };
  const [file] = options.args;
  const list = await readList(file, context);
  const cases = SmokeFile.select(list.cases, options.only ?? []);
  const course: Course = {
    retries: SettingFormat.option(retryCount, options.retries ?? '2', '--retries'),
    caps: await readCaps(list, options, context),
    spent: [],
  };
  await assertBounded(cases, course.caps, context);
  const startedAt = clock.now();
  const results: SmokeReport.Result[] = [];
  const report = (): SmokeReport.Report =>
    SmokeReport.from([...results, ...cases.slice(results.length).map(SmokeReport.skipped)], {
      file: file ?? null,
      startedAt,
      seconds: (clock.now() - startedAt) / 1000,
      version,
      budget: SmokeBudget.toDocument(course.caps, course.spent),
    });
  const write = junit(options.junit, report, context);

  // Fail before the first case if the report cannot be written.
  await write();
  // Or if there is no service to ask: each case would say the same.
  await context.located();
  for (const each of cases) {
    if (options.failFast && results.some(({ verdict }) => verdict !== 'met')) break;
    if (each.does === 'execute') yield { type: 'case-begun', name: each.name };
    const result = yield* runCase(each, course, context);
    results.push(result);
    await write().catch((error: Error) => context.warn(`${error.message} The remaining cases still run.`));
    yield { type: 'case-ended', result };
  }
  return report();
}

/** @throws smoke.unreadable · usage.missing if no file is given and the network is not the sandbox */
async function readList(file: string | undefined, context: Context): Promise<SmokeFile.Smoke> {
  if (file !== undefined) {
    const content = await context.files.readDocument(file, {
      what: 'list of cases',
      code: 'smoke.unreadable',
      maxBytes: 1024 * 1024,
      hints: { missing: 'ferry smoke --example prints a file to start from.', notPiped: 'ferry smoke - < smoke.yaml' },
    });
    return SmokeFile.read(content, file === '-' ? 'Standard input' : file);
  }
  if (context.network.name !== 'sandbox')
    throw new BaseError(
      'usage.missing',
      `ferry has no built-in list of cases for ${context.network.name}: name a file.`,
      {
        hint: `A file to start from:\n\n${SmokeExample.format(context.network).replace(/^(?=.)/gm, '    ')}`,
        next: 'ferry smoke --example > smoke.yaml',
      },
    );
  return SmokeFile.read(SmokeExample.sandbox, 'The built-in list');
}

/** The caps of the file and of the options; both apply. @throws usage.invalid · smoke.unreadable · request.* */
async function readCaps(
  { cap }: SmokeFile.Smoke,
  { maxSpend = [], args: [file] }: Options<typeof flags>,
  context: Context,
): Promise<SmokeBudget.Cap[]> {
  const typed = maxSpend.map((text): [string, string] => {
    const [currency, amount, ...rest] = text.split('=');
    if (amount === undefined) return ['usd', text];
    if (rest.length > 0) throw unreadableCap('--max-spend', text);
    return [currency ?? '', amount];
  });
  const written = typeof cap === 'string' ? [['usd', cap] as const] : Object.entries(cap ?? {});
  const name = file === undefined ? 'the list' : file === '-' ? 'standard input' : file;
  return [
    ...(cap === undefined ? [] : [await readCap(`cap of ${TerminalText.escape(name)}`, written, context)]),
    ...(typed.length === 0 ? [] : [await readCap('--max-spend', typed, context)]),
  ];
}

async function readCap(
  source: string,
  entries: readonly (readonly [key: string, amount: string])[],
  context: Context,
): Promise<SmokeBudget.Cap> {
  const dollars = entries.find(([key]) => key === 'usd');
  const usd = dollars && SettingFormat.usd.read(dollars[1]);
  if (dollars && !usd) throw unreadableCap(source, dollars[1]);
  const tokens = await Promise.all(
    entries
      .filter(([key]) => key !== 'usd')
      .map(async ([key, amount]) => {
        const currency = await Currency.read(Currency.parse(key, context.network), context.chain);
        const { decimals } = currency.token;
        return { currency: Currency.format(currency), decimals, max: Amount.from(amount, decimals) };
      }),
  );
  // By what they stand for: a token has several names, and one of its caps would not hold.
  const named = entries.flatMap(([key]) => (key === 'usd' ? [key] : [])).concat(tokens.map(({ currency }) => currency));
  const twice = named.find((name, index) => named.indexOf(name) < index);
  if (twice !== undefined) throw new BaseError('usage.invalid', `${source} names ${TerminalText.escape(twice)} twice.`);
  return { source, usd: usd?.value, tokens };
}

/**
 * On a network that moves real money, every execution needs a cap and a confirmation. Dollar values come from the
 * service alone: if a case does not state the amount it pays, it needs a cap in units of its token.
 *
 * @throws usage.missing · usage.invalid · usage.confirmation · prompt.declined
 */
async function assertBounded(
  cases: readonly SmokeFile.Case[],
  caps: readonly SmokeBudget.Cap[],
  context: Context,
): Promise<void> {
  const { network, confirm } = context;
  const spending = cases.filter(({ does }) => does === 'execute');
  if (!network.realMoney || spending.length === 0) return;
  if (caps.length === 0)
    throw new BaseError(
      'usage.missing',
      `${spending.length} of the cases would move real money on ${network.name} without a spending cap.`,
      {
        hint: 'Write a cap into the file, or use --max-spend: dollars at the service’s prices, or units of a token.',
        next: 'ferry smoke <file> --max-spend <chain/token=amount> --yes',
      },
    );
  for (const { name, amount, from, options } of spending) {
    const isNamed = !Amount.isMax(amount) && !options.exactOutput && !options.expectedOutput;
    if (isNamed || options.maxIn !== undefined) continue;
    const currency = await Currency.read(Currency.parse(from, network), context.chain);
    if (!SmokeBudget.bounds(caps, Currency.format(currency)))
      throw new BaseError('usage.invalid', `The case "${TerminalText.escape(name)}" does not limit what it pays.`, {
        hint: `The service sets the amount it pays, and the dollar values too: give the case maxIn, or cap ${Currency.format(currency)}.`,
      });
  }
  const limits = caps.flatMap(({ usd, tokens }) => [
    ...(usd === undefined ? [] : [Usd.format(usd)]),
    ...tokens.map(({ currency, decimals, max }) => `${Amount.format(max, decimals)} ${currency}`),
  ]);
  await confirm(
    `Execute ${spending.length} of ${cases.length} cases on ${network.name}, which moves real money, for at most ${limits.join(', ')}?`,
  );
}

/** Writes the results so far, so they survive a crash. */
function junit(path: string | undefined, report: () => SmokeReport.Report, context: Context): () => Promise<void> {
  if (path === '-') throw new BaseError('usage.invalid', '--junit takes a file: stdout has the table, or the JSON.');
  return async () => {
    if (path !== undefined)
      await context.files.write(path, context.conceal(JUnit.format(report(), context.network.name)));
  };
}

function unreadableCap(source: string, text: string): BaseError {
  return new BaseError('usage.invalid', `${source} cannot be "${TerminalText.escape(text)}".`, {
    hint: 'A cap is an amount in dollars such as 50, or a currency and an amount such as alpha/usdc=50.',
  });
}

/** State shared by the cases of a run. */
export type Course = {
  /** Maximum number of retries per case. */
  retries: number;
  caps: readonly SmokeBudget.Cap[];
  /** What the cases so far have spent; each adds its own. */
  spent: SmokeBudget.Spending[];
};

/** How an attempt ended. */
type Attempt = {
  error: BaseError | undefined;
  /** The latest quote. */
  priced: Priced | undefined;
  outcome: OutcomeDocument | undefined;
  /** Decimals in units of the output. */
  out: string | null;
  spending: SmokeBudget.Spending | undefined;
  /** Whether anything was signed, or may have been. */
  signed: boolean;
};

type Priced = Pick<QuoteDocument.QuoteDocument, 'requestId' | 'send' | 'fees' | 'originGas'>;

/** The pause before the first retry; it grows linearly. */
const pauseMs = 1000;

/** Runs a case and returns its result. Throws only if interrupted. */
export async function* runCase(
  each: SmokeFile.Case,
  course: Course,
  context: Context,
): AsyncGenerator<CommandEvent, SmokeReport.Result> {
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
    failedAttempts.push({ code: error.code, message: error.message, seconds });
    const { length } = failedAttempts;
    yield { type: 'case-again', name: each.name, attempt: length, retries: course.retries, code: error.code };
    await clock.sleep(pauseMs * length, signal);
  }
}

/** Whether a retry may succeed, and nothing was signed. */
function isFlaky({ error, signed }: Attempt): boolean {
  return error?.retryable === true && error.funds === 'untouched' && !signed;
}

async function* attemptOf(
  each: SmokeFile.Case,
  course: Course,
  parent: Context,
): AsyncGenerator<CommandEvent, Attempt> {
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

type Typed = Parameters<typeof executeTransfer>[0];

/** The case as command-line options. */
function typed({ amount, from, to, options }: SmokeFile.Case): Typed {
  return { ...TransferEntry.typed(options), args: [amount, from, to] };
}

/** Quotes; fails like `ferry execute` if it would refuse to sign the quote. */
async function quoteOf(attempt: Attempt, options: Typed, context: Context): Promise<void> {
  const document = await quoteTransfer(options, context);
  attempt.priced = document;
  attempt.out = document.minimum.formatted;
  const findings = document.proof.map(({ subject, ...rest }) => ({ ...rest, subject: subject ?? undefined }));
  const setting = { network: context.network, isAsked: false, allow: options.allow ?? [] };
  Verification.assertAllowed(findings, setting, QuoteDocument.toQuote(document, context.network).intent);
}

/** Executes. Every quote is checked against the caps before it is signed. */
async function* execution(
  attempt: Attempt,
  options: Typed,
  { caps, spent }: Course,
  context: Context,
): AsyncGenerator<CommandEvent, void> {
  const running = executeTransfer(options, context);
  try {
    let step = await running.next();
    while (!step.done) {
      const event = step.value;
      if (event.type === 'quoted') {
        attempt.priced = event;
        attempt.spending = SmokeBudget.spendingOf(attempt.priced);
        const objection = SmokeBudget.objection(caps, spent, attempt.spending);
        if (objection) {
          const error = new SmokeBudget.SpendingError(objection);
          // Thrown into the run, so its journal records the end; then here, in case the run does not rethrow it.
          await running.throw(error);
          throw error;
        }
      }
      yield event;
      step = await running.next();
    }
    attempt.outcome = step.value;
    attempt.out = step.value.received?.formatted ?? null;
    attempt.signed = true;
  } finally {
    await running.return(undefined as never);
  }
}

/** Whether a failed run signed anything, by its journal. Without a journal nothing was signed. */
async function hasSigned(error: BaseError | undefined, context: Context): Promise<boolean> {
  if (error?.run === undefined) return false;
  try {
    const { state } = await (await context.runs()).show(error.run);
    return state === undefined || Journal.hasSigned(state) || state.taken !== undefined;
  } catch {
    return true;
  }
}

function foundOf({ error, out, priced, outcome }: Attempt, seconds: number): SmokeVerdict.CaseResult {
  return {
    code: error?.code ?? null,
    status: statusOf(error) ?? outcome?.status ?? null,
    out: error ? null : out,
    feeUsd: priced?.fees ? -(Usd.from(priced.fees.total) ?? 0n) : null,
    seconds,
    objection: error instanceof SmokeBudget.SpendingError ? error.objection : undefined,
  };
}

function statusOf(error: BaseError | undefined): string | undefined {
  if (error?.code === 'track.refunded') return 'refund';
  return error?.code === 'track.failed' ? 'failure' : undefined;
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
