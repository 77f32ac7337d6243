import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as SettingFormat from '../../../src/core/config/SettingFormat.js';

const slippage = SettingFormat.optional(SettingFormat.percent, 'auto');

type Case = [
  name: string,
  format: SettingFormat.Format<unknown>,
  reads: Record<string, unknown>,
  refuses: readonly unknown[],
  /** Values of a file that read as their text does. */
  alike: readonly unknown[],
];

const itself = (...texts: string[]) => Object.fromEntries(texts.map((text) => [text, text]));
const rates = { 50: 50, 100000: 100_000, 0: Number.POSITIVE_INFINITY };

test.each<Case>([
  [
    'percent',
    SettingFormat.percent,
    { '0.5': 50, '0.5%': 50, 1: 100, 3: 300, 100: 10_000, '2.25': 225 },
    ['', '-1', '100.01', '101', '0.005', '1e2', '.5', '1.', 'auto', null, true, {}, [], Number.NaN, 0.005],
    [0.5, 3],
  ],
  [
    'usd',
    SettingFormat.usd,
    { 5: 5_000_000n, $5: 5_000_000n, '0.25': 250_000n, '0.000001': 1n, '2.5': 2_500_000n },
    ['', '-1', '0.0000001', '1e3', 'five', '1,5', 1e-7, 1e21, null],
    [2.5],
  ],
  [
    'gwei',
    SettingFormat.gwei,
    { 3: 3_000_000_000n, '0.000000001': 1n, 60: 60_000_000_000n, '1.5': 1_500_000_000n },
    ['', '-1', '0.0000000001', '1e3', '3 gwei', 1e-10, null],
    [60, 1.5],
  ],
  [
    'duration, at most 2^31 - 1 ms, which timers accept',
    SettingFormat.duration,
    { 30: 30_000, '30s': 30_000, '500ms': 500, '5m': 300_000, '1h': 3_600_000 },
    ['', '0', '-1', '1.5s', '5 m', '1d', 'soon', '999h', null],
    [30],
  ],
  [
    'url',
    SettingFormat.url,
    itself('https://api.example.org', 'http://127.0.0.1:8545'),
    ['', 'api.example.org', 'ftp://a.example', 'file:///etc/passwd', 'javascript:alert(1)', 5],
    [],
  ],
  [
    'database',
    SettingFormat.database,
    itself('postgres://ferry@db.example/ledger', 'postgresql:///ledger?host=/run'),
    ['', 'postgres://ferry:hush@db.example/ledger', 'postgres://db.example', 'mysql://db.example/ledger', 5],
    [],
  ],
  [
    'name',
    SettingFormat.name,
    itself('main', 'dev0', 'my-key_2', '8453'),
    ['', '.', '..', '../key', 'a/b', '-x', '_x', 'a b', `${'a'.repeat(65)}`, 'näme', 5],
    [],
  ],
  ['secret, without what ends a header', SettingFormat.secret, {}, ['', 'a b', 'a\r\nx-other: 1', 'ключ', 5], []],
  ['rate', SettingFormat.rate, rates, ['', '-1', '1.5', '100001', '50/min', 'none', true, null], [50, 0]],
  [
    'flag',
    SettingFormat.flag,
    { true: true, yes: true, 1: true, false: false, off: false, 0: false },
    ['perhaps', ''],
    [true, false],
  ],
  ['id', SettingFormat.id, { 1: 1, 8453: 8453 }, [0, -1, 1.5, '0x1', 2 ** 53], [1]],
  [
    'index',
    SettingFormat.index,
    { 0: 0, 100: 100, 281474976710654: 281_474_976_710_654 },
    ['281474976710655', -1, 1.5, '0x1', '', ' 1', null],
    [0, 281_474_976_710_654],
  ],
  ['slot', SettingFormat.slot, { 0: 0, 4: 4, 254: 254 }, [255, '999', -1, 1.5, '', null], [0, 254]],
  ['an optional one', slippage, { '0.5': 50, auto: undefined }, ['none', ''], []],
])('%s', (_, format, reads, refuses, alike) => {
  for (const [text, value] of Object.entries(reads)) expect([text, format.read(text)]).toEqual([text, { value }]);
  for (const raw of refuses) expect([raw, format.read(raw)]).toEqual([raw, undefined]);
  for (const raw of alike) expect(format.read(raw)).toEqual(format.read(String(raw)));
});

test('color', () => {
  expect(['auto', true, false, 'red'].map((raw) => SettingFormat.color.read(raw)?.value)).toEqual([
    ...['auto', 'always', 'never', undefined],
  ]);
});

test('shows what it reads', () => {
  void fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000 }), fc.bigInt({ min: 0n, max: 10n ** 12n }), (bps, amount) => {
      expect(SettingFormat.percent.read(SettingFormat.percent.show(bps))).toEqual({ value: bps });
      expect(SettingFormat.usd.read(SettingFormat.usd.show(amount))).toEqual({ value: amount });
      expect(SettingFormat.gwei.read(SettingFormat.gwei.show(amount))).toEqual({ value: amount });
    }),
  );
  const durations = [500, 30_000, 90_000, 300_000, 3_600_000];
  expect(durations.map((ms) => SettingFormat.duration.show(ms))).toEqual(['500ms', '30s', '90s', '5m', '1h']);
  expect([50, Number.POSITIVE_INFINITY].map((value) => SettingFormat.rate.show(value))).toEqual(['50', '0']);
  expect(slippage.show(undefined)).toBe('auto');
});
