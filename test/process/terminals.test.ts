/** A transfer in a real terminal that can do little. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useFerry } from '../support/builtFerry.js';
import { describeWith, openShell } from '../support/terminal.js';

const built = useFerry();

beforeAll(async () => {
  expect((await built.run(['sandbox', 'start'])).code).toBe(0);
}, 120_000);
afterAll(async () => {
  await built.run(['sandbox', 'reset', '--yes']);
});

const ended = (screen: string): boolean => /^exit \d+$/m.test(screen);

describeWith(['tmux'], 'a terminal', () => {
  test('default: TERM=dumb, 40 columns and no UTF-8', async () => {
    const { enter, until, colored } = await openShell(built, { columns: 40, env: () => ({ LC_ALL: 'C' }) });
    await enter('clear; TERM=dumb ferry execute 10 alpha/usdc beta/usdc --yes; echo exit $?');
    const screen = await until(ended);
    expect(screen).toMatch(/Delivered in [\s\S]*Spent +10 alpha\/usdc[\s\S]*exit 0/);
    expect(screen).toMatch(/^[\0-\x7f]+$/);
    // A dumb terminal gets no sequences.
    expect(await colored()).toBe(screen);
  });
});
