/**
 * What assets cost in dollars, from price feeds that the user's own nodes read: not the service's word.
 *
 * Assets and feeds are shipped data with their sources (`test/build/networks.data.json`), never concluded from a
 * symbol. A feed is asked of every node of its chain, which must agree. One node is the only witness of its own feeds:
 * whoever controls it and the service can state any price. Offline no feed is read, and what needs one stays unchecked.
 */
import { BaseError } from '../../base/Errors.js';
import type * as Network from '../../network/Network.js';
import type { Chain } from '../../ports/Ports.js';

/** The dollars that one unit of an asset costs are `answer / 10 ** decimals`. */
export type Price = { answer: bigint; decimals: number; source: string };

/** A price, or why there is none. */
export type Reading = Price | { why: string };

/** Readings by asset. */
export type Prices = ReadonlyMap<string, Reading>;

export type Ports = {
  /** The chains whose feeds may be read, the preferred ones first. */
  chains: readonly Network.Chain[];
  /** The node of a chain. @throws chain.* */
  node(chain: Network.Chain): Promise<Pick<Chain, 'round'>> | Pick<Chain, 'round'>;
  /** Unix time in milliseconds. */
  nowMs: number;
};

/** The price of a dollar. */
export const dollar: Price = { answer: 1n, decimals: 0, source: 'the amounts in dollars' };

/** How many chains are asked for one asset before ferry gives up. */
const attempts = 3;

/** How long a rollup's prices are old after its sequencer is up again, in seconds. */
const recovery = 3_600n;

/** Reads what the assets cost. A feed that cannot be read, is stale or has no sane answer is no witness. */
export async function read(assets: readonly string[], ports: Ports): Promise<Prices> {
  const distinct = [...new Set(assets)];
  return new Map(await Promise.all(distinct.map(async (asset) => [asset, await priceOf(asset, ports)] as const)));
}

/** What one unit costs, in millionths of a dollar; undefined if there is no price. */
export function perUnit(reading: Reading | undefined): bigint | undefined {
  return isPrice(reading) ? (reading.answer * 1_000_000n) / 10n ** BigInt(reading.decimals) : undefined;
}

/** Whether a reading is a price. */
export function isPrice(reading: Reading | undefined): reading is Price {
  return reading !== undefined && 'answer' in reading;
}

async function priceOf(asset: string, { chains, ...ports }: Ports): Promise<Reading> {
  const having = chains.filter(({ feeds }) => feeds?.[asset] !== undefined).slice(0, attempts);
  const reasons: string[] = [];
  for (const chain of having) {
    const reading = await onChain(asset, chain, ports);
    if (isPrice(reading)) return reading;
    reasons.push(reading.why);
  }
  return { why: reasons.join('; ') || `ferry knows no price feed of ${asset}` };
}

async function onChain(asset: string, chain: Network.Chain, { node, nowMs }: Omit<Ports, 'chains'>): Promise<Reading> {
  const feed = chain.feeds?.[asset];
  const source = `the ${asset}/USD feed on ${chain.name}`;
  if (!feed) return { why: `${source} is not known` };
  try {
    const client = await node(chain);
    const [round, sequencer] = await Promise.all([
      client.round(feed.address),
      chain.sequencerFeed && client.round(chain.sequencerFeed),
    ]);
    const now = BigInt(Math.floor(nowMs / 1000));
    if (sequencer && (sequencer.answer !== 0n || now - sequencer.startedAt < recovery))
      return { why: `the sequencer of ${chain.name} is or was down` };
    if (round.answer <= 0n) return { why: `${source} has no price` };
    const age = now - round.updatedAt;
    const oldest = (BigInt(feed.heartbeat) * 11n) / 10n;
    if (age > oldest) return { why: `${source} is ${age} s old, and publishes every ${feed.heartbeat} s` };
    if (-age > oldest) return { why: `${source} has a price of the future` };
    return { answer: round.answer, decimals: feed.decimals, source };
  } catch (error) {
    // If nodes contradict each other, one of them lies, and may agree with the service.
    if (!(error instanceof BaseError) || !/^(chain\.(?!disagreement)|sandbox\.)/.test(error.code)) throw error;
    return { why: `${source} cannot be read: ${error.message}` };
  }
}
