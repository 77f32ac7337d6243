import { describe, expect, test } from 'vitest';
import * as Chains from '../../../../src/core/api/catalog/Chains.js';
import { decode, problems, withUnknownFields } from '../../../support/problems.js';
import { describePublished, read as readPublished } from '../../../support/published.js';
import { read } from '../../../support/recorded.js';
import * as Shape from '../../../support/shape.js';

describe('query', () => {
  test('default', () => {
    expect(problems(Chains.query, { includeChains: '1,2' })).toEqual([]);
    expect(problems(Chains.query, {})).toEqual([]);
    expect(problems(Chains.query, { chains: '1' })).toEqual(['chains: unknown field']);
  });
});

describe('response', () => {
  test('default', () => {
    const recorded = read('chains');
    const { chains } = decode(Chains.response, recorded);
    expect({ chains }).toEqual(recorded);
    expect(chains.map(({ protocol }) => protocol?.v2?.chainId)).toEqual(['alpha', 'beta', 'lighter']);
  });

  test('behavior: keeps unknown fields at every level', () => {
    const later = withUnknownFields(read('chains'));
    expect(decode(Chains.response, later)).toEqual(later);
  });

  test('behavior: id and name are enough', () => {
    expect(problems(Chains.response, { chains: [{ id: 1, name: 'one' }] })).toEqual([]);
  });

  test('error: an id that is a string', () => {
    expect(problems(Chains.response, { chains: [{ id: '1', name: 'one' }] })).toEqual([
      'chains[0].id: expected a number',
    ]);
  });
});

describePublished('published chains', () => {
  test('default', () => {
    const published = readPublished('chains.json');
    expect(decode(Chains.response, published)).toEqual(published);
    expect(Shape.differences(Shape.from(read('chains')), Shape.from(published))).toEqual([]);
  });
});
