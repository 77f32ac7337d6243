import { encodeErrorResult, encodeFunctionData } from 'viem';
import { describe, expect, test } from 'vitest';
import * as Execute from '../../../src/core/api/Execute.js';
import * as SimulationAnswer from '../../../src/sandbox/execute/SimulationAnswer.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import type { Frame } from '../../../src/sandbox/values/CallTrace.js';
import { deployments } from '../../../src/sandbox/values/deployment.js';
import * as market from '../../support/market.js';
import * as published from '../../support/published.js';
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
