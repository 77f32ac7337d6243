/** Accounts and currencies of every kind of chain, encoded from their bytes: the inverse of the product's decoding. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { Vm } from '../../src/core/network/ChainVm.js';

/** An address and its bytes in an order. */
export type Known = { text: string; bytes: Uint8Array };

export const vms: readonly Vm[] = [
  'bitcoin-vm',
  'ethereum-vm',
  'hyperliquid-vm',
  'lighter-vm',
  'solana-vm',
  'ton-vm',
  'tron-vm',
  'xrp-vm',
];

/** Any account. */
export function account(vm: Vm): fc.Arbitrary<Known> {
  switch (vm) {
    case 'ethereum-vm':
    case 'hyperliquid-vm':
      return bytes(20).chain(inHex);
    case 'solana-vm':
      return bytes(32).map((key) => ({ text: base58(key, bitcoinDigits), bytes: key }));
    case 'lighter-vm':
      return fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }).map((index) => ({
        text: index.toString(),
        bytes: Uint8Array.from(Buffer.from(index.toString(16).padStart(32, '0'), 'hex')),
      }));
    case 'tron-vm':
      return bytes(20).map((hash) => {
        const payload = Uint8Array.of(0x41, ...hash);
        return { text: base58(checked(payload), bitcoinDigits), bytes: payload };
      });
    case 'xrp-vm':
      return bytes(20).map((id) => ({ text: base58(checked(Uint8Array.of(0, ...id)), xrpDigits), bytes: id }));
    case 'ton-vm':
      return fc
        .tuple(bytes(32), fc.constantFrom(...tonForms))
        .map(([hash, form]) => ({ text: form(hash), bytes: hash }));
    case 'bitcoin-vm':
      return fc.oneof(legacyBitcoin(), segwitBitcoin());
  }
}

/** Any currency. */
export function currency(vm: Vm): fc.Arbitrary<Known> {
  if (vm === 'hyperliquid-vm') return bytes(16).chain(inHex);
  if (vm !== 'bitcoin-vm') return account(vm);
  const native = { text: 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8', bytes: new Uint8Array(20) };
  return fc.oneof(fc.constant(native), account(vm));
}

/** A text of 5-bit groups with the checksum of BIP-173 (1) or BIP-350 (0x2bc830a3). */
export function bech32(prefix: string, groups: readonly number[], residue: number): string {
  const high = [...prefix].map((letter) => letter.charCodeAt(0) >> 5);
  const low = [...prefix].map((letter) => letter.charCodeAt(0) & 31);
  const sum = remainder([...high, 0, ...low, ...groups, 0, 0, 0, 0, 0, 0]) ^ BigInt(residue);
  const check = [25n, 20n, 15n, 10n, 5n, 0n].map((shift) => Number((sum >> shift) & 31n));
  return `${prefix}1${[...groups, ...check].map((group) => 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'[group]).join('')}`;
}

/** A witness program as text, whatever its version and length. */
export function segwit(prefix: string, version: number, program: Uint8Array): string {
  const bits = [...program].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = (bits.match(/.{1,5}/g) ?? []).map((group) => Number.parseInt(group.padEnd(5, '0'), 2));
  return bech32(prefix, [version, ...groups], version === 0 ? 1 : 0x2bc830a3);
}

/** TON's friendly form. */
export function friendly({ flags, workchain }: { flags: number; workchain: number }, hash: Uint8Array): string {
  const body = Uint8Array.of(flags, workchain & 0xff, ...hash);
  const sum = [...body, 0, 0]
    .flatMap((byte) => [...byte.toString(2).padStart(8, '0')].map(Number))
    .reduce((rest, bit) => {
      const next = (rest << 1) | bit;
      return next & 0x10000 ? next ^ 0x11021 : next;
    }, 0);
  return Buffer.from([...body, sum >> 8, sum & 0xff]).toString('base64url');
}

/** Bytes as a number in 58 digits. */
export function base58(from: Uint8Array, digits: string): string {
  let text = '';
  for (let value = BigInt(`0x0${Buffer.from(from).toString('hex')}`); value > 0n; value /= 58n)
    text = `${digits[Number(value % 58n)]}${text}`;
  const zeros = from.findIndex((byte) => byte !== 0);
  return `${digits.slice(0, 1).repeat(zeros < 0 ? from.length : zeros)}${text}`;
}

/** Bytes with the four first bytes of their double SHA-256. */
export function checked(payload: Uint8Array): Uint8Array {
  const sha256 = (of: Uint8Array): Uint8Array => createHash('sha256').update(of).digest();
  return Uint8Array.of(...payload, ...sha256(sha256(payload)).subarray(0, 4));
}

export const bitcoinDigits = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
export const xrpDigits = 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz';

const tonForms: readonly ((hash: Uint8Array) => string)[] = [
  (hash) => friendly({ flags: 0x11, workchain: 0 }, hash),
  (hash) => friendly({ flags: 0x51, workchain: 0 }, hash),
  (hash) => `0:${Buffer.from(hash).toString('hex')}`,
];

function bytes(length: number): fc.Arbitrary<Uint8Array> {
  return fc.uint8Array({ minLength: length, maxLength: length });
}

/** The case of each digit is free. */
function inHex(of: Uint8Array): fc.Arbitrary<Known> {
  return fc
    .mixedCase(fc.constant(Buffer.from(of).toString('hex')))
    .map((digits) => ({ text: `0x${digits}`, bytes: of }));
}

function legacyBitcoin(): fc.Arbitrary<Known> {
  return fc.tuple(fc.constantFrom(0, 5), bytes(20)).map(([version, hash]) => {
    const payload = Uint8Array.of(version, ...hash);
    return { text: base58(checked(payload), bitcoinDigits), bytes: Uint8Array.of(0xff, ...payload) };
  });
}

function segwitBitcoin(): fc.Arbitrary<Known> {
  const first = fc.oneof(bytes(20), bytes(32)).map((program) => ({ version: 0, program }));
  const later = fc.record({
    version: fc.integer({ min: 1, max: 16 }),
    program: fc.uint8Array({ minLength: 2, maxLength: 40 }),
  });
  return fc.oneof(first, later).map(({ version, program }) => ({
    text: segwit('bc', version, program),
    bytes: Uint8Array.of(version, ...program),
  }));
}

/** The remainder of the polynomial in the field of 32 elements that both standards define. */
function remainder(groups: readonly number[]): bigint {
  const generator = [0x3b6a57b2n, 0x26508e6dn, 0x1ea119fan, 0x3d4233ddn, 0x2a1462b3n];
  return groups.reduce((sum, group) => {
    const top = sum >> 25n;
    const shifted = ((sum & 0x1ffffffn) << 5n) ^ BigInt(group);
    return generator.reduce((value, term, bit) => ((top >> BigInt(bit)) & 1n ? value ^ term : value), shifted);
  }, 1n);
}
