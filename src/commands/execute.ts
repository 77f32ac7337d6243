import * as z from 'zod/mini';
import type { Code } from '../core/base/Errors.js';
import * as BatchResult from '../core/batch/BatchResult.js';
import { define, type Options } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import type { CommandEvent } from '../core/event/DisplayEvent.js';
import * as OutcomeDocument from '../core/execution/OutcomeDocument.js';
import * as BatchText from '../core/view/BatchText.js';
import * as EventText from '../core/view/EventText.js';
import * as OutcomeText from '../core/view/OutcomeText.js';
import { executeFlags, executeTransfer } from '../transfer/executeTransfer.js';
import { assertBatch } from '../transfer/transferOptions.js';

export const command = define({
  description:
    'Verifies a quote, signs and sends its transactions, and follows the transfer until the funds are delivered or refunded. Takes a saved quote, an amount and two currencies, or with --batch a file of many transfers.',
  args: [
    {
      name: 'what',
      description:
        '<amount> <from> <to>, or a quote file, or - for stdin; on a terminal ferry asks for what is missing',
      names: 'transfer',
      variadic: true,
      optional: true,
    },
  ],
  options: executeFlags,
  examples: [
    ['ferry execute', 'answer questions for everything, on a terminal'],
    ['ferry execute 100 alpha/usdc beta/usdc', 'bridge 100 USDC, asking once before it signs'],
    ['ferry execute 1 alpha/eth beta/usdc --yes --json', 'in a script: JSON lines, the outcome last'],
    ['ferry execute 100 alpha/usdc beta/usdc --gasless --account dev9', 'from an account without ETH'],
    [
      "ferry execute 100 alpha/usdc beta/usdc --account 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --account-signer 'sh sign.sh'",
      'signed elsewhere: by a hardware wallet or a service',
    ],
    ['ferry execute quote.json', 'a quote saved by ferry quote -o'],
    [
      'ferry execute 0.1 alpha/eth beta/eth --deposit-address --recipient 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --refund-to 0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC --no-wait',
      'show an address that anybody can pay; ferry resume follows it',
    ],
    ['ferry execute 100 alpha/usdc beta/usdc --dry-run', 'show the plan, sign nothing'],
    [
      'ferry execute --batch payments.ndjson --out results.ndjson',
      'many transfers, each paid once: run it again to continue',
    ],
  ],
  output: z.union([OutcomeDocument.schema, BatchResult.totals]),
  fields: OutcomeDocument.schema,
  isWhole: (data) => 'batch' in data,
  streams: true,
  pays: true,
  run,
  view: (data, style, _, place) =>
    'batch' in data ? BatchText.totals(data, style) : OutcomeText.format(data, style, place),
  outcome: (data) => ('batch' in data ? ((data.worst as Code | null) ?? undefined) : undefined),
  logLine: (event, style, place) =>
    event.type === 'result' ? BatchText.line(event, style) : EventText.format(event, style, place),
});

async function* run(
  options: Options<typeof executeFlags>,
  context: Context,
): AsyncGenerator<CommandEvent, OutcomeDocument.OutcomeDocument | BatchResult.Totals> {
  assertBatch(options, { '--dry-run': options.dryRun, '--deposit-address': options.depositAddress });
  if (options.batch !== undefined) {
    const { executeBatch } = await import('../transfer/batches/executeBatch.js');
    return yield* executeBatch(options, context);
  }
  return yield* executeTransfer(options, context);
}
