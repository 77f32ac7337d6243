/** The networks that ferry ships. Each table is loaded only when its network is used. */
import type { Network } from './Network.js';

const loaders = {
  sandbox: async () => (await import('./sandbox.js')).network,
  testnet: async () => (await import('./testnet.js')).network,
  mainnet: async () => (await import('./mainnet.js')).network,
} as const satisfies Record<string, () => Promise<Network>>;

/** The name of a network that ferry ships. */
export type Name = keyof typeof loaders;

/** The names of the shipped networks, the harmless ones first. */
export const names: readonly Name[] = Object.keys(loaders) as Name[];

/** The shipped networks that move no real money. A table's own `realMoney` says the same; a test compares them. */
export const testNames: readonly Name[] = ['sandbox', 'testnet'];

/** Whether ferry ships a network of that name. */
export function isShipped(name: string): name is Name {
  return (names as readonly string[]).includes(name);
}

/** The shipped table of a network. */
export function load(name: Name): Promise<Network> {
  return loaders[name]();
}
