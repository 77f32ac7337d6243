/** The doctor's checks of the chains' nodes: those that the user chose one by one, the public ones together. */

import type { Fact } from '../core/base/Errors.js';
import * as HealthCheck from '../core/checks/HealthCheck.js';
import type * as Network from '../core/network/Network.js';
import * as NetworkRegistry from '../core/network/NetworkRegistry.js';
import * as ShellCommand from '../core/text/ShellCommand.js';
import { type CheckedNetwork, checkChain } from './remoteChecks.js';

type NodeCheck = Awaited<ReturnType<typeof checkChain>>;

/** How many public nodes are asked before the others: if none of them answers, the network is the likely reason. */
const pilots = 8;

/**
 * Checks the nodes of chains, each by itself and all at the same time. A public node that ships with ferry was not chosen
 * by the user, so all of them that are down are one warning, unless the user named the chains. One of several nodes of a
 * chain that is down is a warning too, as long as another answers. Also returns the times of the latest blocks.
 *
 * @param within a network in which the chain has only the node to ask
 */
export async function checkNodes(
  chains: readonly Network.Chain[],
  { network, isNamed, within }: { network: string; isNamed: boolean; within: (chain: Network.Chain) => CheckedNetwork },
): Promise<{ checks: HealthCheck.Check[]; times: readonly NodeCheck[] }> {
  const firsts = chains.map(({ rpcUrls: _, ...chain }) => chain);
  const further: ReadonlySet<Network.Chain> = new Set(
    chains.flatMap(({ rpcUrls = [], urlsVariable, ...chain }) =>
      rpcUrls.map((rpcUrl) => ({ ...chain, rpcUrl, urlVariable: urlsVariable })),
    ),
  );
  const nodes: Network.Chain[] = [...firsts, ...further];
  const ask = async (some: readonly Network.Chain[]) =>
    passedOver(
      await Promise.all(
        some.map(async (chain) => {
          const setting = further.has(chain) ? 'rpcUrls' : 'rpcUrl';
          return { chain, ...(await checkChain(chain, within(chain), setting)) };
        }),
      ),
    );
  const isPublic = isNamed ? () => false : await publicNodes();
  const shipped = nodes.filter(isPublic);
  const [own, first] = await Promise.all([
    ask(nodes.filter((chain) => !isPublic(chain))),
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
    checks: down.length === 0 ? checks : [...checks, warningOf(down, isReached ? [] : others, network)],
    times: found,
  };
}

type ChainCheck = { chain: Network.Chain } & NodeCheck;

/** A node that is down is passed over while another of its chain answers. */
function passedOver(found: readonly ChainCheck[]): readonly ChainCheck[] {
  const isCovered = ({ chain, check }: ChainCheck): boolean =>
    isDown(check) && found.some((other) => other.chain.id === chain.id && !isDown(other.check));
  return found.map((each) =>
    isCovered(each)
      ? {
          ...each,
          check: {
            ...each.check,
            verdict: 'warn',
            hint: 'Another node of the chain answers: it is asked instead, and is then the only witness.',
          },
        }
      : each,
  );
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
    fix: ShellCommand.line`ferry config set networks.${network}.chains.<chain>.rpcUrl <url>`,
    code: 'chain.unreachable',
  });
}

/** Whether a chain's node is one of those that ferry ships. */
async function publicNodes(): Promise<(chain: Network.Chain) => boolean> {
  const tables = await NetworkRegistry.all();
  const urls = new Set(tables.flatMap(({ chains }) => chains.flatMap(({ rpcUrl }) => rpcUrl ?? [])));
  return ({ rpcUrl }) => rpcUrl !== undefined && urls.has(rpcUrl);
}
