/** ERC-20 allowances of an account: finding, revoking and formatting them. */

import { encodeFunctionData, keccak256, parseAbi } from 'viem/utils';
import * as z from 'zod/mini';
import * as Address from '../base/Address.js';
import * as Amount from '../base/Amount.js';
import { BaseError } from '../base/Errors.js';
import type { Hex } from '../base/Hex.js';
import type * as Network from '../network/Network.js';
import type { Account, Call, Chain, Clock, GasPrice, Receipt, Turn } from '../ports/Ports.js';
import * as Currency from '../quote/Currency.js';
import * as ShellCommand from '../text/ShellCommand.js';
import type { State } from '../tracking/Journal.js';
import * as Polling from '../tracking/Polling.js';
import * as GasBound from './GasBound.js';
import type * as Plan from './Plan.js';

export type Allowance = {
  spender: Address.Address;
  /** The role of a spender that ferry knows; null for any other. */
  contract: SpenderRole | null;
  /** Base units. */
  amount: bigint;
};

/** The ports of a revocation. The caller holds the turn for the account's nonces until it has ended. */
export type Ports = {
  node: Chain;
  account: Account;
  /** What bounds the gas, and the wei of it that were signed for before. */
  gas: GasBound.Bounds;
  gasSigned: bigint;
  /** The turn for the account's nonces, held by the caller. */
  turn: Turn;
  clock: Clock;
  signal: AbortSignal;
};

/**
 * The contracts that may have an allowance. ferry never approves the router, but other tools may have, and anyone can
 * spend what the router is allowed.
 */
const spenderRoles = ['depository', 'approvalProxy', 'router'] as const;

type SpenderRole = (typeof spenderRoles)[number];

export const row = z.object({
  spender: z.string(),
  /** The role of a spender that ferry knows; null for any other. */
  contract: z.nullable(z.enum(spenderRoles)),
  amount: z.string(),
  formatted: z.string(),
});

const abi = parseAbi(['function approve(address spender, uint256 amount) returns (bool)']);

/** @throws request.unsupported unless the currency is an ERC-20 token */
export function assertToken(currency: Currency.Currency): void {
  if (currency.chain.vm !== 'evm' || Currency.isNative(currency))
    throw new BaseError(
      'request.unsupported',
      currency.chain.vm === 'evm'
        ? `${currency.token.symbol} is the native asset of ${currency.chain.name}, which has no allowances.`
        : `There are no allowances on ${currency.chain.name}.`,
      { next: 'ferry tokens' },
    );
}

/** The spenders that ferry knows on a chain, or only the given one. */
export function spenders({ contracts }: Network.Chain, named?: Address.Address): Omit<Allowance, 'amount'>[] {
  const known = spenderRoles.flatMap((contract) => {
    const spender = contracts[contract];
    return spender ? [{ spender, contract }] : [];
  });
  if (named === undefined) return known;
  return [known.find(({ spender }) => Address.isEqual(spender, named)) ?? { spender: named, contract: null }];
}

/** The allowance of each spender, in the given order. @throws chain.* */
export async function find(
  { token }: Currency.Currency,
  owner: Address.Address,
  spenders: readonly Omit<Allowance, 'amount'>[],
  node: Pick<Chain, 'allowance'>,
): Promise<Allowance[]> {
  return Promise.all(
    spenders.map(async (each) => ({
      ...each,
      amount: await node.allowance(token.address as Address.Address, owner, each.spender),
    })),
  );
}

/** The call that revokes an allowance. */
function call({ token }: Currency.Currency, { spender }: Pick<Allowance, 'spender'>, from: Address.Address): Call {
  const data = encodeFunctionData({ abi, functionName: 'approve', args: [spender, 0n] });
  return { from, to: token.address as Address.Address, data, value: 0n };
}

/** The gas limit for revoking an allowance. @throws verify.cap · chain.* · submit.simulation */
async function limit(of: Call, node: Pick<Chain, 'estimateGas'>, gas: GasBound.Bounds): Promise<bigint> {
  return GasBound.limit(await node.estimateGas(of), GasBound.mostForApproval, gas);
}

/** Most that revoking the allowances can cost at these fees. @throws verify.cap · chain.* · submit.simulation */
export async function bill(
  currency: Currency.Currency,
  found: readonly Pick<Allowance, 'spender'>[],
  {
    owner,
    fees,
    node,
    gas,
  }: { owner: Address.Address; fees: GasPrice; node: Pick<Chain, 'estimateGas'>; gas: GasBound.Bounds },
): Promise<GasBound.Bill> {
  const limits = await Promise.all(found.map((each) => limit(call(currency, each, owner), node, gas)));
  return GasBound.bill(
    limits.reduce((sum, each) => sum + each, 0n),
    fees,
    gas,
  );
}

/**
 * Revokes an allowance; the account pays the gas.
 *
 * @returns `maxGas`, the wei that were signed for, and `gasCost`, those that were paid
 * @throws verify.cap · submit.* · sign.failed · chain.* · track.unfinished if it is not mined in time
 */
export async function revoke(
  currency: Currency.Currency,
  { spender }: Pick<Allowance, 'spender'>,
  ports: Ports,
  timeoutMs: number,
): Promise<{ txHash: Hex; gasCost: bigint; maxGas: bigint }> {
  const { node, account, turn, gas: terms, gasSigned: used } = ports;
  const approval = call(currency, { spender }, account.address);
  const [gas, offer, balance, nonce] = await Promise.all([
    limit(approval, node, terms),
    node.gasPrice(),
    node.balance(account.address, Address.native),
    node.nonce(account.address),
  ]);
  const { baseFeePerGas } = offer;
  const fees = GasBound.fitted(GasBound.price(offer, terms), { baseFeePerGas, gas, later: 0n, used }, terms);
  GasBound.assertWithin(GasBound.bill(gas, fees, terms, used), terms);
  const maxGas = gas * fees.maxFeePerGas;
  if (balance < maxGas) {
    const amount = (wei: bigint): string => Currency.inWords(wei, currency.chain.native);
    throw new BaseError('submit.insufficient-gas', `The account cannot pay for gas on ${currency.chain.name}.`, {
      facts: [
        ['needed at most', amount(maxGas)],
        ['balance', amount(balance)],
        ['account', account.address],
      ],
      hint: `Send some ${currency.chain.native.symbol} to the account on ${currency.chain.name}.`,
    });
  }
  const chainId = currency.chain.id;
  turn.use(BigInt(nonce) + 1n);
  await turn.commit();
  const { to, data, value } = approval;
  const signed = await account.signTransaction({ ...fees, chainId, nonce, to, data, value, gas });
  const unsure = await node.broadcast(signed).then(
    () => undefined,
    (error: unknown) => {
      // It may have been sent: the receipt decides.
      if (!(error instanceof BaseError) || error.code !== 'submit.unknown') throw error;
      return error;
    },
  );
  const revocation = { currency, spender, owner: account.address, txHash: keccak256(signed), unsure };
  const { hash, status, fee } = await awaitReceipt(revocation, ports, timeoutMs);
  if (status === 'reverted')
    throw new BaseError(
      'submit.reverted',
      `The transaction to revoke the allowance reverted on ${revocation.currency.chain.name}.`,
      {
        facts: [['spender', revocation.spender]],
        next: ShellCommand.line`ferry trace ${revocation.txHash}`,
        txHash: revocation.txHash,
      },
    );
  await assertGone(revocation, ports);
  return { txHash: hash, gasCost: fee, maxGas };
}

/** A revocation that was sent. */
type Revocation = {
  currency: Currency.Currency;
  spender: Address.Address;
  owner: Address.Address;
  txHash: Hex;
  /** What a node said that may not have taken it. */
  unsure: BaseError | undefined;
};

/** How a node is asked that may be a block behind its receipts. */
const again: Polling.Pace = { looks: 5, delayMs: (look) => Polling.delayMs(2 * look) };

/**
 * A token may take the call and do nothing: what is allowed decides, not that the transaction succeeded.
 *
 * @throws submit.reverted · chain.*
 */
async function assertGone({ currency, spender, owner, txHash }: Revocation, ports: Ports): Promise<void> {
  let left = 0n;
  const ask = async (): Promise<true | undefined> => {
    left = await ports.node.allowance(currency.token.address as Address.Address, owner, spender);
    return left === 0n || undefined;
  };
  await Polling.pollUntil(
    ask,
    ports,
    again,
    () =>
      new BaseError(
        'submit.reverted',
        `The transaction to revoke the allowance was mined, and the allowance is there.`,
        {
          facts: [
            ['spender', spender],
            ['still allowed', Currency.inWords(left, currency.token)],
          ],
          hint: 'The token did not do what its approve is for, or the spender was allowed something again.',
          next: ShellCommand.line`ferry trace ${txHash}`,
          txHash,
        },
      ),
  );
}

async function awaitReceipt(revocation: Revocation, ports: Ports, timeoutMs: number): Promise<Receipt> {
  const ask = () => ports.node.receipt(revocation.txHash).catch(() => undefined);
  const late = (): BaseError =>
    new BaseError(
      'track.unfinished',
      `The transaction to revoke the allowance ${revocation.unsure ? 'may have been sent' : 'was sent'} and is not mined yet on ${revocation.currency.chain.name}.`,
      {
        facts: [['account', revocation.owner], ['spender', revocation.spender], ...(revocation.unsure?.facts ?? [])],
        hint: 'You can run the command again: it sends nothing if the allowance is gone.',
        funds: 'untouched',
        next: ShellCommand.line`ferry allowance show ${Currency.format(revocation.currency)} ${revocation.spender}`,
        txHash: revocation.txHash,
      },
    );
  return Polling.pollUntil(ask, ports, { timeoutMs }, late);
}

/**
 * Whether the allowances that a plan sets still suffice for its payment. Another transaction of the account may have
 * used or replaced them since.
 *
 * @throws chain.*
 */
export async function isSufficient(
  { actions }: Pick<Plan.Restored, 'actions'>,
  node: Pick<Chain, 'allowance'>,
): Promise<boolean> {
  for (const { approval, from, to } of actions) {
    // An approval of zero only makes room for the next one.
    if (!approval || approval.amount === 0n) continue;
    if ((await node.allowance(to, from, approval.spender)) < approval.amount) return false;
  }
  return true;
}

/** Whether a run has signed an approval, and the transaction that spends it is not known to be mined. */
export function mayBeLeft({ approved, sent, steps }: State): boolean {
  const isSpent = steps !== undefined && sent.get(steps.length - 1)?.receipt?.status === 'success';
  return !isSpent && (approved || [...sent.values()].some(({ action }) => action === 'approve'));
}

/**
 * The unused allowances of a run whose account sends its own transactions, read from the chain. An older allowance that
 * no approval of the run has changed is not included.
 *
 * @throws chain.*
 */
export async function leftOver(
  { intent, actions }: Plan.Restored,
  state: State,
  node: Pick<Chain, 'allowance'>,
): Promise<Allowance[]> {
  // Approvals are only ever for the contract that the paying action calls.
  const payment = actions.at(-1);
  if (!payment || !mayBeLeft(state)) return [];
  const found = await find(intent.origin, payment.from, spenders(intent.origin.chain, payment.to), node);
  // An older allowance of this amount would have made the approval needless, so the approval set it, seen mined or not.
  const signed = actions.filter((_, step) => state.sent.has(step)).map(({ approval }) => approval?.amount);
  return found.filter(({ amount }) => amount > 0n && (state.approved || signed.includes(amount)));
}

export function toRow({ spender, contract, amount }: Allowance, { token }: Currency.Currency): z.output<typeof row> {
  return { spender, contract, ...Amount.toDocument(amount, token.decimals) };
}

/** The amount for a person, without its symbol: `100`, or `any amount` for an unlimited allowance. */
export function inWords({ amount, formatted }: Pick<z.output<typeof row>, 'amount' | 'formatted'>): string {
  return BigInt(amount) >= unlimited ? 'any amount' : formatted;
}

/** Amounts from here on are meant as unlimited. */
const unlimited = 2n ** 255n;
