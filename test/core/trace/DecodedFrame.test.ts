import { encodeFunctionData, encodeFunctionResult, parseAbi } from 'viem/utils';
import { expect, test } from 'vitest';
import * as DecodedFrame from '../../../src/core/trace/DecodedFrame.js';
import * as Frame from '../../../src/core/trace/Frame.js';
import * as KnownSignatures from '../../../src/core/trace/KnownSignatures.js';
import * as SelectorLookup from '../../../src/core/trace/SelectorLookup.js';

const abi = parseAbi(['function transfer(address to, uint256 value) returns (bool)']);
const usdc = '0xa27bc320252d51eeaa24bccf6cc003979e485860';
const dev1 = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const transfer = encodeFunctionData({ abi, functionName: 'transfer', args: [dev1, 5n] });
const key = { signatures: KnownSignatures.signatures(), names: new Map([[usdc, 'USDC']]) };

function decode(call: object, by: DecodedFrame.Key = key): DecodedFrame.Decoded {
  const [frame] = Frame.fromCallTracer({ type: 'CALL', from: dev1, to: usdc, ...call }) ?? [];
  if (!frame) throw new Error('no frame');
  return DecodedFrame.from(frame, by);
}

test('default: names, arguments and return values', () => {
  const output = encodeFunctionResult({ abi, functionName: 'transfer', result: true });
  expect(decode({ input: transfer, output })).toMatchObject({
    contract: 'USDC',
    function: 'transfer',
    selector: '0xa9059cbb',
    args: [
      { name: 'to', type: 'address', value: dev1 },
      { name: 'value', type: 'uint256', value: '5' },
    ],
    returned: [{ name: '', type: 'bool', value: true }],
    failed: false,
    revert: undefined,
  });
});

test('behavior: of two functions with one selector, the one that decodes the bytes, else both', () => {
  const rival = SelectorLookup.fromWritten(['function many_msg_babbage(bytes1)']);
  const by = { ...key, signatures: SelectorLookup.merge(key.signatures, rival) };
  expect(decode({ input: transfer }, by)).toMatchObject({ function: 'transfer', signatures: undefined });
  const both = ['transfer(address,uint256)', 'many_msg_babbage(bytes1)'];
  const words = '0'.repeat(128);
  for (const input of [`0xa9059cbb${words}`, '0xa9059cbb'])
    expect(decode({ input }, by)).toMatchObject({ function: undefined, args: undefined, signatures: both });
});

test('behavior: contract creations and precompile calls have no function, a halted call did not revert', () => {
  const created = decode({ type: 'CREATE2', input: transfer });
  const precompile = decode({ to: '0x0000000000000000000000000000000000000002', input: transfer });
  expect([created.selector, precompile.selector, precompile.function]).toEqual([undefined, undefined, undefined]);
  expect(decode({ input: transfer, error: 'out of gas' }).revert).toEqual({ type: 'halt', reason: 'out of gas' });
});
