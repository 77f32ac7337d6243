/**
 * Asks about permits that paid without ferry's knowledge. A permit uses no nonce of the account, and tokens have no
 * common way to list the permits that were used: the only witness is the service, which submits them.
 */
import type { Context } from '../core/command/Context.js';
import * as NonceRule from '../core/execution/NonceRule.js';
import type { Chain } from '../core/network/Network.js';
import type { Turn } from '../core/ports/Ports.js';
import * as TransferStatus from '../core/tracking/TransferStatus.js';
import { askAbout, type Terms } from './trustNonces.js';

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
 * Asks about unknown permits of the account before it signs another, if real money is at stake.
 *
 * @throws run.foreign-nonce · prompt.declined · config.unwritable · service.* · auth.refused
 */
export async function trustPermits(turn: Turn, chain: Chain, { allow }: Terms, context: Context): Promise<void> {
  if (!context.network.realMoney) return;
  if (allow.includes(NonceRule.allowance)) return turn.use(await timeOf(context), sequence);
  const { owner, next, requests } = await unknownPermits(turn, chain, context);
  if (requests.length > 0) await askAbout({ owner, chain: chain.name }, format(requests), context);
  turn.use(next, sequence);
}

/** Reads which permits of the account have paid since the last one that ferry knows. @throws service.* · auth.refused */
export async function unknownPermits(turn: Turn, { id }: Pick<Chain, 'id'>, context: Context): Promise<Unknown> {
  const owner = await context.sender();
  const known = turn.known(sequence);
  const next = await timeOf(context);
  const service = await context.service();
  const since = known === undefined ? {} : { startTimestamp: Number(known / 1000n) };
  const query = { user: owner, originChainId: id, features: feature, limit: 50, ...since };
  const { requests } = await service.requests({ ...query, sortBy: 'createdAt', sortDirection: 'desc' });
  const paid = requests.filter((request) => {
    const createdAt = Date.parse(request.createdAt ?? '');
    // One without a time may be new.
    const isKnown = known !== undefined && createdAt < Number(known);
    // Whether a refund was sent yet decides nothing here: the permit has paid.
    return !isKnown && TransferStatus.fundsOf({ status: request.status, outTxHashes: [] }) !== 'untouched';
  });
  return { owner, known, next, requests: paid.map((request) => request.id) };
}

/** `1 permit`, `3 permits`. */
export function format(requests: readonly string[]): string {
  return requests.length === 1 ? '1 permit' : `${requests.length} permits`;
}

/** The end of the current second of the service's clock, in which the quote may have been made. */
async function timeOf(context: Context): Promise<bigint> {
  const now = (await (await context.service()).time()) ?? context.clock.now();
  return BigInt(Math.floor(now / 1000) * 1000 + 1000);
}
