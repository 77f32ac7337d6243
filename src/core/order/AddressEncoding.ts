/** Encodes accounts and currencies of every VM type as the bytes that the order protocol hashes. */
import { hexToBytes, numberToBytes } from 'viem/utils';
import type { Vm } from '../network/ChainVm.js';
import * as BaseCodec from './BaseCodec.js';
import * as BitcoinAddress from './BitcoinAddress.js';
import * as TonAddress from './TonAddress.js';

/**
 * The bytes of an account; undefined if the text is not a valid account of the VM type. Like the service, it ignores
 * the case of hexadecimal digits, so EIP-55 checksums are not verified.
 */
export function account(text: string, vm: Vm): Uint8Array | undefined {
  switch (vm) {
    case 'ethereum-vm':
    case 'hyperliquid-vm':
      return hex(text, 20);
    case 'solana-vm': {
      const key = BaseCodec.decode(text, BaseCodec.bitcoin);
      return key?.length === 32 ? key : undefined;
    }
    case 'lighter-vm':
      return index(text);
    case 'tron-vm':
      return versioned(BaseCodec.decodeChecked(text, BaseCodec.bitcoin), 0x41);
    case 'xrp-vm':
      return versioned(BaseCodec.decodeChecked(text, BaseCodec.xrp), 0)?.slice(1);
    case 'ton-vm':
      return TonAddress.decode(text);
    case 'bitcoin-vm':
      return BitcoinAddress.decode(text);
  }
}

/** The bytes of a currency; undefined if the text is not valid. On most chains it is an account, such as a token's. */
export function currency(text: string, vm: Vm): Uint8Array | undefined {
  if (vm === 'hyperliquid-vm') return hex(text, 16);
  // The witness version and the 19-byte program, all zero.
  if (vm === 'bitcoin-vm' && text === BitcoinAddress.native) return new Uint8Array(20);
  return account(text, vm);
}

function hex(text: string, length: number): Uint8Array | undefined {
  return text.length === 2 + 2 * length && /^0x[0-9a-fA-F]*$/.test(text)
    ? hexToBytes(text as `0x${string}`)
    : undefined;
}

/** Venue accounts and assets are indices, encoded in 16 bytes, big-endian. */
function index(text: string): Uint8Array | undefined {
  if (!/^(0|[1-9][0-9]{0,38})$/.test(text)) return undefined;
  const value = BigInt(text);
  return value < 2n ** 128n ? numberToBytes(value, { size: 16 }) : undefined;
}

/** A version byte followed by a 20-byte hash. */
function versioned(payload: Uint8Array | undefined, version: number): Uint8Array | undefined {
  return payload?.length === 21 && payload[0] === version ? payload : undefined;
}
