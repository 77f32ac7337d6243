/** EIP-7702 delegations of an account: finding and revoking them. */

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
  /** The turn for the account's nonces, held by the caller until the revocation has ended. */
  turn: Turn;
  clock: Clock;
  signal: AbortSignal;
  referrer: string | undefined;
  service(): Promise<Service>;
};

/** Gas limit of a revocation: a transfer and one authorization. */
const revokeGas = 80_000n;

/** The delegate of an account on a chain; undefined if there is none. @throws request.unsupported for a contract */
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
 * Revokes the delegation by authorizing the zero address, which leaves the account without code. The account sends the
 * transaction; if it cannot pay the gas, the service's relayer does.
 *
 * @throws sign.failed · submit.* · track.unfinished if the chain does not show it in time
 */
export async function revoke(
  world: World,
  timeoutMs: number,
): Promise<{ paidBy: 'account' | 'sponsor'; txHash: Hex | null }> {
  const { chain, node, account, turn } = world;
  const [balance, gasPrice, nonce] = await Promise.all([
    node.balance(account.address, Address.native),
    node.gasPrice(),
    node.nonce(account.address),
  ]);
  const canPay = balance >= revokeGas * gasPrice.maxFeePerGas;
  turn.use(BigInt(nonce) + (canPay ? 2n : 1n));
  // The sender of a transaction uses a nonce before its authorizations are processed.
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
    await awaitRevoked(world, timeoutMs);
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
  await awaitRevoked(world, timeoutMs);
  return { paidBy: 'sponsor', txHash: null };
}

async function awaitRevoked({ chain, node, account, clock, signal }: World, timeoutMs: number): Promise<void> {
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
    super('track.unfinished', `The delegation on ${chain} is not revoked yet.`, {
      facts: [['account', account]],
      funds: 'untouched',
      next: `ferry delegation show ${chain}`,
    });
  }
}
