/**
 * A check at the end of a batch, made by the chain itself: the batch reverts if the receiver's balance has not grown by
 * the minimum. It binds a payment on one chain, whatever the calls before it do. It cannot bind a deposit for an order:
 * anybody may raise the depository's balance in the same block.
 *
 * The checker is Uniswap's router, command 0x0e, pinned by chain, and must pass a trial at the node. What is not bound:
 * the native asset for somebody else, and other income. If as much of the same token arrives from elsewhere before the
 * batch is mined, the balance is high enough without the swap; a shorter `--valid-for` narrows that.
 */

import { encodeAbiParameters, encodeFunctionData, parseAbi } from 'viem/utils';
import * as Address from '../../base/Address.js';
import type { Hex } from '../../base/Hex.js';
import type { Contracts } from '../../network/Network.js';
import type { Chain } from '../../ports/Ports.js';

/** Whose balance must grow, and by how much. Amounts are in base units; the zero address is the native asset. */
export type Guard = {
  owner: Address.Address;
  token: Address.Address;
  minimum: bigint;
  /** The contract that checks it; undefined for the account's own native balance, which a call to itself checks. */
  checker: Address.Address | undefined;
};

/** A payment on one chain. */
export type Payment = Omit<Guard, 'checker'> & {
  user: Address.Address;
  /** The token that the user pays. */
  paid: Address.Address;
};

const abi = parseAbi(['function execute(bytes commands, bytes[] inputs) payable']);

/** The command that checks a balance, without the flag by which it may fail. */
const balanceCheck: Hex = '0x0e';

/** The guard of a payment by a batch; undefined where nothing on the chain binds it. */
export function of(
  { user, paid, owner, token, minimum }: Payment,
  { universalRouter }: Pick<Contracts, 'universalRouter'>,
): Guard | undefined {
  if (Address.isEqual(paid, token)) return undefined;
  if (!Address.isEqual(token, Address.native))
    return universalRouter && { owner, token, minimum, checker: universalRouter };
  // No contract that is deployed everywhere compares a native balance. But a call cannot send more than there is.
  return Address.isEqual(owner, user) ? { owner, token, minimum, checker: undefined } : undefined;
}

/** The last call of the batch, given the balance before. */
export function call(
  { owner, token, minimum, checker }: Guard,
  before: bigint,
): { to: Address.Address; value: bigint; data: Hex } {
  const least = before + minimum;
  if (checker === undefined) return { to: owner, value: least, data: '0x' };
  return { to: checker, value: 0n, data: checkOf(owner, token, least) };
}

/** Whether the chain has the contract that checks, and it does: it lets pass what is there, and nothing else. */
export async function isWorking(
  { owner, token, checker }: Guard,
  node: Pick<Chain, 'code' | 'read'>,
): Promise<boolean> {
  if (checker === undefined) return true;
  const passes = (least: bigint): Promise<boolean> =>
    node.read({ to: checker, data: checkOf(owner, token, least) }).then(
      () => true,
      () => false,
    );
  const [code, nothing, everything] = await Promise.all([
    node.code(checker).catch(() => '0x'),
    passes(0n),
    passes(2n ** 256n - 1n),
  ]);
  return code !== '0x' && nothing && !everything;
}

function checkOf(owner: Address.Address, token: Address.Address, least: bigint): Hex {
  const types = [{ type: 'address' }, { type: 'address' }, { type: 'uint256' }] as const;
  const input = encodeAbiParameters(types, [owner, token, least]);
  return encodeFunctionData({ abi, functionName: 'execute', args: [balanceCheck, [input]] });
}
