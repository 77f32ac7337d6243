import { describe, expect, test } from 'vitest';
import type * as QuoteV2 from '../../../src/core/api/QuoteV2.js';
import { RefusalError } from '../../../src/sandbox/pricing/QuoteRefusal.js';
import * as QuoteTerms from '../../../src/sandbox/pricing/QuoteTerms.js';
import * as fixture from '../../support/market.js';

const call = { to: fixture.other, value: '0', data: '0x' } as const;
const authorization = { chainId: 1, address: fixture.other, nonce: 0, yParity: 0, r: '0x1', s: '0x2' } as const;

function assertSupported(options: Partial<QuoteV2.Request>): void {
  QuoteTerms.assertSupported(fixture.request(1n, 'alpha/usdc', 'beta/usdc', options));
}

describe('assertSupported', () => {
  test.each<[Partial<QuoteV2.Request>]>([
    [{}],
    [{ txs: [], authorizationList: [] }],
    [{ explicitDeposit: true, usePermit: true, permitExpiry: 600, useDepositAddress: false, topupGas: false }],
    [{ strict: true, protocolVersion: 'v2', useExternalLiquidity: true, useFallbacks: true }],
    [{ depositFeePayer: 'x', maxRouteLength: 3, useSharedAccounts: true, includeComputeUnitLimit: true }],
    [{ referrerAddress: fixture.other, latePaymentSlippageTolerance: '100', enableTrueExactOutput: true }],
  ])('behavior: %o is accepted', (options) => {
    expect(() => assertSupported(options)).not.toThrow();
  });

  test.each<[Partial<QuoteV2.Request>, string]>([
    [{ txs: [call], originChainId: 1, destinationChainId: 1 }, 'EXTRA_TXS_NOT_SUPPORTED'],
    [{ txs: [call], useDepositAddress: true }, 'EXTRA_TXS_NOT_SUPPORTED'],
    [{ authorizationList: [authorization] }, 'UNSUPPORTED_EXECUTION_TYPE'],
    [{ gasLimitForDepositSpecifiedTxs: 1 }, 'INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS'],
    [{ sponsoredFeeComponents: ['execution'], useDepositAddress: true }, 'UNSUPPORTED_EXECUTION_TYPE'],
    [{ recoveryAddress: fixture.other }, 'UNSUPPORTED_EXECUTION_TYPE'],
    [{ explicitDeposit: false }, 'UNSUPPORTED_EXECUTION_TYPE'],
    [{ topupGas: true, originChainId: 1, destinationChainId: 1 }, 'UNSUPPORTED_EXECUTION_TYPE'],
    [{ topupGas: true, originChainId: 1, destinationChainId: 2, txs: [call] }, 'UNSUPPORTED_EXECUTION_TYPE'],
    [{ fixedRate: '1:1' }, 'UNSUPPORTED_EXECUTION_TYPE'],
    [{ indicativeQuote: true }, 'UNSUPPORTED_EXECUTION_TYPE'],
  ])('error: %o', (options, errorCode) => {
    const [option = ''] = Object.keys(options);
    expect(() => assertSupported(options)).toThrow(RefusalError);
    expect(() => assertSupported(options)).toThrow(new RegExp(option));
    expect(() => assertSupported(options)).toThrow(
      expect.objectContaining({ body: expect.objectContaining({ errorCode }) }),
    );
  });
});
