import { encodeFunctionData, type Hex, zeroAddress } from 'viem';
import { describe, expect, test } from 'vitest';
import * as RouterCheck from '../../../../src/core/proof/router/RouterCheck.js';
import { collect } from '../../../../src/core/quote/Finding.js';
import * as KnownCalls from '../../../../src/core/quote/KnownCalls.js';
import * as calldata from '../../../support/routerCalldata.js';

const of = (byte: string): calldata.Address => `0x${byte.repeat(20)}`;
const user = of('a1');
const solver = of('50');
const router = of('60');
const depository = of('de');
const wrapped = of('ee');
const token = of('70');
const dollars = of('d0');
const recipient = of('c0');
const thief = of('66');
const orderId: Hex = `0x${'0d'.repeat(32)}`;
const requestId: Hex = `0x17910346${'b9'.repeat(28)}`;
const contracts = { router, depository, wrapped, kyberSwap: calldata.kyberSwap };

const facts: RouterCheck.Facts = {
  user,
  recipient,
  refundTo: user,
  input: { token, amount: 1_000n },
  contracts,
  solvers: [solver],
  requestId,
  goal: { kind: 'deposit', orderId, token: zeroAddress, minimum: 90n },
};

const swap: calldata.Swap = { from: token, to: zeroAddress, amount: 1_000n, minimum: 90n, receiver: router };
const deposit: calldata.Deposit = { router, depository, depositor: user, token: zeroAddress, id: orderId };

/** A swap into the native asset as the live service composes it. */
const live: calldata.Multicall = {
  tokens: [token],
  amounts: [1_000n],
  calls: [
    calldata.approve(token, calldata.kyberSwap, 1_000n),
    calldata.viaKyberSwap(swap),
    calldata.depositAll(deposit),
  ],
  refundTo: solver,
  nftRecipient: solver,
  metadata: calldata.metadataOf(requestId),
  suffix: orderId,
};

/** Checks that are not verified, with their verdicts. */
function open(multicall: calldata.Multicall, own: RouterCheck.Facts = facts): string[] {
  const call = KnownCalls.decode(calldata.encode(multicall));
  if (call?.function !== 'transferAndMulticall' && call?.function !== 'multicall') throw new Error('not a multicall');
  const findings = collect();
  RouterCheck.check(findings, call, own);
  return findings.list
    .filter(({ verdict }) => verdict !== 'verified')
    .map(({ check, verdict }) => `${check}: ${verdict}`);
}

function withCalls(...calls: readonly calldata.Call[]): calldata.Multicall {
  return { ...live, calls };
}

const approval = calldata.approve(token, calldata.kyberSwap, 1_000n);
const kyber = calldata.viaKyberSwap(swap);
const last = calldata.depositAll(deposit);

/** With another swap in the place of the live one. */
const swapping = (own: Partial<calldata.Swap>) => withCalls(approval, calldata.viaKyberSwap({ ...swap, ...own }), last);

/** The router hands over its native balance. */
const cleanup = (to: calldata.Address, amount = 0n): calldata.Call =>
  calldata.call(
    router,
    encodeFunctionData({ abi: calldata.abi, functionName: 'cleanupNative', args: [amount, to, '0x'] }),
  );

describe('check of an order’s deposit', () => {
  test('default: a swap by KyberSwap that ends by depositing everything', () => {
    expect(open(live)).toEqual([]);
  });

  test('default: into a token, by the deposit of the whole allowance', () => {
    const goal = { ...facts.goal, token: dollars } as const;
    const into = calldata.viaKyberSwap({ ...swap, to: dollars });
    const end = calldata.depositAll({ ...deposit, token: dollars });
    expect(open(withCalls(approval, into, end), { ...facts, goal })).toEqual([]);
  });

  test('default: an unwrap, with a transfer of the router to itself', () => {
    const withdraw = calldata.call(
      wrapped,
      encodeFunctionData({ abi: calldata.abi, functionName: 'withdraw', args: [1_000n] }),
    );
    const calls = [calldata.approve(wrapped, router, 1_000n), withdraw, calldata.call(router, '0x', 1_000n), last];
    const own = { ...facts, input: { token: wrapped, amount: 1_000n }, goal: { ...facts.goal, minimum: 1_000n } };
    expect(open({ ...live, tokens: [wrapped], calls }, own)).toEqual([]);
  });

  test('default: the user as the one who gets leftovers, and no bytes beside the arguments', () => {
    expect(open({ ...live, refundTo: user, nftRecipient: user, metadata: '0x', suffix: undefined })).toEqual([]);
  });

  test('behavior: the minimum may be one unit lower, by rounding', () => {
    expect(open(live, { ...facts, goal: { ...facts.goal, minimum: 91n } })).toEqual([]);
    expect(open(live, { ...facts, goal: { ...facts.goal, minimum: 92n } })).toEqual([
      'swap-minimum: mismatch',
      'router-result: mismatch',
    ]);
  });

  test('behavior: a contract that ferry does not know is no mismatch', () => {
    const calls = [calldata.approve(token, thief, 1_000n), calldata.call(thief, '0x998b5942'), last];
    expect(open(withCalls(...calls))).toEqual(['router-calls: not checked']);
  });

  test('behavior: 0x is decoded, but rests on its Settler', () => {
    const ends = (own: Partial<calldata.Swap>) =>
      open(
        withCalls(
          calldata.approve(token, calldata.allowanceHolder, 1_000n),
          calldata.viaZeroEx({ ...swap, ...own }, of('5e')),
          last,
        ),
      );
    expect(ends({})).toEqual(['router-calls: not checked']);
    expect(ends({ receiver: thief })).toEqual(['swap-receiver: mismatch', 'router-calls: not checked']);
    expect(ends({ minimum: 5n })).toEqual(['swap-minimum: mismatch', 'router-calls: not checked']);
  });

  test('default: 0x by a Settler that the node has shown to be genuine', () => {
    const calls = [calldata.approve(token, calldata.allowanceHolder, 1_000n), calldata.viaZeroEx(swap, of('5e')), last];
    expect(open(withCalls(...calls), { ...facts, enforcers: [of('5e')] })).toEqual([]);
    expect(open(withCalls(...calls), { ...facts, enforcers: [of('5f')] })).toEqual(['router-calls: not checked']);
  });

  test('behavior: KyberSwap where ferry has no address of it, or the node no code there', () => {
    expect(open(live, { ...facts, enforcers: [calldata.kyberSwap] })).toEqual([]);
    expect(open(live, { ...facts, enforcers: [] })).toEqual(['router-calls: not checked']);
    expect(open(live, { ...facts, contracts: { ...contracts, kyberSwap: undefined } })).toEqual([
      'router-calls: not checked',
    ]);
  });

  test('behavior: a second swap may not be made while the currency of the order rests on the router', () => {
    const half = { ...swap, amount: 500n };
    const toOther = calldata.viaKyberSwap({ ...half, to: dollars, minimum: 1n });
    const first = calldata.viaKyberSwap(half);
    expect(open(withCalls(approval, first, toOther, last))).toContain('router-calls: not checked');
    // What the second yields is compared with its minimum, so that the first one's is still there.
    expect(open(withCalls(approval, first, calldata.viaKyberSwap(half), last))).toEqual([]);
  });

  const beside = (call: calldata.Call) => withCalls(approval, kyber, call, last);
  const ending = (own: Partial<calldata.Deposit>, amount?: bigint) =>
    withCalls(approval, kyber, calldata.depositAll({ ...deposit, ...own }, amount));
  const transfer = encodeFunctionData({ abi: calldata.abi, functionName: 'transfer', args: [thief, 5n] });
  const nobodys = ['refund-to', 'nft-recipient'];
  test.each<[string, calldata.Multicall, readonly string[]]>([
    ['the swap pays another', swapping({ receiver: thief }), ['swap-receiver', 'router-result']],
    ['a low minimum', swapping({ minimum: 1n }), ['swap-minimum', 'router-result']],
    ['another token', swapping({ to: dollars }), ['swap-minimum', 'router-result']],
    ['another order', ending({ id: requestId }), ['router-deposit', ...nobodys]],
    ['another depositor', ending({ depositor: thief }), ['router-deposit', ...nobodys]],
    ['another depository', ending({ depository: thief }), ['depository']],
    ['a part of the balance', ending({}, 5n), ['router-deposit', ...nobodys]],
    ['no deposit', withCalls(approval, kyber), ['router-deposit', ...nobodys]],
    ['the deposit is not last', withCalls(approval, last, kyber), ['router-deposit', 'router-payments', ...nobodys]],
    [
      'a payment before the deposit',
      beside(calldata.call(thief, '0x', 5n)),
      ['router-payments', 'router-result', ...nobodys],
    ],
    [
      'a transfer of the input',
      withCalls(calldata.call(token, transfer), approval, kyber, last),
      ['router-payments', 'router-result', 'router-leftovers', ...nobodys],
    ],
    ['a cleanup to another', beside(cleanup(thief)), ['router-payments', 'router-result', ...nobodys]],
    [
      'an allowance for another',
      withCalls(calldata.approve(token, thief, 1_000n), approval, kyber, last),
      ['router-allowances'],
    ],
    ['a swap of less', swapping({ amount: 400n }), ['router-leftovers']],
    ['a swap of more', swapping({ amount: 1_001n }), ['router-result', 'router-leftovers']],
    ['leftovers to another', { ...live, refundTo: thief }, ['refund-to']],
    ['NFTs to another', { ...live, nftRecipient: thief }, ['nft-recipient']],
    ['metadata of another request', { ...live, metadata: calldata.metadataOf(orderId) }, ['router-metadata']],
    ['another suffix', { ...live, suffix: requestId }, ['router-suffix']],
  ])('error: %s', (_, multicall, checks) => {
    expect(open(multicall)).toEqual(checks.map((check) => `${check}: mismatch`));
  });

  test('error: a call that may fail', () => {
    expect(open(withCalls(approval, { ...kyber, allowFailure: true }, last))).toEqual([
      'router-failures: cannot verify',
    ]);
  });

  test('error: a router or a depository that ferry does not know', () => {
    expect(open(live, { ...facts, contracts: {} })).toEqual(['router-calls: cannot verify']);
    expect(open(live, { ...facts, contracts: { ...contracts, depository: undefined } })).toEqual([
      'depository: cannot verify',
    ]);
  });
});

describe('check of a payment on one chain', () => {
  const goal = { kind: 'payment', token: zeroAddress, minimum: 90n } as const;
  const own = { ...facts, goal };
  const direct: calldata.Multicall = {
    ...live,
    calls: [approval, calldata.viaKyberSwap({ ...swap, receiver: recipient })],
    refundTo: user,
    nftRecipient: user,
    suffix: undefined,
  };

  test('default: the swap pays the recipient, or the router hands all of it over', () => {
    expect(open(direct, own)).toEqual([]);
    expect(open({ ...direct, calls: [approval, kyber, cleanup(recipient)] }, own)).toEqual([]);
  });

  test.each<[string, calldata.Call]>([
    ['is paid nothing', calldata.call(thief, '0x')],
    ['is paid by a cleanup', cleanup(thief, 1n)],
    ['is called as a depository', calldata.depositAll({ ...deposit, depository: thief })],
  ])('error: a stranger %s, and may call the router back: only a simulation shows what it does', (_, stranger) => {
    const calls = [approval, kyber, stranger, cleanup(recipient)];
    expect(open({ ...direct, calls }, own)).toEqual(['router-calls: not checked']);
  });

  test('behavior: native leftovers for the solver cannot be verified', () => {
    expect(open({ ...direct, refundTo: solver }, own)).toEqual(['refund-to: cannot verify']);
  });

  test.each<[string, readonly calldata.Call[]]>([
    ['the swap pays another', [approval, calldata.viaKyberSwap({ ...swap, receiver: thief })]],
    ['a low minimum', [approval, calldata.viaKyberSwap({ ...swap, receiver: recipient, minimum: 89n })]],
    ['the money stays on the router', [approval, kyber]],
  ])('error: %s', (_, calls) => {
    expect(open({ ...direct, calls }, own)).toContain('router-result: mismatch');
  });
});
