import { describe, expect, test } from 'vitest';
import * as Info from '../../../../src/core/api/venue/Info.js';
import { decode, problems, withUnknownFields } from '../../../support/problems.js';
import { open } from '../../../support/venueCustomer.js';

describe('response', () => {
  test("default: the sandbox's, and what a later version adds", async () => {
    const later = withUnknownFields((await open().get(Info.endpoint.path)).body);
    expect(decode(Info.response, later)).toEqual(later);
  });

  test('error: no contract', () => {
    expect(problems(Info.response, {})).toEqual(['contract_address: missing, expected a string']);
  });
});
