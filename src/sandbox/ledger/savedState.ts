/** What a sandbox keeps while it does not run: the dumps of its chains, its ledger and its venue's books, in one file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BaseError } from '../../core/base/Errors.js';
import * as atomicWrite from '../../io/files/atomicWrite.js';
import type { JsonValue } from '../values/BigintJson.js';

export type SavedState = {
  /** The version of ferry that wrote it: another has other contracts. */
  version: string;
  instance: string;
  seed: string;
  /** Unix time in milliseconds. */
  savedAt: number;
  /** The dump of each chain by its name. */
  chains: Readonly<Record<string, string>>;
  ledger: JsonValue;
  venue: JsonValue;
};

/** Why a state that was kept is not used. */
export type Unusable = 'damaged' | 'of another version';

/** The version of ferry whose states this one can use. */
export const version = process.env.FERRY_VERSION ?? '0.0.0-dev';

/** Where it stands in a state directory. */
export function stateFile(stateDir: string): string {
  return join(stateDir, 'sandbox', 'state.json');
}

/** Undefined where none was kept. @throws config.unwritable where it is there and cannot be read */
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
    const isWhole =
      typeof state.instance === 'string' &&
      typeof state.seed === 'string' &&
      typeof state.chains === 'object' &&
      state.ledger !== undefined &&
      state.venue !== undefined;
    return isWhole ? (state as SavedState) : 'damaged';
  } catch {
    return 'damaged';
  }
}

/** Written whole or not at all: whatever happens, the file is the last state or the one before. @throws config.unwritable */
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
          ? 'Make room there, or let FERRY_STATE_DIR name another directory.'
          : 'Remove it to begin with an empty sandbox.',
      next: what === 'written' ? undefined : 'ferry sandbox reset --yes',
      cause,
    });
  }
}
