/** The symbols of pinned tokens, for completion only: addresses are not checked. */
import { isMapping } from '../api/schema/Mapping.js';
import type { Chain, Network, Token } from '../network/Network.js';
import * as JsonText from '../text/JsonText.js';

/**
 * Adds the tokens of a pin file to a network, as far as they can be read.
 *
 * @param deployment that the network's pins are bound to; if undefined, the pins of all deployments are used
 */
export function layOver(network: Network, text: string, deployment: string | undefined): Network {
  const places = list((JsonText.read(text) as { chains?: unknown } | null | undefined)?.chains)
    .filter(isMapping)
    .filter((place) => place.network === network.name && (deployment === undefined || place.deployment === deployment));
  if (places.length === 0) return network;
  return { ...network, chains: network.chains.map((chain) => withTokens(chain, places)) };
}

type PinnedChain = { network?: unknown; deployment?: unknown; chainId?: unknown; tokens?: unknown };

function withTokens(chain: Chain, places: readonly PinnedChain[]): Chain {
  const known = new Set([chain.native, ...chain.tokens].map(({ symbol }) => symbol.toLowerCase()));
  const pinned: Token[] = [];
  for (const { chainId, tokens } of places) {
    if (chainId !== chain.id) continue;
    for (const token of list(tokens).filter(isMapping)) {
      const { symbol, name, address, decimals } = token as Record<string, unknown>;
      if (typeof symbol !== 'string' || known.has(symbol.toLowerCase())) continue;
      known.add(symbol.toLowerCase());
      pinned.push({ symbol, name: String(name), address: String(address), decimals: Number(decimals) });
    }
  }
  return { ...chain, tokens: [...chain.tokens, ...pinned] };
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
