/** The kinds of chain that the order protocol tells apart. The kind of a chain decides how its addresses become bytes. */
import type { Chain } from './Network.js';

/** A kind of chain, in the order protocol’s word. */
export type Vm =
  | 'bitcoin-vm'
  | 'ethereum-vm'
  | 'hyperliquid-vm'
  | 'lighter-vm'
  | 'solana-vm'
  | 'ton-vm'
  | 'tron-vm'
  | 'xrp-vm';

/** The kind of the chain that an order names by this slug, if it is known. */
export type VmOf = (slug: string) => Vm | undefined;

/** Slugs that mean the same chain wherever the order protocol runs. */
const shipped: ReadonlyMap<string, Vm> = new Map<string, Vm>([
  ['ethereum', 'ethereum-vm'],
  ['optimism', 'ethereum-vm'],
  ['base', 'ethereum-vm'],
  ['arbitrum', 'ethereum-vm'],
  ['polygon', 'ethereum-vm'],
  ['bnb', 'ethereum-vm'],
  ['avalanche', 'ethereum-vm'],
  ['monad', 'ethereum-vm'],
  ['hyperliquid', 'hyperliquid-vm'],
  ['lighter', 'lighter-vm'],
  ['solana', 'solana-vm'],
  ['bitcoin', 'bitcoin-vm'],
  ['tron', 'tron-vm'],
  ['ton', 'ton-vm'],
  ['xrp', 'xrp-vm'],
]);

const ofChain: Readonly<Record<Chain['vm'], Vm>> = { evm: 'ethereum-vm', lvm: 'lighter-vm' };

/**
 * Looks slugs up among the shipped ones and those of a network's chains. A slug that two of them give different kinds
 * is unknown, since its addresses could be read in two ways.
 *
 * @example of(network.chains)('lighter') // 'lighter-vm'
 */
export function of(chains: readonly Pick<Chain, 'slug' | 'vm'>[]): VmOf {
  return (slug) => {
    const kinds = chains.filter((chain) => chain.slug === slug).map((chain) => ofChain[chain.vm]);
    const [first, ...others] = [shipped.get(slug) ?? [], kinds].flat();
    return others.every((other) => other === first) ? first : undefined;
  };
}
