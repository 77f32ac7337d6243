import { describe, expect, test } from 'vitest';
import type * as AppFeeClaims from '../../../src/core/api/AppFeeClaims.js';
import * as ClaimProof from '../../../src/core/claims/ClaimProof.js';
import { put } from '../../support/places.js';
import { describePublished, read } from '../../support/published.js';
import { failure } from '../../support/workbench.js';

const id = `0x${'a3'.repeat(32)}` as const;
const other = `0x${'b4'.repeat(32)}` as const;
const body = { kind: 'claim', requestId: id };
const honest = {
  steps: [
    {
      id: 'authorize',
      action: 'Sign authorization',
      description: 'Authorize claiming funds',
      kind: 'signature',
      items: [
        {
          status: 'incomplete',
          data: {
            sign: { signatureKind: 'eip191', message: id },
            post: { endpoint: '/execute/permits', method: 'POST', body },
          },
        },
      ],
    },
  ],
};
const sign = 'steps.0.items.0.data.sign';
const post = 'steps.0.items.0.data.post';

/** A permit that gives the liar everything. */
const permit = {
  signatureKind: 'eip712',
  domain: { name: 'USD Coin', version: '2', chainId: 313371, verifyingContract: `0x${'1'.repeat(40)}` },
  types: { Permit: [{ name: 'value', type: 'uint256' }] },
  primaryType: 'Permit',
  value: { value: '1000000' },
};

describe('idOf', () => {
  test('default: the id of the claim', () => {
    expect(ClaimProof.idOf(honest)).toBe(id);
  });

  test.each([
    ['a token permit', `${sign}`, permit],
    ['a text', `${sign}.message`, 'I agree to everything'],
    ['a shorter hash', `${sign}.message`, '0x12'],
    ['another hash than the claim’s', `${sign}.message`, other],
    ['the claim of another', `${post}.body.requestId`, other],
    ['a permit’s kind', `${post}.body.kind`, 'eip3009'],
    ['another field to post', `${post}.body.api`, 'swap'],
    ['another place', `${post}.endpoint`, 'https://liar.example/'],
    ['another route', `${post}.endpoint`, '/execute'],
    ['another method', `${post}.method`, 'GET'],
    ['nothing to post', `${post}`, undefined],
    ['another field beside the message', `${sign}.types`, {}],
    ['a check', 'steps.0.items.0.check', { endpoint: '/x', method: 'GET' }],
    ['a second message', 'steps.0.items.1', honest.steps[0]?.items[0]],
    ['no message', 'steps.0.items', []],
    ['a second step', 'steps.1', honest.steps[0]],
    ['no step', 'steps', []],
    ['a transaction', 'steps.0.kind', 'transaction'],
  ])('error: %s', async (_, path, value) => {
    const answer = put(honest, path, value) as AppFeeClaims.ClaimResponse;
    await failure('verify.mismatch', () => ClaimProof.idOf(answer));
  });
});

describePublished('the published claim', () => {
  test('default', () => {
    const published = read('live/app-fees-claim-1.json') as AppFeeClaims.ClaimResponse;
    expect(ClaimProof.idOf(published)).toMatch(/^0x[0-9a-f]{64}$/);
  });
});
