/**
 * Plays an attack against ferry's proof, on a model of the chains. At every end that the bytes to be signed and the order
 * allow, what the user then holds is valued by prices that are not the service's.
 */
import * as QuoteReceived from '../../../src/core/api/QuoteReceived.js';
import * as Decode from '../../../src/core/api/schema/Decode.js';
import { BaseError } from '../../../src/core/base/Errors.js';
import type * as Plan from '../../../src/core/execution/Plan.js';
import * as Preparation from '../../../src/core/execution/Preparation.js';
import * as Network from '../../../src/core/network/Network.js';
import type { Clock } from '../../../src/core/ports/Ports.js';
import type * as Currency from '../../../src/core/quote/Currency.js';
import * as Quote from '../../../src/core/quote/Quote.js';
import * as TransferIntent from '../../../src/core/quote/TransferIntent.js';
import * as market from '../market.js';
import * as Ledger from './modelLedger.js';
import { createNode } from './modelNode.js';
import { amountOf, type ChainName, type ModelToken, network, tokens, worth } from './modelTokens.js';
import { type Asked, type Composed, compose, isRefund, type Scheme } from './scheme.js';

/** What an attack came to at its worst end, in basis points of the input beyond the bound: not positive if nothing. */
export type Played = { beyondBps: number; end: string };

const { user } = market;
const { nowMs } = market.market;
const clock: Clock = { now: () => nowMs, sleep: async () => {} };

type Ledgers = Readonly<Record<ChainName, Ledger.Ledger>>;

/** The user has ten times what is asked for, of everything. */
function createLedger(chain: ChainName): Ledger.Ledger {
  const ledger = Ledger.create(chain);
  for (const token of tokens.filter((each) => each.chain === chain))
    Ledger.mint(ledger, token.address, user, amountOf(token, 10_000_000_000n));
  return ledger;
}

/** Plays an attack to its worst end; undefined if the proof refuses it. */
export async function play(scheme: Scheme): Promise<Played | undefined> {
  const ledgers = { alpha: createLedger('alpha'), beta: createLedger('beta') };
  const composed = await compose(scheme, nowMs);
  const plan = await proved(composed, ledgers);
  return plan && worstEnd(plan, composed, scheme, ledgers);
}

/** The plan, if the proof passes: the path that `ferry execute --yes` takes. */
async function proved(composed: Composed, ledgers: Ledgers): Promise<Plan.Plan | undefined> {
  const { asked } = composed;
  const decoding = Decode.from(QuoteReceived.response, composed.answer);
  if (!decoding.ok) return undefined;
  try {
    const quote = Quote.from(decoding.value, intentOf(asked), nowMs);
    const caps = { maxImpactBps: asked.maxImpactBps, maxFeeUsd: undefined, minOut: undefined, maxAgeMs: 30_000 };
    const proposal = { quote, caps, allow: [], baseUrl: 'http://127.0.0.1:1', findings: [] };
    const chain = ({ name }: Network.Chain) => createNode(ledgers[name as ChainName], BigInt(Math.floor(nowMs / 1000)));
    const prepared = await last(
      Preparation.run(proposal, { network, chain, clock, journal: undefined, isAsked: false }),
    );
    return prepared.plan;
  } catch (error) {
    if (error instanceof BaseError) return undefined;
    throw error;
  }
}

function intentOf({ from, to, tradeType, amount, recipient, gasless, slippageBps }: Asked): TransferIntent.Intent {
  const currency = (of: ModelToken): Currency.Currency => {
    const chain = Network.chain(network, of.chain);
    const token = Network.token(chain, of.address);
    if (!token) throw new Error(`ferry knows no ${of.symbol}`);
    return { chain, token };
  };
  const typed = { recipient, exactOutput: tradeType === 'EXACT_OUTPUT', permit: gasless === 'permit' };
  return TransferIntent.from(amount, currency(from), currency(to), typed, {
    ...{ network: network.name, user, slippageBps, referrer: undefined },
  });
}

/** What the parties of the user hold, in millionths of a dollar. */
function holdings(ledgers: Ledgers, { recipient }: Asked): bigint {
  const owners = [...new Set([user, recipient])];
  return tokens.reduce((sum, token) => {
    const held = (owner: string): bigint => worth(token, Ledger.balance(ledgers[token.chain], owner, token.address));
    return owners.reduce((all, owner) => all + held(owner), sum);
  }, 0n);
}

/** What was deposited in the user's name for the order, in millionths of a dollar. */
function depositOf(ledger: Ledger.Ledger, { orderId }: Composed): bigint {
  return ledger.deposits
    .filter(({ depositor, id }) => id === orderId && depositor.toLowerCase() === user.toLowerCase())
    .reduce((sum, { token: address, amount }) => {
      const token = tokens.find((each) => each.chain === ledger.chain && each.address === address.toLowerCase());
      return sum + (token ? worth(token, amount) : 0n);
    }, 0n);
}

/** The worst of the ends that the transactions and the order allow, without a word of what the service does afterwards. */
function worstEnd(plan: Plan.Plan, composed: Composed, scheme: Scheme, ledgers: Ledgers): Played {
  const { asked, inputUsd, minimum } = composed;
  const trial = ledgers[asked.from.chain];
  const before = holdings(ledgers, asked);
  try {
    for (const action of plan.actions) Ledger.transact(trial, action);
  } catch (error) {
    if (!(error instanceof Ledger.Reverted)) throw error;
  }
  const left = before - holdings(ledgers, asked);
  // A permit binds its calls by a hash, or nothing.
  const isPermit = plan.permits.length > 0;
  const deposit = isPermit ? (scheme.permit.nonce === 'bound' ? inputUsd : 0n) : depositOf(trial, composed);
  const paid = isPermit ? inputUsd : left;
  const ends: { end: string; held: bigint }[] = [];
  if (composed.orderId) {
    ends.push({ end: 'it is left in the depository, or refunded on the origin', held: deposit });
    ends.push({ end: 'it is filled', held: isPaid(scheme) ? worth(asked.to, minimum) : 0n });
    for (const { token: of } of scheme.refunds.filter((each) => each.token.chain !== asked.from.chain))
      ends.push({
        end: `it is refunded in ${of.symbol} on ${of.chain}`,
        held: isRefund(of, composed.deposited, asked) ? deposit : 0n,
      });
  } else ends.push({ end: 'it is mined', held: 0n });
  const judged = ends.map(({ end, held }) => ({ end, beyondBps: bps(paid - held, inputUsd) - boundOf(asked) }));
  return judged.reduce((worst, each) => (each.beyondBps > worst.beyondBps ? each : worst));
}

/** Whether a fill reaches the recipient, who may be the user. */
function isPaid({ paysTo, asked }: Scheme): boolean {
  return paysTo === 'recipient' || (paysTo === 'user' && asked.recipient === user);
}

/** What may be lost of the input, in basis points, and one for rounding. */
function boundOf({ maxImpactBps }: Asked): number {
  return Math.max(500, maxImpactBps) + 1;
}

function bps(lost: bigint, of: bigint): number {
  return Number((lost * 10_000n) / of);
}

async function last<T>(running: AsyncGenerator<unknown, T>): Promise<T> {
  for (;;) {
    const step = await running.next();
    if (step.done) return step.value;
  }
}
