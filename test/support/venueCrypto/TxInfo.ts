/** A signed transfer (transaction type 12), with the field names used on the wire. */
import type { Hex } from 'viem';
import * as Fp5 from './Fp5.js';
import * as Poseidon2 from './Poseidon2.js';
import * as Schnorr from './Schnorr.js';

/** Fields signed by the API key, in hash order except for the amounts. Numbers are int64 on the wire. */
export type Fields = {
  Nonce: bigint;
  /** Unix time in milliseconds. */
  ExpiredAt: bigint;
  FromAccountIndex: bigint;
  ApiKeyIndex: bigint;
  ToAccountIndex: bigint;
  AssetIndex: bigint;
  /** 0 for perps, 1 for spot. */
  FromRouteType: bigint;
  ToRouteType: bigint;
  /** Base units. */
  Amount: bigint;
  /** Millionths of USDC. */
  USDCFee: bigint;
};

export type TxInfo = Fields & {
  /** 32 bytes. Covered only by the owner's signature. */
  Memo: Uint8Array;
  /** 80 bytes. */
  Sig: Uint8Array;
  /** Empty if the owner did not sign. */
  L1Sig: Hex | '';
};

/** Chain id in the sandbox's signatures; no public venue uses it. */
export const chainId = 313373n;

const transfer = 12n;

/** The hash that the API key signs. */
function hash(fields: Fields, chain = chainId): Fp5.Fp5 {
  const { Nonce, ExpiredAt, FromAccountIndex, ApiKeyIndex, ToAccountIndex } = fields;
  const { AssetIndex, FromRouteType, ToRouteType, Amount, USDCFee } = fields;
  const numbers = [
    ...[chain, transfer, Nonce, ExpiredAt, FromAccountIndex, ApiKeyIndex, ToAccountIndex],
    ...[AssetIndex, FromRouteType, ToRouteType, ...halves(Amount), ...halves(USDCFee)],
  ];
  // Negative indexes are encoded in two's complement.
  return Poseidon2.hash(numbers.map((number) => BigInt.asUintN(64, number)));
}

/** The message that the owner's wallet signs (EIP-191). It does not include the expiry. */
function l1Message(fields: Fields, memo: Uint8Array, chain = chainId): string {
  return [
    'Transfer',
    '',
    `nonce: ${word(fields.Nonce)}`,
    `from: ${word(fields.FromAccountIndex)} (route ${word(fields.FromRouteType)})`,
    `api key: ${word(fields.ApiKeyIndex)}`,
    `to: ${word(fields.ToAccountIndex)} (route ${word(fields.ToRouteType)})`,
    `asset: ${word(fields.AssetIndex)}`,
    `amount: ${word(fields.Amount)}`,
    `fee: ${word(fields.USDCFee)}`,
    `chainId: ${word(chain)}`,
    `memo: ${Buffer.from(memo).toString('hex')}`,
    'Only sign this message for a trusted client!',
  ].join('\n');
}

/** The signers of an account: its API key and its owner's wallet. */
export type Signer = {
  secret: bigint;
  signMessage(message: { message: string }): Promise<Hex>;
};

/** Signs a transfer with both keys. */
export async function sign(
  fields: Fields,
  memo: Uint8Array,
  { secret, signMessage }: Signer,
  chain = chainId,
): Promise<TxInfo> {
  const Sig = Schnorr.sign(secret, hash(fields, chain));
  return { ...fields, Memo: memo, Sig, L1Sig: await signMessage({ message: l1Message(fields, memo, chain) }) };
}

/** The transaction hash as the API formats it: 80 hexadecimal digits. */
export function formatHash(fields: Fields, chain = chainId): string {
  return Buffer.from(Fp5.toBytes(hash(fields, chain))).toString('hex');
}

/** The JSON text to submit. */
export function toJson(tx: TxInfo): string {
  const numbers = names.map((name) => [name, String(tx[name])] as const);
  const members: readonly (readonly [name: string, text: string])[] = [
    ...numbers.slice(0, 8),
    ['Memo', JSON.stringify([...tx.Memo])],
    ...numbers.slice(8),
    ['Sig', JSON.stringify(Buffer.from(tx.Sig).toString('base64'))],
    ['L1Sig', JSON.stringify(tx.L1Sig)],
    ['L2TxAttributes', 'null'],
  ];
  return `{${members.map(([name, text]) => `"${name}":${text}`).join(',')}}`;
}

/** Numeric fields in the venue's order; the memo precedes the last two. */
export const names = [
  'FromAccountIndex',
  'ApiKeyIndex',
  'ToAccountIndex',
  'AssetIndex',
  'FromRouteType',
  'ToRouteType',
  'Amount',
  'USDCFee',
  'ExpiredAt',
  'Nonce',
] as const satisfies readonly (keyof Fields)[];

function halves(number: bigint): readonly [low: bigint, high: bigint] {
  return [number & 0xffffffffn, number >> 32n];
}

function word(number: bigint): string {
  return `0x${number.toString(16).padStart(16, '0')}`;
}
