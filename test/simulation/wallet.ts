/** The account that pays: it really signs, and each signature only once, since the same bytes come in many runs. */

import { privateKeyToAccount } from 'viem/accounts';
import { hashTypedData, hexToBytes, keccak256, parseTransaction } from 'viem/utils';
import type { VenueSigner } from '../../src/core/accounts/KeyStores.js';
import type { Hex } from '../../src/core/base/Hex.js';
import type { Account, TypedData } from '../../src/core/ports/Ports.js';
import * as SignedTransaction from '../../src/core/signing/SignedTransaction.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { publicKeys } from '../../src/sandbox/venue/venueAccounts.js';
import type { Transaction } from './blockchain.js';
import * as contracts from './contracts.js';
import { digest } from './random.js';

const { address, privateKey } = accounts.dev0;
const local = privateKeyToAccount(privateKey);

export const owner = address;

/** What each signed transaction says. */
const transactions = new Map<Hex, Transaction>();

/** Enough for one run after the other, and no more. */
const mostKept = 20_000;

const signatures = new Map<string, Promise<Hex>>();
const authorizations = new Map<string, ReturnType<typeof local.signAuthorization>>();

/** What was signed before is not signed again: the same act gives the same bytes (RFC 6979). */
function once(act: unknown, sign: () => Promise<Hex>): Promise<Hex> {
  const made = signatures.get(keyOf(act)) ?? sign();
  if (signatures.size > mostKept) signatures.clear();
  signatures.set(keyOf(act), made);
  return made;
}

function keyOf(act: unknown): string {
  return JSON.stringify(act, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

/** @throws if the account has not signed it */
export function read(bytes: Hex): Transaction {
  const found = transactions.get(bytes);
  if (!found) throw new Error('The account has not signed this.');
  return found;
}

/** What signed bytes say; undefined if they are no transaction. */
export function find(bytes: string): Transaction | undefined {
  return transactions.get(bytes as Hex);
}

/** The API key of its account on the venue. Its signatures stand for real ones, which take milliseconds each. */
export const apiKey: VenueSigner = {
  name: 'key',
  publicKey: publicKeys.dev0,
  sign: (hash) => hexToBytes(`0x${[1, 2, 3].map((part) => digest(`${part} ${hash}`).slice(2)).join('')}`).slice(0, 80),
};

/** The account; `notice` is told of what it has signed. */
export function account(notice: (what: string, bytes: Hex) => void): Account {
  return {
    address,
    name: 'dev0',
    async signTransaction(wanted) {
      const bytes = await once(wanted, () => local.signTransaction(SignedTransaction.form(wanted)));
      if (transactions.size > mostKept) transactions.clear();
      if (!transactions.has(bytes)) transactions.set(bytes, parsed(bytes));
      notice('transaction', bytes);
      return bytes;
    },
    async signTypedData(typed) {
      const signature = await once(typed, () =>
        local.signTypedData(typed as Parameters<typeof local.signTypedData>[0]),
      );
      contracts.signed(address, hashTypedData(typed as Parameters<typeof hashTypedData>[0]), signature);
      notice((typed as TypedData).primaryType, signature);
      return signature;
    },
    async signMessage(message) {
      const signature = await once(message, () => local.signMessage({ message }));
      notice('message', signature);
      return signature;
    },
    async signAuthorization(wanted) {
      const made = authorizations.get(keyOf(wanted)) ?? local.signAuthorization(wanted);
      authorizations.set(keyOf(wanted), made);
      const { r, s, yParity = 0 } = await made;
      return { ...wanted, yParity, r, s };
    },
  };
}

/** What the bytes say that were really signed. */
function parsed(bytes: Hex): Transaction {
  const said = parseTransaction(bytes as `0x02${string}`);
  const { to, nonce = 0, data = '0x', value = 0n, gas = 0n, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = said;
  const call = { from: address.toLowerCase(), to: String(to).toLowerCase(), data, value };
  const [authorization] =
    (said as { authorizationList?: readonly { address: Hex; nonce: number }[] }).authorizationList ?? [];
  const delegation = authorization && {
    account: call.from,
    delegate: authorization.address.toLowerCase(),
    nonce: authorization.nonce,
  };
  return { ...call, hash: keccak256(bytes), nonce, gas, maxFeePerGas, maxPriorityFeePerGas, delegation };
}
