import { describe, expect, test } from 'vitest';
import * as ConfigFile from '../../../src/core/config/ConfigFile.js';
import * as NetworkTable from '../../../src/core/docs/NetworkTable.js';
import * as NetworkRegistry from '../../../src/core/network/NetworkRegistry.js';

const sections = await NetworkTable.document();
const terms = new Map(
  sections.flat().flatMap((block) => (typeof block !== 'string' && 'terms' in block ? block.terms : [])),
);

describe('document', () => {
  test('default: the shipped networks, and whether they move real money', () => {
    expect([...terms.keys()]).toEqual(expect.arrayContaining([...NetworkRegistry.names]));
    expect(terms.get('mainnet')).toContain('real money');
    for (const name of NetworkRegistry.testNames) expect(terms.get(name)).toContain('no real money');
  });

  test('behavior: every listed setting can be set', () => {
    const keys = [...terms.keys()].filter((key) => key.startsWith('networks.'));
    expect(keys.length).toBeGreaterThan(8);
    for (const key of keys)
      expect([key, ConfigFile.formatOf(key.replace('<name>', 'x').replace('<chain>', 'y'))]).toEqual([
        key,
        expect.any(Object),
      ]);
  });
});
