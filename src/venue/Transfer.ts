/**
 * A transfer between two accounts of the venue, its type 12: what is signed and what is sent. Source: lighter-go,
 * types/txtypes.
 */

import { bytesToHex, hexToBytes } from 'viem/utils';
import { BaseError } from '../core/base/Errors.js';
import type { Hex } from '../core/base/Hex.js';

import * as FlatJson from './FlatJson.js';
import * as Goldilocks from './Goldilocks.js';
import * as Poseidon2 from './Poseidon2.js';

/** What is moved on the venue, and what the signatures bind it to. */
export type Transfer = {
  fromAccountIndex: bigint;
  apiKeyIndex: number;
  toAccountIndex: bigint;
  assetIndex: number;
  /** 0 perps, 1 spot. */
  fromRouteType: number;
  toRouteType: number;
  /** Smallest units of the asset. */
  amount: bigint;
  /** Millionths of USDC, paid on top of the amount. */
  usdcFee: bigint;
  /** 32 bytes. Only the owner's signature covers it. */
  memo: Hex;
  /** Unix time. Only the key's signature covers it. */
  expiredAtMs: number;
  nonce: bigint;
};

/** What the venue is sent. */
export type Signed = {
  transfer: Transfer;
  /** The 80 bytes of the API key's signature over `hash`. */
  signature: Uint8Array;
  /** The owner's signature over `l1Message`, 65 bytes; not needed between accounts of one owner. */
  l1Signature: Hex | undefined;
};

type Integer = Exclude<keyof Transfer, 'memo'>;

/** Each number's limits and the venue's name for it. */
const integers: Readonly<Record<Integer, { json: string; min: bigint; max: bigint }>> = {
  fromAccountIndex: { json: 'FromAccountIndex', min: -1n, max: 2n ** 48n - 2n },
  apiKeyIndex: { json: 'ApiKeyIndex', min: 0n, max: 254n },
  toAccountIndex: { json: 'ToAccountIndex', min: -1n, max: 2n ** 48n - 2n },
  assetIndex: { json: 'AssetIndex', min: 1n, max: 62n },
  fromRouteType: { json: 'FromRouteType', min: 0n, max: 1n },
  toRouteType: { json: 'ToRouteType', min: 0n, max: 1n },
  amount: { json: 'Amount', min: 1n, max: 2n ** 60n - 1n },
  usdcFee: { json: 'USDCFee', min: 0n, max: 2n ** 60n - 1n },
  expiredAtMs: { json: 'ExpiredAt', min: 0n, max: 2n ** 48n - 1n },
  nonce: { json: 'Nonce', min: 0n, max: 2n ** 63n - 1n },
};

/** A transfer as the venue takes it. @throws sign.failed where a field is outside its limits, with the field's name */
export function from(fields: Transfer): Transfer {
  for (const [name, { min, max }] of Object.entries(integers)) within(name, fields[name as Integer], { min, max });
  if (!/^0x[0-9a-fA-F]{64}$/.test(fields.memo))
    throw new FieldError('memo', '32 bytes as 0x and 64 digits', fields.memo);
  return { ...fields, memo: fields.memo.toLowerCase() as Hex };
}

/**
 * The 40 bytes that the API key signs. The memo is no part of them.
 *
 * @throws sign.failed where a field is outside its limits · config.invalid where the chain id is none to sign for
 */
export function hash(transfer: Transfer, signingChainId: number): Uint8Array {
  assertSigningChain(signingChainId);
  const { amount, usdcFee, ...fields } = from(transfer);
  const low = 2n ** 32n - 1n;
  const elements = [
    signingChainId,
    12,
    fields.nonce,
    fields.expiredAtMs,
    fields.fromAccountIndex,
    fields.apiKeyIndex,
    fields.toAccountIndex,
    fields.assetIndex,
    fields.fromRouteType,
    fields.toRouteType,
    amount & low,
    amount >> 32n,
    usdcFee & low,
    usdcFee >> 32n,
  ];
  return Goldilocks.toBytes(Poseidon2.hash(elements.map((element) => BigInt.asUintN(64, BigInt(element)))));
}

/** The hash as the venue names a transaction: 80 lower-case digits without `0x`. Throws as `hash` does. */
export function txHash(transfer: Transfer, signingChainId: number): string {
  return bytesToHex(hash(transfer, signingChainId)).slice(2);
}

/**
 * The text that the account's owner signs as a personal message (EIP-191). When it expires is no part of it. Throws as
 * `hash` does.
 */
export function l1Message(transfer: Transfer, signingChainId: number): string {
  assertSigningChain(signingChainId);
  const fields = from(transfer);
  const word = (value: bigint | number) => `0x${BigInt.asUintN(64, BigInt(value)).toString(16).padStart(16, '0')}`;
  return [
    'Transfer',
    '',
    `nonce: ${word(fields.nonce)}`,
    `from: ${word(fields.fromAccountIndex)} (route ${word(fields.fromRouteType)})`,
    `api key: ${word(fields.apiKeyIndex)}`,
    `to: ${word(fields.toAccountIndex)} (route ${word(fields.toRouteType)})`,
    `asset: ${word(fields.assetIndex)}`,
    `amount: ${word(fields.amount)}`,
    `fee: ${word(fields.usdcFee)}`,
    `chainId: ${word(signingChainId)}`,
    `memo: ${fields.memo.slice(2)}`,
    'Only sign this message for a trusted client!',
  ].join('\n');
}

/**
 * The JSON text that is sent as `tx_info`, as the venue's own signer writes it.
 *
 * @throws sign.failed where a field is outside its limits or a signature has another length
 */
export function toTxInfo({ transfer, signature, l1Signature }: Signed): string {
  const { memo, ...fields } = from(transfer);
  if (signature.length !== 80) throw new FieldError('signature', '80 bytes', `${signature.length} bytes`);
  if (l1Signature !== undefined) assertL1Signature('l1Signature', l1Signature);
  const number = (name: Integer) => `"${integers[name].json}":${fields[name]}`;
  return `{${[
    number('fromAccountIndex'),
    number('apiKeyIndex'),
    number('toAccountIndex'),
    number('assetIndex'),
    number('fromRouteType'),
    number('toRouteType'),
    number('amount'),
    number('usdcFee'),
    `"Memo":[${hexToBytes(memo).join()}]`,
    number('expiredAtMs'),
    number('nonce'),
    `"Sig":"${btoa(String.fromCharCode(...signature))}"`,
    `"L1Sig":"${l1Signature ?? ''}"`,
    '"L2TxAttributes":null',
  ].join()}}`;
}

/**
 * Reads the text of `toTxInfo` back, also as another signer wrote it: spaces and order are free, `L2TxAttributes` may be
 * left out. Whoever sends it compares it with what was asked and verifies both signatures first.
 *
 * @throws sign.failed where a field is missing, unknown, there twice or outside its limits, with the field's name
 */
export function fromTxInfo(text: string): Signed {
  const fields = FlatJson.from(text);
  const take = (name: string) => {
    const value = fields.get(name);
    fields.delete(name);
    return value;
  };
  const integer = (name: Integer) => {
    const { json, min, max } = integers[name];
    return within(json, take(json), { min, max });
  };
  const transfer: Transfer = {
    fromAccountIndex: integer('fromAccountIndex'),
    apiKeyIndex: Number(integer('apiKeyIndex')),
    toAccountIndex: integer('toAccountIndex'),
    assetIndex: Number(integer('assetIndex')),
    fromRouteType: Number(integer('fromRouteType')),
    toRouteType: Number(integer('toRouteType')),
    amount: integer('amount'),
    usdcFee: integer('usdcFee'),
    memo: memoOf(take('Memo')),
    expiredAtMs: Number(integer('expiredAtMs')),
    nonce: integer('nonce'),
  };
  const signature = signatureOf(take('Sig'));
  const l1Signature = take('L1Sig');
  if (l1Signature !== '') assertL1Signature('L1Sig', l1Signature);
  const attributes = take('L2TxAttributes') ?? null;
  if (attributes !== null) throw new FieldError('L2TxAttributes', 'null, or left out', shown(attributes));
  for (const name of fields.keys()) throw new FieldError(name, 'no field of that name', 'one');
  return { transfer, signature, l1Signature: l1Signature === '' ? undefined : l1Signature };
}

/** The service's own id for the venue. What is signed with it in place of the venue's own is valid nowhere. */
const serviceChainId = 3586256;

function assertSigningChain(id: number): void {
  if (!Number.isSafeInteger(id) || id < 1 || id === serviceChainId) throw new SigningChainError(id);
}

function within(name: string, value: unknown, { min, max }: { min: bigint; max: bigint }): bigint {
  const integer = Number.isSafeInteger(value) ? BigInt(value as number) : value;
  if (typeof integer === 'bigint' && integer >= min && integer <= max) return integer;
  throw new FieldError(name, `a whole number from ${min} to ${max}`, shown(value));
}

function memoOf(value: FlatJson.Value | undefined): Hex {
  if (Array.isArray(value) && value.length === 32 && value.every((byte) => byte >= 0n && byte < 256n))
    return bytesToHex(Uint8Array.from(value, Number));
  throw new FieldError('Memo', 'a list of 32 bytes', shown(value));
}

function signatureOf(value: FlatJson.Value | undefined): Uint8Array {
  if (typeof value === 'string' && /^[A-Za-z0-9+/]{107}=$/.test(value)) {
    const bytes = Uint8Array.from(atob(value), (letter) => letter.charCodeAt(0));
    // The last digit before the padding has two bits that say nothing: only one text stands for the bytes.
    if (btoa(String.fromCharCode(...bytes)) === value) return bytes;
  }
  throw new FieldError('Sig', '80 bytes in base64', shown(value));
}

function assertL1Signature(name: string, value: unknown): asserts value is Hex {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{130}$/.test(value))
    throw new FieldError(name, '0x and 130 hexadecimal digits', shown(value));
}

/** Numbers as they are; of the rest only what it is. */
function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (typeof value === 'number' || typeof value === 'bigint') return String(value).slice(0, 70);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === 'string' ? `a text of ${value.length} letters` : 'something else';
}

/** A field that the venue does not take. */
export class FieldError extends BaseError {
  override name = 'FieldError';
  constructor(field: string, expected: string, found: string) {
    super('sign.failed', 'The venue does not take such a transfer.', {
      facts: [
        ['field', field.slice(0, 70)],
        ['may be', expected],
        ['is', found.slice(0, 70)],
      ],
    });
  }
}

/** A chain id that no venue’s signatures are bound to. */
export class SigningChainError extends BaseError {
  override name = 'SigningChainError';
  constructor(id: number) {
    super('config.invalid', `The venue signs for no chain id ${id}.`, {
      hint:
        id === serviceChainId
          ? 'That is the service’s id of the venue. The signing id is 304 on the main network and 300 on the test network.'
          : 'It is a whole number: 304 on the main network, 300 on the test network.',
    });
  }
}
