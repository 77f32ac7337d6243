/** The options of keys that are derived from words (BIP-39 and BIP-44). */
import { BaseError } from '../base/Errors.js';
import type { Derivation } from './KeyStores.js';

/** For an existing wallet. */
export const flags = {
  mnemonic: { description: 'from 12 to 24 words; prompted for, or in the key file' },
  mnemonicIndex: { value: 'number', description: 'which address of the words: N of m/44’/60’/0’/0/N (default: 0)' },
} as const;

/** For new words. */
export const newFlags = {
  ...flags,
  mnemonic: { description: 'derive the key from new words, shown once on the terminal' },
  words: { value: 'number', choices: ['12', '24'], description: 'how many words (default: 12)' },
} as const;

type Typed = { mnemonic?: boolean | undefined; mnemonicIndex?: string | undefined };

/** The derivation that the options ask for; undefined if they ask for none. @throws usage.invalid */
export function from({ mnemonic = false, mnemonicIndex }: Typed): Derivation | undefined {
  if (!mnemonic) {
    if (mnemonicIndex === undefined) return undefined;
    throw new BaseError('usage.invalid', '--mnemonic-index is for a key from words: add --mnemonic.');
  }
  if (mnemonicIndex !== undefined && !/^\d{1,9}$/.test(mnemonicIndex))
    throw new BaseError('usage.invalid', '--mnemonic-index must be a whole number of at most nine digits.');
  return { index: Number(mnemonicIndex ?? 0) };
}

/** The same for new words, and how many. @throws usage.invalid */
export function newFrom({
  words,
  ...typed
}: Typed & { words?: string | undefined }): (Derivation & { count: 12 | 24 }) | undefined {
  const derivation = from(typed);
  if (!derivation && words !== undefined)
    throw new BaseError('usage.invalid', '--words is for a key from words: add --mnemonic.');
  return derivation && { ...derivation, count: words === '24' ? 24 : 12 };
}
