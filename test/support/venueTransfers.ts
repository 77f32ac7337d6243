/** A venue transfer with its wire text, arbitrary transfers, and invalid field values. */
import fc from 'fast-check';
import { bytesToHex } from 'viem/utils';
import * as Memo from '../../src/venue/Memo.js';
import type * as Transfer from '../../src/venue/Transfer.js';
import type { Fields } from './venueVectors.js';

export const memo = `0x${'5f'.repeat(32)}` as const;
export const transfer: Transfer.Transfer = {
  fromAccountIndex: 509564n,
  apiKeyIndex: 4,
  toAccountIndex: 722011n,
  assetIndex: 3,
  fromRouteType: 0,
  toRouteType: 0,
  amount: 1_000_000n,
  usdcFee: 3_000_000n,
  memo,
  expiredAtMs: 1_795_187_183_228,
  nonce: 7n,
};
export const signature = Uint8Array.from({ length: 80 }, (_, index) => 255 - index);
export const l1Signature = `0x${'Ab'.repeat(65)}` as const;

/** The text that the venue's own signer produces for it. */
export const text =
  '{"FromAccountIndex":509564,"ApiKeyIndex":4,"ToAccountIndex":722011,"AssetIndex":3,"FromRouteType":0,"ToRouteType":0,' +
  `"Amount":1000000,"USDCFee":3000000,"Memo":[${Array.from({ length: 32 }, () => 95).join()}],"ExpiredAt":1795187183228,` +
  `"Nonce":7,"Sig":"${Buffer.from(signature).toString('base64')}","L1Sig":"","L2TxAttributes":null}`;

/** This many bytes as hexadecimal. */
export const digits = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((each) => bytesToHex(each));
/** Arbitrary transfers within the limits. */
export const transfers: fc.Arbitrary<Transfer.Transfer> = fc.record({
  fromAccountIndex: fc.bigInt({ min: -1n, max: 2n ** 48n - 2n }),
  apiKeyIndex: fc.nat({ max: 254 }),
  toAccountIndex: fc.bigInt({ min: -1n, max: 2n ** 48n - 2n }),
  assetIndex: fc.integer({ min: 1, max: 62 }),
  fromRouteType: fc.nat({ max: 1 }),
  toRouteType: fc.nat({ max: 1 }),
  amount: fc.bigInt({ min: 1n, max: 2n ** 60n - 1n }),
  usdcFee: fc.bigInt({ min: 0n, max: 2n ** 60n - 1n }),
  memo: digits(32),
  expiredAtMs: fc.integer({ min: 0, max: 2 ** 48 - 1 }),
  nonce: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
});

/** Invalid field values. */
export const outside: readonly (readonly [keyof Transfer.Transfer, unknown])[] = [
  ['fromAccountIndex', -2n],
  ['fromAccountIndex', 2n ** 48n - 1n],
  ['toAccountIndex', -2n],
  ['toAccountIndex', 2n ** 48n - 1n],
  ['apiKeyIndex', -1],
  ['apiKeyIndex', 255],
  ['apiKeyIndex', 1.5],
  ['apiKeyIndex', Number.NaN],
  ['assetIndex', 0],
  ['assetIndex', 63],
  ['fromRouteType', 2],
  ['toRouteType', -1],
  ['amount', 0n],
  ['amount', 2n ** 60n],
  ['usdcFee', -1n],
  ['usdcFee', 2n ** 60n],
  ['expiredAtMs', -1],
  ['expiredAtMs', 2 ** 48],
  ['nonce', -1n],
  ['nonce', 2n ** 63n],
  ['memo', '0x'],
  ['memo', `${memo}00`],
  ['memo', `0X${'5f'.repeat(32)}`],
];

/** The transfer of a test vector. */
export function transferOf(fields: Fields, memoHex: string): Transfer.Transfer {
  return {
    fromAccountIndex: BigInt(fields.FromAccountIndex),
    apiKeyIndex: Number(fields.ApiKeyIndex),
    toAccountIndex: BigInt(fields.ToAccountIndex),
    assetIndex: Number(fields.AssetIndex),
    fromRouteType: Number(fields.FromRouteType),
    toRouteType: Number(fields.ToRouteType),
    amount: BigInt(fields.Amount),
    usdcFee: BigInt(fields.USDCFee),
    memo: Memo.from(`0x${memoHex}`),
    expiredAtMs: Number(fields.ExpiredAt),
    nonce: BigInt(fields.Nonce),
  };
}
