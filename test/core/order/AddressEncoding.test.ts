import fc from 'fast-check';
import { bytesToHex } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import type { Vm } from '../../../src/core/network/ChainVm.js';
import * as AddressEncoding from '../../../src/core/order/AddressEncoding.js';
import {
  account as anyAccount,
  currency as anyCurrency,
  base58,
  bitcoinDigits,
  checked,
  friendly,
  vms,
  xrpDigits,
} from '../../support/addresses.js';

describe('account', () => {
  const cases: readonly (readonly [Vm, string, string])[] = [
    ['ethereum-vm', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'],
    ['hyperliquid-vm', '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'],
    [
      'solana-vm',
      'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
      '0xc6fa7af3bedbad3a3d65f36aabc97431b1bbe4c2d2f6e0e47ca60203452f5d61',
    ],
    ['lighter-vm', '509564', '0x0000000000000000000000000007c67c'],
    ['tron-vm', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', '0x41a614f803b6fd780986a42c78ec9c7f77e6ded13c'],
    ['ton-vm', 'EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c', `0x${'00'.repeat(32)}`],
    ['xrp-vm', 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', '0xb5f762798a53d543a014caf8b297cff8f2f937e8'],
    ['bitcoin-vm', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', '0x00751e76e8199196d454941c45d1b3a323f1433bd6'],
  ];

  test.each(cases)('default: %s', (vm, text, hex) => {
    const bytes = AddressEncoding.account(text, vm);
    expect(bytes && bytesToHex(bytes)).toBe(hex);
  });

  test.each(vms)('behavior: any account of %s', (vm) => {
    fc.assert(
      fc.property(anyAccount(vm), ({ text, bytes }) => {
        expect(AddressEncoding.account(text, vm)).toEqual(bytes);
      }),
    );
  });

  // Without a checksum, a longer text may also be an account, but a different one.
  const unchecked: Readonly<Partial<Record<Vm, (bytes: Uint8Array) => string>>> = {
    'solana-vm': (bytes) => base58(bytes, bitcoinDigits),
    'lighter-vm': (bytes) => BigInt(bytesToHex(bytes)).toString(),
  };

  test.each(vms)('error: anything before or after an account of %s', (vm) => {
    const around = fc.constantFrom(' ', '\n', '\0', '0', '1', 'r', '=', '\u200b', 'A');
    fc.assert(
      fc.property(anyAccount(vm), around, fc.boolean(), ({ text }, more, isBefore) => {
        const longer = isBefore ? more + text : text + more;
        const bytes = AddressEncoding.account(longer, vm);
        expect(bytes && unchecked[vm]?.(bytes)).toBe(bytes && longer);
      }),
    );
  });

  const tron = (version: number, length: number): string =>
    base58(checked(Uint8Array.of(version, ...new Uint8Array(length).fill(9))), bitcoinDigits);
  const tonHash = Uint8Array.from({ length: 32 }, (_, index) => 7 * index + 250);
  const refused: readonly (readonly [Vm, string, string])[] = [
    ['ethereum-vm', 'no prefix', '833589fcd6edb6e08f4c7c32d4f71b54bda02913'],
    ['ethereum-vm', 'a capital prefix', '0X833589fcd6edb6e08f4c7c32d4f71b54bda02913'],
    ['ethereum-vm', '19 bytes', `0x${'11'.repeat(19)}`],
    ['ethereum-vm', '21 bytes', `0x${'11'.repeat(21)}`],
    ['ethereum-vm', 'a letter that is no digit', `0x${'1g'.repeat(20)}`],
    ['hyperliquid-vm', 'a currency', `0x${'11'.repeat(16)}`],
    ['solana-vm', '31 bytes', base58(new Uint8Array(31).fill(9), bitcoinDigits)],
    ['solana-vm', '33 bytes', base58(new Uint8Array(33).fill(9), bitcoinDigits)],
    ['solana-vm', 'an EVM address', '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'],
    ['lighter-vm', 'a leading zero', '0509564'],
    ['lighter-vm', 'a sign', '-1'],
    ['lighter-vm', 'hexadecimal', '0x7c67c'],
    ['lighter-vm', 'a fraction', '1.0'],
    ['lighter-vm', 'nothing', ''],
    ['lighter-vm', '17 bytes', (2n ** 128n).toString()],
    ['lighter-vm', 'other digits', '٣'],
    ['tron-vm', 'hexadecimal', '41a614f803b6fd780986a42c78ec9c7f77e6ded13c'],
    ['tron-vm', 'another version', tron(0x42, 20)],
    ['tron-vm', 'a short hash', tron(0x41, 19)],
    ['tron-vm', 'a Bitcoin address', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
    ['tron-vm', 'a wrong checksum', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u'],
    ['ton-vm', 'the master chain', friendly({ flags: 0x11, workchain: -1 }, tonHash)],
    ['ton-vm', 'another workchain', friendly({ flags: 0x11, workchain: 1 }, tonHash)],
    ['ton-vm', 'for test chains only', friendly({ flags: 0x91, workchain: 0 }, tonHash)],
    ['ton-vm', 'flags that mean nothing', friendly({ flags: 0x12, workchain: 0 }, tonHash)],
    ['ton-vm', 'a short hash, raw', `0:${'00'.repeat(31)}`],
    ['ton-vm', 'a letter that is none, raw', `0:${'0g'.repeat(32)}`],
    ['ton-vm', 'a byte too few, with padding', `${friendly({ flags: 0x11, workchain: 0 }, tonHash.subarray(1))}=`],
    ['ton-vm', 'a byte too much', friendly({ flags: 0x11, workchain: 0 }, Uint8Array.of(...tonHash, 0))],
    ['xrp-vm', 'another version', base58(checked(Uint8Array.of(1, ...new Uint8Array(20))), xrpDigits)],
    ['xrp-vm', 'an X-address, which may hold a tag', 'XVLhHMPHU98es4dbozjVtdWzVrDjtV5fdx1mHp98tDMoQXb'],
    ['xrp-vm', 'the currency by name', 'xrp'],
    ['bitcoin-vm', 'the currency', 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8'],
  ];

  test.each(refused)('error: %s: %s', (vm, _, text) => {
    expect(AddressEncoding.account(text, vm)).toBeUndefined();
  });
});

describe('currency', () => {
  // The text that denotes each chain's native currency.
  const natives: readonly (readonly [Vm, string, number])[] = [
    ['ethereum-vm', '0x0000000000000000000000000000000000000000', 20],
    ['hyperliquid-vm', '0x00000000000000000000000000000000', 16],
    ['solana-vm', '11111111111111111111111111111111', 32],
    ['lighter-vm', '0', 16],
    ['ton-vm', 'EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c', 32],
    ['xrp-vm', 'rrrrrrrrrrrrrrrrrrrrrhoLvTp', 20],
    ['bitcoin-vm', 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8', 20],
  ];

  test.each(natives)('default: the native currency of %s', (vm, text, length) => {
    expect(AddressEncoding.currency(text, vm)).toEqual(new Uint8Array(length));
  });

  test('default: the native currency of tron-vm', () => {
    const bytes = AddressEncoding.currency('T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb', 'tron-vm');
    expect(bytes && bytesToHex(bytes)).toBe(`0x41${'00'.repeat(20)}`);
  });

  test.each(vms)('behavior: any currency of %s', (vm) => {
    fc.assert(
      fc.property(anyCurrency(vm), ({ text, bytes }) => {
        expect(AddressEncoding.currency(text, vm)).toEqual(bytes);
      }),
    );
  });

  test('error: a hyperliquid-vm account', () => {
    expect(AddressEncoding.currency(`0x${'11'.repeat(20)}`, 'hyperliquid-vm')).toBeUndefined();
  });
});
