/** Validates signed EIP-7702 authorizations against the chain they target. */

import { hexToNumber, pad } from 'viem';
import { recoverAuthorizationAddress } from 'viem/utils';
import type * as Wire from '../../core/api/schema/Authorization.js';
import type { Address } from '../../core/base/Address.js';
import type { Hex } from '../../core/base/Hex.js';
import * as nodeRpc from '../chain/nodeRpc.js';
import type { Node } from '../chain/readMarket.js';
import type { Authorization } from '../chain/simulateCall.js';
import { executeError } from '../http/HttpError.js';

/**
 * Validates authorizations and recovers their accounts. A chain skips an invalid authorization silently, and the call
 * would then do something its sender did not intend, so the sandbox rejects it instead.
 *
 * @throws HttpError
 */
export async function readAuthorizations(
  node: Node,
  list: readonly Wire.Authorization[],
  field: string,
): Promise<readonly Authorization[]> {
  const nonces = new Map<Address, number>();
  const checked: Authorization[] = [];
  for (const [index, wire] of list.entries()) {
    const where = `${field}[${index}]`;
    const { chainId, nonce } = wire;
    if (chainId !== node.id)
      throw executeError(
        400,
        chainId === 0 ? `${where}.chainId is 0, which every chain takes` : `${where}.chainId is not ${node.id}`,
      );
    const authorization = await recover(wire, where);
    const { authority } = authorization;
    const current = nonces.get(authority) ?? (await nonceOf(node, authority));
    if (nonce !== current)
      throw executeError(400, `${where}.nonce is ${nonce}, but the account ${authority} is at ${current}`);
    nonces.set(authority, nonce + 1);
    checked.push(authorization);
  }
  return checked;
}

async function recover({ chainId, address, nonce, yParity, r, s }: Wire.Authorization, where: string) {
  const invalid = executeError(400, `${where} has an invalid signature`);
  if (!isWord(r) || !isWord(s) || (yParity !== 0 && yParity !== 1)) throw invalid;
  // Reject the malleable high-s form, as chains do.
  if (BigInt(s) > halfOrder) throw invalid;
  const signed = { chainId, address, nonce, yParity, r: pad(r, { size: 32 }), s: pad(s, { size: 32 }) };
  const authority = await recoverAuthorizationAddress({ authorization: signed }).catch(() => {
    throw invalid;
  });
  return { ...signed, authority };
}

function isWord(text: string): text is Hex {
  return /^0x[0-9a-fA-F]{1,64}$/.test(text);
}

/** Half the order of secp256k1. */
const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

async function nonceOf(node: Node, account: Address): Promise<number> {
  return hexToNumber((await nodeRpc.call(node.rpcUrl, 'eth_getTransactionCount', account, 'latest')) as Hex);
}
