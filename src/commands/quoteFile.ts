/** A quote that ferry quote saved, read from a file or from stdin. */
import type { Context } from '../context.js';
import { BaseError } from '../core/Errors.js';
import type * as Quote from '../core/Quote.js';
import * as QuoteDocument from '../core/QuoteDocument.js';

/**
 * The quote of the envelope that `ferry quote --json` and `-o` write.
 *
 * @throws quote.unreadable · request.unsupported for a quote of another network or account
 */
export async function readQuoteFile(path: string, context: Context): Promise<Quote.Quote> {
  const envelope = parse(await context.files.read(path));
  const network = envelope.network;
  if (network !== context.network.name) throw new OtherNetworkError(String(network), context.network.name);
  const quote = QuoteDocument.toQuote(envelope.data, context.network);
  const sender = await context.sender();
  if (quote.intent.user.toLowerCase() !== sender.toLowerCase()) throw new OtherAccountError(quote.intent.user, sender);
  return quote;
}

function parse(text: string): { network?: unknown; data?: unknown } {
  try {
    const envelope: unknown = JSON.parse(text);
    if (typeof envelope === 'object' && envelope !== null && 'data' in envelope) return envelope;
  } catch {
    throw new QuoteDocument.NoQuoteError('it is not JSON');
  }
  throw new QuoteDocument.NoQuoteError('it has no data');
}

export class OtherNetworkError extends BaseError {
  override name = 'OtherNetworkError';
  constructor(found: string, network: string) {
    super('request.unsupported', `The quote is for the network ${found}, not ${network}.`, {
      hint: `Say --network ${found} if that is meant.`,
    });
  }
}

export class OtherAccountError extends BaseError {
  override name = 'OtherAccountError';
  constructor(user: string, sender: string) {
    super('request.unsupported', 'The quote is for another account than the one that would sign.', {
      facts: [
        ['quoted for', user],
        ['signing', sender],
      ],
      hint: 'Name the account with --account.',
    });
  }
}
