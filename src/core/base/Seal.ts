/**
 * Seals of what ferry writes for itself: a MAC with a secret of this user's. Whoever can write a file but cannot read the
 * secret can neither make a seal nor change what it covers.
 */

/** The user's secret as a function. `io` keeps the secret itself. */
export type Seal = {
  /** Names the secret without telling it, so that a text sealed by another secret is not taken for an altered one. */
  id: string;
  /** The MAC of a text, as 32 hexadecimal digits. */
  of(text: string): string;
};

/** `own`: sealed with this secret. `other`: not sealed, or with another secret. `altered`: names this secret in vain. */
export type Verdict = 'own' | 'other' | 'altered';

/** What is sealed. A seal of one purpose is none of another. */
export type Purpose = 'ferry.run' | 'ferry.quote';

/** The seal of a text: the name of the secret, and the MAC. */
export function from(seal: Seal, purpose: Purpose, text: string): string {
  return `${seal.id}.${seal.of(`${purpose}\n${text}`)}`;
}

/** Judges the seal that was found with a text. Without a secret nothing is known to be ours. */
export function judge(found: unknown, seal: Seal | undefined, purpose: Purpose, text: string): Verdict {
  if (!seal || typeof found !== 'string' || !found.startsWith(`${seal.id}.`)) return 'other';
  return isEqual(found, from(seal, purpose, text)) ? 'own' : 'altered';
}

/** Compares in a time that does not depend on where the texts differ. */
function isEqual(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let at = 0; at < b.length; at++) difference |= a.charCodeAt(at) ^ b.charCodeAt(at);
  return difference === 0;
}
