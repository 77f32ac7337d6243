/** Contracts of the tests: compiled from their source and deployed to a real chain. */
import solc from 'solc';
import { type Abi, encodeAbiParameters } from 'viem';
import type { Address } from '../../src/core/base/Address.js';
import type { Account } from '../../src/sandbox/values/devAccounts.js';
import { connectAs, type Endpoint } from './nodeClients.js';

/** The ABI and the creation bytecode of the one contract of a source. */
export function compile(source: string): { abi: Abi; bytecode: `0x${string}` } {
  const input = {
    language: 'Solidity',
    sources: { 'Test.sol': { content: `// SPDX-License-Identifier: MIT\npragma solidity 0.8.30;\n${source}` } },
    settings: { evmVersion: 'cancun', outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } } },
  };
  const { contracts, errors = [] } = JSON.parse(solc.compile(JSON.stringify(input)));
  if (!contracts) throw new Error(errors.map((each: { formattedMessage: string }) => each.formattedMessage).join('\n'));
  const [{ abi, evm }] = Object.values(contracts['Test.sol']) as [{ abi: Abi; evm: { bytecode: { object: string } } }];
  return { abi, bytecode: `0x${evm.bytecode.object}` };
}

/** Deploys a compiled contract; resolves to its address. */
export async function deploy(
  chain: Endpoint,
  owner: Account,
  { abi, bytecode }: ReturnType<typeof compile>,
  args: readonly unknown[] = [],
): Promise<Address> {
  const client = connectAs(chain, owner);
  const made = abi.find((item) => item.type === 'constructor');
  const values = made ? encodeAbiParameters(made.inputs, args) : '0x';
  const hash = await client.deployContract({ abi: [], bytecode: `${bytecode}${values.slice(2)}` });
  const { contractAddress } = await client.waitForTransactionReceipt({ hash });
  if (!contractAddress) throw new Error('The contract was not deployed.');
  return contractAddress;
}
