/** Data to sign in every form that ferry knows, with the facts that make it valid, and every change of it. */
import type { Hex } from 'viem';
import { encodeFunctionData, parseAbi } from 'viem/utils';
import { network } from '../../src/core/network/sandbox.js';
import type { Facts } from '../../src/core/proof/signature/TokenGrant.js';
import type { Finding } from '../../src/core/quote/Finding.js';
import { get, places, put } from './places.js';
import { read } from './recorded.js';
import * as calldata from './routerCalldata.js';

export type Sample = { name: string; data: unknown; facts: Facts };

export const user = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
export const recipient = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
export const solver = '0x71be63f3384f5fb98995898a86b02fb2426c5788';
/** The account with which the sandbox submits what users signed. */
export const relayer = '0xfabb0ac9d68b0b445fb7357272ff202c5651694a';
export const orderId = `0x${'0d'.repeat(32)}` as const;
export const requestId = `0x${'17'.repeat(32)}` as const;

const [alpha] = network.chains;
if (!alpha) throw new Error('no chain');
export const { contracts } = alpha;
export const usdc = token('USDC');
const usdt = token('USDT');
const nowMs = 1_790_000_000_000;
const deadline = 1_790_000_600;

/** The request behind the samples that are not recorded. */
export const facts: Facts = {
  user,
  recipient,
  refundTo: user,
  chainId: alpha.id,
  token: usdc,
  input: 60_000_000n,
  orderId,
  requestId,
  contracts,
  solvers: [solver, relayer],
  nowMs,
};

const abi = parseAbi(['function approve(address,uint256)', 'function depositErc20(address,address,uint256,bytes32)']);

/** A call of the witness. */
export type Call = { target: string; allowFailure: boolean; value: string; callData: string };

export function approval(spender = contracts.depository as `0x${string}`, amount = 60_000_000n): Call {
  const callData = encodeFunctionData({ abi, functionName: 'approve', args: [spender, amount] });
  return { target: usdc, allowFailure: false, value: '0', callData };
}

export function deposit(
  args: readonly [`0x${string}`, `0x${string}`, bigint, `0x${string}`] = [user, usdc, 60_000_000n, orderId],
): Call {
  const callData = encodeFunctionData({ abi, functionName: 'depositErc20', args });
  return { target: contracts.depository ?? '', allowFailure: false, value: '0', callData };
}

/** Permit2 in its long form, for the approval proxy. */
export function withCalls(calls: readonly Call[], spender: string | undefined = contracts.approvalProxy): unknown {
  const { steps } = read('execute-permits') as { steps: { items: { data: never }[] }[] };
  const data = steps[0]?.items[0]?.data as unknown as Recorded;
  const witness = { relayer, refundTo: user, nftRecipient: recipient, call3Values: calls };
  const value = {
    permitted: [{ token: usdc, amount: '60000000' }],
    spender,
    nonce: '730114480025',
    deadline,
    witness,
  };
  return { sign: { ...data.sign, value }, post: { ...data.post, body: { ...data.post.body, requestId } } };
}

type Recorded = { sign: Record<string, unknown>; post: { body: Record<string, unknown> } };

/** EIP-3009 to the approval proxy, with the nonce that commits to the deposit for the order. */
export function authorization(value: Record<string, unknown> = {}, primaryType = 'ReceiveWithAuthorization'): unknown {
  return eip712({
    primaryType,
    fields: 'address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce',
    value: {
      from: user,
      to: contracts.approvalProxy,
      value: '60000000',
      validAfter: 0,
      validBefore: deadline,
      nonce: proxyNonce(),
      ...value,
    },
    kind: 'eip3009',
  });
}

function proxyNonce(): Hex {
  const { router, depository } = contracts as { router: Hex; depository: Hex };
  const deposit = calldata.depositAll({ router, depository, depositor: user, token: usdc, id: orderId });
  const metadata = calldata.metadataOf(requestId);
  return calldata.witnessHash({ relayer, refundTo: solver, nftRecipient: solver, metadata, calls: [deposit] });
}

/** EIP-2612 for the approval proxy. */
export function permit(value: Record<string, unknown> = {}): unknown {
  return eip712({
    primaryType: 'Permit',
    fields: 'address owner,address spender,uint256 value,uint256 nonce,uint256 deadline',
    value: { owner: user, spender: contracts.approvalProxy, value: '60000000', nonce: '4', deadline, ...value },
    kind: 'permit',
  });
}

export function message(text: string): unknown {
  return {
    sign: { signatureKind: 'eip191', message: text },
    post: { endpoint: '/execute/permits', method: 'POST', body: { kind: 'claim', requestId } },
  };
}

/** Every form of typed data, recorded or made here. All valid, except for what no signature of the form can prove. */
export const samples: readonly Sample[] = [
  recorded('quote-permit-eip3009', 0, usdc),
  recorded('quote-permit-permit2', 1, usdt),
  recorded('execute-permits', 0, usdt),
  { name: 'EIP-2612', data: permit(), facts },
  { name: 'EIP-3009 to the approval proxy', data: authorization(), facts },
  { name: 'EIP-3009 that anybody submits', data: authorization({}, 'TransferWithAuthorization'), facts },
  { name: 'Permit2 with a deposit', data: withCalls([approval(), deposit()]), facts },
  { name: 'Permit2 with a bare deposit', data: withCalls([deposit()]), facts },
];

export function sample(name: string): Sample {
  const found = samples.find((each) => each.name === name);
  if (!found) throw new Error(`no sample ${name}`);
  return found;
}

/** The finding with a name, if any. */
export function named(findings: readonly Finding[], check: string): Finding | undefined {
  return findings.find((finding) => finding.check === check);
}

/** The data with one value replaced. `path` is dotted and must be there. */
export function altered(data: unknown, path: string, value: unknown): unknown {
  if (get(data, path) === undefined) throw new Error(`nothing at ${path}`);
  return put(data, path, value);
}

/** A change in one place, accidental or malicious. */
export type Mutant = { path: string; change: string; data: unknown };

/** Every value replaced by others of the same and of another shape, every key removed, one added to every object. */
export function mutants(data: unknown): Mutant[] {
  const whole = others(data).map((other) => mutant('', other, other));
  const parts = places(data).flatMap(({ at, value }) => [
    ...others(value).map((other) => mutant(at, other, put(data, at, other))),
    { path: at, change: 'left out', data: put(data, at, undefined) },
  ]);
  return [...whole, ...parts];
}

function mutant(path: string, other: unknown, data: unknown): Mutant {
  return { path, change: `→ ${JSON.stringify(other).slice(0, 40)}`, data };
}

function others(value: unknown): unknown[] {
  if (Array.isArray(value))
    return [[], [...value, value[0]], value.toReversed()].filter(
      (other) => JSON.stringify(other) !== JSON.stringify(value),
    );
  if (typeof value === 'object' && value !== null) return [{ ...value, note: 'of tomorrow' }, null];
  if (typeof value === 'boolean') return [!value, null, String(value)];
  if (typeof value === 'number') return [value + 1, value - 1, 0, 2 ** 53, -1, 0.5, null, `0x${value.toString(16)}`];
  const text = String(value);
  const rest = ['', null, `${text}x`, [text]];
  if (/^0x([0-9a-fA-F]{2})+$/.test(text))
    return [
      ...rest,
      flipped(text, 2),
      flipped(text, text.length - 1),
      text.slice(0, -2),
      `${text}00`,
      text.slice(0, 10),
    ];
  if (/^[0-9]+$/.test(text))
    return [
      ...rest,
      ...[BigInt(text) + 1n, BigInt(text) - 1n, 0n, 2n ** 256n - 1n, 2n ** 256n].map(String),
      '1.5',
    ].filter((other) => other !== text);
  return [...rest, text.toUpperCase(), ` ${text}`].filter((other) => other !== text);
}

function flipped(hex: string, at: number): string {
  const digit = (Number.parseInt(hex[at] ?? '0', 16) ^ 1).toString(16);
  return hex.slice(0, at) + digit + hex.slice(at + 1);
}

function recorded(name: string, index: number, input: `0x${string}`): Sample {
  const answer = read(name) as {
    steps: { items: { data: Recorded }[] }[];
    protocol?: { v2: { orderId: string } };
  };
  const data = answer.steps[index]?.items[0]?.data;
  const amount = input === usdc ? 60_000_000n : 45_000_000n;
  return {
    name,
    data,
    facts: {
      ...facts,
      token: input,
      input: amount,
      recipient: user,
      orderId: answer.protocol?.v2.orderId,
      requestId: String(data?.post.body.requestId),
    },
  };
}

function eip712(made: { primaryType: string; fields: string; value: Record<string, unknown>; kind: string }): unknown {
  const fields = made.fields.split(',').map((field) => {
    const [type, name] = field.split(' ');
    return { name, type };
  });
  return {
    sign: {
      signatureKind: 'eip712',
      domain: { name: 'USD Coin', version: '2', chainId: alpha?.id, verifyingContract: usdc },
      types: { [made.primaryType]: fields },
      primaryType: made.primaryType,
      value: made.value,
    },
    post: { endpoint: '/execute/permits', method: 'POST', body: { kind: made.kind, requestId, api: 'bridge' } },
  };
}

function token(symbol: string): `0x${string}` {
  const found = alpha?.tokens.find((each) => each.symbol === symbol);
  if (!found) throw new Error(`no ${symbol}`);
  return found.address as `0x${string}`;
}
