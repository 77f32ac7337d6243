import { encodeErrorResult, parseAbi } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import type * as SimulationFailure from '../../../src/core/api/schema/SimulationFailure.js';
import * as KnownSignatures from '../../../src/core/trace/KnownSignatures.js';
import * as Revert from '../../../src/core/trace/Revert.js';
import * as SelectorLookup from '../../../src/core/trace/SelectorLookup.js';

const abi = parseAbi([
  'error Error(string)',
  'error Panic(uint256)',
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
]);
const sender = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

describe('from', () => {
  test.each([
    [17n, 'panic 0x11: an arithmetic overflow or underflow'],
    [1n, 'panic 0x01: an assertion failed'],
    [255n, 'panic 0xff: unknown'],
  ])('behavior: panic %d', (code, reason) => {
    expect(Revert.from(encodeErrorResult({ abi, errorName: 'Panic', args: [code] }))).toEqual({
      type: 'panic',
      reason,
      selector: '0x4e487b71',
      args: [{ name: 'code', type: 'uint256', value: String(code) }],
    });
  });

  test('behavior: a well-known custom error', () => {
    expect(
      Revert.from(encodeErrorResult({ abi, errorName: 'ERC20InsufficientBalance', args: [sender, 1n, 2n] })),
    ).toEqual({
      type: 'customError',
      reason: `ERC20InsufficientBalance(${sender}, 1, 2)`,
      selector: '0xe450d38c',
      name: 'ERC20InsufficientBalance',
      args: [
        { name: 'sender', type: 'address', value: sender.toLowerCase() },
        { name: 'balance', type: 'uint256', value: '1' },
        { name: 'needed', type: 'uint256', value: '2' },
      ],
    });
  });

  test('behavior: errors in errors without end are read to a depth', () => {
    const wrap = (inner: `0x${string}`) =>
      encodeErrorResult({
        abi: parseAbi(['error CallFailed(bytes returnData)']),
        errorName: 'CallFailed',
        args: [inner],
      });
    let data = encodeErrorResult({ abi, errorName: 'Error', args: ['paused'] });
    for (let n = 0; n < 12; n++) data = wrap(data);
    let depth = 0;
    for (let each: Revert.Revert | undefined = Revert.from(data); each?.cause; each = each.cause) depth += 1;
    expect(depth).toBe(8);
  });

  test('behavior: names both errors if two with one selector decode the bytes', () => {
    const rivals = SelectorLookup.fromWritten([
      'error transfer(address to, uint256 value)',
      'error many_msg_babbage(bytes1)',
    ]);
    const both = ['transfer(address,uint256)', 'many_msg_babbage(bytes1)'];
    expect(Revert.from(`0xa9059cbb${'0'.repeat(128)}`, rivals)).toEqual({
      type: 'customError',
      reason: both.join(' or '),
      selector: '0xa9059cbb',
      signatures: both,
    });
    expect(Revert.from(`0xa9059cbb${'0'.repeat(127)}1`, rivals)).toMatchObject({ signatures: both });
    expect(Revert.from(`0xa9059cbb${'0'.repeat(63)}1${'0'.repeat(64)}`, rivals)).toMatchObject({ name: 'transfer' });
  });

  test('behavior: with the user’s signatures', () => {
    const own = [
      'error ERC20InsufficientBalance(address a, uint256 b, uint256 c)',
      'error Mine(string why, (uint8 a)[])',
    ];
    const signatures = SelectorLookup.fromWritten(own);
    const mine = encodeErrorResult({
      abi: parseAbi(['error Mine(string why, (uint8 a)[] parts)']),
      errorName: 'Mine',
      args: ['x', [{ a: 1 }]],
    });
    expect(Revert.from(mine)).toMatchObject({ type: 'unknownCustomError' });
    expect(Revert.from(mine, signatures)).toMatchObject({ reason: 'Mine(x, [{"a":"1"}])' });
  });
});

const known = KnownSignatures.signatures();
const claim = (
  revert: Partial<SimulationFailure.Revert> & Pick<SimulationFailure.Revert, 'type'>,
): SimulationFailure.Revert => ({
  label: 'LABEL',
  message: 'a message',
  ...revert,
});

describe('fromService', () => {
  test('default: an error string with the innermost frame’s reason', () => {
    expect(Revert.fromService(claim({ type: 'errorString', selector: '0x08C379A0' }), 'paused', known)).toEqual({
      type: 'errorString',
      reason: 'paused',
      selector: '0x08c379a0',
    });
    expect(Revert.fromService(claim({ type: 'errorString' }), undefined, known).reason).toBe('a message');
  });

  test.each([[undefined], [{ code: 'much' }], [{ code: '9'.repeat(99) }]])(
    'behavior: a panic of the code %j',
    (args) => {
      const revert = Revert.fromService(claim({ type: 'panic', ...(args && { args }) }), undefined, known);
      expect(revert).toEqual({ type: 'panic', reason: 'a message' });
    },
  );

  test('behavior: a custom error as the service decoded it, with known types', () => {
    const args = { sender: '0xaa', balance: '0', hint: 'x' };
    const selector = '0xe450d38c';
    const revert = Revert.fromService(
      claim({ type: 'customError', name: 'ERC20InsufficientBalance', selector, args }),
      '',
      known,
    );
    expect(revert).toMatchObject({ type: 'customError', name: 'ERC20InsufficientBalance', selector });
    expect(revert.args).toEqual([
      { name: 'sender', type: 'address', value: '0xaa' },
      { name: 'balance', type: 'uint256', value: '0' },
      { name: 'hint', value: 'x' },
    ]);
  });

  test('behavior: an error that only the user’s signatures know', () => {
    const abi = parseAbi(['error Weird(uint256 value)']);
    const data = encodeErrorResult({ abi, errorName: 'Weird', args: [7n] });
    const unknown = claim({
      type: 'unknownCustomError',
      selector: data.slice(0, 10),
      rawArgsHex: `0x${data.slice(10)}`,
    });
    expect(Revert.fromService(unknown, undefined, known)).toEqual({
      type: 'unknownCustomError',
      reason: 'a message',
      selector: data.slice(0, 10),
    });
    const own = SelectorLookup.merge(SelectorLookup.fromWritten(['error Weird(uint256 value)']), known);
    expect(Revert.fromService(unknown, undefined, own)).toMatchObject({
      type: 'customError',
      name: 'Weird',
      reason: 'Weird(7)',
    });
  });
});
