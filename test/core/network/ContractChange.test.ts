import { describe, expect, test } from 'vitest';
import * as ContractChange from '../../../src/core/network/ContractChange.js';
import type { KnownContract } from '../../../src/core/network/TrustedContracts.js';
import { failure } from '../../support/workbench.js';

const one = '0x1111111111111111111111111111111111111111';
const two = '0x2222222222222222222222222222222222222222';
const mixed = '0xfbfbfDdd6e35dA57b7B0F9a2C10E34Be70B3A4E9';
const known: KnownContract[] = [
  { contract: 'depository', address: one, source: 'shipped', at: undefined, instead: undefined },
];

describe('toWish', () => {
  test('default', () => {
    expect(ContractChange.toRequest('router')).toEqual({ contract: 'router', address: undefined });
    expect(ContractChange.toRequest(`depository=${mixed.toLowerCase()}`)).toEqual({
      contract: 'depository',
      address: mixed,
    });
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
    expect((await failure('usage.invalid', () => ContractChange.toRequest('depositry'))).hint).toBe(
      'Did you mean depository?',
    );
  });
});

describe('from', () => {
  test('default: contracts that the service reports differently', () => {
    expect(ContractChange.from(known, { depository: two, router: mixed.toLowerCase() }, [])).toEqual([
      { contract: 'depository', before: one, source: 'shipped', after: two, service: two, hasCode: null },
      { contract: 'router', before: null, source: null, after: mixed, service: mixed, hasCode: null },
    ]);
  });

  test('behavior: nothing if all are known', () => {
    expect(ContractChange.from(known, { depository: one }, [])).toEqual([]);
    expect(ContractChange.from(known, {}, [])).toEqual([]);
    expect(ContractChange.from(known, { depository: two }, [{ contract: 'depository', address: one }])).toEqual([]);
  });

  test('behavior: only the contracts that the user named', () => {
    const testimony = { depository: two, router: two };
    const wish = { contract: 'router', address: undefined } as const;
    expect(ContractChange.from(known, testimony, [wish]).map(({ contract }) => contract)).toEqual(['router']);
    expect(ContractChange.from(known, testimony, [{ ...wish, address: mixed }])).toMatchObject([
      { contract: 'router', after: mixed, service: two },
    ]);
  });

  test('error: no address from the user or the service', async () => {
    await failure('usage.missing', () => ContractChange.from(known, {}, [{ contract: 'router', address: undefined }]));
  });
});
