/** Where ferry keeps its files: keys and pins beside the configuration, everything else in the state directory. */
import { isAbsolute, join, resolve } from 'node:path';
import type { Host } from '../terminal/host.js';
import * as configStore from './configStore.js';

export type Environment = Pick<Host, 'env' | 'cwd' | 'home'>;

/** `FERRY_KEYSTORE_DIR`, else `keys` beside the user's configuration. */
export function keys(place: Environment): string {
  const { FERRY_KEYSTORE_DIR: own } = place.env;
  return own ? resolve(place.cwd, own) : join(configStore.folder(place), 'keys');
}

/** Subfolder of the keys folder for venue API keys. No wallet key can have this name. */
export const venueFolder = 'venue.keys';

/** The pins file, in the folder of the user's configuration: pins are the user's decision and move with it. */
export function pins(place: Environment): string {
  return join(configStore.folder(place), 'pins.json');
}

export function countedPayments(place: Environment): string {
  return join(stateDir(place), 'counted');
}

export type SandboxPaths = ReturnType<typeof sandboxPaths>;

/** `FERRY_STATE_DIR`, else `$XDG_STATE_HOME/ferry`, else `~/.local/state/ferry`. */
export function stateDir(place: Environment): string {
  const { FERRY_STATE_DIR: own, XDG_STATE_HOME: xdg } = place.env;
  if (own) return resolve(place.cwd, own);
  return join(xdg && isAbsolute(xdg) ? xdg : join(place.home, '.local', 'state'), 'ferry');
}

export function sandboxPaths(place: Environment) {
  const folder = join(stateDir(place), 'sandbox');
  return {
    stateDir: stateDir(place),
    folder,
    /** The record of the running sandbox; exists only while one runs. */
    running: join(folder, 'running.json'),
    /** Held while a sandbox starts or stops. */
    lock: join(folder, 'lock'),
    /** Why the last start failed. */
    failure: join(folder, 'failure.json'),
    /** stdout and stderr of the background sandbox. */
    log: join(folder, 'log'),
  };
}
