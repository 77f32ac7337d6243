import type { Abi } from 'viem';
import { expect, test } from 'vitest';
import * as KnownSignatures from '../../../src/core/trace/KnownSignatures.js';
import * as SelectorLookup from '../../../src/core/trace/SelectorLookup.js';
import * as sandboxAbi from '../../../src/sandbox/values/abi.js';

const { functions, errors } = KnownSignatures.signatures();
const textsOf = (map: SelectorLookup.Signatures['functions']): string[] =>
  [...map.values()].flat().map(({ text }) => text);

test.each(Object.entries(sandboxAbi))('default: every function and error of the sandbox’s %s', (_, abi) => {
  const own = SelectorLookup.fromJson(JSON.stringify(abi as Abi), 'abi');
  expect(textsOf(own.functions).filter((text) => !textsOf(functions).includes(text))).toEqual([]);
  expect(textsOf(own.errors).filter((text) => !textsOf(errors).includes(text))).toEqual([]);
});

test.each([
  ['0x8baa579f', 'InvalidSignature()'],
  ['0xe450d38c', 'ERC20InsufficientBalance(address,uint256,uint256)'],
])('behavior: %s is the published selector of the error %s', (selector, text) => {
  expect(errors.get(selector)?.map((each) => each.text)).toEqual([text]);
});

test('behavior: no two share a selector', () => {
  expect([...functions.values(), ...errors.values()].filter((all) => all.length > 1)).toEqual([]);
});
