import type { Abi } from 'viem';
import { describe, expect, test } from 'vitest';
import * as KnownSignatures from '../../../src/core/trace/KnownSignatures.js';
import * as SelectorLookup from '../../../src/core/trace/SelectorLookup.js';
import * as sandboxAbi from '../../../src/sandbox/values/abi.js';

const { functions, errors } = KnownSignatures.signatures();
const textsOf = (map: SelectorLookup.Signatures['functions']): string[] =>
  [...map.values()].flat().map(({ text }) => text);

describe('signatures', () => {
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

  test.each([
    ['0x174dea71', 'aggregate3Value((address,bool,uint256,bytes)[])'],
    ['0x82ad56cb', 'aggregate3((address,bool,bytes)[])'],
    ['0x30f28b7a', 'permitTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes)'],
    [
      '0x137c29fe',
      'permitWitnessTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes32,string,bytes)',
    ],
    ['0x2b67b570', 'permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)'],
  ])('behavior: %s is the published selector of %s', (selector, text) => {
    expect(functions.get(selector)?.map((each) => each.text)).toEqual([text]);
  });

  test('behavior: no two share a selector', () => {
    expect([...functions.values(), ...errors.values()].filter((all) => all.length > 1)).toEqual([]);
  });
});
