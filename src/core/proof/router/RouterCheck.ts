/**
 * Checks a call of the router, or of the approval proxy in front of it: follows the money through the calls that the
 * router makes. What a call of an unknown contract does is left to the simulation.
 *
 * Known are calls of the router's own functions, of the input, the currency of the order and the wrapped native token,
 * of the depository, and of known aggregators. Their receiver and minimum are held to the answer. A minimum counts only
 * where pinned code enforces it (`Enforcers.ts`). After the last swap nothing but known calls may come.
 */

import * as Address from '../../base/Address.js';
import type { Contracts } from '../../network/Network.js';
import type { Allowable, Findings } from '../../quote/Finding.js';
import type { Multicall } from '../../quote/KnownCalls.js';
import * as StatedAmount from '../../quote/StatedAmount.js';
import * as AggregatorSwap from './AggregatorSwap.js';
import type * as Enforcers from './Enforcers.js';
import * as RouterStep from './RouterStep.js';

/** What the router must do with the input. Amounts are in base units; the zero address is the native asset. */
export type Facts = {
  user: string;
  recipient: string;
  refundTo: string;
  input: { token: string; amount: bigint };
  /** The contracts of the chain. */
  contracts: Contracts;
  /** The service's solvers; undefined if ferry knows none. */
  solvers: readonly string[] | undefined;
  /** Contracts that the user's node has shown to hold swaps to their minimum; undefined if it was not asked yet. */
  enforcers?: Enforcers.Enforcers | undefined;
  requestId: string;
  goal: Goal;
  /** The currencies of the chain that the answer states, to show amounts in their units. */
  currencies?: readonly StatedAmount.Currency[] | undefined;
};

/** What the calls are for. */
export type Goal =
  /** Deposit all that the swap yields, for an order. `minimum` is what the answer promises that to be, if it does. */
  | { kind: 'deposit'; orderId: string; token: string; minimum: bigint | undefined }
  /** Pay a recipient on the same chain. */
  | { kind: 'payment'; token: string; minimum: bigint };

/** The swaps among the router's calls, so that a node can be asked about their contracts. */
export function swapsIn({ calls }: Multicall, { router, ...contracts }: Contracts): AggregatorSwap.Swap[] {
  if (router === undefined) return [];
  return calls.flatMap((call) => AggregatorSwap.from(call, { ...contracts, router }) ?? []);
}

/** The name of the finding about calls of contracts that ferry does not know. */
export const unknownCalls = 'router-calls';

/** Whether a finding depends on what is known of the contracts that make the swaps. */
export function isAboutSwaps(check: string): boolean {
  return check === unknownCalls || check === 'router-result' || check === 'router-leftovers';
}

/** Adds the findings about the router's calls, its refunds and the bytes beside them. */
export function check(findings: Findings, call: Multicall, facts: Facts): void {
  const { router } = facts.contracts;
  if (router === undefined) {
    findings.cannot(unknownCalls, 'the calls of a router that ferry knows', 'the router is unknown');
    return;
  }
  const contracts = { ...facts.contracts, router };
  const tokens = [facts.input.token, facts.goal.token];
  const steps = call.calls.flatMap((each) => RouterStep.from(each, contracts, tokens));
  const unknown = [
    ...steps.filter((step) => isUnknown(step, facts)).map(describe),
    ...careless(steps, contracts, facts.goal),
  ];
  mayFail(findings, call);
  allowances(findings, call, steps);
  swaps(findings, steps, router, facts);
  const isComplete = facts.goal.kind === 'deposit' && deposit(findings, steps, facts.goal, contracts, facts);
  const balance = follow(steps, facts, router);
  if (unknown.length > 0) findings.skip(unknownCalls, `${unknown.join(', ')}; only a simulation shows what it does`);
  else {
    findings.say(unknownCalls, true, 'calls that ferry knows', `${call.calls.length} of ${call.calls.length}`);
    result(findings, balance, facts);
  }
  leftovers(findings, call, facts, isComplete);
  attached(findings, call, facts);
}

/**
 * Whether a step hands control to a contract that ferry does not know: it may call the router back, which serves every
 * caller, and take what rests there. A stranger who is sent the native asset is such a contract, and so is a depository
 * where nothing is to be deposited. (Before a deposit for an order, each of these is refused by itself.)
 */
function isUnknown(step: RouterStep.RouterStep, { recipient, goal, enforcers }: Facts): boolean {
  if (step.kind === 'swap') {
    const { kind, address } = step.enforcer;
    // A shipped address is known to be right; the node must show that it has code before anything is signed.
    if (!enforcers) return kind === 'settler';
    return !enforcers.some((known) => Address.isEqual(known, address));
  }
  if (step.kind === 'unknown' || goal.kind === 'deposit') return step.kind === 'unknown';
  if (step.kind === 'transfer')
    return Address.isEqual(step.token, Address.native) && !Address.isEqual(step.to, recipient);
  return step.kind === 'deposit';
}

/**
 * Swaps that are made while what the calls are for rests on the router already. A swap hands control to pools, one of
 * which may call the router and take that: only what the swap itself yields is compared with its minimum.
 */
function careless(
  steps: readonly RouterStep.RouterStep[],
  { router, wrapped }: Contracts & { router: Address.Address },
  { token }: Goal,
): readonly string[] {
  const found: string[] = [];
  let isResting = false;
  for (const step of steps) {
    const yields =
      (step.kind === 'swap' && Address.isEqual(step.to, token) && Address.isEqual(step.receiver, router)) ||
      (step.kind === 'wrap' && wrapped !== undefined && Address.isEqual(wrapped, token)) ||
      (step.kind === 'unwrap' && Address.isEqual(Address.native, token));
    if (step.kind === 'swap' && isResting && !yields)
      found.push(`a swap by ${step.aggregator} while ${token} rests on the router`);
    isResting ||= yields;
  }
  return found;
}

/** A call that may fail leaves its money on the router, where anyone can take it. */
function mayFail(findings: Findings, { calls }: Multicall): void {
  const lenient = calls.filter(({ allowFailure }) => allowFailure);
  if (lenient.length > 0)
    findings.cannot('router-failures', 'calls that must all succeed', `${lenient.length} of ${calls.length} may fail`);
}

/** An allowance of the router is only for a contract that the router calls next. */
function allowances(findings: Findings, { calls }: Multicall, steps: readonly RouterStep.RouterStep[]): void {
  const idle = steps.flatMap((step) =>
    step.kind === 'approve' && !calls.some(({ target }) => Address.isEqual(target, step.spender)) ? [step.spender] : [],
  );
  findings.say(
    'router-allowances',
    idle.length === 0,
    'allowances for contracts that are called',
    idle.join(', ') || 'no other',
  );
}

/** A known swap pays the router, or on the same chain the recipient. */
function swaps(findings: Findings, steps: readonly RouterStep.RouterStep[], router: string, facts: Facts): void {
  const { goal, recipient } = facts;
  const receivers = goal.kind === 'deposit' ? [router] : [router, recipient];
  for (const step of steps) {
    if (step.kind !== 'swap') continue;
    const isFor = receivers.some((each) => Address.isEqual(each, step.receiver));
    findings.say('swap-receiver', isFor, receivers.join(' or '), `${step.aggregator} pays ${step.receiver}`);
    if (goal.kind !== 'deposit') continue;
    const holds =
      Address.isEqual(step.to, goal.token) && (goal.minimum === undefined || step.minimum + rounding >= goal.minimum);
    const sum = (amount: bigint, token: string): string => StatedAmount.of(amount, token, facts.currencies);
    const expected = `at least ${goal.minimum === undefined ? `some of ${goal.token}` : sum(goal.minimum, goal.token)}`;
    findings.say('swap-minimum', holds, expected, `${step.aggregator} pays at least ${sum(step.minimum, step.to)}`);
  }
}

/** The service rounds the minimum of a swap: it was seen one unit lower in the calldata than beside it. */
const rounding = 1n;

/**
 * The last thing that the router does is to deposit its whole balance of the currency of the order, for the user and
 * the order. Nothing else leaves it.
 *
 * @returns whether that holds
 */
function deposit(
  findings: Findings,
  steps: readonly RouterStep.RouterStep[],
  { orderId, token }: Goal & { kind: 'deposit' },
  { depository }: Contracts,
  { user }: Facts,
): boolean {
  const last = steps.at(-1);
  const expected = `the router's whole balance of ${token} from ${user} for order ${orderId}`;
  const isWhole =
    last?.kind === 'deposit' &&
    last.amount === 'balance' &&
    Address.isEqual(last.token, token) &&
    Address.isEqual(last.depositor, user) &&
    last.id.toLowerCase() === orderId.toLowerCase();
  const found = last?.kind === 'deposit' ? describeDeposit(last) : `${last?.kind ?? 'nothing'} as the last call`;
  findings.say('router-deposit', isWhole, expected, found);
  if (last?.kind === 'deposit') {
    if (depository === undefined) findings.cannot('depository', 'a depository that ferry knows', last.depository);
    else findings.equal('depository', depository, last.depository);
  }
  const leaving = steps.slice(0, -1).filter(({ kind }) => kind === 'transfer' || kind === 'deposit');
  findings.say(
    'router-payments',
    leaving.length === 0,
    'nothing but the deposit leaves the router',
    leaving.map(describe).join(', ') || 'nothing',
  );
  return isWhole && leaving.length === 0;
}

/** The least that is where it should be, if every call is known. */
type Balance = {
  /** Of the router, by token. */
  router: ReadonlyMap<string, bigint>;
  /** Of the recipient, by token. */
  recipient: ReadonlyMap<string, bigint>;
  /** Whether a call takes more than there is. */
  isOverdrawn: boolean;
};

/** Follows the money through known calls. A deposit of everything is left out: it is checked by itself. */
function follow(
  steps: readonly RouterStep.RouterStep[],
  { input, recipient, contracts }: Facts,
  router: string,
): Balance {
  const own = new Map([[input.token.toLowerCase(), input.amount]]);
  const paid = new Map<string, bigint>();
  let isOverdrawn = false;
  const add = (to: Map<string, bigint>, token: string, amount: bigint): void => {
    const sum = (to.get(token.toLowerCase()) ?? 0n) + amount;
    to.set(token.toLowerCase(), sum);
    if (sum < 0n) isOverdrawn = true;
  };
  const wrapped = contracts.wrapped ?? '';
  for (const step of steps) {
    if (step.kind === 'swap') {
      add(own, step.from, -step.amount);
      if (Address.isEqual(step.receiver, router)) add(own, step.to, step.minimum);
      else if (Address.isEqual(step.receiver, recipient)) add(paid, step.to, step.minimum);
    } else if (step.kind === 'wrap' || step.kind === 'unwrap') {
      const [from, to] = step.kind === 'wrap' ? [Address.native, wrapped] : [wrapped, Address.native];
      add(own, from, -step.amount);
      add(own, to, step.amount);
    } else if (step.kind === 'transfer') {
      const amount = step.amount === 'balance' ? (own.get(step.token.toLowerCase()) ?? 0n) : step.amount;
      add(own, step.token, -amount);
      if (Address.isEqual(step.to, recipient)) add(paid, step.token, amount);
    }
  }
  return { router: own, recipient: paid, isOverdrawn };
}

/** With known calls alone: the goal is reached, and an order's deposit leaves nothing of the input behind. */
function result(
  findings: Findings,
  { router, recipient, isOverdrawn }: Balance,
  { goal, input, currencies }: Facts,
): void {
  const held = (goal.kind === 'deposit' ? router : recipient).get(goal.token.toLowerCase()) ?? 0n;
  const least = goal.minimum === undefined ? 1n : goal.minimum - (goal.kind === 'deposit' ? rounding : 0n);
  findings.say(
    'router-result',
    held >= least && !isOverdrawn,
    `at least ${StatedAmount.of(least, goal.token, currencies)}`,
    isOverdrawn ? 'more is taken than there is' : StatedAmount.of(held, goal.token, currencies),
  );
  if (goal.kind !== 'deposit' || Address.isEqual(goal.token, input.token)) return;
  const left = router.get(input.token.toLowerCase()) ?? 0n;
  const stays = StatedAmount.of(left, input.token, currencies);
  findings.say('router-leftovers', left === 0n, 'nothing of the input stays on the router', stays);
}

/**
 * What is left of the native asset goes to the user's refund address. It may go to the solver if nothing is left: where
 * the calls end by depositing everything for the order.
 */
function leftovers(findings: Findings, { refundTo, nftRecipient }: Multicall, facts: Facts, isComplete: boolean): void {
  const { solvers = [], user, recipient, goal } = facts;
  const isAmong = (list: readonly string[], found: string): boolean =>
    list.some((each) => Address.isEqual(each, found));
  const say = (check: Allowable, allowed: readonly string[], found: string): void => {
    if (!isAmong(allowed, found) && isAmong(solvers, found) && goal.kind === 'payment')
      findings.cannot(check, allowed.join(' or '), `the solver ${found}`);
    else
      findings.say(check, isAmong(isComplete ? [...allowed, ...solvers] : allowed, found), allowed.join(' or '), found);
  };
  say('refund-to', [facts.refundTo], refundTo);
  say('nft-recipient', [...new Set([facts.refundTo, user, recipient])], nftRecipient);
}

/** The bytes for the events name the request; the bytes after the arguments are the id of the order. Both move nothing. */
function attached(findings: Findings, { metadata, suffix }: Multicall, { goal, requestId }: Facts): void {
  const id = requestId.slice(2).toLowerCase();
  const digits = metadata.slice(2);
  // The live service writes the request id backwards, and one byte more.
  if (digits.length === 66) findings.equal('router-metadata', id, [...digits.slice(0, 64)].reverse().join(''));
  else if (digits.length === 64) findings.equal('router-metadata', id, digits);
  else if (digits !== '')
    findings.skip('router-metadata', `${digits.length / 2} bytes of a form that ferry does not know`);
  if (suffix !== undefined) findings.equal('router-suffix', goal.kind === 'deposit' ? goal.orderId : requestId, suffix);
}

function describe(step: RouterStep.RouterStep): string {
  if (step.kind === 'unknown') return `a call of ${step.selector} on ${step.target}`;
  if (step.kind === 'swap') return `a swap by ${step.aggregator}, whose executing contract is not known to be genuine`;
  if (step.kind === 'transfer') return `${step.amount} of ${step.token} to ${step.to}`;
  return step.kind === 'deposit' ? describeDeposit(step) : step.kind;
}

function describeDeposit({ amount, token, depositor, id }: RouterStep.RouterStep & { kind: 'deposit' }): string {
  const what = amount === 'balance' ? "the router's whole balance" : String(amount);
  return `${what} of ${token} from ${depositor} for order ${id}`;
}
