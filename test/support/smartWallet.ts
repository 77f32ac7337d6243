/** A wallet that is a contract: it takes the signatures of its owner (EIP-1271). */
import type { Address } from '../../src/core/base/Address.js';
import type { Endpoint } from '../../src/sandbox/chain/clients.js';
import type { Account } from '../../src/sandbox/values/devAccounts.js';
import { compile, deploy } from './solidity.js';

const source = `
contract SmartWallet {
  address private immutable owner = msg.sender;

  function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
    if (signature.length != 65) revert();
    address signer = ecrecover(hash, uint8(signature[64]), bytes32(signature[:32]), bytes32(signature[32:64]));
    return signer == owner ? this.isValidSignature.selector : bytes4(0xffffffff);
  }
}`;

/** Deploys a wallet of an account; resolves to its address. */
export function deployWallet(chain: Endpoint, owner: Account): Promise<Address> {
  return deploy(chain, owner, compile(source));
}
