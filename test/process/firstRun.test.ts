/**
 * The first run as a newcomer has it: in a real terminal, from nothing to a transfer, on a real sandbox. Ctrl-C is pressed
 * at one question.
 *
 * The manual's pictures of it are drawn anew by
 * PICTURES=1 npx vitest run --config test/vitest.config.ts test/process/firstRun.test.ts
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { useFerry } from '../support/builtFerry.js';
import { draw, wording } from '../support/picture.js';
import { describeWith, openShell, type Shell } from '../support/terminal.js';

const built = useFerry();
afterAll(async () => {
  await built.run(['sandbox', 'reset', '--yes']);
});

type Newcomer = Shell & {
  config: string;
  /** Types a line, and Enter, on an empty screen. */
  run(line: string): Promise<void>;
  /** The screen once it shows that. */
  shows(text: string | RegExp): Promise<string>;
  /** Expects the manual's picture of that name to show what the screen shows. */
  pictures(name: string, title: string): Promise<void>;
};

const columns = 100;

async function newcomer(): Promise<Newcomer> {
  const shell = await openShell(built, { columns });
  const { home, enter, until, colored } = shell;
  return {
    ...shell,
    config: join(home, '.config', 'ferry', 'config.json'),
    async run(line) {
      await enter('clear');
      await until((screen) => screen === '$');
      await enter(line);
    },
    shows: (text) => until((screen) => (typeof text === 'string' ? screen.includes(text) : text.test(screen)), 60_000),
    async pictures(name, title) {
      const path = fileURLToPath(new URL(`../../.github/${name}.svg`, import.meta.url));
      // A long path of a temporary home stands on a line of its own.
      const joined = (await colored()).replace(/( is set up in)\s*\n/, '$1 ');
      const screen = joined.replaceAll(home, '~').replace(/\n.*\$$/, '');
      const drawn = draw(screen, columns, title);
      if (process.env.PICTURES) writeFileSync(path, drawn);
      // Of a run of its own, with numbers and hashes of its own.
      expect(wording(drawn)).toEqual(expect.arrayContaining(wording(readFileSync(path, 'utf8'))));
    },
  };
}

/** The command that a screen ends by naming, which is typed next. */
function nextOf(screen: string): string {
  const [, command = ''] = /next: (ferry [^\n]+)(?![\s\S]*next: )/.exec(screen) ?? [];
  return command;
}

describeWith(['tmux'], 'the first run', () => {
  test('default: init, doctor, key, quote, execute, status', async () => {
    const { enter, run, press, shows, config, pictures } = await newcomer();
    await run('ferry config init');
    await shows('The whole service on this machine');
    await press('Enter');
    await shows('Write it? (Y/n)');
    expect(existsSync(config)).toBe(false);
    await enter('y');
    const done = await shows('ferry execute 100 alpha/usdc beta/usdc');
    await pictures('first-run-init', 'ferry config init');
    expect(done).toContain('✓ alpha: Chain 313371 answers');
    expect(done).toContain('✓ sandbox is set up in');
    expect(JSON.parse(readFileSync(config, 'utf8'))).toEqual({ network: 'sandbox' });
    expect(statSync(config).mode & 0o777).toBe(0o600);

    await run('ferry doctor; echo exit $?');
    expect(await shows(/exit \d/)).toContain('Everything is in order.\nexit 0');

    await run('ferry key new main');
    await shows('New password of main');
    await enter('correct horse');
    await shows('Repeat the password');
    await enter('correct horse');
    const made = nextOf(await shows(/Created main[\s\S]*next: /));
    expect(made).toBe('ferry doctor --account main');
    await run(`${made}; echo exit $?`);
    expect(await shows(/exit \d/)).toMatch(/main signs on sandbox: 0x\w{40}\.[\s\S]*Everything is in order\.\nexit 0/);
    await run('ferry key show main; echo exit $?');
    expect(await shows('exit 0')).not.toContain('correct');

    await run('ferry quote 100 alpha/usdc beta/usdc');
    await shows('checks passed: it does what was asked');
    await pictures('first-run-quote', 'ferry quote');
    await run('ferry execute 100 alpha/usdc beta/usdc');
    await shows('(y/N)');
    await enter('y');
    const delivered = await shows(/Delivered in[\s\S]*Request +0x[0-9a-f]{64}/);
    await pictures('first-run-execute', 'ferry execute');
    const [request] = /0x[0-9a-f]{64}(?!.*0x)/s.exec(delivered) ?? [];
    await run(`ferry status ${request}`);
    await shows(/success[\s\S]*\n\$$/);
    await pictures('first-run-status', 'ferry status');
    await enter('echo exit $?');
    expect(await shows(/exit \d/)).toContain('exit 0');
  }, 180_000);

  test('behavior: Ctrl-C at the third question leaves the file as it was', async () => {
    const { data } = JSON.parse((await built.run(['sandbox', 'start', '--json'])).stdout);
    const { enter, press, shows, config } = await newcomer();
    mkdirSync(join(config, '..'), { recursive: true });
    const before = '{ "maxImpact": 3 }\n';
    writeFileSync(config, before, { mode: 0o644 });
    const inode = statSync(config).ino;
    const dialogue = [
      ['URL of the service of mine', data.baseUrl],
      ['Does mine use real money?', 'n'],
      ['API key of mine', ''],
      ['Chains to use', 'alpha'],
    ];
    await enter('ferry config init mine; echo exit $?');
    for (const [question = '', answer = ''] of dialogue.slice(0, 2)) {
      await shows(question);
      await enter(answer);
    }
    await shows(dialogue[2]?.[0] ?? '');
    await press('C-c');
    const shown = await shows(/exit \d+/);
    expect(shown).toContain('prompt.declined');
    expect(shown).toContain('exit 11');
    expect([readFileSync(config, 'utf8'), statSync(config).ino, statSync(config).mode & 0o777]).toEqual([
      before,
      inode,
      0o644,
    ]);
    expect(readdirSync(join(config, '..'))).toEqual(['config.json']);
  });

  test('behavior: a mistyped password is asked for again, three times, and nothing of it reaches the shell', async () => {
    const { enter, type, run, shows, home } = await newcomer();
    await enter('ferry key new main');
    await shows('New password of main');
    await enter('short');
    await shows('The password has fewer than 8 characters. New password of main');
    await enter('');
    await shows('The password is empty. New password of main');
    await enter('the right one');
    await shows('Repeat the password');
    await enter('another one');
    await shows('The passwords do not match, try 2 of 3. New password of main');
    await enter('the right one');
    await shows('Repeat the password');
    await enter('the right one');
    await shows('Created main');

    writeFileSync(join(home, 'new'), 'the next one', { mode: 0o600 });
    await run('ferry key password main --new-password-file new; echo exit $?');
    await shows('Password of main');
    // Typed ahead, as by somebody who knows at once that it was wrong.
    await type('mkdir first\rmkdir second\r');
    await shows('Wrong password, try 2 of 3. Password of main');
    await enter('mkdir third');
    await shows('Wrong password, try 3 of 3. Password of main');
    await enter('mkdir fourth');
    const shown = await shows(/exit \d/);
    expect(shown).toContain('auth.password');
    expect(shown).toContain('exit 4');
    expect(shown).not.toContain('mkdir');
    expect(readdirSync(home).sort()).toEqual(['.config', 'bin', 'new']);
  });

  test('behavior: what only one says is named in the question, and neither Enter alone nor what was typed before pays', async () => {
    const { typeAhead, shows, press } = await newcomer();
    // As in lines that were pasted into the shell together.
    await typeAhead([
      ['ferry execute 10 alpha/kelp beta/usdc', 'Enter'],
      ['y', 'Enter'],
    ]);
    const screen = await shows('(y/N)');
    expect(screen.replace(/\s+/g, ' ')).toContain('Only one witness: price (the service)');
    await press('Enter');
    await shows('Declined.');
  });
});
