/** Signed transactions as bytes: what they say, and who signed them. */

import { recoverTransactionAddress, type TransactionSerializable } from 'viem';
import { hexToBigInt, hexToNumber, numberToHex, parseTransaction, serializeTransaction, toRlp } from 'viem/utils';
import type { Address } from '../base/Address.js';
import type { Hex } from '../base/Hex.js';
import * as Secp256k1 from '../base/Secp256k1.js';
import type { Authorization, Transaction } from '../ports/Ports.js';

/** What a transaction says, in lower case. What it leaves out is zero or empty. */
export type Content = Omit<Required<Transaction>, 'to' | 'data'> & {
  /** `eip1559`, `eip7702`, or one that ferry does not sign. */
  type: string;
  to: string;
  data: string;
  /** The addresses of its access list. */
  accessList: readonly string[];
};

/** A transaction in viem's form. */
export function form({ authorizationList, ...transaction }: Transaction): TransactionSerializable {
  return authorizationList
    ? { type: 'eip7702', ...transaction, authorizationList: [...authorizationList] }
    : { type: 'eip1559', ...transaction };
}

/** What a transaction says that is to be signed. */
export function contentOf({ authorizationList = [], ...transaction }: Transaction): Content {
  const type = authorizationList.length > 0 ? 'eip7702' : 'eip1559';
  const [to, data] = [transaction.to.toLowerCase(), transaction.data.toLowerCase()];
  return { ...transaction, type, to, data, accessList: [], authorizationList };
}

/** The fields that only some types have. */
type Fields = Partial<Pick<Content, 'maxFeePerGas' | 'maxPriorityFeePerGas' | 'authorizationList'>> & {
  accessList?: readonly { address: string }[];
};

/** Reads bytes, whoever signed them; undefined if they are no transaction. The signature is undefined if there is none. */
export function read(
  bytes: Hex,
): { content: Content; signature: { r: Hex; s: Hex; yParity: number } | undefined } | undefined {
  let found: TransactionSerializable;
  try {
    found = parseTransaction(bytes as `0x02${string}`);
  } catch {
    return undefined;
  }
  const fields: Fields = found as object;
  const { type = 'legacy', chainId = 0, nonce = 0, to, value = 0n, data = '0x', gas = 0n, r, s, yParity } = found;
  const { maxFeePerGas = 0n, maxPriorityFeePerGas = 0n, accessList = [], authorizationList = [] } = fields;
  const content = {
    ...{ type, chainId, nonce, value, gas, maxFeePerGas, maxPriorityFeePerGas },
    to: (to ?? '').toLowerCase(),
    data: data.toLowerCase(),
    accessList: accessList.map(({ address }) => address),
    authorizationList,
  };
  return { content, signature: r && s && yParity !== undefined ? { r, s, yParity } : undefined };
}

/** Who signed a transaction; undefined if nobody did. */
export async function signer(bytes: Hex): Promise<Address | undefined> {
  await Secp256k1.prepare();
  const serializedTransaction = bytes as `0x02${string}`;
  return recoverTransactionAddress({ serializedTransaction }).catch(() => undefined);
}

/** The bytes of a signed transaction. */
export function toBytes(transaction: Transaction, signature: { r: Hex; s: Hex; yParity: number }): Hex {
  return serializeTransaction(form(transaction), signature);
}

/** A signed authorization as bytes: the list of its parts in RLP. */
export function authorizationBytes({ chainId, address, nonce, yParity, r, s }: Authorization): Hex {
  const number = (value: number | bigint): Hex => (BigInt(value) === 0n ? '0x' : numberToHex(value));
  return toRlp([
    ...[number(chainId), address, number(nonce)],
    ...[yParity, hexToBigInt(r), hexToBigInt(s)].map(number),
  ]);
}

/** Reads such a list of parts. */
export function toAuthorization(parts: readonly Hex[]): Authorization | undefined {
  const [chainId, address, nonce, yParity, r, s, ...more] = parts;
  if (!chainId || !address || !nonce || !yParity || !r || !s || more.length > 0) return undefined;
  const number = (hex: Hex): number => (hex === '0x' ? 0 : hexToNumber(hex));
  return { chainId: number(chainId), address, nonce: number(nonce), yParity: number(yParity), r, s };
}
