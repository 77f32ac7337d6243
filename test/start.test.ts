import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { useFerry } from './support/builtFerry.js';
import { temporaryFolder } from './support/ferry.js';

const ferry = useFerry();

describe('start', () => {
  test('behavior: the compiled code of a command is kept once, and a damaged one is made anew', async () => {
    const home = temporaryFolder();
    const ask = () => ferry.run(['completion', 'bash'], { HOME: home, XDG_CACHE_HOME: undefined });
    const first = await ask();
    const folder = join(home, '.cache', 'ferry', 'code');
    const [name = '', ...more] = readdirSync(folder);
    expect([name.endsWith('-completion'), more]).toEqual([true, []]);
    const kept = readFileSync(join(folder, name));
    expect(await ask()).toEqual(first);
    expect(readFileSync(join(folder, name)).equals(kept)).toBe(true);
    writeFileSync(join(folder, name), 'damaged');
    expect(await ask()).toEqual(first);
    expect(readFileSync(join(folder, name)).length).toBeGreaterThan(100_000);
  });

  test('behavior: groups of commands have their own, and what is no command has one', async () => {
    const home = temporaryFolder();
    for (const argv of [['venue', 'account', '--nonsense'], ['nonsense'], ['quote', '--help'], ['--help']])
      await ferry.run(argv, { HOME: home, XDG_CACHE_HOME: undefined });
    const names = readdirSync(join(home, '.cache', 'ferry', 'code')).map(
      (name) => /[0-9a-f]{16}-(.*)$/.exec(name)?.[1],
    );
    expect(names.sort()).toEqual(['help', 'other', 'venue-account']);
  });

  test('behavior: the version and the words of a shell need none', async () => {
    const home = temporaryFolder();
    expect((await ferry.run(['--version'], { HOME: home, XDG_CACHE_HOME: undefined })).stdout).toMatch(
      /^\d+\.\d+\.\d+\n$/,
    );
    await ferry.run(['__complete', 'zsh', 'ferry', ''], { HOME: home, XDG_CACHE_HOME: undefined });
    expect(existsSync(join(home, '.cache'))).toBe(false);
  });
});
