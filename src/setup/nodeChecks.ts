/** The doctor's checks of the chains' nodes: those that the user chose one by one, the public ones together. */

import type { Fact } from '../core/base/Errors.js';
import * as HealthCheck from '../core/checks/HealthCheck.js';
import type * as Network from '../core/network/Network.js';
import * as NetworkRegistry from '../core/network/NetworkRegistry.js';
import { type Asked, checkChain } from './remoteChecks.js';

type NodeCheck = Awaited<ReturnType<typeof checkChain>>;

/** How many public nodes are asked before the others: if none of them answers, the network is the likely reason. */
const pilots = 8;

/**
 * Checks the nodes of chains, at the same time. A public node that ships with ferry was not chosen by the user, so all of
 * them that are down are one warning, unless the user named the chains. Also returns the times of the latest blocks.
 */
export async function checkNodes(
  chains: readonly Network.Chain[],
  { isNamed, within }: { isNamed: boolean; within: () => Asked },
): Promise<{ checks: HealthCheck.Check[]; times: readonly NodeCheck[] }> {
  const ask = async (some: readonly Network.Chain[]) =>
    Promise.all(some.map(async (chain) => ({ chain, ...(await checkChain(chain, within())) })));
  const isPublic = isNamed ? () => false : await publicNodes();
  const shipped = chains.filter(isPublic);
  const [own, first] = await Promise.all([
    ask(chains.filter((chain) => !isPublic(chain))),
    ask(shipped.slice(0, pilots)),
  ]);
  const isReached = first.some(({ check }) => !isDown(check));
  const others = shipped.slice(pilots);
  const rest = isReached ? await ask(others) : [];
  const found = [...own, ...first, ...rest];
  const isLenient = (each: { chain: Network.Chain; check: HealthCheck.Check }) =>
    isPublic(each.chain) && isDown(each.check);
  const down = found.filter(isLenient).map(({ chain, check }): Fact => [chain.name, check.summary]);
  const checks = found.filter((each) => !isLenient(each)).map(({ check }) => check);
  return {
    checks: down.length === 0 ? checks : [...checks, warningOf(down, isReached ? [] : others, within().network.name)],
    times: found,
  };
}

/** Whether a node is down. One that serves another chain is not: that is worse, and a failure of its own. */
function isDown({ verdict, code }: HealthCheck.Check): boolean {
  return verdict === 'fail' && code !== 'chain.wrong-chain';
}

function warningOf(down: readonly Fact[], unasked: readonly Network.Chain[], network: string): HealthCheck.Check {
  const summary =
    unasked.length === 0
      ? `${down.length} public ${down.length === 1 ? 'node does' : 'nodes do'} not answer.`
      : `None of ${down.length} public nodes answers, so the other ${unasked.length} were not asked.`;
  return HealthCheck.warn('chain', summary, {
    facts: down,
    hint: 'They ship with ferry. If you use one of these chains, configure a node of your own.',
    fix: `ferry config set networks.${network}.chains.<chain>.rpcUrl <url>`,
    code: 'chain.unreachable',
  });
}

/** Whether a chain's node is one of those that ferry ships. */
async function publicNodes(): Promise<(chain: Network.Chain) => boolean> {
  const tables = await Promise.all(NetworkRegistry.names.map(NetworkRegistry.load));
  const urls = new Set(tables.flatMap(({ chains }) => chains.flatMap(({ rpcUrl }) => rpcUrl ?? [])));
  return ({ rpcUrl }) => rpcUrl !== undefined && urls.has(rpcUrl);
}
