import * as Amount from '../../core/base/Amount.js';
import { BaseError } from '../../core/base/Errors.js';
import * as JobPool from '../../core/batch/JobPool.js';
import { define, type Options } from '../../core/command/Command.js';
import type { Context } from '../../core/command/Context.js';
import * as Comparison from '../../core/compare/Comparison.js';
import * as ComparisonText from '../../core/compare/ComparisonText.js';
import * as SvgChart from '../../core/compare/SvgChart.js';
import type { CommandEvent } from '../../core/event/DisplayEvent.js';
import * as Currency from '../../core/quote/Currency.js';
import type { Intent } from '../../core/quote/TransferIntent.js';
import * as TerminalText from '../../core/text/TerminalText.js';
import { pricingFlags, readPriced, requestQuote, warnOfPrice } from '../../transfer/transferOptions.js';

const { recipient, slippage, referrer, account, appFee, gasless, permit, sponsor } = pricingFlags;
const flags = {
  recipient,
  slippage,
  referrer,
  account,
  appFee,
  gasless,
  permit,
  sponsor,
  svg: { value: 'file', description: 'also draw the chart to an SVG file' },
  rate: { value: 'number', description: 'maximum quotes per second (default: 5, or 0.8 for more than 40)' },
  concurrency: { value: 'number', description: 'maximum concurrent quotes (default: 4)' },
} as const;

export const command = define({
  description:
    'Compares the cost of a transfer across amounts and destinations: a curve in basis points, and a table with the parts of each cost and the minimum received. An amount that gets no quote, for example too small or too large, is a row that says so; only if no quote came at all does the exit code give the worst reason. Nothing is signed or sent, and no key is needed.',
  args: [
    { name: 'amounts', description: 'one or more decimals in units of the input token' },
    { name: 'from', description: 'the currency to pay, as chain/token' },
    { name: 'to', description: 'one or more currencies to receive, each as chain/token', variadic: true },
  ],
  options: flags,
  examples: [
    ['ferry fees compare 10 100 1000 10000 alpha/eth beta/usdc', 'see where price impact begins'],
    [
      'ferry fees compare 0.1 1 10 100 1000 alpha/usdc beta/usdc beta/eth lighter/usdc',
      'find the cheapest destination',
    ],
    ['ferry fees compare 0.001 0.1 10 alpha/eth beta/usdc --svg fees.svg', 'as a picture'],
    ['ferry fees compare 1 10 100 alpha/usdc beta/usdc --gasless', 'with the gas paid by the service'],
    ['ferry fees compare 1 10 100 alpha/usdc beta/usdc --rate 0.5 --concurrency 1', 'one quote at a time, slowly'],
    ['ferry fees compare 1 10 alpha/usdc beta/usdc --json | jq ".data.rows[].quote.cost.bps"', 'in a script'],
  ],
  output: Comparison.schema,
  async *run(options, context) {
    const { origin, intents } = await readIntents(options, context);
    warnOfPrice(intents, context);
    const pace = JobPool.from(options, JobPool.usual(intents.length));
    const { clock, network } = context;
    const startedAt = clock.now();
    const results: Comparison.Result[] = [];
    const progress = (): CommandEvent => {
      const failed = results.filter((each) => 'error' in each).length;
      const elapsedMs = clock.now() - startedAt;
      return { type: 'progress', what: 'quotes', done: results.length, total: intents.length, failed, elapsedMs };
    };

    yield progress();
    // Several at once have a gauge of their own.
    const quiet = { ...context, waiting: () => {} };
    const jobs = intents.map((intent) => () => ask(intent, quiet));
    for await (const result of JobPool.run(jobs, pace, context)) {
      results.push(result);
      if ('error' in result && results.every((each) => 'error' in each && Comparison.isForAll(each.error)))
        throw result.error;
      yield progress();
    }
    // They come as they are answered.
    results.sort((a, b) => intents.indexOf(a.intent) - intents.indexOf(b.intent));
    const comparison = Comparison.from(origin, results, startedAt);
    if (options.svg !== undefined) await context.files.write(options.svg, SvgChart.format(comparison, network.name));
    return comparison;
  },
  placed: true,
  view: ComparisonText.format,
  outcome: Comparison.worst,
  note: (_, { svg }) => TerminalText.savedIn(svg),
});

/** Requests one quote. A refusal or failure of the service is a result too; an interruption is thrown. */
async function ask(intent: Intent, context: Context): Promise<Comparison.Result> {
  try {
    const { quote } = await requestQuote(intent, context);
    return { intent, answer: quote };
  } catch (error) {
    if (context.signal.aborted || !(error instanceof BaseError)) throw error;
    return { intent, error };
  }
}

/**
 * An intent for each destination and amount. Mistyped arguments fail before anything is requested.
 *
 * @throws request.* · usage.* · auth.* · chain.*
 */
async function readIntents(
  options: Options<typeof flags>,
  context: Context,
): Promise<{ origin: Currency.Currency; intents: Intent[] }> {
  const { amounts, from, to } = split(options.args);
  const patterns = await Promise.all(
    to.map((each) => readPriced({ ...options, args: [amounts[0] ?? '', from, each] }, context)),
  );
  const [first] = patterns;
  if (first === undefined) throw noDestination();
  const { origin } = first;
  // Each amount and each destination is requested once, however many ways it is written.
  const bases = new Set(amounts.map((text) => positive(text, origin)));
  const destinations = new Map(patterns.map((each) => [Currency.format(each.destination), each]));
  const intents = [...destinations.values()].flatMap((each) => [...bases].map((amount) => ({ ...each, amount })));
  return { origin, intents };
}

/** The amounts, the origin and the destinations: the first argument that is not a decimal is the origin. */
function split(args: readonly string[]): { amounts: string[]; from: string; to: string[] } {
  const at = args.findIndex((each) => !/^\d+(\.\d+)?$/.test(each));
  const [from, ...to] = at < 0 ? [] : args.slice(at);
  const late = to.find((each) => !each.includes('/') && /^[\d.]/.test(each));
  if (from !== undefined && !from.includes('/') && /^[\d.,+-]/.test(from)) throw new Amount.InvalidAmountError(from);
  if (at === 0)
    throw new BaseError('usage.missing', 'A comparison needs an amount before its currencies.', { next: example });
  if (late !== undefined)
    throw new BaseError('usage.invalid', `"${late}" is not a currency, and amounts come before currencies.`, {
      next: example,
    });
  if (from === undefined || to.length === 0) throw noDestination();
  return { amounts: args.slice(0, at), from, to };
}

function positive(text: string, { token }: Currency.Currency): bigint {
  const base = Amount.from(text, token.decimals);
  if (base === 0n) throw new Amount.InvalidAmountError(text, 'The amount must be more than zero.');
  return base;
}

const example = 'ferry fees compare 10 100 1000 alpha/eth beta/usdc';

function noDestination(): BaseError {
  return new BaseError('usage.missing', 'A comparison needs a currency to pay and at least one to receive.', {
    next: example,
  });
}
