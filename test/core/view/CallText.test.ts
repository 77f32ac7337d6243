import { encodeFunctionData, parseAbi } from 'viem';
import { expect, test } from 'vitest';
import { plain } from '../../../src/core/text/TerminalStyle.js';
import * as CallText from '../../../src/core/view/CallText.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';

const { address } = accounts.dev1;
const abi = parseAbi(['function transfer(address to, uint256 value)']);

test.each([
  [
    'a known function',
    encodeFunctionData({ abi, args: [address, 7n] }),
    '0',
    `transfer(to: ${address.toLowerCase()}, value: 7)`,
  ],
  ['an unknown one', '0x12345678aabb', '0', '0x12345678: a function that ferry does not know, 6 bytes'],
  ['no calldata', '0x', '1500000000000000000', 'no calldata with 1.5 of the native asset'],
  ['less than a selector', '0xab', '0', '0xab: a function that ferry does not know, 1 bytes'],
])('default: %s', (_, data, value, text) => {
  expect(CallText.format({ to: address, data, value }, plain)).toBe(text);
});
