/** Transfers in real terminals that can do little, and in one that changes while ferry waits. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { useFerry } from '../support/builtFerry.js';
import { describeWith, homeFolder, openTerminal, type Terminal } from '../support/terminal.js';

const built = useFerry();

beforeAll(async () => {
  expect((await built.run(['sandbox', 'start'])).code).toBe(0);
}, 120_000);
afterAll(async () => {
  await built.run(['sandbox', 'reset', '--yes']);
});

/** A shell in a terminal, in which ferry is started. */
async function shell(
  columns: number,
  locale: string,
): Promise<Terminal & { ferry(line: string, as?: string): Promise<void>; clear(): Promise<void> }> {
  const { CI: _, NO_COLOR: __, ...env } = built.env;
  const home = homeFolder();
  const terminal = await openTerminal({
    command: ['sh'],
    env: { ...env, HOME: home, LC_ALL: locale },
    cwd: home,
    columns,
  });
  onTestFinished(terminal.close);
  return {
    ...terminal,
    async clear() {
      await terminal.type('clear');
      await terminal.press('Enter');
      await terminal.until((screen) => !screen.includes('ferry'));
    },
    async ferry(line, as = '') {
      await terminal.type(`clear; ${as} ${process.execPath} ${built.path} ${line}; echo exit $?`);
      await terminal.press('Enter');
    },
  };
}

const ended = (screen: string): boolean => /^exit \d+$/m.test(screen);

describeWith(['tmux'], 'a terminal', () => {
  test('default: TERM=dumb, 40 columns and no UTF-8', async () => {
    const { ferry, until, colored } = await shell(40, 'C');
    await ferry('execute 10 alpha/usdc beta/usdc --yes', 'TERM=dumb');
    const screen = await until(ended);
    expect(screen).toMatch(/Delivered in [\s\S]*Spent +10 alpha\/usdc[\s\S]*exit 0/);
    expect(screen).toMatch(/^[\0-\x7f]+$/);
    // A dumb terminal gets no sequences.
    expect(await colored()).toBe(screen);
  });

  test('behavior: it is made narrow and wide again while ferry waits', async () => {
    const { ferry, until, resize, screen } = await shell(120, 'C.UTF-8');
    expect((await built.run(['sandbox', 'fault', 'chain', 'does=halt', '--on', 'alpha'])).code).toBe(0);
    await ferry('execute 10 alpha/usdc beta/usdc --yes');
    await until((screen) => screen.includes('Deposit 10 USDC'));
    for (const columns of [40, 60, 100]) {
      await resize(columns);
      // The spinner turns on.
      const before = await screen();
      await until((now) => now !== before);
    }
    expect((await built.run(['sandbox', 'fault', '--clear'])).code).toBe(0);
    expect(await until(ended)).toMatch(/Delivered in [\s\S]*exit 0/);
  });
});
