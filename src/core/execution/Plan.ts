/** The steps that execute a proved quote, in order. `--dry-run` prints them. */

import * as Memo from '../../venue/Memo.js';
import * as ExecutePermits from '../api/ExecutePermits.js';
import type { Address } from '../base/Address.js';
import { BaseError } from '../base/Errors.js';
import type { Hex } from '../base/Hex.js';
import type { Chain } from '../network/Network.js';
import type { TypedData } from '../ports/Ports.js';
import * as SignatureStep from '../proof/signature/SignatureStep.js';
import type { Verified, Watched } from '../proof/Verification.js';
import * as Currency from '../quote/Currency.js';
import type { Item, Quote } from '../quote/Quote.js';
import type { Intent } from '../quote/TransferIntent.js';
import * as GasBound from './GasBound.js';

declare const signable: unique symbol;

/** The plan of a verified quote. Only `from` makes one, and only such a plan can be signed. */
export type Plan = Restored & {
  readonly [signable]: true;
  /** What bounds the gas of its transactions. */
  gas: GasBound.Bounds;
  /** What is simulated again right before it leaves; undefined if the calls themselves prove it. */
  watched: Watched | undefined;
  /** Units of gas that each action used in the simulation, after refunds; undefined if the node simulates nothing. */
  gasUsed: readonly bigint[] | undefined;
};

/**
 * The steps of a quote. Exactly one of `actions`, `permits` and `transfer` pays. A plan restored from a journal is only
 * this: its signed transactions can be sent again and followed, but nothing can be signed.
 */
export type Restored = {
  intent: Intent;
  quote: Quote;
  requestId: string;
  /** Transactions, in order. */
  actions: readonly Action[];
  /** Permits that pay instead of transactions. */
  permits: readonly Permit[];
  /** The venue transfer that pays instead of transactions. */
  transfer: VenueTransfer | undefined;
  /** Base units that a deposit address has deposited; undefined if that is not known, and for a plan that pays itself. */
  deposited?: bigint | undefined;
};

/** A plan that pays by one transfer on the venue. */
export type VenuePlan = Plan & { transfer: VenueTransfer };

/**
 * A transfer from the user's venue account. The amount is in base units of the asset, the fee in millionths of USDC.
 */
export type VenueTransfer = {
  summary: string;
  fromAccountIndex: number;
  toAccountIndex: number;
  assetIndex: number;
  fromRouteType: number;
  toRouteType: number;
  amount: bigint;
  usdcFee: bigint;
  /** 32 bytes. */
  memo: Hex;
};

/** A permit to sign and submit to the service. */
export type Permit = { summary: string; typed: TypedData; request: ExecutePermits.Request };

/** A transaction of the plan, without nonce and gas price. */
export type Action = {
  kind: 'approve' | 'deposit' | 'swap' | 'wrap' | 'unwrap' | 'send';
  /** One line for a person. */
  summary: string;
  chain: Chain;
  from: Address;
  to: Address;
  data: Hex;
  /** wei */
  value: bigint;
  /** The quote's gas estimate in units; undefined if it has none. */
  gas: bigint | undefined;
  /** For an approval: the spender and the amount in base units. */
  approval: { spender: Address; amount: bigint } | undefined;
};

/**
 * The plan of a verified quote.
 *
 * @param gas what bounds the gas; by default the quote's fees and the default cap
 * @param gasUsed by each transaction in the simulation
 * @throws quote.unsupported-step for a step that ferry cannot execute
 */
export function from(
  { quote, watched }: Verified,
  gas: GasBound.Bounds = GasBound.from(quote),
  gasUsed?: readonly bigint[] | undefined,
): Plan {
  const plan = restored(quote);
  if (quote.intent.gasless === 'permit' && plan.permits.length === 0) throw noPermit(quote);
  return { ...plan, gas, watched, gasUsed } as Plan;
}

/** The plan of a quote from a journal. @throws quote.unsupported-step */
export function restored(quote: Quote): Restored {
  const { items } = quote;
  const [first, ...more] = items;
  const paidByPermit = items.length > 0 && items.every(({ kind }) => kind === 'signature');
  const paidOnVenue = first?.kind === 'venue' && more.length === 0 ? first : undefined;
  return {
    intent: quote.intent,
    quote,
    requestId: quote.requestId,
    actions: paidByPermit || paidOnVenue ? [] : items.map((item) => action(item, quote)),
    permits: paidByPermit ? items.map((item) => permit(item, quote)) : [],
    transfer: paidOnVenue && transfer(paidOnVenue, quote),
  };
}

/** The names of the plan's steps as journaled, in order; the last one pays. */
export function steps({ actions, permits, transfer: paid }: Restored): string[] {
  return [...actions.map(({ kind }) => kind), ...permits.map(() => 'permit'), ...(paid ? ['transfer'] : [])];
}

function transfer({ parameters }: Item & { kind: 'venue' }, { input, intent }: Quote): VenueTransfer {
  const { token, chain } = intent.origin;
  const { toAccountIndex, assetIndex, fromRouteType, toRouteType } = parameters;
  return {
    summary: `Transfer ${Currency.inWords(input, token)} on ${chain.name} to the service's account ${toAccountIndex}`,
    fromAccountIndex: Number(intent.user),
    toAccountIndex,
    assetIndex,
    fromRouteType,
    toRouteType,
    amount: BigInt(parameters.amount),
    usdcFee: BigInt(parameters.usdcFee),
    memo: Memo.from(parameters.memo),
  };
}

function action(item: Item, quote: Quote): Action {
  if (item.kind !== 'transaction') throw unsupportedStep(item);
  const { call, stepId, from: sender, to, data, value, gas } = item;
  const kind = call?.function === 'approve' ? 'approve' : kindOf(stepId, call?.function);
  return {
    kind,
    summary: summary(kind, quote, call?.function === 'approve' ? call.amount : undefined),
    chain: quote.intent.origin.chain,
    from: sender,
    to,
    data,
    value,
    gas,
    approval: call?.function === 'approve' ? { spender: call.spender, amount: call.amount } : undefined,
  };
}

/** Rebuilds the typed data to sign from the fields that were proved. */
function permit(item: Item, { input, intent }: Quote): Permit {
  if (item.kind !== 'signature') throw new TypeError('a permit is a signature');
  const typed = SignatureStep.signable(item.data);
  const body = ExecutePermits.request.safeParse((item.data as { post?: { body?: unknown } }).post?.body);
  if (!typed || !body.success) throw unsupportedStep(item);
  const { token } = intent.origin;
  return {
    summary: `Sign a permit for ${Currency.inWords(input, token)}`,
    typed: typed as unknown as TypedData,
    request: body.data,
  };
}

function kindOf(stepId: string, call: string | undefined): Action['kind'] {
  if (call === 'wrap' || call === 'unwrap') return call;
  if (stepId === 'swap' || stepId === 'send') return stepId;
  return call === 'transfer' ? 'send' : 'deposit';
}

function summary(kind: Action['kind'], quote: Quote, approved: bigint | undefined): string {
  const { origin, destination } = quote.intent;
  const amount = (base: bigint): string => Currency.inWords(base, origin.token);
  switch (kind) {
    case 'approve':
      return approved === 0n
        ? `Reset the old allowance of ${origin.token.symbol}`
        : `Approve exactly ${amount(approved ?? 0n)}`;
    case 'deposit':
      return `Deposit ${amount(quote.input)} on ${origin.chain.name}`;
    case 'swap':
      return `Swap ${amount(quote.input)} for ${destination.token.symbol} on ${origin.chain.name}`;
    case 'wrap':
    case 'unwrap':
      return `${kind === 'wrap' ? 'Wrap' : 'Unwrap'} ${amount(quote.input)} on ${origin.chain.name}`;
    case 'send':
      return `Send ${amount(quote.input)} on ${origin.chain.name}`;
  }
}

/** Transactions where a permit was asked for. */
function noPermit({ intent: { origin } }: Quote): BaseError {
  return new BaseError(
    'quote.unsupported-step',
    `The service asks for transactions, not for a permit of ${origin.token.symbol}. Nothing was signed.`,
    { hint: 'With --gasless the account signs a batch of them; without --permit it sends them itself.' },
  );
}

/** A step that is not a transaction, a permit or a venue transfer. */
function unsupportedStep(item: Item): BaseError {
  return new BaseError(
    'quote.unsupported-step',
    `The quote's step "${item.stepId}" ${requestOf(item)}, which ferry cannot execute here.`,
  );
}

/** What a step asks for. */
function requestOf(item: Item): string {
  switch (item.kind) {
    case 'transaction':
      return 'asks for a transaction';
    case 'venue':
      return 'asks for a transfer on the venue';
    case 'signature':
      return 'asks for a signature';
    case 'unreadable':
      return item.why;
    default:
      return item satisfies never;
  }
}
