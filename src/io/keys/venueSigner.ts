/** An API key of a venue account of which the private key is at hand. */

import type { VenueSigner } from '../../core/accounts/KeyStores.js';
import type { Random } from '../../venue/Schnorr.js';

/** A private key of a venue account by a name. */
export type VenueWallet = {
  /** What errors call it. */
  name: string;
  /** The private key: 80 hexadecimal digits, with `0x` or without. */
  key: string;
  /** Where the nonces of signatures come from: nobody may ever learn one. The system's own by default. */
  random?: Random | undefined;
};

/**
 * Somebody who signs for a venue account. The curve is loaded with the first one.
 *
 * @throws auth.keystore for what is no key · sign.failed for one that cannot sign
 */
export async function createVenueSigner({ name, key, random = bytes }: VenueWallet): Promise<VenueSigner> {
  const [Schnorr, PrivateKey] = await Promise.all([
    import('../../venue/Schnorr.js'),
    import('../../venue/PrivateKey.js'),
  ]);
  const { publicKey, sign } = Schnorr.keyPair(PrivateKey.from(key));
  return {
    name,
    publicKey: Buffer.from(publicKey).toString('hex'),
    sign: (message) => sign({ message, random }),
  };
}

function bytes(length: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(length));
}
