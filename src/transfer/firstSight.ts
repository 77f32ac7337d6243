/** A chain whose contracts ferry does not know: the user is asked once, as ssh asks about a host. */
import type { Context } from '../cli/createContext.js';
import * as ContractChange from '../core/network/ContractChange.js';
import type { Chain, Network } from '../core/network/Network.js';
import type * as TrustedContracts from '../core/network/TrustedContracts.js';
import { plain } from '../core/text/TerminalStyle.js';
import { propose } from './trustContracts.js';

/**
 * Shows what the service says of a chain whose contracts are neither shipped nor pinned, asks, and pins them. Where
 * nobody can be asked, and under --yes, nothing happens: the service alone never decides. Gives the network to prove
 * with; asked again in the same run, it has its answer.
 *
 * @throws service.* · chain.wrong-chain · prompt.declined
 */
export async function pinOnFirstSight(chain: Chain, context: Context): Promise<Network> {
  const { pins } = context;
  const isKnown = pins.contracts(chain).some(({ contract }) => holders.includes(contract));
  if (isKnown || chain.vm !== 'evm' || !context.interactive || context.yes) return pins.network();
  const { contracts, notLooked } = await propose(chain, [], context);
  const found = contracts.filter(({ hasCode }) => hasCode !== false);
  if (found.length === 0) return pins.network();
  await context.confirm(question(chain, found, notLooked, context));
  return pins.write(chain, {
    contracts: Object.fromEntries(found.map(({ contract, after }) => [contract, after])),
    tokens: [],
  });
}

/** What holds or takes the funds of a transfer. */
const holders: readonly TrustedContracts.ContractName[] = ['depository', 'router', 'approvalProxy'];

function question(
  { name }: Chain,
  found: readonly ContractChange.Proposal[],
  notLooked: string | undefined,
  { network }: Context,
): string {
  return [
    `ferry knows no contracts of ${name}. The service of ${network.name} says that these hold the funds there:`,
    ContractChange.format(found, plain),
    ...(notLooked === undefined ? [] : [`Whether they exist could not be looked at. ${notLooked}`]),
    'Trust them from now on?',
  ].join('\n');
}
