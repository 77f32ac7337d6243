/** Test vectors of the venue's signature scheme: the project's own and, with FERRY_PUBLISHED, the published ones. */
import { bytesToHex, hexToBytes } from 'viem/utils';
import { read as readPublished } from './published.js';
import { read as readRecorded } from './recorded.js';

export type Parameters = {
  p: string;
  n: string;
  frobeniusRoot: string;
  generator: { x: string[]; z: string[]; u: string[]; t: string[]; encoded: string[] };
  poseidon2: { externalConstants: string[][]; internalConstants: string[]; internalDiagonalHex: string[] };
};

/** Fields by the venue's names, with integers as digit strings or numbers. */
export type Fields = Record<
  | 'FromAccountIndex'
  | 'ApiKeyIndex'
  | 'ToAccountIndex'
  | 'AssetIndex'
  | 'FromRouteType'
  | 'ToRouteType'
  | 'Amount'
  | 'USDCFee'
  | 'ExpiredAt'
  | 'Nonce',
  string | number
>;

type SignedTransfer = {
  fields: Fields;
  privateKeyHex: string;
  publicKeyHex: string;
  nonceKHex: string;
  signatureHex: string;
};

type Signature = { publicKeyHex: string; messageHex: string; signatureHex: string };

export const recorded = readRecorded('venue') as {
  parameters: Parameters;
  poseidon2: { input: string[]; output5Hex: string }[];
  generatorMultiples: { scalar: string; encodedHex: string }[];
  transfers: (SignedTransfer & { signingChainId: number; txHashHex: string; memoHex: string; l1Message: string })[];
  invalidSignatures: (Signature & { why: string })[];
  authTokens: { message: string; privateKeyHex: string; nonceKHex: string; token: string }[];
};

export type Published = {
  params: Parameters;
  poseidon2: {
    hashToFp5: { in: string[]; out: string[] }[];
  };
  fp5: Record<'a' | 'b' | 'add' | 'sub' | 'mul' | 'squareA' | 'frobeniusA' | 'inverseA' | 'nonSquare', string[]> & {
    sqrt: { x: string[]; canonicalRoot: string[] };
  };
  curve: {
    encode: Record<'x' | 'z' | 'u' | 't' | 'w', string[]>;
    scalarMul: { pointEncoded: string[]; scalarLimbs: string[]; resultEncoded: string[] };
    addDouble: Record<'w1' | 'w2' | 'w1+w2' | '2*w1' | '2*w2' | '2*w1+w2' | 'w1+2*w2', string[]>;
    notDecodable: string[][];
    generatorMultiples: { k: string; encoded: string[] }[];
  };
  scalar: { fromFp5AllMinusOne: { in: string[]; limbs: string[] } };
  schnorr: {
    valid: (Signature & { privateKeyHex: string; nonceKHex: string; message: string[]; messageElements?: string[] })[];
    invalid: (Signature & { note: string })[];
  };
  transfer: (SignedTransfer & {
    name: string;
    chainId: number;
    hashElements: string[];
    messageHashHex: string;
    memoHex?: string;
    l1Message?: string;
    l1MessageEip191HashHex?: string;
  })[];
  transferL1Messages: { memoHex: string; fieldsOf: string; body: string; eip191HashHex: string }[];
  attributes: { attributes: Record<string, number>; txHash: string[]; attributesHash?: string[]; resultHex: string }[];
  authToken: {
    message: string;
    elements: string[];
    messageHashHex: string;
    privateKeyHex: string;
    nonceKHex: string;
    signatureHex: string;
    token: string;
  }[];
};

/** The published vectors. Use only inside `describePublished`. */
export function published(): Published {
  return readPublished('venue-vectors.json') as Published;
}

/** The bytes of hex digits without `0x`. */
export function bytes(hex: string): Uint8Array {
  return hexToBytes(`0x${hex}`);
}

/** A random source that always returns these bytes. */
export function chance(hex: string): () => Uint8Array {
  return () => bytes(hex);
}

export function bigints(digits: readonly string[]): bigint[] {
  return digits.map(BigInt);
}

/** The hex digits of bytes, without `0x`. */
export function hex(of: Uint8Array): string {
  return bytesToHex(of).slice(2);
}
