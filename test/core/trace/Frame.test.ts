import { describe, expect, test } from 'vitest';
import type * as SimulationFailure from '../../../src/core/api/schema/SimulationFailure.js';
import * as Frame from '../../../src/core/trace/Frame.js';
import { read } from '../../support/recorded.js';

const bodies = read('execute-errors') as Record<string, { body: { details: SimulationFailure.Details } }>;

describe('fromCallTracer', () => {
  test('default: in call order, with depths; amounts in decimal digits', () => {
    const leaf = (to: string) => ({ type: 'STATICCALL', from: '0x0A', to, input: '0x', gas: '0x10', gasUsed: '0x1' });
    const frames = Frame.fromCallTracer({
      type: 'CALL',
      from: '0x01',
      to: '0xAB',
      value: '0xde0b6b3a7640000',
      gas: '0x5208',
      gasUsed: '0x5208',
      input: '0xABCD',
      error: 'execution reverted',
      output: '0x',
      calls: [{ ...leaf('0x02'), calls: [leaf('0x03')] }, leaf('0x04')],
    });
    expect(frames?.map(({ depth, to }) => `${depth} ${to}`)).toEqual(['0 0xab', '1 0x02', '2 0x03', '1 0x04']);
    expect(frames?.[0]).toMatchObject({
      type: 'CALL',
      value: '1000000000000000000',
      gas: '21000',
      input: '0xabcd',
      error: 'execution reverted',
    });
    expect(frames?.[1]?.error).toBeUndefined();
  });

  test('behavior: fields of the wrong type count as absent', () => {
    const [frame] =
      Frame.fromCallTracer({ type: 'call', to: 3, value: '-1', gasUsed: {}, input: 'x', error: '' }) ?? [];
    expect(frame).toEqual({ depth: 0, type: 'CALL' });
  });

  test('behavior: deeper than the JavaScript stack', () => {
    type Call = { type: string; from: string; calls?: Call[] };
    let call: Call = { type: 'CALL', from: '0x01' };
    for (let depth = 0; depth < 100_000; depth++) call = { type: 'CALL', from: '0x01', calls: [call] };
    expect(Frame.fromCallTracer(call)?.at(-1)?.depth).toBe(100_000);
  });

  test.each([
    [null],
    [[]],
    [{ failed: false, gas: 0, returnValue: '0x', structLogs: [] }],
    [{ type: 'CALL', from: '0x01', calls: [{ to: '0x02' }] }],
  ])('error: %j is not a call', (value) => {
    expect(Frame.fromCallTracer(value)).toBeUndefined();
  });
});

describe('fromDetails', () => {
  test('default: the path, completed by the top and innermost frames', () => {
    const frames = Frame.fromDetails(bodies.errorString?.body.details as SimulationFailure.Details);
    expect(frames).toHaveLength(2);
    expect(frames[0]).toMatchObject({
      depth: 0,
      contract: 'Router',
      function: 'multicall',
      to: '0x10aeafac83d48e2f9ac4baaf94311c45face1404',
    });
    expect(frames[1]).toMatchObject({
      depth: 1,
      function: 'transferFrom',
      error: 'execution reverted',
      revertReason: 'transfer amount exceeds balance',
    });
  });

  test('behavior: adds ends that the path omits', () => {
    const details = bodies.panic?.body.details as SimulationFailure.Details;
    const middle = { type: 'CALL', contract: 'Middle' };
    const named = (...path: object[]) =>
      Frame.fromDetails({ ...details, path: path as typeof details.path }).map(({ contract }) => contract);
    expect([named(middle), named()]).toEqual([
      ['Router', 'Middle', 'Permit2'],
      ['Router', 'Permit2'],
    ]);
  });
});

describe('fromDocument', () => {
  test('behavior: amounts that are none count as absent', () => {
    const frame = Frame.schema.parse({ depth: 0, type: 'CALL', gas: '1\n2', gasUsed: '9'.repeat(100), value: '0x10' });
    expect(Frame.fromDocument(frame)).toMatchObject({ gas: undefined, gasUsed: undefined, value: '16' });
  });

  test.each([-1, 100_001, 5e9])('error: no call is at depth %d', (depth) => {
    expect(Frame.schema.safeParse({ depth, type: 'CALL' }).success).toBe(false);
  });
});

test.each([
  [[0, 1, 2, 1, 1, 2, 3], true],
  [[], true],
  [[1], false],
  [[0, 2], false],
  [[0, 1, 0], false],
  [[0, 1, -1], false],
  [[0, 1e9], false],
])('isTree: %j %s', (depths, is) => {
  expect(Frame.isTree(depths.map((depth) => ({ depth })))).toBe(is);
});
