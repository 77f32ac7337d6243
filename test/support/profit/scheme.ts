/**
 * What a hostile service means by a quote, and the answer that says so. Every figure, the order, its id, the solver's
 * signature and the calldata follow from the scheme, so that all of them agree.
 */
import { encodeAbiParameters, encodeFunctionData, formatUnits, type Hex, maxUint256, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { type Address, native } from '../../../src/core/base/Address.js';
import type { TradeType } from '../../../src/core/quote/TransferIntent.js';
import * as OrderId from '../../../src/sandbox/quote/OrderId.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import * as market from '../market.js';
import * as routerCalldata from '../routerCalldata.js';
import { thief, trap, trapAbi } from './modelLedger.js';
import {
  amountOf,
  type ChainName,
  chainId,
  contracts,
  isSameAsset,
  type ModelToken,
  token,
  worth,
} from './modelTokens.js';

/** What the user asks for. */
export type Asked = {
  from: ModelToken;
  to: ModelToken;
  tradeType: TradeType;
  /** Base units of what the trade type fixes. */
  amount: bigint;
  recipient: Address;
  gasless?: 'permit' | undefined;
  /** The user's limits, in basis points. */
  slippageBps: number | undefined;
  maxImpactBps: number;
};

/** Somebody who is paid, refunded or named. */
export type Party =
  | 'user'
  | 'recipient'
  | 'thief'
  | 'router'
  | 'depository'
  | 'proxy'
  | 'aggregator'
  | 'trap'
  | 'solver';

/** Of an amount: basis points of what the input is worth, everything that is there, or a crumb of it. */
export type Share = number | 'all' | 'crumb';

/** A call that the router makes. */
export type CallScheme = { mayFail?: boolean } & (
  | { does: 'approve'; token: ModelToken; spender: Party; share: Share }
  | { does: 'transfer' | 'clean up'; token: ModelToken; to: Party; share: Share }
  | { does: 'pay'; to: Party; share: Share }
  | { does: 'wrap' | 'unwrap'; share: Share }
  | {
      does: 'swap';
      by: 'KyberSwap' | '0x';
      from: ModelToken;
      to: ModelToken;
      /** What is taken, and the least that is paid. */
      share: Share;
      least: Share;
      receiver: Party;
      /** What the executor is handed; the rest goes to a thief. */
      handed: Share;
      flags: bigint;
      fee: Share | undefined;
    }
  | { does: 'deposit'; token: ModelToken; depositor: Party; share: Share; at: Party; order: 'this' | 'another' }
  | { does: 'call a trap'; paid: ModelToken; had: ModelToken; share: Share }
);

export type RefundScheme = { token: ModelToken; to: Party; minimum: Share; days: number };
export type PaymentScheme = { token: ModelToken; to: Party; minimum: Share };

/** What a quote does, and says that it does. Shares are of what the input is worth. */
export type Scheme = {
  asked: Asked;
  /** Stated to arrive, and the least of it. */
  output: number;
  minimum: number;
  /** What the input is stated to be swapped to on the origin, which the order is paid in. */
  swap: { token: ModelToken; share: Share; minimum: Share } | undefined;
  /** What the solver is stated to swap on the destination. */
  startsFrom: ModelToken | undefined;
  /** Made by the router; none if the input is deposited as it is. */
  calls: CallScheme[];
  leftoversTo: Party;
  approves: { spender: Party; share: Share } | undefined;
  /** Of a deposit without the router. */
  deposit: { depositor: Party; share: Share; order: 'this' | 'another'; at: Party };
  /** Payments of the order beside the recipient's, and calls of it. */
  payments: PaymentScheme[];
  paysTo: Party;
  orderCalls: number;
  refunds: RefundScheme[];
  days: number;
  /** Of a permit. */
  permit: { to: Party; share: Share; nonce: 'bound' | 'free'; seconds: number };
  /** More transactions of the user's, before the payment. */
  steps: CallScheme[];
};

const user = market.user;

/** What an honest service would quote. */
export function honest(asked: Asked): Scheme {
  const { from, to } = asked;
  const isOnOneChain = from.chain === to.chain;
  const isNative = from.address === native;
  const usdc = token(from.chain, 'USDC');
  const swapsFirst = !isOnOneChain && from.symbol === 'GULL';
  const there = isOnOneChain ? undefined : swapsFirst ? token('beta', 'USDC') : sameOn(to.chain, from);
  const paid = swapsFirst ? usdc : from;
  const swap = { by: 'KyberSwap', handed: 'all', flags: 0x200n, fee: undefined, receiver: 'router' } as const;
  const approval: CallScheme = { does: 'approve', token: from, spender: 'aggregator', share: 'all' };
  return {
    asked,
    output: 9_970,
    minimum: asked.tradeType === 'EXACT_OUTPUT' ? 9_970 : 9_771,
    swap: swapsFirst ? { token: usdc, share: 9_990, minimum: 9_791 } : undefined,
    startsFrom: there && there.address !== to.address ? there : undefined,
    calls: swapsFirst
      ? [
          approval,
          { does: 'swap', ...swap, from, to: usdc, share: 'all', least: 9_791 },
          { does: 'deposit', token: usdc, depositor: 'user', share: 'all', at: 'depository', order: 'this' },
        ]
      : isOnOneChain
        ? [
            ...(isNative ? [] : [approval]),
            { does: 'swap', ...swap, from, to, share: 'all', least: 9_771, receiver: 'recipient' },
          ]
        : [],
    leftoversTo: 'user',
    approves:
      isNative || asked.gasless
        ? undefined
        : { spender: swapsFirst || isOnOneChain ? 'proxy' : 'depository', share: 'all' },
    deposit: { depositor: 'user', share: 'all', order: 'this', at: 'depository' },
    payments: [],
    paysTo: 'recipient',
    orderCalls: 0,
    refunds: isOnOneChain
      ? []
      : [
          { token: paid, to: 'user', minimum: 0, days: 7 },
          { token: there ?? to, to: 'recipient', minimum: 0, days: 7 },
        ],
    days: 7,
    permit: { to: 'proxy', share: 'all', nonce: 'bound', seconds: 600 },
    steps: [],
  };
}

/** The same token on another chain. */
function sameOn(chain: ChainName, { symbol }: ModelToken): ModelToken {
  return token(chain, symbol);
}

/** A scheme as a quote, and what is needed to value it. */
export type Composed = {
  answer: unknown;
  asked: Asked;
  orderId: Hex | undefined;
  input: bigint;
  minimum: bigint;
  /** Millionths of a dollar. */
  inputUsd: bigint;
  deposited: ModelToken;
};

const { signMessage } = privateKeyToAccount(accounts.solver.privateKey);

/** Composes the answer to the user's request. */
export async function compose(scheme: Scheme, nowMs: number): Promise<Composed> {
  const { asked } = scheme;
  const { from, to, tradeType } = asked;
  const isOutput = tradeType !== 'EXACT_INPUT';
  const input = isOutput
    ? amountOf(from, (worth(to, asked.amount) * 10_000n) / BigInt(Math.max(1, scheme.output)))
    : asked.amount;
  const inputUsd = worth(from, input);
  const output = isOutput ? asked.amount : amountOf(to, (inputUsd * BigInt(scheme.output)) / 10_000n);
  const exact = tradeType === 'EXACT_OUTPUT' && scheme.minimum === scheme.output;
  const minimum = exact ? output : amountOf(to, (inputUsd * BigInt(scheme.minimum)) / 10_000n);
  const requestId = toHex((1_790_000_000n << 128n) + 1n, { size: 32 });
  const salt = toHex(2n, { size: 32 });
  const share = (of: ModelToken, part: Share): bigint => {
    if (part === 'crumb') return 1n;
    if (part === 'all') return of.address === from.address && of.chain === from.chain ? input : amountOf(of, inputUsd);
    return amountOf(of, (inputUsd * BigInt(part)) / 10_000n);
  };
  const paid = scheme.swap
    ? { token: scheme.swap.token, amount: share(scheme.swap.token, scheme.swap.share) }
    : { token: from, amount: input };
  const isOnOneChain = from.chain === to.chain;
  const known = { scheme, share, input };
  const orderData = isOnOneChain ? undefined : orderOf(known, { salt, nowMs, output, minimum, paid });
  const orderId = orderData && OrderId.from(orderData as never);
  const said = { output, minimum, input, inputUsd, paid, requestId, orderId };
  const signature = orderId && (await signMessage({ message: { raw: orderId } }));
  const { depository } = contracts(from.chain);
  const answer = {
    requestId,
    steps: stepsOf(known, { requestId, orderId, nowMs }),
    fees: { gas: amountText(token(from.chain, 'ETH'), 675_000_000_000n) },
    details: detailsOf(known, said),
    ...(orderData
      ? {
          protocol: {
            v2: {
              orderId,
              orderData,
              orderSignature: signature,
              paymentDetails: {
                chainId: from.chain,
                depository,
                currency: paid.token.address,
                amount: String(paid.amount),
              },
            },
          },
        }
      : {}),
  };
  return { answer, asked, orderId, input, minimum, inputUsd, deposited: paid.token };
}

type Known = { scheme: Scheme; share(of: ModelToken, part: Share): bigint; input: bigint };

function addressOf(party: Party, on: ChainName, { recipient }: Asked): Address {
  const { router, depository, approvalProxy, aggregator } = contracts(on);
  const all: Record<Party, Address> = {
    ...{ user, recipient, thief, router, depository, aggregator, trap },
    ...{ proxy: approvalProxy, solver: market.solver },
  };
  return all[party];
}

function orderOf(
  { scheme, share }: Known,
  said: { salt: Hex; nowMs: number; output: bigint; minimum: bigint; paid: { token: ModelToken; amount: bigint } },
) {
  const { asked, refunds, payments } = scheme;
  const seconds = (days: number): number => Math.floor(said.nowMs / 1000) + days * 24 * 3600;
  const extraData = (chain: ChainName): Hex => encodeAbiParameters([{ type: 'address' }], [contracts(chain).router]);
  const on = asked.to.chain;
  return {
    version: 'v1',
    solverChainId: 'alpha',
    solver: market.solver.toLowerCase(),
    salt: said.salt,
    inputs: [
      {
        payment: {
          chainId: asked.from.chain,
          currency: said.paid.token.address,
          amount: String(said.paid.amount),
          weight: '1',
        },
        refunds: refunds.map((refund) => ({
          chainId: refund.token.chain,
          recipient: addressOf(refund.to, refund.token.chain, asked),
          currency: refund.token.address,
          minimumAmount: String(share(refund.token, refund.minimum)),
          deadline: seconds(refund.days),
          extraData: extraData(refund.token.chain),
        })),
      },
    ],
    output: {
      chainId: on,
      payments: [
        {
          recipient: addressOf(scheme.paysTo, on, asked),
          currency: asked.to.address,
          minimumAmount: String(said.minimum),
          expectedAmount: String(said.output),
        },
        ...payments.map((payment) => ({
          recipient: addressOf(payment.to, on, asked),
          currency: payment.token.address,
          minimumAmount: String(share(payment.token, payment.minimum)),
          expectedAmount: String(share(payment.token, payment.minimum)),
        })),
      ],
      calls: Array.from({ length: scheme.orderCalls }, () => '0x1234'),
      deadline: seconds(scheme.days),
      extraData: extraData(on),
    },
    fees: [],
  };
}

function detailsOf(
  { scheme, share }: Known,
  said: { output: bigint; minimum: bigint; input: bigint; inputUsd: bigint; requestId: Hex },
) {
  const { asked, swap, startsFrom } = scheme;
  const { from, to } = asked;
  const outputUsd = (said.inputUsd * BigInt(scheme.output)) / 10_000n;
  const impact = usd(outputUsd - said.inputUsd);
  const currencyIn = amountText(from, said.input, said.input, said.inputUsd);
  const currencyOut = amountText(to, said.output, said.minimum, outputUsd);
  const yielded =
    swap && amountText(swap.token, share(swap.token, swap.share), share(swap.token, swap.minimum), said.inputUsd);
  const start = startsFrom && amountText(startsFrom, share(startsFrom, scheme.output));
  return {
    operation: 'swap',
    sender: user,
    recipient: asked.recipient,
    currencyIn,
    currencyOut,
    totalImpact: { usd: impact, percent: ((Number(scheme.output) - 10_000) / 100).toFixed(2) },
    swapImpact: { usd: impact, percent: '0' },
    expandedPriceImpact: {
      swap: { usd: impact },
      ...{ execution: { usd: '0' }, relay: { usd: '0' }, app: { usd: '0' }, sponsored: { usd: '0' } },
    },
    rate: String(Number(formatUnits(said.output, to.decimals)) / Number(formatUnits(said.input, from.decimals))),
    timeEstimate: 2,
    userBalance: '0',
    route: {
      origin: { inputCurrency: currencyIn, outputCurrency: yielded ?? currencyIn, router: 'relay' },
      destination: { inputCurrency: start ?? currencyOut, outputCurrency: currencyOut, router: 'relay' },
    },
  };
}

function amountText(of: ModelToken, amount: bigint, minimum = amount, usdOf = worth(of, amount)) {
  const { address, symbol, decimals } = of;
  return {
    currency: {
      chainId: chainId(of.chain),
      ...{ address, symbol, name: symbol, decimals },
      metadata: { logoURI: '', verified: true, isNative: address === native },
    },
    amount: String(amount),
    amountFormatted: formatUnits(amount, decimals),
    amountUsd: usd(usdOf),
    minimumAmount: String(minimum),
  };
}

function usd(millionths: bigint): string {
  return formatUnits(millionths, 6);
}

function stepsOf(known: Known, ids: { requestId: Hex; orderId: Hex | undefined; nowMs: number }): unknown[] {
  const { scheme, share, input } = known;
  const { asked, approves, calls } = scheme;
  const { from } = asked;
  const check = { endpoint: `/intents/status/v3?requestId=${ids.requestId}`, method: 'GET' };
  const step = (id: string, kind: string, data: unknown) => ({
    ...{ id, kind, action: 'Confirm transaction in your wallet', description: `${id} ${from.symbol}` },
    requestId: ids.requestId,
    items: [{ status: 'incomplete', data, ...(id === 'approve' ? {} : { check }) }],
  });
  const sent = ({ target, callData, value }: routerCalldata.Call, gas: string) => ({
    ...{ from: user, to: target, data: callData, value: String(value), chainId: chainId(from.chain), gas },
    ...{ maxFeePerGas: '3000000', maxPriorityFeePerGas: '1000000' },
  });
  if (asked.gasless) return [step('authorize1', 'signature', permitOf(known, ids))];
  const approval = approves
    ? [
        step(
          'approve',
          'transaction',
          sent(
            routerCalldata.approve(
              from.address,
              addressOf(approves.spender, from.chain, asked),
              approves.share === 'crumb' ? maxUint256 : share(from, approves.share),
            ),
            '60000',
          ),
        ),
      ]
    : [];
  const more = scheme.steps.map((each) => step('more', 'transaction', sent(callOf(each, known, ids), '60000')));
  const isNative = from.address === native;
  const payment =
    calls.length > 0
      ? routerCalldata.call(
          isNative ? contracts(from.chain).router : contracts(from.chain).approvalProxy,
          routerCalldata.encode({
            tokens: isNative ? undefined : [from.address],
            amounts: [input],
            calls: calls.map((each) => callOf(each, known, ids)),
            refundTo: addressOf(scheme.leftoversTo, from.chain, asked),
            nftRecipient: addressOf(scheme.leftoversTo, from.chain, asked),
            metadata: '0x',
            suffix: ids.orderId ?? ids.requestId,
          }),
          isNative ? input : 0n,
        )
      : depositOf(known, ids);
  return [
    ...approval,
    ...more,
    step(calls.length > 0 && !ids.orderId ? 'swap' : 'deposit', 'transaction', sent(payment, '390000')),
  ];
}

function depositOf({ scheme: { asked, deposit }, share }: Known, { orderId }: { orderId: Hex | undefined }) {
  const { from } = asked;
  const id = deposit.order === 'this' && orderId ? orderId : toHex(7, { size: 32 });
  const depositor = addressOf(deposit.depositor, from.chain, asked);
  const at = addressOf(deposit.at, from.chain, asked);
  const amount = share(from, deposit.share);
  if (from.address === native) {
    const args = [depositor, id] as const;
    return routerCalldata.call(at, routerCalldata.encoded('depositNative', ...args), amount);
  }
  const args = [depositor, from.address, amount, id] as const;
  const { ofAmount } = routerCalldata.deposits;
  return routerCalldata.call(at, encodeFunctionData({ abi: ofAmount, functionName: 'depositErc20', args }));
}

/** A call as the router makes it. */
function callOf(
  made: CallScheme,
  { scheme, share }: Known,
  { orderId }: { orderId: Hex | undefined },
): routerCalldata.Call {
  const { asked } = scheme;
  const on = asked.from.chain;
  const at = (party: Party): Address => addressOf(party, on, asked);
  const whole = (of: ModelToken, part: Share): bigint => (part === 'all' ? 0n : share(of, part));
  const eth = token(on, 'ETH');
  const { router, wrapped } = contracts(on);
  const encoded = (): routerCalldata.Call => {
    switch (made.does) {
      case 'approve':
        return routerCalldata.approve(made.token.address, at(made.spender), share(made.token, made.share));
      case 'transfer': {
        const args = [at(made.to), share(made.token, made.share)] as const;
        return routerCalldata.call(made.token.address, routerCalldata.encoded('transfer', ...args));
      }
      case 'clean up': {
        const amount = whole(made.token, made.share);
        const data =
          made.token.address === native
            ? routerCalldata.encoded('cleanupNative', amount, at(made.to), '0x')
            : routerCalldata.encoded('cleanupErc20s', [made.token.address], [at(made.to)], [amount], '0x');
        return routerCalldata.call(router, data);
      }
      case 'pay':
        return routerCalldata.call(at(made.to), '0x', share(eth, made.share));
      case 'wrap':
        return routerCalldata.call(wrapped, '0xd0e30db0', share(eth, made.share));
      case 'unwrap': {
        const args = [share(eth, made.share)] as const;
        return routerCalldata.call(wrapped, routerCalldata.encoded('withdraw', ...args));
      }
      case 'swap':
        return swapOf(made, share, at);
      case 'deposit':
        return routerCalldata.depositAll(
          {
            router,
            depository: at(made.at),
            depositor: at(made.depositor),
            token: made.token.address,
            id: made.order === 'this' && orderId ? orderId : toHex(7, { size: 32 }),
          },
          whole(made.token, made.share),
        );
      case 'call a trap': {
        const args = [made.paid.address, made.had.address, share(made.had, made.share)] as const;
        return routerCalldata.call(trap, encodeFunctionData({ abi: trapAbi, functionName: 'spend', args }));
      }
    }
  };
  return { ...encoded(), allowFailure: made.mayFail ?? false };
}

function swapOf(made: CallScheme & { does: 'swap' }, share: Known['share'], at: (party: Party) => Address) {
  const { from, to } = made;
  const amount = share(from, made.share);
  const minimum = share(to, made.least);
  const receiver = at(made.receiver);
  if (made.by === '0x')
    return routerCalldata.viaZeroEx({ from: from.address, to: to.address, amount, minimum, receiver }, trap);
  const { aggregator, swapExecutor } = contracts(from.chain);
  const handed = made.handed === 'all' ? amount : share(from, made.handed);
  const alias: Address = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';
  const isNative = from.address === native;
  const rest = amount - handed;
  const named = (of: ModelToken): Address => (of.address === native ? alias : of.address);
  const desc = {
    srcToken: named(from),
    dstToken: named(to),
    srcReceivers: isNative ? [] : rest > 0n ? [thief, swapExecutor] : [swapExecutor],
    srcAmounts: isNative ? [] : rest > 0n ? [rest, handed] : [handed],
    feeReceivers: made.fee === undefined ? [] : [thief],
    feeAmounts: made.fee === undefined ? [] : [share(from, made.fee)],
    dstReceiver: receiver,
    amount,
    minReturnAmount: minimum,
    flags: made.flags,
    permit: '0x' as const,
  };
  const execution = {
    callTarget: swapExecutor,
    approveTarget: native,
    targetData: '0x1234' as const,
    desc,
    clientData: '0x7b7d' as const,
  };
  const data = routerCalldata.encoded('swap', execution);
  return routerCalldata.call(aggregator, data, isNative ? amount : 0n);
}

function permitOf(
  { scheme, share }: Known,
  { requestId, orderId, nowMs }: { requestId: Hex; orderId: Hex | undefined; nowMs: number },
) {
  const { asked, permit, deposit } = scheme;
  const { from } = asked;
  const { router } = contracts(from.chain);
  const { solver, relayer } = accounts;
  const depositing = routerCalldata.depositAll({
    router,
    depository: addressOf(deposit.at, from.chain, asked),
    depositor: addressOf(deposit.depositor, from.chain, asked),
    token: from.address,
    id: deposit.order === 'this' && orderId ? orderId : toHex(7, { size: 32 }),
  });
  const nonce =
    permit.nonce === 'free'
      ? toHex(9, { size: 32 })
      : routerCalldata.witnessHash({
          relayer: relayer.address,
          refundTo: solver.address,
          nftRecipient: solver.address,
          metadata: routerCalldata.metadataOf(requestId),
          calls: [depositing],
        });
  const field = (name: string, type: string) => ({ name, type });
  return {
    sign: {
      signatureKind: 'eip712',
      domain: { name: 'USD Coin', version: '2', chainId: chainId(from.chain), verifyingContract: from.address },
      types: {
        ReceiveWithAuthorization: [
          ...[field('from', 'address'), field('to', 'address'), field('value', 'uint256')],
          ...[field('validAfter', 'uint256'), field('validBefore', 'uint256'), field('nonce', 'bytes32')],
        ],
      },
      primaryType: 'ReceiveWithAuthorization',
      value: {
        from: user,
        to: addressOf(permit.to, from.chain, asked),
        value: String(share(from, permit.share)),
        validAfter: 0,
        validBefore: Math.floor(nowMs / 1000) + permit.seconds,
        nonce,
      },
    },
    post: { endpoint: '/execute/permits', method: 'POST', body: { kind: 'eip3009', requestId, api: 'swap' } },
  };
}

/** Whether a refund in a token gives back what was deposited: the same asset, or what was asked for. */
export function isRefund(refund: ModelToken, deposited: ModelToken, asked: Asked): boolean {
  return isSameAsset(refund, deposited) || isSameAsset(refund, asked.to);
}
