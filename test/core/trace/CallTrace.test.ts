import { encodeErrorResult, parseAbi } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import type * as SimulationFailure from '../../../src/core/api/schema/SimulationFailure.js';
import * as CallTrace from '../../../src/core/trace/CallTrace.js';
import * as Frame from '../../../src/core/trace/Frame.js';
import * as KnownSignatures from '../../../src/core/trace/KnownSignatures.js';
import { read } from '../../support/recorded.js';

const bodies = read('execute-errors') as Record<string, { body: { details: SimulationFailure.Details } }>;
const key = { signatures: KnownSignatures.signatures(), names: new Map([['0x02', 'Token']]) };
const abi = parseAbi(['error Error(string)', 'error DelegationRedeemFailed(uint256 index, bytes reason)']);
const paused = encodeErrorResult({ abi, errorName: 'Error', args: ['paused'] });
const wrapped = encodeErrorResult({ abi, errorName: 'DelegationRedeemFailed', args: [0n, paused] });

type Drawn = { to?: string; error?: string; output?: string; calls?: readonly Drawn[] };

function call({ to = '0x01', calls = [], ...rest }: Drawn): object {
  return { type: 'CALL', from: '0x00', to, input: '0x', ...rest, calls: calls.map(call) };
}

function trace(drawn: Drawn): CallTrace.Trace {
  return CallTrace.from({ by: 'node', frames: Frame.fromCallTracer(call(drawn)) ?? [] }, key);
}

function claimed(details: SimulationFailure.Details): CallTrace.Trace {
  return CallTrace.from({ by: 'service', frames: Frame.fromDetails(details), claim: details.revert }, key);
}

const reverted = (output: string, calls: readonly Drawn[] = [], to = '0x01'): Drawn => ({
  to,
  error: 'execution reverted',
  output,
  calls,
});

describe('from', () => {
  test('default: the innermost failure, and the revert of the top call', () => {
    const found = trace(reverted(wrapped, [{}, reverted(paused, [{}], '0x02')]));
    expect(found.summary).toBe('Token reverted: "paused"');
    expect(found.failure).toMatchObject({
      innermost: 2,
      path: [0, 2],
      revert: { type: 'errorString', reason: 'paused' },
      reported: { name: 'DelegationRedeemFailed', cause: { reason: 'paused' } },
    });
    expect(found.frames.map(({ onPath }) => onPath)).toEqual([true, false, true, false]);
    expect(found.frames.map(({ failed }) => failed)).toEqual([true, false, true, false]);
  });

  test('behavior: a failure that propagates unchanged is reported once', () => {
    const found = trace(reverted(paused, [reverted(paused, [], '0x02')]));
    expect(found.failure?.reported).toBeUndefined();
    expect(found.failure?.innermost).toBe(1);
  });

  test.each([
    [{}, 'It succeeded'],
    [{ calls: [reverted('0x')] }, 'It succeeded; 1 inner call failed and was caught'],
    [{ calls: [reverted('0x', [reverted('0x')])] }, 'It succeeded; 2 inner calls failed and were caught'],
  ])('behavior: success, %j', (drawn, summary) => {
    expect(trace(drawn)).toMatchObject({ failed: false, summary });
    expect(trace(drawn).failure).toBeUndefined();
  });

  test.each([
    ['errorString', 'Token reverted: "transfer amount exceeds balance"'],
    ['panic', 'Permit2 failed: an arithmetic overflow or underflow (panic 0x11)'],
    ['customError', 'Permit2 reverted: DelegationRedeemFailed(index: 0)'],
    ['unknownCustomError', 'Permit2 reverted with an unknown custom error: 0xa1b2c3d4'],
    ['empty', 'Permit2 reverted without a reason'],
  ] as const)('behavior: the service’s %s has the same form', (type, summary) => {
    const details = bodies[type]?.body.details as SimulationFailure.Details;
    const found = claimed(details);
    expect(found).toMatchObject({ by: 'service', failed: true, summary, claim: details.revert });
    expect(found.failure).toMatchObject({ innermost: 1, path: [0, 1], revert: { type } });
    expect(CallTrace.schema.safeParse(JSON.parse(JSON.stringify(found))).error).toBeUndefined();
  });

  test('behavior: an error of the service that wraps another one', () => {
    const details = bodies.customError?.body.details as SimulationFailure.Details;
    const revert = { ...details.revert, args: { index: '0', reason: paused } };
    expect(claimed({ ...details, revert })).toMatchObject({
      summary: 'Permit2 reverted: "paused"',
      failure: { revert: { type: 'errorString' }, reported: { name: 'DelegationRedeemFailed' } },
    });
  });

  test('behavior: the summary is escaped', () => {
    const reason = encodeErrorResult({ abi, errorName: 'Error', args: ['no "way"\u001b[2J\u202e'] });
    expect(trace(reverted(reason)).summary).toBe('The contract 0x01 reverted: "no \\"way\\"\\x1b[2J\\u{202e}"');
  });
});

describe('prune', () => {
  const deep = (): CallTrace.Trace =>
    trace(reverted(paused, [{ calls: [{ calls: [{}] }] }, reverted(paused, [{}, reverted(paused, [{}])])]));

  test.each([
    [0, [0, 1, 2], [3, 1, 1], [0, 1, 2]],
    [1, [0, 1, 1, 2], [undefined, 2, 1, 1], [0, 2, 3]],
    [9, [0, 1, 2, 3, 1, 2, 2, 3], Array(8).fill(undefined), [0, 4, 6]],
  ])('default: %d levels', (levels, depths, hidden, path) => {
    const found = CallTrace.prune(deep(), levels);
    expect(found.frames.map(({ depth }) => depth)).toEqual(depths);
    expect(found.frames.map((frame) => frame.hidden)).toEqual(hidden);
    expect(found.failure?.path).toEqual(path);
    expect(path.every((index) => found.frames[index]?.onPath)).toBe(true);
  });
});

test.each([
  [{}],
  [{ by: 'node', failed: false, summary: '', frames: [{ depth: 1, type: 'CALL', failed: false, onPath: false }] }],
  [{ by: 'service', failed: true, summary: '', frames: [] }],
])('fromDocument: error: %j', (value) => {
  expect(CallTrace.fromDocument(value)).toBeUndefined();
});

describe('failingPath', () => {
  type Drawn = { depth: number; failed: boolean; output: string | undefined };

  /** Frames written as their depth, with `!` and the output if they failed: `0!a 1 1!a`. */
  function draw(text: string): Drawn[] {
    return text.split(' ').map((each) => {
      const [depth, output] = each.split('!');
      return { depth: Number(depth), failed: output !== undefined, output: output ? `0x${output}` : undefined };
    });
  }

  test.each([
    ['0 1 1', []],
    ['0 1!a 1', []],
    ['0!a', [0]],
    ['0!a 1 1!a', [0, 2]],
    ['0!a 1!a 2!a 3!a', [0, 1, 2, 3]],
    // The last call failed, and its caller reverted with a different error.
    ['0!b 1!a', [0, 1]],
    ['0! 1!', [0, 1]],
    // The first failure was caught; the second was not.
    ['0!b 1!a 1 1!b', [0, 3]],
    // A caught failure, and the contract's own revert.
    ['0!b 1!a 1', [0]],
    // Propagated after another call.
    ['0!a 1!a 1', [0, 1]],
    ['0! 1! 1', [0]],
    ['0!a 1!a 2 1', [0, 1]],
    // Failures inside a successful call do not count.
    ['0!a 1 2!a', [0]],
    ['0!a 1 2!x 1!a 2 2!a', [0, 3, 5]],
  ])('default: %s', (text, path) => {
    expect(CallTrace.failingPath(draw(text))).toEqual(path);
  });
});
