/** Honest answers, recorded and generated, each with its intent and its surroundings. */

import { privateKeyToAccount } from 'viem/accounts';
import * as QuoteV2 from '../../src/core/api/QuoteV2.js';
import * as Decode from '../../src/core/api/schema/Decode.js';
import { type Address, native } from '../../src/core/base/Address.js';
import { BaseError } from '../../src/core/base/Errors.js';
import * as Network from '../../src/core/network/Network.js';
import { network as shipped } from '../../src/core/network/sandbox.js';
import * as Verification from '../../src/core/proof/Verification.js';
import type * as Currency from '../../src/core/quote/Currency.js';
import * as Quote from '../../src/core/quote/Quote.js';
import * as TransferIntent from '../../src/core/quote/TransferIntent.js';
import type * as QuoteAnswer from '../../src/sandbox/quote/QuoteAnswer.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import type { Wallet } from '../../src/sandbox/values/Market.js';
import * as market from './market.js';
import * as quoted from './quoted.js';
import { read } from './recorded.js';

export type Specimen = {
  name: string;
  /** The answer as received. */
  answer: unknown;
  intent: TransferIntent.Intent;
  network: Network.Network;
  nowMs: number;
  /** The checks that no quote of this kind can pass. */
  allow: readonly string[];
};

/** The accounts of an honest transfer, all different, so that a mix-up is noticed. */
const refundTo = accounts.dev2.address;

/** The shipped sandbox, with the venue account for withdrawals of the recorded answers. */
export const recording: Network.Network = {
  ...shipped,
  chains: shipped.chains.map((chain) =>
    chain.vm === 'lvm' ? { ...chain, contracts: { accounts: ['700001'] } } : chain,
  ),
};

/** Every recorded quote, with the checks that its kind cannot pass. */
export function recorded(): Specimen[] {
  return Object.entries({
    'quote-bridge': [],
    'quote-deposit-address': ['deposit-address'],
    'quote-permit-eip3009': ['order-binding'],
    'quote-permit-permit2': ['order-binding'],
    'quote-sponsored': [],
    'quote-swap-one-chain': [],
    'quote-swap': [],
    'quote-venue-deposit': [],
    'quote-venue-withdrawal': [],
  }).map(([name, allow]) => {
    const answer = read(name);
    const response = answer as QuoteAnswer.Response;
    // The request id starts with the quote's time in seconds.
    const nowMs = Number(QuoteV2.requestIdOf(response)?.slice(2, 12)) * 1000;
    const unsigned = response.protocol?.v2?.orderSignature ? [] : ['solver-signature'];
    return { name, answer, intent: intentOf(response), network: recording, nowMs, allow: [...allow, ...unsigned] };
  });
}

/** Quotes of the sandbox's engine, of every kind that it makes. Each pays one account and refunds another. */
export async function made(): Promise<Specimen[]> {
  const elsewhere = { recipient: market.other, refundTo };
  const holding: Wallet = { ...market.emptyWallet, depositoryAllowance: 5n };
  const all: Promise<Specimen>[] = [
    make('bridge of a token', quoted.intent('100', 'alpha/usdc', 'beta/usdc', elsewhere)),
    make('bridge of ETH', quoted.intent('1', 'alpha/eth', 'beta/eth', elsewhere)),
    make('swap across chains', quoted.intent('1', 'alpha/eth', 'beta/usdc', { ...elsewhere, slippageBps: 50 })),
    make('swap after a reset', quoted.intent('100', 'alpha/usdt', 'beta/dai', elsewhere), holding),
    make('exact output', quoted.intent('100', 'alpha/usdc', 'beta/gull', { ...elsewhere, exactOutput: true })),
    make('expected output', quoted.intent('100', 'alpha/usdc', 'beta/usdt', { ...elsewhere, expectedOutput: true })),
    make('swap of a token', quoted.intent('100', 'alpha/usdc', 'alpha/gull', elsewhere)),
    make('swap of ETH', quoted.intent('1', 'alpha/eth', 'alpha/usdc', elsewhere)),
    make('swap for ETH', quoted.intent('100', 'alpha/usdc', 'alpha/eth', elsewhere)),
    make('wrap', quoted.intent('1', 'alpha/eth', 'alpha/weth', { refundTo })),
    make('unwrap', quoted.intent('1', 'alpha/weth', 'alpha/eth', { refundTo })),
    make('send of a token', quoted.intent('100', 'alpha/usdc', 'alpha/usdc', elsewhere)),
    make('send of ETH', quoted.intent('1', 'alpha/eth', 'alpha/eth', elsewhere)),
    make(
      'deposit address for ETH',
      quoted.intent('1', 'alpha/eth', 'beta/eth', { ...elsewhere, depositAddress: true }),
    ),
    make(
      'deposit address for a token',
      quoted.intent('100', 'alpha/usdc', 'beta/usdc', { ...elsewhere, depositAddress: true }),
    ),
    make('bridge by a permit', quoted.intent('100', 'alpha/usdc', 'beta/usdc', { ...elsewhere, permit: true })),
  ];
  return await Promise.all(all);
}

/** Decodes an answer for a specimen's intent; undefined if the client cannot decode it. */
export function quoteOf({ intent, nowMs }: Specimen, answer: unknown): Quote.Quote | undefined {
  const decoding = Decode.from(QuoteV2.response, answer);
  if (!decoding.ok) return undefined;
  try {
    return Quote.from(decoding.value, intent, nowMs);
  } catch (error) {
    if (error instanceof BaseError && error.code === 'service.malformed') return undefined;
    throw error;
  }
}

/** Verifies a quote against the accepted specimen: no more may be paid, and no less may arrive. */
export async function verify(specimen: Specimen, quote: Quote.Quote): Promise<Verification.Verified> {
  const { network, nowMs, allow } = specimen;
  const accepted = known.get(specimen) ?? quoteOf(specimen, specimen.answer);
  if (!accepted) throw new Error(`${specimen.name} cannot be read`);
  known.set(specimen, accepted);
  const caps = Verification.capsOf(accepted, quoted.caps);
  const proof = await Verification.proofOf(quote, caps, { network, baseUrl: 'http://127.0.0.1:1', nowMs });
  return Verification.from(proof, { network, isAsked: false, allow, shown: [] });
}

/** The accepted quotes, decoded once. */
const known = new WeakMap<Specimen, Quote.Quote>();

async function make(name: string, intent: TransferIntent.Intent, wallet?: Wallet): Promise<Specimen> {
  const solver = privateKeyToAccount(accounts.solver.privateKey);
  // Recovering a signer takes longer than everything else, so one generated and one recorded specimen suffice.
  const includeProtocolData = name === 'bridge of a token';
  const { response } = await market.quote(
    { ...TransferIntent.toRequest(intent), includeProtocolData },
    { signOrderId: (raw) => solver.signMessage({ message: { raw } }), ...(wallet && { wallet }) },
  );
  const answer: unknown = JSON.parse(JSON.stringify(response));
  return {
    name,
    answer,
    intent,
    network: quoted.network,
    nowMs: market.market.nowMs,
    allow: includeProtocolData ? [] : ['solver-signature'],
  };
}

/** The intent that an answer claims, which is true only for an honest answer. */
function intentOf({ details, protocol, steps }: QuoteAnswer.Response): TransferIntent.Intent {
  const { sender, recipient, currencyIn, currencyOut } = details;
  const [refund] = protocol?.v2?.orderData.inputs[0]?.refunds ?? [];
  const [output, minimum] = [BigInt(currencyOut.amount), BigInt(currencyOut.minimumAmount)];
  return {
    network: recording.name,
    user: sender as Address,
    origin: currencyOf(currencyIn.currency),
    destination: currencyOf(currencyOut.currency),
    tradeType: 'EXACT_INPUT',
    amount: BigInt(currencyIn.amount),
    recipient,
    refundTo: (refund?.recipient ?? sender) as Address,
    slippageBps: Number(((output - minimum) * 10_000n + output - 1n) / output),
    referrer: undefined,
    appFees: appFeesOf(details),
    sponsor: undefined,
    maxSponsoredUsd: undefined,
    calls: [],
    gasless: steps.some(({ id }) => /^authorize/.test(id)) ? 'permit' : undefined,
  };
}

/** The app fee of an honest answer, as the user would have requested it. */
function appFeesOf({
  expandedPriceImpact,
  currencyIn,
  sender,
}: QuoteAnswer.Response['details']): TransferIntent.AppFee[] {
  const [app, whole] = [Number(expandedPriceImpact.app?.usd ?? 0), Number(currencyIn.amountUsd)];
  return app === 0 ? [] : [{ recipient: sender as Address, bps: Math.round((-app * 10_000) / whole) }];
}

function currencyOf({ chainId, address }: { chainId: number; address: string }): Currency.Currency {
  const chain = Network.chain(recording, String(chainId));
  const token = Network.token(chain, address);
  if (!token) throw new Error(`no token ${address} on ${chain.name}, where ${native} is native`);
  return { chain, token };
}
