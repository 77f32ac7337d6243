/** viem's accounts for a process that signs once or twice. */

/**
 * Loads them with a small table of the generator's multiples. The curve's own table is made for thousands of signatures,
 * and takes longer to make than everything else that a signature needs.
 */
export async function loadAccounts(): Promise<typeof import('viem/accounts')> {
  const [accounts, { secp256k1 }] = await Promise.all([import('viem/accounts'), import('@noble/curves/secp256k1')]);
  secp256k1.utils.precompute(windowBits);
  return accounts;
}

/** 520 points instead of 4,224. */
const windowBits = 4;
