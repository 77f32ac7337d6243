import { expect, test } from 'vitest';
import * as Chart from '../../../src/core/compare/Chart.js';
import { drawn } from '../../support/comparisons.js';

test('from: behavior: no chart without a cost', () => {
  expect(Chart.from(drawn({ 'beta/usdc': { '1': null } }))).toBeUndefined();
});
