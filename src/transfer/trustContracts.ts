/** What may be accepted on a chain: the service is asked what it says, the chain whether there are contracts. */
import type { Context } from '../cli/createContext.js';
import type { Address } from '../core/base/Address.js';
import { BaseError } from '../core/base/Errors.js';
import { WrongChainError } from '../core/execution/BalanceCheck.js';
import * as ContractChange from '../core/network/ContractChange.js';
import type { Chain } from '../core/network/Network.js';
import * as ReportedContracts from '../core/network/ReportedContracts.js';
import type * as Ports from '../core/ports/Ports.js';

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
