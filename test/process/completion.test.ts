/**
 * Completion in real shells, on real terminals: what is inserted is what was meant, and nothing of it is ever run. Of what
 * depends little on the shell, the suite tries each in one of them. All in each:
 * WHOLE=1 npm test -- test/process/completion.test.ts
 */
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Shell, shells } from '../../src/core/completion/ShellQuoting.js';
import { createRuns } from '../../src/io/runs/runFolder.js';
import { useFerry } from '../support/builtFerry.js';
import { hostileNames } from '../support/hostileNames.js';
import { intent } from '../support/journals.js';
import { describeWith, homeFolder, openTerminal, type Terminal } from '../support/terminal.js';

const completions = fileURLToPath(new URL('../../completions', import.meta.url));

/** One of them is had by typing its number. */
const symbols = hostileNames.map((name, index) => `t${String(index).padStart(2, '0')}${name}`);

// A shell that starts on a busy machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

const ferry = useFerry();

/** A user with tokens of hostile names, and a ferry on PATH that answers the shell and else writes down its arguments. */
function user(): { home: string; work: string; env: Record<string, string | undefined>; argv: string } {
  const folder = homeFolder();
  const [home, work, bin, config] = ['home', 'work', 'bin', 'config'].map((name) => {
    mkdirSync(join(folder, name));
    return join(folder, name);
  }) as [string, string, string, string];
  // Without it fish begins to read every manual page of the system in the background.
  mkdirSync(join(home, '.local/share/fish/generated_completions'), { recursive: true });
  const argv = join(folder, 'argv.json');
  const record = `require('fs').writeFileSync('${argv}', JSON.stringify(process.argv.slice(1)))`;
  const shim = `#!/bin/sh\nif [ "$1" = __complete ]; then exec '${process.execPath}' '${ferry.path}' "$@"; fi\nexec '${process.execPath}' -e "${record}" -- "$@"\n`;
  writeFileSync(join(bin, 'ferry'), shim);
  chmodSync(join(bin, 'ferry'), 0o755);
  const tokens = symbols.map((symbol, index) => ({
    symbol,
    name: '$(touch ran) `touch ran` %F{red}',
    decimals: 6,
    address: `0x${String(index + 1).padStart(40, '0')}`,
    at: '2026-01-01T00:00:00.000Z',
  }));
  const place = { network: 'testnet', deployment: 'https://api.testnets.relay.link', chainId: 84532 };
  writeFileSync(
    join(config, 'pins.json'),
    JSON.stringify({ version: 1, chains: [{ ...place, contracts: {}, tokens }] }),
  );
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: home,
    // A shell that is being ended writes nothing.
    HISTFILE: '',
    fish_history: '',
    LC_ALL: 'C.UTF-8',
    FERRY_NETWORK: 'testnet',
    FERRY_CONFIG_DIR: config,
    FERRY_STATE_DIR: join(folder, 'state'),
  };
  return { home, work, env, argv };
}

/** zsh's completion system, which is found faster the second time. */
const compinit = (): string => `autoload -Uz compinit; compinit -u -d ${join(ferry.stateDir, '..', 'zcompdump')}`;

/** How each is started without anything of its user's, and told of ferry by the committed script. */
const starts: Readonly<Record<Shell, { command: readonly string[]; setup: () => string }>> = {
  bash: {
    command: ['bash', '--norc', '--noprofile', '-i'],
    setup: () => `PS1='> '; source ${completions}/ferry.bash`,
  },
  zsh: {
    command: ['zsh', '-f', '-i'],
    setup: () => `PS1='> '; fpath=(${completions} $fpath); ${compinit()}`,
  },
  fish: {
    command: ['fish', '--no-config', '-i'],
    setup: () =>
      `function fish_prompt; echo -n '> '; end; set -g fish_autosuggestion_enabled 0; source ${completions}/ferry.fish`,
  },
};

type Session = Terminal & {
  /** Types texts, presses TAB between them and Enter at the end. Resolves to the arguments that ferry was given. */
  run(...texts: readonly string[]): Promise<string[]>;
};

async function start(
  who: ReturnType<typeof user>,
  command: readonly string[],
  setup: string,
  columns = 3000,
): Promise<Session> {
  const terminal = await openTerminal({ command, env: who.env, cwd: who.work, columns });
  onTestFinished(() => terminal.close());
  await terminal.type(`${setup}${setup ? '; ' : ''}printf 'rea%s\\n' dy`);
  await terminal.press('Enter');
  await terminal.until((screen) => /^ready$/m.test(screen));
  await terminal.press('C-l');
  await terminal.until((screen) => !screen.includes('ready'));
  return {
    ...terminal,
    async run(...texts) {
      rmSync(who.argv, { force: true });
      await terminal.typeAhead(texts.map((text, index) => [text, index < texts.length - 1 ? 'Tab' : 'Enter']));
      await terminal.until(() => existsSync(who.argv) && readFileSync(who.argv, 'utf8').endsWith(']'));
      return JSON.parse(readFileSync(who.argv, 'utf8'));
    },
  };
}

const begin = (shell: Shell, who = user()) => start(who, starts[shell].command, starts[shell].setup());

/** A test that the suite has for one shell alone. */
const testIn = (one: Shell, shell: Shell) => test.runIf(one === shell || process.env.WHOLE);

for (const shell of shells) {
  describeWith([shell, 'tmux'], `completion in ${shell}`, () => {
    test('default: commands, options, chains, tokens and values, each with a TAB', async () => {
      const session = await begin(shell);
      expect(await session.run('ferry conf', 'se', 'col', 'al', '')).toEqual(['config', 'set', 'color', 'always']);
      expect(await session.run('ferry stat', '0x1 --unt', 'succ', '')).toEqual(['status', '0x1', '--until', 'success']);
      expect(await session.run('ferry quote --netw', 'sandb', '1 al', 'usdc be', 'gu', '')).toEqual(
        'quote --network sandbox 1 alpha/usdc beta/gull'.split(' '),
      );
      expect(await session.run('ferry quote --network=sandb', '1 al', 'gu', '')).toEqual(
        'quote --network=sandbox 1 alpha/gull'.split(' '),
      );
    });

    // Between them stands a plain word: bash takes what follows a separator for a command, even where it is quoted.
    test('behavior: hostile names arrive as one argument each, quoted or not, and run nothing', async () => {
      const who = user();
      const session = await begin(shell, who);
      for (const quote of ['', "'", '"']) {
        // What bash reads back in quotes is known of every name; what zsh and fish insert is quoted by themselves.
        const count = quote === '' && (shell === 'bash' || process.env.WHOLE) ? symbols.length : 4;
        const typed = Array.from(
          { length: count },
          (_, index) => `x ${quote}base-sepolia/t${String(index).padStart(2, '0')}`,
        );
        const argv = await session.run(`ferry fees compare 1 ${typed[0]}`, ...typed.slice(1), '');
        const expected = symbols.slice(0, count).flatMap((symbol) => ['x', `base-sepolia/${symbol.toLowerCase()}`]);
        expect([quote, ...argv]).toEqual([quote, 'fees', 'compare', '1', ...expected]);
      }
      expect(readdirSync(who.work)).toEqual([]);
    });

    testIn('zsh', shell)(
      'behavior: they are listed as they are, and a substitution that was typed is not made',
      async () => {
        const who = user();
        const session = await begin(shell, who);
        await session.type('ferry quote $(touch ran) base-sepolia/t');
        await session.until((screen) => screen.endsWith('base-sepolia/t'));
        await session.press('Tab');
        if (shell === 'bash') await session.press('Tab');
        const screen = await session.until((text) => text.includes('t24'));
        expect(screen).toContain(shell === 'bash' ? 't00\\$\\(touch\\ ran\\)' : 't00$(touch ran)');
        expect(readdirSync(who.work)).toEqual([]);
      },
    );

    testIn('bash', shell)(
      'behavior: runs that can be resumed, from their journals, and files where a file is meant',
      async () => {
        const who = user();
        const host = {
          env: who.env,
          cwd: who.work,
          home: who.home,
          now: Date.now,
          signal: new AbortController().signal,
        };
        const runs = createRuns(
          { ...host, randomBytes: (length) => new Uint8Array(length).fill(171) },
          { warn: () => {} },
        );
        const run = await runs.create(intent, { again: true });
        await run.append({ type: 'quote', requestId: '0x01', document: {} });
        await run.append({ type: 'request', requestId: '0x01' });
        run.close();
        for (const name of ['quote of $(touch ran).json', 'other.json']) writeFileSync(join(who.work, name), '');
        const session = await begin(shell, who);
        expect(await session.run('ferry resume ', '')).toEqual(['resume', run.id]);
        expect(await session.run('ferry verify quo', '')).toEqual(['verify', 'quote of $(touch ran).json']);
        expect(await session.run('ferry quote 1 a b -o oth', '')).toEqual(['quote', '1', 'a', 'b', '-o', 'other.json']);
        expect(await session.run('ferry quote 1 a b --output=oth', '')).toEqual(
          'quote 1 a b --output=other.json'.split(' '),
        );
        expect(readdirSync(who.work).sort()).toEqual(['other.json', 'quote of $(touch ran).json']);
      },
    );

    testIn('zsh', shell)('behavior: without a ferry there is nothing, and no word of it', async () => {
      const who = user();
      rmSync(join(who.env.PATH?.split(':')[0] ?? '', 'ferry'));
      const session = await begin(shell, who);
      await session.type('ferry quo');
      await session.press('Tab');
      await session.type(' x');
      const screen = await session.until((text) => text.includes(' x'));
      expect(screen.split('\n')).toEqual(['> ferry quo x']);
    });

    test('behavior: ferry completion install is all that it takes', async () => {
      const who = user();
      const env = {
        ...who.env,
        SHELL: `/bin/${shell}`,
        XDG_CONFIG_HOME: undefined,
        XDG_DATA_HOME: undefined,
        ZDOTDIR: undefined,
      };
      const installed = await ferry.run(['completion', 'install', '--yes', '--json'], env);
      expect(JSON.parse(installed.stdout)).toMatchObject({ ok: true, data: { shell, done: true } });
      const session = await start({ ...who, env }, [shell, '-i'], '');
      expect(await session.run('ferry quo', '')).toEqual(['quote']);
    });
  });
}

describeWith(['bash', 'tmux'], 'the script of bash', () => {
  test('behavior: twice, under set -u, with other break characters and beside bash-completion', async () => {
    const script = `${completions}/ferry.bash`;
    const library = '/usr/share/bash-completion/bash_completion';
    const session = await start(
      user(),
      starts.bash.command,
      `PS1='> '; [ -r ${library} ] && source ${library}; source ${script}; source ${script}; set -u; COMP_WORDBREAKS=' '`,
    );
    expect(await session.run('ferry quote --network=sandb', '1 al', 'gu', '')).toEqual(
      'quote --network=sandbox 1 alpha/gull'.split(' '),
    );
  });
});

describeWith(['zsh', 'tmux'], 'the script of zsh', () => {
  test('behavior: sourced after the completion system has started', async () => {
    const who = user();
    cpSync(`${completions}/_ferry`, join(who.home, 'ferry.zsh'));
    const setup = `PS1='> '; autoload -Uz compinit; compinit -u -D; source ~/ferry.zsh`;
    const session = await start(who, starts.zsh.command, setup);
    expect(await session.run('ferry quo', '1 base-', 'usd', '')).toMatchObject(['quote', '1', /^base-sepolia\/usdc$/]);
  });

  test('behavior: what is listed has a line each, cut where a terminal is narrow', async () => {
    const session = await start(user(), starts.zsh.command, starts.zsh.setup(), 60);
    await session.type('ferry config set max');
    await session.press('Tab');
    const screen = await session.until((text) => /^maxDay/m.test(text));
    const listed = screen.split('\n').filter((line) => line !== '' && !line.startsWith('>'));
    expect(listed).toHaveLength(8);
    expect(listed.filter((line) => line.length >= 60)).toEqual([]);
  });
});
