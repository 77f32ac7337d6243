import { describe, expect, test } from 'vitest';
import { command as call } from '../../../src/commands/execute/call.js';
import { command as execute } from '../../../src/commands/execute.js';
import { command as quote } from '../../../src/commands/quote.js';
import * as QuoteRequest from '../../../src/core/api/QuoteRequest.js';
import * as QuoteParameters from '../../../src/core/docs/QuoteParameters.js';
import { flagName } from '../../../src/core/text/ShellCommand.js';

/** As the service documents them, in its order. */
const documented = `
  user originChainId destinationChainId originCurrency destinationCurrency amount tradeType recipient txs txsGasLimit
  authorizationList additionalData referrer referrerAddress refundTo recoveryAddress refundOnOrigin topupGas
  topupGasAmount enableTrueExactOutput explicitDeposit useExternalLiquidity useFallbacks usePermit permitExpiry
  includeProtocolData useDepositAddress strict slippageTolerance latePaymentSlippageTolerance appFees
  gasLimitForDepositSpecifiedTxs forceSolverExecution subsidizeFees sponsoredFeeComponents maxSubsidizationAmount
  subsidizationBps subsidizeRent includedSwapSources excludedSwapSources includedOriginSwapSources
  includedDestinationSwapSources originGasOverhead depositFeePayer maxRouteLength useSharedAccounts
  includeComputeUnitLimit overridePriceImpact disableSwapProviderPreference disableOriginSwaps indicativeQuote fixedRate
  ttl protocolVersion`
  .trim()
  .split(/\s+/);

const flagsOf = ({ options }: { options: object }): string[] => Object.keys(options).map(flagName);

describe('parameters', () => {
  test('default: every documented parameter is an option, is sent, or has a reason', () => {
    expect(Object.keys(QuoteParameters.parameters).sort()).toEqual([...documented].sort());
    expect(Object.keys(QuoteRequest.schema.shape).sort()).toEqual([...documented].sort());
    for (const [name, each] of Object.entries(QuoteParameters.parameters))
      expect([name, 'why' in each ? each.why.length > 20 : true]).toEqual([name, true]);
  });

  test('behavior: each option is one of ferry quote and of ferry execute', () => {
    const options = Object.values(QuoteParameters.parameters).flatMap((each) =>
      'options' in each ? each.options : [],
    );
    expect(options.length).toBeGreaterThan(12);
    for (const command of [quote, execute]) expect(flagsOf(command)).toEqual(expect.arrayContaining(options));
  });

  test('behavior: an option that a reason names exists', () => {
    const whys = Object.values(QuoteParameters.parameters).flatMap((each) => ('why' in each ? [each.why] : []));
    const named = new Set(whys.flatMap((why) => why.match(/--[a-z-]+/g) ?? []));
    expect([...named].filter((flag) => ![...flagsOf(execute), ...flagsOf(call)].includes(flag))).toEqual([]);
  });
});
