/**
 * What a permit uses up, and how the contract that takes it shows that: the authorization of EIP-3009, or the nonce of
 * EIP-2612 or Permit2. The service chooses it, and a permit whose nonce is used already can pay nothing: whoever signs
 * it would take what the chain shows of an older one for the payment.
 */
import { encodeFunctionData, numberToHex, parseAbi } from 'viem/utils';
import type { Address } from '../../base/Address.js';
import { BaseError } from '../../base/Errors.js';
import type { Hex } from '../../base/Hex.js';
import type { Chain, TypedData } from '../../ports/Ports.js';
import { collect, type Finding } from '../../quote/Finding.js';
import type { Answer } from '../../quote/Quote.js';
import * as SignatureStep from './SignatureStep.js';

export type PermitNonce = {
  /** For a person. */
  name: string;
  /** Unix time in seconds, the last at which the permit can be used. */
  lastSeconds: bigint;
  /** What a node is asked. */
  call: { to: Address; data: Hex };
  /** Whether the answer shows that it is used, or not the next one. @throws chain.refused if it is no such answer */
  isUsedBy(answer: Hex): boolean;
};

const abi = parseAbi([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function nonces(address owner) view returns (uint256)',
  'function nonceBitmap(address owner, uint256 word) view returns (uint256)',
]);

/** That of a permit; undefined for a message of another type. */
export function of(
  { primaryType, domain, message }: Pick<TypedData, 'primaryType' | 'domain' | 'message'>,
  owner: Address,
): PermitNonce | undefined {
  const to = domain.verifyingContract as Address;
  const number = (name: string): bigint => BigInt(String(message[name]));
  switch (primaryType) {
    case 'TransferWithAuthorization':
    case 'ReceiveWithAuthorization': {
      const nonce = String(message.nonce) as Hex;
      return {
        name: `authorization ${nonce.slice(0, 10)}…`,
        // From this second on it is refused.
        lastSeconds: number('validBefore') - 1n,
        call: { to, data: encodeFunctionData({ abi, functionName: 'authorizationState', args: [owner, nonce] }) },
        isUsedBy: (answer) => wordIn(answer, to) !== 0n,
      };
    }
    case 'Permit': {
      const nonce = number('nonce');
      return {
        name: `permit nonce ${nonce}`,
        lastSeconds: number('deadline'),
        call: { to, data: encodeFunctionData({ abi, functionName: 'nonces', args: [owner] }) },
        isUsedBy: (answer) => wordIn(answer, to) !== nonce,
      };
    }
    case 'PermitBatchWitnessTransferFrom': {
      const nonce = number('nonce');
      return {
        name: `Permit2 nonce ${numberToHex(nonce)}`,
        lastSeconds: number('deadline'),
        call: { to, data: encodeFunctionData({ abi, functionName: 'nonceBitmap', args: [owner, nonce >> 8n] }) },
        isUsedBy: (answer) => ((wordIn(answer, to) >> (nonce & 0xffn)) & 1n) === 1n,
      };
    }
    default:
      return undefined;
  }
}

/** Checks that the permits of an answer are unused. A node that does not answer shows nothing. */
export async function observe(answer: Answer, owner: Address, node: Pick<Chain, 'read'>): Promise<readonly Finding[]> {
  const found = answer.items.map(async (item) => {
    const typed = item.kind === 'signature' ? SignatureStep.signable(item.data) : undefined;
    const nonce = typed && of(typed as unknown as TypedData, owner);
    if (!nonce) return [];
    const { name, call, isUsedBy } = nonce;
    const own = collect(item.stepId);
    const isUsed = await node
      .read(call)
      .then(isUsedBy)
      .catch(() => undefined);
    if (isUsed === undefined) own.skip('signature-nonce', `the node does not show whether ${name} was used`);
    else own.say('signature-nonce', !isUsed, 'one that can be used', isUsed ? `${name}, which cannot` : name);
    return own.list;
  });
  return (await Promise.all(found)).flat();
}

/** The one word that such a contract answers. */
function wordIn(answer: Hex, contract: Address): bigint {
  if (/^0x[0-9a-fA-F]{64}$/.test(answer)) return BigInt(answer);
  throw new BaseError('chain.refused', 'The node’s answer does not show whether what was signed was used.', {
    facts: [['contract', contract]],
  });
}
