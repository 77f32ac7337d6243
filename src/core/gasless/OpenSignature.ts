/**
 * A signature that has left this machine. Whoever received it may use it until its deadline, whatever they answer. Only the
 * chain shows that it was used, or no longer can be.
 *
 * A refusal by whoever received it proves nothing: the run stays open and its funds are unknown. A Permit2 nonce does
 * not show who has used it, so such a permit is void after its deadline alone, as a transfer at the venue is. A raw
 * call holds no signature of ferry's and has no deadline: its refusal is believed.
 */
import { decodeFunctionResult, encodeFunctionData, numberToHex, parseAbi } from 'viem/utils';
import type { Address } from '../base/Address.js';
import type { Fact } from '../base/Errors.js';
import type { Hex } from '../base/Hex.js';
import type * as Plan from '../execution/Plan.js';
import type { Chain } from '../ports/Ports.js';
import type { Of } from '../tracking/Journal.js';

export type OpenSignature = {
  /** Unix time in milliseconds after which it is void; infinite if ferry cannot tell. */
  untilMs: number;
  /** Whether the chain shows that it was used. */
  isUsed(): Promise<boolean>;
  /** What shows that it can no longer be used: its deadline in the final past, and unused then. Undefined until then. */
  voidBy(): Promise<readonly Fact[] | undefined>;
};

/** What a signature uses up, and where that is read. */
type Use = {
  name: string;
  /** Unix time in seconds, the last at which it can be used. */
  lastSeconds: bigint;
  usedAt(block: 'latest' | 'finalized'): Promise<{ isUsed: boolean; timestamp: bigint }>;
};

type Node = Pick<Chain, 'batchSequence' | 'finalizedSequence' | 'read' | 'finalizedRead'>;

/** Whether what the chain shows is not the word of one node alone: of several, all say the same. */
export async function isWitnessed({ isOwn }: Pick<Chain, 'isOwn'>): Promise<boolean> {
  return isOwn === undefined || (await isOwn());
}

/** A signed batch: the account's sequence in the executor. */
export function ofBatch(
  { nonce, deadline, batchExecutor }: Of<'signed-batch'>,
  owner: Address,
  node: Node,
): OpenSignature {
  const executor = batchExecutor as Address;
  return from({
    name: `sequence ${nonce} of the batch executor`,
    lastSeconds: BigInt(deadline),
    async usedAt(block) {
      if (block === 'latest')
        return { isUsed: (await node.batchSequence(owner, executor)) !== BigInt(nonce), timestamp: 0n };
      const { sequence, timestamp } = await node.finalizedSequence(owner, executor);
      return { isUsed: sequence !== BigInt(nonce), timestamp };
    },
  });
}

/** A signed permit: the authorization of EIP-3009, or the nonce of EIP-2612 or Permit2. */
export function ofPermit({ typed }: Plan.Permit, owner: Address, node: Node): OpenSignature {
  const use = useOf(typed, owner, node);
  return use
    ? from(use)
    : { untilMs: Number.POSITIVE_INFINITY, isUsed: async () => false, voidBy: async () => undefined };
}

function from({ name, lastSeconds, usedAt }: Use): OpenSignature {
  return {
    untilMs: Number(lastSeconds) * 1000,
    isUsed: async () => (await usedAt('latest')).isUsed,
    async voidBy() {
      const { isUsed, timestamp } = await usedAt('finalized');
      if (isUsed || timestamp <= lastSeconds) return undefined;
      return [
        ['valid until', time(lastSeconds)],
        ['final block', time(timestamp)],
        ['unused then', name],
      ];
    },
  };
}

const abi = parseAbi([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function nonces(address owner) view returns (uint256)',
  'function nonceBitmap(address owner, uint256 word) view returns (uint256)',
]);

function useOf({ primaryType, domain, message }: Plan.Permit['typed'], owner: Address, node: Node): Use | undefined {
  const to = domain.verifyingContract as Address;
  const number = (name: string): bigint => BigInt(String(message[name]));
  const reading = async (data: Hex, block: 'latest' | 'finalized', isUsed: (result: Hex) => boolean) => {
    if (block === 'latest') return { isUsed: isUsed(await node.read({ to, data })), timestamp: 0n };
    const { result, timestamp } = await node.finalizedRead({ to, data });
    return { isUsed: isUsed(result), timestamp };
  };
  switch (primaryType) {
    case 'TransferWithAuthorization':
    case 'ReceiveWithAuthorization': {
      const nonce = String(message.nonce) as Hex;
      const data = encodeFunctionData({ abi, functionName: 'authorizationState', args: [owner, nonce] });
      return {
        name: `authorization ${nonce.slice(0, 10)}…`,
        // From this second on it is refused.
        lastSeconds: number('validBefore') - 1n,
        usedAt: (block) => reading(data, block, (result) => BigInt(result) !== 0n),
      };
    }
    case 'Permit': {
      const nonce = number('nonce');
      const data = encodeFunctionData({ abi, functionName: 'nonces', args: [owner] });
      return {
        name: `permit nonce ${nonce}`,
        lastSeconds: number('deadline'),
        usedAt: (block) => reading(data, block, (result) => BigInt(result) !== nonce),
      };
    }
    case 'PermitBatchWitnessTransferFrom': {
      const nonce = number('nonce');
      const data = encodeFunctionData({ abi, functionName: 'nonceBitmap', args: [owner, nonce >> 8n] });
      const isUsed = (result: Hex): boolean => {
        const word = decodeFunctionResult({ abi, functionName: 'nonceBitmap', data: result });
        return ((word >> (nonce & 0xffn)) & 1n) === 1n;
      };
      return {
        name: `Permit2 nonce ${numberToHex(nonce)}`,
        lastSeconds: number('deadline'),
        usedAt: (block) => reading(data, block, isUsed),
      };
    }
    default:
      return undefined;
  }
}

function time(seconds: bigint): string {
  return new Date(Number(seconds) * 1000).toISOString();
}
