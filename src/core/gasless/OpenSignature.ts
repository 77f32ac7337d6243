/**
 * A signature that has left this machine. Whoever received it may use it until its deadline, whatever they answer. Only the
 * chain shows that it was used, or no longer can be.
 *
 * A refusal by whoever received it proves nothing: the run stays open and its funds are unknown. A Permit2 nonce does
 * not show who has used it, so such a permit is void after its deadline alone, as a transfer at the venue is. A raw
 * call holds no signature of ferry's and has no deadline: its refusal is believed.
 */
import type { Address } from '../base/Address.js';
import type { Fact } from '../base/Errors.js';
import type * as Plan from '../execution/Plan.js';
import type { Chain, Finalized } from '../ports/Ports.js';
import * as PermitNonce from '../proof/signature/PermitNonce.js';
import type { Of } from '../tracking/Journal.js';

export type OpenSignature = {
  /** Unix time in milliseconds after which it is void; infinite if ferry cannot tell. */
  untilMs: number;
  /** Whether the chain shows that it was used. */
  isUsed(): Promise<boolean>;
  /** The same at the last final block. */
  isFinallyUsed(): Promise<boolean>;
  /**
   * What shows that it can no longer be used: its deadline in the final past, and unused then. Undefined until two nodes
   * show that, or the sandbox's own.
   */
  voidBy(): Promise<readonly Fact[] | undefined>;
};

/** What a signature uses up, and where that is read. */
type Use = {
  name: string;
  /** Unix time in seconds, the last at which it can be used. */
  lastSeconds: bigint;
  isUsed(): Promise<boolean>;
  finally(): Promise<{ isUsed: boolean } & Finalized>;
};

type Node = Pick<Chain, 'batchSequence' | 'finalizedSequence' | 'read' | 'finalizedRead' | 'isOwn'>;

/** A signed batch: the account's sequence in the executor. */
export function ofBatch(
  { nonce, deadline, batchExecutor }: Of<'signed-batch'>,
  owner: Address,
  node: Node,
): OpenSignature {
  const executor = batchExecutor as Address;
  const use: Use = {
    name: `sequence ${nonce} of the batch executor`,
    lastSeconds: BigInt(deadline),
    // A lower one is of a chain that has gone back, or of a node that is behind.
    isUsed: async () => (await node.batchSequence(owner, executor)) > BigInt(nonce),
    async finally() {
      const { sequence, ...block } = await node.finalizedSequence(owner, executor);
      return { isUsed: sequence > BigInt(nonce), ...block };
    },
  };
  return from(use, node);
}

/** A signed permit: the authorization of EIP-3009, or the nonce of EIP-2612 or Permit2. */
export function ofPermit({ typed }: Plan.Permit, owner: Address, node: Node): OpenSignature {
  const use = useOf(typed, owner, node);
  return use
    ? from(use, node)
    : {
        untilMs: Number.POSITIVE_INFINITY,
        isUsed: async () => false,
        isFinallyUsed: async () => false,
        voidBy: async () => undefined,
      };
}

function from({ name, lastSeconds, ...use }: Use, node: Pick<Chain, 'isOwn'>): OpenSignature {
  return {
    untilMs: Number(lastSeconds) * 1000,
    isUsed: use.isUsed,
    isFinallyUsed: async () => (await use.finally()).isUsed,
    async voidBy() {
      const { isUsed, timestamp, witnesses } = await use.finally();
      if (isUsed || timestamp <= lastSeconds) return undefined;
      // One node alone could hide that it was used.
      if (witnesses.length < 2 && !(await node.isOwn?.())) return undefined;
      return [
        ['valid until', time(lastSeconds)],
        ['final block', time(timestamp)],
        ['unused then', name],
      ];
    },
  };
}

function useOf(typed: Plan.Permit['typed'], owner: Address, node: Node): Use | undefined {
  const nonce = PermitNonce.of(typed, owner);
  if (!nonce) return undefined;
  const { name, lastSeconds, call, isUsedBy } = nonce;
  return {
    name,
    lastSeconds,
    isUsed: async () => isUsedBy(await node.read(call)),
    async finally() {
      const { result, ...block } = await node.finalizedRead(call);
      return { isUsed: isUsedBy(result), ...block };
    },
  };
}

function time(seconds: bigint): string {
  return new Date(Number(seconds) * 1000).toISOString();
}
