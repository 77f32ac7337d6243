/** A fingerprint of a JSON value: the same for the same content, whatever the order of its keys. */
import { keccak256, stringToBytes } from 'viem/utils';
import type { Hex } from './Ports.js';

/** keccak256 of the value's JSON with sorted keys. Undefined members do not count, as in JSON. */
export function of(value: unknown): Hex {
  return keccak256(stringToBytes(JSON.stringify(sorted(value))));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  );
}
