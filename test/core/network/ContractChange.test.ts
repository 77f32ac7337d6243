import { expect, test } from 'vitest';
import * as ContractChange from '../../../src/core/network/ContractChange.js';
import { failure } from '../../support/workbench.js';

const one = '0x1111111111111111111111111111111111111111';
const mixed = '0xfbfbfDdd6e35dA57b7B0F9a2C10E34Be70B3A4E9';

test('default', () => {
  expect(ContractChange.toRequest('router')).toEqual({ contract: 'router', address: undefined });
  const asked = { contract: 'depository', address: mixed };
  expect(ContractChange.toRequest(`depository=${mixed.toLowerCase()}`)).toEqual(asked);
});

test.each(['approvalProxy', 'approvalproxy', 'approval-proxy'])('behavior: %s', (text) => {
  expect(ContractChange.toRequest(text).contract).toBe('approvalProxy');
});

test.each([
  ['vault', 'usage.invalid'],
  [`=${one}`, 'usage.invalid'],
  ['router=', 'request.invalid-address'],
  ['router=0x12', 'request.invalid-address'],
  [`router=${one}=${one}`, 'request.invalid-address'],
  [`router=${mixed.replace('D', 'd')}`, 'request.invalid-address'],
  [`router=0x${'0'.repeat(40)}`, 'request.invalid-address'],
])('error: %s', async (text, code) => {
  await failure(code, () => ContractChange.toRequest(text));
});

test('error: a misspelled name', async () => {
  const error = await failure('usage.invalid', () => ContractChange.toRequest('depositry'));
  expect(error.hint).toBe('Did you mean depository?');
});
