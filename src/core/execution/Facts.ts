/**
 * What a signature depends on. The nodes are asked for all of it in parallel, each fact once, and the answers are one
 * value with the time of asking.
 *
 * The facts hold while the turn for the account's nonces is held, no person was asked meanwhile and nothing was sent.
 * Code without recent facts gathers them again.
 */
import type * as Address from '../base/Address.js';
import type { Hex } from '../base/Hex.js';
import type { Chain, Clock } from '../ports/Ports.js';
import * as TransferIntent from '../quote/TransferIntent.js';
import * as BalanceCheck from './BalanceCheck.js';
import type * as Plan from './Plan.js';

type Gathered = {
  /** Unix time in milliseconds. */
  at: number;
  /** The destination's last block; undefined if no node told it. */
  tip: bigint | undefined;
};

/** For transactions that the account sends itself. */
export type OfTransactions = Gathered & {
  kind: 'transactions';
  means: BalanceCheck.Means;
  code: Hex;
  nonce: number;
  /** For each action that is an approval: what is allowed already, in base units. */
  allowances: readonly (bigint | undefined)[];
  /** Units of gas that the node estimates for the first action; undefined if it does not. */
  gas: bigint | undefined;
};

/** For a batch that the service submits: besides the account's own nonce its sequence in the batch executor. */
export type OfBatch = Gathered & { kind: 'batch'; code: Hex; nonce: number; sequence: bigint };

export type OfPermit = Gathered & { kind: 'permit' };

export type Facts = OfTransactions | OfBatch | OfPermit;

/** Who is asked, and the destination's last block, which was asked for already. */
export type Nodes = { origin: Chain; tip?: Promise<bigint | undefined>; clock: Pick<Clock, 'now'> };

/** A single fact that was asked for before there was a quote, and when. */
export type Early<T> = { at: number; asked: Promise<T> };

/**
 * How long they are recent, counted from the question. Longer than a proof takes on a slow network, and shorter than a block
 * of Ethereum, after which balances and fees may be others anyway.
 */
const recentMs = 10_000;

export function isRecent({ at }: { at: number }, { now }: Pick<Clock, 'now'>): boolean {
  return now() - at <= recentMs;
}

/** The facts if they are recent and of the kind, and undefined otherwise. */
export function recent<Kind extends Facts['kind']>(
  kind: Kind,
  facts: Facts | undefined,
  clock: Pick<Clock, 'now'>,
): Extract<Facts, { kind: Kind }> | undefined {
  return facts?.kind === kind && isRecent(facts, clock) ? (facts as Extract<Facts, { kind: Kind }>) : undefined;
}

/**
 * @param known what the account has, if that was asked for just now
 * @throws chain.* · submit.insufficient-balance
 */
export async function ofTransactions(
  { quote, actions }: Pick<Plan.Restored, 'quote' | 'actions'>,
  { origin, tip: lastBlock, clock }: Nodes,
  known?: Promise<BalanceCheck.Means | undefined>,
): Promise<OfTransactions> {
  const at = clock.now();
  const owner = TransferIntent.walletOf(quote.intent);
  const [first] = actions;
  const [means, code, nonce, gas, tip, ...allowances] = await Promise.all([
    known?.then((found) => found ?? BalanceCheck.read(quote, origin)) ?? BalanceCheck.read(quote, origin),
    origin.code(owner),
    origin.nonce(owner),
    first && origin.estimateGas(first).catch(() => undefined),
    lastBlock,
    ...actions.map((action) => allowanceOf(action, origin)),
  ]);
  return { kind: 'transactions', at, means, code, nonce, gas, tip, allowances };
}

/**
 * @param known resolves once it is known that the account has the input, if that was asked for just now
 * @throws chain.* · submit.insufficient-balance
 */
export async function ofBatch(
  { quote }: Pick<Plan.Restored, 'quote'>,
  batchExecutor: Address.Address,
  { origin, tip: lastBlock, clock }: Nodes,
  { known, sequence: early }: { known?: Promise<unknown>; sequence?: Early<bigint | undefined> | undefined } = {},
): Promise<OfBatch> {
  const at = clock.now();
  const owner = TransferIntent.walletOf(quote.intent);
  const sequenceNow = (): Promise<bigint> => origin.batchSequence(owner, batchExecutor);
  const before = early && isRecent(early, clock) ? early : undefined;
  const [code, nonce, sequence, tip] = await Promise.all([
    origin.code(owner),
    origin.nonce(owner),
    before ? before.asked.then((found) => found ?? sequenceNow(), sequenceNow) : sequenceNow(),
    lastBlock,
    known ?? BalanceCheck.assertInput(quote, origin),
  ]);
  return { kind: 'batch', at: before?.at ?? at, code, nonce, sequence, tip };
}

export async function ofPermit({ tip, clock }: Omit<Nodes, 'origin'>): Promise<OfPermit> {
  return { kind: 'permit', at: clock.now(), tip: await tip };
}

/** What an approval's spender may take already, in base units; undefined for what is no approval. @throws chain.* */
export async function allowanceOf(
  { approval, from, to }: Plan.Action,
  node: Pick<Chain, 'allowance'>,
): Promise<bigint | undefined> {
  return approval && node.allowance(to, from, approval.spender);
}

/** Whether the action is an approval that what is allowed already covers. */
export function isCovered({ approval }: Plan.Action, allowed: bigint | undefined): boolean {
  if (!approval || allowed === undefined) return false;
  return approval.amount === 0n ? allowed === 0n : allowed >= approval.amount;
}

type Tipped = Pick<Chain, 'tip'> | undefined;

/** The last block of a node. That it is not known is no reason to fail: less is then known of what arrives. */
export async function tipOf(node: Tipped | Promise<Tipped>): Promise<bigint | undefined> {
  try {
    return (await (await node)?.tip())?.number;
  } catch {
    return undefined;
  }
}
