import { describe, expect, test } from 'vitest';
import { width } from '../../../src/core/text/TerminalText.js';
import { ferry } from '../../support/ferry.js';

const schedule = (...args: string[]) => ferry(['fees', 'schedule', ...args, '--json']);

describe('run', () => {
  test('default: the table and the lists, offline', async () => {
    const { data } = (await schedule()).json();
    const bps = ['0', '0', '1', '6', '15'];
    expect(data.schedule.map((row: Record<string, string>) => row.bps)).toEqual(bps);
    expect([data.pair, data.lists.majorStablecoins.length, data.lists.majorTokens.length]).toEqual([null, 15, 9]);
  });
  test('behavior: a plain transfer is said to be one', async () => {
    const { pair } = (await schedule('alpha/usdc', 'alpha/usdc')).json().data;
    expect([pair.type, pair.notes.length]).toEqual(['bridge', 1]);
  });
  test('error: one currency alone, or one that there is not', async () => {
    expect((await schedule('alpha/usdc')).json().error).toMatchObject({ code: 'usage.missing', exit: 2 });
    expect((await schedule('alpha/usdc', 'beta/frob')).json().error).toMatchObject({ code: 'request.unknown-token' });
  });
});

describe('view', () => {
  test.each([40, 60, 80, 200])('default: fits %i columns, uncut', async (columns) => {
    for (const args of [[], ['alpha/usdc', 'beta/eth']]) {
      const { stdout, code } = await ferry(['fees', 'schedule', ...args], { columns });
      expect(code).toBe(0);
      expect(Math.max(...stdout.split('\n').map(width))).toBeLessThanOrEqual(columns);
      expect(stdout).not.toContain('…');
      const words = stdout.split(/\s+/);
      for (const word of 'two major tokens, or one of them and a major stablecoin'.split(' '))
        expect(words).toContain(word);
    }
  });
  test('behavior: the pair first', async () => {
    const { stdout } = await ferry(['fees', 'schedule', 'alpha/usdc', 'beta/eth']);
    expect(stdout.split('\n')[0]).toBe('alpha/usdc → beta/eth: major swap, 0.06% of the input');
  });
});
