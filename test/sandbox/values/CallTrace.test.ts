import { describe, expect, test } from 'vitest';
import * as CallTrace from '../../../src/sandbox/values/CallTrace.js';
import * as market from '../../support/market.js';

/** A frame identified by its input. */
function frame(input: string, change: Partial<CallTrace.Frame> = {}): CallTrace.Frame {
  return { type: 'CALL', from: market.user, to: market.other, input: input as `0x${string}`, ...change };
}

const failed = { error: 'execution reverted' };

function path(top: CallTrace.Frame): string[] {
  return CallTrace.failingPath(top).map(({ input }) => input);
}

describe('failingPath', () => {
  test('default: down to the origin of the failure', () => {
    const inner = frame('0x03', failed);
    const middle = frame('0x02', { ...failed, calls: [frame('0xaa'), inner] });
    expect(path(frame('0x01', { ...failed, calls: [middle] }))).toEqual(['0x01', '0x02', '0x03']);
  });

  test('behavior: empty for a call that succeeds despite nested failures', () => {
    expect(path(frame('0x01', { calls: [frame('0x02', failed)] }))).toEqual([]);
  });

  test('behavior: a failure that the caller caught is not the cause', () => {
    const calls = [frame('0x02', { ...failed, output: '0x1111' }), frame('0x03')];
    expect(path(frame('0x01', { ...failed, output: '0x2222', calls }))).toEqual(['0x01']);
    expect(path(frame('0x01', { ...failed, calls: [frame('0x02', failed), frame('0x03')] }))).toEqual(['0x01']);
  });

  test('behavior: a failure whose data the caller reverts with is the cause, even before later calls', () => {
    const calls = [frame('0x02', { ...failed, output: '0x1111' }), frame('0x03')];
    expect(path(frame('0x01', { ...failed, output: '0xff1111', calls }))).toEqual(['0x01', '0x02']);
  });

  test('behavior: the last of several failures', () => {
    const calls = [frame('0x02', failed), frame('0x03', failed)];
    expect(path(frame('0x01', { ...failed, calls }))).toEqual(['0x01', '0x03']);
  });
});

describe('logs', () => {
  const log = (index: number) => ({ address: market.other, topics: [], data: '0x', index: `0x${index}` }) as const;

  test('default: logs of all calls in emission order', () => {
    const inner = frame('0x02', { logs: [log(1)] });
    const top = frame('0x01', { logs: [log(2), log(0)], calls: [inner] });
    expect(CallTrace.logs(top).map(({ index }) => index)).toEqual(['0x0', '0x1', '0x2']);
  });

  test('behavior: without reverted logs', () => {
    const inner = frame('0x02', { ...failed, logs: [log(1)], calls: [frame('0x03', { logs: [log(2)] })] });
    expect(CallTrace.logs(frame('0x01', { logs: [log(0)], calls: [inner] }))).toHaveLength(1);
  });
});
