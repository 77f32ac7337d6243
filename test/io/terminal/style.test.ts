import { describe, expect, test, vi } from 'vitest';
import { bare } from '../../../src/core/text/TerminalText.js';
import { createStyle, isColored } from '../../../src/io/terminal/style.js';

const pipe = { write: () => {} };
const terminal = { write: () => {}, isTTY: true, columns: 120 };
const wanted = { color: undefined, utc: false, now: () => Date.UTC(2026, 10, 23, 12) };

test.each([
  ['a terminal', terminal, {}, undefined, true],
  ['a pipe', pipe, {}, undefined, false],
  ['--color on a pipe', pipe, { NO_COLOR: '1', TERM: 'dumb' }, true, true],
  ['--no-color on a terminal', terminal, { FORCE_COLOR: '1' }, false, false],
  ['NO_COLOR', terminal, { NO_COLOR: '1', FORCE_COLOR: '1' }, undefined, false],
  ['an empty NO_COLOR', terminal, { NO_COLOR: '' }, undefined, true],
  ['FORCE_COLOR on a pipe', pipe, { FORCE_COLOR: '1', TERM: 'dumb' }, undefined, true],
  ['FORCE_COLOR=0', terminal, { FORCE_COLOR: '0' }, undefined, false],
  ['CLICOLOR_FORCE on a pipe', pipe, { CLICOLOR_FORCE: '1' }, undefined, true],
  ['CLICOLOR_FORCE=0 on a pipe', pipe, { CLICOLOR_FORCE: '0' }, undefined, false],
  ['TERM=dumb', terminal, { TERM: 'dumb' }, undefined, false],
])('isColored: behavior: %s', (_, output, env, color, coloured) => {
  expect(isColored(output, env, color)).toBe(coloured);
});

describe('createStyle', () => {
  test('default', async () => {
    const style = await createStyle(terminal, {}, wanted);
    expect(style.red('no')).toBe('\u001b[31mno\u001b[39m');
    expect(style.bold('no')).toBe('\u001b[1mno\u001b[22m');
    expect(style.width).toBe(120);
  });

  test('behavior: passed to map, a color takes the text alone', async () => {
    const { bold, dim, red, green, yellow, cyan } = await createStyle(terminal, {}, wanted);
    for (const color of [bold, dim, red, green, yellow, cyan])
      expect(['Name', 'Id'].map(color).map(bare)).toEqual(['Name', 'Id']);
  });

  test('behavior: plain without color', async () => {
    const style = await createStyle(pipe, {}, wanted);
    expect([style.red('no'), style.link('a', 'https://example.org'), style.width]).toEqual(['no', 'a', 80]);
  });

  test('behavior: times in the zone of the machine on a terminal, in UTC in a pipe and with --utc', async () => {
    vi.stubEnv('TZ', 'America/New_York');
    const [winter, summer] = [Date.UTC(2026, 10, 23, 11, 50), Date.UTC(2026, 6, 1, 12)];
    const here = await createStyle(terminal, {}, wanted);
    expect(here.time(winter)).toBe('2026-11-23 06:50:00 -05:00, 10 minutes ago');
    expect(here.time(summer)).toBe('2026-07-01 08:00:00 -04:00, 145 days ago');
    expect(here.minute(summer)).toBe('2026-07-01 08:00');
    for (const style of [
      await createStyle(pipe, {}, wanted),
      await createStyle(terminal, {}, { ...wanted, utc: true }),
    ])
      expect([style.time(winter), style.minute(winter), style.zone]).toEqual([
        '2026-11-23T11:50:00.000Z',
        '2026-11-23 11:50',
        'UTC',
      ]);
  });

  test('behavior: a command is one that can be typed: by npx where npx has started ferry', async () => {
    const [line, byNpx] = ['ferry resume 1f2e3d', { npm_command: 'exec' }];
    for (const [output, env, shown] of [
      [pipe, {}, line],
      [pipe, byNpx, `npx ${line}`],
      [terminal, byNpx, `npx ${line}`],
      [terminal, { npm_command: 'run-script' }, line],
    ] as const) {
      const style = await createStyle(output, env, wanted);
      expect(bare(style.command(line))).toBe(shown);
    }
    expect((await createStyle(pipe, byNpx, wanted)).command('date -u')).toBe('date -u');
  });

  test.each([
    ['pnpm ferry', 'pnpm', { npm_config_user_agent: 'pnpm/9.15.9 npm/? node/v20.20.2', npm_lifecycle_event: 'ferry' }],
    ['pnpm exec ferry', 'pnpm', { npm_config_user_agent: 'pnpm/9.15.9 npm/? node/v20.20.2' }],
    ['yarn ferry', 'yarn', { npm_config_user_agent: 'yarn/1.22.22 npm/? node/v20.20.2', npm_lifecycle_event: 'ferry' }],
    ['bunx ferry', 'bunx', { npm_config_user_agent: 'bun/1.3.0 npm/? node/v20.20.2' }],
    ['yarn run pay', '', { npm_config_user_agent: 'yarn/1.22.22 npm/? node/v20.20.2', npm_lifecycle_event: 'pay' }],
  ])('behavior: so where %s has', async (_, runner, env) => {
    const style = await createStyle(pipe, env, wanted);
    expect(style.command('ferry resume 1f2e3d')).toBe(`${runner} ferry resume 1f2e3d`.trim());
  });

  test('behavior: a link if the terminal supports links', async () => {
    const style = await createStyle(terminal, { TERM_PROGRAM: 'WezTerm' }, wanted);
    const link = style.link('0xab', 'https://example.org/tx/0xab');
    expect(link).toBe('\u001b]8;;https://example.org/tx/0xab\u00070xab\u001b]8;;\u0007');
    expect(bare(link)).toBe('0xab');
  });

  test.each([
    ['an unknown terminal', terminal, {}],
    ['a pipe with color', pipe, { FORCE_COLOR: '1', TERM_PROGRAM: 'WezTerm' }],
    ['NO_HYPERLINKS', terminal, { TERM_PROGRAM: 'WezTerm', NO_HYPERLINKS: '1' }],
  ])('behavior: no link on %s', async (_, output, env) => {
    const style = await createStyle(output, env, wanted);
    expect(style.link('a', 'https://example.org')).toBe('a');
  });

  test('behavior: a link cannot inject an escape sequence', async () => {
    const style = await createStyle(terminal, { FORCE_HYPERLINK: '1' }, wanted);
    expect(style.link('a', 'javascript:alert(1)')).toBe('a');
    expect(style.link('a', 'not a url')).toBe('a');
    expect(style.link('a', 'https://example.org/\u0007\u001b[2J')).toBe(
      '\u001b]8;;https://example.org/%07%1B[2J\u0007a\u001b]8;;\u0007',
    );
  });
});
