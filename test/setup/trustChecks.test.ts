import { describe, expect, test } from 'vitest';
import type * as Chains from '../../src/core/api/catalog/Chains.js';
import type { Skew } from '../../src/core/checks/ClockSkew.js';
import { network as sandbox } from '../../src/core/network/sandbox.js';
import type { PinStore } from '../../src/core/network/TrustedContracts.js';
import * as TrustedContracts from '../../src/core/network/TrustedContracts.js';
import { checkClock, checkPins } from '../../src/setup/trustChecks.js';

const now = Date.UTC(2026, 10, 21, 12);
const clock = { now: () => now, sleep: async () => {} };

/** A service response with this skew. */
const service = (skew: Skew | undefined, chains: Chains.Response['chains'] = []) => ({
  chains: { chains } as Chains.Response,
  latencyMs: 5,
  skew,
});

describe('checkClock', () => {
  test.each([
    [900, 600, 'ok'],
    [-5_400, 500, 'ok'],
    [7_000, 600, 'warn'],
    [-29_000, 600, 'warn'],
    [60_000, 600, 'fail'],
    [-86_400_000, 600, 'fail'],
  ])('default: %d ms ahead, give or take %d, is %s', (aheadMs, marginMs, verdict) => {
    const check = checkClock(service({ aheadMs, marginMs }), [], { clock });
    expect(check.verdict).toBe(verdict);
    if (verdict !== 'ok') expect(check.summary).toMatch(/^The clock is \d.* (ahead of|behind) the service’s\.$/);
  });

  test('behavior: without the service, a block in the future shows that the clock is behind', () => {
    const nodes = [{ timestamp: undefined }, { timestamp: BigInt(now / 1000 + 120) }, { timestamp: 1n }];
    expect(checkClock(undefined, nodes, { clock })).toMatchObject({
      verdict: 'fail',
      summary: 'The clock is 2 min behind the newest block’s.',
    });
    expect(checkClock(service(undefined), [{ timestamp: 1n }], { clock })).toMatchObject({ verdict: 'ok' });
  });

  test('behavior: reports that no server returned the time', () => {
    expect(checkClock(undefined, [{ timestamp: undefined }], { clock })).toMatchObject({ verdict: 'warn' });
  });
});

describe('checkPins', () => {
  const chains = sandbox.chains.filter(({ vm }) => vm === 'evm');
  const [alpha] = chains;
  const pins = { contracts: (chain) => TrustedContracts.contracts(chain, undefined) } as Partial<PinStore> as PinStore;
  const network = { value: 'sandbox', source: { kind: 'default' } } as const;
  const config = { network };
  const said = (depository: string | undefined) =>
    service(undefined, [
      { id: alpha?.id ?? 0, name: 'alpha', protocol: { v2: { depository } } },
    ] as Chains.Response['chains']);
  const known = alpha?.contracts.depository ?? '';

  test('default: matching contracts in any case, or none reported', () => {
    for (const depository of [known, known.toLowerCase(), undefined])
      expect(checkPins(chains, said(depository), { pins, config })).toMatchObject({ verdict: 'ok' });
  });

  test('behavior: the fix keeps the network that was named on the command line', () => {
    const source = { kind: 'flag', name: '--network' } as const;
    const named = { pins, config: { network: { value: 'mine', source } } };
    expect(checkPins(chains, said(`0x${'12'.repeat(20)}`), named).fix).toBe(
      'ferry contracts accept alpha --network mine',
    );
    expect(checkPins(chains, undefined, named).fix).toBe('ferry contracts list --network mine');
  });
});
