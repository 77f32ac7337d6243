import * as z from 'zod/mini';
import type { Code } from '../core/base/Errors.js';
import * as BatchResult from '../core/batch/BatchResult.js';
import { define, type Options } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import type { CommandEvent } from '../core/event/DisplayEvent.js';
import * as QuoteDocument from '../core/quote/QuoteDocument.js';
import * as TerminalText from '../core/text/TerminalText.js';
import * as BatchText from '../core/view/BatchText.js';
import * as ProofText from '../core/view/ProofText.js';
import * as QuoteText from '../core/view/QuoteText.js';
import type { Work } from '../transfer/batches/batch.js';
import { quoteFlags, quoteTransfer } from '../transfer/quoteTransfer.js';
import { assertBatch, draftIntent, pricedWallet } from '../transfer/transferOptions.js';

export const command = define({
  description:
    'Prices a transfer: the minimum received, each fee, and whether the quote provably does what was requested. Nothing is signed or sent, and no key is needed. Exits 5 if the quote does not do what was requested. With --batch it prices many transfers, one result per line. ferry help parameters says which parameters of the service are options here, and why the others are not.',
  args: [
    { name: 'amount', description: 'a decimal in units of the input token, or max', optional: true },
    { name: 'from', description: 'the currency to pay, as chain/token', optional: true },
    { name: 'to', description: 'the currency to receive, as chain/token', optional: true },
  ],
  options: quoteFlags,
  examples: [
    ['ferry quote 100 alpha/usdc beta/usdc', 'bridge 100 USDC'],
    ['ferry quote 1 alpha/eth beta/usdc --slippage 0.5', 'swap across chains'],
    ['ferry quote 50 alpha/usdc beta/gull --exact-output', 'receive exactly 50 GULL'],
    ['ferry quote max alpha/usdc beta/usdc -o quote.json', 'the whole balance, saved for ferry execute'],
    ['ferry quote 100 base/usdc arbitrum/usdc --network mainnet --account 0x…', 'for an address, without its key'],
    ['ferry quote 100 alpha/usdc beta/usdc --proof', 'with every check of the proof'],
    ['ferry quote 100 alpha/usdc beta/usdc --json | jq .data.minimum', 'in a script'],
    ['ferry quote --batch transfers.ndjson --out quotes.ndjson', 'many transfers, one per line'],
    ['ferry quote 100 alpha/usdc beta/usdc --fields requestId,minimum.amount', 'selected fields, as JSON'],
  ],
  output: z.union([QuoteDocument.schema, BatchResult.totals]),
  fields: QuoteDocument.schema,
  isWhole: (data) => 'batch' in data,
  streams: true,
  run,
  resultLine: (event, style, _, { out }) =>
    event.type === 'result' && out === undefined ? BatchText.line(event, style) : undefined,
  outcome(data) {
    if ('batch' in data) return (data.worst as Code | null) ?? undefined;
    // What cannot be verified is still a price; what is not as requested is the price of something else.
    return data.proof.some(({ verdict }) => verdict === 'mismatch') ? 'verify.mismatch' : undefined;
  },
  view(document, style, options, place) {
    if ('batch' in document) return BatchText.totals(document, style);
    const text = QuoteText.format(document, style, place);
    return options?.proof ? `${text}\n\n${ProofText.table(document.proof, style)}` : text;
  },
  note: (_, { output }) => TerminalText.savedIn(output),
});

async function* run(
  options: Options<typeof quoteFlags>,
  context: Context,
): AsyncGenerator<CommandEvent, QuoteDocument.QuoteDocument | BatchResult.Totals> {
  assertBatch(options, { '--output': options.output });
  if (options.batch === undefined) return quoteTransfer(options, context);
  // Each line would fail by itself if the sandbox cannot start.
  await context.located();
  const { runBatch } = await import('../transfer/batches/batch.js');
  const { retryFailed, timeout } = options;
  const owner = { command: 'quote', network: context.network.name, retryFailed } as const;
  const ledger = options.out === undefined ? undefined : await context.ledger(options.out, owner);
  try {
    const runLine: Work['runLine'] = (_, typed, within) =>
      quoteTransfer(timeout === undefined ? typed : { ...typed, timeout }, within);
    return yield* runBatch(
      options,
      context,
      {
        command: 'quote',
        runLine,
        check: async (_, typed, within, read) =>
          void (await draftIntent(typed, within, read, () => pricedWallet(within))),
      },
      ledger,
    );
  } finally {
    ledger?.close();
  }
}
