import { encodeAbiParameters, encodeFunctionData, encodePacked, toFunctionSelector } from 'viem';
import { describe, expect, test } from 'vitest';
import * as Execute from '../../../src/core/api/Execute.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { useService } from '../../support/customer.js';
import { authorize, batch, sponsored } from '../../support/gasless.js';
import { gaslessCustomer } from '../../support/gaslessCustomer.js';

const service = useService();
const { execute } = gaslessCustomer(service);
const stranger = `0x${'5e'.repeat(20)}` as const;

describe('simulateOrReject', () => {
  const word = (value: bigint) => value.toString(16).padStart(64, '0');

  async function trial(functionName: string, args: readonly unknown[]) {
    const { alpha } = service.chains;
    const data = encodeFunctionData({ abi: abi.reverter, functionName, args } as never);
    const [status, body] = await execute(sponsored(alpha, alpha.reverter, data));
    expect(status).toBe(400);
    const read = Execute.simulationError.parse(body);
    expect(read).toEqual(body);
    if (!read.details) throw new Error('no details');
    return { ...read, details: read.details };
  }

  test('behavior: an error string', async () => {
    const { error, message, requestId, details } = await trial('errorString', ['not today']);
    expect([error, message]).toEqual(['NOT_TODAY', 'not today']);
    expect(requestId).toMatch(/^0x[0-9a-f]{64}$/);
    const frame = {
      type: 'CALL',
      address: service.chains.alpha.reverter.toLowerCase(),
      contract: 'Reverter',
      function: 'Reverter.errorString',
      selector: toFunctionSelector('errorString(string)'),
      error: 'execution reverted',
      revertReason: 'not today',
      gasUsed: expect.stringMatching(/^\d+$/),
    };
    expect(details).toEqual({
      topLevel: frame,
      innermost: frame,
      path: [frame],
      revert: { type: 'errorString', label: 'NOT_TODAY', message: 'not today', selector: '0x08c379a0' },
    });
    expect((await service.status(requestId)).status).toBe('unknown');
  });

  test('behavior: a delegation that cannot be redeemed, with the contract behind it', async () => {
    const { alpha } = service.chains;
    const context = encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [alpha.delegator, 1n]);
    const packed = encodePacked(['address', 'uint256', 'bytes'], [alpha.reverter, 0n, '0x']);
    const data = encodeFunctionData({
      abi: abi.delegationManager,
      functionName: 'redeemDelegations',
      args: [[context], [`0x${word(0n)}`], [packed]],
    });
    const [status, body] = await execute(sponsored(alpha, alpha.delegationManager, data));
    expect([status, body.error, body.message]).toEqual([400, 'DELEGATION_REDEEM_FAILED', 'Delegation redeem failed']);
    const { details } = Execute.simulationError.parse(body);
    expect(details?.path.map((frame) => frame.function)).toEqual([
      'DelegationManager.redeemDelegations',
      'Delegator.executeFromExecutor',
    ]);
    expect(details?.innermost).toEqual(details?.path[1]);
    expect(details?.revert).toMatchObject({ name: 'DelegationRedeemFailed', args: { index: '0' } });
  });

  test('behavior: inside a signed batch of an account delegated in the same call', async () => {
    const { alpha } = service.chains;
    const { address } = accounts.dev4;
    const amount = 10n ** 30n;
    const data = encodeFunctionData({ abi: abi.token, functionName: 'transfer', args: [stranger, amount] });
    const signed = await batch(alpha, 'dev4', [{ to: alpha.tokens.USDC.address, value: 0n, data }]);
    const body = sponsored(alpha, address, signed);
    const authorizationList = [await authorize(alpha, 'dev4')];
    const [, answer] = await execute({ ...body, data: { ...body.data, authorizationList } });
    const { error, details } = Execute.simulationError.parse(answer);
    expect(error).toBe('ERC20_INSUFFICIENT_BALANCE');
    expect(details?.path.map((frame) => frame.function)).toEqual(['BatchExecutor.execute', 'UsdCoin.transfer']);
    expect(details?.topLevel.address).toBe(address.toLowerCase());
    expect(details?.revert.args).toMatchObject({ needed: amount.toString() });
  });
});
