/** Where keys and pins are, for whoever only looks which there are and loads nothing to open them. */
import { join, resolve } from 'node:path';
import type { Host } from '../terminal/host.js';
import * as configStore from './configStore.js';

export type Place = Pick<Host, 'env' | 'cwd' | 'home'>;

/** `FERRY_KEYSTORE_DIR`, else `keys` beside the user's configuration. */
export function keys(place: Place): string {
  const { FERRY_KEYSTORE_DIR: own } = place.env;
  return own ? resolve(place.cwd, own) : join(configStore.folder(place), 'keys');
}

/** Where API keys of the venue are kept within that folder: no wallet's key can be called so. */
export const venueFolder = 'venue.keys';

/** In the folder of the user's configuration: it is the user's decision, and goes with it to another machine. */
export function pins(place: Place): string {
  return join(configStore.folder(place), 'pins.json');
}
