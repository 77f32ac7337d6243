/** Proposes and pins the contracts of a chain: the service reports them, and the chain shows whether they have code. */

import type { Address } from '../core/base/Address.js';
import { BaseError } from '../core/base/Errors.js';
import type { Context } from '../core/command/Context.js';
import { assertChain } from '../core/execution/Facts.js';
import * as ContractChange from '../core/network/ContractChange.js';
import type { Chain, Network } from '../core/network/Network.js';
import * as ReportedContracts from '../core/network/ReportedContracts.js';
import type * as TrustedContracts from '../core/network/TrustedContracts.js';
import type * as Ports from '../core/ports/Ports.js';
import { plain } from '../core/text/TerminalStyle.js';

export type Proposed = {
  contracts: ContractChange.ContractChange[];
  /** Why the contracts could not be checked on the chain; undefined if they were, or if there was nothing to check. */
  notLooked: string | undefined;
};

/**
 * The contracts of a chain that would change, each checked for code if an RPC node of the chain responds.
 *
 * @throws service.* · usage.missing · chain.wrong-chain
 */
export async function propose(
  chain: Chain,
  wishes: readonly ContractChange.Request[],
  context: Context,
): Promise<Proposed> {
  const service = await context.service();
  const testimony = ReportedContracts.from(await service.chains(), chain.id) ?? {};
  const contracts = ContractChange.from(context.pins.contracts(chain), testimony, wishes);
  if (contracts.length === 0) return { contracts, notLooked: undefined };
  try {
    const node = await connect(chain, context);
    const checked = contracts.map(async (each) => ({ ...each, hasCode: await hasCode(each.after, node) }));
    return { contracts: await Promise.all(checked), notLooked: undefined };
  } catch (error) {
    if (!(error instanceof BaseError) || !unreached.includes(error.code)) throw error;
    return { contracts, notLooked: error.message };
  }
}

/** The node of a chain, verified to serve that chain. @throws chain.wrong-chain · chain.no-rpc · chain.* */
export async function connect(chain: Chain, context: Context): Promise<Ports.Chain> {
  const node = await context.chain(chain);
  assertChain(chain, await node.chainId());
  return node;
}

/** Failures that only prevent the check. A node of another chain is not among them: it must be fixed first. */
const unreached: readonly string[] = ['chain.no-rpc', 'chain.unreachable', 'chain.refused'];

/** Whether there is a contract. An EIP-7702 account has code too, but its key still controls its funds. */
async function hasCode(address: Address, node: Ports.Chain): Promise<boolean> {
  const code = await node.code(address);
  return code !== '0x' && !code.startsWith('0xef01');
}

/**
 * If a chain's contracts are neither shipped nor pinned, shows the ones the service reports, asks for confirmation and
 * pins them. Does nothing without a terminal or under --yes, because the service alone never decides. Returns the
 * network to verify with; a repeated call in the same run does not ask again.
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

/** The contracts that hold or receive the funds of a transfer. */
const holders: readonly TrustedContracts.ContractName[] = ['depository', 'router', 'approvalProxy'];

function question(
  { name }: Chain,
  found: readonly ContractChange.ContractChange[],
  notLooked: string | undefined,
  { network }: Context,
): string {
  return [
    `ferry knows no contracts on ${name}. The service of ${network.name} reports that these hold the funds there:`,
    ContractChange.format(found, plain),
    ...(notLooked === undefined ? [] : [`ferry could not check that they exist. ${notLooked}`]),
    'Trust them from now on?',
  ].join('\n');
}
