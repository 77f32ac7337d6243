import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import * as Decode from '../../../../src/core/api/schema/Decode.js';
import * as Primitives from '../../../../src/core/api/schema/Primitives.js';

const schema = z.strictObject({
  user: z.string(),
  chainId: z.int(),
  amount: Primitives.digits,
  kind: z.optional(z.enum(['swap', 'send'])),
  literal: z.optional(z.literal('rawCalls')),
  gas: z.optional(z.union([z.string(), z.number()])),
  calls: z.optional(z.array(z.strictObject({ to: Primitives.address })).check(z.minLength(1))),
  limit: z.optional(z.int().check(z.minimum(1), z.maximum(50))),
  referrer: z.optional(z.string().check(z.minLength(2))),
  sign: z.optional(
    z.discriminatedUnion('signatureKind', [
      z.strictObject({ signatureKind: z.literal('eip191'), message: z.string() }),
      z.strictObject({ signatureKind: z.literal('eip712'), value: z.string() }),
    ]),
  ),
});

const valid = { user: 'a', chainId: 1, amount: '5' };

function problems(value: unknown): readonly Decode.Problem[] {
  const decoding = Decode.from(schema, value);
  return decoding.ok ? [] : decoding.problems;
}

/** Each case: its name, what is changed of a valid value, ferry's message, the service's message. */
const cases: readonly [name: string, change: object, ours: string, theirs: string][] = [
  [
    'a missing field',
    { user: undefined },
    'user: missing, expected a string',
    "body must have required property 'user'",
  ],
  ['an unknown field', { x: 1 }, 'x: unknown field', 'body must NOT have additional properties'],
  ['null', { user: null }, 'user: expected a string', 'body/user must be string'],
  ['a fraction', { chainId: 1.5 }, 'chainId: expected an integer', 'body/chainId must be integer'],
  ['a pattern', { amount: '-5' }, 'amount: expected a string of digits', 'body/amount must match pattern "^[0-9]+$"'],
  [
    'a choice',
    { kind: 'x' },
    'kind: expected one of swap, send',
    'body/kind must be equal to one of the allowed values',
  ],
  ['a constant', { literal: 'x' }, 'literal: expected rawCalls', 'body/literal must be equal to constant'],
  ['a union', { gas: true }, 'gas: expected a string or a number', 'body/gas must be string,number'],
  ['too few items', { calls: [] }, 'calls: expected at least 1 item', 'body/calls must NOT have fewer than 1 items'],
  ['too small', { limit: 0 }, 'limit: expected at least 1', 'body/limit must be >= 1'],
  ['too large', { limit: 51 }, 'limit: expected at most 50', 'body/limit must be <= 50'],
  [
    'too short',
    { referrer: 'a' },
    'referrer: expected at least 2 characters',
    'body/referrer must NOT have fewer than 2 characters',
  ],
  [
    'a nested pattern',
    { calls: [{ to: '0x1' }] },
    'calls[0].to: expected an address (0x and 40 hexadecimal digits)',
    'body/calls/0/to must match pattern "^0x[a-fA-F0-9]{40}$"',
  ],
  [
    'a nested missing field',
    { calls: [{}] },
    'calls[0].to: missing, expected a string',
    "body/calls/0 must have required property 'to'",
  ],
  [
    'an unknown alternative',
    { sign: { signatureKind: 'x' } },
    'sign.signatureKind: expected one of eip191, eip712',
    'body/sign/signatureKind must be equal to one of the allowed values',
  ],
  [
    'a missing alternative',
    { sign: {} },
    'sign.signatureKind: missing, expected one of eip191, eip712',
    "body/sign must have required property 'signatureKind'",
  ],
  [
    'an unknown field of an alternative',
    { sign: { signatureKind: 'eip191', message: 'a', hash: 'b' } },
    'sign.hash: unknown field',
    'body/sign must NOT have additional properties',
  ],
];

test('from: behavior: reports every problem with its path', () => {
  expect(problems(7).map(Decode.format)).toEqual(['expected an object']);
  expect(problems({ chainId: '1', amount: '5', x: 1, calls: [{ to: '0x' }] }).map(Decode.format)).toEqual([
    'user: missing, expected a string',
    'chainId: expected a number',
    'calls[0].to: expected an address (0x and 40 hexadecimal digits)',
    'x: unknown field',
  ]);
});

test.each(cases)('format and formatSchemaMessage: %s', (_, change, ours, theirs) => {
  const found = problems({ ...valid, ...change });
  expect(found.map(Decode.format)).toEqual([ours]);
  expect(found.map((problem) => Decode.formatSchemaMessage(problem, 'body'))).toEqual([theirs]);
});

test('foremost', () => {
  const all = problems({ chainId: '1', amount: '5', x: 1 });
  expect(all.map(({ kind }) => kind)).toEqual(['missing', 'type', 'unknown']);
  expect(Decode.foremost(all)?.kind).toBe('missing');
  expect(Decode.foremost(all.slice(1))?.kind).toBe('unknown');
  expect(Decode.foremost(all.slice(1, 2))?.kind).toBe('type');
  expect(Decode.foremost([])).toBeUndefined();
});
