/** What a signing command is asked to sign, as it reads it on its stdin, and the digest that every signature is over. */

import { getTypesForEIP712Domain } from 'viem';
import {
  hashAuthorization,
  hashMessage,
  hashTypedData,
  keccak256,
  serializeTransaction,
  serializeTypedData,
  stringToHex,
} from 'viem/utils';
import type { Address } from '../base/Address.js';
import type { Hex } from '../base/Hex.js';
import type { Transaction, TypedData } from '../ports/Ports.js';
import * as SignedTransaction from './SignedTransaction.js';

export type Act =
  | { type: 'transaction'; transaction: Transaction }
  | { type: 'typed-data'; typed: TypedData }
  /** A text of ferry's own making, signed as a message of EIP-191. */
  | { type: 'message'; message: string; chainId: number }
  | { type: 'authorization'; wanted: Delegation };

/** What an EIP-7702 authorization says. */
export type Delegation = { chainId: number; address: Address; nonce: number };

/** The 32 bytes that are signed. */
export function digest(act: Act): Hex {
  switch (act.type) {
    case 'transaction':
      return keccak256(unsigned(act.transaction));
    case 'typed-data':
      return hashTypedData(act.typed as Parameters<typeof hashTypedData>[0]);
    case 'message':
      return hashMessage(act.message);
    case 'authorization':
      return hashAuthorization(act.wanted);
  }
}

/** The transaction as it is signed. */
function unsigned(transaction: Transaction): Hex {
  return serializeTransaction(SignedTransaction.form(transaction));
}

/**
 * The input of a signing command: one line of JSON. Amounts are decimal strings, as are the integers of typed data, for
 * languages whose numbers have 53 bits.
 */
export function toInput(act: Act, account: Address): string {
  const { chainId, parameters, more } = contentOf(act);
  return `${JSON.stringify({ action: { type: act.type, parameters }, account, chainId, ...more, digest: digest(act) })}\n`;
}

type Content = {
  chainId: number;
  parameters: Readonly<Record<string, unknown>>;
  /** The same in the forms that some tools take. */
  more?: Readonly<Record<string, unknown>>;
};

function contentOf(act: Act): Content {
  if (act.type === 'typed-data') return ofTyped(act.typed);
  if (act.type === 'authorization') return { chainId: act.wanted.chainId, parameters: act.wanted };
  if (act.type === 'message') {
    const { message, chainId } = act;
    // As bytes too: a text that begins with 0x is bytes to some tools.
    return { chainId, parameters: { message, raw: stringToHex(message) } };
  }
  const { authorizationList, ...rest } = act.transaction;
  const { chainId, nonce, to, data, value, gas, maxFeePerGas, maxPriorityFeePerGas } = rest;
  const parameters = {
    type: authorizationList ? 4 : 2,
    chainId,
    nonce,
    to,
    value: String(value),
    data,
    gas: String(gas),
    maxFeePerGas: String(maxFeePerGas),
    maxPriorityFeePerGas: String(maxPriorityFeePerGas),
    accessList: [],
    // Each with its bytes, as a tool takes it that has no field for its parts.
    ...(authorizationList && {
      authorizationList: authorizationList.map((each) => ({
        ...each,
        signed: SignedTransaction.authorizationBytes(each),
      })),
    }),
  };
  return { chainId, parameters, more: { unsigned: unsigned(act.transaction) } };
}

/** The form of `eth_signTypedData_v4`, which names the fields of the domain too. */
function ofTyped(typed: TypedData): Content {
  const { domain, types, primaryType, message } = typed;
  const whole = {
    domain,
    types: { EIP712Domain: getTypesForEIP712Domain({ domain }), ...types },
    primaryType,
    message,
  };
  const parameters = JSON.parse(serializeTypedData(whole as Parameters<typeof serializeTypedData>[0]));
  return { chainId: Number(domain.chainId), parameters };
}
