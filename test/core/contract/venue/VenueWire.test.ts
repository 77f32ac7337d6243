import { describe, expect, test } from 'vitest';
import * as VenueWire from '../../../../src/core/contract/venue/VenueWire.js';
import { decode, problems } from '../../../support/problems.js';
import { open } from '../../../support/venueCustomer.js';

describe('failure', () => {
  test("default: the sandbox's", async () => {
    const { body } = await open().get('/api/v1/tx?by=hash&value=ab');
    expect(decode(VenueWire.failure, body)).toEqual({ code: 21500, message: 'transaction not found' });
  });

  test('error: no code', () => {
    expect(problems(VenueWire.failure, { message: 'x' })).toEqual(['code: missing, expected a number']);
  });
});

describe('integer', () => {
  test.each([0, 281474976710654, '281474976710654', '-1'])('behavior: %s', (value) => {
    expect(problems(VenueWire.integer, value)).toEqual([]);
  });

  test.each([1.5, '1.5', '', null, 'x'])('error: %s', (value) => {
    expect(problems(VenueWire.integer, value)).not.toEqual([]);
  });
});

describe('decimal', () => {
  test.each(['0', '100.000000', '-1.5'])('behavior: %s', (value) => {
    expect(problems(VenueWire.decimal, value)).toEqual([]);
  });

  test.each([1, '', '1.', '.5', '1e3', '0x1'])('error: %s', (value) => {
    expect(problems(VenueWire.decimal, value)).not.toEqual([]);
  });
});

describe('bytes40', () => {
  test('default', () => {
    expect(problems(VenueWire.bytes40, 'ab'.repeat(40))).toEqual([]);
  });

  test.each(['ab'.repeat(39), 'AB'.repeat(40), `0x${'ab'.repeat(40)}`])('error: %s', (value) => {
    expect(problems(VenueWire.bytes40, value)).not.toEqual([]);
  });
});
