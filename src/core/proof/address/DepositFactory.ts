/**
 * What the payer's node says of the factory of strict deposit addresses: that it is there, creates this address for this
 * order, and deposits into the depository that ferry knows. Money sent to an address that nothing can create is lost.
 */
import { encodeFunctionData, parseAbi } from 'viem/utils';
import * as Address from '../../base/Address.js';
import type { Hex } from '../../base/Hex.js';
import type * as Network from '../../network/Network.js';
import type { Chain } from '../../ports/Ports.js';
import { collect, type Finding } from '../../quote/Finding.js';
import type { Quote } from '../../quote/Quote.js';
import * as StrictAddress from './StrictAddress.js';

const abi = parseAbi([
  'function DEPOSITORY() view returns (address)',
  'function IMPLEMENTATION() view returns (address)',
  'function computeDepositAddress(bytes32 orderId, address depositor) view returns (address)',
]);

/** Checks the factory of a quote's address. An open address has none, and is refused or accepted for what it is. */
export async function observe({ intent, response, items }: Quote, node: Node): Promise<readonly Finding[]> {
  const { chain } = intent.origin;
  const found = items.find(({ depositAddress }) => depositAddress !== undefined)?.depositAddress;
  const orderId = response.protocol?.v2?.orderId;
  const maker = StrictAddress.makerOf(chain.contracts);
  if (found === undefined || orderId === undefined || !maker) return [];
  const owner = { orderId: orderId as Hex, depositor: intent.refundTo as Address.Address };
  return Address.isEqual(StrictAddress.of(maker, owner), found) ? check(found, owner, chain, node) : [];
}

type Node = Pick<Chain, 'read' | 'code'>;

/**
 * Checks the factory at the node. A node that does not answer shows nothing: then it cannot be verified.
 *
 * @param found the address that the quote names
 */
export async function check(
  found: string,
  owner: StrictAddress.Owner,
  { name, contracts }: Pick<Network.Chain, 'name' | 'contracts'>,
  node: Node,
): Promise<readonly Finding[]> {
  const findings = collect();
  const maker = StrictAddress.makerOf(contracts);
  if (!maker) return [];
  const { factory, implementation } = maker;
  const [created, depository, stated, code] = await Promise.all([
    ask(encodeFunctionData({ abi, functionName: 'computeDepositAddress', args: [owner.orderId, owner.depositor] })),
    ask(encodeFunctionData({ abi, functionName: 'DEPOSITORY' })),
    ask(encodeFunctionData({ abi, functionName: 'IMPLEMENTATION' })),
    node.code(implementation).catch(() => '0x'),
  ]);
  const own = 'deposit-factory';
  if (created === undefined || depository === undefined || stated === undefined || code === '0x') {
    findings.cannot(own, `the factory ${factory} on ${name}`, `the node of ${name} does not show it`);
    return findings.list;
  }
  const isRight =
    Address.isEqual(created, found) &&
    Address.isEqual(stated, implementation) &&
    contracts.depository !== undefined &&
    Address.isEqual(depository, contracts.depository);
  const into = `${created}, depositing into ${depository}`;
  findings.say(
    own,
    isRight,
    `${found}, depositing into ${contracts.depository ?? 'a depository that ferry knows'}`,
    into,
    ['the computed address', `the node of ${name}`],
  );
  return findings.list;

  async function ask(data: Hex): Promise<Address.Address | undefined> {
    const answer = await node.read({ to: factory, data }).catch(() => undefined);
    return answer && /^0x0{24}[0-9a-fA-F]{40}$/.test(answer) ? `0x${answer.slice(26)}` : undefined;
  }
}
