/** A wallet that is a contract: it takes the signatures of its owner (EIP-1271). */
import solc from 'solc';
import type { Address } from '../../src/core/base/Address.js';
import { connectAs, type Endpoint } from '../../src/sandbox/chain/clients.js';
import type { Account } from '../../src/sandbox/values/devAccounts.js';

const source = `
// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

contract SmartWallet {
  address private immutable owner = msg.sender;

  function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
    if (signature.length != 65) revert();
    address signer = ecrecover(hash, uint8(signature[64]), bytes32(signature[:32]), bytes32(signature[32:64]));
    return signer == owner ? this.isValidSignature.selector : bytes4(0xffffffff);
  }
}`;

/** Deploys a wallet of an account; resolves to its address. */
export async function deployWallet(chain: Endpoint, owner: Account): Promise<Address> {
  const output = JSON.parse(
    solc.compile(
      JSON.stringify({
        language: 'Solidity',
        sources: { 'SmartWallet.sol': { content: source } },
        settings: { outputSelection: { '*': { '*': ['evm.bytecode.object'] } } },
      }),
    ),
  );
  const { object } = output.contracts['SmartWallet.sol'].SmartWallet.evm.bytecode;
  const client = connectAs(chain, owner);
  const hash = await client.deployContract({ abi: [], bytecode: `0x${object}` });
  const { contractAddress } = await client.waitForTransactionReceipt({ hash });
  if (!contractAddress) throw new Error('The wallet was not deployed.');
  return contractAddress;
}
