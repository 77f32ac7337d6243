/** Prices a transfer and proves the quote; used by `ferry quote`, batches and `ferry smoke`. */

import { BaseError } from '../core/base/Errors.js';
import type { Seal } from '../core/base/Seal.js';
import type { Flags, Options } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import * as Preparation from '../core/execution/Preparation.js';
import * as Expectation from '../core/proof/Expectation.js';
import * as Verification from '../core/proof/Verification.js';
import * as PriceOnly from '../core/quote/PriceOnly.js';
import * as QuoteDocument from '../core/quote/QuoteDocument.js';
import type * as TransferIntent from '../core/quote/TransferIntent.js';
import * as JsonText from '../core/text/JsonText.js';
import * as TerminalText from '../core/text/TerminalText.js';
import { batchFlags, pricingFlags, readCaps, readPriced, requestQuote, warnOfPrice } from './transferOptions.js';

export const quoteFlags = {
  ...pricingFlags,
  timeout: { value: 'time', description: 'how long to wait for the quote (default: as long as it takes)' },
  proof: { description: 'show every check of the proof' },
  output: { short: 'o', value: 'file', description: 'save the quote, for ferry execute' },
  ...batchFlags,
} as const satisfies Flags;

/**
 * A quote with its proof, saved to a file if `--output` is given. Needs no key.
 *
 * @throws request.* · usage.* · service.* · quote.*
 */
export async function quoteTransfer(
  options: Options<typeof quoteFlags>,
  context: Context,
): Promise<QuoteDocument.QuoteDocument> {
  if (options.timeout === undefined) return priceTransfer(options, context);
  const limitMs = context.config.timeoutMs.value;
  try {
    return await priceTransfer(options, { ...context, ...context.within(limitMs) });
  } catch (thrown) {
    if (thrown instanceof Error && thrown.name === 'TimeoutError')
      throw new BaseError(
        'service.timeout',
        `There was no quote on ${context.network.name} within ${TerminalText.span(limitMs / 1000)}.`,
        {
          hint: 'Give it more time with --timeout, or see who does not answer.',
          next: 'ferry doctor',
        },
      );
    throw thrown;
  }
}

async function priceTransfer(
  options: Options<typeof quoteFlags>,
  context: Context,
): Promise<QuoteDocument.QuoteDocument> {
  const intent = await readPriced(options, context);
  const { quote: answer, baseUrl } = await requestQuote(intent, context);
  warnOfPrice([intent], context);
  const { network, clock } = context;
  const surroundings = { network, baseUrl, nowMs: clock.now(), caps: readCaps({}, context, intent) };
  const expected = { ...Expectation.from(intent), maxVenueFee: context.config.maxVenueFee.value };
  const arriving = Preparation.arrival(answer, context);
  const proof = [...(await Verification.prove(answer, expected, surroundings)), ...(await arriving)];
  const isKept = options.output !== undefined || context.json;
  const document = QuoteDocument.from(answer, proof, isKept ? await sealFor(intent, context) : undefined);
  if (options.output !== undefined) {
    const envelope = { schema: 'ferry.quote/1', ok: true, network: network.name, data: document, warnings: [] };
    await context.files.write(options.output, `${JsonText.document(envelope)}\n`);
  }
  return document;
}

/** A quote without a seal is still a price, and executed only with `--allow quote-file`. */
async function sealFor(intent: TransferIntent.Intent, context: Context): Promise<Seal | undefined> {
  if (PriceOnly.isPriceOnly(intent)) return undefined;
  try {
    return await context.seal({ make: true });
  } catch (error) {
    if (!(error instanceof BaseError)) throw error;
    context.warn(`The quote is not sealed, so ferry execute will not take it as its own: ${error.message}`);
    return undefined;
  }
}
