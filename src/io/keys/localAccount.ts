/** An account that signs with a local private key. */

import { BaseError } from '../../core/base/Errors.js';
import type { Hex } from '../../core/base/Hex.js';
import * as DevelopmentAccount from '../../core/network/DevelopmentAccount.js';
import * as NetworkRegistry from '../../core/network/NetworkRegistry.js';
import type { Account } from '../../core/ports/Ports.js';
import * as SignedTransaction from '../../core/signing/SignedTransaction.js';
import { attempt } from '../files/attempt.js';
import { loadAccounts } from './viemAccounts.js';

/** A named private key. */
export type Wallet = {
  /** The name used in errors and events. */
  name: string;
  /** The private key, 32 bytes. */
  key: Hex;
};

/**
 * Creates an account that signs with a private key. A development key, which is public, signs only on the sandbox's
 * chains and venue.
 *
 * @throws sign.failed if the key is invalid; the account's methods throw sign.failed · auth.development-key
 */
export async function createAccount({ name, key }: Wallet): Promise<Account> {
  const { privateKeyToAccount } = await loadAccounts();
  const local = attempt(() => privateKeyToAccount(key));
  // The error says nothing of the key.
  if (!local) throw signError(name, { shortMessage: 'its key is not a 32-byte private key' });
  const signing = async <T>(sign: () => Promise<T>): Promise<T> => {
    try {
      return await sign();
    } catch (error) {
      throw signError(name, error);
    }
  };
  return assertPlace({
    name,
    address: local.address,
    signTransaction: (transaction) => signing(() => local.signTransaction(SignedTransaction.form(transaction))),
    signTypedData: (typed) => signing(() => local.signTypedData(typed as Parameters<typeof local.signTypedData>[0])),
    signMessage: (message) => signing(() => local.signMessage({ message })),
    signAuthorization: ({ chainId, address, nonce }) =>
      signing(async () => {
        const { r, s, yParity } = await local.signAuthorization({ chainId, address, nonce });
        return { chainId, address, nonce, yParity: yParity ?? 0, r, s };
      }),
  });
}

/**
 * The account, which signs only for the sandbox's chains and venue if its key is a development key. The chain ids decide
 * rather than the network's name, since a configuration file may define the network's chains.
 */
export async function assertPlace(account: Account): Promise<Account> {
  if (!DevelopmentAccount.isKnown(account.address)) return account;
  const { chains, venue } = await NetworkRegistry.load('sandbox');
  const sandboxIds = [...chains.filter(({ vm }) => vm === 'evm').map(({ id }) => id), venue?.signingChainId];
  const on = async <T>(chainId: number, sign: () => Promise<T>): Promise<T> => {
    if (!sandboxIds.includes(chainId)) throw DevelopmentAccount.developmentKey(account.name, `chain ${chainId}`);
    return sign();
  };
  return {
    ...account,
    signTransaction: (transaction) => on(transaction.chainId, () => account.signTransaction(transaction)),
    signTypedData: (typed) => on(Number(typed.domain.chainId), () => account.signTypedData(typed)),
    signMessage: (message, chainId) => on(chainId, () => account.signMessage(message, chainId)),
    signAuthorization: (wanted) => on(wanted.chainId, () => account.signAuthorization(wanted)),
  };
}

function signError(name: string, cause: unknown): BaseError {
  const { shortMessage } = cause as { shortMessage?: unknown };
  return new BaseError('sign.failed', `${name} could not sign.`, {
    facts: typeof shortMessage === 'string' ? [['reason', shortMessage]] : [],
  });
}
