/** Builds the steps of a quote: what the user signs, in order. */
import type { Hex } from 'viem';
import type * as Step from '../../core/api/schema/Step.js';
import type { Address } from '../../core/base/Address.js';
import * as Calldata from '../pricing/Calldata.js';
import type { OriginSwap, Pricing } from '../pricing/Pricing.js';
import { type EvmSide, isEvm, type PricedRequest } from '../pricing/QuoteTerms.js';
import * as SwapCalls from '../pricing/SwapCalls.js';
import { accounts } from '../values/devAccounts.js';
import * as GasLimits from '../values/GasLimits.js';
import { accountAt, isNative, type VenueChain, type Wallet } from '../values/Market.js';
import * as PartyAccount from '../values/PartyAccount.js';

export type Context = {
  wallet: Wallet;
  requestId: Hex;
  /** Only if the solver takes part. */
  orderId: Hex | undefined;
  /** The address that is paid instead of the depository. */
  depositAddress?: Address | undefined;
};

export type Steps = {
  steps: readonly Step.Step[];
  /** Total charged by the chain or the venue for all steps, in base units of its native currency. */
  gasFee: bigint;
};

type EvmTerms = Omit<PricedRequest, 'origin' | 'user'> & { origin: EvmSide; user: Address };

export function from(terms: PricedRequest, pricing: Pricing, context: Context): Steps {
  const { origin } = terms;
  if (isEvm(origin)) return onChain({ ...terms, origin, user: PartyAccount.address(terms.user) }, pricing, context);
  if (origin.chain.vm === 'svm') throw new Error('Nothing is deposited on this chain.');
  return onVenue(terms, origin.chain, pricing, context);
}

function onChain(terms: EvmTerms, pricing: Pricing, context: Context): Steps {
  const main = mainStep(terms, pricing, context);
  const approvals = approvalsFor(terms, pricing, main.spender);
  const gas = main.gas + GasLimits.approve * BigInt(approvals.length);
  return {
    steps: [
      ...approvals.map((call) => approvalStep(terms, call, context)),
      lastStep(main, lastTransaction(terms, main, context), context),
    ],
    gasFee: gas * terms.origin.chain.gasPriceWei,
  };
}

/** A transfer to the relayer's account, tied to the order by its memo. */
function onVenue(terms: PricedRequest, chain: VenueChain, { input }: Pricing, context: Context): Steps {
  const fee = accountAt(chain, terms.user)?.transferFee ?? 0n;
  const parameters = {
    toAccountIndex: PartyAccount.index(chain.relayer),
    assetIndex: usdcAssetIndex,
    fromRouteType: perpsRoute,
    toRouteType: perpsRoute,
    amount: Number(input),
    usdcFee: Number(fee),
    memo: context.orderId as Hex,
  };
  const data: Step.VenueTransfer = { action: { type: 'transfer', parameters } };
  return { steps: [lastStep({ id: 'deposit', description: depositing(terms) }, data, context)], gasFee: fee };
}

const usdcAssetIndex = 3;

const perpsRoute = 0;

function lastStep(
  { id, description }: Pick<Main, 'id' | 'description'>,
  data: NonNullable<Step.Item['data']>,
  { requestId, depositAddress }: Context,
): Step.Step {
  const check = { endpoint: `/intents/status/v3?requestId=${requestId}`, method: 'GET' };
  const items = [{ status: 'incomplete', data, check }];
  // Only deposits say whether they go to a deposit address.
  return {
    id,
    action,
    description,
    kind: 'transaction',
    items,
    requestId,
    ...(id === 'deposit' && { depositAddress: depositAddress ?? '' }),
  };
}

type Main = {
  id: 'deposit' | 'swap' | 'send';
  description: string;
  call: Calldata.Call;
  gas: bigint;
  /** The contract that takes the input, and its current allowance. */
  spender: { address: Address; allowance: bigint } | undefined;
};

const action = 'Confirm transaction in your wallet';

function mainStep(terms: EvmTerms, pricing: Pricing, context: Context): Main {
  const { chain, token } = terms.origin;
  const { input } = pricing;
  const isOwn = terms.user.toLowerCase() === terms.recipient.toLowerCase();
  switch (terms.execution) {
    case 'solver': {
      if (context.depositAddress) return addressStep(terms, pricing, context.depositAddress);
      if (pricing.originSwap) return swapAndDepositStep(terms, pricing, pricing.originSwap, context);
      const { depository } = chain.contracts;
      const orderId = context.orderId as Hex;
      return {
        id: 'deposit',
        description: depositing(terms),
        call: Calldata.deposit({ depository, depositor: terms.user, token, amount: input, orderId }),
        gas: GasLimits.deposit(token),
        spender: { address: depository, allowance: context.wallet.depositoryAllowance },
      };
    }
    case 'send':
      return {
        id: 'send',
        description: 'Send funds to the recipient',
        call: Calldata.transfer(token, PartyAccount.address(terms.recipient), input),
        gas: GasLimits.transfer(token),
        spender: undefined,
      };
    case 'wrap':
    case 'unwrap': {
      const [verb, convert] =
        terms.execution === 'wrap'
          ? (['Wrapping', Calldata.wrap] as const)
          : (['Unwrapping', Calldata.unwrap] as const);
      if (!isOwn || pricing.pathAmount < input) return swapStep(terms, pricing, context, verb);
      return {
        id: 'swap',
        description: describe(verb, terms),
        call: convert(chain.contracts.wrapped, input),
        gas: GasLimits.wrap,
        spender: undefined,
      };
    }
    case 'swap':
      return swapStep(terms, pricing, context, 'Swapping');
  }
}

/** A plain payment, which anybody may make. The address deposits it. */
function addressStep(terms: EvmTerms, { input }: Pricing, address: Address): Main {
  const { token } = terms.origin;
  return {
    id: 'deposit',
    description: depositing(terms),
    call: Calldata.transfer(token, address, input),
    gas: GasLimits.toDepositAddress(token),
    spender: undefined,
  };
}

/** One router transaction: it swaps the input and deposits all that this yields. Native leftovers go to the solver. */
function swapAndDepositStep(
  terms: EvmTerms,
  { input }: Pricing,
  { path, demanded }: OriginSwap,
  { requestId, orderId, wallet }: Context,
): Main {
  const { chain, token } = terms.origin;
  const order = orderId as Hex;
  const calls = SwapCalls.deposits({
    ...path,
    amount: input,
    minimum: demanded,
    depositor: terms.user,
    orderId: order,
  });
  return {
    id: 'deposit',
    description: depositing(terms),
    call: Calldata.multicall({
      chain,
      input: { token, amount: input },
      calls,
      refundTo: accounts.solver.address,
      requestId,
      orderId: order,
    }),
    gas: GasLimits.swapDeposit({ from: token, to: path.to, hops: path.route.length }),
    spender: { address: chain.contracts.approvalProxy, allowance: wallet.approvalProxyAllowance },
  };
}

/** One router transaction that names the request: fees first, then the swap. */
function swapStep(terms: EvmTerms, pricing: Pricing, context: Context, verb: string): Main {
  const { chain, token } = terms.origin;
  const { input, minimumOutput, path, pathAmount } = pricing;
  const { requestId } = context;
  const change = PartyAccount.address(terms.refundTo ?? terms.user);
  const swap = SwapCalls.calls({
    ...path,
    amount: pathAmount,
    // An exact output is bought with a margin; the recipient gets the surplus.
    output: { atLeast: minimumOutput },
    recipient: PartyAccount.address(terms.recipient),
    changeTo: change,
    metadata: Calldata.metadataOf(requestId),
  });
  const fee = input - pathAmount;
  const fees = fee > 0n ? SwapCalls.fee(chain, token, accounts.feeCollector.address, fee) : [];
  return {
    id: 'swap',
    description: describe(verb, terms),
    call: Calldata.multicall({
      chain,
      input: { token, amount: input },
      calls: [...fees, ...swap],
      refundTo: change,
      requestId,
      orderId: undefined,
    }),
    gas: GasLimits.multicall({ from: token, to: path.to, hops: path.route.length }),
    spender: { address: chain.contracts.approvalProxy, allowance: context.wallet.approvalProxyAllowance },
  };
}

function depositing({ destination }: Pick<PricedRequest, 'destination'>): string {
  return `Depositing funds to the relayer to execute the swap for ${destination.token.symbol}`;
}

function describe(verb: string, terms: EvmTerms): string {
  return `${verb} ${terms.origin.token.symbol} for ${terms.destination.token.symbol}`;
}

/** Approves the exact amount unless the allowance suffices. Some tokens require a reset to zero first. */
function approvalsFor(terms: EvmTerms, { input }: Pricing, spender: Main['spender']): readonly Calldata.Call[] {
  const { token } = terms.origin;
  if (!spender || isNative(token) || spender.allowance >= input) return [];
  const exact = Calldata.approve(token, spender.address, input);
  if (!token.needsZeroApproval || spender.allowance === 0n) return [exact];
  return [Calldata.approve(token, spender.address, 0n), exact];
}

function approvalStep(terms: EvmTerms, call: Calldata.Call, { requestId }: Context): Step.Step {
  return {
    id: 'approve',
    action,
    description: `Sign an approval for ${terms.origin.token.symbol}`,
    kind: 'transaction',
    items: [{ status: 'incomplete', data: transaction(terms, call, GasLimits.approve) }],
    requestId,
  };
}

/** The service states the gas of a token's transfer to a deposit address as a number, and of everything else as text. */
function lastTransaction(
  terms: EvmTerms,
  { call, gas }: Main,
  { depositAddress }: Context,
): NonNullable<Step.Item['data']> {
  const stated = transaction(terms, call, gas);
  return depositAddress && !isNative(terms.origin.token) ? { ...stated, gas: Number(gas) } : stated;
}

function transaction(terms: EvmTerms, { to, data, value }: Calldata.Call, gas: bigint): Step.EvmTransaction {
  const { chain } = terms.origin;
  return {
    from: terms.user,
    // Contract addresses are lower-cased, accounts echo the client's spelling.
    to: to === terms.recipient ? to : (to.toLowerCase() as Address),
    data,
    value: value.toString(),
    chainId: chain.id,
    gas: gas.toString(),
    maxFeePerGas: chain.maxFeePerGasWei.toString(),
    maxPriorityFeePerGas: chain.maxPriorityFeePerGasWei.toString(),
  };
}
