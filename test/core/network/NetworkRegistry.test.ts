import { describe, expect, test } from 'vitest';
import * as NetworkRegistry from '../../../src/core/network/NetworkRegistry.js';

describe('load', () => {
  test('default', async () => {
    const tables = await Promise.all(NetworkRegistry.names.map(NetworkRegistry.load));
    expect(tables.map((table) => table.name)).toEqual(['sandbox', 'testnet', 'mainnet']);
  });
});

describe('testNames', () => {
  test('default', async () => {
    const tables = await Promise.all(NetworkRegistry.names.map(NetworkRegistry.load));
    expect(tables.filter((table) => !table.realMoney).map((table) => table.name)).toEqual([
      ...NetworkRegistry.testNames,
    ]);
  });
});

describe('isShipped', () => {
  test('default', () => {
    expect(['mainnet', 'mine', 'constructor', ''].map(NetworkRegistry.isShipped)).toEqual([true, false, false, false]);
  });
});
