/** Signs for a venue account with a local API key. */

import type { VenueSigner } from '../../core/accounts/KeyStores.js';
import type { Random } from '../../venue/Schnorr.js';

/** A named API key of a venue account. */
export type VenueWallet = {
  /** The name used in errors. */
  name: string;
  /** The private key: 80 hexadecimal digits, with or without `0x`. */
  key: string;
  /** Source of signature nonces, which must stay secret. Defaults to the system's random generator. */
  random?: Random | undefined;
};

/**
 * Creates a signer for a venue account. Loads the curve on first use.
 *
 * @throws auth.keystore if the key is malformed · sign.failed if it cannot sign
 */
export async function createVenueSigner({ name, key, random: given }: VenueWallet): Promise<VenueSigner> {
  const random = given ?? ((length) => crypto.getRandomValues(new Uint8Array(length)));
  const [Schnorr, PrivateKey] = await Promise.all([
    import('../../venue/Schnorr.js'),
    import('../../venue/PrivateKey.js'),
  ]);
  const privateKey = PrivateKey.from(key);
  return {
    name,
    publicKey: Buffer.from(Schnorr.publicKey(privateKey)).toString('hex'),
    sign: (message) => Schnorr.sign({ privateKey, message, random }),
  };
}
