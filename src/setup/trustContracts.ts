/** What may be accepted on a chain: the service is asked what it says, the chain whether there are contracts. */

import type { Address } from '../core/base/Address.js';
import { BaseError } from '../core/base/Errors.js';
import type { Context } from '../core/command/Context.js';
import { WrongChainError } from '../core/execution/BalanceCheck.js';
import * as ContractChange from '../core/network/ContractChange.js';
import type { Chain, Network } from '../core/network/Network.js';
import * as ReportedContracts from '../core/network/ReportedContracts.js';
import type * as TrustedContracts from '../core/network/TrustedContracts.js';
import type * as Ports from '../core/ports/Ports.js';
import { plain } from '../core/text/TerminalStyle.js';

export type Proposed = {
  contracts: ContractChange.Proposal[];
  /** Why the chain could not be looked at; undefined where it was, or where nothing had to be. */
  notLooked: string | undefined;
};

/**
 * The contracts of a chain that would become others, each looked at on the chain where an RPC node of it answers.
 *
 * @throws service.* · usage.missing · chain.wrong-chain
 */
export async function propose(
  chain: Chain,
  wishes: readonly ContractChange.Wish[],
  context: Context,
): Promise<Proposed> {
  const service = await context.service();
  const testimony = ReportedContracts.from(await service.chains(), chain.id) ?? {};
  const contracts = ContractChange.from(context.pins.contracts(chain), testimony, wishes);
  if (contracts.length === 0) return { contracts, notLooked: undefined };
  try {
    const node = await connect(chain, context);
    const looked = contracts.map(async (each) => ({ ...each, hasCode: await hasCode(each.after, node) }));
    return { contracts: await Promise.all(looked), notLooked: undefined };
  } catch (error) {
    if (!(error instanceof BaseError) || !unlooked.includes(error.code)) throw error;
    return { contracts, notLooked: error.message };
  }
}

/** The node of a chain, which serves that chain. @throws chain.wrong-chain · chain.no-rpc · chain.* */
export async function connect(chain: Chain, context: Context): Promise<Ports.Chain> {
  const node = await context.chain(chain);
  const found = await node.chainId();
  if (found !== chain.id) throw new WrongChainError(chain, found);
  return node;
}

/** The chain was not reached; a node that serves another chain is a mistake to put right first. */
const unlooked: readonly string[] = ['chain.no-rpc', 'chain.unreachable', 'chain.refused'];

/** An account that delegates to a contract has code too, and whoever has its key still owns what it holds. */
async function hasCode(address: Address, node: Ports.Chain): Promise<boolean> {
  const code = await node.code(address);
  return code !== '0x' && !code.startsWith('0xef01');
}

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
