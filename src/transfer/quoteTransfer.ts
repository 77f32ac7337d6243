/** Prices a transfer, with its proof: what `ferry quote`, a batch of quotes and `ferry smoke` have in common. */

import type { Flags, Options } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import * as Expectation from '../core/proof/Expectation.js';
import * as Verification from '../core/proof/Verification.js';
import * as QuoteDocument from '../core/quote/QuoteDocument.js';
import { askQuote, batchFlags, intentFlags, readIntent } from './transferOptions.js';

export const quoteFlags = {
  ...intentFlags,
  proof: { type: 'boolean', description: 'show every check of the proof' },
  output: { type: 'string', short: 'o', value: 'file', description: 'save the quote, for ferry execute' },
  ...batchFlags,
} as const satisfies Flags;

/**
 * A quote with its proof, saved where the options say so.
 *
 * @throws request.* · usage.* · service.* · quote.*
 */
export async function quote(
  options: Options<typeof quoteFlags>,
  context: Context,
): Promise<QuoteDocument.QuoteDocument> {
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
