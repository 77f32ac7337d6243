/** The commands that help and manual show, as they stand there: each one runs, or is read alone for a reason given. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { table } from '../../src/cli/commandTable.js';
import { parse } from '../../src/cli/program.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { type Ended, ferry, at as located, temporaryFolder } from '../support/ferry.js';
import { type Postgres, programs, startPostgres } from '../support/postgres.js';
import { useSandbox } from '../support/sandbox.js';
import { isInstalled } from '../support/terminal.js';

/** Examples that are only read, by a part of their text, and why. */
const onlyRead: readonly (readonly [part: string, reason: string])[] = [
  ['--network mainnet', 'a real network'],
  ['--network testnet', 'a real network'],
  ['base/usdc', 'a real network'],
  ['reconcile base', 'a real network'],
  ['config init testnet', 'a key of a real network'],
  ['--watch', 'it waits for what another process does'],
  ['ferry sandbox start', 'the sandbox of this test stands already'],
  ['ferry sandbox status', 'it looks for a sandbox of its own'],
  ['ferry sandbox logs', 'it looks for a sandbox of its own'],
  ['ferry sandbox exec', 'it starts a sandbox of its own'],
  ['ferry sandbox reset', 'it removes a sandbox of its own'],
  ['ferry sandbox fault', 'it would strike the other examples'],
  ['config init sandbox', 'it starts a sandbox of its own'],
  ['config init mine', 'a service that nobody runs'],
  ['--network mine', 'a service that nobody runs'],
  ['config edit', 'an editor'],
  ['venue withdraw max', 'it would leave nothing to the others'],
  ['pass show', 'a password manager'],
  ['~/', 'a file of the user'],
  ['key import venue', 'a question'],
  ['key export', 'a question'],
  ['--signer', 'a command of the user'],
  ['runs speed-up', 'a payment that hangs'],
  ['runs cancel', 'a payment that hangs'],
  ['runs close', 'a payment that hangs'],
  ['ferry resume', 'a payment that hangs'],
  ['contracts accept', 'contracts that moved'],
  ['fees claim', 'fees that were earned'],
  ['ferry trace', 'a simulation that failed'],
  ['ferry status 0xea', 'an address that somebody has paid'],
  ['ferry execute call', 'a call of the user'],
  ['networks.mainnet.apiKey', 'a question'],
  ['ferry fees compare', 'dozens of quotes'],
  ['ferry smoke', 'a file of checks, which its own test runs'],
  ['ferry demo attack', 'its own sandbox'],
  ['completion install', 'the shell of the user'],
  ['ferry worker', 'it works until it is stopped'],
  ['--wait', 'it waits for workers'],
  ['batch cancel', 'it would end the batch of the others'],
];

const examples = (
  await Promise.all(
    table.map(async ({ load }) => {
      const { examples } = await load();
      return examples.map(([line]) => line);
    }),
  )
).flat();

const hasJq = isInstalled('jq');
if (!hasJq)
  process.stderr.write('skipped: jq is not installed: what the examples make of answers with it is not made\n');

const { sandbox } = useSandbox();
let folder: string;
let env: Record<string, string | undefined>;
/** What the examples call by made-up names, and what that is here. */
let names: readonly (readonly [string, string])[];

let postgres: Postgres | undefined;
/** A store that has the runs of the folder; undefined where PostgreSQL is not installed. */
let store: string | undefined;

const at = (home: string, argv: readonly string[], stdin = ''): Promise<Ended> => {
  const shared = /^(store|batch|worker)$/.test(argv[0] ?? '') ? { FERRY_STORE: store } : {};
  return ferry(argv, {
    env: { ...env, ...shared, FERRY_STATE_DIR: join(home, 'state') },
    cwd: home,
    home,
    stdin,
    pace: 20,
  });
};
const here = (...argv: readonly string[]): Promise<Ended> => at(folder, argv);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ferry-test-'));
  env = { ...located(sandbox), FERRY_ACCOUNT: 'dev0' };
  const json = async (...argv: string[]) => (await here(...argv, '--json')).json().data;
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text, { mode: 0o600 });
  const { requestId, run } = await json('execute', '100', 'alpha/usdc', 'beta/usdc', '--yes');
  names = [
    ['0x5a…', requestId],
    ['0x17…', requestId],
    ['20261121-093000-1f2e3d', run],
    ['1f2e3d', run],
    ['0x…', accounts.dev0.address],
  ];
  const transfer = { from: 'alpha/usdc', to: 'beta/usdc' };
  const lines = [1, 2].map((id) => `${JSON.stringify({ id, amount: '1', ...transfer })}\n`).join('');
  for (const name of ['transfers.ndjson', 'payments.ndjson', 'payroll.ndjson']) write(name, lines);
  write('answer.json', JSON.stringify((await json('quote', '100', 'alpha/usdc', 'beta/usdc')).response));
  await here('receipt', run, '-o', 'receipt.json');
  await here('quote', '1', 'alpha/usdc', 'beta/usdc', '-o', 'quote.json');
  write('key.txt', accounts.dev5.privateKey);
  for (const name of ['password.txt', 'old.txt']) write(name, 'correct horse');
  write('new.txt', 'battery staple');
  for (const name of ['main', 'old', 'ci']) await here('key', 'new', name, '--password-file', 'old.txt');
  await here('address', 'add', 'ada', accounts.dev1.address);
  for (const chain of ['alpha', 'beta'])
    await here('config', 'set', `networks.sandbox.chains.${chain}.explorerUrl`, 'https://explorer.example.org');
  if (!programs) return;
  postgres = await startPostgres();
  store = await postgres.database();
  const moved = mkdtempSync(join(tmpdir(), 'ferry-test-'));
  cpSync(folder, moved, { recursive: true });
  for (const argv of [['init'], ['import', '--yes']]) await at(moved, ['store', ...argv]);
  await at(moved, ['batch', 'submit', 'payroll.ndjson', '--name', 'payroll-11', '--yes']);
  rmSync(moved, { recursive: true });
}, 60_000);
afterAll(async () => {
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const manual = ['README.md', ...['guide', 'topics'].flatMap((folder) => pagesIn(`.github/docs/${folder}`))];
const house = ['CONTRIBUTING.md', 'ARCHITECTURE.md'].map((page) => `.github/${page}`);
const summary = /## Commands\n\n```\n([\s\S]*?)```/;
const fenced = manual.map((page) => ({ page, lines: fencedLines(read(page).replace(summary, '')) }));

describe('the commands of the manual', () => {
  const typed = fenced.flatMap(({ page, lines }) =>
    lines.flatMap(commandsOf).flatMap((line) => (line.startsWith('ferry ') ? [{ page, line }] : [])),
  );

  test('default: each fenced one is a command line that ferry takes', async () => {
    expect(typed.length).toBeGreaterThan(40);
    const refused: string[] = [];
    for (const { page, line } of typed) {
      const [, ...argv] = words(line);
      await parse(argv, '1.0.0', { columns: 80, hasColors: false }).catch((error: Error) =>
        refused.push(`${page}: ${line}: ${error.message}`),
      );
    }
    expect(refused).toEqual([]);
  });

  // Tests of their own run those of these pages.
  const own = /(signers|deposit-addresses)\.md$/;
  const pages = fenced.filter(({ page, lines }) => !own.test(page) && lines.some(isRun));
  test.each(pages)('default: $page runs, line by line', async ({ lines }) => {
    const home = temporaryFolder();
    cpSync(folder, home, { recursive: true });
    if (lines.includes('ferry key new main')) rmSync(join(home, '.config/ferry/keys/main'));
    for (const line of lines.filter(isRun)) await runs(line, home);
  });

  test('default: each one in a sentence is a command with options and arguments that it has', async () => {
    // The page on habits has lines that are refused. Its own test runs them all.
    const pages = [...manual, ...pagesIn('.github/docs/commands'), ...house].filter(
      (page) => !page.endsWith('habits.md'),
    );
    const mentioned = pages.flatMap((page) => inlineCommands(read(page)).map((line) => ({ page, line })));
    expect(mentioned.length).toBeGreaterThan(50);
    // Some are names alone, without what must follow them.
    const isNameAlone = (error: Error): boolean => (error as { code?: unknown }).code === 'usage.missing';
    const refused: string[] = [];
    for (const { page, line } of mentioned) {
      const [, ...argv] = words(line);
      await parse(argv, '1.0.0', { columns: 80, hasColors: false }).catch((error: Error) => {
        if (!isNameAlone(error)) refused.push(`${page}: ${line}: ${error.message}`);
      });
    }
    expect(refused).toEqual([]);
  });

  test('default: each one of the front page’s table is a command', () => {
    const [, block = ''] = summary.exec(read('README.md')) ?? [];
    const named = block
      .split(/\n| · /)
      .filter((line) => line.startsWith('ferry '))
      .flatMap((line) => {
        const [group = '', ...rest] =
          line
            .slice('ferry '.length)
            .split(/ {2,}| [<[…]/, 1)[0]
            ?.split(' ') ?? [];
        return rest
          .join(' ')
          .split(' | ')
          .map((each) => [group, each]);
      });
    expect(named.length).toBeGreaterThan(60);
    const commands = ['help', ...table.map(({ name }) => name)];
    const isCommand = (words: string): boolean => commands.some((name) => `${words} `.startsWith(`${name} `));
    expect(named.map((each) => each.join(' ')).filter((each) => !isCommand(each))).toEqual([]);
  });
});

describe('the examples of the help', () => {
  test('behavior: each reason to only read one is that of an example', () => {
    const shown = [...examples, ...fenced.flatMap(({ lines }) => lines)];
    expect(onlyRead.filter(([part]) => !shown.some((line) => line.includes(part)))).toEqual([]);
  });

  test('default: each one is a command line that ferry takes', async () => {
    for (const line of examples)
      for (const [first = '', ...argv] of commandsOf(line).map(words)) {
        if (first !== 'ferry') continue;
        const parsed = await parse(argv.map(named), '1.0.0', { columns: 80, hasColors: false });
        expect([line, parsed.kind]).toEqual([line, 'command']);
      }
  });

  /** The same command as another that prints JSON, for jq perhaps. WHOLE=1 runs both. */
  const isTwin = (line: string): boolean =>
    !process.env.WHOLE && examples.some((other) => isRun(other) && other.startsWith(`${line} --json`));

  test.each(examples.filter((line) => isRun(line) && !isTwin(line)))('default: %s', async (line) => {
    const home = temporaryFolder();
    cpSync(folder, home, { recursive: true });
    if (/^ferry (key (new|import)|address add)/.test(line)) rmSync(join(home, '.config'), { recursive: true });
    if (line.includes('-o quote.json')) rmSync(join(home, 'quote.json'));
    await runs(line, home);
  });
});

function isRun(line: string): boolean {
  const isRead = onlyRead.some(([part]) => line.includes(part));
  return !isRead && (programs !== undefined || !/^ferry (store|batch|worker)/.test(line));
}

/** Runs a line as a shell does: each command reads what the one before it has printed. */
async function runs(line: string, home: string): Promise<void> {
  let stdin = '';
  for (const [first = '', ...argv] of commandsOf(line).map(words)) {
    if (first !== 'ferry') {
      if (first === 'jq' && hasJq) execFileSync(first, argv, { input: stdin });
      continue;
    }
    const { code, stdout, stderr } = await at(home, argv.map(named), stdin);
    // No line of the examples' batch may be paid already.
    const asks = /\b(usage\.confirmation|usage\.missing|prompt\.unavailable)\b|no line \w+ that is refused/;
    expect(code === 0 || (asks.test(stderr + stdout) && !argv.includes('--yes')), `${line}\n${stdout}${stderr}`).toBe(
      true,
    );
    stdin = stdout;
  }
}

function read(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
}

function pagesIn(folder: string): string[] {
  const names = readdirSync(new URL(`../../${folder}`, import.meta.url));
  return names.filter((name) => name.endsWith('.md')).map((name) => `${folder}/${name}`);
}

/** The lines to type in the fenced blocks of a page, with their pipes. What has a part to fill in is a form, and none to type. */
function fencedLines(page: string): string[] {
  const blocks = [...page.matchAll(/```\w*\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  return blocks
    .flatMap((block) => block.replace(/\\\n\s*/g, '').split('\n'))
    .flatMap((line) => line.replace(/ +# .*$| {3,}\S.*$/, '').split(' && '))
    .map((line) => line.replace(/^\s*(?:\$ )?(?:npx )?/, ''))
    .filter((line) => /^ferry [a-z]/.test(line) && !/<\S+>|\[|…$|… |·/.test(line));
}

/** The commands between backticks in the sentences of a page. What has a part to fill in is a form. */
function inlineCommands(page: string): string[] {
  const prose = page.replace(/```[\s\S]*?```/g, '');
  return [...prose.matchAll(/`(?:npx )?(ferry [a-z][^`]*)`/g)]
    .map(([, line = '']) => line.replace(/\s+/g, ' '))
    .filter((line) => !/<|\[|…| \| |·/.test(line));
}

function named(word: string): string {
  return names.reduce((text, [made, real]) => text.replace(made, real), word);
}

/** The commands of a pipe, without where the last one writes to. */
function commandsOf(line: string): string[] {
  const parts = line.match(/(?:'[^']*'|"[^"]*"|[^|'"])+/g) ?? [];
  return parts.map((part) => part.replace(/ [<>] \S+\s*$/, '').trim());
}

/** The words of a command, as a shell reads them. */
function words(command: string): string[] {
  return (command.match(/(?:'[^']*'|"[^"]*"|\S)+/g) ?? []).map((word) => word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'));
}
