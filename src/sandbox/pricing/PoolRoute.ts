/** Ways through the pools of one chain. */
import { type Address, isEqual } from '../../core/base/Address.js';
import {
  type Chain,
  counterpart,
  type EvmChain,
  type EvmToken,
  type Pool,
  poolAddress,
  type Token,
} from '../values/Market.js';

/** Pools in the order they are passed; none where the currency stays the same or is only wrapped. */
export type Route = readonly Hop[];

export type Hop = { pool: Pool; tokenIn: Address; tokenOut: Address };

/** Where an input becomes the output: a chain with pools, and the way through them. */
export type Path = {
  chain: EvmChain;
  /** The input as that chain has it, and the output. */
  from: EvmToken;
  to: EvmToken;
  route: Route;
};

type Side = { chain: Chain; token: Token };

/**
 * The path of a transfer: on its destination, but on its origin where it ends at the venue, which has no pools.
 * Undefined where there is none.
 */
export function pathOf({ origin, destination }: { origin: Side; destination: Side }): Path | undefined {
  const chain = destination.chain.vm === 'evm' ? destination.chain : origin.chain;
  return chain.vm === 'evm' ? pathThrough(chain, origin.token, destination.token) : undefined;
}

/** The path between what two tokens of any chains are on this one. */
export function pathThrough(chain: EvmChain, input: Token, output: Token): Path | undefined {
  const from = counterpart(chain, input);
  const to = counterpart(chain, output);
  const route = from && to && find(chain, from, to);
  return route && { chain, from, to, route };
}

/** The shortest way from one token to another, over at most two pools; undefined where there is none. */
export function find(chain: EvmChain, from: EvmToken, to: EvmToken): Route | undefined {
  const start = poolAddress(chain, from);
  const end = poolAddress(chain, to);
  if (isEqual(start, end)) return [];
  const hops = hopsFrom(chain, start);
  const direct = hops.find((hop) => isEqual(hop.tokenOut, end));
  if (direct) return [direct];
  for (const first of hops) {
    const second = hopsFrom(chain, first.tokenOut).find((hop) => isEqual(hop.tokenOut, end));
    if (second) return [first, second];
  }
  return undefined;
}

/** What comes out at the end for so much at the start, base units. */
export function outputOf(route: Route, amount: bigint): bigint {
  return route.reduce((input, hop) => hopOutput(hop, input), amount);
}

/** The most that the last pool could ever give, exclusive. */
export function limitOf(route: Route): bigint | undefined {
  const last = route.at(-1);
  return last && reserves(last).out;
}

/** The constant product with the fee taken from the input, as the pool contract reckons it. */
function hopOutput(hop: Hop, amount: bigint): bigint {
  const { in: reserveIn, out: reserveOut } = reserves(hop);
  const charged = amount * (10_000n - hop.pool.feeBps);
  const denominator = reserveIn * 10_000n + charged;
  return denominator === 0n ? 0n : (charged * reserveOut) / denominator;
}

function reserves({ pool, tokenIn }: Hop): { in: bigint; out: bigint } {
  return isEqual(pool.token0, tokenIn)
    ? { in: pool.reserve0, out: pool.reserve1 }
    : { in: pool.reserve1, out: pool.reserve0 };
}

function hopsFrom(chain: EvmChain, token: Address): readonly Hop[] {
  return chain.pools.flatMap((pool) => {
    if (isEqual(pool.token0, token)) return [{ pool, tokenIn: pool.token0, tokenOut: pool.token1 }];
    if (isEqual(pool.token1, token)) return [{ pool, tokenIn: pool.token1, tokenOut: pool.token0 }];
    return [];
  });
}
