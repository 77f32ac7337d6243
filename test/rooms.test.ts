/** Imports between the rooms of src run one way. The table is `rooms.ts`; each rule is broken here once on purpose. */
import { afterAll, describe, expect, test } from 'vitest';
import { breaches, breachesOf, measure, readSources, roomOf } from './support/importGraph.js';

const sources = readSources();

/** src with a line put before a file, or a file more. */
function withLine(path: string, line: string): Map<string, string> {
  return new Map(sources).set(path, `${line}\n${sources.get(path) ?? ''}`);
}

/** What a line breaks that was whole without it. */
function brokenBy(path: string, line: string): string[] {
  return breaches(withLine(path, line));
}

/** What a line breaks by what it imports. */
function forbids(path: string, line: string): string[] {
  return breachesOf(path, `${line}\n${sources.get(path) ?? ''}`, sources);
}

afterAll(() => {
  const { files, rooms, arrows, circles } = measure(sources);
  process.stdout.write(
    `rooms of src: ${rooms} rooms, ${files} files, ${arrows} arrows between rooms, ${circles} circles\n`,
  );
});

describe('breaches', () => {
  test('default: none', () => {
    expect(breaches(sources)).toEqual([]);
  });

  test('behavior: every import is read', () => {
    expect(measure(sources).circles).toBe(0);
    expect(measure(sources).arrows).toBeGreaterThan(300);
  });

  test('behavior: a circle of two files of one room is seen, also of types and of dynamic imports', () => {
    for (const line of [
      `import { read } from './JournalCodec.js';`,
      `import type { Line } from './JournalCodec.js';`,
      `export { read } from './JournalCodec.js';`,
      `const later = () => import('./JournalCodec.js');`,
      `type Later = typeof import('./JournalCodec.js');`,
      `import {\n  read,\n} from './JournalCodec.js';`,
    ])
      expect([line, brokenBy('core/tracking/Journal.ts', line)]).toEqual([
        line,
        [expect.stringMatching(/^a circle of files: core\/tracking\/Journal.ts, core\/tracking\/JournalCodec.ts/)],
      ]);
  });

  test('behavior: a circle of rooms is seen', () => {
    expect(brokenBy('core/base/Hex.ts', `import type { Network } from '../network/Network.js';`)).toContainEqual(
      expect.stringMatching(/^a circle of rooms: .*core\/base.*core\/network/),
    );
  });

  test.each<readonly [path: string, specifier: string, why: string]>([
    ['core/network/Network.ts', '../quote/Quote.js', 'does not stand below'],
    ['core/quote/Quote.ts', '../../io/http/httpClient.js', 'core may not import it'],
    ['core/quote/Quote.ts', '../../sandbox/ledger/ledger.js', 'core may not import it'],
    ['core/quote/Quote.ts', '../../commands/quote.js', 'core may not import it'],
    ['core/quote/Quote.ts', '../../transfer/batches/batch.js', 'core may not import it'],
    ['core/quote/Quote.ts', '../../main.js', 'core may not import it'],
    ['venue/Schnorr.ts', '../io/http/httpClient.js', 'venue may not import it'],
    ['venue/Schnorr.ts', '../core/quote/Quote.js', 'venue may not import it'],
    ['commands/quote.ts', '../io/http/httpClient.js', 'commands may not import it'],
    ['commands/quote.ts', '../sandbox/ledger/ledger.js', 'commands may not import it'],
    ['commands/venue/deposit.ts', '../../cli/program.js', 'commands may not import it'],
    ['transfer/batch.ts', '../io/runs/runFolder.js', 'transfer may not import it'],
    ['setup/chooseService.ts', '../commands/config/init.js', 'setup may not import it'],
    ['io/http/retry.ts', '../../commands/quote.js', 'io may not import it'],
    ['io/http/retry.ts', '../../cli/program.js', 'io may not import it'],
    ['io/http/retry.ts', '../../sandbox/values/Market.js', 'io may not import it'],
    ['sandbox/ledger/ledger.ts', '../../io/http/httpClient.js', 'sandbox may not import it'],
    ['sandbox/ledger/ledger.ts', '../../core/base/Secret.js', 'sandbox may not import it'],
    ['sandbox/ledger/ledger.ts', '../../core/network/TrustedContracts.js', 'sandbox may not import it'],
    ...[
      'fees/FeeSchedule',
      'proof/Verification',
      'execution/Plan',
      'order/OrderId',
      'quote/Quote',
      'quote/TransferIntent',
    ].map((name) => ['sandbox/quote/Quote.ts', `../../core/${name}.js`, 'sandbox may not import it'] as const),
    ['cli/program.ts', '../sandbox/service/server.js', 'cli may not import it'],
    ['core/quote/Quote.ts', './Nowhere.js', 'which is no file'],
  ])('error: %s imports %s', (path, specifier, why) => {
    for (const line of [
      `import '${specifier}';`,
      `import type { X } from '${specifier}';`,
      `await import('${specifier}');`,
    ])
      expect([line, forbids(path, line)]).toEqual([line, expect.arrayContaining([expect.stringContaining(why)])]);
  });

  test.each<readonly [path: string, name: string]>([
    ...[
      'node:fs',
      'fs',
      'node:timers/promises',
      'undici',
      'chalk',
      'ora',
      'viem/chains',
      'viem/accounts',
      'zod',
      'left-pad',
    ].flatMap((name) => [
      ['core/quote/Quote.ts', name] as const,
      ['venue/Schnorr.ts', name] as const,
      ['commands/quote.ts', name] as const,
      ['transfer/batch.ts', name] as const,
    ]),
    ...[
      'undici',
      'ora',
      'chalk',
      '@inquirer/prompts',
      'cosmiconfig',
      'commander',
      'hono',
      'viem/chains',
      'left-pad',
    ].map((name) => ['io/http/retry.ts', name] as const),
    ...['undici', 'commander', 'chalk', 'viem/chains'].map((name) => ['sandbox/ledger/ledger.ts', name] as const),
    ['io/http/httpClient.ts', 'ora'],
    ['io/terminal/style.ts', 'ora'],
    ['cli/createContext.ts', 'undici'],
    ['cli/program.ts', 'undici'],
    ['main.ts', 'commander'],
  ])('error: %s imports the package %s', (path, name) => {
    expect(forbids(path, `import * as x from '${name}';`)).toHaveLength(1);
    expect(forbids(path, `await import('${name}');`)).toHaveLength(1);
  });

  test.each(['createPublicClient', 'createTransport', 'http', 'webSocket', 'publicActions'])(
    'error: core imports %s of viem',
    (name) => {
      expect(forbids('core/quote/Quote.ts', `import { type Hex, ${name} } from 'viem';`)).toEqual([
        `core/quote/Quote.ts imports ${name} of viem, which reaches out`,
      ]);
      expect(forbids('io/chain/chainClient.ts', `import { ${name} } from 'viem';`)).toEqual([]);
    },
  );

  test('error: a folder that the table does not have', () => {
    expect(brokenBy('core/drawer/Thing.ts', 'export const x = 1;')).toEqual(['core/drawer is not in the table']);
  });
});

describe('rooms', () => {
  test('behavior: no folder without a file of its own', () => {
    expect(roomOf('commands/venue/deposit.ts')).toBe('commands');
    expect(roomOf('core/api/catalog/Chains.ts')).toBe('core/api/catalog');
    expect(roomOf('main.ts')).toBe('main.ts');
  });
});
