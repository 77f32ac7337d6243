import * as z from 'zod/mini';
import * as Amount from '../core/base/Amount.js';
import { BaseError } from '../core/base/Errors.js';
import { define, type Flags, type Options } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import * as Network from '../core/network/Network.js';
import * as Expectation from '../core/proof/Expectation.js';
import * as RouterCheck from '../core/proof/router/RouterCheck.js';
import * as Verification from '../core/proof/Verification.js';
import * as Currency from '../core/quote/Currency.js';
import { collect, type Finding } from '../core/quote/Finding.js';
import * as PriceOnly from '../core/quote/PriceOnly.js';
import * as Quote from '../core/quote/Quote.js';
import * as QuoteDocument from '../core/quote/QuoteDocument.js';
import * as StatedAmount from '../core/quote/StatedAmount.js';
import type * as TransferIntent from '../core/quote/TransferIntent.js';
import * as ReceiptDocument from '../core/receipt/ReceiptDocument.js';
import * as ReceiptText from '../core/receipt/ReceiptText.js';
import * as ProofText from '../core/view/ProofText.js';
import { assertApplies, checkReceipt } from '../setup/receiptChecks.js';
import {
  networkOf,
  parseProvable,
  type QuoteFile,
  type Reading,
  type ReceiptFile,
  savedQuote,
  within,
} from '../transfer/quoteFile.js';

const flags = {
  user: { value: 'address', description: 'the required sender' },
  recipient: { value: 'address', description: 'the required recipient' },
  refundTo: { value: 'address', description: 'the required refund address' },
  amount: { value: 'amount', description: 'the required amount, in units of --from' },
  from: { value: 'currency', description: 'the required currency to pay, as chain/token' },
  to: { value: 'currency', description: 'the required currency to receive, as chain/token' },
  exactOutput: { description: '--amount is in units of --to, and must arrive exactly' },
  at: { value: 'time', description: 'judge deadlines at this time: ISO 8601 or Unix seconds' },
  minOut: { value: 'amount', description: 'the required minimum received, in units of the output' },
  online: { description: 'also simulate the effect on the origin chain' },
  allow: { value: 'check', repeats: true, description: 'accept a check that cannot be verified; may be repeated' },
} as const satisfies Flags;

export const command = define({
  description:
    'Proves a quote or a receipt. Of a quote: that the order id is the hash of the promised order, and that what would be signed pays for exactly that order. Works offline unless --online is given. A quote saved by ferry is checked against its intent, a bare response of the service against the options. Of a receipt: that its order was paid for and that the recipient received the minimum, as your own nodes show it.',
  args: [
    {
      name: 'quote',
      names: 'file',
      description: 'a quote file, a receipt, a response of POST /quote/v2, or - for stdin',
    },
  ],
  options: flags,
  examples: [
    ['ferry verify quote.json', 'a quote saved by ferry quote -o'],
    ['ferry verify answer.json --network mainnet --recipient 0x…', 'a response that another tool received'],
    [
      'ferry verify answer.json --amount 100 --from base/usdc --to arbitrum/usdc --at 2026-10-03T12:00:00Z',
      'what was asked, at the time it was answered',
    ],
    ['ferry quote 100 alpha/usdc beta/usdc --json | ferry verify -', 'from a pipe'],
    ['ferry verify quote.json --online', 'with the effect simulated on the chain'],
    ['ferry verify receipt.json --recipient 0x… --min-out 99', 'whether a payment has arrived, by your own nodes'],
  ],
  output: z.object({
    network: z.string(),
    requestId: z.string(),
    orderId: z.nullable(z.string()),
    verdict: z.enum(['verified', 'mismatch', 'cannot verify']),
    proof: QuoteDocument.schema.shape.proof,
    /** Of a receipt: who received what. Null for a quote. */
    receipt: z.nullable(
      z.object({ payer: z.string(), recipient: z.string(), received: z.string(), currency: z.string() }),
    ),
  }),
  async run(options, context) {
    const file = await parseProvable(options.args[0] ?? '', context);
    const network = await networkOf(file, context);
    if (file.kind === 'receipt') return receiptVerdict(file, options, network, context);
    const nowMs = options.at === undefined ? context.clock.now() : timeOf(options.at);
    const seal = await context.seal({ make: false }).catch(() => undefined);
    const reading = { seal, nowMs, isReview: true };
    const { answer, findings, expected } = within(options.args[0] ?? '', () => read(file, network, reading));
    const required = {
      ...expected,
      ...askedOf(options, answer, network),
      maxVenueFee: context.config.maxVenueFee.value,
      ...(options.user === undefined ? {} : { user: options.user }),
      ...(options.recipient === undefined ? {} : { recipient: options.recipient }),
      ...(options.refundTo === undefined ? {} : { refundTo: options.refundTo }),
    };
    const caps = { maxImpactBps: context.config.maxImpactBps.value };
    const around = { network, baseUrl: network.baseUrl, nowMs, isReview: true };
    // Online the price is read from feeds, offline it is judged by what the quote itself shows.
    const surroundings = options.online ? around : { ...around, caps };
    const proved = [
      ...findings,
      ...(await Verification.prove(answer, required, surroundings)),
      ...floor(answer, options.minOut),
    ];
    const shown = options.online
      ? await online(answer, { expected: required, network, caps, nowMs, proved }, context)
      : offline(proved);
    const judged = Verification.merged(proved, shown);
    const proof = [...judged, ...Verification.swapOf(judged)];
    return {
      network: network.name,
      requestId: answer.requestId,
      orderId: answer.response.protocol?.v2?.orderId ?? null,
      verdict: verdictOf(proof, options.allow),
      proof: QuoteDocument.toProof(proof),
      receipt: null,
    };
  },
  placed: ({ network }) => network,
  view: ({ proof, receipt }, style, options) => {
    const { allow } = options ?? {};
    const sum = receipt
      ? ReceiptText.summary(proof, receipt, style, { allow })
      : ProofText.summary(proof, style, { allow });
    return `${ProofText.table(proof, style)}\n\n${sum}`;
  },
  outcome({ verdict }) {
    if (verdict === 'mismatch') return 'verify.mismatch';
    return verdict === 'cannot verify' ? 'verify.unverified' : undefined;
  },
});

/** A mismatch is never allowed. */
function verdictOf(proof: readonly Finding[], allow: readonly string[] = []) {
  if (proof.some(({ verdict }) => verdict === 'mismatch')) return 'mismatch';
  const isOpen = proof.some(({ verdict, check }) => verdict === 'cannot verify' && !allow.includes(check));
  return isOpen ? 'cannot verify' : 'verified';
}

/** A receipt is read at the user's nodes in any case: what it says of itself shows nothing. */
async function receiptVerdict(
  { document }: ReceiptFile,
  options: Options<typeof flags>,
  network: Network.Network,
  context: Context,
) {
  assertApplies(options);
  const receipt = within(options.args[0] ?? '', () => ReceiptDocument.read(document));
  const proof = await checkReceipt(receipt, options, network, context);
  const { payer, recipient, received, destination, requestId, orderId } = receipt;
  return {
    network: network.name,
    requestId,
    orderId,
    verdict: verdictOf(proof, options.allow),
    proof: QuoteDocument.toProof(proof),
    receipt: {
      payer,
      recipient,
      received: Amount.format(BigInt(received.amount), destination.decimals),
      currency: nameOf(destination, network),
    },
  };
}

/** As ferry names it, else by its address: a stranger’s file may call any token USDC, and so may the token itself. */
function nameOf(
  { chainId, address }: ReceiptDocument.ReceiptDocument['destination'],
  network: Network.Network,
): string {
  const chain = Network.chainById(network, chainId);
  const token = chain && Network.token(chain, address);
  return `${chain?.name ?? chainId}/${token?.symbol.toLowerCase() ?? address}`;
}

type Readable = { answer: Quote.Answer; expected: Expectation.Expectation; findings: readonly Finding[] };

function read(file: QuoteFile, network: Network.Network, reading: Reading): Readable {
  if (file.kind === 'answer') return { answer: Quote.read(file.response), expected: {}, findings: [] };
  const { quote, findings } = savedQuote(file, network, reading);
  const all = PriceOnly.isPriceOnly(quote.intent) ? [...findings, PriceOnly.finding] : findings;
  return { answer: quote, expected: Expectation.from(quote.intent), findings: all };
}

/** The currencies and the amount that the options ask for. An unknown token is one of the answer's own decimals. */
function askedOf(
  { amount, from, to, exactOutput }: Options<typeof flags>,
  { response: { details } }: Quote.Answer,
  network: Network.Network,
): Expectation.Expectation {
  const origin = from === undefined ? undefined : currencyOf(from, details.currencyIn, network);
  const destination = to === undefined ? undefined : currencyOf(to, details.currencyOut, network);
  const currency = exactOutput ? destination : origin;
  if (amount === undefined) {
    if (exactOutput) throw new BaseError('usage.invalid', '--exact-output needs --amount.');
    return { origin, destination };
  }
  if (!currency)
    throw new BaseError(
      'usage.invalid',
      `--amount needs ${exactOutput ? '--to' : '--from'}, the currency that it is in.`,
    );
  return {
    origin,
    destination,
    tradeType: exactOutput ? 'EXACT_OUTPUT' : 'EXACT_INPUT',
    amount: Amount.from(amount, currency.token.decimals),
  };
}

type Side = Quote.Answer['response']['details']['currencyIn'];

function currencyOf(text: string, { currency }: Side, network: Network.Network): Currency.Currency {
  const { chain, token } = Currency.parse(text, network);
  if (typeof token !== 'string') return { chain, token };
  const { symbol, name } = currency;
  return {
    chain,
    token: { address: token, symbol: symbol ?? token, name: name ?? token, decimals: decimalsOf(currency) },
  };
}

/** @throws service.malformed */
function decimalsOf({ decimals, address }: Side['currency']): number {
  if (typeof decimals !== 'number') throw Quote.missingField(`decimals of ${address}`);
  return decimals;
}

/** @throws usage.invalid */
function timeOf(text: string): number {
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text);
  if (Number.isNaN(new Date(ms).getTime()))
    throw new BaseError('usage.invalid', `--at "${text}" is not a time.`, {
      hint: 'Write it as 2026-10-03T12:00:00Z, or as Unix seconds.',
    });
  return ms;
}

function floor(answer: Quote.Answer, minOut: string | undefined): readonly Finding[] {
  if (minOut === undefined) return [];
  const findings = collect();
  const { currency } = answer.response.details.currencyOut;
  const least = Amount.from(minOut, decimalsOf(currency));
  const stated = (base: bigint): string => StatedAmount.format(base, currency);
  findings.say('min-out', answer.minimum >= least, `at least ${stated(least)}`, stated(answer.minimum));
  return findings.list;
}

type Online = {
  expected: Expectation.Expectation;
  network: Network.Network;
  caps: Pick<TransferIntent.Caps, 'maxImpactBps'>;
  nowMs: number;
  /** The findings without a node. */
  proved: readonly Finding[];
};

/** The price by feeds, and the effect, simulated by a node of the origin chain, which must belong to the network in use. */
async function online(
  answer: Quote.Answer,
  { expected, network, proved, ...terms }: Online,
  context: Context,
): Promise<readonly Finding[]> {
  const id = answer.response.details.currencyIn.currency.chainId;
  const node = await context.chain(Network.chain(network, String(id)));
  const { findings } = await Verification.appraise(answer, {
    ...terms,
    tradeType: expected.tradeType,
    network,
    node: context.chain,
  });
  return [...findings, ...(await Verification.observe(answer, expected, network, node, proved)).findings];
}

/** Calls of unknown contracts are shown by a simulation or not at all; anything else is proved without one. */
function offline(proof: readonly Finding[]): readonly Finding[] {
  const findings = collect();
  const unknown = proof.find(({ check, verdict }) => check === RouterCheck.unknownCalls && verdict === 'not checked');
  if (unknown) findings.cannot('simulation', 'a simulation that confirms the effect: add --online', unknown.found);
  else findings.skip('effect', 'offline');
  return findings.list;
}
