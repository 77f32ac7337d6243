import * as z from 'zod/mini';
import * as Amount from '../core/base/Amount.js';
import { define } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import * as Network from '../core/network/Network.js';
import * as Expectation from '../core/proof/Expectation.js';
import * as Verification from '../core/proof/Verification.js';
import { collect, type Finding } from '../core/quote/Finding.js';
import * as PriceOnly from '../core/quote/PriceOnly.js';
import * as Quote from '../core/quote/Quote.js';
import * as QuoteDocument from '../core/quote/QuoteDocument.js';
import * as ProofText from '../core/view/ProofText.js';
import { networkOf, parse, type QuoteFile, savedQuote, within } from '../transfer/quoteFile.js';

export const command = define({
  description:
    'Proves a quote: that the order id is the hash of the promised order, and that what would be signed pays for exactly that order. Works offline unless --online is given. A quote saved by ferry is checked against its intent, a bare response of the service against the options.',
  args: [{ name: 'quote', names: 'file', description: 'a quote file, a response of POST /quote/v2, or - for stdin' }],
  options: {
    user: { type: 'string', value: 'address', description: 'the required sender' },
    recipient: { type: 'string', value: 'address', description: 'the required recipient' },
    refundTo: { type: 'string', value: 'address', description: 'the required refund address' },
    minOut: { type: 'string', value: 'amount', description: 'the required minimum received, in units of the output' },
    online: { type: 'boolean', description: 'also simulate the effect on the origin chain' },
    allow: { type: 'strings', value: 'check', description: 'accept a check that cannot be verified; may be repeated' },
  },
  examples: [
    ['ferry verify quote.json', 'a quote saved by ferry quote -o'],
    ['ferry verify answer.json --network mainnet --recipient 0x…', 'a response that another tool received'],
    ['ferry quote 100 alpha/usdc beta/usdc --json | ferry verify -', 'from a pipe'],
    ['ferry verify quote.json --online', 'with the effect simulated on the chain'],
  ],
  output: z.object({
    network: z.string(),
    requestId: z.string(),
    orderId: z.nullable(z.string()),
    verdict: z.enum(['verified', 'mismatch', 'cannot verify']),
    proof: QuoteDocument.schema.shape.proof,
  }),
  async run(options, context) {
    const file = await parse(options.args[0] ?? '', context);
    const network = await networkOf(file, context);
    const { answer, findings, expected } = within(options.args[0] ?? '', () => read(file, network));
    const required = {
      ...expected,
      maxVenueFee: context.config.maxVenueFee.value,
      ...(options.user === undefined ? {} : { user: options.user }),
      ...(options.recipient === undefined ? {} : { recipient: options.recipient }),
      ...(options.refundTo === undefined ? {} : { refundTo: options.refundTo }),
    };
    const proof = [
      ...findings,
      ...(await Verification.prove(answer, required, { network, baseUrl: network.baseUrl, nowMs: undefined })),
      ...floor(answer, options.minOut),
      ...(options.online ? await online(answer, required, network, context) : offline()),
    ];
    const has = (verdict: Finding['verdict']): boolean =>
      proof.some((each) => each.verdict === verdict && !(options.allow ?? []).includes(each.check));
    return {
      network: network.name,
      requestId: answer.requestId,
      orderId: answer.response.protocol?.v2?.orderId ?? null,
      verdict: proof.some((each) => each.verdict === 'mismatch')
        ? ('mismatch' as const)
        : has('cannot verify')
          ? ('cannot verify' as const)
          : ('verified' as const),
      proof: proof.map(({ subject, ...rest }) => ({ ...rest, subject: subject ?? null })),
    };
  },
  view: ({ proof }, style) => `${ProofText.table(proof, style)}\n\n${ProofText.summary(proof, style)}`,
  outcome({ verdict }) {
    if (verdict === 'mismatch') return 'verify.mismatch';
    return verdict === 'cannot verify' ? 'verify.unverified' : undefined;
  },
});

type Readable = { answer: Quote.Answer; expected: Expectation.Expectation; findings: readonly Finding[] };

function read(file: QuoteFile, network: Network.Network): Readable {
  if (file.kind === 'answer') return { answer: Quote.read(file.response), expected: {}, findings: [] };
  const { quote, digest } = savedQuote(file, network);
  const findings = PriceOnly.isPriceOnly(quote.intent) ? [digest, PriceOnly.finding] : [digest];
  return { answer: quote, expected: Expectation.from(quote.intent), findings };
}

function floor(answer: Quote.Answer, minOut: string | undefined): readonly Finding[] {
  if (minOut === undefined) return [];
  const findings = collect();
  const least = Amount.from(minOut, answer.response.details.currencyOut.currency.decimals);
  findings.say('min-out', answer.minimum >= least, `at least ${least}`, String(answer.minimum));
  return findings.list;
}

/** The effect, simulated by a node of the origin chain, which must belong to the network in use. */
async function online(
  answer: Quote.Answer,
  expected: Expectation.Expectation,
  network: Network.Network,
  context: Context,
): Promise<readonly Finding[]> {
  const id = answer.response.details.currencyIn.currency.chainId;
  const node = await context.chain(Network.chain(network, String(id)));
  return Verification.observe(answer, expected, network, node);
}

function offline(): readonly Finding[] {
  const findings = collect();
  findings.skip('effect', 'offline');
  return findings.list;
}
