/**
 * One chain behind several nodes. What decides about money is asked of all of them, and all that are not silent must agree;
 * everything else is asked of the first that answers. A signed transaction is given to all, so that none of them can
 * hold it back.
 */

import * as Address from '../../core/base/Address.js';
import { BaseError } from '../../core/base/Errors.js';
import type { Hex } from '../../core/base/Hex.js';
import { once } from '../../core/base/Once.js';
import * as Url from '../../core/base/Url.js';
import type { Network, Chain as NetworkChain } from '../../core/network/Network.js';
import type { Chain, Finalized, Receipt, SentTransaction, Simulation, UsedNonce } from '../../core/ports/Ports.js';
import type { Frame } from '../../core/trace/Frame.js';
import { type ChainOptions, createChain } from './chainClient.js';
import { BusyError, nodesOf } from './chainError.js';
import type { RpcOptions } from './jsonRpc.js';

/** The client of a chain, at one node or at several. @throws chain.no-rpc */
export function createNodes(
  chain: NetworkChain,
  { network, ...remote }: Omit<RpcOptions, 'rpcUrl'> & { network: Network },
): Chain {
  const nodes = nodesOf(chain, network).map((node) => ({
    host: Url.redact(node.rpcUrl),
    chain: createChain({ ...remote, ...node }),
    silentUntil: 0,
  }));
  const [only] = nodes;
  if (!only || nodes.length > 1) return together({ ...remote, chain, nodes });
  return { ...only.chain, isOwn: once(() => isOwnNode(chain.rpcUrl ?? '', network, remote.fetch)) };
}

/** Whether the sandbox at a base URL names a node as its own. */
async function isOwnNode(rpcUrl: string, { name, baseUrl }: Network, fetch: RpcOptions['fetch']): Promise<boolean> {
  if (name !== 'sandbox' || baseUrl === undefined) return false;
  try {
    const answer = await fetch(Url.join(baseUrl, '/sandbox/instance').href);
    const { chains } = JSON.parse(await answer.text()) as { chains: readonly { rpcUrl: string }[] };
    return chains.some((chain) => Url.place(chain.rpcUrl) === Url.place(rpcUrl));
  } catch {
    return false;
  }
}

type Node = { host: string; chain: Chain; silentUntil: number };

type Answer<T> = { node: Node; value: T };

/** How long a node that did not answer is not asked again. */
const silenceMs = 20_000;

/** How often nodes that do not agree are asked again: one may be a block behind. */
const looks = 5;
const lookMs = 600;

type NodeSet = Pick<ChainOptions, 'chain' | 'clock' | 'signal'> & { nodes: readonly Node[] };

export function together(set: NodeSet) {
  return {
    chainId: () => agreed(set, 'the chain id', (node) => node.chainId()),
    // A head that is journaled must not be one that an old fill is above.
    tip: async () => {
      const tips = (await all(set, (node) => node.tip())).map(({ value }) => value);
      return tips.reduce((a, b) => (a.number > b.number ? a : b));
    },
    blockTime: (block) => agreed(set, 'the time of a block', (node) => node.blockTime(block)),
    balance: (owner, token, block) => least(set, 'the balance', (node, at) => node.balance(owner, token, at), block),
    allowance: (...args) => agreed(set, 'an allowance', (node) => node.allowance(...args)),
    token: (...args) => agreed(set, 'a token', (node) => node.token(...args), showToken),
    round: (...args) => agreed(set, 'a price feed', (node) => node.round(...args), showRound),
    code: (address) => agreed(set, 'the code of a contract', (node) => node.code(address)),
    batchSequence: (...args) => agreed(set, 'a sequence', (node) => node.batchSequence(...args)),
    finalizedSequence: (...args) =>
      finalized(set, 'a sequence', (node) => node.finalizedSequence(...args), showSequence),
    read: (call) => agreed(set, 'what a contract returns', (node) => node.read(call)),
    finalizedRead: (call) => finalized(set, 'what a contract returns', (node) => node.finalizedRead(call), showResult),
    nonce: (owner) => agreed(set, 'the next nonce', (node) => node.nonce(owner)),
    minedNonce: (owner, block) => least(set, 'the nonce', (node, at) => node.minedNonce(owner, at), block),
    knows: async (hash) => (await all(set, (node) => node.knows(hash))).some(({ value }) => value),
    usedNonce: (...args) => namedByAll(set, (node) => node.usedNonce(...args)),
    gasPrice: () => any(set, (node) => node.gasPrice()),
    estimateGas: (...args) => any(set, (node) => node.estimateGas(...args)),
    async broadcast(signed) {
      const sent = await Promise.allSettled(set.nodes.map((node) => node.chain.broadcast(signed)));
      const taken = sent.find((each) => each.status === 'fulfilled');
      if (taken) return taken.value;
      const failures = sent.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
      // A node that may have taken it decides.
      throw failures.find((each) => each instanceof BaseError && each.funds === 'unknown') ?? failures[0];
    },
    transaction: (...args) => agreed(set, 'a transaction', (node) => node.transaction(...args), showTransaction),
    receipt: (hash) => receiptOf(set, hash),
    simulate: (...args) =>
      common(set, 'a simulation', (node) => node.simulate(...args), showSimulation(args[2] !== undefined)),
    trace: (...args) => common(set, 'a trace', (node) => node.trace(...args), showTrace),
    traceCall: (...args) => any(set, (node) => node.traceCall(...args)),
  } satisfies Chain;
}

/** The nodes to ask: those that did not answer are left out for a while, unless there are no others. */
function awake({ nodes, clock }: NodeSet): readonly Node[] {
  const now = clock.now();
  const found = nodes.filter(({ silentUntil }) => silentUntil <= now);
  return found.length > 0 ? found : nodes;
}

/** The answer of a node, or its failure if that is one to pass over. */
async function answerOf<T>(
  { clock, signal }: NodeSet,
  node: Node,
  ask: (chain: Chain) => Promise<T>,
  { isPassedOver, isHeavy = false }: { isPassedOver: (error: BaseError) => boolean; isHeavy?: boolean },
): Promise<Answer<T> | BaseError> {
  try {
    const value = await ask(node.chain);
    node.silentUntil = 0;
    return { node, value };
  } catch (error) {
    if (signal.aborted || !(error instanceof BaseError) || !isPassedOver(error)) throw error;
    // What is too much for a node, as whoever made up the question knows, must not keep it from answering others.
    if (isSilent(error) && !isHeavy) node.silentUntil = clock.now() + silenceMs;
    return error;
  }
}

/** The answer of the first node that gives one. */
async function any<T>(set: NodeSet, ask: (chain: Chain) => Promise<T>): Promise<T> {
  let failure: BaseError | undefined;
  for (const node of awake(set)) {
    const answer = await answerOf(set, node, ask, { isPassedOver: isOfNode });
    if (!(answer instanceof BaseError)) return answer.value;
    failure ??= answer;
  }
  throw failure;
}

/** The answers of all nodes but the silent. @throws the first failure if all are, or what another says instead */
async function all<T>(
  set: NodeSet,
  ask: (chain: Chain) => Promise<T>,
  isHeavy = false,
): Promise<[Answer<T>, ...Answer<T>[]]> {
  const answers = await Promise.all(
    awake(set).map((node) => answerOf(set, node, ask, { isPassedOver: isSilent, isHeavy })),
  );
  const [first, ...more] = answers.filter((answer) => !(answer instanceof BaseError)) as Answer<T>[];
  if (!first) throw answers[0];
  return [first, ...more];
}

/**
 * The answers of all nodes that give one, which are equal. Nodes are asked again for a few seconds, since one may be behind.
 * `isPartial` if some may have none, of a question that is heavy or of what is not known to all yet.
 *
 * @throws chain.disagreement
 */
async function equal<T>(
  set: NodeSet,
  what: string,
  ask: (chain: Chain) => Promise<T>,
  show: (value: NonNullable<T>) => string,
  { isPartial = false, isHeavy = false } = {},
): Promise<[Answer<T>, ...Answer<T>[]]> {
  for (let look = 1; ; look++) {
    const answers = await all(set, ask, isHeavy);
    const [first, ...more] = answers.filter(({ value }) => !isPartial || value !== undefined) as Answer<
      NonNullable<T>
    >[];
    const other = more.find(({ value }) => first && show(value) !== show(first.value));
    if (!first || !other) return answers;
    if (look >= looks) throw disagreementError(set.chain.name, what, [first, other], show);
    await set.clock.sleep(lookMs, set.signal);
  }
}

/** The same answer of all nodes that give one. @throws chain.disagreement */
async function agreed<T>(
  set: NodeSet,
  what: string,
  ask: (chain: Chain) => Promise<T>,
  show: (value: NonNullable<T>) => string = String,
): Promise<T> {
  const [first] = await equal(set, what, ask, show);
  return first.value;
}

/** The same as all nodes say at their last finalized blocks, and the oldest of these. @throws chain.disagreement */
async function finalized<T extends Finalized>(
  set: NodeSet,
  what: string,
  ask: (chain: Chain) => Promise<T>,
  show: (value: T) => string,
): Promise<T> {
  const answers = await equal(set, what, ask, show);
  const timestamp = smallest(answers.map(({ value }) => value.timestamp));
  return { ...answers[0].value, timestamp, witnesses: hostsOf(answers) };
}

/** The same answer of all nodes that have one, to a heavy question. @throws chain.disagreement */
async function common<T>(
  set: NodeSet,
  what: string,
  ask: (chain: Chain) => Promise<T>,
  show: (value: NonNullable<T>) => string,
): Promise<T | undefined> {
  const answers = await equal(set, what, ask, show, { isPartial: true, isHeavy: true });
  return answers.find(({ value }) => value !== undefined)?.value;
}

/** The least of what all nodes say at their latest block, once they agree at the last block that all of them have. */
async function least<T extends bigint | number>(
  set: NodeSet,
  what: string,
  ask: (chain: Chain, block?: bigint) => Promise<T>,
  block: bigint | undefined,
): Promise<T> {
  if (block !== undefined) return await agreed(set, what, (node) => ask(node, block));
  const [first, ...more] = await all(set, (node) => ask(node));
  if (more.every(({ value }) => value === first.value)) return first.value;
  const tips = (await all(set, (node) => node.tip())).map(({ value }) => value.number);
  const common = smallest(tips);
  await agreed(set, `${what} at block ${common}`, (node) => ask(node, common));
  return smallest([first, ...more].map(({ value }) => value));
}

/** A node that is behind does not have it yet, so it counts as unknown. */
async function receiptOf(set: NodeSet, hash: Hex): Promise<Receipt | undefined> {
  const answers = await equal(set, 'a receipt', (node) => node.receipt(hash), showReceipt, { isPartial: true });
  const [first, ...more] = answers.map(({ value }) => value);
  if (!first || more.includes(undefined)) return undefined;
  return { ...first, witnesses: hostsOf(answers) };
}

/** What used a nonce, if all nodes that answer name the same: one alone could name any transaction. */
async function namedByAll(set: NodeSet, ask: (chain: Chain) => Promise<UsedNonce>): Promise<UsedNonce> {
  const [first, ...more] = (await all(set, ask)).map(({ value }) => value);
  const show = (each: UsedNonce | undefined): string =>
    each?.state === 'found' ? `${each.hash} ${each.value} to ${each.to}, ${each.data}`.toLowerCase() : `${each?.state}`;
  return first && more.every((each) => show(each) === show(first)) ? first : { state: 'used' };
}

function smallest<T extends bigint | number>(values: readonly T[]): T {
  return values.toSorted((a, b) => (a < b ? -1 : 1))[0] as T;
}

/** Whether it has no answer for us now, whatever it is asked. */
function isSilent(error: BaseError): boolean {
  return error.code === 'chain.unreachable' || error instanceof BusyError;
}

/** Whether another node may do better: it is silent, fails at the moment, or is closed to this key or address. */
function isOfNode(error: BaseError): boolean {
  const isClosed = [401, 402, 403].includes(error.httpStatus ?? 0);
  return isSilent(error) || (error.code === 'chain.refused' && (error.retryable || isClosed));
}

const showSequence = ({ sequence }: Finalized & { sequence: bigint }): string => String(sequence);

const showResult = ({ result }: Finalized & { result: Hex }): string => result;

function showToken({ symbol, decimals }: Awaited<ReturnType<Chain['token']>>): string {
  return `${symbol} with ${decimals} decimals`;
}

function showRound({ answer, startedAt, updatedAt }: Awaited<ReturnType<Chain['round']>>): string {
  return `${answer} at ${updatedAt}, since ${startedAt}`;
}

function showReceipt({ status, blockNumber, gasUsed, logs }: Receipt): string {
  return `${status} in block ${blockNumber}, gas ${gasUsed}, ${JSON.stringify(logs)}`;
}

function showTransaction(sent: SentTransaction | undefined): string {
  return sent ? `${sent.value} from ${sent.from} to ${sent.to}, ${sent.data}`.toLowerCase() : 'nothing';
}

/** What moved, whatever was there before. Gas differs from block to block: if it is paid, so does the native asset. */
function showSimulation(isGasPaid: boolean): (simulation: Simulation) => string {
  return ({ calls, balances, allowances }) => {
    const made = calls.map((call) => (call.status === 'success' ? [call.status, call.logs] : [call.status]));
    const moved = balances.map(({ token, before, after }) => {
      if (isGasPaid && Address.isEqual(token, Address.native)) return 'paid for gas';
      return before === undefined || after === undefined ? 'unreadable' : String(after - before);
    });
    return JSON.stringify([moved, allowances.map(({ after }) => String(after)), made]).toLowerCase();
  };
}

/** What moves value: the rest of a trace differs from one kind of node to another. */
function showTrace(frames: readonly Frame[]): string {
  const shown = frames.map(({ depth, type, from, to, value, error }) => [
    depth,
    type,
    from?.toLowerCase(),
    to?.toLowerCase(),
    String(BigInt(value ?? 0)),
    error !== undefined,
  ]);
  return JSON.stringify(shown);
}

/** Who says so. Two URLs of one host are one witness: whoever runs it answers both. */
function hostsOf(answers: readonly Answer<unknown>[]): string[] {
  const byHost = new Map(answers.map(({ node: { host } }) => [host.replace(/\/…$/, ''), host]));
  return [...byHost.values()];
}

function disagreementError<T>(
  chain: string,
  what: string,
  [one, other]: readonly [Answer<T>, Answer<T>],
  show: (value: T) => string,
): BaseError {
  const inWords = ({ node: { host }, value }: Answer<T>): string => {
    const words = show(value);
    return `${host}: ${words.length > 60 ? `${words.slice(0, 60)}…` : words}`;
  };
  return new BaseError('chain.disagreement', `Two nodes of ${chain} disagree about ${what}.`, {
    facts: [
      ['one node', inWords(one)],
      ['another', inWords(other)],
    ],
    hint: 'One of them lies or is broken: find out which, and remove it from the configuration.',
    next: 'ferry doctor',
  });
}
