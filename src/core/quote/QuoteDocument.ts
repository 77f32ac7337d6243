/** A quote as JSON: the output of `ferry quote --json` and `-o FILE`, and the input of `ferry execute FILE`. */
import * as z from 'zod/mini';
import * as QuoteV2 from '../api/QuoteV2.js';
import * as Decode from '../api/schema/Decode.js';
import * as Primitives from '../api/schema/Primitives.js';
import type { Address } from '../base/Address.js';
import * as Amount from '../base/Amount.js';
import { BaseError } from '../base/Errors.js';
import type { Hex } from '../base/Hex.js';
import * as JsonDigest from '../base/JsonDigest.js';
import * as Seal from '../base/Seal.js';
import * as Usd from '../base/Usd.js';
import * as Network from '../network/Network.js';
import * as Currency from './Currency.js';
import type { Finding } from './Finding.js';
import * as PriceOnly from './PriceOnly.js';
import * as Quote from './Quote.js';
import type { Intent } from './TransferIntent.js';

/**
 * A quote as JSON, with its proof. `amount` fields are base units as decimal digits, `formatted` fields are decimals in
 * units of the token, and `usd` fields are decimal dollars.
 */
export type QuoteDocument = z.output<typeof schema>;

const side = z.object({
  chain: z.string(),
  chainId: z.int(),
  symbol: z.string(),
  name: z.string(),
  address: z.string(),
  decimals: Primitives.decimals,
});

/** The same amount twice: in base units, and as a decimal in units of the token. */
export const amount = z.object({ amount: z.string(), formatted: z.string() });
/** Gas in the chain's native token. `usd` is null if no price is known. */
export const gasCost = z.extend(amount, { symbol: z.string(), usd: z.nullable(z.string()) });
/** `usd` is null if the answer states no price. */
const valued = z.extend(amount, { currency: z.string(), usd: z.nullable(z.string()) });

/** Calls that the destination's router makes with the output, in order; values in wei. */
export const calls = z.array(z.object({ to: z.string(), data: z.string(), value: Primitives.digits }));

export const schema = z.object({
  /** Digest of the network name and all other fields: shows whether a saved file was changed. */
  digest: z.string(),
  /** Shows that this user's ferry made it, and when: a MAC of the digest. Null if the secret for it could not be kept. */
  seal: z.nullable(z.string()),
  /** Unix time in milliseconds, up to the latest that a date can show. */
  quotedAt: z.int().check(z.nonnegative(), z.maximum(8.64e15)),
  requestId: z.string(),
  orderId: z.nullable(z.string()),
  /** Whether nobody owns a party of the transfer, so that the quote is a price that can never be paid. */
  priceOnly: z.boolean(),
  intent: z.object({
    user: z.string(),
    recipient: z.string(),
    refundTo: z.string(),
    origin: side,
    destination: side,
    tradeType: z.enum(['EXACT_INPUT', 'EXACT_OUTPUT', 'EXPECTED_OUTPUT']),
    amount: Primitives.digits,
    slippageBps: z.nullable(z.int()),
    referrer: z.nullable(z.string()),
    appFees: z.array(z.object({ recipient: z.string(), bps: z.int() })),
    sponsor: z.nullable(z.union([z.literal('all'), z.array(z.string())])),
    /** The most that the sponsor pays, in USD. */
    maxSponsoredUsd: z.nullable(z.string()),
    gasless: z.nullable(z.enum(['batch', 'permit'])),
    /** What the recipient gets in the native asset besides, in USD. */
    gasTopupUsd: z._default(z.nullable(z.string()), null),
    calls: z._default(calls, []),
  }),
  send: valued,
  receive: valued,
  /** Minimum received; if less would arrive, the transfer is refunded. */
  minimum: amount,
  rate: z.nullable(z.string()),
  /** Output minus input in USD: negative is a loss. */
  impact: z.object({ usd: z.nullable(z.string()), bps: z.nullable(z.string()) }),
  /** USD per component: negative amounts are paid by the user, positive ones by a sponsor. Null if not stated. */
  fees: z.nullable(
    z.object({
      execution: z.string(),
      swap: z.string(),
      platform: z.string(),
      app: z.string(),
      sponsored: z.string(),
      total: z.string(),
    }),
  ),
  /** Cost on the origin that the fees do not include: network gas, or the venue's transfer fee. */
  originGas: z.nullable(
    z.extend(amount, { symbol: z.string(), usd: z.string(), takenBy: z.enum(['network', 'venue']) }),
  ),
  /** The native asset that the recipient gets besides, as the service states it. */
  gasTopup: z._default(z.nullable(gasCost), null),
  timeEstimateSeconds: z.nullable(z.number()),
  slippageBps: z.nullable(z.int()),
  steps: z.array(
    z.object({ id: z.string(), chainId: z.int(), to: z.string(), value: z.string(), function: z.nullable(z.string()) }),
  ),
  proof: z.array(
    z.object({
      check: z.string(),
      subject: z.nullable(z.string()),
      verdict: z.enum(['verified', 'mismatch', 'cannot verify', 'not checked']),
      expected: z.string(),
      found: z.string(),
      /** Who shows it, of those who do not depend on each other; empty for what does not decide about money. */
      witnesses: z.array(z.string()),
    }),
  ),
  /** The service's answer as received. */
  response: z.record(z.string(), z.unknown()),
});

/** What is read of a saved document. Its addresses decide whether it only tells a price, and it is proved anew. */
const saved = z.omit(schema, { priceOnly: true, proof: true, seal: true });

/** The document of a quote and its proof, with a digest, and a seal if there is a secret. */
export function from(quote: Quote.Quote, proof: readonly Finding[], by?: Seal.Seal): QuoteDocument {
  const content = contentOf(quote, proof);
  const stated = digest(quote.intent.network, content);
  return { digest: stated, seal: by ? Seal.from(by, 'ferry.quote', stated) : null, ...content };
}

/** Who made a saved document, and with it the time that it says it was made at. */
export function madeBy(document: Readonly<Record<string, unknown>>, seal: Seal.Seal | undefined): Seal.Verdict {
  return Seal.judge(document.seal, seal, 'ferry.quote', String(document.digest));
}

/** A proof as JSON. */
export function toProof(findings: readonly Finding[]): QuoteDocument['proof'] {
  return findings.map(({ check, verdict, expected, found, subject = null, witnesses = [] }) => ({
    ...{ check, verdict, expected, found, subject },
    witnesses: [...witnesses],
  }));
}

/** Whether the digest of a saved document matches its content and the network. */
export function isIntact(document: Readonly<Record<string, unknown>>, network: string): boolean {
  const { digest: stated, seal: _, ...content } = document;
  return stated === digest(network, content);
}

function digest(network: string, content: object): string {
  return JsonDigest.of({ network, content });
}

export function toCalls(intent: Intent): z.output<typeof calls> {
  return intent.calls.map(({ to, data, value }) => ({ to, data, value: String(value) }));
}

function contentOf(quote: Quote.Quote, proof: readonly Finding[]): Omit<QuoteDocument, 'digest' | 'seal'> {
  const { intent, response, fees, inputUsd, totalImpactUsd } = quote;
  const { origin, destination } = intent;
  const { details } = response;
  const gas = quote.originGas;
  return {
    quotedAt: quote.quotedAt,
    requestId: quote.requestId,
    orderId: response.protocol?.v2?.orderId ?? null,
    priceOnly: PriceOnly.isPriceOnly(intent),
    intent: {
      user: intent.user,
      recipient: intent.recipient,
      refundTo: intent.refundTo,
      origin: toSide(intent.origin),
      destination: toSide(intent.destination),
      tradeType: intent.tradeType,
      amount: String(intent.amount),
      slippageBps: intent.slippageBps ?? null,
      referrer: intent.referrer ?? null,
      appFees: intent.appFees.map(({ recipient, bps }) => ({ recipient, bps })),
      gasless: intent.gasless ?? null,
      sponsor: intent.sponsor === undefined ? null : intent.sponsor === 'all' ? 'all' : [...intent.sponsor],
      maxSponsoredUsd: Usd.orNull(intent.maxSponsoredUsd),
      calls: toCalls(intent),
      gasTopupUsd: Usd.orNull(intent.gasTopupUsd),
    },
    send: toValued(quote.input, origin, quote.inputUsd),
    receive: toValued(quote.output, destination, quote.outputUsd),
    minimum: Amount.toDocument(quote.minimum, destination.token.decimals),
    rate: details.rate ?? null,
    impact: {
      usd: Usd.orNull(totalImpactUsd),
      bps: Usd.formatBps(totalImpactUsd, inputUsd) ?? null,
    },
    fees: fees ? Usd.wires({ ...fees, total: Quote.feesTotal(quote) ?? 0n }) : null,
    originGas: gas
      ? {
          ...Amount.toDocument(gas.amount, origin.chain.native.decimals),
          symbol: origin.chain.native.symbol,
          usd: Usd.formatWire(gas.usd),
          takenBy: origin.chain.vm === 'evm' ? 'network' : 'venue',
        }
      : null,
    gasTopup: toTopup(quote),
    timeEstimateSeconds: details.timeEstimate ?? null,
    slippageBps:
      quote.output > 0n ? Number(((quote.output - quote.minimum) * 10_000n + quote.output / 2n) / quote.output) : null,
    steps: Quote.transactions(quote).map(({ stepId, chainId, to, value, call }) => ({
      id: stepId,
      chainId,
      to,
      value: String(value),
      function: call?.function ?? null,
    })),
    proof: toProof(proof),
    response: response as Record<string, unknown>,
  };
}

/**
 * The quote of a document, parsed from the saved answer. Nothing that the document itself concludes from the answer,
 * such as its amounts or its proof, is trusted.
 *
 * @throws quote.unreadable · quote.unsupported-step · request.unknown-chain
 */
export function toQuote(document: unknown, network: Network.Network): Quote.Quote {
  const read = z.safeParse(saved, document);
  if (!read.success) throw noQuote(z.prettifyError(read.error).split('\n')[0] ?? '');
  const { intent, response, quotedAt } = read.data;
  const answer = Decode.from(QuoteV2.response, response);
  if (!answer.ok) throw noQuote(Decode.summary(answer.problems));
  return Quote.from(answer.value, toIntent(intent, network), quotedAt);
}

function toIntent(intent: QuoteDocument['intent'], network: Network.Network): Intent {
  const currency = ({
    chainId,
    address,
    symbol,
    name,
    decimals,
  }: QuoteDocument['intent']['origin']): Currency.Currency => {
    const chain = Network.chain(network, String(chainId));
    return { chain, token: Network.token(chain, address) ?? { symbol, name, address, decimals } };
  };
  return {
    network: network.name,
    user: intent.user,
    origin: currency(intent.origin),
    destination: currency(intent.destination),
    tradeType: intent.tradeType,
    amount: BigInt(intent.amount),
    recipient: intent.recipient,
    refundTo: intent.refundTo,
    slippageBps: intent.slippageBps ?? undefined,
    referrer: intent.referrer ?? undefined,
    appFees: intent.appFees.map(({ recipient, bps }) => ({ recipient: recipient as Address, bps })),
    sponsor: intent.sponsor ?? undefined,
    maxSponsoredUsd: intent.maxSponsoredUsd === null ? undefined : Usd.from(intent.maxSponsoredUsd),
    gasless: intent.gasless ?? undefined,
    calls: intent.calls.map(({ to, data, value }) => ({
      to: to as Address,
      data: data.toLowerCase() as Hex,
      value: BigInt(value),
    })),
    ...(intent.gasTopupUsd === null ? {} : { gasTopupUsd: Usd.from(intent.gasTopupUsd) }),
  };
}

/** A currency with its chain. */
export function toSide({ chain, token }: Currency.Currency): QuoteDocument['intent']['origin'] {
  const { symbol, name, address, decimals } = token;
  return { chain: chain.name, chainId: chain.id, symbol, name, address, decimals };
}

function toValued(base: bigint, currency: Currency.Currency, usd: bigint | undefined): QuoteDocument['send'] {
  return {
    ...Amount.toDocument(base, currency.token.decimals),
    currency: Currency.format(currency),
    usd: Usd.orNull(usd),
  };
}

function toTopup(quote: Quote.Quote): QuoteDocument['gasTopup'] {
  const stated = Quote.gasTopup(quote);
  const { native } = quote.intent.destination.chain;
  return stated
    ? { ...Amount.toDocument(stated.amount, native.decimals), symbol: native.symbol, usd: Usd.orNull(stated.usd) }
    : null;
}

/** JSON that is not a saved quote. */
export function noQuote(why: string): BaseError {
  return new BaseError('quote.unreadable', 'The input is not a quote saved by ferry.', {
    facts: why ? [['reason', why]] : [],
    hint: 'Save a quote with ferry quote … -o quote.json.',
  });
}
