import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { envelopeOf, errorEnvelope } from '../../../src/core/command/OutputSchema.js';
import { ferry } from '../../support/ferry.js';

describe('envelopeOf', () => {
  test('default: the name of the schema is the command’s', () => {
    const schema = envelopeOf('config list', z.object({ a: z.string() }));
    const validate = new Ajv2020().compile(schema);
    const envelope = { schema: 'ferry.config-list/1', ok: true, network: 'sandbox', data: { a: 'x' }, warnings: [] };
    expect(validate(envelope)).toBe(true);
    expect(validate({ ...envelope, schema: 'ferry.quote/1' })).toBe(false);
    expect(validate({ ...envelope, data: {} })).toBe(false);
  });
});

describe('errorEnvelope', () => {
  test.each([['frob'], ['quote', '1', 'gamma/x', 'beta/usdc'], ['status', '0x1']])(
    'default: %j %j fails within it',
    async (...argv) => {
      const validate = new Ajv2020().compile(errorEnvelope());
      const ended = await ferry([...argv.filter((word) => word !== undefined), '--json']);
      validate(ended.json());
      expect(validate.errors).toBeNull();
    },
  );
});
