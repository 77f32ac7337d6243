/** Every change of one place in an answer: each value replaced by others of its shape, each part removed or doubled. */

import { maxUint256 } from 'viem';
import { encodeFunctionData, parseAbi } from 'viem/utils';
import * as QuoteV2 from '../../src/core/api/QuoteV2.js';
import type { Address } from '../../src/core/base/Address.js';
import * as Network from '../../src/core/network/Network.js';
import type * as QuoteAnswer from '../../src/sandbox/quote/QuoteAnswer.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { isCalldata, places, put } from './places.js';
import type { Specimen } from './specimens.js';

export type Mutant = {
  /** The change's location: the path of a value, or a description for a change of the whole. */
  at: string;
  change: string;
  before: unknown;
  after: unknown;
  answer: unknown;
};

/** The account that the money is diverted to. */
export const attacker = accounts.dev3;

/** Every value replaced by others, one at a time. */
export function altered(specimen: Specimen): Mutant[] {
  return places(specimen.answer).flatMap(({ at, value }) =>
    others(at, value, specimen).map(([change, after]) => ({
      at,
      change,
      before: value,
      after,
      answer: put(specimen.answer, at, after),
    })),
  );
}

/** Hexadecimal digits in upper case, one value at a time, which changes no value. */
export function respelt(specimen: Specimen): Mutant[] {
  return places(specimen.answer).flatMap(({ at, value }) => {
    // An endpoint is case-sensitive text, and the request id is part of it.
    if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{8,}$/.test(value) || /requestId/.test(at)) return [];
    const after = `0x${value.slice(2).toUpperCase()}`;
    return after === value
      ? []
      : [{ at, change: 'in upper case', before: value, after, answer: put(specimen.answer, at, after) }];
  });
}

/** Purely informational parts are only removed as a whole and not changed within. */
const forReaders =
  /^(fees|feeSponsorship|details\.(refundCurrency|slippageTolerance|swapImpact)|details\.currency\w+\.currency\.metadata|details\.route\.\w+\.(router|\w+\.(amountFormatted|amountUsd|currency\.(symbol|name|metadata))))(\.|$)/;

/** Fields that every answer must have. */
const words = /\.(symbol|name|amountFormatted|amountUsd|usd|percent|description|action|status|id)$/;

/** Gas prices that ferry ignores. */
const unread = /\.data\.max(PriorityFee|Fee)PerGas$/;

type Other = readonly [change: string, after: unknown];

function others(at: string, value: unknown, specimen: Specimen): Other[] {
  const left: Other[] = at.includes(':') ? [] : [['left out', undefined]];
  if (forReaders.test(at) || unread.test(at)) return at.split('.').length < 4 || unread.test(at) ? left : [];
  if (Array.isArray(value)) return [...ofList(value), ...(/\.\d+$/.test(at) ? left : [])];
  if (typeof value === 'object' && value !== null) return [...left, ['with a note', { ...value, note: 'of tomorrow' }]];
  if (at.includes(':')) return ofWord(String(value), specimen);
  if (isCalldata(at, value)) return ofCalldata(value);
  if (typeof value === 'boolean') return [...left, ['negated', !value]];
  if (typeof value === 'number') return [...left, ...ofNumber(at, value, specimen)];
  if (typeof value === 'string') return [...(words.test(at) ? [] : left), ...ofText(at, value, specimen)];
  return [];
}

function ofList(list: readonly unknown[]): Other[] {
  const [first] = list;
  const changes: Other[] = [
    ['emptied', []],
    ['without its first', list.slice(1)],
    ['without its last', list.slice(0, -1)],
    ['with its first twice', [first, ...list]],
    ['with its last twice', [...list, list.at(-1)]],
    ['reversed', list.toReversed()],
  ];
  if (list.length === 0) return [['filled', [`0x${'00'.repeat(4)}`]]];
  return changes.filter(([, after]) => JSON.stringify(after) !== JSON.stringify(list));
}

function ofNumber(at: string, value: number, { network }: Specimen): Other[] {
  if (/chainId$/i.test(at)) return network.chains.filter(({ id }) => id !== value).map(({ name, id }) => [name, id]);
  return [...new Set([value + 1, 0, 2 ** 32 - 1])].filter((each) => each !== value).map((each) => [`${each}`, each]);
}

function ofText(at: string, value: string, specimen: Specimen): Other[] {
  const { chains } = specimen.network;
  if (value === '' && /address/i.test(at)) return [['the attacker', attacker.address]];
  if (/^0x[0-9a-fA-F]{40}$/.test(value))
    return ofAddress(value, specimen).map(([change, after]) => [change, `0x${after}`]);
  if (/^0x([0-9a-fA-F]{2})*$/.test(value)) {
    if (value.length < 4) return [['with a byte', '0x01']];
    return [
      ['flipped', flipped(value)],
      ...(value.length === 66 && !/extraData/.test(at) ? [] : [['with a byte', `${value}00`] as const]),
    ];
  }
  if (/^[0-9]+$/.test(value)) {
    const all = [...ofDigits(BigInt(value)), ...(/\.gas$/.test(at) ? [10n ** 9n] : [])];
    return all.map((each) => [`${each}`, String(each)]);
  }
  if (/^-?[0-9]+\.[0-9]+$/.test(value))
    return [['another sum', `${value.startsWith('-') ? '-' : ''}9${value.replace('-', '')}`]];
  if (/chainId$/i.test(at) || chains.some(({ slug }) => slug === value))
    return chains.filter(({ slug }) => slug !== value).map(({ slug }) => [slug, slug]);
  return [['another text', `${value}x`]];
}

function ofDigits(value: bigint): bigint[] {
  return [...new Set([value + 1n, value - 1n, 0n])].filter((each) => each >= 0n && each !== value);
}

/** The attacker and a known token, as 40 digits. */
function ofAddress(value: string, { network }: Specimen): Other[] {
  const token = network.chains[0]?.tokens.at(-1)?.address ?? '';
  return [
    ['the attacker', attacker.address],
    ['another token', token],
  ]
    .filter(([, address = '']) => address.toLowerCase() !== value.toLowerCase())
    .map(([change = '', address = '']) => [change, address.slice(2).toLowerCase()]);
}

/** A word of calldata: an address if it can be one, else a number. */
function ofWord(word: string, specimen: Specimen): Other[] {
  const address = /^0{24}([0-9a-f]{40})$/i.exec(word)?.[1];
  if (address !== undefined && !/^0{12}/.test(address))
    return ofAddress(`0x${address}`, specimen).map(([change, after]) => [change, String(after).padStart(64, '0')]);
  const value = BigInt(`0x${word}`);
  const all = [...ofDigits(value).slice(0, 2), 2n ** 256n - 1n].filter((each) => each < 2n ** 256n);
  return all.map((each) => [
    each === 2n ** 256n - 1n ? 'the greatest number' : `${each}`,
    each.toString(16).padStart(64, '0'),
  ]);
}

/** Calldata as a whole: another function, more bytes, fewer bytes. */
function ofCalldata(data: string): Other[] {
  const otherFunctions = ['23b872dd', '39509351', 'a22cb465', 'd505accf', '095ea7b3', 'a9059cbb'];
  return [
    ...otherFunctions
      .filter((selector) => selector !== data.slice(2, 10))
      .map((selector): Other => [`function ${selector}`, `0x${selector}${data.slice(10)}`]),
    ['with a byte', `${data}00`],
    ['with a word', `${data}${'00'.repeat(32)}`],
    ['with a byte less', data.slice(0, -2)],
    ['without arguments', data.slice(0, 10)],
    ['nothing', '0x'],
  ].filter(([, after]) => after !== data) as Other[];
}

function flipped(hex: string): string {
  return hex.slice(0, -1) + (Number.parseInt(hex.slice(-1), 16) ^ 1).toString(16);
}

/** All changes for an answer of an EVM chain; none for the venue, which has only one kind of step. */
export function rearranged(specimen: Specimen): Mutant[] {
  const answer = specimen.answer as QuoteAnswer.Response;
  const { steps } = answer;
  const origin = Network.chainById(specimen.network, answer.details.currencyIn.currency.chainId);
  if (origin?.vm !== 'evm') return [];
  const mutant = (change: string, after: readonly unknown[], rest: object = {}): Mutant => ({
    at: 'steps',
    change,
    before: steps,
    after,
    answer: { ...answer, ...rest, steps: after },
  });
  const put = extras(specimen, origin).map(([name, extra], index) =>
    index % 2 === 0 ? mutant(`${name}, last`, [...steps, extra]) : mutant(`${name}, first`, [extra, ...steps]),
  );
  const replaced = payments(specimen, origin).flatMap(([name, payment]) => [
    mutant(`${name} instead`, [...steps.slice(0, -1), payment]),
    mutant(`${name} alone, and no order`, [payment], { protocol: undefined }),
  ]);
  const honest = JSON.stringify(bare(steps));
  return [...put, ...replaced].filter(({ after }) => JSON.stringify(bare(after as never)) !== honest);
}

type Named = readonly [name: string, step: unknown];

const abi = parseAbi([
  'function approve(address,uint256)',
  'function transfer(address,uint256)',
  'function transferFrom(address,address,uint256)',
  'function increaseAllowance(address,uint256)',
  'function setApprovalForAll(address,bool)',
  'function deposit()',
  'function withdraw(uint256)',
  'function depositNative(address,bytes32)',
  'function depositErc20(address,address,uint256,bytes32)',
  'struct Call { address target; bool allowFailure; uint256 value; bytes callData; }',
  'function multicall(Call[],address,address,bytes)',
  'function transferAndMulticall(address[],uint256[],Call[],address,address,bytes)',
]);

function encoded(functionName: string, ...args: readonly unknown[]): Address {
  return encodeFunctionData({ abi, functionName, args } as never);
}

/** Steps that were not requested. */
function extras(specimen: Specimen, origin: Network.Chain): Named[] {
  const { token, other, user, input, step } = partsOf(specimen, origin);
  const approve = (to: string, amount: bigint): unknown => step('approve', token, encoded('approve', to, amount));
  const spenders = Object.entries(origin.contracts).flatMap(([name, address]) =>
    typeof address === 'string'
      ? [[`an unlimited allowance for the ${name}`, approve(address, maxUint256)] as const]
      : [],
  );
  return [
    ...spenders,
    ['an unlimited allowance', approve(attacker.address, maxUint256)],
    ['an allowance of the input', approve(attacker.address, input)],
    ['an allowance of nothing', approve(attacker.address, 0n)],
    ['an allowance of another token', step('approve', other, encoded('approve', attacker.address, input))],
    ['a larger allowance', step('approve', token, encoded('increaseAllowance', attacker.address, 1n))],
    ['an allowance of everything', step('approve', other, encoded('setApprovalForAll', attacker.address, true))],
    ['a transfer of one unit', step('send', token, encoded('transfer', attacker.address, 1n))],
    ['a transfer by allowance', step('send', token, encoded('transferFrom', user, attacker.address, 1n))],
    ['one wei', step('send', attacker.address, '0x', 1n)],
    ['a call of nothing', step('send', attacker.address, '0x')],
    [
      'an allowance under a deposit address',
      { ...(approve(attacker.address, maxUint256) as object), depositAddress: token },
    ],
    ['a message to sign', message()],
  ];
}

/** Payments of the input, none of them the requested one. */
function payments(specimen: Specimen, origin: Network.Chain): Named[] {
  const { token, user, recipient, input, isNative, step, orderId } = partsOf(specimen, origin);
  const { depository = token, router = token, approvalProxy = token, wrapped = token } = origin.contracts;
  const value = isNative ? input : 0n;
  const nothing = [[], user, user, '0x'] as const;
  const pay = (to: string): unknown =>
    isNative ? step('send', to, '0x', input) : step('send', token, encoded('transfer', to, input));
  return [
    ['a transfer to the recipient', pay(recipient)],
    ['a transfer to the attacker', pay(attacker.address)],
    ['a deposit address', { ...(pay(attacker.address) as object), depositAddress: attacker.address }],
    [
      'a call under a deposit address',
      {
        ...(step('deposit', token, encoded('approve', attacker.address, input), value) as object),
        depositAddress: token,
      },
    ],
    ['a transfer of the zero address', step('send', token, encoded('transfer', recipient, input), value)],
    ['a wrap', step('swap', wrapped, encoded('deposit'), value)],
    ['an unwrap', step('swap', wrapped, encoded('withdraw', input))],
    ['a deposit of ETH', step('deposit', depository, encoded('depositNative', user, orderId), value)],
    ['a deposit of a token', step('deposit', depository, encoded('depositErc20', user, token, input, orderId), value)],
    ['a router that does nothing', step('swap', router, encoded('multicall', ...nothing), value)],
    [
      'a proxy that does nothing',
      step('swap', approvalProxy, encoded('transferAndMulticall', [token], [input], ...nothing), value),
    ],
    ['a message to sign', message()],
  ];
}

function partsOf(specimen: Specimen, origin: Network.Chain) {
  const answer = specimen.answer as QuoteAnswer.Response;
  const { details, protocol } = answer;
  const { address: token } = details.currencyIn.currency;
  return {
    token,
    user: details.sender as Address,
    // An account of the venue cannot be paid here.
    recipient: details.recipient.startsWith('0x') ? details.recipient : details.sender,
    input: BigInt(details.currencyIn.amount),
    isNative: token === origin.native.address,
    orderId: (protocol?.v2?.orderId ?? `0x${'0d'.repeat(32)}`) as Address,
    other: origin.tokens.find(({ address }) => address.toLowerCase() !== token.toLowerCase())?.address ?? '',
    step: (id: string, to: string, data: string, value = 0n): unknown => ({
      id,
      action: 'Confirm',
      description: 'Confirm',
      kind: 'transaction',
      requestId: QuoteV2.requestIdOf(answer),
      items: [
        { status: 'incomplete', data: { from: details.sender, to, data, value: String(value), chainId: origin.id } },
      ],
    }),
  };
}

function message(): unknown {
  const data = { sign: { signatureKind: 'eip191', message: 'I give everything away.' } };
  return {
    id: 'authorize1',
    action: 'Sign',
    description: 'Sign',
    kind: 'signature',
    items: [{ status: 'incomplete', data }],
  };
}

/** The data that would be sent, without descriptions. */
function bare(steps: QuoteAnswer.Response['steps']): unknown {
  return steps.map(({ items, depositAddress }) => [
    items.map(({ data }) => ['from', 'to', 'data', 'value', 'chainId'].map((key) => String(data?.[key]).toLowerCase())),
    depositAddress || '',
  ]);
}
