import { encodeErrorResult, parseAbi } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import type * as SimulationFailure from '../../../src/core/api/schema/SimulationFailure.js';
import * as KnownSignatures from '../../../src/core/trace/KnownSignatures.js';
import * as SelectorLookup from '../../../src/core/trace/SelectorLookup.js';
import * as ServiceRevert from '../../../src/core/trace/ServiceRevert.js';

const known = KnownSignatures.signatures();
const claim = (
  revert: Partial<SimulationFailure.Revert> & Pick<SimulationFailure.Revert, 'type'>,
): SimulationFailure.Revert => ({
  label: 'LABEL',
  message: 'a message',
  ...revert,
});

describe('from', () => {
  test('default: an error string with the innermost frame’s reason', () => {
    expect(ServiceRevert.from(claim({ type: 'errorString', selector: '0x08C379A0' }), 'paused', known)).toEqual({
      type: 'errorString',
      reason: 'paused',
      selector: '0x08c379a0',
    });
    expect(ServiceRevert.from(claim({ type: 'errorString' }), undefined, known).reason).toBe('a message');
  });

  test.each([['17'], ['0x11']])('behavior: a panic of code %s is described in words', (code) => {
    expect(ServiceRevert.from(claim({ type: 'panic', args: { code } }), undefined, known)).toMatchObject({
      type: 'panic',
      reason: 'panic 0x11: an arithmetic overflow or underflow',
      args: [{ name: 'code', value: '17' }],
    });
  });

  test.each([[undefined], [{ code: 'much' }], [{ code: '9'.repeat(99) }]])(
    'behavior: a panic of the code %j',
    (args) => {
      const revert = ServiceRevert.from(claim({ type: 'panic', ...(args && { args }) }), undefined, known);
      expect(revert).toEqual({ type: 'panic', reason: 'a message' });
    },
  );

  test('behavior: a custom error as the service decoded it, with known types', () => {
    const args = { sender: '0xaa', balance: '0', hint: 'x' };
    const selector = '0xe450d38c';
    const revert = ServiceRevert.from(
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

  test('behavior: an error that wraps another one', () => {
    const abi = parseAbi(['error DelegationExpired(uint256 expiry)']);
    const reason = encodeErrorResult({ abi, errorName: 'DelegationExpired', args: [1n] });
    const args = { index: '0', reason };
    const revert = ServiceRevert.from(
      claim({ type: 'customError', name: 'DelegationRedeemFailed', args }),
      undefined,
      known,
    );
    expect(revert.cause).toMatchObject({ type: 'customError', name: 'DelegationExpired' });
  });

  test('behavior: an error that only the user’s signatures know', () => {
    const abi = parseAbi(['error Weird(uint256 value)']);
    const data = encodeErrorResult({ abi, errorName: 'Weird', args: [7n] });
    const unknown = claim({
      type: 'unknownCustomError',
      selector: data.slice(0, 10),
      rawArgsHex: `0x${data.slice(10)}`,
    });
    expect(ServiceRevert.from(unknown, undefined, known)).toEqual({
      type: 'unknownCustomError',
      reason: 'a message',
      selector: data.slice(0, 10),
    });
    const own = SelectorLookup.merge(SelectorLookup.fromWritten(['error Weird(uint256 value)']), known);
    expect(ServiceRevert.from(unknown, undefined, own)).toMatchObject({
      type: 'customError',
      name: 'Weird',
      reason: 'Weird(7)',
    });
  });
});
