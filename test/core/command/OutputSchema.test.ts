import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { errorEnvelope } from '../../../src/core/command/OutputSchema.js';
import { ferry } from '../../support/ferry.js';

test.each([['frob'], ['quote', '1', 'gamma/x', 'beta/usdc'], ['status', '0x1']])(
  'errorEnvelope: %j %j fails within it',
  async (...argv) => {
    const validate = new Ajv2020().compile(errorEnvelope());
    const ended = await ferry([...argv.filter((word) => word !== undefined), '--json']);
    validate(ended.json());
    expect(validate.errors).toBeNull();
  },
);
