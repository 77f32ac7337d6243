/** Finds a key by name, either a wallet key or a venue API key. */

import * as KeyListing from '../core/accounts/KeyListing.js';
import type { KeyFiles } from '../core/accounts/KeyStores.js';
import type { Context } from '../core/command/Context.js';

export type FoundKey = {
  key: KeyListing.StoredKey;
  /** Operations on its file. */
  files: KeyFiles;
};

/** Looks up a key without unlocking it. @throws auth.unknown-account · auth.keystore */
export async function lookUp(
  name: string,
  { keystore, venueKeys }: Pick<Context, 'keystore' | 'venueKeys'>,
): Promise<FoundKey> {
  const apiKeys = await venueKeys();
  const apiKey = (await apiKeys.list()).find((each) => each.name === name);
  if (apiKey) return { key: KeyListing.fromVenue(apiKey), files: apiKeys };
  return { key: KeyListing.from(await keystore.find(name)), files: keystore };
}
