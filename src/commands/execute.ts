import * as z from 'zod/mini';
import type { Context } from '../cli/createContext.js';
import { BaseError, type Code } from '../core/base/Errors.js';
import * as BatchResult from '../core/batch/BatchResult.js';
import { define, type Event, type Flags, type Options } from '../core/command/Command.js';
import * as OutcomeDocument from '../core/execution/OutcomeDocument.js';
import * as Verification from '../core/proof/Verification.js';
import * as Quote from '../core/quote/Quote.js';
import type * as TransferIntent from '../core/quote/TransferIntent.js';
import * as BatchText from '../core/view/BatchText.js';
import * as EventText from '../core/view/EventText.js';
import * as OutcomeText from '../core/view/OutcomeText.js';
import * as ProgressBar from '../core/view/ProgressBar.js';
import { askMissing, isPartial } from '../transfer/askMissing.js';
import { assertBatch, batchFlags } from '../transfer/batchFlags.js';
import { carryOut, executionFlags, type Task } from '../transfer/executeQuote.js';
import type { LineOf } from '../transfer/journalledRun.js';
import { readQuoteFile } from '../transfer/quoteFile.js';
import { askQuote, capFlags, intentFlags, keyFlags, readCaps, readIntent } from '../transfer/transferOptions.js';

const flags = { ...intentFlags, ...capFlags, ...keyFlags, ...executionFlags, ...batchFlags } as const satisfies Flags;

export const command = define({
  description:
    'Verifies a quote, signs its transactions, sends them and follows the transfer until the money has arrived or is back. It takes a saved quote, or an amount and two currencies, or with --batch a file of many transfers.',
  args: [
    {
      name: 'what',
      description: '<amount> <from> <to>, or a quote file, or - for stdin; on a terminal what is missing is asked for',
      names: 'transfer',
      variadic: true,
      optional: true,
    },
  ],
  options: flags,
  examples: [
    ['ferry execute', 'ask for everything, on a terminal'],
    ['ferry execute 100 alpha/usdc beta/usdc', 'bridge 100 USDC, asking once before it signs'],
    ['ferry execute 1 alpha/eth beta/usdc --yes --json', 'for a script: JSON lines, the last one the outcome'],
    ['ferry execute 100 alpha/usdc beta/usdc --gasless --account dev9', 'from an account without ETH'],
    ['ferry execute quote.json', 'a quote saved by ferry quote -o'],
    ['ferry execute 100 alpha/usdc beta/usdc --dry-run', 'the plan, nothing signed'],
    [
      'ferry execute --batch payments.ndjson --out results.ndjson',
      'many, each once: the same again goes on where it was',
    ],
  ],
  output: z.union([OutcomeDocument.schema, BatchResult.totals]),
  fields: OutcomeDocument.schema,
  streams: true,
  run,
  view: (data, style) => ('batch' in data ? BatchText.totals(data, style) : OutcomeText.format(data, style)),
  outcome: (data) => ('batch' in data ? ((data.worst as Code | null) ?? undefined) : undefined),
  tell: (event, style) =>
    event.type === 'result' ? BatchText.line(event as never, style) : EventText.format(event, style),
  gauge: ProgressBar.format,
});

async function* run(
  options: Options<typeof flags>,
  context: Context,
): AsyncGenerator<Event, OutcomeDocument.OutcomeDocument | BatchResult.Totals> {
  assertBatch(options, { '--dry-run': options.dryRun });
  if (options.batch !== undefined) {
    const { executeBatch } = await import('../transfer/executeBatch.js');
    return yield* executeBatch(options, context, execute);
  }
  return context.pick(yield* execute(options, context)) as OutcomeDocument.OutcomeDocument;
}

/**
 * A transfer, from its quote to its end.
 *
 * @throws whatever `ferry execute` ends with
 */
export async function* execute(
  options: Options<typeof flags>,
  context: Context,
  line?: LineOf | undefined,
): AsyncGenerator<Event, OutcomeDocument.OutcomeDocument> {
  const args = isPartial(options.args) ? await askMissing(options.args, options, context) : options.args;
  const whole = { ...options, args };
  return yield* carryOut(await readTask(whole, context), whole, context, 'execute', line);
}

/**
 * The quote of a file, or a new one. A file older than may be executed is quoted anew for the same intent: what it
 * promised at least, and what it cost, are the caps of the new one.
 */
async function readTask(options: Options<typeof flags>, context: Context): Promise<Task> {
  const [first = '', ...more] = options.args;
  if (more.length > 0) {
    const intent = await readIntent(options.args, options, context);
    assertOnChain(intent);
    const caps = readCaps(options, context, intent);
    return {
      origin: intent.origin.chain,
      ask: async () => ({ ...(await askQuote(intent, context)), caps, findings: [] }),
    };
  }
  const { quote, digest } = await readQuoteFile(first, context);
  const { intent } = quote;
  assertOnChain(intent);
  const caps = readCaps(options, context, intent);
  const findings = [digest];
  return {
    origin: intent.origin.chain,
    async ask() {
      if (!Quote.isExpired(quote, context.clock.now(), caps.maxAgeMs))
        return { quote, caps, baseUrl: context.network.baseUrl, findings };
      context.warn(
        'The saved quote is too old. ferry asks for a new one and holds it to the minimum and the fees of the old.',
      );
      return { ...(await askQuote(intent, context)), caps: Verification.capsOf(quote, caps), findings };
    },
  };
}

/** @throws request.unsupported where an account of the venue pays */
function assertOnChain(intent: TransferIntent.Intent): void {
  if (intent.origin.chain.vm !== 'evm') throw new WithdrawalError(intent);
}

export class WithdrawalError extends BaseError {
  override name = 'WithdrawalError';
  constructor({ destination }: TransferIntent.Intent) {
    const { chain, token } = destination;
    super(
      'request.unsupported',
      'A withdrawal from the venue is signed by an API key of the account, with its own command.',
      {
        next: `ferry venue withdraw <amount> ${chain.name}/${token.symbol.toLowerCase()}`,
      },
    );
  }
}
