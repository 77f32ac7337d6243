/** viem's accounts, tuned for a process that signs once or twice. */
import * as Secp256k1 from '../../core/base/Secp256k1.js';

export async function loadAccounts(): Promise<typeof import('viem/accounts')> {
  const [accounts] = await Promise.all([import('viem/accounts'), Secp256k1.prepare()]);
  return accounts;
}
