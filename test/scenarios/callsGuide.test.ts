/** The page about calls on arrival: its example runs as it stands, and shows what the page shows. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { cast } from '../support/cast.js';
import { at, ferry, temporaryFolder } from '../support/ferry.js';
import { balanceAt } from '../support/node.js';
import { useSandbox } from '../support/sandbox.js';

const page = readFileSync(fileURLToPath(new URL('../../.github/docs/guide/calls.md', import.meta.url)), 'utf8');
const block = (language: string): string =>
  page.match(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'm'))?.[1] ?? '';
const calls = JSON.parse(block('json')) as { to: string; data: string }[];
const [token = { to: '', data: '' }, keeper = { to: '', data: '' }] = calls;

const { sandbox } = useSandbox();

/** The words of the command that the page has. */
const words = page.match(/`npx ferry (execute .*?)`/)?.[1]?.split(' ') ?? [];

function run(argv: readonly string[]) {
  const home = temporaryFolder();
  writeFileSync(join(home, 'calls.json'), block('json'));
  return ferry(argv, { env: at(sandbox), home, columns: 400 });
}

describe('the page about calls', () => {
  test('default: its bytes are those that cast writes', async () => {
    const lines = block('sh').trim().split('\n');
    expect(lines).toHaveLength(2);
    for (const [index, line] of lines.entries()) {
      const [, signature = '', rest = ''] = line.match(/^cast calldata '(.*)' (.*)$/) ?? [];
      expect(await cast('calldata', signature, ...rest.split(' '))).toBe(calls[index]?.data);
    }
  });

  test('default: its command deposits, and cast reads the balance', async () => {
    const url = sandbox.rpcUrls.beta ?? '';
    const before = await balanceAt(url, token.to, keeper.to);
    const ended = await run([...words, '--json']);
    expect([ended.code, ended.json().data.funds]).toEqual([0, 'delivered']);
    expect((await balanceAt(url, token.to, keeper.to)) - before).toBe(25_000_000n);
  });

  test('behavior: the quote shows the calls as the page does', async () => {
    const { stdout } = await run(['quote', ...words.slice(1).filter((word) => word !== '--yes'), '--account', 'dev0']);
    const shown = page.match(/^Call \d.*$/gm) ?? [];
    expect(shown).toHaveLength(2);
    for (const line of shown) expect(stdout).toContain(line);
  });
});
