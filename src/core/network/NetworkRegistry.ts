/** The networks that ship with ferry. Each table is loaded only when its network is used. */
import type { Network } from './Network.js';

const loaders = {
  sandbox: async () => (await import('./sandbox.js')).network,
  testnet: async () => (await import('./testnet.js')).network,
  mainnet: async () => (await import('./mainnet.js')).network,
} as const satisfies Record<string, () => Promise<Network>>;

/** The name of a shipped network. */
export type Name = keyof typeof loaders;

/** The names of the shipped networks, test networks first. */
export const names: readonly Name[] = Object.keys(loaders) as Name[];

/** The shipped networks that move no real money. A test checks that this agrees with `realMoney` of each table. */
export const testNames: readonly Name[] = ['sandbox', 'testnet'];

/** Whether a network of that name ships with ferry. */
export function isShipped(name: string): name is Name {
  return (names as readonly string[]).includes(name);
}

/** All of them. */
export function all(): Promise<readonly Network[]> {
  return Promise.all(names.map(load));
}

/** Loads the table of a shipped network. */
export function load(name: Name): Promise<Network> {
  return loaders[name]();
}
