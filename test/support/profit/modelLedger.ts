/**
 * A model of one chain's money: balances, allowances and deposits, and what the known contracts do with them. Where a
 * contract leaves a choice to whoever is called, the model chooses what is worst for the user. Of a contract that nobody
 * knows, it behaves while it is simulated and keeps everything when it is mined.
 */
import {
  type Abi,
  type AbiFunction,
  concat,
  type DecodeFunctionDataReturnType,
  decodeAbiParameters,
  type Hex,
  numberToHex,
  pad,
  parseAbi,
  toEventSelector,
  toFunctionSelector,
} from 'viem';
import { type Address, native } from '../../../src/core/base/Address.js';
import type { Call, Log } from '../../../src/core/ports/Ports.js';
import * as routerCalldata from '../routerCalldata.js';
import { type ChainName, contracts, tokens } from './modelTokens.js';

/** What was deposited for an order, in base units of a token. */
export type Deposit = { depositor: string; id: string; token: string; amount: bigint };

export type Ledger = {
  chain: ChainName;
  /** Base units by token and owner. */
  balances: Map<string, bigint>;
  /** By token, owner and spender. */
  allowances: Map<string, bigint>;
  deposits: Deposit[];
  logs: Log[];
  isSimulated: boolean;
};

/** A call of the chain failed; nothing that it did remains. */
export class Reverted extends Error {}

export const thief: Address = '0x000000000000000000000000000000000badc0de';
/** A contract of the attacker's. */
export const trap: Address = '0x0000000000000000000000000000000000007a90';

const abi = parseAbi([
  'function deposit() payable',
  'function approve(address spender, uint256 amount)',
  'function transfer(address to, uint256 amount)',
  'function withdraw(uint256 amount)',
]);

export const trapAbi = parseAbi(['function spend(address paid, address had, uint256 amount)']);

const topic = {
  Transfer: toEventSelector('event Transfer(address,address,uint256)'),
  Approval: toEventSelector('event Approval(address,address,uint256)'),
  RelayNativeDeposit: toEventSelector('event RelayNativeDeposit(address,uint256,bytes32)'),
  RelayErc20Deposit: toEventSelector('event RelayErc20Deposit(address,address,uint256,bytes32)'),
};

const key = (...parts: readonly string[]): string => parts.join(' ').toLowerCase();
const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

export function create(chain: ChainName): Ledger {
  return { chain, balances: new Map(), allowances: new Map(), deposits: [], logs: [], isSimulated: false };
}

export function copy({ chain, balances, allowances, deposits, isSimulated }: Ledger): Ledger {
  const state = { balances: new Map(balances), allowances: new Map(allowances), deposits: [...deposits] };
  return { chain, ...state, logs: [], isSimulated };
}

export function balance({ balances }: Ledger, owner: string, token: string): bigint {
  return balances.get(key(token, owner)) ?? 0n;
}

export function allowance({ allowances }: Ledger, token: string, owner: string, spender: string): bigint {
  return allowances.get(key(token, owner, spender)) ?? 0n;
}

/** Puts money somewhere out of nothing: what an attacker can afford is no question. */
export function mint(ledger: Ledger, token: string, to: string, amount: bigint): void {
  ledger.balances.set(key(token, to), balance(ledger, to, token) + amount);
  log(ledger, token, 'Transfer', [trap, to, amount]);
}

function move(ledger: Ledger, token: string, from: string, to: string, amount: bigint): void {
  const held = balance(ledger, from, token);
  if (held < amount) throw new Reverted('balance too low');
  ledger.balances.set(key(token, from), held - amount);
  ledger.balances.set(key(token, to), balance(ledger, to, token) + amount);
  log(ledger, token, 'Transfer', [from, to, amount]);
}

function log(
  ledger: Ledger,
  token: string,
  eventName: 'Transfer' | 'Approval',
  [a, b, value]: [string, string, bigint],
): void {
  if (same(token, native)) return;
  const topics = [topic[eventName], pad(a as Hex), pad(b as Hex)];
  ledger.logs.push({ address: token, topics, data: numberToHex(value, { size: 32 }) });
}

function spend(ledger: Ledger, token: string, owner: string, spender: string, to: string, amount: bigint): void {
  const left = allowance(ledger, token, owner, spender) - amount;
  if (left < 0n) throw new Reverted('allowance too low');
  ledger.allowances.set(key(token, owner, spender), left);
  move(ledger, token, owner, to, amount);
}

/** Carries out a transaction: all of it, or nothing. @throws Reverted */
export function transact(ledger: Ledger, call: Call): Log[] {
  const trial = copy(ledger);
  trial.isSimulated = ledger.isSimulated;
  perform(trial, call);
  Object.assign(ledger, { balances: trial.balances, allowances: trial.allowances, deposits: trial.deposits });
  return trial.logs;
}

function perform(ledger: Ledger, { from, to, data, value }: Call): void {
  if (value > 0n) move(ledger, native, from, to, value);
  if (data === '0x') return;
  const known = contracts(ledger.chain);
  if (tokens.some(({ chain, address }) => chain === ledger.chain && same(address, to) && !same(address, native)))
    ofToken(ledger, from, to, data, value);
  else if (same(to, known.approvalProxy)) ofProxy(ledger, from, data, value);
  else if (same(to, known.router)) ofRouter(ledger, from, data, value);
  else if (same(to, known.aggregator)) ofAggregator(ledger, from, data);
  else if (same(to, routerCalldata.allowanceHolder)) ofAllowanceHolder(ledger, from, data);
  else if (same(to, known.depository)) ofDepository(ledger, from, data, value);
  else if (same(to, trap)) ofTrap(ledger, from, data);
}

/** Calldata of one of the functions. The selectors are computed once: they would take longer than all else. */
function decoded<const A extends Abi>(of: A, data: Hex): DecodeFunctionDataReturnType<A> {
  const bySelector = selectorsOf.get(of) ?? new Map(functionsOf(of).map((each) => [toFunctionSelector(each), each]));
  selectorsOf.set(of, bySelector);
  const found = bySelector.get(data.slice(0, 10) as Hex);
  if (!found) throw new Reverted('no such function');
  try {
    const args = decodeAbiParameters(found.inputs, `0x${data.slice(10)}`);
    return { functionName: found.name, args } as unknown as DecodeFunctionDataReturnType<A>;
  } catch {
    throw new Reverted('no such arguments');
  }
}

const selectorsOf = new Map<Abi, Map<Hex, AbiFunction>>();

function functionsOf(of: Abi): AbiFunction[] {
  return of.filter((each): each is AbiFunction => each.type === 'function');
}

function ofToken(ledger: Ledger, from: Address, to: Address, data: Hex, value: bigint): void {
  const { functionName, args } = decoded(abi, data);
  const isWrapped = same(to, contracts(ledger.chain).wrapped);
  if (functionName === 'transfer') move(ledger, to, from, args[0], args[1]);
  else if (functionName === 'approve') {
    ledger.allowances.set(key(to, from, args[0]), args[1]);
    log(ledger, to, 'Approval', [from, args[0], args[1]]);
  } else if (functionName === 'deposit' && isWrapped) mint(ledger, to, from, value);
  else if (functionName === 'withdraw' && isWrapped) {
    move(ledger, to, from, to, args[0]);
    move(ledger, native, to, from, args[0]);
  } else throw new Reverted('no such function');
}

function ofProxy(ledger: Ledger, from: Address, data: Hex, value: bigint): void {
  const { approvalProxy, router } = contracts(ledger.chain);
  const { functionName, args } = decoded(routerCalldata.abi, data);
  if (functionName !== 'transferAndMulticall') throw new Reverted('no such function');
  const [taken, amounts, calls, refundTo] = args;
  taken.forEach((token, index) => {
    spend(ledger, token, from, approvalProxy, router, amounts[index] ?? 0n);
  });
  if (value > 0n) move(ledger, native, approvalProxy, router, value);
  multicallOf(ledger, { calls, refundTo });
}

function ofRouter(ledger: Ledger, from: Address, data: Hex, value: bigint): void {
  const { functionName, args } = decoded(routerCalldata.abi, data);
  const { router } = contracts(ledger.chain);
  const whole = (token: string, amount: bigint): bigint => (amount === 0n ? balance(ledger, router, token) : amount);
  if (functionName === 'multicall') multicallOf(ledger, { calls: args[0], refundTo: args[1] });
  else if (!same(from, router)) throw new Reverted('only in a multicall');
  else if (functionName === 'cleanupErc20s')
    args[0].forEach((token, index) => {
      move(ledger, token, router, args[1][index] ?? router, whole(token, args[2][index] ?? 0n));
    });
  else if (functionName === 'cleanupErc20sViaCall')
    args[0].forEach((token, index) => {
      const to = args[1][index] ?? router;
      ledger.allowances.set(key(token, router, to), whole(token, args[3][index] ?? 0n));
      perform(ledger, { from: router, to, data: args[2][index] ?? '0x', value: 0n });
    });
  else if (functionName === 'cleanupNative') move(ledger, native, router, args[1], whole(native, args[0]));
  else if (functionName === 'cleanupNativeViaCall')
    perform(ledger, { from: router, to: args[1], data: args[2], value: whole(native, args[0]) });
  else if (value === 0n) throw new Reverted('no such function');
}

function multicallOf(ledger: Ledger, { calls, refundTo }: Pick<routerCalldata.Multicall, 'calls' | 'refundTo'>): void {
  const { router } = contracts(ledger.chain);
  for (const { target, allowFailure, value, callData } of calls) {
    const call = { from: router, to: target, data: callData, value };
    if (!allowFailure) perform(ledger, call);
    // What may fail, fails if that is worse: its money stays where anybody can take it.
    else if (ledger.isSimulated) perform(ledger, call);
  }
  move(ledger, native, router, refundTo, balance(ledger, router, native));
}

const alias = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';
const plain = (token: string): string => (same(token, alias) ? native : token);

/** Whoever is handed the input keeps it, and pays what is demanded. */
function ofAggregator(ledger: Ledger, from: Address, data: Hex): void {
  const { functionName, args } = decoded(routerCalldata.abi, data);
  if (functionName !== 'swap') throw new Reverted('no such function');
  const { desc } = args[0];
  const { aggregator } = contracts(ledger.chain);
  const handed = desc.srcAmounts.reduce((sum, each) => sum + each, 0n);
  if (handed > desc.amount) throw new Reverted('more than the amount');
  if (!same(desc.srcToken, alias))
    desc.srcReceivers.forEach((to, index) => {
      spend(ledger, desc.srcToken, from, aggregator, to, desc.srcAmounts[index] ?? 0n);
    });
  // A partial fill makes the minimum a ratio of what is spent, which can be nothing.
  const isPartial = (desc.flags & 1n) !== 0n && !ledger.isSimulated;
  const receiver = same(desc.dstReceiver, native) ? from : desc.dstReceiver;
  mint(ledger, plain(desc.dstToken), receiver, isPartial ? 1n : desc.minReturnAmount);
}

/** It calls whom it is told. A Settler that no registry names pays what it likes. */
function ofAllowanceHolder(ledger: Ledger, from: Address, data: Hex): void {
  const { functionName, args } = decoded(routerCalldata.abi, data);
  if (functionName !== 'exec') throw new Reverted('no such function');
  const [, sold, amount, target, inner] = args;
  spend(ledger, sold, from, routerCalldata.allowanceHolder, target, amount);
  const settled = decoded(routerCalldata.abi, inner);
  if (settled.functionName !== 'execute') throw new Reverted('no such function');
  const [{ recipient, buyToken, minAmountOut }] = settled.args;
  if (ledger.isSimulated) mint(ledger, plain(buyToken), recipient, minAmountOut);
}

function ofTrap(ledger: Ledger, from: Address, data: Hex): void {
  const [paid, had, amount] = decoded(trapAbi, data).args;
  const given = allowance(ledger, paid, from, trap);
  if (given > 0n) spend(ledger, paid, from, trap, trap, given);
  if (ledger.isSimulated) mint(ledger, had, from, amount);
}

function ofDepository(ledger: Ledger, from: Address, data: Hex, value: bigint): void {
  const { depository } = contracts(ledger.chain);
  const deposited = (deposit: Deposit): void => {
    const isNative = same(deposit.token, native);
    if (!isNative) spend(ledger, deposit.token, from, depository, depository, deposit.amount);
    ledger.deposits.push(deposit);
    const { depositor, token, amount, id } = deposit as Deposit & { depositor: Hex; token: Hex; id: Hex };
    const words = [pad(depositor), ...(isNative ? [] : [pad(token)]), numberToHex(amount, { size: 32 }), id];
    const topics = [isNative ? topic.RelayNativeDeposit : topic.RelayErc20Deposit];
    ledger.logs.push({ address: depository, topics, data: concat(words) });
  };
  const selector = data.slice(0, 10);
  if (selector === selectors.native) {
    const { args } = decoded(nativeAbi, data);
    deposited({ depositor: args[0], id: args[1], token: native, amount: value });
  } else if (selector === selectors.amount) {
    const { args } = decoded(routerCalldata.deposits.ofAmount, data);
    deposited({ depositor: args[0], token: args[1], amount: args[2], id: args[3] });
  } else {
    const { args } = decoded(routerCalldata.deposits.ofAllowance, data);
    const amount = allowance(ledger, args[1], from, depository);
    deposited({ depositor: args[0], token: args[1], amount, id: args[2] });
  }
}

const nativeAbi = parseAbi(['function depositNative(address depositor, bytes32 id) payable']);
const selectors = {
  native: toFunctionSelector('function depositNative(address, bytes32)'),
  amount: toFunctionSelector('function depositErc20(address, address, uint256, bytes32)'),
};
