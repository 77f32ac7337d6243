/** An account whose key is elsewhere: a command of the user's own signs for it, and what it signed is checked here. */

import type { Address } from '../base/Address.js';
import type { Account } from '../ports/Ports.js';
import * as SignedTransaction from './SignedTransaction.js';
import type { Act } from './SigningAct.js';
import * as SigningAct from './SigningAct.js';
import * as SigningAnswer from './SigningAnswer.js';

/** The account, and how its command is run: the act on its stdin, its stdout as result. */
export type Wallet = { address: Address; run(input: string): Promise<string> };

/**
 * Creates the account. Each of its methods runs the command once, and throws auth.signer unless the answer is the
 * account's signature over exactly what was asked.
 */
export function from({ address, run }: Wallet): Account {
  const sign = async (act: Act): Promise<SigningAnswer.Signature> =>
    SigningAnswer.read(await run(SigningAct.toInput(act, address)), act, address);
  return {
    name: address,
    address,
    signTransaction: async (transaction) =>
      SignedTransaction.toBytes(transaction, await sign({ type: 'transaction', transaction })),
    signTypedData: async (typed) => SigningAnswer.toHex(await sign({ type: 'typed-data', typed })),
    signMessage: async (message, chainId) => SigningAnswer.toHex(await sign({ type: 'message', message, chainId })),
    signAuthorization: async ({ chainId, address: delegate, nonce }) => {
      const wanted = { chainId, address: delegate, nonce };
      return { ...wanted, ...(await sign({ type: 'authorization', wanted })) };
    },
  };
}
