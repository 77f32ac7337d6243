/** Changes of an answer's steps as a whole: extra steps, or another payment. */

import { maxUint256 } from 'viem';
import { encodeFunctionData, parseAbi } from 'viem/utils';
import * as QuoteV2 from '../../src/core/api/QuoteV2.js';
import type { Address } from '../../src/core/base/Address.js';
import * as Network from '../../src/core/network/Network.js';
import type * as QuoteAnswer from '../../src/sandbox/quote/QuoteAnswer.js';
import { attacker, type Mutant } from './mutations.js';
import type { Specimen } from './specimens.js';

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
