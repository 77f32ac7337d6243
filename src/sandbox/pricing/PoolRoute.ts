/** Finds swap routes through the pools of a chain. */
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

/** Pools in swap order; empty if the currency stays the same or is only wrapped. */
export type Route = readonly Hop[];

export type Hop = { pool: Pool; tokenIn: Address; tokenOut: Address };

/** The conversion of an input into an output: the chain that has the pools, and the route through them. */
export type Path = {
  chain: EvmChain;
  /** The input's counterpart on that chain, and the output's. */
  from: EvmToken;
  to: EvmToken;
  route: Route;
};

type Side = { chain: Chain; token: Token };

/**
 * The path of a transfer: through the destination's pools, or the origin's if the destination is the venue, which has
 * no pools. Undefined if there is no route.
 */
export function pathOf({ origin, destination }: { origin: Side; destination: Side }): Path | undefined {
  const chain = destination.chain.vm === 'evm' ? destination.chain : origin.chain;
  return chain.vm === 'evm' ? pathThrough(chain, origin.token, destination.token) : undefined;
}

/** The path between the counterparts of two tokens on the given chain. */
export function pathThrough(chain: EvmChain, input: Token, output: Token): Path | undefined {
  const from = counterpart(chain, input);
  const to = counterpart(chain, output);
  const route = from && to && find(chain, from, to);
  return route && { chain, from, to, route };
}

/** The shortest route between two tokens, through at most two pools; undefined if there is none. */
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

/** The output of a route for an input, in base units. */
export function outputOf(route: Route, amount: bigint): bigint {
  return route.reduce((input, hop) => hopOutput(hop, input), amount);
}

/** Exclusive upper bound on a route's output: the reserve of its last pool. */
export function limitOf(route: Route): bigint | undefined {
  const last = route.at(-1);
  return last && reserves(last).out;
}

/** Constant-product formula with the fee taken from the input, rounded like the pool contract. */
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
