import { type Hex, maxUint256, pad, toEventSelector, toHex } from 'viem';
import { describe, expect, test } from 'vitest';
import * as Address from '../../../src/core/base/Address.js';
import type { Call, Log, Simulation } from '../../../src/core/ports/Ports.js';
import * as SimulatedEffect from '../../../src/core/proof/SimulatedEffect.js';
import type { Finding } from '../../../src/core/quote/Finding.js';
import { deployments } from '../../../src/sandbox/values/deployment.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { failure } from '../../support/failures.js';
import {
  greedySwaps,
  hostileDeposits,
  hostileNativeDeposits,
  hostilePayments,
  type Planned,
  plannedOn,
  type Rest,
  thief,
  token,
} from '../../support/hostilePayments.js';
import { json } from '../../support/loopback.js';
import { ask, chainAt, inFrontOf, methodOf, receiptAt } from '../../support/node.js';
import { useSandbox } from '../../support/sandbox.js';

const { alpha } = deployments;
const { USDC, USDT, DAI, GULL } = alpha.tokens;
const user = accounts.dev0.address;
const elsewhere = accounts.dev1.address;
/** An account without ether. */
const poor = accounts.dev9.address;
const otherId = toHex(7, { size: 32 });

const { sandbox } = useSandbox();

const plan = (amount: string, from: string, to: string, rest: Rest = {}): Promise<Planned> =>
  plannedOn(sandbox, amount, from, to, rest);

async function findings({ calls, purpose }: Planned): Promise<Finding[]> {
  return SimulatedEffect.check(purpose, await SimulatedEffect.observe(calls, purpose, chainAt(sandbox.rpcUrls.alpha)));
}

async function verdicts(planned: Planned): Promise<Record<string, string>> {
  return Object.fromEntries((await findings(planned)).map(({ check, verdict }) => [check, verdict]));
}

/** The checks that fail. */
async function mismatches(planned: Planned): Promise<string[]> {
  return (await findings(planned)).filter(({ verdict }) => verdict === 'mismatch').map(({ check }) => check);
}

const verified = (result: string): Record<string, string> =>
  Object.fromEntries(
    ['success', result, 'input', 'balances', 'allowances'].map((each) => [`effect-${each}`, 'verified']),
  );

/** Sends a real transaction from a development account. */
async function send({ from, to, data, value }: Call): Promise<void> {
  const { alpha: rpcUrl } = sandbox.rpcUrls;
  const hash = await ask(rpcUrl, 'eth_sendTransaction', { from, to, data, value: toHex(value) });
  await receiptAt(rpcUrl, hash as Hex);
}

/** The base units that evidence ends with: `5.02 USDC (5020000) of 0x…`. */
function baseUnits(finding: Finding | undefined): bigint {
  return BigInt(/\((\d+)\)/.exec(finding?.found ?? '')?.[1] ?? -1);
}

describe('check', () => {
  test.each([
    ['a token is bridged', '100', 'alpha/usdc', 'beta/usdc'],
    ['the native asset is bridged', '1', 'alpha/eth', 'beta/usdc'],
    ['a token is bridged into another', '25', 'alpha/usdt', 'beta/gull'],
  ])('default: %s', async (_, amount, from, to) => {
    expect(await verdicts(await plan(amount, from, to))).toEqual(verified('deposit'));
  });

  test.each([
    ['a token is swapped for another', '100', 'alpha/usdc', 'alpha/dai', {}],
    ['a token is swapped through a third one', '100', 'alpha/gull', 'alpha/dai', {}],
    ['a token is swapped for another recipient', '100', 'alpha/usdc', 'alpha/dai', { recipient: elsewhere }],
    ['the native asset is swapped', '1', 'alpha/eth', 'alpha/usdc', {}],
    ['the native asset is swapped for another recipient', '1', 'alpha/eth', 'alpha/usdt', { recipient: elsewhere }],
    ['a token is swapped for the native asset', '100', 'alpha/usdc', 'alpha/eth', {}],
    [
      'a token is swapped for the native asset for another recipient',
      '100',
      'alpha/usdc',
      'alpha/eth',
      { recipient: elsewhere },
    ],
    ['the native asset is wrapped', '1', 'alpha/eth', 'alpha/weth', {}],
    ['the native asset is wrapped for another recipient', '1', 'alpha/eth', 'alpha/weth', { recipient: elsewhere }],
    ['the native asset is unwrapped', '1', 'alpha/weth', 'alpha/eth', {}],
    ['the native asset is unwrapped for another recipient', '1', 'alpha/weth', 'alpha/eth', { recipient: elsewhere }],
    ['a token is sent', '1', 'alpha/dai', 'alpha/dai', { recipient: elsewhere }],
    ['the native asset is sent', '1', 'alpha/eth', 'alpha/eth', { recipient: elsewhere }],
    ['a token is sent by an account without gas', '1', 'alpha/dai', 'alpha/dai', { user: poor, recipient: elsewhere }],
  ])('default: %s', async (_, amount, from, to, rest) => {
    expect(await verdicts(await plan(amount, from, to, rest))).toEqual(verified('output'));
  });

  test.each([
    ['of a token for a token', 'alpha/usdc', 'alpha/dai'],
    ['of a token for the native asset', 'alpha/eth', 'alpha/usdc'],
    ['of the native asset for a token', 'alpha/usdc', 'alpha/eth'],
  ])('default: an exact output %s', async (_, from, to) => {
    expect(await verdicts(await plan('0.5', from, to, { tradeType: 'EXACT_OUTPUT' }))).toEqual(verified('output'));
  });

  test('behavior: an exact output may take less than the input, and an exact input may not', async () => {
    const { calls, purpose } = await plan('5', 'alpha/usdc', 'alpha/dai', { tradeType: 'EXACT_OUTPUT' });
    // As if the router returned what it did not need.
    const { input } = purpose;
    const wider = { ...purpose, input: { ...input, amount: input.amount + 1_000n } };
    const [spent] = (await findings({ calls, purpose: wider })).filter(({ check }) => check === 'effect-input');
    expect(baseUnits(spent)).toBe(input.amount);
    expect(spent?.verdict).toBe('verified');
    expect(await mismatches({ calls, purpose: { ...wider, tradeType: 'EXACT_INPUT' } })).toEqual(['effect-input']);
  });

  test('behavior: an earlier allowance is reset, and the new one used up', async () => {
    const { address } = accounts.dev2;
    await send({ ...token('approve', USDT, alpha.depository, 5n), from: address });
    const planned = await plan('100', 'alpha/usdt', 'beta/usdt', { user: address });
    expect(planned.calls).toHaveLength(3);
    expect(await verdicts(planned)).toEqual(verified('deposit'));
  });

  test('behavior: an earlier allowance may stay', async () => {
    const { address } = accounts.dev3;
    await send({ ...token('approve', USDC, alpha.depository, maxUint256), from: address });
    const planned = await plan('100', 'alpha/usdc', 'beta/usdc', { user: address });
    expect(planned.calls).toHaveLength(1);
    expect(await verdicts(planned)).toEqual(verified('deposit'));
  });

  test('behavior: the evidence names the order, the amounts and the accounts', async () => {
    const { calls, purpose } = await plan('100', 'alpha/usdc', 'beta/usdc');
    const orderId = purpose.result.kind === 'deposit' ? purpose.result.orderId : '';
    const found = await findings({ calls, purpose });
    const paid = `100 USDC (100000000) of ${USDC.address}`;
    const deposit = `${paid} from ${user} for order ${orderId}`;
    expect(found.map(({ check, expected, found: evidence }) => [check, expected, evidence])).toEqual([
      ['effect-success', 'every transaction succeeds', '2 of 2 succeed'],
      ['effect-deposit', deposit, deposit],
      ['effect-input', `exactly ${paid} leaves ${user}`, paid],
      ['effect-balances', 'no other balance of the user falls', 'none falls'],
      ['effect-allowances', 'no further allowance of the user', 'none'],
    ]);
  });

  test('behavior: without a simulation the effect cannot be verified', async () => {
    const { purpose } = await plan('100', 'alpha/usdc', 'beta/usdc');
    expect(SimulatedEffect.check(purpose, undefined)).toMatchObject([{ check: 'effect', verdict: 'cannot verify' }]);
  });

  /** The checks by their names in the tables. */
  const effects = (names: readonly string[]): string[] => names.map((name) => `effect-${name}`);

  test.each(hostileDeposits)('error: %s', async (_, calls, expected) => {
    const { purpose } = await plan('100', 'alpha/usdc', 'beta/usdc');
    expect(await mismatches({ calls: calls((purpose.result as SimulatedEffect.Deposit).orderId), purpose })).toEqual(
      effects(expected),
    );
  });

  test.each(hostileNativeDeposits)('error: %s', async (_, calls, expected) => {
    const { purpose } = await plan('1', 'alpha/eth', 'beta/usdc');
    expect(await mismatches({ calls: calls((purpose.result as SimulatedEffect.Deposit).orderId), purpose })).toEqual(
      effects(expected),
    );
  });

  test.each(hostilePayments)('error: %s', async (_, [amount, from, to, rest], change, expected) => {
    expect(await mismatches(change(await plan(amount, from, to, rest)))).toEqual(effects(expected));
  });

  test.each(greedySwaps)('error: %s', async (_, before, change, expected) => {
    await send(before);
    expect(await mismatches(change(await plan('100', 'alpha/usdc', 'alpha/eth', { user: before.from })))).toEqual(
      effects(expected),
    );
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

  test('error: the output is one unit short', async () => {
    const { calls, purpose } = await plan('100', 'alpha/usdc', 'alpha/eth', { recipient: elsewhere });
    const [found] = (await findings({ calls, purpose })).filter(({ check }) => check === 'effect-output');
    const needing = (minimum: bigint): Planned => ({
      calls,
      purpose: { ...purpose, result: { ...(purpose.result as SimulatedEffect.Payment), minimum } },
    });
    expect(await mismatches(needing(baseUnits(found)))).toEqual([]);
    expect(await mismatches(needing(baseUnits(found) + 1n))).toEqual(['effect-output']);
  });

  describe('of balances and allowances that cannot be read', () => {
    const { address: on } = USDC;
    const deposit: SimulatedEffect.Purpose = {
      user,
      input: { token: on, amount: 5n },
      tradeType: 'EXACT_INPUT',
      result: { kind: 'deposit', depository: alpha.depository, orderId: otherId, token: on, amount: 5n },
      spenders: [alpha.depository],
    };
    const payment: SimulatedEffect.Purpose = {
      ...deposit,
      result: { kind: 'payment', recipient: elsewhere, token: DAI.address, minimum: 4n },
    };
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
      [part]: seen[part].map((each, at) => (at === index ? { ...each, after: undefined } : each)),
    });
    const open = (simulation: Simulation): string[] =>
      SimulatedEffect.check(payment, simulation)
        .filter(({ verdict }) => verdict !== 'verified')
        .map(({ check, verdict }) => `${check}: ${verdict}`);

    test.each([
      ['nothing', seen, []],
      ['the native balance', without('balances', 0), ['effect-balances: cannot verify']],
      ['the input', without('balances', 1), ['effect-input: cannot verify']],
      ['the output', without('balances', 2), ['effect-output: cannot verify']],
      ['the allowance', without('allowances', 0), ['effect-allowances: cannot verify']],
      [
        'a balance that was not requested',
        { ...seen, balances: seen.balances.slice(1) },
        ['effect-balances: cannot verify'],
      ],
    ])('error: %s', (_, simulation, expected) => {
      expect(open(simulation)).toEqual(expected);
    });

    test('error: logs show what no balance does', () => {
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

    test('error: a log of the depository that is not a deposit', () => {
      const topics = [toEventSelector('RelayErc20Deposit(address,address,uint256,bytes32)')];
      const logs: Log[] = [{ address: alpha.depository, topics, data: '0x1234' }];
      const found = SimulatedEffect.check(deposit, { ...seen, calls: [{ status: 'success', gasUsed: 1n, logs }] });
      expect(found[1]).toMatchObject({ check: 'effect-deposit', verdict: 'mismatch', found: 'no deposit' });
    });
  });
});

describe('observe', () => {
  test('default: one simulation, reading what the purpose names', async () => {
    const { calls, purpose } = await plan('100', 'alpha/usdc', 'beta/usdc');
    const proxy = await inFrontOf(sandbox.rpcUrls.alpha, {});
    const seen = await SimulatedEffect.observe(calls, purpose, chainAt(proxy.url));
    expect(proxy.seen.map(methodOf)).toEqual(['eth_simulateV1']);
    expect(seen?.balances.map(({ owner, token: of }) => [owner, of])).toEqual([
      [user, Address.native],
      [user, USDC.address],
    ]);
    expect(seen?.allowances.map(({ spender }) => spender)).toEqual([alpha.depository, alpha.approvalProxy]);
  });

  test('behavior: a second simulation also reads contracts whose logs name the user', async () => {
    const { calls, purpose } = await plan('100', 'alpha/usdc', 'beta/usdc');
    const more = [...calls, token('transfer', DAI, thief, 7n), token('approve', GULL, thief, 8n)];
    const proxy = await inFrontOf(sandbox.rpcUrls.alpha, {});
    const seen = await SimulatedEffect.observe(more, purpose, chainAt(proxy.url));
    expect(proxy.seen.map(methodOf)).toEqual(['eth_simulateV1', 'eth_simulateV1']);
    expect(seen?.balances.map(({ before = 0n, after = 0n }) => after - before)).toEqual([0n, -100_000_000n, -7n, 0n]);
    expect(seen?.allowances.map(({ after }) => after)).toEqual([0n, 0n, 8n]);
  });

  test('behavior: a node that cannot simulate', async () => {
    const { calls, purpose } = await plan('100', 'alpha/usdc', 'beta/usdc');
    const proxy = await inFrontOf(sandbox.rpcUrls.alpha, {
      eth_simulateV1: json({ jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } }),
    });
    expect(await SimulatedEffect.observe(calls, purpose, chainAt(proxy.url))).toBeUndefined();
  });

  test('error: not enough of the native asset', async () => {
    const { calls, purpose } = await plan('1', 'alpha/eth', 'beta/usdc');
    const rich = calls.map((each) => ({ ...each, value: 10n ** 24n }));
    const error = await failure(SimulatedEffect.observe(rich, purpose, chainAt(sandbox.rpcUrls.alpha)));
    expect(error).toMatchObject({ code: 'submit.insufficient-balance', exit: 6, funds: 'untouched' });
  });
});
