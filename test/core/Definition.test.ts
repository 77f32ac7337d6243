import { describe, expect, test } from 'vitest';
import * as Definition from '../../src/core/Definition.js';

describe('definitions', () => {
  test('default', () => {
    const rows = Definition.properties.map((each) => Definition.definitions[each]);
    expect(new Set(rows.map((row) => row.key)).size).toBe(rows.length);
    expect(new Set(rows.map((row) => row.env)).size).toBe(rows.length);
  });

  test('behavior: what a project file may say', () => {
    const may = (what: string) => Definition.properties.filter((each) => Definition.definitions[each].project === what);
    expect(may('choose')).toEqual(['network', 'color', 'quiet']);
    expect(may('lower')).toEqual(['slippageBps', 'maxImpactBps', 'maxFeeUsd', 'maxVenueFee', 'maxAgeMs', 'rateLimit']);
  });

  test('behavior: no file holds a private key', () => {
    expect(Definition.definitions.privateKey.inFiles).toBe(false);
    expect(Definition.definitions.venuePrivateKey.inFiles).toBe(false);
  });
});

describe('property', () => {
  test('default', () => {
    expect(Definition.property('maxImpact')).toBe('maxImpactBps');
    expect(Definition.property('maxImpactBps')).toBeUndefined();
  });
});

describe('rpcUrlVariable', () => {
  test('default', () => {
    expect(Definition.rpcUrlVariable('base-sepolia')).toBe('FERRY_RPC_URL_BASE_SEPOLIA');
  });
});

describe('checkVariable', () => {
  test('default', () => {
    expect(Definition.checkVariable('FERRY_SLIPPAGE')).toEqual({ known: true });
    expect(Definition.checkVariable('FERRY_RPC_URL_BASE')).toEqual({ known: true });
    expect(Definition.checkVariable('FERRY_SLIPAGE')).toEqual({ known: false, nearest: 'FERRY_SLIPPAGE' });
    expect(Definition.checkVariable('FERRY_RPC_URL_')).toMatchObject({ known: false });
  });
});
