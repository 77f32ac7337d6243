import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as SettingFormat from '../../../src/core/config/SettingFormat.js';

/** The result of parsing each raw value; `-` if it is invalid. */
function readings(format: SettingFormat.Format<unknown>, raws: readonly unknown[]): unknown[] {
  return raws.map((raw) => {
    const found = format.read(raw);
    return found ? found.value : '-';
  });
}

const slippage = SettingFormat.optional(SettingFormat.percent, 'auto');

test.each<[name: string, format: SettingFormat.Format<never>, good: [unknown, unknown][], none: unknown[]]>([
  [
    'percent',
    SettingFormat.percent,
    [
      ['0.5', 50],
      ['0.5%', 50],
      ['1', 100],
      ['100', 10_000],
      ['2.25', 225],
      [0.5, 50],
      [3, 300],
    ],
    ['', '-1', '100.01', '101', '0.005', '1e2', '.5', '1.', 'auto', null, true, {}, [], Number.NaN, 0.005],
  ],
  [
    'usd',
    SettingFormat.usd,
    [
      ['5', 5_000_000n],
      ['$5', 5_000_000n],
      ['0.25', 250_000n],
      ['0.000001', 1n],
      [2.5, 2_500_000n],
    ],
    ['', '-1', '0.0000001', '1e3', 'five', '1,5', 1e-7, 1e21, null],
  ],
  [
    'gwei',
    SettingFormat.gwei,
    [
      ['3', 3_000_000_000n],
      ['0.000000001', 1n],
      [60, 60_000_000_000n],
      [1.5, 1_500_000_000n],
    ],
    ['', '-1', '0.0000000001', '1e3', '3 gwei', 1e-10, null],
  ],
  [
    'duration, at most 2^31 - 1 ms, which timers accept',
    SettingFormat.duration,
    [
      ['30', 30_000],
      ['30s', 30_000],
      ['500ms', 500],
      ['5m', 300_000],
      ['1h', 3_600_000],
      [30, 30_000],
    ],
    ['', '0', '-1', '1.5s', '5 m', '1d', 'soon', '999h', null],
  ],
  [
    'url',
    SettingFormat.url,
    ['https://api.example.org', 'http://127.0.0.1:8545'].map((url) => [url, url]),
    ['', 'api.example.org', 'ftp://a.example', 'file:///etc/passwd', 'javascript:alert(1)', 5],
  ],
  [
    'database',
    SettingFormat.database,
    ['postgres://ferry@db.example/ledger', 'postgresql:///ledger?host=/run'].map((url) => [url, url]),
    ['', 'postgres://ferry:hush@db.example/ledger', 'postgres://db.example', 'mysql://db.example/ledger', 5],
  ],
  [
    'name',
    SettingFormat.name,
    ['main', 'dev0', 'my-key_2', '8453'].map((name) => [name, name]),
    ['', '.', '..', '../key', 'a/b', '-x', '_x', 'a b', `${'a'.repeat(65)}`, 'näme', 5],
  ],
  ['secret, without what ends a header', SettingFormat.secret, [], ['', 'a b', 'a\r\nx-other: 1', 'ключ', 5]],
  [
    'rate',
    SettingFormat.rate,
    [
      ['50', 50],
      [50, 50],
      ['100000', 100_000],
      ['0', Number.POSITIVE_INFINITY],
      [0, Number.POSITIVE_INFINITY],
    ],
    ['', '-1', '1.5', '100001', '50/min', 'none', true, null],
  ],
  [
    'flag',
    SettingFormat.flag,
    [
      [true, true],
      ['true', true],
      ['yes', true],
      ['1', true],
      [false, false],
      ['off', false],
      ['0', false],
    ],
    ['perhaps', ''],
  ],
  [
    'color',
    SettingFormat.color,
    [
      ['auto', 'auto'],
      [true, 'always'],
      [false, 'never'],
    ],
    ['red'],
  ],
  [
    'id',
    SettingFormat.id,
    [
      [1, 1],
      ['8453', 8453],
    ],
    [0, -1, 1.5, '0x1', 2 ** 53],
  ],
  [
    'index',
    SettingFormat.index,
    [
      [0, 0],
      ['100', 100],
      [281_474_976_710_654, 281_474_976_710_654],
    ],
    ['281474976710655', -1, 1.5, '0x1', '', ' 1', null],
  ],
  [
    'slot',
    SettingFormat.slot,
    [
      [0, 0],
      ['4', 4],
      [254, 254],
    ],
    [255, '999', -1, 1.5, '', null],
  ],
  [
    'an optional one',
    slippage,
    [
      ['0.5', 50],
      ['auto', undefined],
    ],
    ['none', ''],
  ],
] as never)('%s', (_, format, good, none) => {
  expect(
    readings(
      format,
      good.map(([raw]) => raw),
    ),
  ).toEqual(good.map(([, value]) => value));
  expect(readings(format, none)).toEqual(none.map(() => '-'));
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

test('shows no secret', () => {
  expect(SettingFormat.url.show('https://rpc.example.org/v2/hush')).toBe('https://rpc.example.org/…');
  expect(SettingFormat.secret.read('key-1')?.value.reveal()).toBe('key-1');
});
