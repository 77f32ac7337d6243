/** A transfer as it is signed and handed in: the transaction of type 12, its fields by their names on the wire. */
import type { Hex } from 'viem';
import * as Fp5 from './Fp5.js';
import * as Poseidon2 from './Poseidon2.js';
import * as Schnorr from './Schnorr.js';

/** What the API key signs, in the order of the hash but for the amounts. Numbers are int64 on the wire. */
export type Fields = {
  Nonce: bigint;
  /** Unix time in milliseconds. */
  ExpiredAt: bigint;
  FromAccountIndex: bigint;
  ApiKeyIndex: bigint;
  ToAccountIndex: bigint;
  AssetIndex: bigint;
  /** 0 perps, 1 spot. */
  FromRouteType: bigint;
  ToRouteType: bigint;
  /** Base units. */
  Amount: bigint;
  /** Millionths of USDC. */
  USDCFee: bigint;
};

export type TxInfo = Fields & {
  /** 32 bytes. Only the owner's signature covers it. */
  Memo: Uint8Array;
  /** 80 bytes. */
  Sig: Uint8Array;
  /** Empty where the owner did not sign. */
  L1Sig: Hex | '';
};

/** What the signatures in the sandbox are bound to; no public venue has it. */
export const chainId = 313373n;

const transfer = 12n;

/** What the API key signs. */
export function hash(fields: Fields, chain = chainId): Fp5.Fp5 {
  const { Nonce, ExpiredAt, FromAccountIndex, ApiKeyIndex, ToAccountIndex } = fields;
  const { AssetIndex, FromRouteType, ToRouteType, Amount, USDCFee } = fields;
  const numbers = [
    ...[chain, transfer, Nonce, ExpiredAt, FromAccountIndex, ApiKeyIndex, ToAccountIndex],
    ...[AssetIndex, FromRouteType, ToRouteType, ...halves(Amount), ...halves(USDCFee)],
  ];
  // A negative index is taken as the 64 bits that stand for it.
  return Poseidon2.hash(numbers.map((number) => BigInt.asUintN(64, number)));
}

/** What the owner's wallet signs as a personal message. The expiry is not in it. */
export function l1Message(fields: Fields, memo: Uint8Array, chain = chainId): string {
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

/** What signs for an account: its API key, and its owner's wallet. */
export type Signer = {
  secret: bigint;
  signMessage(message: { message: string }): Promise<Hex>;
};

/** The transfer with both signatures. */
export async function sign(
  fields: Fields,
  memo: Uint8Array,
  { secret, signMessage }: Signer,
  chain = chainId,
): Promise<TxInfo> {
  const Sig = Schnorr.sign(secret, hash(fields, chain));
  return { ...fields, Memo: memo, Sig, L1Sig: await signMessage({ message: l1Message(fields, memo, chain) }) };
}

/** The transaction's hash as the API has it: 80 hexadecimal digits. */
export function formatHash(fields: Fields, chain = chainId): string {
  return Buffer.from(Fp5.toBytes(hash(fields, chain))).toString('hex');
}

/** The text that is handed in. */
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

/** The numbers, in the venue's own order; the memo stands before the last two. */
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
