/** The strict deposit address of an order, as its factory creates it. */
import type { Hex } from 'viem';
import { encodePacked, getCreate2Address, keccak256 } from 'viem/utils';
import type { Address } from '../../core/base/Address.js';
import type { Contracts } from '../values/Market.js';

/** The address that deposits for an order in the depositor's name. */
export function from(
  { depositFactory, depositImplementation }: Pick<Contracts, 'depositFactory' | 'depositImplementation'>,
  orderId: Hex,
  depositor: Address,
): Address {
  return getCreate2Address({
    from: depositFactory,
    salt: keccak256(encodePacked(['bytes32', 'address'], [orderId, depositor])),
    bytecode: `0x602c3d8160093d39f33d3d3d3d363d3d37363d73${depositImplementation.slice(2)}5af43d3d93803e602a57fd5bf3`,
  });
}
