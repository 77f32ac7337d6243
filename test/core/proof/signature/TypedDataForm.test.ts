import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { Grant } from '../../../../src/core/proof/signature/TokenGrant.js';
import * as TypedDataForm from '../../../../src/core/proof/signature/TypedDataForm.js';

const mail = TypedDataForm.types('Mail(address to,Part[] parts)', 'Part(bytes content)');

test('types', () => {
  expect(mail).toEqual({
    Mail: [
      { name: 'to', type: 'address' },
      { name: 'parts', type: 'Part[]' },
    ],
    Part: [{ name: 'content', type: 'bytes' }],
  });
  expect(TypedDataForm.primaryType(mail)).toBe('Mail');
});

describe('isSame', () => {
  test('default', () => {
    expect(TypedDataForm.isSame(mail, structuredClone(mail))).toBe(true);
    expect(
      TypedDataForm.isSame(mail, TypedDataForm.types('Part(bytes content)', 'Mail(address to,Part[] parts)')),
    ).toBe(true);
  });

  test.each([
    [['Mail(address to,Part[] parts)']],
    [['Mail(address to,Part[] parts)', 'Part(bytes content)', 'Other(bytes content)']],
    [['Mail(Part[] parts,address to)', 'Part(bytes content)']],
    [['Mail(address to,Part[2] parts)', 'Part(bytes content)']],
    [['Mail(address to,Part[] parts)', 'Part(bytes32 content)']],
    [['Mail(address to,Part[] parts,bytes more)', 'Part(bytes content)']],
    [['Mail(address to)', 'Part(bytes content)']],
  ])('behavior: %j is another', (structs) => {
    expect(TypedDataForm.isSame(mail, TypedDataForm.types(...structs))).toBe(false);
  });

  test('behavior: a name that contains a separator is not split', () => {
    const two = {
      Mail: [
        { name: 'to', type: 'address' },
        { name: 'by', type: 'address' },
      ],
    };
    const one = { Mail: [{ name: 'to,address by', type: 'address' }] };
    expect(TypedDataForm.format(one)).toBe(TypedDataForm.format(two));
    expect(TypedDataForm.isSame(one, two)).toBe(false);
  });

  test('behavior: true exactly if every struct has the same fields', () => {
    const field = fc.record({ name: fc.constantFrom('a', 'b'), type: fc.constantFrom('bool', 'bytes') });
    const types = fc.dictionary(fc.constantFrom('A', 'B'), fc.array(field, { maxLength: 2 }));
    fc.assert(
      fc.property(types, types, (a, b) => {
        const same =
          Object.keys(a).length === Object.keys(b).length &&
          Object.entries(a).every(([name, fields]) => JSON.stringify(fields) === JSON.stringify(b[name]));
        expect(TypedDataForm.isSame(a, b)).toBe(same);
      }),
    );
  });
});

describe('of', () => {
  const grant = { owner: undefined } as unknown as Grant;
  const form = TypedDataForm.of(mail, z.strictObject({ to: z.string() }), ({ to }, token) => ({
    grant,
    binding: { by: 'nothing', why: `${to} on ${token}` },
  }));

  test('default: decodes a message', () => {
    expect(form.read({ to: 'me' }, '0x01')).toEqual({
      ok: true,
      value: { message: { to: 'me' }, grant, binding: { by: 'nothing', why: 'me on 0x01' } },
    });
  });
});
