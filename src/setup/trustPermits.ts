/**
 * Asks about permits that paid without ferry's knowledge. A permit uses no nonce of the account, and tokens have no
 * common way to list the permits that were used: the only witness is the service, which submits them.
 */
import type { Context } from '../core/command/Context.js';
import * as NonceRule from '../core/execution/NonceRule.js';
import type { Chain } from '../core/network/Network.js';
import type { Turn } from '../core/ports/Ports.js';
import * as TransferStatus from '../core/tracking/TransferStatus.js';
import { askAbout, assertSettled, holdLines, type KnownNonces } from './trustNonces.js';

/** The sequence in the record of a counter whose value is a time of the service's clock: all permits before it are known. */
export const sequence = 'permits';

/** The feature of requests that were paid by a permit, in the service's records. */
const feature = 'gasless_swap';

/** Permits that ferry does not know. */
export type Unknown = {
  owner: string;
  /** The time before which all are known, in Unix milliseconds; undefined if none are. */
  known: bigint | undefined;
  /** The service's time now. */
  next: bigint;
  /** The ids of the requests that they paid for, newest first; at most one page of the service's records. */
  requests: readonly string[];
};

/**
 * Asks about unknown permits of the account before it signs another, if real money is at stake, or a store shared by
 * machines knew better.
 *
 * @throws run.foreign-nonce · prompt.declined · config.unwritable · service.* · auth.refused
 */
export async function trustPermits(turn: Turn, chain: Chain, { allow }: KnownNonces, context: Context): Promise<void> {
  const { network, config } = context;
  await assertSettled(chain, context);
  const isShared = config.store.value !== undefined;
  if (!network.realMoney && !isShared) return;
  const isAllowed = allow.includes(NonceRule.allowance);
  const isNew = !network.realMoney && turn.known(sequence) === undefined && !(await context.storeDoubt());
  if (isNew) return turn.use(await timeOf(context), sequence);
  if (isAllowed && !isShared) return adopt(turn, await timeOf(context), context);
  const { owner, next, requests } = await unknownPermits(turn, chain, context);
  if (requests.length === 0) return turn.use(next, sequence);
  if (!isAllowed) await askAbout({ owner, chain: chain.name }, format(requests), context);
  await holdLines(context);
  await adopt(turn, next, context);
}

/**
 * Records as known what paid until `next`, the end of a second of the service's clock. Waits until that second is over, so
 * that whatever is quoted from now on has a later time than what was adopted.
 */
export async function adopt(
  turn: Turn,
  next: bigint,
  { clock, signal }: Pick<Context, 'clock' | 'signal'>,
): Promise<void> {
  await clock.sleep(Number(secondMs), signal);
  turn.use(next + secondMs, sequence);
}

/** Reads which permits of the account have paid since the last one that ferry knows. @throws service.* · auth.refused */
export async function unknownPermits(turn: Turn, { id }: Pick<Chain, 'id'>, context: Context): Promise<Unknown> {
  const owner = await context.sender();
  const known = turn.known(sequence);
  const next = await timeOf(context);
  const service = await context.service();
  const since = known === undefined ? {} : { startTimestamp: Number((known - secondMs) / 1000n) };
  const query = { user: owner, originChainId: id, features: feature, limit: 50, ...since };
  const { requests } = await service.requests({ ...query, sortBy: 'createdAt', sortDirection: 'desc' });
  // Whether a refund was sent yet decides nothing here: the permit has paid.
  const paid = requests.filter(({ status }) => TransferStatus.fundsOf({ status, outTxHashes: [] }) !== 'untouched');
  const found = known === undefined ? paid : await unknownSince(known, paid, context);
  return { owner, known, next, requests: found.map(({ id }) => id) };
}

const secondMs = 1_000n;

/**
 * Requests since a time before which all are known, and not of ferry's own runs, whose clock may have been behind. Those of
 * the second before it may have been made after it was looked at: a single one is taken for ferry's own where runs of that
 * time were pruned.
 */
async function unknownSince<T extends { id: string; createdAt?: string | null | undefined }>(
  known: bigint,
  paid: readonly T[],
  { runs }: Pick<Context, 'runs'>,
): Promise<readonly T[]> {
  // One without a time may be new.
  const isBefore = ({ createdAt }: T, time: bigint): boolean => Date.parse(createdAt ?? '') < Number(time);
  const recent = paid.filter((request) => !isBefore(request, known - secondMs));
  if (recent.length === 0) return [];
  const latest = await (await runs()).list(100);
  // What somebody else may have written knows any request, and a run that signed none knows no permit.
  const own = new Set(
    latest.flatMap(({ state, isOwn }) =>
      isOwn && state?.handed?.type === 'signed-permit' ? (state.quote?.requestId ?? []) : [],
    ),
  );
  const isPruned = !latest.some(({ lines }) => Number(lines[0]?.at) <= Number(known));
  const isTaken = isPruned && recent.filter((request) => isBefore(request, known)).length === 1;
  return recent.filter((request) => !own.has(request.id) && !(isTaken && isBefore(request, known)));
}

/** `1 permit`, `3 permits`. */
export function format(requests: readonly string[]): string {
  return requests.length === 1 ? '1 permit' : `${requests.length} permits`;
}

/** How far the service's clock may be ahead of this machine's. */
const mostAheadMs = 60_000;

/**
 * The end of the current second of the service's clock, in which the quote may have been made. A date that is far ahead is
 * not kept: no permit before it would be asked about any more.
 */
async function timeOf({ service, clock }: Pick<Context, 'service' | 'clock'>): Promise<bigint> {
  const told = await (await service()).time();
  const now = Math.min(told ?? clock.now(), clock.now() + mostAheadMs);
  return BigInt(Math.floor(now / 1000) * 1000 + 1000);
}
