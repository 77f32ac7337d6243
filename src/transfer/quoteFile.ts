/** Reads a quote saved by `ferry quote`, or a bare response of the service, from a file or stdin. */

import * as QuoteV2 from '../core/api/QuoteV2.js';
import * as Decode from '../core/api/schema/Decode.js';
import { isMapping } from '../core/api/schema/Mapping.js';
import type { Address } from '../core/base/Address.js';
import { BaseError, inFile } from '../core/base/Errors.js';
import type { Seal } from '../core/base/Seal.js';
import type { Context } from '../core/command/Context.js';
import * as Network from '../core/network/Network.js';
import * as NetworkRegistry from '../core/network/NetworkRegistry.js';
import type { Expected } from '../core/ports/UserFiles.js';
import * as Currency from '../core/quote/Currency.js';
import { collect, type Finding } from '../core/quote/Finding.js';
import * as PriceOnly from '../core/quote/PriceOnly.js';
import type * as Quote from '../core/quote/Quote.js';
import * as QuoteDocument from '../core/quote/QuoteDocument.js';
import * as TransferIntent from '../core/quote/TransferIntent.js';
import * as JsonDepth from '../core/text/JsonDepth.js';
import * as JsonKeys from '../core/text/JsonKeys.js';
import * as JsonText from '../core/text/JsonText.js';
import * as TerminalText from '../core/text/TerminalText.js';

/** A saved quote, and the findings whether the file is unchanged, who made it, and when. */
export type Saved = { quote: Quote.Quote; findings: readonly Finding[] };

/** The check of who made a saved quote, as `--allow` takes it. */
const fileCheck = 'quote-file';

/**
 * Reads the quote from an envelope that `ferry quote --json` or `-o` wrote, for the account that would sign it.
 *
 * @throws quote.unreadable · request.unsupported for a quote of another network or account, or that only tells a price
 */
export async function readQuoteFile(path: string, context: Context): Promise<Saved> {
  const file = await parse(path, context);
  if (file.kind === 'answer')
    throw inFile(QuoteDocument.noQuote('it is a bare response of the service, without the intent'), path);
  if (file.network !== context.network.name) throw otherNetwork('quote', file.network, context.network);
  const seal = await context.seal({ make: false });
  const reading = { seal, nowMs: context.clock.now(), isReview: false };
  const saved = within(path, () => savedQuote(file, context.network, reading));
  // The addresses decide, not what the file says about itself.
  PriceOnly.assertPayable(saved.quote.intent);
  TransferIntent.assertOrigin(saved.quote.intent.origin);
  const sender = await context.sender();
  const { user, origin } = saved.quote.intent;
  // For a withdrawal the user is a venue account, whose owner is checked against the wallet elsewhere.
  if (origin.chain.vm === 'evm' && user.toLowerCase() !== sender.toLowerCase())
    throw new BaseError('request.unsupported', 'The quote is for a different account from the one that would sign.', {
      facts: [
        ['quoted for', user],
        ['signing', sender],
      ],
      hint: 'Select the account with --account.',
    });
  const isOwn = saved.findings.some(({ check, verdict }) => check === fileCheck && verdict === 'verified');
  const ofTokens = isOwn ? [] : await tokensIn(saved.quote.intent, 'file', context);
  return { quote: saved.quote, findings: [...saved.findings, ...ofTokens] };
}

/**
 * Reads tokens that are not well known from their contracts, as for any other transfer: who made a file or a journal
 * without this user's seal may have chosen the units that amounts are shown in.
 *
 * @param subject what names them
 * @throws chain.*
 */
export async function tokensIn(
  intent: TransferIntent.Intent,
  subject: 'file' | 'journal',
  context: Pick<Context, 'chain'>,
): Promise<readonly Finding[]> {
  const findings = collect(subject);
  const inWords = ({ symbol, decimals }: Network.Token): string => `${symbol} with ${decimals} decimals`;
  for (const [name, { chain, token }] of [
    ['input-currency', intent.origin],
    ['output-currency', intent.destination],
  ] as const) {
    if (Network.token(chain, token.address)) continue;
    const { token: own } = await Currency.read({ chain, token: token.address as Address }, context.chain);
    findings.say(name, inWords(own) === inWords(token), inWords(own), inWords(token));
  }
  return findings.list;
}

export type QuoteFile = ({ kind: 'saved' } & Envelope) | { kind: 'answer'; response: QuoteV2.Response };

/** A receipt that ferry made. */
export type ReceiptFile = { kind: 'receipt' } & Envelope;

type Envelope = { network: string; document: Readonly<Record<string, unknown>> };

/** A quote, or a document of its size, in a file; the hints are those of the command. */
export const expected = {
  what: 'quote',
  code: 'quote.unreadable',
  maxBytes: 16 * 1024 * 1024,
} as const satisfies Omit<Expected, 'hints'>;

/** What is missing where a transfer was meant. */
export const noTransfer = 'For a transfer, type <amount> <from> <to>, such as 100 alpha/usdc beta/usdc.';

const payable: Expected = {
  ...expected,
  hints: { missing: noTransfer, notPiped: 'ferry quote … --json | ferry execute - --yes' },
};

const provable: Expected = {
  ...expected,
  hints: {
    missing: 'ferry quote <amount> <from> <to> -o <file> saves a quote, and ferry receipt <run> -o <file> a receipt.',
    notPiped: 'ferry quote … --json | ferry verify -',
  },
};

/** The content of a file that can be proved: a quote, or a receipt. @throws quote.unreadable */
export async function parseProvable(path: string, context: Context): Promise<QuoteFile | ReceiptFile> {
  const text = await context.files.read(path, provable);
  return within(path, () => {
    const value = json(text);
    const envelope = isReceipt(value) ? envelopeIn(value) : undefined;
    return envelope ? { kind: 'receipt', ...envelope } : fromJson(value);
  });
}

function isReceipt(value: unknown): boolean {
  return isMapping(value) && String(value.schema).startsWith('ferry.receipt/');
}

function envelopeIn(value: unknown): Envelope | undefined {
  if (!isMapping(value) || !isMapping(value.data) || typeof value.network !== 'string') return undefined;
  return { network: value.network, document: value.data };
}

/** The quote in a file. @throws quote.unreadable */
export async function parse(path: string, context: Context): Promise<QuoteFile> {
  const text = await context.files.read(path, payable);
  return within(path, () => fromJson(json(text)));
}

/** Reads something of the file; its errors name the file. */
export function within<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw inFile(error, path);
  }
}

/** The content of a JSON value. @throws quote.unreadable */
export function fromJson(value: unknown): QuoteFile {
  const envelope = envelopeIn(value);
  if (envelope && isReceipt(value)) throw QuoteDocument.noQuote('it is a receipt');
  if (envelope) return { kind: 'saved', ...envelope };
  const answer = Decode.from(QuoteV2.response, value);
  if (!answer.ok) {
    if (isMapping(value) && ('steps' in value || 'details' in value))
      throw new BaseError('quote.unreadable', 'The input is not a complete answer of POST /quote/v2.', {
        facts: [['fields', Decode.summary(answer.problems)]],
        hint: 'Pass the answer as the service sent it; a shortened sample cannot be proved.',
      });
    throw QuoteDocument.noQuote('it is neither a saved quote nor an answer of POST /quote/v2');
  }
  return { kind: 'answer', response: answer.value };
}

/** How a saved quote is read: to be paid, or looked at. */
export type Reading = {
  /** This user's secret. */
  seal: Seal | undefined;
  /** Unix time in milliseconds. */
  nowMs: number;
  /** Whether the quote is looked at, not paid: then it may be anybody's. */
  isReview: boolean;
};

/**
 * The quote of a saved document, decoded again. Its age counts from when this user's ferry made it, which the seal
 * shows. What has no such seal says of itself how old it is, and what is to be paid to whom.
 *
 * @throws quote.unreadable · request.unknown-chain
 */
export function savedQuote(
  { network, document }: QuoteFile & { kind: 'saved' },
  of: Network.Network,
  { seal, nowMs, isReview }: Reading,
): Saved {
  const findings = collect();
  const intact = QuoteDocument.isIntact(document, network);
  findings.say('digest', intact, 'the file as it was saved', intact ? 'as it was saved' : 'another content');
  const quote = QuoteDocument.toQuote(document, of);
  const maker = QuoteDocument.madeBy(document, seal);
  const found = 'no seal, or another user’s: who receives what, and its age, are the file’s word';
  if (maker !== 'other') findings.say(fileCheck, maker === 'own', 'sealed by this user', makers[maker]);
  else if (isReview) findings.skip(fileCheck, found);
  else findings.cannot(fileCheck, 'sealed by this user', found);
  const ahead = quote.quotedAt - nowMs;
  if (!isReview && ahead > clockSkewMs)
    findings.say('quoted-at', false, 'a time that has passed', new Date(quote.quotedAt).toISOString());
  return { quote, findings: findings.list };
}

const makers = { own: 'sealed by this user', altered: 'a seal that is not of this content' };

/** What a clock may have been set back by since the quote was saved. */
const clockSkewMs = 5_000;

/** The network that a saved quote or a receipt names; for a bare response, see `networkWith`. */
export async function networkOf(file: QuoteFile | ReceiptFile, context: Context): Promise<Network.Network> {
  const { network, config } = context;
  if (file.kind !== 'answer') {
    if (file.network === network.name || !NetworkRegistry.isShipped(file.network)) return network;
    // Whoever pays must not choose a network where money is free.
    if (file.kind === 'receipt' && config.network.source.kind !== 'default')
      throw otherNetwork('receipt', file.network, network);
    return NetworkRegistry.load(file.network);
  }
  const { currencyIn, currencyOut } = file.response.details;
  return networkWith([currencyIn.currency.chainId, currencyOut.currency.chainId], context);
}

/** The configured network; if it is only the default, the shipped network that has most of the chains. */
export async function networkWith(ids: readonly number[], { network, config }: Context): Promise<Network.Network> {
  if (config.network.source.kind !== 'default') return network;
  const known = (table: Network.Network): number => ids.filter((id) => Network.chainById(table, id)).length;
  const tables = await NetworkRegistry.all();
  return tables.reduce((best, table) => (known(table) > known(best) ? table : best), network);
}

/** @throws quote.unreadable */
export function json(text: string): unknown {
  if (JsonDepth.isTooDeep(text)) throw QuoteDocument.noQuote('it nests too deeply');
  const value = JsonText.read(text);
  if (value === undefined) throw QuoteDocument.noQuote('it is not JSON');
  const twice = JsonKeys.repeated(text);
  if (twice === undefined) return value;
  throw QuoteDocument.noQuote(`it has the key "${TerminalText.escape(twice)}" twice in one object`);
}

function otherNetwork(what: string, found: string, { name }: Network.Network): BaseError {
  return new BaseError('request.unsupported', `The ${what} is for the network ${found}, not ${name}.`, {
    hint: `To use that network, add --network ${found}.`,
  });
}
