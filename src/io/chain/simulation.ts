/** Simulates calls on a node with `eth_simulateV1` and reads the balances and allowances they change. */

import { encodeFunctionData, erc20Abi, toHex } from 'viem';
import * as z from 'zod/mini';
import * as Address from '../../core/base/Address.js';
import type { Hex } from '../../core/base/Hex.js';
import type { Call, Change, Circumstances, Reads, SimulatedCall, Simulation } from '../../core/ports/Ports.js';
import * as Revert from '../../core/trace/Revert.js';
import { type Node, sanitize } from './chainError.js';
import { type Rpc, RpcError } from './jsonRpc.js';

/**
 * Runs the calls in order on the latest state, with the reads before and after them. Without circumstances gas is free,
 * so a native balance changes only by the value sent.
 *
 * @param options.seen the latest block as the node said a moment ago
 * @returns undefined if the node does not support `eth_simulateV1`
 * @throws whatever the request to the node throws, and an error if its response is not a valid simulation
 */
export async function simulate(
  calls: readonly Call[],
  { balances, allowances }: Reads,
  {
    rpc,
    node,
    as,
    nowMs,
    seen,
  }: { rpc: Rpc; node: Node; as?: Circumstances | undefined; nowMs: number; seen?: Head | undefined },
): Promise<Simulation | undefined> {
  const reads = [...balances.map(balanceCall), ...allowances.map(allowanceCall)];
  const fees = as && {
    maxFeePerGas: toHex(as.maxFeePerGas),
    maxPriorityFeePerGas: toHex(as.maxPriorityFeePerGas),
  };
  const written = calls.map(({ from, to, data, value }, index) => ({
    from,
    to,
    data,
    value: toHex(value),
    gas: toHex(as?.gas[index] ?? callGas),
    ...fees,
    ...(as?.nonce === undefined ? {} : { nonce: toHex(as.nonce + index) }),
  }));
  const paidReads = fees ? reads.map((each) => ({ ...each, from: payer, ...fees })) : reads;
  const requests = [...paidReads, ...written, ...paidReads];
  const [first] = calls;
  const answers = await (as && first
    ? inNextBlock(requests, as, first.from, { rpc, nowMs, seen })
    : answersOf(requests, {}, rpc));
  if (!answers) return undefined;
  const before = answers.slice(0, reads.length);
  const after = answers.slice(reads.length + calls.length);
  const change = (index: number): Change => ({ before: amount(before[index]), after: amount(after[index]) });
  return {
    calls: answers.slice(reads.length, reads.length + calls.length).map((answer) => outcome(answer, node)),
    balances: balances.map((holding, index) => ({ ...holding, ...change(index) })),
    allowances: allowances.map((allowance, index) => ({ ...allowance, ...change(balances.length + index) })),
  };
}

/**
 * Gas limit of a call: more than any step of a quote needs, and low enough for a whole plan to fit into one block.
 * Without an explicit limit, some nodes split the block's gas across the calls, and others exceed the limit of a
 * transaction.
 */
const callGas = 8_000_000n;
const readGas = 300_000n;

/** An unused address whose code, set for the simulation, returns the native balance of the address passed to it. */
const reader: Address.Address = '0x00000000000000000000000000ba1a9cec0de001';
const readerCode: Hex = '0x6000353160005260206000f3';

/** An unused address that pays for the reads where gas has a price. */
const payer: Address.Address = '0x00000000000000000000000000ba1a9cec0de002';

type Request = { to: Address.Address; data: Hex; gas: Hex };

function balanceCall({ owner, token }: Reads['balances'][number]): Request {
  const gas = toHex(readGas);
  if (Address.isEqual(token, Address.native))
    return { to: reader, data: `0x${owner.slice(2).toLowerCase().padStart(64, '0')}`, gas };
  return { to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner] }), gas };
}

function allowanceCall({ owner, token, spender }: Reads['allowances'][number]): Request {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [owner, spender] });
  return { to: token, data, gas: toHex(readGas) };
}

const hex = z.string().check(z.regex(/^0x[0-9a-fA-F]*$/)) as unknown as z.ZodMiniType<Hex>;
const quantity = z.string().check(z.regex(/^0x[0-9a-fA-F]+$/));
const logSchema = z.object({
  address: z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/)),
  topics: z.array(z.string().check(z.regex(/^0x[0-9a-fA-F]{64}$/))),
  data: hex,
});
const answerSchema = z.object({
  status: z.enum(['0x1', '0x0']),
  gasUsed: quantity,
  returnData: hex,
  logs: z.array(logSchema),
  error: z.optional(z.nullable(z.object({ message: z.optional(z.string()), data: z.optional(z.unknown()) }))),
});
type CallAnswer = z.infer<typeof answerSchema>;

/** The node's result of each request; undefined if it does not support the method. */
async function answersOf(
  requests: readonly Request[],
  { overrides, blockOverrides }: NextBlock,
  rpc: Rpc,
): Promise<CallAnswer[] | undefined> {
  const block = {
    stateOverrides: { [reader]: { code: readerCode }, ...overrides },
    ...(blockOverrides ? { blockOverrides } : {}),
    calls: requests,
  };
  const params = [{ blockStateCalls: [block], validation: blockOverrides !== undefined }, 'latest'];
  const answer = await rpc.request({ method: 'eth_simulateV1', params }).catch((error: unknown) => {
    if (error instanceof RpcError && isUnknownMethod(error)) return undefined;
    throw error;
  });
  if (answer === undefined) return undefined;
  const [{ calls }] = z.parse(z.tuple([z.object({ calls: z.array(answerSchema) })]), answer);
  if (calls.length !== requests.length) throw new Error('The node simulated a different number of calls.');
  return calls;
}

type NextBlock = { overrides?: Record<string, object>; blockOverrides?: Record<string, Hex> };

const blockSchema = z.object({
  hash: z.optional(hex),
  number: quantity,
  timestamp: quantity,
  miner: hex,
  mixHash: z.optional(hex),
});

/** What the next block depends on of the latest one. */
export type Head = z.infer<typeof blockSchema>;

/**
 * The results in the block that comes next. Where the latest block was seen before, it is taken to be still the latest while
 * the node is asked whether it is, and if not, all is simulated again: that saves a round trip and rests on nothing older.
 */
async function inNextBlock(
  requests: readonly Request[],
  as: Circumstances,
  sender: Address.Address,
  { rpc, nowMs, seen }: { rpc: Rpc; nowMs: number; seen: Head | undefined },
): Promise<CallAnswer[] | undefined> {
  const { credit, delegation } = as;
  const isPlain = credit === undefined && delegation === undefined;
  const early = seen?.hash !== undefined && isPlain ? answersOf(requests, nextBlock(seen, { nowMs }), rpc) : undefined;
  early?.catch(() => {});
  const [latest, held, code] = await Promise.all([
    rpc
      .request({ method: 'eth_getBlockByNumber', params: ['latest', false] })
      .then((each) => z.parse(blockSchema, each)),
    credit === undefined ? undefined : rpc.request({ method: 'eth_getBalance', params: [sender, 'latest'] }),
    delegation && rpc.request({ method: 'eth_getCode', params: [delegation.delegate, 'latest'] }),
  ]);
  if (early && latest.hash === seen?.hash) return await early;
  const overrides = {
    ...(credit === undefined ? {} : { [sender]: { balance: toHex(BigInt(z.parse(quantity, held)) + credit) } }),
    ...(delegation ? { [delegation.account]: { code: z.parse(hex, code) } } : {}),
  };
  return answersOf(requests, nextBlock(latest, { nowMs, overrides }), rpc);
}

/** The block after another one, with what is needed to pay for gas in it. Its base fee is the node's to compute. */
function nextBlock(
  latest: Head,
  { nowMs, overrides }: { nowMs: number; overrides?: Readonly<Record<string, object>> },
): NextBlock {
  const [soonest, now] = [BigInt(latest.timestamp) + 1n, BigInt(Math.floor(nowMs / 1000))];
  return {
    overrides: { [payer]: { balance: toHex(10n ** 24n) }, ...overrides },
    blockOverrides: {
      number: toHex(BigInt(latest.number) + 1n),
      time: toHex(now > soonest ? now : soonest),
      feeRecipient: latest.miner,
      ...(latest.mixHash ? { prevRandao: latest.mixHash } : {}),
    },
  };
}

/** Recognizes an unsupported method by JSON-RPC's code, by Ethereum's, or by the message of other nodes. */
export function isUnknownMethod({ code, words }: RpcError): boolean {
  return code === -32601 || code === -32004 || unknownMethod.test(words);
}

const unknownMethod =
  /method\b.*\b(not (found|available|supported|allowed|implemented|whitelisted)|does not exist|unavailable)|\b(unsupported|unknown|invalid) method/i;

function outcome({ status, gasUsed, logs, returnData, error }: CallAnswer, node: Node): SimulatedCall {
  if (status === '0x1') return { status: 'success', gasUsed: BigInt(gasUsed), logs };
  // Some nodes put the revert data in the error, others in the return data.
  const data = hex.safeParse(error?.data).data ?? returnData;
  const { type, reason } = Revert.from(data);
  const words = error?.message?.replace(/^execution (reverted|failed):?\s*/i, '') || reason;
  return { status: 'reverted', gasUsed: BigInt(gasUsed), reason: sanitize(type === 'empty' ? words : reason, node) };
}

/** A single 32-byte word; undefined for anything else, such as the empty result of an address without code. */
function amount(answer: CallAnswer | undefined): bigint | undefined {
  return answer?.status === '0x1' && answer.returnData.length === 66 ? BigInt(answer.returnData) : undefined;
}
