/** The VM types of the order protocol. A chain's VM type determines how its addresses are encoded as bytes. */
import type { Chain } from './Network.js';

/** A VM type, named as in the order protocol. */
export type Vm = (typeof ofChain)[Chain['vm']] | 'xrp-vm';

/** Returns the VM type of the chain that orders refer to by a slug; undefined if unknown. */
export type VmOf = (slug: string) => Vm | undefined;

/** Slugs that refer to the same chain in every deployment of the order protocol. */
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

const ofChain = {
  evm: 'ethereum-vm',
  lvm: 'lighter-vm',
  svm: 'solana-vm',
  bvm: 'bitcoin-vm',
  tvm: 'tron-vm',
  tonvm: 'ton-vm',
  hypevm: 'hyperliquid-vm',
} as const satisfies Record<Chain['vm'], string>;

/** The VM type of a chain. */
export function ofOne({ vm }: Pick<Chain, 'vm'>): Vm {
  return ofChain[vm];
}

/**
 * Looks up slugs among the shipped ones and a network's chains. A slug with conflicting VM types is unknown, since its
 * addresses would be ambiguous.
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
