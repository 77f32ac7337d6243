/** ERC-20 allowances: who may take how much of a token from an account, and how that is taken back. */

import { encodeFunctionData, keccak256, parseAbi } from 'viem/utils';
import * as z from 'zod/mini';
import * as Address from '../base/Address.js';
import * as Amount from '../base/Amount.js';
import { BaseError } from '../base/Errors.js';
import type { Hex } from '../base/Hex.js';
import type * as Network from '../network/Network.js';
import type { Account, Chain, Clock, Receipt } from '../ports/Ports.js';
import * as Currency from '../quote/Currency.js';
import type { State } from '../tracking/Journal.js';
import * as StatusPolling from '../tracking/StatusPolling.js';
import * as TransferStatus from '../tracking/TransferStatus.js';
import * as BalanceCheck from './BalanceCheck.js';
import type * as Plan from './Plan.js';

export type Allowance = {
  spender: Address.Address;
  /** As what ferry knows the spender; null for anybody else. */
  contract: Taker | null;
  /** Base units. */
  amount: bigint;
};

/** What a revocation takes; the caller holds the turn at the account's nonces until it has ended. */
export type World = { node: Chain; account: Account; clock: Clock; signal: AbortSignal };

/**
 * The contracts that take tokens, or could: ferry never lets the router, but others may have, and what it may take,
 * everybody may.
 */
const takers = ['depository', 'approvalProxy', 'router'] as const;

type Taker = (typeof takers)[number];

export const row = z.object({
  spender: z.string(),
  /** As what ferry knows it; null for anybody else. */
  contract: z.nullable(z.enum(takers)),
  amount: z.string(),
  formatted: z.string(),
});

const abi = parseAbi(['function approve(address spender, uint256 amount) returns (bool)']);

/** A token that may be taken by allowance. @throws request.unsupported for what is no ERC-20 token */
export function assertToken(currency: Currency.Currency): void {
  if (currency.chain.vm !== 'evm' || Currency.isNative(currency)) throw new NoTokenError(currency);
}

/** The spenders that ferry knows on a chain, or the one that is named. */
export function spenders({ contracts }: Network.Chain, named?: Address.Address): Omit<Allowance, 'amount'>[] {
  const known = takers.flatMap((contract) => {
    const spender = contracts[contract];
    return spender ? [{ spender, contract }] : [];
  });
  if (named === undefined) return known;
  return [known.find(({ spender }) => Address.isEqual(spender, named)) ?? { spender: named, contract: null }];
}

/** What each spender may take, in the order in which they were asked for. @throws chain.* */
export async function find(
  { token }: Currency.Currency,
  owner: Address.Address,
  asked: readonly Omit<Allowance, 'amount'>[],
  node: Pick<Chain, 'allowance'>,
): Promise<Allowance[]> {
  return Promise.all(
    asked.map(async (each) => ({
      ...each,
      amount: await node.allowance(token.address as Address.Address, owner, each.spender),
    })),
  );
}

/**
 * Takes an allowance back, paid by the account.
 *
 * @throws submit.* · sign.failed · chain.* · track.unfinished where the chain does not show it in time
 */
export async function revoke(
  currency: Currency.Currency,
  { spender }: Pick<Allowance, 'spender'>,
  world: World,
  timeoutMs: number,
): Promise<{ txHash: Hex; gasCost: bigint }> {
  const { node, account } = world;
  const to = currency.token.address as Address.Address;
  const data = encodeFunctionData({ abi, functionName: 'approve', args: [spender, 0n] });
  const [estimate, gasPrice, balance, nonce] = await Promise.all([
    node.estimateGas({ from: account.address, to, data, value: 0n }),
    node.gasPrice(),
    node.balance(account.address, Address.native),
    node.nonce(account.address),
  ]);
  const gas = BalanceCheck.withMargin(estimate);
  if (balance < gas * gasPrice.maxFeePerGas)
    throw new NoGasError(currency.chain, account.address, { balance, needed: gas * gasPrice.maxFeePerGas });
  const chainId = currency.chain.id;
  const signed = await account.signTransaction({ ...gasPrice, chainId, nonce, to, data, value: 0n, gas });
  await node.broadcast(signed).catch((error: unknown) => {
    // It may have been sent: the chain tells.
    if (!(error instanceof BaseError) || error.code !== 'submit.unknown') throw error;
  });
  const left = { currency, spender, owner: account.address, txHash: keccak256(signed) };
  const { hash, status, gasUsed, effectiveGasPrice } = await mined(left, world, timeoutMs);
  if (status === 'reverted') throw new RevocationRevertedError(left);
  return { txHash: hash, gasCost: gasUsed * effectiveGasPrice };
}

/** A revocation on its way. */
type Left = { currency: Currency.Currency; spender: Address.Address; owner: Address.Address; txHash: Hex };

async function mined(left: Left, { node, clock, signal }: World, timeoutMs: number): Promise<Receipt> {
  const deadline = clock.now() + timeoutMs;
  const late = (): BaseError => new StillAllowedError(left);
  for (let attempt = 0; ; attempt++) {
    const receipt = await node.receipt(left.txHash).catch(() => undefined);
    if (receipt) return receipt;
    if (clock.now() >= deadline || signal.aborted) throw late();
    await StatusPolling.interruptible(clock.sleep(TransferStatus.pollDelayMs(attempt), signal), late);
  }
}

/** Whether a run has signed an approval, and what takes what it allows is not known to be mined. */
export function mayBeLeft({ approved, sent, steps }: State): boolean {
  const isTaken = steps !== undefined && sent.get(steps.length - 1)?.receipt?.status === 'success';
  return !isTaken && (approved || [...sent.values()].some(({ action }) => action === 'approve'));
}

/**
 * What a run by own transactions has allowed and not used, as the chain has it now. An allowance that was there before
 * and that no approval of the run has changed is not the run's.
 *
 * @throws chain.*
 */
export async function leftOver(
  { intent, actions }: Plan.Restored,
  state: State,
  node: Pick<Chain, 'allowance'>,
): Promise<Allowance[]> {
  // Whatever pays takes what was approved; only that contract was ever allowed anything.
  const taker = actions.at(-1);
  if (!taker || !mayBeLeft(state)) return [];
  const found = await find(intent.origin, taker.from, spenders(intent.origin.chain, taker.to), node);
  // One of that very amount from before would have made the approval needless, so it came of it, seen mined or not.
  const signed = actions.filter((_, step) => state.sent.has(step)).map(({ approval }) => approval?.amount);
  return found.filter(({ amount }) => amount > 0n && (state.approved || signed.includes(amount)));
}

export function toRow({ spender, contract, amount }: Allowance, { token }: Currency.Currency): z.output<typeof row> {
  return { spender, contract, amount: String(amount), formatted: Amount.format(amount, token.decimals) };
}

/** How much, for a person: `100 USDC`, or that there is no limit. */
export function inWords({ amount, formatted }: Pick<z.output<typeof row>, 'amount' | 'formatted'>): string {
  return BigInt(amount) >= endless ? 'any amount' : formatted;
}

/** Nobody means a number of that size as one. */
const endless = 2n ** 255n;

export class NoTokenError extends BaseError {
  override name = 'NoTokenError';
  constructor({ chain, token }: Currency.Currency) {
    super(
      'request.unsupported',
      chain.vm === 'evm'
        ? `${token.symbol} is the native asset of ${chain.name}: nobody can be allowed to take it.`
        : `There are no allowances on ${chain.name}.`,
      { next: 'ferry tokens' },
    );
  }
}

export class NoGasError extends BaseError {
  override name = 'NoGasError';
  constructor(
    { name, native }: Network.Chain,
    account: string,
    { balance, needed }: { balance: bigint; needed: bigint },
  ) {
    const amount = (wei: bigint): string => `${Amount.format(wei, native.decimals)} ${native.symbol}`;
    super('submit.insufficient-gas', `The account cannot pay for gas on ${name}.`, {
      facts: [
        ['needed at most', amount(needed)],
        ['balance', amount(balance)],
        ['account', account],
      ],
      hint: `Send some ${native.symbol} to the account on ${name}.`,
    });
  }
}

export class RevocationRevertedError extends BaseError {
  override name = 'RevocationRevertedError';
  constructor({ currency, spender, txHash }: Left) {
    super('submit.reverted', `The transaction to take the allowance back reverted on ${currency.chain.name}.`, {
      facts: [['spender', spender]],
      next: `ferry trace ${txHash}`,
      txHash,
    });
  }
}

export class StillAllowedError extends BaseError {
  override name = 'StillAllowedError';
  constructor({ currency, spender, owner, txHash }: Left) {
    super(
      'track.unfinished',
      `The transaction to take the allowance back was sent and is not mined yet on ${currency.chain.name}.`,
      {
        facts: [
          ['account', owner],
          ['spender', spender],
        ],
        hint: 'The command may be repeated: it does nothing where nothing is allowed any more.',
        funds: 'untouched',
        next: `ferry allowance show ${Currency.format(currency)} ${spender}`,
        txHash,
      },
    );
  }
}
