/** viem's accounts, tuned for a process that signs once or twice. */

/**
 * Loads viem's accounts with a small precomputed table of the generator's multiples. The curve's default table pays off
 * only over thousands of signatures: computing it takes longer than everything else a signature needs.
 */
export async function loadAccounts(): Promise<typeof import('viem/accounts')> {
  const [accounts, { secp256k1 }] = await Promise.all([import('viem/accounts'), import('@noble/curves/secp256k1')]);
  secp256k1.utils.precompute(windowBits);
  return accounts;
}

/** 520 points instead of 4,224. */
const windowBits = 4;
