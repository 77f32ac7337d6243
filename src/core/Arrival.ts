/** What really arrived, read from the chain and not from the service. */
import * as Address from './Address.js';
import * as Currency from './Currency.js';
import type { Plan } from './Plan.js';
import type { Chain, Hex, Receipt } from './Ports.js';
import type * as Progress from './Progress.js';

/** keccak256('Transfer(address,address,uint256)') */
export const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/**
 * Base units that reached the recipient, or the refund address after a refund. Tokens are summed from the transfer
 * events of the fill's receipts; a native asset is the balance's change over the fill's block.
 *
 * @param gasCost wei that the sender paid for gas, given back where the fill is its own transaction
 * @returns undefined where no node can be asked or the transaction is not found there
 */
export async function amountOf(
  plan: Plan,
  progress: Progress.Progress,
  world: { origin: Chain; destination: Chain | undefined },
  gasCost: bigint,
): Promise<bigint | undefined> {
  const refunded = progress.status === 'refund' || progress.status === 'refunded';
  const node = refunded ? world.origin : world.destination;
  if (!node || progress.outTxHashes.length === 0) return undefined;
  const currency = refunded ? plan.intent.origin : plan.intent.destination;
  const to = (refunded ? plan.intent.refundTo : plan.intent.recipient) as Address.Address;
  try {
    const receipts = await Promise.all(progress.outTxHashes.map((hash) => node.receipt(hash as Hex)));
    const found = receipts.filter((receipt): receipt is Receipt => receipt?.status === 'success');
    if (found.length === 0) return undefined;
    if (!Currency.isNative(currency)) return received(found, currency.token.address, to);
    const own = progress.inTxHashes.some((hash) => progress.outTxHashes.includes(hash));
    const change = await nativeChange(node, found, to);
    return change === undefined ? undefined : change + (own && Address.isEqual(to, plan.intent.user) ? gasCost : 0n);
  } catch {
    return undefined;
  }
}

/** keccak256('Deposit(address,uint256)'): a wrapped native token says so, and no transfer, when it is made. */
export const wrapTopic = '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c';

/** Sums the ERC-20 transfers of a token to an address, and what was wrapped for it. */
export function received(receipts: readonly Receipt[], token: string, to: string): bigint {
  return receipts
    .flatMap((receipt) => receipt.logs)
    .filter(({ address, topics }) => {
      const payee = topics[0] === transferTopic ? topics[2] : topics[0] === wrapTopic ? topics[1] : undefined;
      return payee !== undefined && Address.isEqual(address, token) && Address.isEqual(`0x${payee.slice(26)}`, to);
    })
    .reduce((sum, { data }) => sum + BigInt(data), 0n);
}

async function nativeChange(
  node: Chain,
  receipts: readonly Receipt[],
  to: Address.Address,
): Promise<bigint | undefined> {
  const blocks = [...new Set(receipts.map(({ blockNumber }) => blockNumber))];
  const changes = await Promise.all(
    blocks.map(async (block) => {
      const [before, after] = await Promise.all([
        node.balance(to, Address.native, block - 1n),
        node.balance(to, Address.native, block),
      ]);
      return after - before;
    }),
  );
  return changes.reduce((sum, change) => sum + change, 0n);
}
