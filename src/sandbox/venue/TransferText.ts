/** Parses a transfer as the venue receives it: integers without loss of precision, each within its limits. */
import * as FlatJson from '../../venue/FlatJson.js';
import type * as Transfer from '../../venue/Transfer.js';
import { type Code, VenueRefusalError } from './VenueRefusal.js';

/** Limits of each integer, and the error codes below and above them. */
export const limits = {
  FromAccountIndex: [-1n, 2n ** 48n - 2n, 21102, 21102],
  ApiKeyIndex: [0n, 254n, 21110, 21110],
  ToAccountIndex: [-1n, 2n ** 48n - 2n, 21106, 21106],
  AssetIndex: [1n, 62n, 21801, 21801],
  FromRouteType: [0n, 1n, 21124, 21124],
  ToRouteType: [0n, 1n, 21124, 21124],
  Amount: [1n, 2n ** 60n - 1n, 21118, 21119],
  USDCFee: [0n, 2n ** 60n - 1n, 21134, 21134],
  ExpiredAt: [0n, 2n ** 48n - 1n, 21501, 21501],
  Nonce: [0n, 2n ** 63n - 1n, 21104, 21104],
} as const satisfies Record<string, readonly [least: bigint, greatest: bigint, below: Code, above: Code]>;

const known: readonly string[] = [...Object.keys(limits), 'Memo', 'Sig', 'L1Sig', 'L2TxAttributes'];

/** @throws VenueRefusalError: 21501 if the text is not a transfer, otherwise the code of the invalid field */
export function read(text: string): Transfer.Signed {
  const members = parse(text);
  // Attributes would change what is signed; the sandbox supports none.
  if ([...members.keys()].some((name) => !known.includes(name)) || (members.get('L2TxAttributes') ?? null) !== null)
    throw new VenueRefusalError(21501);
  const integer = (name: keyof typeof limits): bigint => within(name, members.get(name));
  const transfer = {
    fromAccountIndex: integer('FromAccountIndex'),
    apiKeyIndex: Number(integer('ApiKeyIndex')),
    toAccountIndex: integer('ToAccountIndex'),
    assetIndex: Number(integer('AssetIndex')),
    fromRouteType: Number(integer('FromRouteType')),
    toRouteType: Number(integer('ToRouteType')),
    amount: integer('Amount'),
    usdcFee: integer('USDCFee'),
    expiredAtMs: Number(integer('ExpiredAt')),
    nonce: integer('Nonce'),
    memo: memoOf(members.get('Memo')),
  };
  return {
    transfer,
    signature: signatureOf(members.get('Sig')),
    l1Signature: l1SignatureOf(members.get('L1Sig')),
  };
}

function parse(text: string): ReadonlyMap<string, FlatJson.Value> {
  try {
    return FlatJson.from(text);
  } catch {
    throw new VenueRefusalError(21501);
  }
}

function within(name: keyof typeof limits, value: FlatJson.Value | undefined): bigint {
  if (typeof value !== 'bigint') throw new VenueRefusalError(21501);
  const [least, greatest, below, above] = limits[name];
  if (value < least) throw new VenueRefusalError(below);
  if (value > greatest) throw new VenueRefusalError(above);
  return value;
}

function memoOf(value: FlatJson.Value | undefined): Transfer.Transfer['memo'] {
  if (!Array.isArray(value) || value.length !== 32 || value.some((byte) => byte < 0n || byte > 255n))
    throw new VenueRefusalError(21501);
  return `0x${Buffer.from(value.map(Number)).toString('hex')}`;
}

function signatureOf(value: FlatJson.Value | undefined): Uint8Array {
  const bytes = Buffer.from(typeof value === 'string' ? value : '', 'base64');
  if (bytes.length !== 80 || bytes.toString('base64') !== value) throw new VenueRefusalError(21120);
  return Uint8Array.from(bytes);
}

function l1SignatureOf(value: FlatJson.Value | undefined): Transfer.Signed['l1Signature'] {
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{130}$/.test(value)) throw new VenueRefusalError(21504);
  return value as `0x${string}`;
}
