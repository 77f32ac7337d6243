/**
 * Makes void on the chain what was signed for the service: a transaction of the account uses the same sequence,
 * authorization or nonce. Of the two at most one takes effect, so its receipt says what became of the first.
 */
import { parseSignature } from 'viem';
import { encodeFunctionData, keccak256, parseAbi } from 'viem/utils';
import * as Address from '../base/Address.js';
import { BaseError } from '../base/Errors.js';
import type { Hex } from '../base/Hex.js';
import * as Facts from '../execution/Facts.js';
import type * as Plan from '../execution/Plan.js';
import * as TransactionSettlement from '../execution/TransactionSettlement.js';
import type { Account, Chain, Clock, GasPrice, Transaction, Turn, TypedData } from '../ports/Ports.js';
import * as Currency from '../quote/Currency.js';
import * as Deadline from '../text/Deadline.js';
import * as ShellCommand from '../text/ShellCommand.js';
import type * as Journal from '../tracking/Journal.js';
import * as Polling from '../tracking/Polling.js';
import * as GaslessSigning from './GaslessSigning.js';
import * as SignedBatch from './SignedBatch.js';

export type Ports = {
  node: Chain;
  account: Account;
  /** The turn for the account's nonces, held by the caller. */
  turn: Turn;
  /** Within the user's bounds. */
  fees: GasPrice;
  journal: Journal.JournalWriter;
  clock: Clock;
  signal: AbortSignal;
};

/** The entry of a transaction that makes a signature void. */
export type Sent = Journal.Of<'invalidation'>;

/** Whether ferry can make it void: not a Permit2 nonce, whose transaction succeeds even if it was used before. */
export function isPossible(handed: GaslessSigning.Handed, { permits }: Plan.Restored): boolean {
  const kind = permits[0]?.typed.primaryType ?? '';
  return handed.type === 'signed-batch' || ['Permit', ...authorizations].includes(kind);
}

const authorizations = ['TransferWithAuthorization', 'ReceiveWithAuthorization'];

/**
 * Signs, journals and sends the transaction.
 *
 * @throws submit.insufficient-gas · sign.failed · chain.*
 */
export async function send(handed: GaslessSigning.Handed, plan: Plan.Restored, ports: Ports): Promise<Sent> {
  const { node, account, turn, journal, fees } = ports;
  const [nonce, balance] = await Promise.all([
    node.nonce(account.address),
    node.balance(account.address, Address.native),
  ]);
  const call = handed.type === 'signed-batch' ? await ofBatch(handed, plan, nonce, ports) : await ofPermit(plan, ports);
  const needed = gas * fees.maxFeePerGas;
  if (balance < needed) throw Facts.insufficientGas(plan.quote, balance, needed);
  turn.use(BigInt(nonce) + (call.authorizationList ? 2n : 1n));
  const chainId = plan.intent.origin.chain.id;
  const bytes = await account.signTransaction({ ...fees, ...call, gas, chainId, nonce, value: 0n });
  const sent: Sent = { type: 'invalidation', bytes, txHash: keccak256(bytes), nonce };
  await journal.append(sent, turn);
  await node.broadcast(bytes);
  return sent;
}

/** The one that an earlier process sent, sent again; undefined if it failed, or another transaction has used its nonce. */
export async function sentBefore(
  sent: Sent | undefined,
  { node, account }: { node: Chain; account: string },
): Promise<Sent | undefined> {
  const fate = sent && (await fateOf(sent, account, node));
  if (!sent || fate === 'failed') return undefined;
  if (fate !== 'unmined') return sent;
  if ((await node.minedNonce(account as Address.Address)) > sent.nonce) return undefined;
  await node.broadcast(sent.bytes as Hex).catch(() => {});
  return sent;
}

/** The other transaction that has used the nonce of one, if a node names it. @throws chain.* */
export async function takenBy(
  { nonce, txHash }: Sent,
  account: string,
  node: Pick<Chain, 'usedNonce'>,
): Promise<Journal.Foreign | undefined> {
  const used = await node.usedNonce(account as Address.Address, nonce);
  return used.state === 'found' && used.hash !== txHash ? { nonce, txHash: used.hash } : undefined;
}

/** What became of the transaction: how final its success is, or why it has used nothing so far. @throws chain.* */
export async function fateOf(
  { txHash, nonce }: Sent,
  account: string,
  node: Chain,
): Promise<TransactionSettlement.Finality | 'failed' | 'unmined'> {
  const receipt = await node.receipt(txHash as Hex);
  if (receipt?.status !== 'success') return receipt ? 'failed' : 'unmined';
  return TransactionSettlement.finalityOf(receipt, { owner: account as Address.Address, nonce }, node);
}

/**
 * Waits for the receipt of the transaction, and if it succeeded until that is final. Returns whether it made the
 * signature void.
 *
 * @throws track.unfinished
 */
export async function hasWon(
  sent: Sent,
  ports: Pick<Ports, 'node' | 'clock' | 'signal'> & { account: string },
  timeoutMs: number,
): Promise<boolean> {
  const { node, account } = ports;
  const late = (): BaseError =>
    new BaseError('submit.unknown', 'The transaction that makes the signature void was sent, and is not mined yet.', {
      hint: 'Until then, the service can still use what was signed. Cancel again to go on waiting.',
      txHash: sent.txHash,
    });
  const ask = async (): Promise<boolean | undefined> => {
    const fate = await fateOf(sent, account, node).catch(() => undefined);
    if (fate === 'failed') return false;
    if (fate === 'final') return true;
    if (fate === 'one witness')
      throw new BaseError(
        'submit.unknown',
        'One node says that the signature is void, and no other witness shows it.',
        {
          hint: 'A node can hold back the transaction. Add a second one to the rpcUrls of the chain, then cancel again.',
          txHash: sent.txHash,
        },
      );
    return undefined;
  };
  return Polling.pollUntil(ask, ports, { timeoutMs }, late);
}

type Content = Pick<Transaction, 'to' | 'data' | 'authorizationList'>;

/** The gas limit: enough for an empty batch with its authorization, which a node cannot estimate. */
export const gas = 250_000n;

/**
 * An empty batch with the same sequence, which the account submits itself. It brings its own delegation, whatever the
 * node says of the account: without one, a call of the account succeeds and does nothing.
 *
 * @throws request.unsupported
 */
async function ofBatch(
  { nonce: sequence, batchExecutor }: Journal.Of<'signed-batch'>,
  plan: Plan.Restored,
  nonce: number,
  { node, account }: Ports,
): Promise<Content> {
  const { address } = account;
  const { id, name } = plan.intent.origin.chain;
  const executor = batchExecutor as Address.Address;
  GaslessSigning.delegateOf(await node.code(address), executor, { account: address, chain: name });
  // By the chain's clock, which judges it. Its final block may be a while behind.
  const { timestamp } = await node.finalizedSequence(address, executor);
  const deadline = timestamp + 7_200n;
  const batch: SignedBatch.Batch = { calls: [], nonce: BigInt(sequence), executor: address, deadline };
  const signature = await account.signTypedData(SignedBatch.typedData(batch, address, id, executor));
  // The sender of a transaction uses a nonce before its authorizations are processed.
  const authorization = await account.signAuthorization({ chainId: id, address: executor, nonce: nonce + 1 });
  return { to: address, data: SignedBatch.callData(batch, signature), authorizationList: [authorization] };
}

const abi = parseAbi([
  'function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
]);

const fieldsOf = (text: string) =>
  text.split(',').map((field) => {
    const [type = '', name = ''] = field.split(' ');
    return { type, name };
  });

/** The cancellation of an authorization, or a permit of nothing to oneself with the same nonce. */
async function ofPermit({ permits }: Plan.Restored, { account }: Ports): Promise<Content> {
  const [permit] = permits;
  const { domain, primaryType = '', message = {} } = permit?.typed ?? {};
  const to = domain?.verifyingContract as Address.Address;
  const { address } = account;
  const sign = async (name: string, fields: string, content: TypedData['message']) => {
    const typed = { domain: domain ?? {}, types: { [name]: fieldsOf(fields) }, primaryType: name, message: content };
    const { r, s, yParity } = parseSignature(await account.signTypedData(typed));
    return [27 + yParity, r, s] as const;
  };
  let data: Hex;
  if (authorizations.includes(primaryType)) {
    const nonce = String(message.nonce) as Hex;
    const content = { authorizer: address, nonce };
    const signature = await sign('CancelAuthorization', 'address authorizer,bytes32 nonce', content);
    data = encodeFunctionData({ abi, functionName: 'cancelAuthorization', args: [address, nonce, ...signature] });
  } else {
    const deadline = BigInt(String(message.deadline));
    const fields = 'address owner,address spender,uint256 value,uint256 nonce,uint256 deadline';
    const content = { owner: address, spender: address, value: 0n, nonce: BigInt(String(message.nonce)), deadline };
    const signature = await sign('Permit', fields, content);
    data = encodeFunctionData({ abi, functionName: 'permit', args: [address, address, 0n, deadline, ...signature] });
  }
  return { to, data };
}

/** The question before it is sent. */
export function question({ quote, intent }: Plan.Restored, untilMs: number, nowMs: number): string {
  const { token, chain } = intent.origin;
  const amount = Currency.inWords(quote.input, token);
  const until = Deadline.until(untilMs, nowMs);
  const end = until === undefined || nowMs > untilMs ? '' : `, which is valid until ${until}`;
  return `Make void what was signed for ${amount} on ${chain.name}${end}? The account pays the gas of a transaction.`;
}

/** What was signed was void before it could be used. */
export function invalidated({ requestId }: Plan.Restored, { txHash }: Sent): BaseError {
  return new BaseError('submit.cancelled', 'What was signed was made void on the chain: its funds did not move.', {
    hint: 'You can start the transfer again.',
    requestId,
    txHash,
  });
}

/** ferry cannot show on the chain who has used a Permit2 nonce. */
export function notVoidable({ requestId }: Plan.Restored, run: string): BaseError {
  return new BaseError(
    'run.settled',
    'ferry cannot make this signature void: a Permit2 nonce does not show who has used it.',
    {
      hint: 'It is void after its deadline. ferry resume then shows what became of it.',
      next: ShellCommand.line`ferry resume ${run}`,
      requestId,
      funds: 'unknown',
    },
  );
}

/** The transaction was mined and failed, and what was signed is unused still. */
export function failedInvalidation({ txHash }: Sent): BaseError {
  return new BaseError(
    'submit.unknown',
    'The transaction that was to make the signature void failed. What was signed is not used so far.',
    {
      hint: 'The service can still use it. Cancel again: that sends another transaction.',
      txHash,
    },
  );
}
