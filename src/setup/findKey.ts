/** The key of a name, whichever kind it is: a wallet's, or an API key of the venue. */

import * as KeyListing from '../core/accounts/KeyListing.js';
import type { KeyFiles } from '../core/accounts/KeyStores.js';
import type { Context } from '../core/command/Context.js';

export type Found = {
  key: KeyListing.StoredKey;
  /** What can be done with its file. */
  files: KeyFiles;
};

/** Opens nothing. @throws auth.unknown-account · auth.keystore */
export async function lookUp(
  name: string,
  { keystore, venueKeys }: Pick<Context, 'keystore' | 'venueKeys'>,
): Promise<Found> {
  const apiKeys = await venueKeys();
  const apiKey = (await apiKeys.list()).find((each) => each.name === name);
  if (apiKey) return { key: KeyListing.fromVenue(apiKey), files: apiKeys };
  return { key: KeyListing.from(await keystore.find(name)), files: keystore };
}
