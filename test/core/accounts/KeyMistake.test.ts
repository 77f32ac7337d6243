import { expect, test } from 'vitest';
import * as KeyMistake from '../../../src/core/accounts/KeyMistake.js';

const digits = '4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318';

test.each([
  ['anything', 'hush', /^A private key has 64/],
  ['a keystore', ` {"version":3}`, /key import --keystore/],
  ['a recovery phrase', `${'test '.repeat(11)}junk\n`, /recovery phrase.*key import --mnemonic/],
  ['a phrase of 24 words, a line each', 'Abandon\n'.repeat(24), /recovery phrase/],
  ['a line of an .env file', `PRIVATE_KEY=0x${digits}`, /line of an \.env file/],
  ['a line that exports', `export KEY="${digits}"`, /line of an \.env file/],
  ['a line of YAML', `key: ${digits}`, /line of an \.env file/],
  ['quotes', `'0x${digits}'`, /in quotes/],
  ['a comment above', `# mine\n${digits}`, /comment/],
  ['two keys', `${digits}\n${digits}`, /several words or lines/],
  ['a PEM file', '-----BEGIN EC PRIVATE KEY-----\nMHQ', /PEM/],
  ['an address', `0x${digits.slice(0, 40)}`, /length of an address/],
  ['an extended key', `xprv${'hush'.repeat(27)}`, /extended key/],
  ['a list of bytes', `[76, 8, 131${', 1'.repeat(61)}]`, /list of bytes.*EVM chains alone/],
  ['a key without its leading zeros', `0x${digits.slice(2)}`, /has 62 hexadecimal digits/],
  ['a key of the venue', digits + digits.slice(0, 16), /API key of the venue/],
  ['zero', '0'.repeat(64), /zero/],
])('of: %s, of which nothing is repeated', (_, text, hint) => {
  expect(KeyMistake.of(text)).toMatch(hint);
  expect(KeyMistake.of(text)).not.toMatch(/4c0883|hush|junk|Abandon/);
});
