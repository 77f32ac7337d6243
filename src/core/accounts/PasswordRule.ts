/** What the password of a new or re-encrypted key file must be. Files that exist open with whatever they have. */
import { BaseError } from '../base/Errors.js';

/** The user's choice. An empty password is refused in any case: the file would not be encrypted. */
export type PasswordRule = {
  /** Whether a password shorter than `minLength` is accepted. */
  weakPassword?: boolean | undefined;
};

/** The fewest characters of a password that is not weak. */
const minLength = 8;

/** The option of every command that sets a password. */
export const flags = {
  weakPassword: { description: `accept a new password shorter than ${minLength} characters` },
} as const;

/** What is wrong with a password, in one sentence; undefined if nothing is. */
export function objection(password: string, { weakPassword = false }: PasswordRule): string | undefined {
  if (password === '') return 'The password is empty.';
  return weakPassword || [...password].length >= minLength
    ? undefined
    : `The password has fewer than ${minLength} characters.`;
}

/** Asserts that a password may be set. `place` is the file that it comes from. @throws auth.weak-password */
export function assertFit(password: string, rule: PasswordRule, place: string): void {
  const wrong = objection(password, rule);
  if (wrong !== undefined)
    throw new BaseError('auth.weak-password', wrong, {
      facts: [['read from', place]],
      hint:
        password === ''
          ? 'Everyone who can read the key file could use the key. Nothing was written.'
          : 'Nothing was written. To use it all the same, add --weak-password.',
    });
}
