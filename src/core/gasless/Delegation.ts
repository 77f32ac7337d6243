/** EIP-7702 delegations of an account: finding and revoking them. */

import * as Address from '../base/Address.js';
import { BaseError } from '../base/Errors.js';
import type { Hex } from '../base/Hex.js';
import type * as Allowance from '../execution/Allowance.js';
import * as GasBound from '../execution/GasBound.js';
import type * as Network from '../network/Network.js';
import type { Chain, Service } from '../ports/Ports.js';
import * as ShellCommand from '../text/ShellCommand.js';
import * as Polling from '../tracking/Polling.js';
import * as SignedBatch from './SignedBatch.js';

/** The ports of a revocation. The caller holds the turn for the account's nonces until it has ended. */
export type Ports = Omit<Allowance.Ports, 'gasSigned'> & {
  chain: Network.Chain;
  referrer: string | undefined;
  service(): Promise<Service>;
};

/** Gas limit of a revocation: a transfer and one authorization. */
export const revokeGas = 80_000n;

/** The delegate of an account on a chain; undefined if there is none. @throws request.unsupported for a contract */
export async function find(
  account: Address.Address,
  chain: Network.Chain,
  node: Pick<Chain, 'code'>,
): Promise<Address.Address | undefined> {
  const found = SignedBatch.delegateOf(await node.code(account));
  if (found === 'contract')
    throw new BaseError('request.unsupported', `${account} is a contract on ${chain.name}, not a delegated account.`);
  return found;
}

/**
 * Revokes the delegation by authorizing the zero address, which leaves the account without code. The account sends the
 * transaction; if it cannot pay the gas, the service's relayer does.
 *
 * @returns `gasCost`, the wei that the account paid; undefined if it paid none, or the node has no receipt
 * @throws verify.cap · sign.failed · submit.* · track.unfinished if the chain does not show it in time
 */
export async function revoke(
  ports: Ports,
  timeoutMs: number,
): Promise<{ paidBy: 'account' | 'sponsor'; txHash: Hex | null; gasCost: bigint | undefined }> {
  const { chain, node, account, turn, gas: terms } = ports;
  const [balance, offer, nonce] = await Promise.all([
    node.balance(account.address, Address.native),
    node.gasPrice(),
    node.nonce(account.address),
  ]);
  const { baseFeePerGas } = offer;
  const bounds = { baseFeePerGas, gas: revokeGas, later: 0n, used: 0n };
  const fees = GasBound.fitted(GasBound.price(offer, terms), bounds, terms);
  const canPay = balance >= revokeGas * fees.maxFeePerGas;
  if (canPay) GasBound.assertWithin(GasBound.bill(revokeGas, fees, terms), terms);
  turn.use(BigInt(nonce) + (canPay ? 2n : 1n));
  await turn.commit();
  // The sender of a transaction uses a nonce before its authorizations are processed.
  const authorization = await account.signAuthorization({
    chainId: chain.id,
    address: Address.native,
    nonce: canPay ? nonce + 1 : nonce,
  });
  if (canPay) {
    const signed = await account.signTransaction({
      ...fees,
      chainId: chain.id,
      nonce,
      to: account.address,
      data: '0x',
      value: 0n,
      gas: revokeGas,
      authorizationList: [authorization],
    });
    const txHash = await node.broadcast(signed);
    await awaitRevoked(ports, timeoutMs);
    const receipt = await node.receipt(txHash).catch(() => undefined);
    return { paidBy: 'account', txHash, gasCost: receipt?.fee };
  }
  const service = await ports.service();
  await service.execute({
    executionKind: 'rawCalls',
    data: { chainId: chain.id, to: account.address, data: '0x', value: '0', authorizationList: [authorization] },
    executionOptions: {
      ...(ports.referrer === undefined ? {} : { referrer: ports.referrer }),
      subsidizeFees: true,
    },
  });
  await awaitRevoked(ports, timeoutMs);
  return { paidBy: 'sponsor', txHash: null, gasCost: undefined };
}

async function awaitRevoked(ports: Ports, timeoutMs: number): Promise<void> {
  const { chain, node, account } = ports;
  const isRevoked = async () => (await find(account.address, chain, node)) === undefined || undefined;
  const late = (): BaseError =>
    new BaseError('track.unfinished', `The delegation on ${chain.name} is not revoked yet.`, {
      facts: [['account', account.address]],
      funds: 'untouched',
      next: ShellCommand.line`ferry delegation show ${chain.name}`,
    });
  await Polling.pollUntil(isRevoked, ports, { timeoutMs }, late);
}
