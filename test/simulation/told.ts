/** What is told of a run that is the same on the model and on the real sandbox: without hashes, ids, signatures and times. */

import type { Abi } from 'viem';
import { decodeFunctionData, size } from 'viem/utils';
import type { Hex } from '../../src/core/base/Hex.js';
import * as abi from '../../src/sandbox/values/abi.js';
import { deployments } from '../../src/sandbox/values/deployment.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { contractsOf } from './market.js';
import type { Word } from './program.js';

/** The events and the end of each command, and the transactions on the origin chain. */
export type Told = { words: readonly string[]; transactions: readonly string[] };

export function toldOf(words: readonly Word[], mined: readonly Sent[], owner: string): Told {
  return {
    words: words.map(({ told, funds, code }) => [...ordered(told), `${funds} (${code})`].join(', ')),
    transactions: inWords(mined, owner),
  };
}

/** What an event says apart from names and amounts: nothing if how often it comes depends on how long something takes. */
export function toldBy({ type, action }: { type: string; action?: string }): string[] {
  if (['status', 'waiting', 'asking'].includes(type)) return [];
  return [action === undefined ? type : `${type} ${action}`];
}

/** The same with what is about the deposit last: which of two transactions a node takes first depends on the node. */
function ordered(told: readonly string[]): string[] {
  const isLast = (each: string): boolean => each.endsWith(' deposit');
  return [...told.filter((each) => !isLast(each)), ...told.filter(isLast)];
}

export type Sent = { from: string; to: string; data: Hex; value: bigint; nonce: number };

/** What an account has sent and what the service has sent for it, in the order in which it was mined. */
function inWords(mined: readonly Sent[], owner: string): string[] {
  const names = namesFor(owner);
  const nameOf = (address: string): string => names.get(address.toLowerCase()) ?? 'somebody';
  return mined.flatMap(({ from, to, data, value, nonce }) => {
    const who = nameOf(from);
    if (who !== 'owner' && who !== 'relayer') return [];
    // The service's own nonces are not the account's.
    const place = who === 'owner' ? `${who} ${nonce}` : who;
    return [`${place}: ${nameOf(to)} with ${value}, ${size(data)} bytes: ${textOf(data, nameOf)}`];
  });
}

function namesFor(owner: string): ReadonlyMap<string, string> {
  const { chainId: _, tokens: __, ...contracts } = contractsOf('alpha');
  const { tokens } = deployments.alpha;
  return new Map([
    ...Object.entries(contracts).map(([name, address]) => [address, name] as const),
    ...Object.entries(tokens).map(([name, { address }]) => [address.toLowerCase(), name] as const),
    ...Object.entries(accounts).map(([name, { address }]) => [address.toLowerCase(), name] as const),
    [owner.toLowerCase(), 'owner'],
  ]);
}

const known: Abi = [...abi.token, ...abi.depository, ...abi.router, ...abi.approvalProxy, ...abi.batchExecutor];

/** A value of calldata. What is decoded is told by its function and its arguments. */
function textOf(value: unknown, nameOf: (address: string) => string): string {
  if (typeof value === 'bigint') return value > 1_700_000_000n && value < 2_000_000_000n ? 'a time' : String(value);
  if (Array.isArray(value)) return `[${value.map((each) => textOf(each, nameOf)).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .filter(([key]) => key !== 'v')
      .map(([key, each]) => `${key}: ${textOf(each, nameOf)}`)
      .join(', ')}}`;
  if (typeof value !== 'string' || !value.startsWith('0x')) return String(value);
  const bytes = size(value as Hex);
  if (bytes === 20) return nameOf(value);
  if (bytes < 4 || bytes === 32) return `${bytes} bytes`;
  try {
    const { functionName, args = [] } = decodeFunctionData({ abi: known, data: value as Hex });
    return `${functionName}(${args.map((each) => textOf(each, nameOf)).join(', ')})`;
  } catch {
    return `${bytes} bytes`;
  }
}
