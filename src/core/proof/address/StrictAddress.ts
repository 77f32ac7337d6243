/**
 * Strict deposit addresses. One belongs to one order: whatever arrives there can only be deposited for that order, in
 * the name of its depositor. A factory creates it (CREATE2), so it can be computed before anything is there.
 *
 * What the payer's node says of the factory: that it is there, creates this address for this order, and deposits into the
 * depository that ferry knows. Money sent to an address that nothing can create is lost.
 */
import { concat, encodeFunctionData, getContractAddress, keccak256, parseAbi } from 'viem/utils';
import { type Address, isEqual } from '../../base/Address.js';
import type { Hex } from '../../base/Hex.js';
import type * as Network from '../../network/Network.js';
import type { Chain } from '../../ports/Ports.js';
import { collect, type Finding } from '../../quote/Finding.js';
import type { Quote } from '../../quote/Quote.js';

/** What makes the addresses of a chain. */
export type Maker = {
  factory: Address;
  /** The code that an address runs: it deposits all that the address holds, when the factory says so. */
  implementation: Address;
};

/** What an address belongs to. */
export type Owner = {
  orderId: Hex;
  /** In whose name the deposit is made. */
  depositor: Address;
};

/** What makes the addresses of a chain; undefined if ferry does not know it. */
export function makerOf({ depositFactory, depositImplementation }: Network.Contracts): Maker | undefined {
  if (!depositFactory || !depositImplementation) return undefined;
  return { factory: depositFactory, implementation: depositImplementation };
}

/**
 * The address of an order, checksummed.
 *
 * @example of(maker, { orderId, depositor: refundTo })
 */
export function of({ factory, implementation }: Maker, { orderId, depositor }: Owner): Address {
  return getContractAddress({
    opcode: 'CREATE2',
    from: factory,
    salt: keccak256(concat([orderId, depositor])),
    bytecode: concat([before, implementation, after]),
  });
}

/** The creation code of a minimal proxy, around the address that it runs the code of: Solady's, not that of EIP-1167. */
const [before, after] = ['0x602c3d8160093d39f33d3d3d3d363d3d37363d73', '0x5af43d3d93803e602a57fd5bf3'] as const;

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
  const maker = makerOf(chain.contracts);
  if (found === undefined || orderId === undefined || !maker) return [];
  const owner = { orderId: orderId as Hex, depositor: intent.refundTo as Address };
  return isEqual(of(maker, owner), found) ? check(found, owner, chain, node) : [];
}

type Node = Pick<Chain, 'read' | 'code'>;

/**
 * Checks the factory at the node. A node that does not answer shows nothing: then it cannot be verified.
 *
 * @param found the address that the quote names
 */
export async function check(
  found: string,
  owner: Owner,
  { name, contracts }: Pick<Network.Chain, 'name' | 'contracts'>,
  node: Node,
): Promise<readonly Finding[]> {
  const findings = collect();
  const maker = makerOf(contracts);
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
    isEqual(created, found) &&
    isEqual(stated, implementation) &&
    contracts.depository !== undefined &&
    isEqual(depository, contracts.depository);
  const into = `${created}, depositing into ${depository}`;
  findings.say(
    own,
    isRight,
    `${found}, depositing into ${contracts.depository ?? 'a depository that ferry knows'}`,
    into,
    ['the computed address', `the node of ${name}`],
  );
  return findings.list;

  async function ask(data: Hex): Promise<Address | undefined> {
    const answer = await node.read({ to: factory, data }).catch(() => undefined);
    return answer && /^0x0{24}[0-9a-fA-F]{40}$/.test(answer) ? `0x${answer.slice(26)}` : undefined;
  }
}
