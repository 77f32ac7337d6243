/**
 * Recomputes the id of an order from its content. A deposit carries the order id, so a matching id proves what the
 * deposit pays for and who receives it. Only version `v1` is supported: other versions have other fields.
 */

import * as Decode from '../api/schema/Decode.js';
import * as OrderData from '../api/schema/OrderData.js';
import type { Address } from '../base/Address.js';
import type { Hex } from '../base/Hex.js';
import * as Secp256k1 from '../base/Secp256k1.js';
import type { VmOf } from '../network/ChainVm.js';

import * as OrderStructHash from './OrderStructHash.js';

/** The id, or why it cannot be computed: a phrase without a period, which may quote the order's own text. */
export type Recomputed = { ok: true; id: Hex } | { ok: false; why: string };

/**
 * Recomputes the id of an order as received: the EIP-712 struct hash of its data, without a domain. Never throws. Fails
 * if any part of the order is not understood: a different version, an unknown field or chain, an invalid address or
 * number.
 *
 * @example id(response.protocol.v2.orderData, ChainVm.of(network.chains))
 */
export function id(orderData: unknown, vmOf: VmOf): Recomputed {
  const version = versionOf(orderData);
  if (version !== undefined && version !== 'v1') return unknown([`version: ${JSON.stringify(version)} is not "v1"`]);
  const decoding = Decode.from(OrderData.schema, orderData);
  if (!decoding.ok) return unknown(decoding.problems.map(Decode.format));
  const { hash, problems } = OrderStructHash.from(decoding.value, vmOf);
  return problems.length > 0 ? unknown(problems) : { ok: true, id: hash };
}

/**
 * Recovers the signer of an order id, signed as a personal message (EIP-191) over its 32 raw bytes. Undefined if the
 * text is not a valid 65-byte signature.
 */
export async function solverOf(orderId: Hex, signature: string): Promise<Address | undefined> {
  if (!/^0x[0-9a-fA-F]{130}$/.test(signature)) return undefined;
  try {
    return await Secp256k1.recoverMessage({ message: { raw: orderId }, signature: signature as Hex });
  } catch {
    return undefined;
  }
}

/** Read first, since a different version explains every other mismatch. */
function versionOf(orderData: unknown): string | undefined {
  if (typeof orderData !== 'object' || orderData === null || !('version' in orderData)) return undefined;
  return typeof orderData.version === 'string' ? orderData.version : undefined;
}

function unknown([first = '', ...others]: readonly string[]): Recomputed {
  const words = first.length > longest ? `${first.slice(0, longest)}…` : first;
  return { ok: false, why: others.length > 0 ? `${words} (and ${others.length} more)` : words };
}

/** The maximum length of a reason, since part of it may come from the service. */
const longest = 200;
