/** Saves and loads the state of a stopped sandbox in one file: chain dumps, ledger and venue. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BaseError } from '../../core/base/Errors.js';
import * as atomicWrite from '../../io/files/atomicWrite.js';
import type { JsonValue } from '../values/BigintJson.js';

export type SavedState = {
  /** Version of ferry that saved the state; other versions deploy other contracts. */
  version: string;
  instance: string;
  seed: string;
  /** Unix time in milliseconds. */
  savedAt: number;
  /** Dump of each chain by name. */
  chains: Readonly<Record<string, string>>;
  ledger: JsonValue;
  venue: JsonValue;
};

/** Why a saved state cannot be used. */
export type Unusable = 'damaged' | 'of another version';

/** The only version of ferry whose saved states are usable. */
export const version = process.env.FERRY_VERSION ?? '0.0.0-dev';

/** Path of the state file within a state directory. */
export function stateFile(stateDir: string): string {
  return join(stateDir, 'sandbox', 'state.json');
}

/**
 * Loads the saved state; undefined if there is none. @throws config.unwritable if the file exists but cannot be read
 */
export function read(stateDir: string): SavedState | Unusable | undefined {
  const path = stateFile(stateDir);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new StateFileError(path, 'read', error);
  }
  try {
    const state = JSON.parse(text) as Partial<SavedState>;
    if (state.version !== version) return typeof state.version === 'string' ? 'of another version' : 'damaged';
    const isComplete =
      typeof state.instance === 'string' &&
      typeof state.seed === 'string' &&
      typeof state.chains === 'object' &&
      state.ledger !== undefined &&
      state.venue !== undefined;
    return isComplete ? (state as SavedState) : 'damaged';
  } catch {
    return 'damaged';
  }
}

/** Saves the state atomically. @throws config.unwritable if the file cannot be written */
export function write(stateDir: string, state: SavedState): void {
  const path = stateFile(stateDir);
  try {
    atomicWrite.replace(path, JSON.stringify(state));
  } catch (error) {
    throw new StateFileError(path, 'written', error);
  }
}

export class StateFileError extends BaseError {
  override name = 'StateFileError';
  constructor(path: string, what: 'read' | 'written', cause: unknown) {
    super('config.unwritable', `The state of the sandbox cannot be ${what}.`, {
      facts: [
        ['file', path],
        ['cause', cause instanceof Error ? cause.message : String(cause)],
      ],
      hint:
        what === 'written'
          ? 'Free some space, or set FERRY_STATE_DIR to another directory.'
          : 'Remove it to start with an empty sandbox.',
      next: what === 'written' ? undefined : 'ferry sandbox reset --yes',
      cause,
    });
  }
}
