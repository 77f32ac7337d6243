/**
 * Strict deposit addresses. One belongs to one order: whatever arrives there can only be deposited for that order, in
 * the name of its depositor. A factory creates it (CREATE2), so it can be computed before anything is there.
 */
import { concat, getContractAddress, keccak256 } from 'viem/utils';
import type { Address } from '../../base/Address.js';
import type { Hex } from '../../base/Hex.js';
import type { Contracts } from '../../network/Network.js';

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
export function makerOf({ depositFactory, depositImplementation }: Contracts): Maker | undefined {
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
