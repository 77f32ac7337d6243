/**
 * Proves a quote that is paid at a deposit address, before the address is shown: everything that is proved of a quote to
 * sign, and the factory at the origin's node. There is no payer yet, so no balance and no gas is looked at.
 */
import { type Address, isEqual } from '../base/Address.js';
import type { Hex } from '../base/Hex.js';
import type { Event } from '../event/Event.js';
import { type Ports, type Proposal, reachable } from '../execution/Preparation.js';
import * as DepositFactory from '../proof/address/DepositFactory.js';
import * as StrictAddress from '../proof/address/StrictAddress.js';
import * as UsableParty from '../proof/address/UsableParty.js';
import * as Verification from '../proof/Verification.js';
import type * as Quote from '../quote/Quote.js';
import * as QuoteDocument from '../quote/QuoteDocument.js';
import * as Journal from '../tracking/Journal.js';
import * as AddressTerms from './AddressTerms.js';

/** An address that may be shown, and what the user must be told before. */
export type Prepared = {
  terms: AddressTerms.AddressTerms;
  single: Verification.Single;
  document: QuoteDocument.QuoteDocument;
};

/**
 * Proves a quote and journals it. The address stands in the quote, which is journaled only once it is proved.
 *
 * @throws verify.* · chain.* · config.unwritable
 */
export async function* run(
  { quote, caps, allow, baseUrl, findings }: Proposal,
  ports: Pick<Ports, 'network' | 'chain' | 'clock' | 'journal' | 'isAsked'>,
): AsyncGenerator<Event, Prepared> {
  const { network, clock, journal, chain, isAsked = false } = ports;
  const setting = { network, isAsked, allow };
  const proof = await Verification.proofOf(quote, caps, { network, baseUrl, nowMs: clock.now() });
  const offline = [...findings, ...proof.findings];
  const document = QuoteDocument.from(quote, offline);
  const { requestId, send, receive, minimum, fees, originGas, impact, timeEstimateSeconds, intent } = document;
  const prices = { send, receive, minimum, fees, originGas, impact };
  const { user, recipient } = intent;
  yield { type: 'quoted', byAddress: true, requestId, user, recipient, ...prices, timeEstimateSeconds };
  // A finding with one witness is judged later, with the others: one of them may contradict it.
  const decided = offline.filter(
    ({ verdict, witnesses = [] }) => verdict !== 'cannot verify' || witnesses.length === 0,
  );
  Verification.assertAllowed(decided, setting, quote.intent);
  const node = await chain(quote.intent.origin.chain);
  const { tradeType } = quote.intent;
  const [{ findings: price, valuation }, factory, parties] = await Promise.all([
    Verification.appraise(quote, { tradeType, caps, nowMs: proof.nowMs, network, node: chain }),
    factoryOf(quote, node),
    UsableParty.observe(quote.intent, reachable({ chain })),
  ]);
  const shown = [...findings, ...factory, ...parties, ...price];
  const verified = Verification.from(proof, { ...setting, shown, valuation });
  const single = Verification.named(verified.single);
  yield { type: 'verified', checks: verified.findings.length, single, maxGas: null };
  await journal?.append({ type: 'quote', requestId: quote.requestId, document });
  const { findings: all } = verified;
  await journal?.append({ type: 'proof', checks: all.length, allow: [...allow], caps: Journal.fromCaps(caps) });
  await journal?.append({ type: 'plan', steps: ['address'] });
  return { terms: AddressTerms.from(verified), single: verified.single, document };
}

/** What the node says of the factory. An open address has none, and is refused or accepted for what it is. */
async function factoryOf(
  quote: Quote.Quote,
  node: Parameters<typeof DepositFactory.check>[3],
): Promise<Awaited<ReturnType<typeof DepositFactory.check>>> {
  const { address, orderId, chain } = AddressTerms.restored(quote);
  const owner = { orderId: orderId as Hex, depositor: quote.intent.refundTo as Address };
  const maker = StrictAddress.makerOf(chain.contracts);
  if (!maker || !isEqual(StrictAddress.of(maker, owner), address)) return [];
  return await DepositFactory.check(address, owner, chain, node);
}
