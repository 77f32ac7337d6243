/** Whether an account can pay for a plan: the input, and the gas of every transaction. */
import * as Address from './Address.js';
import * as Amount from './Amount.js';
import * as Currency from './Currency.js';
import { BaseError } from './Errors.js';
import type * as Plan from './Plan.js';
import type { Chain, GasPrice } from './Ports.js';

/** It can. Amounts in base units and wei. */
export type Event = { type: 'checked'; chainId: number; balance: bigint; gasBalance: bigint };

/** Percent put on top of a gas estimate. */
const marginPercent = 25n;

/** Gas units assumed for what cannot be estimated before an earlier transaction is mined. */
const assumedGas: Record<Plan.Action['kind'], bigint> = {
  approve: 80_000n,
  deposit: 150_000n,
  swap: 700_000n,
  wrap: 60_000n,
  unwrap: 60_000n,
  send: 80_000n,
};

/**
 * The node serves the right chain, and the account can pay for the input and for the gas of every action.
 *
 * @throws chain.wrong-chain · submit.insufficient-balance · submit.insufficient-gas
 */
export async function* assert(plan: Plan.Plan, origin: Chain): AsyncGenerator<Event, GasPrice> {
  const { chain, token } = plan.intent.origin;
  const [chainId, gasBalance, balance, gasPrice] = await Promise.all([
    origin.chainId(),
    origin.balance(plan.intent.user, Address.native),
    origin.balance(plan.intent.user, token.address as Address.Address),
    origin.gasPrice(),
  ]);
  if (chainId !== chain.id) throw new WrongChainError(chain, chainId);
  if (balance < plan.quote.input) throw new InsufficientBalanceError(plan, balance);
  const gas = plan.actions.reduce((sum, action) => sum + (action.gas ?? assumedGas[action.kind]), 0n);
  const value = plan.actions.reduce((sum, action) => sum + action.value, 0n);
  const needed = value + withMargin(gas) * gasPrice.maxFeePerGas;
  if (gasBalance < needed) throw new InsufficientGasError(plan, gasBalance, needed);
  yield { type: 'checked', chainId, balance, gasBalance };
  return gasPrice;
}

/** A gas estimate with room for what changes until it is mined. */
export function withMargin(gas: bigint): bigint {
  return (gas * (100n + marginPercent)) / 100n;
}

export class WrongChainError extends BaseError {
  override name = 'WrongChainError';
  constructor(chain: Plan.Action['chain'], found: number) {
    super('chain.wrong-chain', `The RPC node of ${chain.name} serves another chain.`, {
      facts: [
        ['expected', String(chain.id)],
        ['the node says', String(found)],
      ],
      hint: `Set the RPC URL of ${chain.name}: FERRY_RPC_URL_${chain.name.toUpperCase()}, or networks.*.chains.${chain.name}.rpcUrl.`,
    });
  }
}

export class InsufficientBalanceError extends BaseError {
  override name = 'InsufficientBalanceError';
  constructor({ intent, quote }: Plan.Plan, balance: bigint) {
    const { token, chain } = intent.origin;
    const amount = (base: bigint): string => `${Amount.format(base, token.decimals)} ${token.symbol}`;
    super('submit.insufficient-balance', `The balance on ${chain.name} is smaller than the amount.`, {
      facts: [
        ['needed', amount(quote.input)],
        ['balance', amount(balance)],
        ['account', intent.user],
      ],
    });
  }
}

export class InsufficientGasError extends BaseError {
  override name = 'InsufficientGasError';
  constructor({ intent }: Plan.Plan, balance: bigint, needed: bigint) {
    const { chain } = intent.origin;
    const amount = (wei: bigint): string => `${Amount.format(wei, chain.native.decimals)} ${chain.native.symbol}`;
    super('submit.insufficient-gas', `The account cannot pay for gas on ${chain.name}.`, {
      facts: [
        [Currency.isNative(intent.origin) ? 'needed with the amount' : 'needed at most', amount(needed)],
        ['balance', amount(balance)],
        ['account', intent.user],
      ],
      hint: `Send some ${chain.native.symbol} to the account on ${chain.name}.`,
    });
  }
}
