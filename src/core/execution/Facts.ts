/**
 * What a signature depends on, and whether the account can pay. The nodes are asked for all of it in parallel, each fact
 * once, and the answers are one value with the time of asking.
 *
 * The facts hold while the turn for the account's nonces is held, no person was asked meanwhile and nothing was sent.
 * Code without recent facts gathers them again.
 */
import * as VenueAccount from '../accounts/VenueAccount.js';
import * as Address from '../base/Address.js';
import * as Amount from '../base/Amount.js';
import { BaseError } from '../base/Errors.js';
import type { Hex } from '../base/Hex.js';
import { rpcUrlVariable } from '../config/SettingDefinitions.js';
import type * as Network from '../network/Network.js';
import type { Chain, Clock, GasOffer, GasPrice } from '../ports/Ports.js';
import * as Currency from '../quote/Currency.js';
import * as Quote from '../quote/Quote.js';
import * as TransferIntent from '../quote/TransferIntent.js';
import * as GasBound from './GasBound.js';
import type * as Plan from './Plan.js';

type Gathered = {
  /** Unix time in milliseconds. */
  at: number;
  /** The destination's last block; undefined if no node told it. */
  tip: bigint | undefined;
};

/** For transactions that the account sends itself. */
export type OfTransactions = Gathered & {
  kind: 'transactions';
  means: Means;
  code: Hex;
  nonce: number;
  /** For each action that is an approval: what is allowed already, in base units. */
  allowances: readonly (bigint | undefined)[];
  /** Units of gas that the node estimates for the first action; undefined if it does not. */
  gas: bigint | undefined;
};

/** For a batch that the service submits: besides the account's own nonce its sequence in the batch executor. */
export type OfBatch = Gathered & { kind: 'batch'; code: Hex; nonce: number; sequence: bigint };

export type OfPermit = Gathered & { kind: 'permit' };

export type Facts = OfTransactions | OfBatch | OfPermit;

/** Who is asked, and the destination's last block, which was asked for already. */
export type Nodes = { origin: Chain; tip?: Promise<bigint | undefined>; clock: Pick<Clock, 'now'> };

/** A single fact that was asked for before there was a quote, and when. */
export type Early<T> = { at: number; asked: Promise<T> };

/**
 * How long they are recent, counted from the question. Longer than a proof takes on a slow network, and shorter than a block
 * of Ethereum, after which balances and fees may be others anyway.
 */
const recentMs = 10_000;

export function isRecent({ at }: { at: number }, { now }: Pick<Clock, 'now'>): boolean {
  return now() - at <= recentMs;
}

/** The facts if they are recent and of the kind, and undefined otherwise. */
export function recent<Kind extends Facts['kind']>(
  kind: Kind,
  facts: Facts | undefined,
  clock: Pick<Clock, 'now'>,
): Extract<Facts, { kind: Kind }> | undefined {
  return facts?.kind === kind && isRecent(facts, clock) ? (facts as Extract<Facts, { kind: Kind }>) : undefined;
}

/**
 * @param known what the account has, if that was asked for just now
 * @throws chain.* · submit.insufficient-balance
 */
export async function ofTransactions(
  { quote, actions }: Pick<Plan.Restored, 'quote' | 'actions'>,
  { origin, tip: lastBlock, clock }: Nodes,
  known?: Promise<Means | undefined>,
): Promise<OfTransactions> {
  const at = clock.now();
  const owner = TransferIntent.walletOf(quote.intent);
  const [first] = actions;
  const [means, code, nonce, gas, tip, ...allowances] = await Promise.all([
    known?.then((found) => found ?? meansOf(quote, origin)) ?? meansOf(quote, origin),
    origin.code(owner),
    origin.nonce(owner),
    first && origin.estimateGas(first).catch(() => undefined),
    lastBlock,
    ...actions.map((action) => allowanceOf(action, origin)),
  ]);
  return { kind: 'transactions', at, means, code, nonce, gas, tip, allowances };
}

/**
 * @param known resolves once it is known that the account has the input, if that was asked for just now
 * @throws chain.* · submit.insufficient-balance
 */
export async function ofBatch(
  { quote }: Pick<Plan.Restored, 'quote'>,
  batchExecutor: Address.Address,
  { origin, tip: lastBlock, clock }: Nodes,
  known: Promise<unknown> = assertInput(quote, origin),
): Promise<OfBatch> {
  const at = clock.now();
  const owner = TransferIntent.walletOf(quote.intent);
  const [code, nonce, sequence, tip] = await Promise.all([
    origin.code(owner),
    origin.nonce(owner),
    origin.batchSequence(owner, batchExecutor),
    lastBlock,
    known,
  ]);
  return { kind: 'batch', at, code, nonce, sequence, tip };
}

export async function ofPermit({ tip, clock }: Omit<Nodes, 'origin'>): Promise<OfPermit> {
  return { kind: 'permit', at: clock.now(), tip: await tip };
}

/** What an approval's spender may take already, in base units; undefined for what is no approval. @throws chain.* */
export async function allowanceOf(
  { approval, from, to }: Plan.Action,
  node: Pick<Chain, 'allowance'>,
): Promise<bigint | undefined> {
  return approval && node.allowance(to, from, approval.spender);
}

/** Whether the action is an approval that what is allowed already covers. */
export function isCovered({ approval }: Plan.Action, allowed: bigint | undefined): boolean {
  if (!approval || allowed === undefined) return false;
  return approval.amount === 0n ? allowed === 0n : allowed >= approval.amount;
}

type Tipped = Pick<Chain, 'tip'> | undefined;

/** The last block of a node. That it is not known is no reason to fail: less is then known of what arrives. */
export async function tipOf(node: Tipped | Promise<Tipped>): Promise<bigint | undefined> {
  try {
    return (await (await node)?.tip())?.number;
  } catch {
    return undefined;
  }
}

/** The balances and fees of an account that can pay. Balances in base units of the input and in wei. */
export type Solvent = {
  chainId: number;
  balance: bigint;
  gasBalance: bigint;
  /** The fees to sign with. */
  gasPrice: GasPrice;
  /** By the node, in wei per unit of gas. */
  baseFeePerGas: bigint;
  /** Most that the gas of all transactions can cost. */
  bill: GasBound.Bill;
  /** What the user should know about the node's fees. */
  note: string | undefined;
};

/** What an account has, and what gas costs, by the node. */
export type Means = { input: { chainId: number; balance: bigint }; gasBalance: bigint; offer: GasOffer };

/**
 * Reads what the account has, and checks that the node serves the right chain and that the account has the input.
 *
 * @throws chain.* · submit.insufficient-balance
 */
export async function meansOf(quote: Quote.Quote, node: Chain): Promise<Means> {
  const asked = assertInput(quote, node);
  const [input, gasBalance, offer] = await Promise.all([
    asked,
    Currency.isNative(quote.intent.origin)
      ? asked.then(({ balance }) => balance)
      : node.balance(TransferIntent.walletOf(quote.intent), Address.native),
    node.gasPrice(),
  ]);
  return { input, gasBalance, offer };
}

/**
 * Checks that the gas is within its bounds, and that the account can pay the input and the gas of every transaction.
 *
 * @throws verify.cap · submit.insufficient-gas
 */
export function solvent(quote: Quote.Quote, { input, gasBalance, offer }: Means, terms: GasBound.Bounds): Solvent {
  const gasPrice = GasBound.price(offer, terms);
  const bill = GasBound.billOf(quote, gasPrice, terms);
  GasBound.assertWithin(bill, terms);
  const value = Quote.transactions(quote).reduce((sum, each) => sum + each.value, 0n);
  const needed = value + bill.amount;
  if (gasBalance < needed) throw insufficientGas(quote, gasBalance, needed);
  const { baseFeePerGas } = offer;
  return { ...input, gasBalance, gasPrice, baseFeePerGas, bill, note: GasBound.noteOf(offer, terms) };
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
  if (balance < quote.input) throw insufficientBalance(quote, balance);
  return { chainId, balance };
}

/** Checks that the venue account has the amount plus the venue's fee. @throws submit.insufficient-balance */
export function assertVenueBalance(quote: Quote.Quote, account: VenueAccount.VenueAccount): void {
  const balance = VenueAccount.usdc(account);
  const fee = Quote.venueFee(quote) ?? 0n;
  if (balance < quote.input + fee) {
    const amount = (base: bigint): string => `${Amount.format(base, VenueAccount.usdcDecimals)} USDC`;
    throw new BaseError(
      'submit.insufficient-balance',
      `Venue account ${quote.intent.user} has less than the amount plus the fee.`,
      {
        facts: [
          ['amount', amount(quote.input)],
          ['venue fee', amount(fee)],
          ['balance', amount(balance)],
        ],
        hint: balance > fee ? 'Use max to withdraw the whole balance less the fee.' : undefined,
      },
    );
  }
}

/** @throws chain.wrong-chain if the node reports another id */
export function assertChain(chain: Network.Chain, found: number): void {
  if (found === chain.id) return;
  throw new BaseError('chain.wrong-chain', `The RPC node of ${chain.name} serves a different chain.`, {
    facts: [
      ['expected', String(chain.id)],
      ['reported by the node', String(found)],
    ],
    hint: `Set the RPC URL of ${chain.name}: ${rpcUrlVariable(chain.name)}, or networks.*.chains.${chain.name}.rpcUrl.`,
  });
}

function insufficientBalance({ intent, input }: Quote.Quote, balance: bigint): BaseError {
  const { token, chain } = intent.origin;
  const amount = (base: bigint): string => Currency.inWords(base, token);
  return new BaseError('submit.insufficient-balance', `The balance on ${chain.name} is less than the amount.`, {
    facts: [
      ['needed', amount(input)],
      ['balance', amount(balance)],
      ['account', intent.user],
    ],
    hint:
      balance > 0n && intent.tradeType === 'EXACT_INPUT'
        ? `Type max as the amount to send all of it, or send ${token.symbol} to the account on ${chain.name}.`
        : `Send ${token.symbol} to the account on ${chain.name}, or pay from another one with --account.`,
  });
}

export function insufficientGas({ intent }: Quote.Quote, balance: bigint, needed: bigint): BaseError {
  const { chain } = intent.origin;
  const amount = (wei: bigint): string => Currency.inWords(wei, chain.native);
  return new BaseError('submit.insufficient-gas', `The account cannot pay for gas on ${chain.name}.`, {
    facts: [
      [Currency.isNative(intent.origin) ? 'needed with the amount' : 'needed at most', amount(needed)],
      ['balance', amount(balance)],
      ['account', intent.user],
    ],
    hint: Currency.isNative(intent.origin)
      ? `Type max as the amount: it leaves enough for gas. Or send ${chain.native.symbol} to the account on ${chain.name}.`
      : `Add --gasless, and the service pays the gas out of the transfer. Or send ${chain.native.symbol} to the account on ${chain.name}.`,
  });
}
