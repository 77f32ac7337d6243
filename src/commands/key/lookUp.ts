/** The key of a name, whichever kind it is: a wallet's, or an API key of the venue. */
import type { Context } from '../../context.js';
import type { KeyFiles } from '../../core/KeyFolder.js';
import * as StoredKey from '../../core/StoredKey.js';

export type Found = {
  key: StoredKey.StoredKey;
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
  if (apiKey) return { key: StoredKey.fromVenue(apiKey), files: apiKeys };
  return { key: StoredKey.from(await keystore.find(name)), files: keystore };
}
