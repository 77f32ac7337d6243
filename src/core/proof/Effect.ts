/** What a plan does on its chain, seen in a simulation of all its transactions, against what it is for. */
import { decodeEventLog, parseAbi } from 'viem/utils';
import * as Address from '../Address.js';
import type { TradeType } from '../Intent.js';
import type { Allowance, Call, Chain, Change, Hex, Holding, Log, Reads, SimulatedCall, Simulation } from '../Ports.js';
import * as Approvals from './Approvals.js';
import { collect, type Finding, type Findings } from './Finding.js';
import * as Movements from './Movements.js';

/** What the transactions are for. The zero address is the native asset; amounts are base units. */
export type Purpose = {
  /** Who signs them. */
  user: Address.Address;
  /** What leaves the user, no more and no less; an exact output may leave some of it over. */
  input: { token: Address.Address; amount: bigint };
  tradeType: TradeType;
  /** A deposit for an order, or a payment on the same chain. */
  result:
    | { kind: 'deposit'; depository: Address.Address; orderId: Hex }
    | { kind: 'payment'; recipient: Address.Address; token: Address.Address; minimum: bigint };
  /** Who may take the input: the depository, the approval proxy. */
  spenders: readonly Address.Address[];
};

/**
 * Simulates the calls; a second time where the first one names the user at a contract that is not being watched yet.
 *
 * @returns undefined where the node cannot simulate
 * @throws chain.* · submit.insufficient-balance
 */
export async function observe(
  calls: readonly Call[],
  purpose: Purpose,
  node: Pick<Chain, 'simulate'>,
): Promise<Simulation | undefined> {
  const first = await node.simulate(calls, reads(purpose, []));
  if (!first) return undefined;
  const wider = reads(purpose, logsOf(first));
  const isEnough =
    wider.balances.length === first.balances.length && wider.allowances.length === first.allowances.length;
  return isEnough ? first : node.simulate(calls, wider);
}

/**
 * What to read: what the purpose speaks of, what the user holds at every contract that names the user in a log, and
 * every allowance that was given.
 */
export function reads(purpose: Purpose, logs: readonly Log[]): Reads {
  const { user, input, result, spenders } = purpose;
  const { native } = Address;
  const named = logs.filter((log) => Movements.isNaming(log, user)).map(({ address }) => address as Address.Address);
  const known = result.kind === 'deposit' ? result.depository : undefined;
  const tokens = [native, input.token, ...named.filter((address) => !isSame(address, known))];
  const holdings: Holding[] = tokens.map((token) => ({ owner: user, token }));
  if (result.kind === 'payment') holdings.push({ owner: result.recipient, token: result.token });
  const own = isSame(input.token, native) ? [] : spenders.map((spender) => ({ token: input.token, spender }));
  const given = Approvals.from(logs, user).filter(({ kind }) => kind === 'amount');
  const allowances: Allowance[] = [...own, ...given].map(({ token, spender }) => ({ owner: user, token, spender }));
  return {
    balances: distinct(holdings, ({ owner, token }) => `${owner} ${token}`),
    allowances: distinct(allowances, ({ token, spender }) => `${token} ${spender}`),
  };
}

/** The findings. Where a transaction fails, nothing else can be said. */
export function check(purpose: Purpose, simulation: Simulation | undefined): Finding[] {
  const findings = collect();
  if (!simulation) {
    findings.cannot('effect', 'a simulation that does what was asked', 'the node cannot simulate');
    return [...findings.list];
  }
  const isDeposit = purpose.result.kind === 'deposit';
  if (success(findings, simulation.calls)) {
    const logs = logsOf(simulation);
    if (isDeposit) deposit(findings, purpose, logs);
    input(findings, purpose, simulation);
    if (!isDeposit) output(findings, purpose, simulation);
    balances(findings, purpose, simulation, logs);
    allowances(findings, purpose, simulation, logs);
  } else {
    const others = [isDeposit ? 'deposit' : 'output', 'input', 'balances', 'allowances'];
    for (const other of others) findings.skip(`effect-${other}`, 'a transaction fails');
  }
  return [...findings.list];
}

function success(findings: Findings, calls: readonly SimulatedCall[]): boolean {
  const failures = calls.flatMap((call, index) =>
    call.status === 'reverted' ? [`transaction ${index + 1} of ${calls.length} fails: ${call.reason}`] : [],
  );
  const found = failures.join('; ') || `${calls.length} of ${calls.length} succeed`;
  findings.say('effect-success', failures.length === 0, 'every transaction succeeds', found);
  return failures.length === 0;
}

const depository = parseAbi([
  'event RelayNativeDeposit(address from, uint256 amount, bytes32 id)',
  'event RelayErc20Deposit(address from, address token, uint256 amount, bytes32 id)',
]);

/** The depository's own word for what it has taken: one deposit, for this order. */
function deposit(findings: Findings, { user, input: { token, amount }, result }: Purpose, logs: readonly Log[]): void {
  if (result.kind !== 'deposit') return;
  const found = logs.filter(({ address }) => isSame(address, result.depository)).flatMap(depositOf);
  const expected = told({ from: user, token, amount, id: result.orderId });
  const holds = found.length === 1 && found[0]?.toLowerCase() === expected.toLowerCase();
  findings.say('effect-deposit', holds, expected, found.join(' and ') || 'no deposit');
}

function depositOf({ topics, data }: Log): string[] {
  try {
    const log = { topics: topics as [Hex, ...Hex[]], data };
    const { args } = decodeEventLog({ abi: depository, ...log });
    return [told('token' in args ? args : { ...args, token: Address.native })];
  } catch {
    return [];
  }
}

function told({ from, token, amount, id }: { from: string; token: string; amount: bigint; id: string }): string {
  return `${amount} of ${nameOf(token)} from ${from} for order ${id}`;
}

function input(findings: Findings, { user, input: { token, amount }, tradeType, result }: Purpose, seen: Simulation) {
  const gain = gainOf(balance(seen, user, token));
  const mayBeLess = tradeType === 'EXACT_OUTPUT' && result.kind === 'payment';
  const expected = `${mayBeLess ? 'at most' : 'exactly'} ${amount} of ${nameOf(token)}`;
  if (gain === undefined) findings.cannot('effect-input', expected, 'a balance that cannot be read');
  else findings.say('effect-input', mayBeLess ? -gain <= amount : -gain === amount, expected, String(-gain));
}

function output(findings: Findings, { result }: Purpose, seen: Simulation): void {
  if (result.kind !== 'payment') return;
  const { recipient, token, minimum } = result;
  const gain = gainOf(balance(seen, recipient, token));
  const expected = `at least ${minimum} of ${nameOf(token)} for ${recipient}`;
  if (gain === undefined) findings.cannot('effect-output', expected, 'a balance that cannot be read');
  else findings.say('effect-output', gain >= minimum, expected, String(gain));
}

/** Nothing but the input leaves the user: by the balances where they can be read, else by the logs. */
function balances(
  findings: Findings,
  { user, input: { token: paid } }: Purpose,
  seen: Simulation,
  logs: readonly Log[],
) {
  const losses: string[] = [];
  const readable: string[] = [];
  for (const { owner, token, ...change } of seen.balances) {
    const gain = gainOf(change);
    if (!isSame(owner, user) || gain === undefined) continue;
    readable.push(token.toLowerCase());
    if (gain < 0n && !isSame(token, paid)) losses.push(`${-gain} of ${nameOf(token)}`);
  }
  for (const { token, what, gain } of Movements.from(logs, user)) {
    const isRead = readable.includes(token.toLowerCase());
    if (gain < 0n && !isSame(token, paid) && (what !== 'amount' || !isRead))
      losses.push(what === 'amount' ? `${-gain} of ${token}` : `${what} of ${token}`);
  }
  findings.say(
    'effect-balances',
    losses.length === 0,
    'no other balance of the user falls',
    losses.join(' and ') || 'none falls',
  );
}

/** Nobody may take more of the input than before, and nobody anything else. */
function allowances(
  findings: Findings,
  { user, input: { token: paid }, spenders }: Purpose,
  seen: Simulation,
  logs: readonly Log[],
) {
  const isKnown = ({ token, spender }: { token: string; spender: string }): boolean =>
    isSame(token, paid) && spenders.some((known) => isSame(known, spender));
  const left: string[] = [];
  const unread: string[] = [];
  for (const allowance of seen.allowances) {
    const { token, spender, before, after } = allowance;
    const most = isKnown(allowance) ? before : 0n;
    if (most === undefined || after === undefined) unread.push(`${spender} for ${token}`);
    else if (after > most) left.push(`${spender} may take ${after} of ${token}`);
  }
  for (const { kind, token, spender, value } of Approvals.from(logs, user)) {
    const isRead = seen.allowances.some((read) => isSame(read.token, token) && isSame(read.spender, spender));
    if (value !== 0n && !(kind === 'amount' && isRead)) left.push(`${spender} may take ${kind} ${value} of ${token}`);
  }
  const expected = 'no further allowance of the user';
  if (left.length === 0 && unread.length > 0)
    findings.cannot('effect-allowances', expected, `unreadable: ${unread.join(', ')}`);
  else findings.say('effect-allowances', left.length === 0, expected, left.join(' and ') || 'none');
}
