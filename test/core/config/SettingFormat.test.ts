import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as SettingFormat from '../../../src/core/config/SettingFormat.js';

/** The result of parsing each raw value; `-` if it is invalid. */
function readings(format: SettingFormat.Format<unknown>, raws: readonly unknown[]): unknown[] {
  return raws.map((raw) => {
    const found = format.read(raw);
    return found ? found.value : '-';
  });
}

describe('percent', () => {
  test('default', () => {
    expect(readings(SettingFormat.percent, ['0.5', '0.5%', '1', '100', '2.25', 0.5, 3])).toEqual([
      50, 50, 100, 10_000, 225, 50, 300,
    ]);
  });

  test('behavior: what is none', () => {
    const none = ['', '-1', '100.01', '101', '0.005', '1e2', '.5', '1.', 'auto', null, true, {}, [], Number.NaN, 0.005];
    expect(readings(SettingFormat.percent, none)).toEqual(none.map(() => '-'));
  });

  test('behavior: shows what it reads', () => {
    void fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000 }), (bps) => {
        expect(SettingFormat.percent.read(SettingFormat.percent.show(bps))).toEqual({ value: bps });
      }),
    );
  });
});

describe('usd', () => {
  test('default', () => {
    expect(readings(SettingFormat.usd, ['5', '$5', '0.25', '0.000001', 2.5])).toEqual([
      5_000_000n,
      5_000_000n,
      250_000n,
      1n,
      2_500_000n,
    ]);
  });

  test('behavior: what is none', () => {
    const none = ['', '-1', '0.0000001', '1e3', 'five', '1,5', 1e-7, 1e21, null];
    expect(readings(SettingFormat.usd, none)).toEqual(none.map(() => '-'));
  });

  test('behavior: shows what it reads', () => {
    void fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n }), (usd) => {
        expect(SettingFormat.usd.read(SettingFormat.usd.show(usd))).toEqual({ value: usd });
      }),
    );
  });
});

describe('gwei', () => {
  test('default: wei', () => {
    expect(readings(SettingFormat.gwei, ['3', '0.000000001', 60, 1.5])).toEqual([
      3_000_000_000n,
      1n,
      60_000_000_000n,
      1_500_000_000n,
    ]);
  });

  test('behavior: what is none', () => {
    const none = ['', '-1', '0.0000000001', '1e3', '3 gwei', 1e-10, null];
    expect(readings(SettingFormat.gwei, none)).toEqual(none.map(() => '-'));
  });

  test('behavior: shows what it reads', () => {
    expect(SettingFormat.gwei.read(SettingFormat.gwei.show(1_500_000_001n))).toEqual({ value: 1_500_000_001n });
  });
});

describe('duration', () => {
  test('default', () => {
    expect(readings(SettingFormat.duration, ['30', '30s', '500ms', '5m', '1h', 30])).toEqual([
      30_000, 30_000, 500, 300_000, 3_600_000, 30_000,
    ]);
  });

  test('behavior: what is none', () => {
    // Timers accept at most 2^31 - 1 ms.
    const none = ['', '0', '-1', '1.5s', '5 m', '1d', 'soon', '999h', null];
    expect(readings(SettingFormat.duration, none)).toEqual(none.map(() => '-'));
  });

  test('behavior: formats with the largest whole unit', () => {
    expect([500, 30_000, 90_000, 300_000, 3_600_000].map((ms) => SettingFormat.duration.show(ms))).toEqual([
      '500ms',
      '30s',
      '90s',
      '5m',
      '1h',
    ]);
  });
});

describe('url', () => {
  test('default', () => {
    expect(readings(SettingFormat.url, ['https://api.example.org', 'http://127.0.0.1:8545'])).not.toContain('-');
  });

  test('behavior: what is none', () => {
    const none = ['', 'api.example.org', 'ftp://a.example', 'file:///etc/passwd', 'javascript:alert(1)', 5];
    expect(readings(SettingFormat.url, none)).toEqual(none.map(() => '-'));
  });

  test('behavior: redacts everything after the origin', () => {
    expect(SettingFormat.url.show('https://rpc.example.org/v2/hush')).toBe('https://rpc.example.org/…');
  });
});

describe('name', () => {
  test('default', () => {
    expect(readings(SettingFormat.name, ['main', 'dev0', 'my-key_2', '8453'])).not.toContain('-');
  });

  test('behavior: what is none', () => {
    const none = ['', '.', '..', '../key', 'a/b', '-x', '_x', 'a b', `${'a'.repeat(65)}`, 'näme', 5];
    expect(readings(SettingFormat.name, none)).toEqual(none.map(() => '-'));
  });
});

describe('secret', () => {
  test('default', () => {
    expect(SettingFormat.secret.read('key-1')?.value.reveal()).toBe('key-1');
  });

  test('behavior: rejects anything that could end an HTTP header', () => {
    const none = ['', 'a b', 'a\r\nx-other: 1', 'ключ', 5];
    expect(readings(SettingFormat.secret, none)).toEqual(none.map(() => '-'));
  });
});

describe('rate', () => {
  test('default', () => {
    expect(readings(SettingFormat.rate, ['50', 50, '100000', '0', 0])).toEqual([50, 50, 100_000, Infinity, Infinity]);
  });

  test('behavior: what is none', () => {
    const none = ['', '-1', '1.5', '100001', '50/min', 'none', true, null];
    expect(readings(SettingFormat.rate, none)).toEqual(none.map(() => '-'));
  });

  test('behavior: formats no limit as users write it', () => {
    expect([50, Number.POSITIVE_INFINITY].map((value) => SettingFormat.rate.show(value))).toEqual(['50', '0']);
  });
});

describe('flag', () => {
  test('default', () => {
    expect(readings(SettingFormat.flag, [true, 'true', 'yes', '1', false, 'off', '0', 'perhaps', ''])).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
      '-',
      '-',
    ]);
  });
});

describe('color', () => {
  test('default', () => {
    expect(readings(SettingFormat.color, ['auto', 'always', 'never', true, false, 'red'])).toEqual([
      'auto',
      'always',
      'never',
      'always',
      'never',
      '-',
    ]);
  });
});

describe('id', () => {
  test('default', () => {
    expect(readings(SettingFormat.id, [1, '8453', 0, -1, 1.5, '0x1', 2 ** 53])).toEqual([
      1,
      8453,
      '-',
      '-',
      '-',
      '-',
      '-',
    ]);
  });
});

describe('index', () => {
  test('default', () => {
    const raws = [0, '100', 281_474_976_710_654, '281474976710655', -1, 1.5, '0x1', '', ' 1', null];
    expect(readings(SettingFormat.index, raws)).toEqual([
      0,
      100,
      281_474_976_710_654,
      '-',
      '-',
      '-',
      '-',
      '-',
      '-',
      '-',
    ]);
  });
});

describe('slot', () => {
  test('default', () => {
    expect(readings(SettingFormat.slot, [0, '4', 254, 255, '999', -1, 1.5, '', null])).toEqual([
      0,
      4,
      254,
      ...Array.from({ length: 6 }, () => '-'),
    ]);
  });
});

describe('optional', () => {
  test('default', () => {
    const slippage = SettingFormat.optional(SettingFormat.percent, 'auto');
    expect(readings(slippage, ['0.5', 'auto', 'none'])).toEqual([50, undefined, '-']);
    expect([slippage.show(50), slippage.show(undefined)]).toEqual(['0.5%', 'auto']);
  });

  test('behavior: without a word, it cannot be unset', () => {
    const account = SettingFormat.optional(SettingFormat.name);
    expect(account.read('')).toBeUndefined();
    expect(account.show(undefined)).toBeUndefined();
  });
});

describe('formatSource', () => {
  test('default', () => {
    expect(
      [
        { kind: 'flag', name: '--slippage' } as const,
        { kind: 'env', name: 'FERRY_SLIPPAGE' } as const,
        { kind: 'project', path: '/p/.ferryrc.json' } as const,
        { kind: 'user', path: '/u/config.json' } as const,
        { kind: 'default' } as const,
      ].map(SettingFormat.formatSource),
    ).toEqual(['--slippage', 'FERRY_SLIPPAGE', '/p/.ferryrc.json', '/u/config.json', 'default']);
  });
});
