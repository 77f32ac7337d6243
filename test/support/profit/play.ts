/**
 * Plays an attack against ferry: its proof, its signatures and its following of the transfer, on a model of the chains, the
 * service and time. At every end that the signed bytes and the order allow, what the user then holds is valued by prices
 * that are not the service's.
 */
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import * as QuoteReceived from '../../../src/core/api/QuoteReceived.js';
import * as Decode from '../../../src/core/api/schema/Decode.js';
import { native } from '../../../src/core/base/Address.js';
import { BaseError, type Funds } from '../../../src/core/base/Errors.js';
import * as Execution from '../../../src/core/execution/Execution.js';
import type * as Plan from '../../../src/core/execution/Plan.js';
import * as Preparation from '../../../src/core/execution/Preparation.js';
import * as GaslessExecution from '../../../src/core/gasless/GaslessExecution.js';
import * as Network from '../../../src/core/network/Network.js';
import type { Account, Clock, Counted, Service } from '../../../src/core/ports/Ports.js';
import type * as Currency from '../../../src/core/quote/Currency.js';
import * as Quote from '../../../src/core/quote/Quote.js';
import * as TransferIntent from '../../../src/core/quote/TransferIntent.js';
import * as NonceRelease from '../../../src/core/tracking/NonceRelease.js';
import type { Runs } from '../../../src/core/tracking/RunStore.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { claimIds } from '../../../src/transfer/journalledRun.js';
import * as market from '../market.js';
import * as Ledger from './modelLedger.js';
import { createNode, type ModelNode } from './modelNode.js';
import { amountOf, type ChainName, contracts, type ModelToken, network, tokens, worth } from './modelTokens.js';
import { type Attack, type Conduct, dealings, type Payout } from './plans.js';
import { type Asked, type Composed, compose, isRefund, type Scheme } from './scheme.js';

/** What an attack came to. */
export type Played = {
  /** How many quotes the proof passed, and what ferry said of each transfer. */
  passed: number;
  words: string[];
  /** Basis points of an input that the user has lost beyond the bound, at the worst end. Not positive if none. */
  beyondBps: number;
  /** Where that was. */
  end: string;
};

const { user } = market;
const baseUrl = 'http://127.0.0.1:1';

/** A refund below this is not taken for one: what it costs is bound nowhere. */
const refundBps = 5_000;

/** The model at the start: the user has ten times what is asked for, of everything. */
function createModel() {
  const nowMs = { value: market.market.nowMs };
  const clock: Clock = {
    now: () => nowMs.value,
    async sleep(ms) {
      nowMs.value += ms;
    },
  };
  const on = (chain: ChainName): ModelNode => {
    const ledger = Ledger.create(chain);
    for (const token of tokens.filter((each) => each.chain === chain))
      Ledger.mint(ledger, token.address, user, amountOf(token, 10_000_000_000n));
    return createNode(ledger, user, clock.now);
  };
  const nodes = { alpha: on('alpha'), beta: on('beta') };
  const owners = new Map<string, string>();
  const counted: Counted = {
    async count(id, owner) {
      if (!owners.has(id)) owners.set(id, owner);
      return owners.get(id) === owner;
    },
    ownerOf: async (id) => owners.get(id),
  };
  return { nodes, clock, counted };
}

type Model = ReturnType<typeof createModel>;

const { signTransaction, signTypedData } = privateKeyToAccount(accounts.dev0.privateKey);
const account = {
  address: user,
  name: 'dev0',
  signTransaction: (transaction: object) => signTransaction({ ...transaction, type: 'eip1559' } as never),
  signTypedData: (typed: object) => signTypedData(typed as never),
} as unknown as Account;

/** Plays an attack to its worst end. */
export async function play(attack: Attack): Promise<Played> {
  const model = createModel();
  const before = holdings(model, attack.asked);
  const begun: Begun[] = [];
  const [first, second] = [createGate(), createGate()];
  for (const [nth, { scheme, conduct }] of dealings(attack).entries()) {
    const composed = await compose(scheme, { nowMs: model.clock.now(), serial: nth + 1, before: Math.max(nth, 1) });
    const plan = await proved(composed, model);
    if (!plan) break;
    const still = worstEnd(plan, composed, scheme, model);
    if (still.beyondBps > 0) return { passed: nth + 1, words: [], ...still };
    // Of two at once the first learns nothing before the second is followed too.
    const asked = nth === 0 ? first : second;
    const answers = attack.transfers === 'two at once' ? second : asked;
    const service = createService(model, { composed, conduct, asked, answers, earlier: begun[0]?.service });
    const ending = executed(plan, { model, service, conduct }, nth).then((word) => {
      asked.open();
      return { composed, word, claimed: claimAt(word, composed, model) };
    });
    begun.push({ service, ending });
    if (attack.transfers === 'two at once') await asked.opened;
    else if (!isOver((await ending).word)) break;
  }
  second.open();
  const runs = await Promise.all(begun.map(({ ending }) => ending));
  for (const { service } of begun) service.usePermit();
  return { passed: runs.length, words: runs.map(({ word }) => word), ...judged(runs, before, attack, model) };
}

/** A transfer that was signed: what ferry said of it, and what the user may still claim by that. */
type Ran = { composed: Composed; word: Funds; claimed: bigint | undefined };

type Begun = { service: ModelService; ending: Promise<Ran> };

/** What others wait for. */
type Gate = { open(): void; opened: Promise<void> };

function createGate(): Gate {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

function isOver(word: Funds): boolean {
  return word !== 'in-flight' && word !== 'unknown';
}

/** The plan, if the proof passes: the path that `ferry execute --yes` takes. */
async function proved(composed: Composed, model: Model): Promise<Plan.Plan | undefined> {
  const { asked } = composed;
  const decoding = Decode.from(QuoteReceived.response, composed.answer);
  if (!decoding.ok) return undefined;
  try {
    const quote = Quote.from(decoding.value, intentOf(asked), model.clock.now());
    const caps = { maxImpactBps: asked.maxImpactBps, maxFeeUsd: undefined, minOut: undefined, maxAgeMs: 30_000 };
    const proposal = { quote, caps, allow: [], baseUrl, findings: [] };
    const chain = ({ name }: Network.Chain) => model.nodes[name as ChainName].node;
    const prepared = await last(
      Preparation.run(proposal, { network, chain, clock: model.clock, journal: undefined, isAsked: false }),
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

/** Signs, sends and follows; resolves to where ferry says that the money is. */
async function executed(
  plan: Plan.Plan,
  { model, service, conduct }: { model: Model; service: ModelService; conduct: Conduct },
  nth: number,
): Promise<Funds> {
  const { nodes, clock, counted } = model;
  const ports = {
    ...{
      service: service.port,
      origin: nodes.alpha.node,
      destination: nodes[plan.intent.destination.chain.name as ChainName].node,
      turn: NonceRelease.none,
    },
    ...{ journal: { append: async () => {} }, counted, clock, signal: new AbortController().signal, warn: () => {} },
    ...{ account, replay: false, referrer: undefined, relayer: accounts.relayer.address, validForMs: undefined },
  };
  const patience = { wait: true, timeoutMs: conduct.uses === 'later' ? 5_000 : 60_000 };
  try {
    await claimIds(plan.quote, { id: `run ${nth}` }, { counted, runs: async () => noRuns });
    await last(
      plan.permits.length > 0
        ? GaslessExecution.run(plan, ports, patience)
        : Execution.run(plan, ports, { ...patience, oneByOne: true }),
    );
    return 'delivered';
  } catch (error) {
    if (!(error instanceof BaseError)) throw error;
    return error.funds;
  }
}

/** Of no run does the model keep a journal, so none is known to have ended untouched. */
const noRuns = { show: () => Promise.reject(new BaseError('run.unknown', 'There is no journal.')) } as unknown as Runs;

type ModelService = { port: Service; usePermit(): void; payouts(): string[] };

/** The service and its solver, who do what the attack says. */
function createService(
  { nodes, clock }: Model,
  {
    composed,
    conduct,
    asked: isAsked,
    answers,
    earlier,
  }: {
    composed: Composed;
    conduct: Conduct;
    /** Opened by the first question about the request, and what its answers wait for. */
    asked: Gate;
    answers: Gate;
    earlier: ModelService | undefined;
  },
) {
  const { asked, orderId } = composed;
  let [asking, paid]: [number, string[] | undefined] = [0, undefined];
  let permit: { nonce: string; value: bigint; until: number } | undefined;
  const payOut = (): string[] =>
    conduct.payouts.map(({ token, share, to }) => {
      const amount = payoutOf(token, share, composed);
      const payee = to === 'user' ? user : asked.recipient;
      const isNative = token.address === native;
      return nodes[token.chain].mine(market.solver, (ledger) => {
        Ledger.mint(ledger, token.address, payee, amount);
        return isNative ? { to: payee, value: amount } : { to: token.address, value: 0n };
      });
    });
  const usePermit = (): void => {
    if (!permit || permit.until * 1000 <= clock.now()) return;
    const { nonce, value } = permit;
    permit = undefined;
    const { depository, approvalProxy } = contracts(asked.from.chain);
    nodes[asked.from.chain].mine(accounts.relayer.address, (ledger) => {
      Ledger.move(ledger, asked.from.address, user, depository, value);
      ledger.deposits.push({ depositor: user, id: orderId ?? '', token: asked.from.address, amount: value });
      return { to: approvalProxy, value: 0n };
    });
    nodes[asked.from.chain].usedNonces.add(nonce.slice(2));
  };
  const port = {
    baseUrl,
    async status() {
      isAsked.open();
      await answers.opened;
      const says = conduct.says[Math.min(asking, conduct.says.length - 1)] ?? 'unknown';
      if (asking === conduct.payoutAt) paid ??= payOut();
      asking += 1;
      const before = earlier?.payouts() ?? [];
      const named = { 'its payouts': paid ?? [], 'the payouts before': before, 'the deposit': [], nothing: [] };
      return { status: says, txHashes: named[conduct.names] };
    },
    async executePermit(_: unknown, signature: Hex) {
      if (signature === '0x') throw new Error('nothing is signed');
      permit = permitIn(composed.answer);
      if (conduct.uses === 'at once') usePermit();
      if (conduct.answersPermit === 'lost') throw new BaseError('service.unreachable', 'The response was lost.');
      if (conduct.answersPermit === 'refused') throw new BaseError('service.refused', 'It is refused.');
      return { message: 'Success', steps: [] };
    },
    indexTransaction: async () => {},
    indexSingle: async () => {},
    tokenPrice: async () => undefined,
  } as unknown as Service;
  return { port, usePermit, payouts: (): string[] => paid ?? [] };
}

function payoutOf(of: ModelToken, share: Payout['share'], { inputUsd, minimum }: Composed): bigint {
  if (share === 'what is owed') return minimum;
  if (share === 'crumb') return 1n;
  return share === 'all' ? amountOf(of, inputUsd) : amountOf(of, (inputUsd * BigInt(share)) / 10_000n);
}

function permitIn(answer: unknown): { nonce: string; value: bigint; until: number } {
  const { steps } = answer as { steps: { items: { data: { sign: { value: Record<string, unknown> } } }[] }[] };
  const signed = steps[0]?.items[0]?.data.sign.value ?? {};
  return { nonce: String(signed.nonce), value: BigInt(String(signed.value)), until: Number(signed.validBefore) };
}

/** What the parties of the user hold, in millionths of a dollar. */
function holdings({ nodes }: Model, { recipient }: Asked): bigint {
  const owners = [...new Set([user, recipient])];
  return tokens.reduce((sum, token) => {
    const { ledger } = nodes[token.chain];
    return owners.reduce((all, owner) => all + worth(token, Ledger.balance(ledger, owner, token.address)), sum);
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
function worstEnd(
  plan: Plan.Plan,
  composed: Composed,
  scheme: Scheme,
  model: Model,
): Pick<Played, 'beyondBps' | 'end'> {
  const { asked, inputUsd, minimum } = composed;
  const trial = Ledger.copy(model.nodes[asked.from.chain].ledger);
  const nodes = { ...model.nodes, [asked.from.chain]: { ...model.nodes[asked.from.chain], ledger: trial } };
  const before = holdings(model, asked);
  try {
    for (const action of plan.actions) Ledger.transact(trial, action);
  } catch (error) {
    if (!(error instanceof Ledger.Reverted)) throw error;
  }
  const left = before - holdings({ ...model, nodes }, asked);
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

/** What the user still has a claim on once ferry has said so; undefined while it says that nothing has ended. */
function claimAt(word: Funds, composed: Composed, { nodes }: Model): bigint | undefined {
  if (word === 'held') return depositOf(nodes[composed.asked.from.chain].ledger, composed);
  return isOver(word) ? 0n : undefined;
}

/** What the user has lost when all that was signed has acted, less what may be claimed still. */
function judged(
  runs: readonly Ran[],
  before: bigint,
  { asked }: Attack,
  model: Model,
): Pick<Played, 'beyondBps' | 'end'> {
  const [first] = runs;
  if (!first) return { beyondBps: 0, end: 'nothing is signed' };
  const { ledger } = model.nodes[asked.from.chain];
  const open = ({ composed }: Ran): bigint => {
    const [deposit, fill] = [depositOf(ledger, composed), worth(asked.to, composed.minimum)];
    return BigInt(Math.min(Number(deposit), Number(fill)));
  };
  const claims = runs.reduce((sum, run) => sum + (run.claimed ?? open(run)), 0n);
  const lost = before - holdings(model, asked) - claims;
  const allowed = runs.reduce((sum, { word }) => sum + (word === 'returned' ? refundBps : boundOf(asked)), 0);
  return {
    beyondBps: bps(lost, first.composed.inputUsd) - allowed,
    end: `ferry says ${runs.map(({ word }) => word).join(', then ')}`,
  };
}

async function last<T>(running: AsyncGenerator<unknown, T>): Promise<T> {
  for (;;) {
    const step = await running.next();
    if (step.done) return step.value;
  }
}
