/** Names in the user's files, and the port to them: read lazily, never from the network, never throwing. */

import { isMapping } from '../api/schema/Mapping.js';
import type { Chain, Network, Token } from '../network/Network.js';
import * as JsonText from '../text/JsonText.js';

export type Named = { name: string; about: string };

export type LocalNames = {
  /** A network by name, by default the one in use, with the user's pinned tokens; undefined if unknown. */
  network(name: string | undefined): Promise<Network | undefined>;
  /** Networks, chains and the address book of the user file. */
  configured(): Promise<Configured>;
  /** Encrypted wallet keys. */
  keys(): readonly Named[];
  /** Encrypted API keys of venue accounts. */
  venueKeys(): readonly Named[];
  /** The most recent runs, newest first. */
  runs(): readonly LocalRun[];
};

export type Configured = {
  networks: readonly { name: string; chains: readonly string[] }[];
  aliases: readonly { name: string; address: string }[];
};

export type LocalRun = {
  id: string;
  summary: string;
  /** Whether something was signed or submitted and the outcome is unknown. */
  isUnfinished: boolean;
  requestId: string | undefined;
};

/** Reads a journal; undefined if the text is not a journal. */
export function previewOf(text: string): Omit<LocalRun, 'id'> | undefined {
  const entries = text.split('\n').flatMap((line) => entryOf(line) ?? []);
  const [first] = entries;
  if (first?.type !== 'intent' || typeof first.summary !== 'string') return undefined;
  const named = entries.findLast(({ type }) => type === 'request') ?? entries.findLast(({ type }) => type === 'quote');
  const has = (pattern: RegExp): boolean => entries.some(({ type }) => typeof type === 'string' && pattern.test(type));
  return {
    summary: first.summary,
    requestId: isId(named?.requestId) ? named.requestId : undefined,
    isUnfinished: has(/^(signed|signed-.*|call|address|request)$/) && !has(/^outcome$/),
  };
}

type Entry = { type?: unknown; summary?: unknown; requestId?: unknown };

/** Undefined for a torn or invalid line. */
function entryOf(line: string): Entry | undefined {
  const { entry } = (JsonText.read(line) ?? {}) as { entry?: unknown };
  return isMapping(entry) ? entry : undefined;
}

function isId(text: unknown): text is string {
  return typeof text === 'string' && /^0x[0-9a-fA-F]{8,64}$/.test(text);
}

/**
 * Adds the tokens of a pin file to a network, as far as they can be read.
 *
 * @param deployment that the network's pins are bound to; if undefined, the pins of all deployments are used
 */
export function withPins(network: Network, text: string, deployment: string | undefined): Network {
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
