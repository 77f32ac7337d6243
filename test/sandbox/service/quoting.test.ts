import { encodeFunctionData, recoverMessageAddress } from 'viem';
import { describe, expect, test } from 'vitest';
import type * as QuoteV2 from '../../../src/core/api/QuoteV2.js';
import { RefusalError } from '../../../src/sandbox/pricing/QuoteRefusal.js';
import { quote } from '../../../src/sandbox/service/quoting.js';
import type { Instance } from '../../../src/sandbox/settlement/instance.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { approve, useChains } from '../../support/chains.js';
import { bridgeOn, instanceOn } from '../../support/instances.js';
import { connect } from '../../support/nodeClients.js';

const chains = useChains();
const { alpha, beta } = chains;
const { dev0, dev1, solver } = accounts;

const clock = () => 1_790_000_000_000;
const instance = (): Instance => instanceOn(chains, clock);
const request = (change?: Partial<QuoteV2.Request>) => bridgeOn(chains, change);

describe('quote', () => {
  test("default: uses the user's balance and allowances; stored in the ledger", async () => {
    const one = instance();
    const first = await quote(one, request(), { keyName: undefined });
    expect(first.details.userBalance).toBe('1000000000000');
    expect(first.steps.map((step) => step.id)).toEqual(['approve', 'deposit']);
    expect(one.ledger.byRequestId(first.requestId ?? '')).toMatchObject({ sequence: 1, quote: first });

    await approve(alpha, dev0, alpha.tokens.USDC.address, alpha.depository, 1_000_000n);
    const second = await quote(one, request(), { keyName: 'sandbox' });
    expect(second.steps.map((step) => step.id)).toEqual(['deposit']);
    expect(one.ledger.byRequestId(second.requestId ?? '')).toMatchObject({ sequence: 2, apiKeyName: 'sandbox' });
  });

  test('behavior: numbers requests in order of arrival', async () => {
    const ids = async () => {
      const one = instance();
      const amounts = ['1000000', '2000000', '3000000'];
      const quotes = await Promise.all(
        amounts.map((amount) => quote(one, request({ amount }), { keyName: undefined })),
      );
      return quotes.map(({ requestId }) => requestId);
    };
    expect(await ids()).toEqual(await ids());
  });

  test('behavior: signs the order id on request', async () => {
    const { protocol } = await quote(instance(), request({ includeProtocolData: true }), { keyName: undefined });
    const { orderId = '0x', orderSignature } = protocol?.v2 ?? {};
    const signature = orderSignature as `0x${string}`;
    expect(await recoverMessageAddress({ message: { raw: orderId }, signature })).toBe(solver.address);
  });

  test('error: a chain that does not answer', async () => {
    const one = instanceOn({ alpha: { ...alpha, rpcUrl: 'http://127.0.0.1:1' }, beta }, clock);
    await expect(quote(one, request(), { keyName: undefined })).rejects.toMatchObject({
      status: 500,
      body: {
        message: 'Unknown error',
        errorCode: 'UNKNOWN_ERROR',
        requestId: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      },
    });
    expect([...one.ledger.search()]).toEqual([]);
  });

  test('error: calls that revert on arrival', async () => {
    const one = instance();
    const calling = (functionName: 'errorString' | 'customError' | 'empty' | 'panic', args: readonly unknown[]) =>
      quote(
        one,
        request({
          tradeType: 'EXACT_OUTPUT',
          txs: [
            {
              to: beta.reverter,
              value: '0',
              data: encodeFunctionData({ abi: abi.reverter, functionName, args } as never),
            },
          ],
        }),
        { keyName: undefined },
      ).catch((error: RefusalError) => error.body);
    const block = await connect(beta).getBlockNumber();
    expect(await calling('errorString', ['closed on Sundays'])).toMatchObject({
      message: 'Destination transaction failed',
      errorCode: 'DESTINATION_TX_FAILED',
      errorData: 'execution reverted: closed on Sundays',
      requestId: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      // The solver's allowance took one block.
      approxSimulatedBlock: Number(block) + 1,
      failedCallData: {
        from: solver.address,
        to: beta.approvalProxy,
        value: '0',
        data: expect.stringMatching(/^0xf9e4bab4/),
      },
    });
    for (const [name, args] of [
      ['customError', [dev0.address, 5n, 7n]],
      ['empty', []],
      ['panic', [0x11n]],
    ] as const)
      expect(await calling(name, args)).toMatchObject({ errorData: 'execution reverted' });
    expect([...one.ledger.search()]).toEqual([]);
    expect(await connect(beta).getBlockNumber()).toBe(block + 1n);
  });

  test('error: a refusal uses up a number and stores nothing', async () => {
    const one = instance();
    await expect(quote(one, request({ recipient: '0x1' }), { keyName: undefined })).rejects.toThrow(RefusalError);
    await expect(quote(one, request({ user: 'nobody' }), { keyName: undefined })).rejects.toThrow(RefusalError);
    await expect(quote(one, request({ originCurrency: dev1.address }), { keyName: undefined })).rejects.toThrow(
      RefusalError,
    );
    expect([...one.ledger.search()]).toEqual([]);
    expect(one.ledger.nextSequence()).toBe(4);
  });
});
