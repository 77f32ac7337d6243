/**
 * The captured swap of the live service, changed in every call that its router makes, in its order and in the bytes
 * beside them: as it is, and made consistent by a service that holds the solver's key. Nothing that moves money
 * elsewhere is signed. By default every sixth change; `MUTATIONS=all` makes them all.
 */

import { decodeFunctionData, encodeFunctionData, type Hex, toHex, zeroAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { beforeAll, expect, test } from 'vitest';
import * as QuoteV2 from '../../src/core/api/QuoteV2.js';
import * as Decode from '../../src/core/api/schema/Decode.js';
import { BaseError } from '../../src/core/base/Errors.js';
import { network as mainnet } from '../../src/core/network/mainnet.js';
import * as Network from '../../src/core/network/Network.js';
import * as RouterCheck from '../../src/core/proof/router/RouterCheck.js';
import * as Verification from '../../src/core/proof/Verification.js';
import * as Quote from '../../src/core/quote/Quote.js';
import type * as TransferIntent from '../../src/core/quote/TransferIntent.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { orderId } from '../support/liar.js';
import { get, places, put } from '../support/places.js';
import { describePublished, read } from '../support/published.js';
import { caps } from '../support/quoted.js';
import * as calldata from '../support/routerCalldata.js';

const file = 'live/quote-swap-bridge-router-1.json';
const calldataAt = 'steps.1.items.0.data.data';
const signatureAt = 'protocol.v2.orderSignature';
const nowMs = 1_791_034_637_000;

/** One change of so many is made. */
const each = process.env.MUTATIONS === 'all' ? 1 : 6;
const thief = accounts.dev3.address.toLowerCase() as calldata.Address;

/** The liar is the service itself, with the key that signs its orders. */
const solver = privateKeyToAccount(accounts.solver.privateKey);
const network: Network.Network = {
  ...mainnet,
  solver: { chainSlug: 'base', addresses: [solver.address] },
};

describePublished('the captured swap, changed', () => {
  let honest: unknown;
  let multicall: calldata.Multicall;
  let intent: TransferIntent.Intent;
  beforeAll(async () => {
    honest = await signed(asLiar(read(file)));
    multicall = calldata.decode(get(honest, calldataAt) as Hex);
    intent = intentOf(honest);
  });
  const meaningOf = (answer: unknown): string => meaning(calldata.decode(get(answer, calldataAt) as Hex));

  test('default: unchanged it is signed', async () => {
    expect(await judge(honest)).toBe('signed');
  });

  test('error: no change that moves money elsewhere is signed', async () => {
    const changes = [...byCall(multicall), ...byWord(multicall)].map(([what, changed]) => [
      what,
      put(honest, calldataAt, calldata.encode(changed)),
    ]);
    const all = [...changes, ...byField(honest), ...byMinimum(honest, multicall)] as [string, unknown][];
    let refused = 0;
    const missed: string[] = [];
    let consistentOnes = 0;
    for (const [what, changed] of all.filter((_, index) => index % each === 0)) {
      // The order binds nothing in the calldata but its id: a change there is consistent as it is.
      const alike = await consistent(changed);
      const answers = JSON.stringify(alike) === JSON.stringify(changed) ? [changed] : [changed, alike];
      consistentOnes += answers.length - 1;
      for (const answer of answers) {
        const verdict = await judge(answer);
        if (verdict === 'refused') refused += 1;
        if (verdict === 'signed' && !isHarmless(answer)) missed.push(what);
      }
    }
    expect(missed).toEqual([]);
    expect(all.length).toBeGreaterThanOrEqual(500);
    expect(consistentOnes).toBeGreaterThan(25 / each);
    expect(refused).toBeGreaterThan(200 / each);
  }, 120_000);

  /** The same calls, up to what KyberSwap's minimum makes irrelevant, and terms no worse than before. */
  function isHarmless(answer: unknown): boolean {
    const [before, after] = [honest, answer].map((each) => QuoteV2.response.parse(each));
    const terms = (of: QuoteV2.Response | undefined): string =>
      JSON.stringify({
        in: [of?.details.currencyIn.amount, of?.details.currencyIn.currency.address.toLowerCase()],
        out: [of?.details.currencyOut.currency.address.toLowerCase(), of?.details.recipient.toLowerCase()],
        to: of?.steps.flatMap(({ items }) => items.map(({ data }) => [data?.to, data?.from, data?.value])),
      }).toLowerCase();
    const least = (of: QuoteV2.Response | undefined): bigint =>
      BigInt(of?.protocol?.v2?.orderData.output.payments[0]?.minimumAmount ?? 0);
    return meaningOf(answer) === meaningOf(honest) && terms(before) === terms(after) && least(after) >= least(before);
  }

  async function judge(answer: unknown): Promise<'signed' | 'refused' | 'left to the simulation'> {
    const decoding = Decode.from(QuoteV2.response, answer);
    if (!decoding.ok) return 'refused';
    try {
      const proof = await Verification.proofOf(Quote.from(decoding.value, intent, nowMs), caps, {
        network,
        baseUrl: 'http://127.0.0.1:1',
        nowMs,
      });
      const { findings } = Verification.from(proof, { network, isAsked: false, allow: [], shown: [] });
      const isOpen = findings.some(
        ({ check, verdict }) => check === RouterCheck.unknownCalls && verdict !== 'verified',
      );
      return isOpen ? 'left to the simulation' : 'signed';
    } catch (error) {
      if (error instanceof BaseError) return 'refused';
      throw error;
    }
  }

  /** The order id recomputed and replaced everywhere, also in the calldata, and signed by the solver. */
  async function consistent(answer: unknown): Promise<unknown> {
    const id = orderId(get(answer, 'protocol.v2.orderData'));
    const old = get(honest, 'protocol.v2.orderId') as Hex;
    if (id === undefined) return answer;
    return signed(JSON.parse(JSON.stringify(answer).replaceAll(old.slice(2), id.slice(2))));
  }
});

/** The captured answer as a service with the tests' solver would have given it. */
function asLiar(answer: unknown): unknown {
  const { solver: captured } = mainnet;
  const own = solver.address.slice(2).toLowerCase();
  const text = JSON.stringify(answer).replaceAll(captured?.addresses[0]?.slice(2).toLowerCase() ?? '', own);
  const changed: unknown = JSON.parse(text);
  const [old, id] = [get(changed, 'protocol.v2.orderId') as Hex, orderId(get(changed, 'protocol.v2.orderData'))];
  return JSON.parse(JSON.stringify(changed).replaceAll(old.slice(2), id?.slice(2) ?? ''));
}

async function signed(answer: unknown): Promise<unknown> {
  const raw = get(answer, 'protocol.v2.orderId') as Hex;
  return put(answer, signatureAt, await solver.signMessage({ message: { raw } }));
}

function intentOf(answer: unknown): TransferIntent.Intent {
  const { details } = QuoteV2.response.parse(answer);
  const currency = ({ currency: { chainId, address, symbol, name, decimals } }: typeof details.currencyIn) => ({
    chain: Network.chain(network, String(chainId)),
    token: { address, symbol: symbol ?? '', name: name ?? '', decimals: decimals ?? 0 },
  });
  return {
    network: network.name,
    user: details.sender,
    origin: currency(details.currencyIn),
    destination: currency(details.currencyOut),
    tradeType: 'EXACT_INPUT',
    amount: BigInt(details.currencyIn.amount),
    recipient: details.recipient,
    refundTo: details.sender,
    slippageBps: undefined,
    referrer: undefined,
    appFees: [],
    sponsor: undefined,
    maxSponsoredUsd: undefined,
    gasless: undefined,
    calls: [],
  };
}

type Change = readonly [what: string, changed: calldata.Multicall];

/** Calls added, removed, exchanged and redirected. */
function byCall(honest: calldata.Multicall): Change[] {
  const {
    calls,
    tokens: [token = zeroAddress] = [],
    amounts: [amount = 0n],
  } = honest;
  const withCalls = (what: string, changed: readonly calldata.Call[]): Change => [what, { ...honest, calls: changed }];
  const { abi } = calldata;
  const router = calls.at(-1)?.target ?? zeroAddress;
  const stolen: [string, calldata.Call][] = [
    ['a transfer', calldata.call(token, encodeFunctionData({ abi, functionName: 'transfer', args: [thief, amount] }))],
    ['a payment', calldata.call(thief, '0x', 1n)],
    ['an allowance', calldata.approve(token, thief, amount)],
    [
      'native cleanup',
      calldata.call(router, encodeFunctionData({ abi, functionName: 'cleanupNative', args: [0n, thief, '0x'] })),
    ],
    [
      'token cleanup',
      calldata.call(
        router,
        encodeFunctionData({ abi, functionName: 'cleanupErc20s', args: [[token], [thief], [0n], '0x'] }),
      ),
    ],
    [
      'native cleanup by a call',
      calldata.call(router, encodeFunctionData({ abi, functionName: 'cleanupNativeViaCall', args: [0n, thief, '0x'] })),
    ],
    [
      'another deposit',
      calldata.depositAll({
        router,
        depository: thief,
        depositor: thief,
        token: zeroAddress,
        id: toHex(7, { size: 32 }),
      }),
    ],
  ];
  const at = (index: number, call: calldata.Call): calldata.Call[] => [
    ...calls.slice(0, index),
    call,
    ...calls.slice(index),
  ];
  return [
    ...stolen.flatMap(([what, call]) => [0, 1, 2, 3].map((index) => withCalls(`${what} at ${index}`, at(index, call)))),
    ...stolen.flatMap(([what, call]) =>
      calls.map((_, index) => withCalls(`${what} for ${index}`, calls.with(index, call))),
    ),
    ...calls.flatMap((call, index): Change[] => [
      withCalls(`call ${index} removed`, calls.toSpliced(index, 1)),
      withCalls(`call ${index} twice`, at(index, call)),
      withCalls(`call ${index} may fail`, calls.with(index, { ...call, allowFailure: true })),
      withCalls(`call ${index} with value`, calls.with(index, { ...call, value: 1n })),
      withCalls(`call ${index} of the thief`, calls.with(index, { ...call, target: thief })),
      withCalls(`call ${index} with bytes behind`, calls.with(index, { ...call, callData: `${call.callData}00` })),
    ]),
    withCalls('reversed', calls.toReversed()),
    withCalls('none', []),
    ['leftovers to the thief', { ...honest, refundTo: thief }],
    ['NFTs to the thief', { ...honest, nftRecipient: thief }],
    ['metadata of another request', { ...honest, metadata: calldata.metadataOf(toHex(7, { size: 32 })) }],
    ['another suffix', { ...honest, suffix: toHex(7, { size: 32 }) }],
    ['a longer suffix', { ...honest, suffix: `${honest.suffix ?? '0x'}00` }],
    ['a shorter suffix', { ...honest, suffix: '0x1234' }],
    ['another token', { ...honest, tokens: [thief] }],
    ['two tokens', { ...honest, tokens: [token, thief], amounts: [amount, 1n] }],
    ['more of the token', { ...honest, amounts: [amount + 1n] }],
    ['less of the token', { ...honest, amounts: [amount - 1n] }],
  ];
}

/**
 * Every 32-byte word of every call's arguments, replaced by parties and amounts. Of the words for the exchange's own
 * executor, which only its minimum binds, each is replaced once.
 */
function byWord(honest: calldata.Multicall): Change[] {
  const router = honest.calls.at(-1)?.target ?? zeroAddress;
  const parties = [thief, router, honest.refundTo, zeroAddress].map((each) =>
    each.slice(2).toLowerCase().padStart(64, '0'),
  );
  return honest.calls.flatMap((call, index) => {
    const words = call.callData.slice(10).match(/.{64}/g) ?? [];
    const isOfExecutor = (position: number): boolean =>
      words.length > 30 && position > 8 && position < words.length - 30;
    return words.flatMap((word, position): Change[] => {
      const value = BigInt(`0x${word}`);
      const amounts = [value - 1n, value + 1n, value / 2n, value * 2n]
        .filter((each) => each >= 0n && each < 2n ** 256n)
        .map((each) => toHex(each, { size: 32 }).slice(2));
      const others = isOfExecutor(position) ? parties.slice(0, 1) : [...parties, ...amounts, 'f'.repeat(64)];
      return [...new Set(others)]
        .filter((other) => other !== word)
        .map((other) => {
          const from = 10 + 64 * position;
          const callData = `${call.callData.slice(0, from)}${other}${call.callData.slice(from + 64)}` as Hex;
          return [
            `word ${position} of call ${index}: ${other}`,
            { ...honest, calls: honest.calls.with(index, { ...call, callData }) },
          ];
        });
    });
  });
}

/** A swap that may yield next to nothing, and an answer that promises as little, or says nothing of it. */
function byMinimum(honest: unknown, multicall: calldata.Multicall): [string, unknown][] {
  const stated = 'details.route.origin.outputCurrency.minimumAmount';
  const calls = multicall.calls.map((call) => {
    if (call.target.toLowerCase() !== calldata.kyberSwap.toLowerCase()) return call;
    const { functionName, args } = decodeFunctionData({ abi: calldata.abi, data: call.callData });
    if (functionName !== 'swap') return call;
    const execution = { ...args[0], desc: { ...args[0].desc, minReturnAmount: 1n } };
    return { ...call, callData: encodeFunctionData({ abi: calldata.abi, functionName, args: [execution] }) };
  });
  const cheap = put(honest, calldataAt, calldata.encode({ ...multicall, calls }));
  return ['1', '0', null, undefined].map((least) => [`a minimum of 1, stated as ${least}`, put(cheap, stated, least)]);
}

/** Every value of the order, the route and the amounts that decide something. */
function byField(honest: unknown): [string, unknown][] {
  return places(honest)
    .filter(({ at }) => /^protocol|^details\.(route|currency(In|Out)|sender|recipient)/.test(at) && !at.includes(':'))
    .flatMap(({ at, value }): [string, unknown][] => {
      if (typeof value !== 'string') return [];
      if (at === signatureAt)
        return [`${value.slice(0, -2)}00`, value.replace(/^0x../, '0x00'), '0x', `${value}00`, value.toUpperCase()].map(
          (other) => [`${at}: ${other}`, put(honest, at, other)],
        );
      if (/^0x[0-9a-fA-F]{40}$/.test(value))
        return [thief, zeroAddress].map((other) => [`${at}: ${other}`, put(honest, at, other)]);
      if (/^\d+$/.test(value))
        return ['0', '1', String(BigInt(value) - 1n), String(BigInt(value) * 2n)]
          .filter((other) => !other.startsWith('-') && other !== value)
          .map((other) => [`${at}: ${other}`, put(honest, at, other)]);
      return [];
    });
}

/** What the calls do, without what a swap with an enforced minimum may do on its way, and without its allowance. */
function meaning(multicall: calldata.Multicall): string {
  const [token] = multicall.tokens ?? [];
  // For another spender than these the swap would fail, or the finding about allowances would say so.
  const spenders = [calldata.kyberSwap, multicall.calls.at(-1)?.target ?? ''].map((each) =>
    each.slice(2).toLowerCase(),
  );
  const isApproval = ({ target, callData }: calldata.Call): boolean =>
    target.toLowerCase() === token?.toLowerCase() &&
    spenders.some((spender) => callData.toLowerCase().startsWith(`0x095ea7b3${spender.padStart(64, '0')}`));
  const moving = multicall.calls.filter((call) => !isApproval(call));
  const calls = moving.map((call) => {
    if (call.target.toLowerCase() !== calldata.kyberSwap.toLowerCase()) return call;
    const { functionName, args } = decodeFunctionData({ abi: calldata.abi, data: call.callData });
    if (functionName !== 'swap') return call;
    const { srcToken, dstToken, dstReceiver, amount, minReturnAmount } = args[0].desc;
    const isEnough = minReturnAmount >= 866_055_866_707_700n;
    const receiver = dstReceiver === zeroAddress ? multicall.calls.at(-1)?.target : dstReceiver;
    return { target: call.target, srcToken, dstToken, receiver, amount, isEnough };
  });
  const { suffix: _, metadata: __, ...rest } = multicall;
  const text = JSON.stringify({ ...rest, calls }, (_key, value) => (typeof value === 'bigint' ? String(value) : value));
  // The order id follows the order, whose terms are compared by themselves.
  return text.toLowerCase().replaceAll(/49290c1c0{24}(.{40}).{64}/g, '49290c1c$1');
}
