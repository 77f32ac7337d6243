import type { Context } from '../context.js';
import * as Expectation from '../core/proof/Expectation.js';
import * as QuoteDocument from '../core/QuoteDocument.js';
import * as ProofText from '../core/render/Proof.js';
import * as QuoteText from '../core/render/Quote.js';
import * as Verification from '../core/Verification.js';
import { define, type Flags, type Options } from './Command.js';
import { askQuote, intentFlags, readIntent } from './intent.js';

const flags = {
  ...intentFlags,
  proof: { type: 'boolean', description: 'show every check of the proof' },
  output: { type: 'string', short: 'o', value: 'file', description: 'save the quote, for ferry execute' },
} as const satisfies Flags;

export const command = define({
  description:
    'Prices a transfer: what arrives at least, what each fee is, and whether the quote provably does what was asked. Nothing is signed or sent.',
  args: [
    { name: 'amount', description: 'a decimal in units of the input token, or max' },
    { name: 'from', description: 'the currency that is paid, as chain/token' },
    { name: 'to', description: 'the currency that arrives, as chain/token' },
  ],
  options: flags,
  examples: [
    ['ferry quote 100 alpha/usdc beta/usdc', 'bridge 100 USDC'],
    ['ferry quote 1 alpha/eth beta/usdc --slippage 0.5', 'swap across chains'],
    ['ferry quote 50 alpha/usdc beta/gull --exact-output', 'so that exactly 50 GULL arrive'],
    ['ferry quote max alpha/usdc beta/usdc -o quote.json', 'everything, saved for later'],
    ['ferry quote 100 alpha/usdc beta/usdc --proof', 'with every check of the proof'],
    ['ferry quote 100 alpha/usdc beta/usdc --json | jq .data.minimum', 'for a script'],
  ],
  output: QuoteDocument.schema,
  run: quote,
  view(document, style, options) {
    const text = QuoteText.format(document, style);
    return options?.proof ? `${text}\n\n${ProofText.table(document.proof, style)}` : text;
  },
});

/**
 * A quote with its proof, saved where the options say so.
 *
 * @throws request.* · usage.* · service.* · quote.*
 */
export async function quote(options: Options<typeof flags>, context: Context): Promise<QuoteDocument.QuoteDocument> {
  const intent = await readIntent(options.args, options, context);
  const { quote: answer, baseUrl } = await askQuote(intent, context);
  const { network, clock } = context;
  const surroundings = { network, baseUrl, nowMs: clock.now() };
  const expected = { ...Expectation.from(intent), maxVenueFee: context.config.maxVenueFee.value };
  const document = QuoteDocument.from(answer, await Verification.prove(answer, expected, surroundings));
  if (options.output !== undefined) {
    const envelope = { schema: 'ferry.quote/1', ok: true, network: network.name, data: document, warnings: [] };
    await context.files.write(options.output, `${JSON.stringify(envelope, null, 2)}\n`);
  }
  return document;
}
