/** Plans of the sandbox's service on alpha, taken from its answers without the client, and hostile ones in their place. */
import { decodeFunctionData, encodeFunctionData, type Hex, maxUint256, toHex } from 'viem';
import * as Address from '../../src/core/base/Address.js';
import * as Amount from '../../src/core/base/Amount.js';
import type { Call } from '../../src/core/ports/Ports.js';
import type * as SimulatedEffect from '../../src/core/proof/SimulatedEffect.js';
import type { TradeType } from '../../src/core/quote/TransferIntent.js';
import * as abi from '../../src/sandbox/values/abi.js';
import { deployments } from '../../src/sandbox/values/deployment.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import type { TestSandbox } from './sandbox.js';
import { serviceAt } from './service.js';

const { alpha, beta } = deployments;
const { WETH, USDC, DAI, GULL } = alpha.tokens;
const { dev0, dev1, dev4, dev5, dev6 } = accounts;
const user = dev0.address;
export const thief = dev5.address;
const whole = 10n ** 18n;
const otherId = toHex(7, { size: 32 });

/** A call of dev0. */
function call(to: Address.Address, data: Hex, value = 0n): Call {
  return { from: user, to, data, value };
}

export function token(
  name: 'approve' | 'transfer',
  on: { address: Address.Address },
  to: Address.Address,
  amount: bigint,
): Call {
  return call(on.address, encodeFunctionData({ abi: abi.token, functionName: name, args: [to, amount] }));
}

const erc20 = (depositor: Address.Address, of: { address: Address.Address }, amount: bigint, orderId: Hex): Call =>
  call(
    alpha.depository,
    encodeFunctionData({
      abi: abi.depository,
      functionName: 'depositErc20',
      args: [depositor, of.address, amount, orderId],
    }),
  );
const native = (depositor: Address.Address, value: bigint, orderId: Hex): Call =>
  call(
    alpha.depository,
    encodeFunctionData({ abi: abi.depository, functionName: 'depositNative', args: [depositor, orderId] }),
    value,
  );
const amount = 100_000_000n;
const approve = (spent = amount): Call => token('approve', USDC, alpha.depository, spent);

/** A description, the transactions in place of the honest ones, and the checks that must fail. */
export type HostileDeposit = readonly [what: string, calls: (orderId: Hex) => Call[], mismatches: string[]];

/** In place of a deposit of 100 USDC. */
export const hostileDeposits: readonly HostileDeposit[] = [
  ['it is for another order', () => [approve(), erc20(user, USDC, amount, otherId)], ['deposit']],
  ["it is in somebody else's name", (id) => [approve(), erc20(thief, USDC, amount, id)], ['deposit']],
  ['it takes more', (id) => [approve(amount + 1n), erc20(user, USDC, amount + 1n, id)], ['deposit', 'input']],
  ['it takes less', (id) => [approve(amount - 1n), erc20(user, USDC, amount - 1n, id)], ['deposit', 'input']],
  [
    'it is of another token',
    (id) => [token('approve', DAI, alpha.depository, amount), erc20(user, DAI, amount, id)],
    ['deposit', 'input', 'balances'],
  ],
  ['it is of the native asset', (id) => [native(user, amount, id)], ['deposit', 'input', 'balances']],
  [
    'there are two of them',
    (id) => [approve(2n * amount), erc20(user, USDC, amount, id), erc20(user, USDC, amount, otherId)],
    ['deposit', 'input'],
  ],
  [
    'it is cut in two',
    (id) => [approve(), erc20(user, USDC, amount / 2n, id), erc20(user, USDC, amount / 2n, id)],
    ['deposit'],
  ],
  ['there is none', () => [token('transfer', USDC, alpha.depository, amount)], ['deposit']],
  ['the money goes elsewhere', () => [token('transfer', USDC, thief, amount)], ['deposit']],
  ['nothing happens', () => [], ['deposit', 'input']],
  ['the allowance is without limit', (id) => [approve(maxUint256), erc20(user, USDC, amount, id)], ['allowances']],
  [
    'the allowance is one unit too large',
    (id) => [approve(amount + 1n), erc20(user, USDC, amount, id)],
    ['allowances'],
  ],
  [
    'somebody else gets an allowance as well',
    (id) => [token('approve', USDC, thief, amount), approve(), erc20(user, USDC, amount, id)],
    ['allowances'],
  ],
  [
    'the other known spender gets one that it does not use up',
    (id) => [approve(), token('approve', USDC, alpha.approvalProxy, 1n), erc20(user, USDC, amount, id)],
    ['allowances'],
  ],
  [
    'a known spender gets an allowance for another token',
    (id) => [approve(), token('approve', GULL, alpha.depository, 1n), erc20(user, USDC, amount, id)],
    ['allowances'],
  ],
  [
    'another token is sent away as well',
    (id) => [approve(), token('transfer', DAI, thief, whole), erc20(user, USDC, amount, id)],
    ['balances'],
  ],
  [
    'the native asset is sent away as well',
    (id) => [approve(), call(thief, '0x', 1n), erc20(user, USDC, amount, id)],
    ['balances'],
  ],
  [
    'more of the input is sent away as well',
    (id) => [approve(), token('transfer', USDC, thief, 1n), erc20(user, USDC, amount, id)],
    ['input'],
  ],
  [
    'wrapped ether goes, of which no transfer is logged',
    (id) => [
      approve(),
      call(WETH.address, encodeFunctionData({ abi: abi.weth, functionName: 'deposit' }), 5n),
      call(WETH.address, encodeFunctionData({ abi: abi.weth, functionName: 'withdraw', args: [7n] })),
      erc20(user, USDC, amount, id),
    ],
    ['balances'],
  ],
];

/** In place of a deposit of one ether. */
export const hostileNativeDeposits: readonly HostileDeposit[] = [
  ['ether is deposited for another order', () => [native(user, whole, otherId)], ['deposit']],
  ["ether is deposited in somebody else's name", (orderId) => [native(thief, whole, orderId)], ['deposit']],
  ['more ether is deposited', (orderId) => [native(user, whole + 1n, orderId)], ['deposit', 'input']],
  [
    'ether is deposited twice',
    (orderId) => [native(user, whole, orderId), native(user, whole, orderId)],
    ['deposit', 'input'],
  ],
  ['ether goes elsewhere', () => [call(thief, '0x', whole)], ['deposit']],
  [
    'a token goes along with the ether',
    (orderId) => [native(user, whole, orderId), token('transfer', USDC, thief, 1n)],
    ['balances'],
  ],
];

type Args = {
  tokens: readonly Address.Address[];
  amounts: readonly bigint[];
  calls: readonly { target: Address.Address; allowFailure: boolean; value: bigint; callData: Hex }[];
};

/** The plan with the arguments of its last call, to the approval proxy, changed. */
function altered({ calls, purpose }: Planned, change: (args: Args) => Partial<Args>): Planned {
  const last = calls.at(-1) as Call;
  const { functionName, args } = decodeFunctionData({ abi: abi.approvalProxy, data: last.data });
  if (functionName !== 'transferAndMulticall') throw new Error('it goes through the approval proxy');
  const [tokens, amounts, inner, ...rest] = args;
  const asked = { tokens, amounts, calls: inner };
  const { tokens: on, amounts: of, calls: then } = { ...asked, ...change(asked) };
  const data = encodeFunctionData({ abi: abi.approvalProxy, functionName, args: [on, of, then, ...rest] });
  return { purpose, calls: [...calls.slice(0, -1), { ...last, data }] };
}

/** The router's swap by the aggregator, with another receiver, another minimum or another amount. */
function swapping({ calls }: Args, change: { to?: Address.Address; minimum?: bigint; amount?: bigint }): Partial<Args> {
  return {
    calls: calls.map((each) => {
      if (!Address.isEqual(each.target, alpha.aggregator)) return each;
      const [execution] = decodeFunctionData({ abi: abi.aggregationRouter, data: each.callData }).args;
      const via = decodeFunctionData({ abi: abi.swapExecutor, data: execution.targetData });
      const [wrapped, hops, unwraps, receiver] = via.args;
      const { desc } = execution;
      const to = change.to ?? receiver;
      const amount = change.amount ?? desc.amount;
      const args = [wrapped, hops, unwraps, to] as const;
      const swapped = {
        ...execution,
        targetData: encodeFunctionData({ abi: abi.swapExecutor, functionName: 'execute', args }),
        desc: {
          ...desc,
          dstReceiver: to,
          amount,
          srcAmounts: desc.srcAmounts.map(() => amount),
          minReturnAmount: change.minimum ?? desc.minReturnAmount,
        },
      };
      const callData = encodeFunctionData({ abi: abi.aggregationRouter, functionName: 'swap', args: [swapped] });
      return { ...each, callData };
    }),
  };
}

const routerCall = ({ to: target, data: callData, value }: Call): Args['calls'][number] => ({
  target,
  allowFailure: false,
  value,
  callData,
});

/** A description, the honest plan, its change, and the checks that must fail. */
export type HostilePayment = readonly [
  what: string,
  asked: readonly [amount: string, from: string, to: string, rest?: Rest],
  change: (planned: Planned) => Planned,
  mismatches: string[],
];

export const hostilePayments: readonly HostilePayment[] = [
  [
    'the router pays somebody else',
    ['100', 'alpha/usdc', 'alpha/dai'],
    (planned) => altered(planned, (args) => swapping(args, { to: thief })),
    ['output'],
  ],
  [
    'the router keeps what it got',
    ['100', 'alpha/usdc', 'alpha/dai'],
    (planned) => altered(planned, () => ({ calls: [] })),
    ['output'],
  ],
  [
    'the swap gives less than the minimum',
    ['100', 'alpha/usdc', 'alpha/dai'],
    (planned) =>
      altered(planned, (args) => {
        const { calls = [] } = swapping(args, { minimum: 1n, amount: 90_000_000n });
        return { calls: [routerCall(token('transfer', USDC, thief, 9_900_000n)), ...calls] };
      }),
    ['output'],
  ],
  [
    'the swap leaves an allowance over',
    ['100', 'alpha/usdc', 'alpha/dai'],
    ({ calls, purpose }) => ({ purpose, calls: [...calls, token('approve', USDC, alpha.approvalProxy, maxUint256)] }),
    ['allowances'],
  ],
  [
    'a swap of the native asset pays somebody else',
    ['1', 'alpha/eth', 'alpha/usdc'],
    ({ calls, purpose }) => {
      const last = calls.at(-1) as Call;
      const inner = [routerCall(call(thief, '0x', last.value))];
      const args = [inner, dev0.address, dev0.address, '0x'] as const;
      const data = encodeFunctionData({ abi: abi.router, functionName: 'multicall', args });
      return { purpose, calls: [{ ...last, data }] };
    },
    ['output'],
  ],
  [
    'a wrap gives nothing',
    ['1', 'alpha/eth', 'alpha/weth'],
    ({ purpose }) => ({ purpose, calls: [call(thief, '0x', whole)] }),
    ['output'],
  ],
  [
    'a sum is sent to somebody else',
    ['1', 'alpha/dai', 'alpha/dai', { recipient: dev1.address }],
    ({ purpose }) => ({ purpose, calls: [token('transfer', DAI, thief, whole)] }),
    ['output'],
  ],
];

/** A description, the existing allowance, the change of a swap of 100 USDC, and the checks that must fail. */
export type GreedySwap = readonly [
  what: string,
  before: Call,
  change: (planned: Planned) => Planned,
  mismatches: string[],
];

export const greedySwaps: readonly GreedySwap[] = [
  [
    'another token that was allowed once goes along',
    { ...token('approve', DAI, alpha.approvalProxy, whole), from: dev4.address },
    (planned) =>
      altered(planned, ({ tokens, amounts, calls }) => ({
        tokens: [...tokens, DAI.address],
        amounts: [...amounts, whole],
        calls: [...calls, routerCall(token('transfer', DAI, thief, whole))],
      })),
    ['balances'],
  ],
  [
    'more of the input that was allowed once goes along',
    { ...token('approve', USDC, alpha.approvalProxy, maxUint256), from: dev6.address },
    (planned) =>
      altered(planned, ({ amounts, calls }) => ({
        amounts: amounts.map((amount) => amount + 1n),
        calls: [...calls, routerCall(token('transfer', USDC, thief, 1n))],
      })),
    ['input'],
  ],
];

export type Planned = { calls: Call[]; purpose: SimulatedEffect.Purpose };
/** Options: by default, dev0 sends the whole amount to itself. */
export type Rest = { recipient?: Address.Address; user?: Address.Address; tradeType?: TradeType };

/** The transactions of a quote from the sandbox. */
export async function plannedOn(
  sandbox: TestSandbox,
  amount: string,
  from: string,
  to: string,
  rest: Rest = {},
): Promise<Planned> {
  const [origin, destination] = [currency(from), currency(to)];
  const { user: sender = accounts.dev0.address, recipient = sender, tradeType = 'EXACT_INPUT' } = rest;
  const { decimals } = tradeType === 'EXACT_INPUT' ? origin : destination;
  const { steps, details, protocol } = await serviceAt(sandbox.baseUrl).quote({
    user: sender,
    recipient,
    refundTo: sender,
    originChainId: origin.chainId,
    destinationChainId: destination.chainId,
    originCurrency: origin.address,
    destinationCurrency: destination.address,
    tradeType,
    amount: Amount.from(amount, decimals).toString(),
  });
  const orderId = protocol?.v2?.orderId as Hex | undefined;
  // A swap before the deposit yields the currency of the refund, and at least its minimum.
  const { currencyIn, refundCurrency } = details as typeof details & { refundCurrency?: typeof details.currencyIn };
  const isSwapped = refundCurrency && refundCurrency.currency.address !== currencyIn.currency.address;
  const deposited = isSwapped
    ? {
        token: refundCurrency.currency.address as Address.Address,
        minimum: BigInt(refundCurrency.minimumAmount ?? refundCurrency.amount),
      }
    : { token: origin.address, amount: BigInt(currencyIn.amount) };
  const calls = steps.flatMap(({ items }) => items.map(({ data }) => callOf(data as unknown as Wire)));
  return {
    calls,
    purpose: {
      user: sender,
      input: { token: origin.address, amount: BigInt(details.currencyIn.amount) },
      tradeType,
      currencies: [details.currencyIn, details.currencyOut]
        .map(({ currency }) => currency)
        .filter(({ chainId }) => chainId === origin.chainId),
      result: orderId
        ? {
            kind: 'deposit',
            depository: alpha.depository,
            orderId,
            ...deposited,
          }
        : {
            kind: 'payment',
            recipient,
            token: destination.address,
            minimum: BigInt(details.currencyOut.minimumAmount ?? details.currencyOut.amount),
          },
      spenders: [alpha.depository, alpha.approvalProxy],
    },
  };
}

type Wire = { from: Address.Address; to: Address.Address; data: Hex; value: string };

function callOf({ from, to, data, value }: Wire): Call {
  return { from, to, data, value: BigInt(value) };
}

function currency(text: string): { chainId: number; address: Address.Address; decimals: number } {
  const [chain = '', symbol = ''] = text.split('/');
  const { id: chainId, tokens } = chain === 'alpha' ? alpha : beta;
  if (symbol === 'eth') return { chainId, address: Address.native, decimals: 18 };
  return { chainId, ...tokens[symbol.toUpperCase() as keyof typeof tokens] };
}
