/** What an account holds on the chains of a network, and what that is worth by price feeds that its nodes read. */
import * as z from 'zod/mini';
import type { Address } from '../../base/Address.js';
import * as Amount from '../../base/Amount.js';
import { BaseError } from '../../base/Errors.js';
import * as Usd from '../../base/Usd.js';
import * as Network from '../../network/Network.js';
import type { Chain } from '../../ports/Ports.js';
import * as Prices from './Prices.js';

export const row = z.object({
  chain: z.string(),
  chainId: z.int(),
  symbol: z.string(),
  /** `chain/token`, as a user types it. */
  currency: z.string(),
  address: z.string(),
  /** Base units. */
  amount: z.string(),
  formatted: z.string(),
  /** Dollars; null if no price feed was read. */
  usd: z.nullable(z.string()),
});

export type Row = z.infer<typeof row>;

export const unread = z.object({ chain: z.string(), chainId: z.int(), reason: z.string() });

/** A chain that was not read, and why. */
export type Unread = z.infer<typeof unread>;

export type Ports = {
  /** The node of a chain. @throws chain.* */
  node(chain: Network.Chain): Promise<Pick<Chain, 'balance' | 'round'>>;
  /** Unix time in milliseconds. */
  nowMs: number;
};

type Holding = { chain: Network.Chain; token: Network.Token; amount: bigint };

/**
 * Reads the native asset and the well-known tokens of every chain, and the prices, at the same time.
 *
 * @throws chain.* · sandbox.* if no chain could be read
 */
export async function read(
  owner: Address,
  chains: readonly Network.Chain[],
  { node, nowMs }: Ports,
): Promise<{ balances: Row[]; unread: Unread[] }> {
  const nodes = new Map<number, ReturnType<Ports['node']>>();
  const nodeOf = (chain: Network.Chain): ReturnType<Ports['node']> => {
    const found = nodes.get(chain.id) ?? punctual(chain, node(chain));
    nodes.set(chain.id, found);
    return found;
  };
  const assets = chains.flatMap(({ native, tokens }) => [native, ...tokens].flatMap(({ asset }) => asset ?? []));
  const priced = assets.filter((asset) => asset !== Network.dollar);
  const [prices, ...found] = await Promise.all([
    Prices.read(priced, { chains, node: nodeOf, nowMs }),
    ...chains.map((chain) => holdingsOn(chain, owner, nodeOf)),
  ]);
  const failed = found.flatMap((each) => ('error' in each ? [each] : []));
  const [first] = failed;
  if (first && failed.length === chains.length)
    throw failed.length > 1 && failed.every(({ error }) => isAway(error))
      ? new BaseError('chain.unreachable', `None of the ${failed.length} chains has a node that answers.`, {
          hint: 'Is this machine online? If so, check HTTPS_PROXY if it needs a proxy.',
          next: 'ferry doctor',
        })
      : first.error;
  return {
    balances: found.flatMap((each) => ('error' in each ? [] : each.map((holding) => toRow(holding, prices)))),
    unread: failed.map(({ chain: { name, id }, error: { message } }) => ({
      chain: name,
      chainId: id,
      reason: message,
    })),
  };
}

/** The sum of what has a price, in dollars; null if nothing has. */
export function total(rows: readonly Pick<Row, 'usd'>[]): string | null {
  const known = rows.flatMap(({ usd }) => (usd === null ? [] : (Usd.from(usd) ?? [])));
  return known.length === 0 ? null : Usd.formatWire(known.reduce((sum, usd) => sum + usd, 0n));
}

async function holdingsOn(
  chain: Network.Chain,
  owner: Address,
  nodeOf: Ports['node'],
): Promise<Holding[] | { chain: Network.Chain; error: BaseError }> {
  try {
    const node = await nodeOf(chain);
    const tokens = [chain.native, ...chain.tokens];
    const amounts = await Promise.all(tokens.map(({ address }) => node.balance(owner, address as Address)));
    return tokens.map((token, index) => ({ chain, token, amount: amounts[index] ?? 0n }));
  } catch (error) {
    if (!(error instanceof BaseError) || !/^(chain|sandbox)\./.test(error.code)) throw error;
    return { chain, error };
  }
}

/** A node whose lateness is an error of its chain, like any other that it may have. */
async function punctual(chain: Network.Chain, connecting: ReturnType<Ports['node']>): ReturnType<Ports['node']> {
  const inTime = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      throw error instanceof Error && error.name === 'TimeoutError'
        ? new BaseError('chain.unreachable', `The RPC node of ${chain.name} took too long to answer.`, {
            hint: 'Give it more time with --timeout, or set another node.',
            next: 'ferry doctor',
          })
        : error;
    }
  };
  const client = await inTime(connecting);
  return {
    balance: (...of) => inTime(client.balance(...of)),
    round: (...of) => inTime(client.round(...of)),
  };
}

function isAway({ code }: BaseError): boolean {
  return code === 'chain.unreachable';
}

function toRow({ chain, token, amount }: Holding, prices: Prices.Prices): Row {
  const { symbol, address, decimals, asset } = token;
  const reading = asset === Network.dollar ? Prices.dollar : asset === undefined ? undefined : prices.get(asset);
  const perUnit = Prices.perUnit(reading);
  return {
    ...{ chain: chain.name, chainId: chain.id, symbol, currency: `${chain.name}/${symbol.toLowerCase()}`, address },
    ...Amount.toDocument(amount, decimals),
    usd: perUnit === undefined ? null : Usd.formatWire((amount * perUnit) / 10n ** BigInt(decimals)),
  };
}
