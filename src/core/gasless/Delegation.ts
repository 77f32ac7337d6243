/** EIP-7702 delegations: which an account has, and how it is taken back. */

import * as Address from '../base/Address.js';
import { BaseError } from '../base/Errors.js';
import type { Hex } from '../base/Hex.js';
import type * as Network from '../network/Network.js';
import type { Account, Chain, Clock, Service, Turn } from '../ports/Ports.js';
import * as StatusPolling from '../tracking/StatusPolling.js';
import * as TransferStatus from '../tracking/TransferStatus.js';
import * as SignedBatch from './SignedBatch.js';

export type World = {
  chain: Network.Chain;
  node: Chain;
  account: Account;
  /** Held by the caller at the account's nonces until this has ended. */
  turn: Turn;
  clock: Clock;
  signal: AbortSignal;
  referrer: string | undefined;
  service(): Promise<Service>;
};

/** Gas units that taking a delegation back costs at most: a transfer and one authorization. */
const revokeGas = 80_000n;

/** What the account is delegated to on a chain. @throws request.unsupported for an account that is a contract */
export async function find(
  account: Address.Address,
  chain: Network.Chain,
  node: Pick<Chain, 'code'>,
): Promise<Address.Address | undefined> {
  const found = SignedBatch.delegateOf(await node.code(account));
  if (found === 'contract') throw new ContractError(account, chain.name);
  return found;
}

/**
 * Authorises the zero address, which leaves no code: by the account's own transaction, or by the service's relayer where
 * the account has no gas.
 *
 * @throws sign.failed · submit.* · track.unfinished where the chain does not show it in time
 */
export async function revoke(
  world: World,
  timeoutMs: number,
): Promise<{ paidBy: 'account' | 'sponsor'; txHash: Hex | null }> {
  const { chain, node, account } = world;
  const [balance, gasPrice, nonce] = await Promise.all([
    node.balance(account.address, Address.native),
    node.gasPrice(),
    node.nonce(account.address),
  ]);
  const canPay = balance >= revokeGas * gasPrice.maxFeePerGas;
  // Whoever sends a transaction uses up a nonce before its authorizations are looked at.
  const authorization = await account.signAuthorization({
    chainId: chain.id,
    address: Address.native,
    nonce: canPay ? nonce + 1 : nonce,
  });
  if (canPay) {
    const signed = await account.signTransaction({
      ...gasPrice,
      chainId: chain.id,
      nonce,
      to: account.address,
      data: '0x',
      value: 0n,
      gas: revokeGas,
      authorizationList: [authorization],
    });
    const txHash = await node.broadcast(signed);
    await gone(world, timeoutMs);
    return { paidBy: 'account', txHash };
  }
  const service = await world.service();
  await service.execute({
    executionKind: 'rawCalls',
    data: { chainId: chain.id, to: account.address, data: '0x', value: '0', authorizationList: [authorization] },
    executionOptions: {
      ...(world.referrer === undefined ? {} : { referrer: world.referrer }),
      subsidizeFees: true,
    },
  });
  await gone(world, timeoutMs);
  return { paidBy: 'sponsor', txHash: null };
}

async function gone({ chain, node, account, clock, signal }: World, timeoutMs: number): Promise<void> {
  const deadline = clock.now() + timeoutMs;
  for (let attempt = 0; (await find(account.address, chain, node)) !== undefined; attempt++) {
    const late = (): BaseError => new StillDelegatedError(account.address, chain.name);
    if (clock.now() >= deadline) throw late();
    await StatusPolling.interruptible(clock.sleep(TransferStatus.pollDelayMs(attempt), signal), late);
  }
}

export class ContractError extends BaseError {
  override name = 'ContractError';
  constructor(account: string, chain: string) {
    super('request.unsupported', `${account} is a contract on ${chain}, not a delegated account.`);
  }
}

export class StillDelegatedError extends BaseError {
  override name = 'StillDelegatedError';
  constructor(account: string, chain: string) {
    super('track.unfinished', `The chain does not show yet that the delegation on ${chain} is gone.`, {
      facts: [['account', account]],
      funds: 'untouched',
      next: `ferry delegation show ${chain}`,
    });
  }
}
