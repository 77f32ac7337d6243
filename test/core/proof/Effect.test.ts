import { decodeFunctionData, encodeFunctionData, type Hex, maxUint256, pad, toEventSelector, toHex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as Address from '../../../src/core/Address.js';
import type { Call, Change, Log, Simulation } from '../../../src/core/Ports.js';
import * as Effect from '../../../src/core/proof/Effect.js';
import type { Finding } from '../../../src/core/proof/Finding.js';
import * as abi from '../../../src/sandbox/abi.js';
import { accounts } from '../../../src/sandbox/accounts.js';
import { deployments } from '../../../src/sandbox/deployment.js';
import { failure } from '../../support/failures.js';
import { json } from '../../support/loopback.js';
import { ask, chainAt, inFrontOf, methodOf, receiptAt } from '../../support/node.js';
import { type Planned, plannedOn, type Rest } from '../../support/purpose.js';
import { startSandbox, type TestSandbox } from '../../support/sandbox.js';

const { alpha } = deployments;
const { WETH, USDC, USDT, DAI, GULL } = alpha.tokens;
const user = accounts.dev0.address;
const thief = accounts.dev5.address;
const elsewhere = accounts.dev1.address;
const otherId = toHex(7, { size: 32 });
const whole = 10n ** 18n;

let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

const plan = (amount: string, from: string, to: string, rest: Rest = {}): Promise<Planned> =>
  plannedOn(sandbox, amount, from, to, rest);

async function findings({ calls, purpose }: Planned): Promise<Finding[]> {
  return Effect.check(purpose, await Effect.observe(calls, purpose, chainAt(sandbox.rpcUrls.alpha)));
}

async function verdicts(planned: Planned): Promise<Record<string, string>> {
  return Object.fromEntries((await findings(planned)).map(({ check, verdict }) => [check, verdict]));
}

/** The checks that do not hold. */
async function mismatches(planned: Planned): Promise<string[]> {
  return (await findings(planned)).filter(({ verdict }) => verdict === 'mismatch').map(({ check }) => check);
}

const depositVerified = {
  'effect-success': 'verified',
  'effect-deposit': 'verified',
  'effect-input': 'verified',
  'effect-balances': 'verified',
  'effect-allowances': 'verified',
};
const paymentVerified = {
  'effect-success': 'verified',
  'effect-input': 'verified',
  'effect-output': 'verified',
  'effect-balances': 'verified',
  'effect-allowances': 'verified',
};

const token = (name: 'approve' | 'transfer', on: { address: Address.Address }, to: Address.Address, amount: bigint) =>
  call(on.address, encodeFunctionData({ abi: abi.token, functionName: name, args: [to, amount] }));

function call(to: Address.Address, data: Hex, value = 0n, from: Address.Address = user): Call {
  return { from, to, data, value };
}

function poolOf(of: { address: Address.Address }): Address.Address {
  const pool = alpha.pools.find(({ token0 }) => Address.isEqual(token0, of.address));
  if (!pool) throw new Error('there is no pool of it');
  return pool.address;
}

/** Sends a call of a development account for good. */
async function send({ from, to, data, value }: Call): Promise<void> {
  const { alpha: rpcUrl } = sandbox.rpcUrls;
  const hash = await ask(rpcUrl, 'eth_sendTransaction', { from, to, data, value: toHex(value) });
  await receiptAt(rpcUrl, hash as Hex);
}

describe('check', () => {
  test.each([
    ['a token is bridged', '100', 'alpha/usdc', 'beta/usdc'],
    ['the native asset is bridged', '1', 'alpha/eth', 'beta/usdc'],
    ['a token is bridged into another', '25', 'alpha/usdt', 'beta/gull'],
  ])('default: %s', async (_, amount, from, to) => {
    expect(await verdicts(await plan(amount, from, to))).toEqual(depositVerified);
  });

  test.each([
    ['a token is swapped for another', '100', 'alpha/usdc', 'alpha/dai', {}],
    ['by way of a third one', '100', 'alpha/gull', 'alpha/dai', {}],
    ['for somebody else', '100', 'alpha/usdc', 'alpha/dai', { recipient: elsewhere }],
    ['the native asset is swapped', '1', 'alpha/eth', 'alpha/usdc', {}],
    ['the native asset is swapped for somebody else', '1', 'alpha/eth', 'alpha/usdt', { recipient: elsewhere }],
    ['a token is swapped for the native asset', '100', 'alpha/usdc', 'alpha/eth', {}],
    ['and that for somebody else', '100', 'alpha/usdc', 'alpha/eth', { recipient: elsewhere }],
    ['the native asset is wrapped', '1', 'alpha/eth', 'alpha/weth', {}],
    ['wrapped for somebody else', '1', 'alpha/eth', 'alpha/weth', { recipient: elsewhere }],
    ['unwrapped', '1', 'alpha/weth', 'alpha/eth', {}],
    ['unwrapped for somebody else', '1', 'alpha/weth', 'alpha/eth', { recipient: elsewhere }],
    ['a token is sent', '1', 'alpha/dai', 'alpha/dai', { recipient: elsewhere }],
    ['the native asset is sent', '1', 'alpha/eth', 'alpha/eth', { recipient: elsewhere }],
    [
      'an account without any gas sends a token',
      '1',
      'alpha/dai',
      'alpha/dai',
      { user: accounts.dev9.address, recipient: elsewhere },
    ],
  ])('default: %s', async (_, amount, from, to, rest) => {
    expect(await verdicts(await plan(amount, from, to, rest))).toEqual(paymentVerified);
  });

  test.each([
    ['of a token', 'alpha/usdc', 'alpha/dai', {}],
    ['of the native asset', 'alpha/eth', 'alpha/usdc', {}],
    ['into the native asset', 'alpha/usdc', 'alpha/eth', {}],
  ])('default: an exact output %s', async (_, from, to, rest) => {
    const planned = await plan('0.5', from, to, { ...rest, tradeType: 'EXACT_OUTPUT' });
    expect(await verdicts(planned)).toEqual(paymentVerified);
  });

  test('behavior: what an exact output leaves over comes back to the user', async () => {
    const { calls, purpose } = await plan('5', 'alpha/usdc', 'alpha/dai', { tradeType: 'EXACT_OUTPUT' });
    // More DAI in the pool makes it cheaper than it was quoted.
    await send(token('transfer', DAI, poolOf(DAI), 1_000n * 10n ** 18n));
    const [spent] = (await findings({ calls, purpose })).filter(({ check }) => check === 'effect-input');
    expect(BigInt(spent?.found ?? 0)).toBeLessThan(purpose.input.amount);
    expect(await mismatches({ calls, purpose: { ...purpose, tradeType: 'EXACT_INPUT' } })).toEqual(['effect-input']);
  });

  test('behavior: an allowance from before is reset, then used up', async () => {
    const { address } = accounts.dev2;
    await send({ ...token('approve', USDT, alpha.depository, 5n), from: address });
    const planned = await plan('100', 'alpha/usdt', 'beta/usdt', { user: address });
    expect(planned.calls).toHaveLength(3);
    expect(await verdicts(planned)).toEqual(depositVerified);
  });

  test('behavior: an allowance from before may stay', async () => {
    const { address } = accounts.dev3;
    await send({ ...token('approve', USDC, alpha.depository, maxUint256), from: address });
    const planned = await plan('100', 'alpha/usdc', 'beta/usdc', { user: address });
    expect(planned.calls).toHaveLength(1);
    expect(await verdicts(planned)).toEqual(depositVerified);
  });

  test('behavior: the evidence names the order, the amounts and the accounts', async () => {
    const { calls, purpose } = await plan('100', 'alpha/usdc', 'beta/usdc');
    const orderId = purpose.result.kind === 'deposit' ? purpose.result.orderId : '';
    const found = await findings({ calls, purpose });
    const deposit = `100000000 of ${USDC.address} from ${user} for order ${orderId}`;
    expect(found.map(({ check, expected, found: evidence }) => [check, expected, evidence])).toEqual([
      ['effect-success', 'every transaction succeeds', '2 of 2 succeed'],
      ['effect-deposit', deposit, deposit],
      ['effect-input', `exactly 100000000 of ${USDC.address} leaves ${user}`, '100000000'],
      ['effect-balances', 'no other balance of the user falls', 'none falls'],
      ['effect-allowances', 'no further allowance of the user', 'none'],
    ]);
  });

  test('behavior: without a simulation the effect cannot be verified', async () => {
    const { purpose } = await plan('100', 'alpha/usdc', 'beta/usdc');
    expect(Effect.check(purpose, undefined)).toMatchObject([{ check: 'effect', verdict: 'cannot verify' }]);
  });

  describe('of a deposit', () => {
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

    type Hostile = readonly [what: string, calls: (orderId: Hex) => Call[], mismatches: string[]];
    const hostile: readonly Hostile[] = [
      ['it is for another order', () => [approve(), erc20(user, USDC, amount, otherId)], ['effect-deposit']],
      ["it is in somebody else's name", (id) => [approve(), erc20(thief, USDC, amount, id)], ['effect-deposit']],
      [
        'it takes more',
        (id) => [approve(amount + 1n), erc20(user, USDC, amount + 1n, id)],
        ['effect-deposit', 'effect-input'],
      ],
      [
        'it takes less',
        (id) => [approve(amount - 1n), erc20(user, USDC, amount - 1n, id)],
        ['effect-deposit', 'effect-input'],
      ],
      [
        'it is of another token',
        (id) => [token('approve', DAI, alpha.depository, amount), erc20(user, DAI, amount, id)],
        ['effect-deposit', 'effect-input', 'effect-balances'],
      ],
      [
        'it is of the native asset',
        (id) => [native(user, amount, id)],
        ['effect-deposit', 'effect-input', 'effect-balances'],
      ],
      [
        'there are two of them',
        (id) => [approve(2n * amount), erc20(user, USDC, amount, id), erc20(user, USDC, amount, otherId)],
        ['effect-deposit', 'effect-input'],
      ],
      [
        'it is cut in two',
        (id) => [approve(), erc20(user, USDC, amount / 2n, id), erc20(user, USDC, amount / 2n, id)],
        ['effect-deposit'],
      ],
      ['there is none', () => [token('transfer', USDC, alpha.depository, amount)], ['effect-deposit']],
      ['the money goes elsewhere', () => [token('transfer', USDC, thief, amount)], ['effect-deposit']],
      ['nothing happens', () => [], ['effect-deposit', 'effect-input']],
      [
        'the allowance is without limit',
        (id) => [approve(maxUint256), erc20(user, USDC, amount, id)],
        ['effect-allowances'],
      ],
      [
        'the allowance is one unit too large',
        (id) => [approve(amount + 1n), erc20(user, USDC, amount, id)],
        ['effect-allowances'],
      ],
      [
        'somebody else gets an allowance as well',
        (id) => [token('approve', USDC, thief, amount), approve(), erc20(user, USDC, amount, id)],
        ['effect-allowances'],
      ],
      [
        'the other known spender gets one that it does not use up',
        (id) => [approve(), token('approve', USDC, alpha.approvalProxy, 1n), erc20(user, USDC, amount, id)],
        ['effect-allowances'],
      ],
      [
        'a known spender gets an allowance for another token',
        (id) => [approve(), token('approve', GULL, alpha.depository, 1n), erc20(user, USDC, amount, id)],
        ['effect-allowances'],
      ],
      [
        'another token is sent away as well',
        (id) => [approve(), token('transfer', DAI, thief, whole), erc20(user, USDC, amount, id)],
        ['effect-balances'],
      ],
      [
        'the native asset is sent away as well',
        (id) => [approve(), call(thief, '0x', 1n), erc20(user, USDC, amount, id)],
        ['effect-balances'],
      ],
      [
        'more of the input is sent away as well',
        (id) => [approve(), token('transfer', USDC, thief, 1n), erc20(user, USDC, amount, id)],
        ['effect-input'],
      ],
      [
        'wrapped ether goes, of which no transfer is logged',
        (id) => [
          approve(),
          call(WETH.address, encodeFunctionData({ abi: abi.weth, functionName: 'deposit' }), 5n),
          call(WETH.address, encodeFunctionData({ abi: abi.weth, functionName: 'withdraw', args: [7n] })),
          erc20(user, USDC, amount, id),
        ],
        ['effect-balances'],
      ],
    ];

    test.each(hostile)('error: %s', async (_, calls, expected) => {
      const { purpose } = await plan('100', 'alpha/usdc', 'beta/usdc');
      if (purpose.result.kind !== 'deposit') throw new Error('it is a deposit');
      expect(await mismatches({ calls: calls(purpose.result.orderId), purpose })).toEqual(expected);
    });

    test('error: a transaction fails', async () => {
      const { calls, purpose } = await plan('100', 'alpha/usdc', 'beta/usdc');
      const found = await findings({ calls: calls.slice(1), purpose });
      expect(found.map(({ check, verdict }) => `${check}: ${verdict}`)).toEqual([
        'effect-success: mismatch',
        'effect-deposit: not checked',
        'effect-input: not checked',
        'effect-balances: not checked',
        'effect-allowances: not checked',
      ]);
      expect(found[0]?.found).toBe(
        `transaction 1 of 1 fails: ERC20InsufficientAllowance(${alpha.depository}, 0, 100000000)`,
      );
    });
  });

  describe('of a swap', () => {
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

    /** The first call of the router to itself that swaps, to another receiver or with another minimum. */
    function swapping(
      { calls }: Args,
      change: { to?: Address.Address; minimum?: bigint; amount?: bigint },
    ): Partial<Args> {
      return {
        calls: calls.map((each) => {
          if (!Address.isEqual(each.target, alpha.router)) return each;
          const via = decodeFunctionData({ abi: abi.router, data: each.callData });
          if (via.functionName !== 'cleanupErc20sViaCall') return each;
          const [tokens, tos, [data = '0x'], amounts] = via.args;
          const swap = decodeFunctionData({ abi: abi.pool, data });
          if (swap.functionName !== 'swapExactIn') throw new Error('the input is exact');
          const [tokenIn, amount, minimum, to] = swap.args;
          const args = [tokenIn, change.amount ?? amount, change.minimum ?? minimum, change.to ?? to] as const;
          const inner = encodeFunctionData({ abi: abi.pool, functionName: 'swapExactIn', args });
          const paid = change.amount === undefined ? amounts : [change.amount];
          const callData = encodeFunctionData({ abi: abi.router, ...via, args: [tokens, tos, [inner], paid] });
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

    test('error: the router pays somebody else', async () => {
      const planned = await plan('100', 'alpha/usdc', 'alpha/dai');
      expect(await mismatches(altered(planned, (args) => swapping(args, { to: thief })))).toEqual(['effect-output']);
    });

    test('error: the router keeps what it got', async () => {
      const planned = await plan('100', 'alpha/usdc', 'alpha/dai');
      expect(await mismatches(altered(planned, () => ({ calls: [] })))).toEqual(['effect-output']);
    });

    test('error: the swap gives less than the minimum', async () => {
      const planned = await plan('100', 'alpha/usdc', 'alpha/dai');
      const poor = altered(planned, (args) => {
        const swap = swapping(args, { minimum: 0n, amount: 90_000_000n });
        return { calls: [routerCall(token('transfer', USDC, thief, 9_900_000n)), ...(swap.calls ?? [])] };
      });
      expect(await mismatches(poor)).toEqual(['effect-output']);
    });

    test('error: the output is one unit short', async () => {
      const { calls, purpose } = await plan('100', 'alpha/usdc', 'alpha/eth', { recipient: elsewhere });
      const { result } = purpose;
      if (result.kind !== 'payment') throw new Error('it is a payment');
      const [found] = (await findings({ calls, purpose })).filter(({ check }) => check === 'effect-output');
      const gained = BigInt(found?.found ?? 0);
      expect(gained).toBeGreaterThan(0n);
      const needing = (minimum: bigint): Planned => ({
        calls,
        purpose: { ...purpose, result: { ...result, minimum } },
      });
      expect(await mismatches(needing(gained))).toEqual([]);
      expect(await mismatches(needing(gained + 1n))).toEqual(['effect-output']);
    });

    test('error: another token that was allowed once goes along', async () => {
      const { address } = accounts.dev4;
      await send({ ...token('approve', DAI, alpha.approvalProxy, whole), from: address });
      const greedy = altered(
        await plan('100', 'alpha/usdc', 'alpha/eth', { user: address }),
        ({ tokens, amounts, calls }) => ({
          tokens: [...tokens, DAI.address],
          amounts: [...amounts, whole],
          calls: [...calls, routerCall(token('transfer', DAI, thief, whole))],
        }),
      );
      expect(await mismatches(greedy)).toEqual(['effect-balances']);
    });

    test('error: more of the input that was allowed once goes along', async () => {
      const { address } = accounts.dev6;
      await send({ ...token('approve', USDC, alpha.approvalProxy, maxUint256), from: address });
      const planned = await plan('100', 'alpha/usdc', 'alpha/eth', { user: address });
      const greedy = altered(planned, ({ tokens, amounts, calls }) => ({
        amounts: amounts.map((amount) => amount + 1n),
        calls: [...calls, routerCall(token('transfer', { address: tokens[0] ?? Address.native }, thief, 1n))],
      }));
      expect(await mismatches(greedy)).toEqual(['effect-input']);
    });

    test('error: a swap of the native asset pays for something else', async () => {
      const { calls, purpose } = await plan('1', 'alpha/eth', 'alpha/usdc');
      const last = calls.at(-1) as Call;
      const data = encodeFunctionData({
        abi: abi.router,
        functionName: 'multicall',
        args: [[routerCall(call(thief, '0x', last.value))], user, user, '0x'],
      });
      expect(await mismatches({ calls: [{ ...last, data }], purpose })).toEqual(['effect-output']);
    });

    test('error: a wrap gives the wrapped ether to nobody', async () => {
      const { calls, purpose } = await plan('1', 'alpha/eth', 'alpha/weth');
      const [wrap] = calls as [Call];
      expect(await mismatches({ calls: [{ ...wrap, to: thief, data: '0x' }], purpose })).toEqual(['effect-output']);
    });

    test('error: a sum is sent to somebody else', async () => {
      const { purpose } = await plan('1', 'alpha/dai', 'alpha/dai', { recipient: elsewhere });
      expect(await mismatches({ calls: [token('transfer', DAI, thief, whole)], purpose })).toEqual(['effect-output']);
    });
  });

  describe('of what cannot be read', () => {
    const { address: on } = USDC;
    const deposit: Effect.Purpose = {
      user,
      input: { token: on, amount: 5n },
      tradeType: 'EXACT_INPUT',
      result: { kind: 'deposit', depository: alpha.depository, orderId: otherId },
      spenders: [alpha.depository],
    };
    const payment: Effect.Purpose = {
      ...deposit,
      result: { kind: 'payment', recipient: elsewhere, token: DAI.address, minimum: 4n },
    };
    const unread: Change = { before: undefined, after: undefined };
    const seen: Simulation = {
      calls: [{ status: 'success', gasUsed: 21_000n, logs: [] }],
      balances: [
        { owner: user, token: Address.native, before: 9n, after: 9n },
        { owner: user, token: on, before: 9n, after: 4n },
        { owner: elsewhere, token: DAI.address, before: 0n, after: 4n },
      ],
      allowances: [{ owner: user, token: on, spender: alpha.depository, before: 1n, after: 0n }],
    };
    const without = (part: 'balances' | 'allowances', index: number): Simulation => ({
      ...seen,
      [part]: seen[part].map((each, at) => (at === index ? { ...each, ...unread } : each)),
    });
    const open = (simulation: Simulation): string[] =>
      Effect.check(payment, simulation)
        .filter(({ verdict }) => verdict !== 'verified')
        .map(({ check, verdict }) => `${check}: ${verdict}`);

    test('default: everything can be read', () => {
      expect(open(seen)).toEqual([]);
    });

    test.each([
      ['the native balance', without('balances', 0), 'effect-balances: cannot verify'],
      ['the input', without('balances', 1), 'effect-input: cannot verify'],
      ['the output', without('balances', 2), 'effect-output: cannot verify'],
      ['the allowance', without('allowances', 0), 'effect-allowances: cannot verify'],
      ['what was not asked for', { ...seen, balances: seen.balances.slice(1) }, 'effect-balances: cannot verify'],
    ])('error: %s', (_, simulation, expected) => {
      expect(open(simulation)).toEqual([expected]);
    });

    test('error: the logs tell what no balance shows', () => {
      const log = (signature: string, owner: string, other: string, ...rest: Hex[]): Log => ({
        address: GULL.address,
        topics: [toEventSelector(signature), pad(owner as Hex), pad(other as Hex), ...rest],
        data: rest.length > 0 ? '0x' : toHex(3n, { size: 32 }),
      });
      const judged = (...logs: Log[]): string[] => open({ ...seen, calls: [{ status: 'success', gasUsed: 1n, logs }] });
      const transfer = 'Transfer(address,address,uint256)';
      const approval = 'Approval(address,address,uint256)';
      expect(judged(log(transfer, user, thief))).toEqual(['effect-balances: mismatch']);
      expect(judged(log(transfer, user, thief), log(transfer, thief, user))).toEqual([]);
      expect(judged(log(transfer, user, thief, otherId))).toEqual(['effect-balances: mismatch']);
      expect(judged(log(transfer, thief, user, otherId))).toEqual([]);
      expect(judged(log(approval, user, thief))).toEqual(['effect-allowances: mismatch']);
      expect(judged(log(approval, thief, user))).toEqual([]);
      expect(judged(log(approval, user, thief, otherId))).toEqual(['effect-allowances: mismatch']);
      expect(judged(log('ApprovalForAll(address,address,bool)', user, thief))).toEqual(['effect-allowances: mismatch']);
    });

    test('error: a log of the depository that is no deposit', () => {
      const address = alpha.depository;
      const topics = [toEventSelector('RelayErc20Deposit(address,address,uint256,bytes32)')];
      const [found] = Effect.check(deposit, {
        ...seen,
        calls: [{ status: 'success', gasUsed: 1n, logs: [{ address, topics, data: '0x1234' }] }],
      }).filter(({ check }) => check === 'effect-deposit');
      expect(found).toMatchObject({ verdict: 'mismatch', found: 'no deposit' });
    });
  });
});

describe('observe', () => {
  test('default: one simulation, with what the purpose speaks of', async () => {
    const { calls, purpose } = await plan('100', 'alpha/usdc', 'beta/usdc');
    const proxy = await inFrontOf(sandbox.rpcUrls.alpha, {});
    const seen = await Effect.observe(calls, purpose, chainAt(proxy.url));
    expect(proxy.seen.map(methodOf)).toEqual(['eth_simulateV1']);
    expect(seen?.balances.map(({ owner, token: of }) => [owner, of])).toEqual([
      [user, Address.native],
      [user, USDC.address],
    ]);
    expect(seen?.allowances.map(({ spender }) => spender)).toEqual([alpha.depository, alpha.approvalProxy]);
  });

  test('behavior: what names the user is read as well, in a second one', async () => {
    const { calls, purpose } = await plan('100', 'alpha/usdc', 'beta/usdc');
    const more = [...calls, token('transfer', DAI, thief, 7n), token('approve', GULL, thief, 8n)];
    const proxy = await inFrontOf(sandbox.rpcUrls.alpha, {});
    const seen = await Effect.observe(more, purpose, chainAt(proxy.url));
    expect(proxy.seen.map(methodOf)).toEqual(['eth_simulateV1', 'eth_simulateV1']);
    expect(seen?.balances.map(({ before = 0n, after = 0n }) => after - before)).toEqual([0n, -100_000_000n, -7n, 0n]);
    expect(seen?.allowances.map(({ after }) => after)).toEqual([0n, 0n, 8n]);
  });

  test('behavior: a node that cannot simulate', async () => {
    const { calls, purpose } = await plan('100', 'alpha/usdc', 'beta/usdc');
    const proxy = await inFrontOf(sandbox.rpcUrls.alpha, {
      eth_simulateV1: json({ jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } }),
    });
    expect(await Effect.observe(calls, purpose, chainAt(proxy.url))).toBeUndefined();
  });

  test('error: more of the native asset than there is', async () => {
    const { calls, purpose } = await plan('1', 'alpha/eth', 'beta/usdc');
    const rich = calls.map((each) => ({ ...each, value: 10n ** 24n }));
    const error = await failure(Effect.observe(rich, purpose, chainAt(sandbox.rpcUrls.alpha)));
    expect(error).toMatchObject({ code: 'submit.insufficient-balance', exit: 6, funds: 'untouched' });
  });
});

describe('reads', () => {
  test('default: nothing is read twice', async () => {
    const { purpose } = await plan('1', 'alpha/eth', 'alpha/weth');
    expect(Effect.reads(purpose, [])).toEqual({
      balances: [
        { owner: user, token: Address.native },
        { owner: user, token: WETH.address },
      ],
      allowances: [],
    });
  });
});
