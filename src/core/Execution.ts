/** The only loop that touches money: sends a plan's transactions one by one, then follows the request to its end. */
import { keccak256 } from 'viem/utils';
import * as Amount from './Amount.js';
import * as Arrival from './Arrival.js';
import { BaseError } from './Errors.js';
import * as Follow from './Follow.js';
import type * as Plan from './Plan.js';
import type { Account, Chain, Clock, Hex, Receipt, Service, Turn, Venue } from './Ports.js';
import * as Progress from './Progress.js';
import * as Solvency from './Solvency.js';

export type World = {
  service: Service;
  /** The node of the origin chain. */
  origin: Chain;
  /** The node of the destination chain; undefined where none is configured: the arrival is then not read there. */
  destination: Chain | undefined;
  /** The venue, where one of the two is there. */
  venue?: Venue | undefined;
  account: Account;
  /**
   * Held by the caller at the account's nonces on the origin. It is released when the last transaction is mined and not
   * before: what was approved and not yet spent, and what was sent and not yet mined, would mislead the next one.
   */
  turn: Turn;
  clock: Clock;
  signal: AbortSignal;
  warn(text: string): void;
};

export type Patience = {
  /** False ends after the last transaction is mined and announced. */
  wait: boolean;
  /** For each transaction to be mined, and for the request to end. */
  timeoutMs: number;
};

export type Event =
  | { type: 'checked'; chainId: number; balance: bigint; gasBalance: bigint }
  | { type: 'skipped'; action: Plan.Action['kind']; summary: string; why: string }
  | { type: 'signed'; action: Plan.Action['kind']; summary: string; txHash: Hex; nonce: number }
  | { type: 'sent'; action: Plan.Action['kind']; summary: string; txHash: Hex }
  | { type: 'mined'; action: Plan.Action['kind']; summary: string; txHash: Hex; blockNumber: bigint; gasUsed: bigint }
  | Follow.Event;

export type Outcome = {
  requestId: string;
  /** The service's word; `sent` where ferry was told not to wait. */
  status: string;
  progress: Progress.Progress | undefined;
  transactions: readonly {
    action: Plan.Action['kind'] | 'transfer';
    txHash: string;
    gasUsed: bigint;
    gasCost: bigint;
  }[];
  /** wei of the origin's native asset spent on gas; on the venue, millionths of USDC for the transfer. */
  gasCost: bigint;
  /** Base units of the input that left the sender. */
  spent: bigint;
  /** Base units that arrived, read from the destination chain; undefined where they could not be read. */
  received: bigint | undefined;
  elapsedMs: number;
};

/**
 * Carries out a plan. Everything is checked before the first signature; each transaction is sent once.
 *
 * @throws chain.* · submit.* · sign.failed · track.*
 */
export async function* run(plan: Plan.Plan, world: World, patience: Patience): AsyncGenerator<Event, Outcome> {
  const { origin, account, clock } = world;
  const startedAt = clock.now();
  const { gasPrice, ...checked } = await Solvency.assert(plan.quote, origin);
  yield { type: 'checked', ...checked };
  let nonce = await origin.nonce(account.address);
  const transactions: { action: Plan.Action['kind']; txHash: Hex; gasUsed: bigint; gasCost: bigint }[] = [];
  let last: Receipt | undefined;

  for (const action of plan.actions) {
    if (await isNeedless(action, origin)) {
      yield { type: 'skipped', action: action.kind, summary: action.summary, why: 'the allowance is there already' };
      continue;
    }
    world.signal.throwIfAborted();
    const estimate = await origin.estimateGas(action);
    const signed = await account.signTransaction({
      ...gasPrice,
      chainId: action.chain.id,
      nonce,
      to: action.to,
      data: action.data,
      value: action.value,
      gas: Solvency.withMargin(estimate),
    });
    const txHash = keccak256(signed);
    const said = { action: action.kind, summary: action.summary, txHash };
    yield { type: 'signed', ...said, nonce };
    await origin.broadcast(signed);
    nonce += 1;
    yield { type: 'sent', ...said };
    if (action.kind !== 'approve') await announce(plan, action, txHash, world);
    last = await mined(action, txHash, plan, world, patience);
    const gasCost = last.gasUsed * last.effectiveGasPrice;
    transactions.push({ action: action.kind, txHash, gasUsed: last.gasUsed, gasCost });
    yield { type: 'mined', ...said, blockNumber: last.blockNumber, gasUsed: last.gasUsed };
    if (last.status === 'reverted') throw new RevertedError(action, txHash, plan);
  }
  world.turn.release();

  const outcome = {
    requestId: plan.requestId,
    transactions,
    gasCost: transactions.reduce((sum, each) => sum + each.gasCost, 0n),
    spent: plan.quote.input,
  };
  if (!patience.wait)
    return {
      ...outcome,
      status: 'sent',
      progress: undefined,
      received: undefined,
      elapsedMs: clock.now() - startedAt,
    };
  const progress = yield* Follow.run(plan.requestId, world, { timeoutMs: patience.timeoutMs, txHash: last?.hash });
  const received = await Arrival.awaited(plan, progress, world, { gasCost: outcome.gasCost, ...patience });
  const ended: Outcome = {
    ...outcome,
    status: progress.status,
    progress,
    received,
    elapsedMs: clock.now() - startedAt,
  };
  if (Progress.codeOf(progress)) throw new EndedBadlyError(ended, plan);
  return ended;
}

/** An approval that an allowance from before already covers. */
async function isNeedless({ approval, from, to }: Plan.Action, origin: Chain): Promise<boolean> {
  if (!approval) return false;
  const allowance = await origin.allowance(to, from, approval.spender);
  return approval.amount === 0n ? allowance === 0n : allowance >= approval.amount;
}

/** Tells the service of a transaction, so that it need not be found. It is found in any case: a failure is a warning. */
async function announce(plan: Plan.Plan, action: Plan.Action, txHash: Hex, { service, warn }: World): Promise<void> {
  const known = { requestId: plan.requestId, chainId: String(action.chain.id) };
  try {
    if (action.kind === 'deposit' || action.kind === 'swap') await service.indexTransaction({ ...known, txHash });
    else {
      const { from, to, data, value } = action;
      const tx = JSON.stringify({ from, to, data, value: value.toString(), chainId: action.chain.id, txHash });
      await service.indexSingle({ ...known, tx });
    }
  } catch (error) {
    warn(
      `The service could not be told of the transaction (${error instanceof Error ? error.message : String(error)}); it will find it on the chain.`,
    );
  }
}

async function mined(
  action: Plan.Action,
  txHash: Hex,
  plan: Plan.Plan,
  { origin, clock, signal }: World,
  { timeoutMs }: Patience,
): Promise<Receipt> {
  const deadline = clock.now() + timeoutMs;
  for (let attempt = 0; ; attempt++) {
    const receipt = await origin.receipt(txHash).catch((error: unknown) => {
      if (clock.now() >= deadline) throw new NotMinedError(action, txHash, plan, error);
      return undefined;
    });
    if (receipt) return receipt;
    if (clock.now() >= deadline) throw new NotMinedError(action, txHash, plan, undefined);
    await Follow.interruptible(
      clock.sleep(Progress.pollDelayMs(attempt), signal),
      () => new NotMinedError(action, txHash, plan, undefined),
    );
  }
}

export class RevertedError extends BaseError {
  override name = 'RevertedError';
  constructor(action: Plan.Action, txHash: Hex, plan: Plan.Plan) {
    super('submit.reverted', `The transaction to ${lowerFirst(action.summary)} reverted: nothing moved but gas.`, {
      requestId: plan.requestId,
      txHash,
    });
  }
}

export class NotMinedError extends BaseError {
  override name = 'NotMinedError';
  constructor(action: Plan.Action, txHash: Hex, plan: Plan.Plan, cause: unknown) {
    super('track.unfinished', `The transaction to ${lowerFirst(action.summary)} was sent and is not mined yet.`, {
      facts: [['chain', action.chain.name]],
      hint: 'Do not send it again: it may still be mined.',
      next: `ferry status ${plan.requestId} --watch`,
      requestId: plan.requestId,
      txHash,
      cause,
    });
  }
}

/** A refund or a failure, with the whole outcome. */
export class EndedBadlyError extends BaseError {
  override name = 'EndedBadlyError';
  readonly outcome: Outcome;
  constructor(outcome: Outcome, plan: Plan.Plan) {
    const refunded = outcome.progress !== undefined && Progress.codeOf(outcome.progress) === 'track.refunded';
    const { token, chain } = plan.intent.origin;
    const { progress, received } = outcome;
    super(
      refunded ? 'track.refunded' : 'track.failed',
      refunded ? `The transfer was refunded on ${chain.name}.` : 'The transfer failed at the service.',
      {
        facts: [
          ...(refunded
            ? ([
                [
                  'returned',
                  received === undefined
                    ? 'not read from the chain'
                    : `${Amount.format(received, token.decimals)} ${token.symbol}`,
                ],
                ['to', plan.intent.refundTo],
              ] as const)
            : []),
          ...(progress?.failReason ? ([['reason', progress.failReason]] as const) : []),
          ...(progress?.refundFailReason ? ([['no refund because', progress.refundFailReason]] as const) : []),
          ...(progress?.outTxHashes[0] ? ([['refund transaction', progress.outTxHashes[0]]] as const) : []),
        ],
        hint: refunded ? undefined : 'A failure can still turn into a refund: look again later.',
        next: refunded ? undefined : `ferry status ${outcome.requestId} --watch`,
        requestId: outcome.requestId,
        txHash: outcome.transactions.at(-1)?.txHash,
      },
    );
    this.outcome = outcome;
  }
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
