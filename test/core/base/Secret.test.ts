import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import * as Secret from '../../../src/core/base/Secret.js';

test('behavior: does not leak when printed', () => {
  const secret = Secret.from('hush');
  expect(secret.reveal()).toBe('hush');
  const printed = [
    JSON.stringify({ secret }),
    `${secret}`,
    String(secret),
    inspect(secret, { depth: 9, showHidden: true }),
    inspect({ a: [secret] }, { depth: 9 }),
    JSON.stringify(Object.entries(secret)),
  ].join('\n');
  expect(printed).not.toContain('hush');
  expect(printed).toContain(Secret.mask);
});

test('behavior: cannot be changed by assignment', () => {
  const secret = Secret.from('hush');
  expect(() => Object.assign(secret, { reveal: () => 'other' })).toThrow(TypeError);
});
