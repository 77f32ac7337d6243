/** The home folder, which a user without an entry in the system's list of users may not have, as in containers. */
import { homedir } from 'node:os';
import { BaseError } from '../../core/base/Errors.js';

/** @throws config.unreadable if there is none */
export function homeFolder(): string {
  try {
    return homedir();
  } catch (cause) {
    throw new BaseError('config.unreadable', 'This user has no home folder, so ferry has no place for its files.', {
      hint: 'Set HOME, or FERRY_CONFIG_DIR and FERRY_STATE_DIR, to folders that last.',
      cause,
    });
  }
}
