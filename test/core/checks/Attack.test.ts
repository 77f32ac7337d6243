import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import * as Attack from '../../../src/core/checks/Attack.js';
import { schema } from '../../../src/sandbox/http/faults.js';

test.each(Attack.attacks)('behavior: the sandbox takes what “$lie” needs', ({ faults, liar }) => {
  for (const { fault } of faults) expect(z.safeParse(schema, fault).success).toBe(true);
  expect(faults.length > 0).toBe(liar !== 'file');
});

test('behavior: a liar that acts on quotes or statuses never gives up before it is cleared', () => {
  const tampers = Attack.attacks.flatMap(({ faults }) => faults).filter(({ fault }) => fault.kind === 'tamper');
  expect(tampers.every(({ fault }) => fault.times === 0)).toBe(true);
});
