/** Checks a plan's effect on its chain: simulates all its transactions and compares the result with their purpose. */

import * as Address from '../base/Address.js';
import type { Hex } from '../base/Hex.js';
import type { Call, Chain, Change, Circumstances, Log, Reads, SimulatedCall, Simulation } from '../ports/Ports.js';
import { collect, type Finding, type Findings } from '../quote/Finding.js';
import * as StatedAmount from '../quote/StatedAmount.js';
import type { TradeType } from '../quote/TransferIntent.js';
import * as DepositEvent from './DepositEvent.js';
import * as TokenLogs from './TokenLogs.js';

/** The purpose of the transactions. The zero address is the native asset; amounts are in base units. */
export type Purpose = {
  /** The account that signs the transactions. */
  user: Address.Address;
  /** What leaves the user: exactly this amount, or at most this amount for a payment with an exact output. */
  input: { token: Address.Address; amount: bigint };
  tradeType: TradeType;
  result: Deposit | Payment;
  /** The contracts that may spend the input: the depository, the approval proxy. */
  spenders: readonly Address.Address[];
  /** The currencies of the chain that the answer states, to show amounts in their units. */
  currencies?: readonly StatedAmount.Currency[] | undefined;
};

/** A deposit for an order: of exactly `amount`, or of at least `minimum` where a swap yields it. In base units. */
export type Deposit = { kind: 'deposit'; depository: Address.Address; orderId: Hex; token: Address.Address } & (
  | { amount: bigint; minimum?: never }
  | { minimum: bigint; amount?: never }
);

/** A payment on the same chain. */
export type Payment = { kind: 'payment'; recipient: Address.Address; token: Address.Address; minimum: bigint };

/**
 * Simulates the calls. Simulates them again if the first run shows that more balances or allowances must be read.
 *
 * @param as the circumstances of the transactions that would be sent; without them gas is free
 * @returns undefined if the node does not support simulation
 * @throws chain.* · submit.insufficient-balance
 */
export async function observe(
  calls: readonly Call[],
  purpose: Purpose,
  node: Pick<Chain, 'simulate'>,
  as?: Circumstances | undefined,
): Promise<Simulation | undefined> {
  const first = await node.simulate(calls, reads(purpose, []), as);
  if (!first) return undefined;
  const wider = reads(purpose, logsOf(first));
  const isWider = wider.balances.length > first.balances.length || wider.allowances.length > first.allowances.length;
  return isWider ? node.simulate(calls, wider, as) : first;
}

/**
 * Compares a simulation with the purpose. Without a simulation the only finding is `effect`. If a transaction fails, the
 * other checks are skipped.
 *
 * @param gas most that the user pays for gas in the simulation, in wei: by so much its native balance may be lower
 * @param witness who shows the effect without a simulation
 */
export function check(
  own: Purpose,
  simulation: Simulation | undefined,
  { gas = 0n, witness }: { gas?: bigint; witness?: string } = {},
): Finding[] {
  const findings = collect();
  const purpose = { ...own, gas };
  const { result } = purpose;
  if (!simulation)
    findings.cannot('effect', 'a simulation that confirms the effect', 'a node that cannot simulate', witness);
  else if (success(findings, simulation.calls)) {
    const seen: LoggedSimulation = { ...simulation, logs: logsOf(simulation) };
    if (result.kind === 'deposit') deposit(findings, purpose, result, seen);
    input(findings, purpose, seen);
    if (result.kind === 'payment') output(findings, purpose, result, seen);
    balances(findings, purpose, seen);
    allowances(findings, purpose, seen);
  } else {
    const others = result.kind === 'deposit' ? ['deposit', 'input'] : ['input', 'output'];
    for (const other of [...others, 'balances', 'allowances']) findings.skip(`effect-${other}`, 'a transaction fails');
  }
  return [...findings.list];
}

/**
 * The balances and allowances to read: those of the purpose and, given logs, the user's balance at every contract that
 * emitted a log naming the user, and every allowance that the user grants.
 */
function reads({ user, input: { token: paid }, result, spenders }: Purpose, logs: readonly Log[]): Reads {
  const naming = logs.filter((log) => TokenLogs.isNaming(log, user)).map(({ address }) => address as Address.Address);
  const tokens = naming.filter((token) => result.kind !== 'deposit' || !Address.isEqual(token, result.depository));
  const balances = [Address.native, paid, ...tokens].map((token) => ({ owner: user, token }));
  if (result.kind === 'payment') balances.push({ owner: result.recipient, token: result.token });
  const own = Address.isEqual(paid, Address.native) ? [] : spenders.map((spender) => ({ token: paid, spender }));
  const given = TokenLogs.approvals(logs, user).filter(({ isReadable }) => isReadable);
  const allowances = [...own, ...given].map(({ token, spender }) => ({ owner: user, token, spender }));
  return {
    balances: distinct(balances, ({ owner, token }) => `${owner} ${token}`),
    allowances: distinct(allowances, ({ token, spender }) => `${token} ${spender}`),
  };
}

type LoggedSimulation = Simulation & { logs: readonly Log[] };

function logsOf({ calls }: Simulation): Log[] {
  return calls.flatMap((call) => (call.status === 'success' ? call.logs : []));
}

function success(findings: Findings, calls: readonly SimulatedCall[]): boolean {
  const failures = calls.flatMap((call, index) =>
    call.status === 'reverted' ? [`transaction ${index + 1} of ${calls.length} fails: ${call.reason}`] : [],
  );
  const found = failures.join('; ') || `${calls.length} of ${calls.length} succeed`;
  findings.say('effect-success', failures.length === 0, 'every transaction succeeds', found);
  return failures.length === 0;
}

/** The depository's events must show exactly one deposit, for this order. */
function deposit(
  findings: Findings,
  { user, currencies }: Purpose,
  { depository, orderId, token, amount, minimum }: Deposit,
  seen: LoggedSimulation,
): void {
  const found = DepositEvent.inReceipt(seen, { contracts: { depository } });
  const [first, ...more] = found;
  const holds =
    first !== undefined &&
    more.length === 0 &&
    Address.isEqual(first.from, user) &&
    Address.isEqual(first.token, token) &&
    first.id.toLowerCase() === orderId.toLowerCase() &&
    (amount === undefined ? first.amount >= minimum : first.amount === amount);
  const describe = ({ from, id, ...paid }: DepositEvent.Deposit): string =>
    `${StatedAmount.of(paid.amount, paid.token, currencies)} from ${from} for order ${id}`;
  const expected = describe({ token, amount: amount ?? minimum, from: user, id: orderId });
  findings.say(
    'effect-deposit',
    holds,
    amount === undefined ? `at least ${expected}` : expected,
    found.map(describe).join(' and ') || 'no deposit',
  );
}

/** A purpose, and most that the user pays for gas. */
type Simulated = Purpose & { gas: bigint };

function input(
  findings: Findings,
  { user, input: paid, tradeType, result, currencies, gas }: Simulated,
  seen: LoggedSimulation,
): void {
  const gain = gainOf(seen, user, paid.token);
  const besides = Address.isEqual(paid.token, Address.native) ? gas : 0n;
  const mayBeLess = tradeType === 'EXACT_OUTPUT' && result.kind === 'payment';
  const expected = `${mayBeLess ? 'at most' : 'exactly'} ${StatedAmount.of(paid.amount, paid.token, currencies)} leaves ${user}`;
  if (gain === undefined) findings.cannot('effect-input', expected, unreadable);
  else
    findings.say(
      'effect-input',
      -gain <= paid.amount + besides && (mayBeLess || -gain >= paid.amount),
      expected,
      StatedAmount.of(-gain, paid.token, currencies),
    );
}

function output(
  findings: Findings,
  { user, currencies, gas }: Simulated,
  { recipient, token, minimum }: Payment,
  seen: LoggedSimulation,
): void {
  const gain = gainOf(seen, recipient, token);
  const less = Address.isEqual(token, Address.native) && Address.isEqual(recipient, user) ? gas : 0n;
  const expected = `at least ${StatedAmount.of(minimum, token, currencies)} reaches ${recipient}`;
  if (gain === undefined) findings.cannot('effect-output', expected, unreadable);
  else findings.say('effect-output', gain + less >= minimum, expected, StatedAmount.of(gain, token, currencies));
}

const unreadable = 'a balance that cannot be read';

/** Nothing but the input leaves the user: by balances, and by logs for tokens whose balance cannot be read. */
function balances(findings: Findings, { user, input: paid, currencies, gas }: Simulated, seen: LoggedSimulation): void {
  const isOther = (token: string): boolean => !Address.isEqual(token, paid.token);
  const read = seen.balances.filter(({ owner, token }) => Address.isEqual(owner, user) && isOther(token));
  const moved = TokenLogs.movements(seen.logs, user).filter(
    ({ token, id }) => id !== undefined || (isOther(token) && gainOf(seen, user, token) === undefined),
  );
  const losses = [
    ...read.map(({ token, ...change }) => {
      const gain = difference(change) ?? 0n;
      return { token, id: undefined, gain: Address.isEqual(token, Address.native) && -gain <= gas ? 0n : gain };
    }),
    ...moved,
  ]
    .filter(({ gain }) => gain < 0n)
    .map(({ token, id, gain }) => (id === undefined ? StatedAmount.of(-gain, token, currencies) : `${id} of ${token}`));
  const expected = 'no other balance of the user falls';
  if (losses.length === 0 && gainOf(seen, user, Address.native) === undefined)
    findings.cannot('effect-balances', expected, unreadable);
  else findings.say('effect-balances', losses.length === 0, expected, losses.join(' and ') || 'none falls');
}

/** Afterwards the known spenders have no larger allowance of the input than before, and no other spender has any. */
function allowances(findings: Findings, { user, input: paid, spenders }: Purpose, seen: LoggedSimulation): void {
  const isOwn = ({ token, spender }: { token: string; spender: string }): boolean =>
    Address.isEqual(token, paid.token) && spenders.some((known) => Address.isEqual(known, spender));
  const readable = seen.allowances.filter(({ before, after }) => before !== undefined && after !== undefined);
  const isRead = (given: { token: string; spender: string }): boolean =>
    readable.some(
      ({ token, spender }) => Address.isEqual(token, given.token) && Address.isEqual(spender, given.spender),
    );
  const left = readable
    .filter((each) => (each.after ?? 0n) > (isOwn(each) ? (each.before ?? 0n) : 0n))
    .map(({ token, spender, after }) => ({ token, spender, what: String(after) }));
  const given = TokenLogs.approvals(seen.logs, user).filter(
    (each) => each.value !== 0n && !(each.isReadable && (isRead(each) || isOwn(each))),
  );
  const found = [...left, ...given].map(({ token, spender, what }) => `${spender} may spend ${what} of ${token}`);
  const expected = 'no further allowance of the user';
  if (found.length === 0 && seen.allowances.some((each) => isOwn(each) && !isRead(each)))
    findings.cannot('effect-allowances', expected, 'an allowance that cannot be read');
  else findings.say('effect-allowances', found.length === 0, expected, found.join(' and ') || 'none');
}

/** The change of an owner's balance; undefined if it was not read. */
function gainOf({ balances: read }: Simulation, owner: string, token: string): bigint | undefined {
  const found = read.find((each) => Address.isEqual(each.owner, owner) && Address.isEqual(each.token, token));
  return found && difference(found);
}

function difference({ before, after }: Change): bigint | undefined {
  return before === undefined || after === undefined ? undefined : after - before;
}

function distinct<T>(all: readonly T[], keyOf: (each: T) => string): T[] {
  return [...new Map(all.map((each) => [keyOf(each).toLowerCase(), each])).values()];
}
