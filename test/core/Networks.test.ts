import { describe, expect, test } from 'vitest';
import * as Networks from '../../src/core/Networks.js';

describe('load', () => {
  test('default', async () => {
    const tables = await Promise.all(Networks.names.map(Networks.load));
    expect(tables.map((table) => table.name)).toEqual(['sandbox', 'testnet', 'mainnet']);
  });
});

describe('testNames', () => {
  test('default', async () => {
    const tables = await Promise.all(Networks.names.map(Networks.load));
    expect(tables.filter((table) => !table.realMoney).map((table) => table.name)).toEqual([...Networks.testNames]);
  });
});

describe('isShipped', () => {
  test('default', () => {
    expect(['mainnet', 'mine', 'constructor', ''].map(Networks.isShipped)).toEqual([true, false, false, false]);
  });
});
