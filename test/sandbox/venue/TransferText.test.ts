import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { limits, readTransfer } from '../../../src/sandbox/venue/admission.js';
import { type Fields, names, type TxInfo, toJson } from '../../support/venueCrypto/TxInfo.js';
import { fields, memo } from '../../support/venueCustomer.js';
import { transferOf } from '../../support/venueTransfers.js';

const tx: TxInfo = { ...fields(), Memo: memo, Sig: new Uint8Array(80).fill(7), L1Sig: `0x${'ab'.repeat(65)}` };
const text = toJson(tx);

/** What the text says. */
const transfer = transferOf(fieldsOf(tx), '5f'.repeat(32));
const signed = { transfer, signature: tx.Sig, l1Signature: tx.L1Sig };

/** The error code. */
function refusal(of: string): number | undefined {
  try {
    readTransfer(of);
  } catch (error) {
    return (error as { code: number }).code;
  }
  return undefined;
}

/** The text with one member replaced. */
function spelt(name: string, value: string): string {
  return text.replace(new RegExp(`"${name}":(-?\\d+|"[^"]*"|\\[[^\\]]*\\]|null)`), `"${name}":${value}`);
}

describe('read', () => {
  test('default', () => {
    expect(readTransfer(text)).toEqual(signed);
  });

  test('behavior: every number within its limits, without loss of precision', () => {
    for (const name of names) {
      const [least, greatest] = limits[name];
      fc.assert(
        fc.property(fc.bigInt({ min: least, max: greatest }), (value) => {
          const read = readTransfer(spelt(name, String(value)));
          expect(read.transfer).toEqual(transferOf({ ...fieldsOf(tx), [name]: String(value) }, '5f'.repeat(32)));
        }),
      );
    }
  });

  test.each(names)('error: %s beyond its limits', (name) => {
    const [least, greatest, below, above] = limits[name];
    expect(refusal(spelt(name, String(least - 1n)))).toBe(below);
    expect(refusal(spelt(name, String(greatest + 1n)))).toBe(above);
  });

  test.each(names)('error: %s is not an integer', (name: keyof Fields) => {
    for (const value of ['"4"', '4.0', '4e0', '4.5', 'null', 'true', '[4]', '{}']) {
      expect(refusal(spelt(name, value))).toBe(21501);
    }
  });

  test('behavior: whitespace and another order', () => {
    const members = Object.entries(JSON.parse(text)).reverse();
    expect(readTransfer(JSON.stringify(Object.fromEntries(members), null, 2))).toEqual(signed);
  });

  test('behavior: numeric strings are rejected', () => {
    expect(readTransfer(spelt('L1Sig', '""')).l1Signature).toBeUndefined();
    expect(refusal(spelt('Sig', '"12 -5 1e3"'))).toBe(21120);
  });

  test.each([
    ['not JSON', '{', 21501],
    ['an array', '[]', 21501],
    ['nothing', '', 21501],
    ['an unknown member', text.replace('{', '{"X":1,'), 21501],
    ['a member in another case', text.replace('"Nonce"', '"nonce"'), 21501],
    ['__proto__', text.replace('{', '{"__proto__":{},'), 21501],
    ['attributes', spelt('L2TxAttributes', '{"4":1}'), 21501],
    ['a memo of 31 bytes', spelt('Memo', `[${Array(31).fill(1)}]`), 21501],
    ['a memo with a byte of 256', spelt('Memo', `[256,${Array(31).fill(1)}]`), 21501],
    ['a memo in hex', spelt('Memo', `"${'5f'.repeat(32)}"`), 21501],
    ['a signature of 79 bytes', spelt('Sig', `"${Buffer.alloc(79).toString('base64')}"`), 21120],
    ['a signature in another base64 alphabet', spelt('Sig', `"${Buffer.alloc(80, 255).toString('base64url')}"`), 21120],
    ['no signature', spelt('Sig', 'null'), 21120],
    ["an owner's signature of 64 bytes", spelt('L1Sig', `"0x${'ab'.repeat(64)}"`), 21504],
    ["an owner's signature without a prefix", spelt('L1Sig', `"${'ab'.repeat(66)}"`), 21504],
  ])('error: %s', (_, of, code) => {
    expect(refusal(of)).toBe(code);
  });
});

/** Its integers as digits. */
function fieldsOf(of: TxInfo): Record<keyof Fields, string> {
  return Object.fromEntries(names.map((name) => [name, String(of[name])])) as Record<keyof Fields, string>;
}
