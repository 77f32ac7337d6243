/**
 * The id of an order, recomputed from what the order says. A deposit carries the id, so whoever can recompute it knows
 * what the deposit pays for and who gets it. Only version `v1` is understood: other orders have other fields.
 */

import { bytesToHex, recoverMessageAddress } from 'viem/utils';
import * as Decode from '../api/schema/Decode.js';
import * as OrderData from '../api/schema/OrderData.js';
import type { Address } from '../base/Address.js';
import type { Hex } from '../base/Hex.js';
import type { VmOf } from '../network/ChainVm.js';

import * as OrderStructHash from './OrderStructHash.js';

/** The id, or why it cannot be known: a sentence without a full stop, in which the order's own words may stand. */
export type Recomputed = { ok: true; id: Hex } | { ok: false; why: string };

/**
 * Recomputes the id of an order as it came off the wire. Never throws, and gives no id where any part of the order is
 * not understood: another version, an unknown field or chain, an address or number that is not one.
 *
 * @example id(response.protocol.v2.orderData, Vm.of(network.chains))
 */
export function id(orderData: unknown, vmOf: VmOf): Recomputed {
  const version = versionOf(orderData);
  if (version !== undefined && version !== 'v1') return unknown([`version: ${JSON.stringify(version)} is not "v1"`]);
  const decoding = Decode.from(OrderData.schema, orderData);
  if (!decoding.ok) return unknown(decoding.problems.map(Decode.format));
  const { hash, problems } = OrderStructHash.from(decoding.value, vmOf);
  return problems.length > 0 ? unknown(problems) : { ok: true, id: bytesToHex(hash) };
}

/**
 * Who signed an order id as a personal message (EIP-191) over its 32 bytes. Undefined where the text is no signature of
 * 65 bytes, or one that nobody can have made.
 */
export async function solverOf(orderId: Hex, signature: string): Promise<Address | undefined> {
  if (!/^0x[0-9a-fA-F]{130}$/.test(signature)) return undefined;
  try {
    return await recoverMessageAddress({ message: { raw: orderId }, signature: signature as Hex });
  } catch {
    return undefined;
  }
}

/** Read before the rest, since an order of another version has other fields and the version explains them all. */
function versionOf(orderData: unknown): string | undefined {
  if (typeof orderData !== 'object' || orderData === null || !('version' in orderData)) return undefined;
  return typeof orderData.version === 'string' ? orderData.version : undefined;
}

function unknown([first = '', ...others]: readonly string[]): Recomputed {
  const words = first.length > longest ? `${first.slice(0, longest)}…` : first;
  return { ok: false, why: others.length > 0 ? `${words} (and ${others.length} more)` : words };
}

/** Letters of a reason: some of them are the service's. */
const longest = 200;
