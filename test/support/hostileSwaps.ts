/** Router calldata in place of an honest swap's on the sandbox's alpha. */
import { decodeFunctionData, encodeFunctionData, type Hex, maxUint256 } from 'viem';
import * as Address from '../../src/core/base/Address.js';
import type { Call } from '../../src/core/ports/Ports.js';
import * as abi from '../../src/sandbox/values/abi.js';
import { deployments } from '../../src/sandbox/values/deployment.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { call, thief, token } from './hostileDeposits.js';
import type { Planned, Rest } from './purpose.js';

const { alpha } = deployments;
const { USDC, DAI } = alpha.tokens;
const { dev0, dev1, dev4, dev6 } = accounts;
const whole = 10n ** 18n;

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
    ['effect-output'],
  ],
  [
    'the router keeps what it got',
    ['100', 'alpha/usdc', 'alpha/dai'],
    (planned) => altered(planned, () => ({ calls: [] })),
    ['effect-output'],
  ],
  [
    'the swap gives less than the minimum',
    ['100', 'alpha/usdc', 'alpha/dai'],
    (planned) =>
      altered(planned, (args) => {
        const { calls = [] } = swapping(args, { minimum: 1n, amount: 90_000_000n });
        return { calls: [routerCall(token('transfer', USDC, thief, 9_900_000n)), ...calls] };
      }),
    ['effect-output'],
  ],
  [
    'the swap leaves an allowance over',
    ['100', 'alpha/usdc', 'alpha/dai'],
    ({ calls, purpose }) => ({ purpose, calls: [...calls, token('approve', USDC, alpha.approvalProxy, maxUint256)] }),
    ['effect-allowances'],
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
    ['effect-output'],
  ],
  [
    'a wrap gives nothing',
    ['1', 'alpha/eth', 'alpha/weth'],
    ({ purpose }) => ({ purpose, calls: [call(thief, '0x', whole)] }),
    ['effect-output'],
  ],
  [
    'a sum is sent to somebody else',
    ['1', 'alpha/dai', 'alpha/dai', { recipient: dev1.address }],
    ({ purpose }) => ({ purpose, calls: [token('transfer', DAI, thief, whole)] }),
    ['effect-output'],
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
    ['effect-balances'],
  ],
  [
    'more of the input that was allowed once goes along',
    { ...token('approve', USDC, alpha.approvalProxy, maxUint256), from: dev6.address },
    (planned) =>
      altered(planned, ({ amounts, calls }) => ({
        amounts: amounts.map((amount) => amount + 1n),
        calls: [...calls, routerCall(token('transfer', USDC, thief, 1n))],
      })),
    ['effect-input'],
  ],
];
