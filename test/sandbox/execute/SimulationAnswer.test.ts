import { encodeErrorResult, encodeFunctionData, parseAbi } from 'viem';
import { describe, expect, test } from 'vitest';
import * as Execute from '../../../src/core/api/Execute.js';
import type * as SimulationFailure from '../../../src/core/api/schema/SimulationFailure.js';
import * as Revert from '../../../src/sandbox/execute/Revert.js';
import * as SimulationAnswer from '../../../src/sandbox/execute/SimulationAnswer.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import type { Frame } from '../../../src/sandbox/values/CallTrace.js';
import { deployments } from '../../../src/sandbox/values/deployment.js';
import * as market from '../../support/market.js';
import * as published from '../../support/published.js';
import { read } from '../../support/recorded.js';
import * as Shape from '../../support/shape.js';

const { alpha: deployment } = deployments;
const requestId = `0x${'17'.repeat(32)}`;
const context = { deployment, requestId, delegations: new Map<string, `0x${string}`>() };
const error = 'execution reverted';

const inner: Frame = {
  type: 'CALL',
  from: deployment.multicall3,
  to: deployment.reverter,
  input: encodeFunctionData({ abi: abi.reverter, functionName: 'customError', args: [market.user, 1n, 2n] }),
  output: encodeErrorResult({ abi: abi.reverter, errorName: 'LimitExceeded', args: [market.user, 1n, 2n] }),
  gasUsed: '0x3039',
  error,
};
const outer: Frame = {
  type: 'CALL',
  from: market.user,
  to: deployment.multicall3,
  input: encodeFunctionData({ abi: abi.multicall3, functionName: 'aggregate3', args: [[]] }),
  output: `0x08c379a0${'20'.padStart(64, '0')}${'17'.padStart(64, '0')}${Buffer.from('Multicall3: call failed').toString('hex').padEnd(64, '0')}`,
  error,
  calls: [inner],
};

describe('from', () => {
  test('default: the named path, and the reason of the innermost frame', () => {
    const body = SimulationAnswer.from(outer, context);
    const multicall = {
      type: 'CALL',
      address: deployment.multicall3.toLowerCase(),
      contract: 'Multicall3',
      function: 'Multicall3.aggregate3',
      selector: outer.input.slice(0, 10),
      error,
      revertReason: 'Multicall3: call failed',
    };
    const reverter = {
      type: 'CALL',
      address: deployment.reverter.toLowerCase(),
      contract: 'Reverter',
      function: 'Reverter.customError',
      selector: inner.input.slice(0, 10),
      error,
      gasUsed: '12345',
    };
    expect(body).toEqual({
      error: 'LIMIT_EXCEEDED',
      message: 'Limit exceeded',
      requestId,
      details: {
        topLevel: multicall,
        innermost: reverter,
        path: [multicall, reverter],
        revert: {
          type: 'customError',
          label: 'LIMIT_EXCEEDED',
          message: 'Limit exceeded',
          selector: inner.output?.slice(0, 10),
          name: 'LimitExceeded',
          args: { account: market.user, limit: '1', requested: '2' },
        },
      },
    });
    expect(Execute.simulationError.parse(body)).toEqual(body);
  });

  test('behavior: unknown contracts and functions have no name', () => {
    const frame: Frame = { type: 'CREATE', from: market.user, input: '0x', error };
    expect(SimulationAnswer.from(frame, context).details?.topLevel).toEqual({ type: 'CREATE', error });
    const odd: Frame = { ...inner, input: '0xda9c8680' };
    const { innermost } = SimulationAnswer.from(odd, context).details ?? {};
    expect(innermost).toMatchObject({ contract: 'Reverter', selector: '0xda9c8680' });
    expect(innermost).not.toHaveProperty('function');
  });

  test('behavior: a failed redemption has its own label, whatever the cause', () => {
    const reason = inner.output ?? '0x';
    const args = [0n, reason] as const;
    const manager: Frame = {
      ...outer,
      to: deployment.delegationManager,
      output: encodeErrorResult({ abi: abi.delegationManager, errorName: 'DelegationRedeemFailed', args }),
    };
    const { error: label, details } = SimulationAnswer.from(manager, context);
    expect(label).toBe('DELEGATION_REDEEM_FAILED');
    expect(details?.innermost.contract).toBe('Reverter');
    expect(details?.revert.args).toEqual({ index: '0', reason });
  });
});

published.describePublished('the published simulation failure', () => {
  test('behavior: all fields of the live one', () => {
    const wanted = Shape.from(published.read('execute-400-simulation.json'));
    const found = Shape.from(SimulationAnswer.from(outer, context));
    expect(Shape.differences(found, wanted)).toEqual([]);
  });
});

const solidity = parseAbi(['error Error(string)', 'error Panic(uint256)']);

function errorString(reason: string) {
  return encodeErrorResult({ abi: solidity, errorName: 'Error', args: [reason] });
}

function panic(code: bigint) {
  return encodeErrorResult({ abi: solidity, errorName: 'Panic', args: [code] });
}

/** As in the recorded responses. */
const recorded = read('execute-errors') as Record<string, { body: { details: SimulationFailure.Details } }>;

describe('Revert: from', () => {
  test('behavior: an error string, as recorded', () => {
    const { revert } = recorded.errorString?.body.details ?? {};
    expect(Revert.from({ output: errorString('transfer amount exceeds balance') })).toEqual(revert);
  });

  test('behavior: an error string without letters', () => {
    expect(Revert.from({ output: errorString('…') })).toMatchObject({
      type: 'errorString',
      label: 'ERROR',
      message: '…',
    });
    expect(Revert.from({ output: errorString('a'.repeat(1_000)) }).label).toHaveLength(80);
  });

  test('behavior: a panic, as recorded', () => {
    expect(Revert.from({ output: panic(0x11n) })).toEqual(recorded.panic?.body.details.revert);
  });

  test.each([0x01n, 0x12n, 0x21n, 0x22n, 0x31n, 0x32n, 0x41n, 0x51n, 0x99n])('behavior: panic %s', (code) => {
    const { type, label, message, args } = Revert.from({ output: panic(code) });
    expect([type, label, args]).toEqual([
      'panic',
      `PANIC_0X${code.toString(16).padStart(2, '0')}`,
      { code: code.toString() },
    ]);
    expect(message.startsWith('Panic of code')).toBe(code === 0x99n);
  });

  test('behavior: an unknown custom error, as recorded', () => {
    const word = '7'.padStart(64, '0');
    expect(Revert.from({ output: `0xa1b2c3d4${word}` })).toEqual(recorded.unknownCustomError?.body.details.revert);
  });

  test('behavior: a known selector with malformed arguments is unknown', () => {
    expect(Revert.from({ output: '0x08c379a0ff' })).toMatchObject({
      type: 'unknownCustomError',
      label: 'UNKNOWN_CUSTOM_ERROR_0x08c379a0',
      rawArgsHex: '0xff',
    });
  });

  test('behavior: nothing, as recorded', () => {
    for (const nothing of [
      {},
      { output: '0x' },
      { output: '0x', error: 'execution reverted' },
      { output: '0x12' },
    ] as const)
      expect(Revert.from(nothing)).toEqual(recorded.empty?.body.details.revert);
  });

  test('behavior: nothing, because the node aborted the call', () => {
    expect(Revert.from({ error: 'out of gas' })).toEqual({
      type: 'empty',
      label: 'OUT_OF_GAS',
      message: 'Out of gas',
    });
  });

  test("behavior: prefers the contract's own ABI for a shared selector", () => {
    const own = parseAbi(['error ERC20InsufficientBalance(address holder, uint256 has, uint256 wants)']);
    const output = encodeErrorResult({ abi: own, errorName: 'ERC20InsufficientBalance', args: [market.user, 1n, 2n] });
    expect(Object.keys(Revert.from({ output }, own).args ?? {})).toEqual(['holder', 'has', 'wants']);
  });

  test('behavior: formats arguments of every type as text', () => {
    const own = parseAbi(['struct P { uint256 x; bool y; }', 'error Odd(P p, uint256[] list, bool, bytes b)']);
    const args = [{ x: 2n ** 255n, y: true }, [1n, 2n], false, '0xab'] as const;
    const revert = Revert.from({ output: encodeErrorResult({ abi: own, errorName: 'Odd', args }) }, own);
    expect(revert.args).toEqual({
      p: `{"x":"${2n ** 255n}","y":true}`,
      list: '["1","2"]',
      '2': 'false',
      b: '0xab',
    });
  });
});
