import { describe, expect, test } from 'vitest';
import * as Envelope from '../../../../src/core/api/venue/Envelope.js';
import { decode, problems } from '../../../support/problems.js';
import { open } from '../../../support/venueCustomer.js';

describe('failure', () => {
  test("default: the sandbox's", async () => {
    const { body } = await open().get('/api/v1/tx?by=hash&value=ab');
    expect(decode(Envelope.failure, body)).toEqual({ code: 21500, message: 'transaction not found' });
  });

  test('error: no code', () => {
    expect(problems(Envelope.failure, { message: 'x' })).toEqual(['code: missing, expected a number']);
  });
});

describe('integer', () => {
  test.each([0, 281474976710654, '281474976710654', '-1'])('behavior: %s', (value) => {
    expect(problems(Envelope.integer, value)).toEqual([]);
  });

  test.each([1.5, '1.5', '', null, 'x'])('error: %s', (value) => {
    expect(problems(Envelope.integer, value)).not.toEqual([]);
  });
});

describe('decimal', () => {
  test.each(['0', '100.000000', '-1.5'])('behavior: %s', (value) => {
    expect(problems(Envelope.decimal, value)).toEqual([]);
  });

  test.each([1, '', '1.', '.5', '1e3', '0x1'])('error: %s', (value) => {
    expect(problems(Envelope.decimal, value)).not.toEqual([]);
  });
});

describe('bytes40', () => {
  test('default', () => {
    expect(problems(Envelope.bytes40, 'ab'.repeat(40))).toEqual([]);
  });

  test.each(['ab'.repeat(39), 'AB'.repeat(40), `0x${'ab'.repeat(40)}`])('error: %s', (value) => {
    expect(problems(Envelope.bytes40, value)).not.toEqual([]);
  });
});
