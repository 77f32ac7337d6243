/** Derives the identifiers of a quote: its request id and the salt of its order. */

import { encodePacked, keccak256 } from 'viem/utils';
import type { Hex } from '../../core/base/Hex.js';

export type Identity = {
  /** `0x`, ten decimal digits of Unix seconds, 54 hexadecimal digits. */
  requestId: Hex;
  /** 32 bytes. */
  salt: Hex;
};

/** The identifiers of the sandbox's `sequence`th quote. Deterministic. */
export function from(source: { seed: string; sequence: number; nowMs: number }): Identity {
  const { seed, sequence, nowMs } = source;
  const seconds = Math.floor(nowMs / 1000)
    .toString()
    .padStart(10, '0')
    .slice(-10);
  return {
    requestId: `0x${seconds}${digest('request', seed, sequence).slice(2, 56)}`,
    salt: digest('salt', seed, sequence),
  };
}

/** The id of the sandbox's `sequence`th claim of app fees: 32 bytes. Deterministic. */
export function claimId({ seed, sequence }: { seed: string; sequence: number }): Hex {
  return digest('claim', seed, sequence);
}

function digest(purpose: string, seed: string, sequence: number): Hex {
  return keccak256(encodePacked(['string', 'string', 'uint256'], [purpose, `/${seed}/`, BigInt(sequence)]));
}
