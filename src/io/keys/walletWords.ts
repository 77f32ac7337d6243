/**
 * The words of BIP-39 and the keys that BIP-44 derives from them, as other wallets do. The words are never kept: new ones
 * are shown once, on a terminal that forgets them.
 */
import { createHash } from 'node:crypto';
import type * as KeyStores from '../../core/accounts/KeyStores.js';
import { BaseError } from '../../core/base/Errors.js';
import * as Secret from '../../core/base/Secret.js';
import type { Asking } from './secretFile.js';
import { loadAccounts } from './viemAccounts.js';

export async function create(count: 12 | 24): Promise<Secret.Secret> {
  const { generateMnemonic, english } = await loadAccounts();
  return Secret.from(generateMnemonic(english, count === 12 ? 128 : 256));
}

/**
 * The key of the words at `m/44'/60'/0'/0/index`. They are in English, separated by any space, and their checksum must be
 * right: a mistyped word would otherwise make another key.
 *
 * @param place where they were read from
 * @throws auth.keystore, which reveals nothing of the words but their number
 */
export async function toKey(words: string, { index }: KeyStores.Derivation, place: string): Promise<Secret.Secret> {
  const { mnemonicToAccount, english } = await loadAccounts();
  const list = words.normalize('NFKD').toLowerCase().split(/\s+/u).filter(Boolean);
  const reason = objection(list, english);
  if (reason !== undefined)
    throw new BaseError('auth.keystore', 'These are not the words of a key.', {
      facts: [
        ['read from', place],
        ['reason', reason],
      ],
      hint: 'They are 12 to 24 English words of BIP-39, in their order. A passphrase besides them is not supported.',
    });
  const { privateKey } = mnemonicToAccount(list.join(' '), { addressIndex: index }).getHdKey();
  if (!privateKey) throw new TypeError('a derived key is private');
  return Secret.from(`0x${Buffer.from(privateKey).toString('hex')}`);
}

function objection(words: readonly string[], known: readonly string[]): string | undefined {
  const { length } = words;
  if (length < 12 || length > 24 || length % 3 !== 0) return `there are ${length}, and not 12, 15, 18, 21 or 24`;
  const indices = words.map((word) => known.indexOf(word));
  const unknown = indices.indexOf(-1);
  if (unknown >= 0) return `word ${unknown + 1} is not in the English list`;
  const bits = indices.map((each) => each.toString(2).padStart(11, '0')).join('');
  // One bit of checksum for 32 of entropy.
  const checked = length / 3;
  const entropy = bits.slice(0, -checked).match(/.{8}/g) ?? [];
  const [first = 0] = createHash('sha256')
    .update(Buffer.from(entropy.map((byte) => Number.parseInt(byte, 2))))
    .digest();
  return first.toString(2).padStart(8, '0').startsWith(bits.slice(-checked))
    ? undefined
    : 'their checksum is wrong: one is mistyped, or their order is another';
}

/** @throws prompt.unavailable where new words would be lost, or recorded by whoever reads the output */
export function assertTerminal({ interactive }: Pick<Asking, 'interactive'>): void {
  if (!interactive)
    throw new BaseError('prompt.unavailable', 'New words are shown on a terminal only, and there is none.', {
      hint: 'In a pipe, a log or JSON they would be lost, or kept by others. A key without words needs no terminal: leave out --mnemonic.',
    });
}

/**
 * Shows new words on the terminal, which clears them once the user has written them down, and asks for two of them.
 *
 * @param pick returns a number below its argument
 * @throws prompt.unavailable · prompt.declined
 */
export async function show(words: Secret.Secret, asking: Asking, pick: (below: number) => number): Promise<void> {
  assertTerminal(asking);
  const { prompt } = asking;
  const list = words.reveal().split(' ');
  const numbered = list.map((word, at) => `${String(at + 1).padStart(2)} ${word.padEnd(9)}`);
  const rows = Array.from(
    { length: list.length / 4 },
    (_, row) => `  ${numbered.slice(4 * row, 4 * row + 4).join(' ')}`,
  );
  const shown = `The words of the key, which are not kept and not shown again. Whoever has them has its funds.\n\n${rows.join('\n')}\n\n`;
  if (!(await prompt.confirm('Have you written them down?', 'no', shown)))
    throw new BaseError('prompt.declined', 'The words were not written down, so no key was made.');
  const first = pick(list.length);
  const second = (first + 1 + pick(list.length - 1)) % list.length;
  for (const at of [first, second].sort((a, b) => a - b))
    await prompt.password(`Word ${at + 1}`, async (typed) =>
      typed.trim().toLowerCase() === list[at] ? undefined : `That is not word ${at + 1}.`,
    );
}
