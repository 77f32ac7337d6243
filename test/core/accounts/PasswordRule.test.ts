import { expect, test } from 'vitest';
import * as PasswordRule from '../../../src/core/accounts/PasswordRule.js';

test.each([
  ['', {}, 'The password is empty.'],
  ['', { weakPassword: true }, 'The password is empty.'],
  ['1234567', {}, 'The password has fewer than 8 characters.'],
  ['1234567', { weakPassword: true }, undefined],
  ['12345678', {}, undefined],
  // Characters, not UTF-16 units.
  ['🦆🦆🦆🦆', {}, 'The password has fewer than 8 characters.'],
  ['🦆🦆🦆🦆🦆🦆🦆🦆', {}, undefined],
])('objection: %j under %j', (password, rule, wrong) => {
  expect(PasswordRule.objection(password, rule)).toBe(wrong);
});
