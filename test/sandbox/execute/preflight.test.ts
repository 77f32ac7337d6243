import { encodeFunctionData, toFunctionSelector } from 'viem';
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
  test('behavior: an error string', async () => {
    const { alpha } = service.chains;
    const data = encodeFunctionData({ abi: abi.reverter, functionName: 'errorString', args: ['not today'] });
    const [status, body] = await execute(sponsored(alpha, alpha.reverter, data));
    const { error, message, requestId, details } = Execute.simulationError.parse(body);
    expect(body).toEqual({ error, message, requestId, details });
    expect([status, error, message]).toEqual([400, 'NOT_TODAY', 'not today']);
    expect(requestId).toMatch(/^0x[0-9a-f]{64}$/);
    const frame = {
      type: 'CALL',
      address: alpha.reverter.toLowerCase(),
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
