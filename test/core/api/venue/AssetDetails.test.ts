import { describe, expect, test } from 'vitest';
import * as AssetDetails from '../../../../src/core/api/venue/AssetDetails.js';
import { decode, problems, withUnknownFields } from '../../../support/problems.js';
import { open } from '../../../support/venueCustomer.js';

describe('response', () => {
  test("default: the sandbox's, and what a later version adds", async () => {
    const { body } = await open().get(AssetDetails.endpoint.path);
    const later = withUnknownFields(body);
    expect(decode(AssetDetails.response, later)).toEqual(later);
  });

  test('error: an asset without decimals', () => {
    expect(problems(AssetDetails.response, { asset_details: [{ asset_id: 3, symbol: 'USDC' }] })).toEqual([
      'asset_details[0].decimals: missing, expected a number',
    ]);
  });
});
