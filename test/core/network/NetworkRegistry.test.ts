import { expect, test } from 'vitest';
import * as NetworkRegistry from '../../../src/core/network/NetworkRegistry.js';

test('testNames', async () => {
  const tables = await Promise.all(NetworkRegistry.names.map(NetworkRegistry.load));
  expect(tables.filter((table) => !table.realMoney).map((table) => table.name)).toEqual([...NetworkRegistry.testNames]);
});
