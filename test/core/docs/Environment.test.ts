import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import * as SettingDefinitions from '../../../src/core/config/SettingDefinitions.js';
import * as Environment from '../../../src/core/docs/Environment.js';

const terms = new Map(
  Environment.document().flatMap((section) =>
    section.flatMap((block) => (typeof block === 'object' && 'terms' in block ? block.terms : [])),
  ),
);

describe('document', () => {
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
