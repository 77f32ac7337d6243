/** Checks that an account can pay for a plan: the input, and the gas of every transaction. */
import * as VenueAccount from '../accounts/VenueAccount.js';
import * as Address from '../base/Address.js';
import * as Amount from '../base/Amount.js';
import { BaseError } from '../base/Errors.js';
import type * as Network from '../network/Network.js';
import type { Chain, GasPrice } from '../ports/Ports.js';
import * as Currency from '../quote/Currency.js';
import * as Quote from '../quote/Quote.js';
import * as TransferIntent from '../quote/TransferIntent.js';

/** The balances and gas price of an account that can pay. Balances in base units of the input and in wei. */
export type Solvent = { chainId: number; balance: bigint; gasBalance: bigint; gasPrice: GasPrice };

/** Margin on a gas estimate, in percent. */
const marginPercent = 25n;

/** Gas units assumed for a transaction if the quote has no estimate. */
const assumedGas = { approve: 80_000n, deposit: 150_000n, other: 700_000n };

/**
 * Checks that the node serves the right chain, and that the account can pay the input and the gas of every transaction.
 *
 * @throws chain.wrong-chain · submit.insufficient-balance · submit.insufficient-gas
 */
export async function assert(quote: Quote.Quote, node: Chain): Promise<Solvent> {
  const [input, gasBalance, gasPrice] = await Promise.all([
    assertInput(quote, node),
    node.balance(TransferIntent.walletOf(quote.intent), Address.native),
    node.gasPrice(),
  ]);
  const transactions = Quote.transactions(quote);
  const gas = transactions.reduce((sum, each) => sum + gasOf(each), 0n);
  const value = transactions.reduce((sum, each) => sum + each.value, 0n);
  const needed = value + withMargin(gas) * gasPrice.maxFeePerGas;
  if (gasBalance < needed) throw new InsufficientGasError(quote, gasBalance, needed);
  return { ...input, gasBalance, gasPrice };
}

/**
 * Checks that the node serves the right chain, and that the account has the input; the service pays the gas.
 *
 * @throws chain.wrong-chain · submit.insufficient-balance
 */
export async function assertInput(
  quote: Quote.Quote,
  node: Pick<Chain, 'chainId' | 'balance'>,
): Promise<{ chainId: number; balance: bigint }> {
  const { origin } = quote.intent;
  const [chainId, balance] = await Promise.all([
    node.chainId(),
    node.balance(TransferIntent.walletOf(quote.intent), origin.token.address as Address.Address),
  ]);
  assertChain(origin.chain, chainId);
  if (balance < quote.input) throw new InsufficientBalanceError(quote, balance);
  return { chainId, balance };
}

/** Checks that the venue account has the amount plus the venue's fee. @throws submit.insufficient-balance */
export function assertVenueBalance(quote: Quote.Quote, account: VenueAccount.VenueAccount): void {
  const balance = VenueAccount.usdc(account);
  const fee = Quote.venueFee(quote) ?? 0n;
  if (balance < quote.input + fee) throw new InsufficientVenueBalanceError(quote, balance, fee);
}

/** @throws chain.wrong-chain if the node reports another id */
export function assertChain(chain: Network.Chain, found: number): void {
  if (found !== chain.id) throw new WrongChainError(chain, found);
}

function gasOf({ gas, call }: Quote.Transaction): bigint {
  if (gas !== undefined) return gas;
  if (call?.function === 'approve') return assumedGas.approve;
  return call?.function.startsWith('deposit') ? assumedGas.deposit : assumedGas.other;
}

/** A gas estimate with a margin for changes until the transaction is mined. */
export function withMargin(gas: bigint): bigint {
  return (gas * (100n + marginPercent)) / 100n;
}

export class WrongChainError extends BaseError {
  override name = 'WrongChainError';
  constructor(chain: Network.Chain, found: number) {
    super('chain.wrong-chain', `The RPC node of ${chain.name} serves a different chain.`, {
      facts: [
        ['expected', String(chain.id)],
        ['reported by the node', String(found)],
      ],
      hint: `Set the RPC URL of ${chain.name}: FERRY_RPC_URL_${chain.name.toUpperCase()}, or networks.*.chains.${chain.name}.rpcUrl.`,
    });
  }
}

export class InsufficientBalanceError extends BaseError {
  override name = 'InsufficientBalanceError';
  constructor({ intent, input }: Quote.Quote, balance: bigint) {
    const { token, chain } = intent.origin;
    const amount = (base: bigint): string => `${Amount.format(base, token.decimals)} ${token.symbol}`;
    super('submit.insufficient-balance', `The balance on ${chain.name} is less than the amount.`, {
      facts: [
        ['needed', amount(input)],
        ['balance', amount(balance)],
        ['account', intent.user],
      ],
    });
  }
}

export class InsufficientGasError extends BaseError {
  override name = 'InsufficientGasError';
  constructor({ intent }: Quote.Quote, balance: bigint, needed: bigint) {
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

export class InsufficientVenueBalanceError extends BaseError {
  override name = 'InsufficientVenueBalanceError';
  constructor({ input, intent }: Quote.Quote, balance: bigint, fee: bigint) {
    const amount = (base: bigint): string => `${Amount.format(base, VenueAccount.usdcDecimals)} USDC`;
    super('submit.insufficient-balance', `Venue account ${intent.user} has less than the amount plus the fee.`, {
      facts: [
        ['amount', amount(input)],
        ['venue fee', amount(fee)],
        ['balance', amount(balance)],
      ],
      hint: 'Use max to withdraw the whole balance less the fee.',
    });
  }
}
