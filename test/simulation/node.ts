/** A node of a chain, as a client sees it: honest, behind, silent, or a liar. */

import { decodeFunctionData, pad, parseAbi, toHex } from 'viem/utils';
import { BaseError } from '../../src/core/base/Errors.js';
import type { Hex } from '../../src/core/base/Hex.js';
import type { Chain, Change, Holding, Receipt, SimulatedCall } from '../../src/core/ports/Ports.js';
import { broadcast } from '../../src/io/chain/broadcast.js';
import { type Rpc, RpcError } from '../../src/io/chain/jsonRpc.js';
import { NetworkError } from '../../src/io/http/networkError.js';
import * as abi from '../../src/sandbox/values/abi.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { type Block, type Blockchain, isDeposit, lowTip, type Mined, outcome, type Transaction } from './blockchain.js';
import type { Client } from './client.js';
import { addressOf, type Contracts, isSubmittable } from './contracts.js';
import { keys } from './ledger.js';
import { network } from './market.js';
import type { Random } from './random.js';
import type { Trouble } from './trouble.js';

/** A node, and what it keeps to itself. */
export type Node = {
  host: string;
  chain: Blockchain;
  /** Transactions that it was given and has not passed on. */
  held: Transaction[];
  /** Everything that it was given, and the block that it was shown then. */
  given: Map<Hex, { transaction: Transaction; block: Block }>;
  /** Whether it is believed alone, as the sandbox's is. */
  isOwn: boolean;
};

export type Surroundings = {
  client: Client;
  random: Random;
  trouble: Trouble;
  /** What a signed transaction says. */
  read(signed: Hex): Transaction;
  /** Called when signed bytes have left the process. */
  left(signed: Hex): void;
  /** Lets something happen later, whatever becomes of the client. */
  later(ms: number, act: () => void): void;
};

/** How long a client waits for a node that does not answer. */
const patienceMs = 4_000;

export function connect(node: Node, { client, random, trouble, read, left, later }: Surroundings): Chain {
  const { chain, host } = node;
  const { ledger } = chain;

  /** The latest block that the node shows. */
  const seen = (): Block => {
    const behind = trouble.during(host, 'is behind')?.size ?? 0;
    return chain.blocks.at(Math.max(0, chain.blocks.length - 1 - behind)) ?? chain.tip();
  };
  const blockAt = (number: bigint): Block => {
    const found = chain.blocks.find((block) => block.number === number);
    if (!found || found.number > seen().number)
      throw failure('chain.refused', `${host} does not have block ${number}.`);
    return found;
  };
  const valueAt = (key: string, block: bigint | undefined): bigint =>
    ledger.at(key, (block === undefined ? seen() : blockAt(block)).after);
  /** The time of a block, as the node says it. */
  const timeOf = (timestamp: bigint): bigint => {
    const lie = trouble.during(host, 'says that it is later') ?? trouble.during(chain.name, 'says that it is later');
    return timestamp + BigInt(lie?.size ?? 0);
  };
  const ask = <T>(act: () => T): Promise<T> => {
    if (trouble.during(host, 'is down') || trouble.during(host, 'is silent'))
      return client.ask(2 * patienceMs, () => {
        throw failure('chain.unreachable', `${host} does not answer.`);
      });
    return client.ask(random.between(4, 60), act);
  };

  const estimated = (gas: bigint): bigint => gas * BigInt(trouble.during(host, 'estimates too much')?.size ?? 1);

  const minedNonceOf = (owner: string, block: bigint | undefined): number => {
    const honest = Number(valueAt(keys.nonce(lower(owner)), block));
    if (block === undefined && trouble.during(host, 'says that a nonce is used')) return honest + 1;
    if (block === undefined && trouble.during(host, 'says that a nonce is free')) return Math.max(0, honest - 1);
    return honest;
  };
  const pendingNonceOf = (owner: string): number => {
    const honest = Number(valueAt(keys.nonce(lower(owner)), undefined));
    let next = trouble.during(host, 'says that a nonce is free') ? Math.max(0, honest - 1) : honest;
    const waiting = [...chain.pending(), ...node.held].filter(({ from }) => from === lower(owner));
    while (waiting.some(({ nonce }) => nonce === next)) next += 1;
    return next;
  };
  const transactionOf = (hash: Hex): Transaction | undefined => {
    const shown = minedAt(hash)?.transaction;
    return shown ?? [...chain.pending(), ...node.held].find((each) => each.hash === hash);
  };
  const minedAt = (hash: Hex): Mined | undefined => {
    const found = chain.mined(hash);
    return found && found.blockNumber <= seen().number ? found : undefined;
  };
  const isHiding = (hash: Hex): boolean =>
    trouble.during(host, 'hides transactions') !== undefined ||
    (isDeposit(chain.mined(hash)) && trouble.during(host, 'says that another took a nonce') !== undefined);

  const receiptOf = (hash: Hex): Receipt | undefined => {
    if (isHiding(hash)) return undefined;
    const mined = minedAt(hash);
    const waiting = mined ? undefined : transactionOf(hash);
    if (waiting && trouble.during(host, 'invents a receipt')) return invented(waiting, seen(), host);
    const given = mined ? undefined : node.given.get(hash);
    if (given && trouble.during(host, 'shows everything as mined'))
      return invented(given.transaction, given.block, host);
    if (!mined) return undefined;
    const honest = toReceipt(mined, host);
    return trouble.during(host, 'says that it reverted') ? { ...honest, status: 'reverted', logs: [] } : honest;
  };

  /** The node gives no answer, though it may have the question. */
  const silence = (arrived: 'maybe' | 'no' = 'maybe'): NetworkError =>
    new NetworkError('timeout', { explanation: `${host} gave no answer`, arrived });
  const refusal = (words: string): RpcError =>
    new RpcError({ code: -32_000, words, data: undefined, status: undefined, waitMs: undefined });

  const take = (signed: Hex): Hex => {
    const transaction = read(signed);
    const { hash } = transaction;
    node.given.set(hash, { transaction, block: seen() });
    const fault = trouble.at(host, 'broadcast');
    const submit = (): void => {
      if (!chain.submit(transaction) && !chain.mined(hash)) throw refusal('nonce too low, or underpriced');
    };
    const hold = (): void => {
      node.held.push(transaction);
      later(fault?.size ?? 0, () => {
        node.held = node.held.filter((each) => each !== transaction);
        chain.submit(transaction);
      });
    };
    switch (fault?.what) {
      case undefined:
        submit();
        return hash;
      case 'loses the answer':
        submit();
        throw silence();
      case 'loses the transaction':
        throw silence();
      case 'refuses, and sends it later':
        hold();
        throw refusal('insufficient funds for gas * price + value');
      case 'refuses, and sends it in secret':
        later(fault.size ?? 0, () => chain.submit(transaction));
        throw refusal('insufficient funds for gas * price + value');
      case 'holds it back':
        hold();
        return hash;
      case 'takes and forgets it':
        submit();
        later(300, () => chain.drop(hash));
        return hash;
      default:
        throw new Error(`a node does not do this: ${fault?.what}`);
    }
  };

  /** What the program's own broadcast asks of a node. */
  const rpc: Rpc = {
    request: ({ method, params }) => {
      const [what] = params as [Hex];
      if (trouble.during(host, 'is down'))
        return client.ask(2 * patienceMs, () => {
          throw silence('no');
        });
      if (method === 'eth_sendRawTransaction') left(what);
      if (trouble.during(host, 'is silent'))
        return client.ask(2 * patienceMs, () => {
          throw silence();
        });
      if (method === 'eth_sendRawTransaction') return client.ask(random.between(4, 120), () => take(what));
      return ask(() => !isHiding(what) && transactionOf(what));
    },
  };
  const described = network.chains.find(({ name }) => name === chain.name);
  if (!described) throw new Error(`the network has no chain ${chain.name}`);
  const place = { network: network.name, chain: described, rpcUrl: `https://${host.replace(' ', '-')}.example` };

  const balanceOf = ({ owner, token }: Holding): string =>
    BigInt(token) === 0n ? keys.native(lower(owner)) : keys.token(lower(token), lower(owner));

  return {
    isOwn: async () => node.isOwn,
    chainId: () => ask(() => chain.contracts.chainId),
    tip: () => ask(() => ({ number: seen().number, timestamp: timeOf(seen().timestamp) })),
    blockTime: (block) => ask(() => blockAt(block).timestamp),
    balance: (owner, token, block) => ask(() => valueAt(balanceOf({ owner, token }), block)),
    allowance: (token, owner, spender) =>
      ask(() => {
        if (trouble.during(host, 'says that everything is allowed')) return 2n ** 128n;
        return valueAt(keys.allowance(lower(token), lower(owner), lower(spender)), undefined);
      }),
    token: () => Promise.reject(new Error('every token of the model is shipped')),
    round: () => ask(() => ({ answer: 2_500n * 10n ** 8n, startedAt: seen().timestamp, updatedAt: seen().timestamp })),
    code: (address) =>
      ask(() => {
        const isOwner = lower(address) === lower(accounts.dev0.address);
        if (isOwner && trouble.during(chain.name, 'says that it is delegated'))
          return codeOf(BigInt(chain.contracts.batchExecutor));
        const isContract = lower(address) === chain.contracts.depositImplementation;
        if (isContract || valueAt(keys.created(lower(address)), undefined) > 0n) return '0x60';
        return codeOf(valueAt(keys.delegate(lower(address)), undefined));
      }),
    batchSequence: (owner) =>
      ask(() => {
        const lie = trouble.during(host, 'says that a sequence is used');
        return valueAt(keys.sequence(lower(owner)), undefined) + (lie ? 1n : 0n);
      }),
    finalizedSequence: (owner) =>
      ask(() => {
        const { after, timestamp } = chain.finalized();
        return {
          sequence: ledger.at(keys.sequence(lower(owner)), after),
          timestamp: timeOf(timestamp),
          witnesses: [host],
        };
      }),
    read: ({ to, data }) =>
      ask(() => {
        if (lower(to) === chain.contracts.depositFactory) return factoryView(data, chain.contracts);
        return viewOf(to, data, (key) => valueAt(key, undefined));
      }),
    finalizedRead: ({ to, data }) =>
      ask(() => {
        const { after, timestamp } = chain.finalized();
        return {
          result: viewOf(to, data, (key) => ledger.at(key, after)),
          timestamp: timeOf(timestamp),
          witnesses: [host],
        };
      }),
    nonce: (owner) => ask(() => pendingNonceOf(owner)),
    minedNonce: (owner, block) => ask(() => minedNonceOf(owner, block)),
    knows: (hash) => ask(() => !isHiding(hash) && transactionOf(hash) !== undefined),
    transaction: (hash) =>
      ask(() => {
        const found = isHiding(hash) ? undefined : transactionOf(hash);
        return found && { from: found.from as Hex, to: found.to as Hex, data: found.data, value: found.value };
      }),
    usedNonce: (owner, nonce) =>
      ask(() => {
        if (minedNonceOf(owner, undefined) <= nonce) return { state: 'free' };
        const shown = chain.blocks.filter(({ number }) => number <= seen().number).flatMap(({ mined }) => mined);
        const found = trouble.during(host, 'says that another took a nonce')
          ? shown.findLast((each) => !isDeposit(each))
          : shown.find(
              ({ transaction: { from, nonce: own, delegation } }) =>
                (from === lower(owner) && own === nonce) ||
                (delegation?.account === lower(owner) && delegation.nonce === nonce),
            );
        if (!found) return { state: 'used' };
        const { hash, to, data, value } = found.transaction;
        return { state: 'found', hash, to: to as Hex, data, value };
      }),
    gasPrice: () =>
      ask(() => {
        const baseFeePerGas = seen().baseFee * BigInt(trouble.during(host, 'says that gas is dear')?.size ?? 1);
        const tip = BigInt(trouble.during(host, 'asks for a high tip')?.size ?? 1) * lowTip;
        const fees = { maxFeePerGas: 2n * baseFeePerGas + tip, maxPriorityFeePerGas: tip };
        return { ...fees, baseFeePerGas, timestamp: timeOf(seen().timestamp) };
      }),
    estimateGas: ({ from, to, data, value }) =>
      ask(() => {
        const { gas, logs, why } = chain.rehearse((place) =>
          outcome({ from: lower(from), to: lower(to), data, value }, place),
        );
        if (!logs) throw failure('submit.simulation', `It would revert: ${why}.`);
        return estimated(gas);
      }),
    broadcast: (signed) => broadcast(signed, { rpc, node: place, clock: client.clock, signal: client.signal }),
    receipt: (hash) => ask(() => receiptOf(hash)),
    simulate: (calls, { balances, allowances }, as) =>
      ask(() =>
        chain.rehearse((place) => {
          const { delegation } = as ?? {};
          if (delegation) {
            place.ledger.set(keys.delegate(lower(delegation.account)), BigInt(delegation.delegate));
            // Whoever is asked about what was signed has it.
            for (const { data } of calls) if (isSubmittable(data)) left(data);
          }
          const wanted = [
            ...balances.map(balanceOf),
            ...allowances.map(({ token, owner, spender }) =>
              keys.allowance(lower(token), lower(owner), lower(spender)),
            ),
          ];
          const before = wanted.map((key) => ledger.get(key));
          const done = calls.map(({ from, to, data, value }, index): SimulatedCall => {
            const start = ledger.mark();
            const call = { from: lower(from), to: lower(to), data, value, gas: as?.gas[index] };
            const { gas, logs, why = '' } = outcome(call, place);
            if (logs) return { status: 'success', gasUsed: estimated(gas), logs };
            ledger.undo(start);
            return { status: 'reverted', gasUsed: gas, reason: why };
          });
          const change = (index: number): Change => ({ before: before[index], after: ledger.get(wanted[index] ?? '') });
          return {
            calls: done,
            balances: balances.map((holding, index) => ({ ...holding, ...change(index) })),
            allowances: allowances.map((each, index) => ({ ...each, ...change(balances.length + index) })),
          };
        }),
      ),
    trace: () => ask(() => undefined),
    traceCall: () => ask(() => undefined),
  };
}

function toReceipt(
  { transaction, status, blockNumber, gasUsed, effectiveGasPrice, logs }: Mined,
  host: string,
): Receipt {
  const { hash, from } = transaction;
  const fee = gasUsed * effectiveGasPrice;
  return { hash, from: from as Hex, status, blockNumber, gasUsed, effectiveGasPrice, fee, logs, witnesses: [host] };
}

/** A receipt of what is not mined. */
function invented({ hash, from }: Transaction, { number }: Block, host: string): Receipt {
  const price = { gasUsed: 50_000n, effectiveGasPrice: 1n, fee: 50_000n };
  return { hash, from: from as Hex, status: 'success', blockNumber: number, ...price, logs: [], witnesses: [host] };
}

function codeOf(delegate: bigint): Hex {
  return delegate === 0n ? '0x' : `0xef0100${toHex(delegate, { size: 20 }).slice(2)}`;
}

const views = parseAbi([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function nonces(address owner) view returns (uint256)',
]);

function viewOf(to: Hex, data: Hex, valueAt: (key: string) => bigint): Hex {
  if (data === '0x') return '0x';
  const { functionName, args } = decodeFunctionData({ abi: views, data });
  if (functionName === 'nonces') return toHex(0n, { size: 32 });
  const [owner, nonce] = args;
  return toHex(valueAt(keys.authorization(lower(to), lower(owner), nonce)), { size: 32 });
}

/** What the factory of deposit addresses says of itself and of an order. */
function factoryView(data: Hex, contracts: Contracts): Hex {
  const { functionName, args } = decodeFunctionData({ abi: abi.depositFactory, data });
  if (functionName === 'DEPOSITORY') return pad(contracts.depository as Hex);
  if (functionName === 'IMPLEMENTATION') return pad(contracts.depositImplementation as Hex);
  const [id, depositor] = args as unknown as [Hex, Hex];
  return pad(addressOf(id, depositor, contracts));
}

export function failure(code: ConstructorParameters<typeof BaseError>[0], message: string): BaseError {
  return new BaseError(code, message);
}

function lower(text: string): string {
  return text.toLowerCase();
}
