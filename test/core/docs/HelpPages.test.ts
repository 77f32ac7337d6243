import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { command as call } from '../../../src/commands/execute/call.js';
import { command as execute } from '../../../src/commands/execute.js';
import { command as quote } from '../../../src/commands/quote.js';
import * as QuoteRequest from '../../../src/core/api/QuoteRequest.js';
import * as ConfigFile from '../../../src/core/config/ConfigFile.js';
import * as SettingDefinitions from '../../../src/core/config/SettingDefinitions.js';
import type { Document } from '../../../src/core/docs/HelpPages.js';
import * as HelpPages from '../../../src/core/docs/HelpPages.js';
import * as NetworkRegistry from '../../../src/core/network/NetworkRegistry.js';
import { flagName } from '../../../src/core/text/ShellCommand.js';
import { ferry } from '../../support/ferry.js';

/** The definitions of a page by their terms. */
const termsOf = (page: Document) =>
  new Map(page.flat().flatMap((block) => (typeof block === 'object' && 'terms' in block ? block.terms : [])));

describe('environment', () => {
  const terms = termsOf(HelpPages.environment());

  test('default: the variable of every setting, with its default', () => {
    for (const property of SettingDefinitions.properties)
      expect(terms.has(SettingDefinitions.definitions[property].env)).toBe(true);
    expect(terms.get('FERRY_MAX_AGE')).toMatch(/\(default: 30s\)$/);
    expect(terms.get('FERRY_ACCOUNT')).not.toContain('default');
  });

  test('behavior: every FERRY_ variable that the sources read', () => {
    const root = fileURLToPath(new URL('../../../src', import.meta.url));
    const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
    const read = new Set(
      sources.flatMap((path) =>
        [...readFileSync(join(root, path), 'utf8').matchAll(/\bFERRY_[A-Z]+(_[A-Z]+)*\b(?![_<$*…])/g)].map(
          ([name]) => name,
        ),
      ),
    );
    const internal = /^FERRY_(VERSION|PUBLISHED|TREE|COMMANDS|RPC_URLS?(_.+)?)$/;
    expect([...read].filter((name) => !terms.has(name) && !internal.test(name))).toEqual([]);
  });

  test('behavior: no variable that ferry would warn about', () => {
    const own = [...terms.keys()].filter((name) => name.startsWith('FERRY_'));
    expect(own.filter((name) => !SettingDefinitions.checkVariable(name.replace('<CHAIN>', 'BASE')).known)).toEqual([]);
  });
});

describe('json', () => {
  const blocks = HelpPages.json().flatMap((section) => section.filter((block) => typeof block === 'object'));
  const lines = blocks.flatMap((block) => ('lines' in block ? [block.lines] : []));

  /** The keys of an example, whose ellipses are not JSON. */
  const keys = (example: readonly string[]) => [...example.join('').matchAll(/"(\w+)":/g)].map(([, key]) => key);

  test('default: the keys of an actual success', async () => {
    const { json } = await ferry(['config', 'get', 'network', '--json']);
    expect(keys(lines[0] ?? [])).toEqual(Object.keys(json()));
  });

  test('default: the keys of an actual failure', async () => {
    const { error, ...envelope } = (await ferry(['frob', '--json'])).json();
    expect(keys(lines[1] ?? [])).toEqual([...Object.keys(envelope), 'error', ...Object.keys(error)]);
    const named = [...termsOf(HelpPages.json()).keys()].flatMap((term) =>
      term.startsWith('error.') ? [term.slice('error.'.length)] : [],
    );
    expect(Object.keys(error)).toEqual(expect.arrayContaining(named));
  });
});

describe('networks', async () => {
  const terms = termsOf(await HelpPages.networks());

  test('default: the shipped networks, and whether they move real money', () => {
    expect([...terms.keys()]).toEqual(expect.arrayContaining([...NetworkRegistry.names]));
    expect(terms.get('mainnet')).toContain('real money');
    for (const name of NetworkRegistry.testNames) expect(terms.get(name)).toContain('no real money');
  });

  test('behavior: every listed setting can be set', () => {
    const keys = [...terms.keys()].filter((key) => key.startsWith('networks.'));
    expect(keys.length).toBeGreaterThan(8);
    const unknown = keys.filter((key) => !ConfigFile.formatOf(key.replace('<name>', 'x').replace('<chain>', 'y')));
    expect(unknown).toEqual([]);
  });
});

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

describe('quoteParameters', () => {
  test('default: every documented parameter is an option, is sent, or has a reason', () => {
    expect(Object.keys(HelpPages.parameters).sort()).toEqual([...documented].sort());
    expect(Object.keys(QuoteRequest.schema.shape).sort()).toEqual([...documented].sort());
    for (const [name, each] of Object.entries(HelpPages.parameters))
      expect([name, 'why' in each ? each.why.length > 20 : true]).toEqual([name, true]);
  });

  test('behavior: each option is one of ferry quote and of ferry execute', () => {
    const options = Object.values(HelpPages.parameters).flatMap((each) => ('options' in each ? each.options : []));
    expect(options.length).toBeGreaterThan(12);
    for (const command of [quote, execute]) expect(flagsOf(command)).toEqual(expect.arrayContaining(options));
  });

  test('behavior: an option that a reason names exists', () => {
    const whys = Object.values(HelpPages.parameters).flatMap((each) => ('why' in each ? [each.why] : []));
    const named = new Set(whys.flatMap((why) => why.match(/--[a-z-]+/g) ?? []));
    expect([...named].filter((flag) => ![...flagsOf(execute), ...flagsOf(call)].includes(flag))).toEqual([]);
  });
});
