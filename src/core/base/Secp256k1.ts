/** The table of multiples of the curve's generator, which every signature and every recovery of a signer needs. */

/**
 * Sets the size of the table. The default one pays off only over many signatures: computing it takes longer than
 * everything else that one signature needs. So the first ones get a small table, and the many ones the default.
 */
export async function prepare(): Promise<void> {
  if (calls === 0 || calls === many) {
    const { secp256k1 } = await import('@noble/curves/secp256k1');
    secp256k1.utils.precompute(calls === 0 ? smallBits : defaultBits);
  }
  calls += 1;
}

let calls = 0;
/** From then on, the default table is worth its time. */
const many = 200;
/** Bits of a window: 520 points instead of 4,224. */
const smallBits = 4;
const defaultBits = 8;
