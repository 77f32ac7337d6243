/** What people take for a private key. */

const kinds: readonly (readonly [RegExp, hint: string])[] = [
  [/^\{/, 'It looks like an encrypted keystore. Import it with ferry key import --keystore.'],
  [
    /^([a-z]{3,8}\s+){11,23}[a-z]{3,8}$/i,
    'It looks like a recovery phrase, from which a wallet derives the keys of many accounts. Import one with ferry key import --mnemonic.',
  ],
  [/^[xyz]prv/, 'It looks like an extended key, from which a wallet derives many. Export the key of one account.'],
  [/^\[\s*\d/, 'It looks like a list of bytes, as wallets of Solana write keys. ferry signs on EVM chains alone.'],
  [/^-----BEGIN/, 'It looks like a PEM file. Leave only the 64 hexadecimal digits of the key.'],
  [/^(['"]).*\1$/, 'It is in quotes, which docker --env-file and others keep. Remove them.'],
  [/^(export\s+)?\w+\s*[=:]/m, 'It looks like a line of an .env file. Leave only the value, 64 hexadecimal digits.'],
  [/^(#|\/\/)/, 'It begins with a comment. Leave only the 64 hexadecimal digits of the key.'],
  [/\s/, 'It has several words or lines. Leave only the 64 hexadecimal digits of one key.'],
  [/^(0x)?[0-9a-f]{40}$/i, 'It has the length of an address. A private key has 64 hexadecimal digits.'],
  [/^(0x)?[0-9a-f]{64}$/i, 'No private key is zero or as large as this.'],
  [/^(0x)?[0-9a-f]{80}$/i, 'It has the length of an API key of the venue. A private key has 64 hexadecimal digits.'],
];

/** How to mend a text that is no private key. Nothing of it is repeated. */
export function of(text: string): string {
  const typed = text.trim();
  const hint = kinds.find(([form]) => form.test(typed))?.[1];
  const digits = /^(?:0x)?([0-9a-f]+)$/i.exec(typed)?.[1]?.length;
  if (hint === undefined && digits !== undefined)
    return `It has ${digits} hexadecimal digits. A private key has 64, with its leading zeros.`;
  return hint ?? 'A private key has 64 hexadecimal digits, with or without a 0x prefix.';
}
