/** The bytes by which an order knows an account or a currency, for every kind of chain. */
import { hexToBytes, numberToBytes } from 'viem/utils';
import type { Vm } from '../network/ChainVm.js';
import * as Base58 from './Base58.js';
import * as BitcoinAddress from './BitcoinAddress.js';
import * as TonAddress from './TonAddress.js';

/**
 * The bytes of an account, or undefined where the text is not exactly one: a wrong length, letter or checksum, or a
 * form that another chain uses. The case of hexadecimal digits does not count, as it does not for the service.
 */
export function account(text: string, vm: Vm): Uint8Array | undefined {
  switch (vm) {
    case 'ethereum-vm':
    case 'hyperliquid-vm':
      return hex(text, 20);
    case 'solana-vm': {
      const key = Base58.decode(text, Base58.bitcoin);
      return key?.length === 32 ? key : undefined;
    }
    case 'lighter-vm':
      return index(text);
    case 'tron-vm':
      return versioned(Base58.decodeChecked(text, Base58.bitcoin), 0x41);
    case 'xrp-vm':
      return versioned(Base58.decodeChecked(text, Base58.xrp), 0)?.slice(1);
    case 'ton-vm':
      return TonAddress.decode(text);
    case 'bitcoin-vm':
      return BitcoinAddress.decode(text);
  }
}

/** The bytes of a currency, or undefined where the text is none: on most chains an account, such as a token's. */
export function currency(text: string, vm: Vm): Uint8Array | undefined {
  if (vm === 'hyperliquid-vm') return hex(text, 16);
  // The witness version and the 19 bytes of the program, all zero.
  if (vm === 'bitcoin-vm' && text === BitcoinAddress.native) return new Uint8Array(20);
  return account(text, vm);
}

function hex(text: string, length: number): Uint8Array | undefined {
  return text.length === 2 + 2 * length && /^0x[0-9a-fA-F]*$/.test(text)
    ? hexToBytes(text as `0x${string}`)
    : undefined;
}

/** The venue counts its accounts and assets; a number takes 16 bytes. */
function index(text: string): Uint8Array | undefined {
  if (!/^(0|[1-9][0-9]{0,38})$/.test(text)) return undefined;
  const value = BigInt(text);
  return value < 2n ** 128n ? numberToBytes(value, { size: 16 }) : undefined;
}

/** A hash of 20 bytes behind its version byte. */
function versioned(payload: Uint8Array | undefined, version: number): Uint8Array | undefined {
  return payload?.length === 21 && payload[0] === version ? payload : undefined;
}
