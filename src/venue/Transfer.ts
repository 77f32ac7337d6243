/**
 * A transfer between two venue accounts (transaction type 12): the messages to sign and the transaction to send.
 * Source: lighter-go, types/txtypes.
 */

import { bytesToHex, hexToBytes } from 'viem/utils';
import { BaseError } from '../core/base/Errors.js';
import type { Hex } from '../core/base/Hex.js';

import * as FlatJson from './FlatJson.js';
import * as Goldilocks from './Goldilocks.js';
import * as Poseidon2 from './Poseidon2.js';

/** The fields of a transfer. */
export type Transfer = {
  fromAccountIndex: bigint;
  apiKeyIndex: number;
  toAccountIndex: bigint;
  assetIndex: number;
  /** 0 for perps, 1 for spot. */
  fromRouteType: number;
  toRouteType: number;
  /** In the asset's smallest unit. */
  amount: bigint;
  /** In millionths of USDC, paid on top of the amount. */
  usdcFee: bigint;
  /** 32 bytes. Only the owner's signature covers it. */
  memo: Hex;
  /** In Unix milliseconds. Only the API key's signature covers it. */
  expiredAtMs: number;
  nonce: bigint;
};

/** A signed transfer. */
export type Signed = {
  transfer: Transfer;
  /** The 80 bytes of the API key's signature over `hash`. */
  signature: Uint8Array;
  /** The owner's signature over `l1Message`, 65 bytes; not needed between accounts of one owner. */
  l1Signature: Hex | undefined;
};

type Integer = Exclude<keyof Transfer, 'memo'>;

/** The range of each integer, and the venue's name for it. */
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

/** Validates a transfer. @throws sign.failed with the name of a field that is out of range */
export function from(fields: Transfer): Transfer {
  for (const [name, { min, max }] of Object.entries(integers)) within(name, fields[name as Integer], { min, max });
  if (!/^0x[0-9a-fA-F]{64}$/.test(fields.memo)) throw fieldError('memo', '32 bytes as 0x and 64 digits', fields.memo);
  return { ...fields, memo: fields.memo.toLowerCase() as Hex };
}

/**
 * The 40-byte hash that the API key signs: Poseidon2 over 14 integers. It does not cover the memo.
 *
 * @throws sign.failed if a field is out of range · config.invalid if the signing chain id is invalid
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

/** The venue's transaction hash: 80 lowercase hexadecimal digits without `0x`. Throws like `hash`. */
export function txHash(transfer: Transfer, signingChainId: number): string {
  return bytesToHex(hash(transfer, signingChainId)).slice(2);
}

/**
 * The text that the account's owner signs as a personal message (EIP-191). It does not cover the expiry. Throws like
 * `hash`.
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
 * The JSON sent as `tx_info`, in the format of the venue's own signer.
 *
 * @throws sign.failed if a field is out of range or a signature has the wrong length
 */
export function toTxInfo({ transfer, signature, l1Signature }: Signed): string {
  const { memo, ...fields } = from(transfer);
  if (signature.length !== 80) throw fieldError('signature', '80 bytes', `${signature.length} bytes`);
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
 * Parses `tx_info`, also from other signers: whitespace and field order are free, integers may be decimal strings, and
 * `L2TxAttributes` is optional.
 * Before sending, compare the transfer with the request and verify both signatures.
 *
 * @throws sign.failed with the name of a field that is missing, unknown, duplicated or out of range
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
    return within(json, integerOf(take(json)), { min, max });
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
  if (attributes !== null) throw fieldError('L2TxAttributes', 'null or absent', shown(attributes));
  for (const name of fields.keys()) throw fieldError(name, 'absent', 'present');
  return { transfer, signature, l1Signature: l1Signature === '' ? undefined : l1Signature };
}

/** The service's chain id for the venue. Signatures bound to it instead of the venue's own id are valid nowhere. */
const serviceChainId = 3586256;

function assertSigningChain(id: number): void {
  if (!Number.isSafeInteger(id) || id < 1 || id === serviceChainId)
    throw new BaseError('config.invalid', `${id} is not a signing chain id of the venue.`, {
      hint:
        id === serviceChainId
          ? 'It is the service’s chain id for the venue. The signing chain id is 304 on mainnet and 300 on testnet.'
          : 'It is a whole number: 304 on mainnet, 300 on testnet.',
    });
}

function within(name: string, value: unknown, { min, max }: { min: bigint; max: bigint }): bigint {
  const integer = Number.isSafeInteger(value) ? BigInt(value as number) : value;
  if (typeof integer === 'bigint' && integer >= min && integer <= max) return integer;
  throw fieldError(name, `a whole number from ${min} to ${max}`, shown(value));
}

/** The integer of a decimal string, as languages write it whose numbers have 53 bits; any other value unchanged. */
function integerOf(value: FlatJson.Value | undefined): FlatJson.Value | undefined {
  return typeof value === 'string' && /^(0|-?[1-9][0-9]{0,18})$/.test(value) ? BigInt(value) : value;
}

function memoOf(value: FlatJson.Value | undefined): Hex {
  if (Array.isArray(value) && value.length === 32 && value.every((byte) => byte >= 0n && byte < 256n))
    return bytesToHex(Uint8Array.from(value, Number));
  throw fieldError('Memo', 'a list of 32 bytes', shown(value));
}

function signatureOf(value: FlatJson.Value | undefined): Uint8Array {
  if (typeof value === 'string' && /^[A-Za-z0-9+/]{107}=$/.test(value)) {
    const bytes = Uint8Array.from(atob(value), (letter) => letter.charCodeAt(0));
    // The last digit before the padding has two unused bits: accept only the canonical encoding.
    if (btoa(String.fromCharCode(...bytes)) === value) return bytes;
  }
  throw fieldError('Sig', '80 bytes in base64', shown(value));
}

function assertL1Signature(name: string, value: unknown): asserts value is Hex {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{130}$/.test(value))
    throw fieldError(name, '0x and 130 hexadecimal digits', shown(value));
}

/** Describes a value: numbers in full, anything else by its type. */
function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (typeof value === 'number' || typeof value === 'bigint') return String(value).slice(0, 70);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === 'string' ? `a string of ${value.length} characters` : 'another type';
}

/** The venue does not accept a field. */
function fieldError(field: string, expected: string, found: string): BaseError {
  return new BaseError('sign.failed', 'The venue does not accept this transfer.', {
    facts: [
      ['field', field.slice(0, 70)],
      ['expected', expected],
      ['found', found.slice(0, 70)],
    ],
  });
}
