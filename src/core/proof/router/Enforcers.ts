/** Contracts that hold a swap to its minimum: what the user's node says of those that the router's calls name. */

import { encodeFunctionData, parseAbi } from 'viem/utils';
import * as Address from '../../base/Address.js';
import type { Chain } from '../../ports/Ports.js';
import * as AggregatorSwap from './AggregatorSwap.js';

/** The genuine ones, with code on the chain. */
export type Enforcers = readonly Address.Address[];

type Node = Pick<Chain, 'code' | 'read'>;

/**
 * 0x's registry of Settlers, at one address on all its chains (0x-settler, README). The Settler of a feature is the owner
 * of the token with its number; the one before it is still in use for a while after a release. While a feature is
 * paused, the registry reverts.
 */
const registry: Address.Address = '0x00000000000004533Fe15556B1E086BB1A72cEae';

/** The feature of swaps that the taker submits. */
const takerSubmitted = 2n;

const registryAbi = parseAbi([
  'function ownerOf(uint256 tokenId) view returns (address)',
  'function prev(uint128 featureId) view returns (address)',
]);

/** Which of the swaps' enforcers are genuine. A node that cannot say is no witness of it. */
export async function read(swaps: readonly AggregatorSwap.Swap[], node: Node): Promise<Enforcers> {
  const found = await Promise.all(
    swaps.map(async ({ enforcer: { kind, address } }) => {
      const isGenuine = kind === 'shipped' ? await hasCode(address, node) : await isSettler(address, node);
      return isGenuine ? [address] : [];
    }),
  );
  return found.flat();
}

async function isSettler(address: Address.Address, node: Node): Promise<boolean> {
  const [holder, settler, current, previous] = await Promise.all([
    hasCode(AggregatorSwap.allowanceHolder, node),
    hasCode(address, node),
    ask(encodeFunctionData({ abi: registryAbi, functionName: 'ownerOf', args: [takerSubmitted] }), node),
    ask(encodeFunctionData({ abi: registryAbi, functionName: 'prev', args: [takerSubmitted] }), node),
  ]);
  const isNamed = [current, previous].some((named) => named !== undefined && Address.isEqual(named, address));
  // Without a current one the feature is paused.
  return holder && settler && current !== undefined && isNamed;
}

async function hasCode(address: Address.Address, node: Node): Promise<boolean> {
  return (await node.code(address).catch(() => '0x')) !== '0x';
}

/** The address that the registry answers; undefined if it reverts, or if there is none. */
async function ask(data: `0x${string}`, node: Node): Promise<Address.Address | undefined> {
  const answer = await node.read({ to: registry, data }).catch(() => undefined);
  if (!answer || !/^0x0{24}[0-9a-fA-F]{40}$/.test(answer)) return undefined;
  const named: Address.Address = `0x${answer.slice(26)}`;
  return Address.isEqual(named, Address.native) ? undefined : named;
}
