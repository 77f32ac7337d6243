/** What users of other tools reach for, line by line as the manual has it: each is served, or refused with a reason. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { table } from '../../src/cli/commandTable.js';
import * as DevelopmentAccount from '../../src/core/network/DevelopmentAccount.js';
import { at, ferry, temporaryFolder } from '../support/ferry.js';
import { useSandbox } from '../support/sandbox.js';

type Habit = { tool: string; habit: string; line: string; reason: string };

const page = readFileSync(fileURLToPath(new URL('../../.github/docs/guide/habits.md', import.meta.url)), 'utf8');

const habits: readonly Habit[] = page
  .split('\n')
  .filter((line) => /^\| (gh|cast|kubectl) \|/.test(line))
  .map((line) => {
    const [, tool = '', habit = '', command = '', reason = ''] = line.split('|').map((cell) => cell.trim());
    return { tool, habit, line: /^`(.*)`$/.exec(command)?.[1] ?? '', reason };
  });

const { sandbox } = useSandbox();

describe('habits', () => {
  test('default: forty of forty', async () => {
    const home = temporaryFolder();
    const file = (name: string, text: string): string => {
      writeFileSync(join(home, name), text, { mode: 0o600 });
      return join(home, name);
    };
    const run = async (line: string) => {
      const words = line.split(' ');
      const start = words.indexOf('ferry');
      const own = Object.fromEntries(words.slice(0, start).map((word) => word.split('=') as [string, string]));
      return ferry(words.slice(start + 1), { home, env: { ...at(sandbox), ...own } });
    };
    const password = file('password', 'long enough for a test');
    await run(`ferry key new main --password-file ${password}`);
    await run(`ferry quote 1 alpha/usdc beta/usdc -o ${join(home, 'quote.json')}`);
    const { data } = (await run('ferry execute 1 alpha/usdc beta/usdc --yes --json')).json();
    const mine: Readonly<Record<string, string>> = {
      ADDRESS: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      KEY: file('key', DevelopmentAccount.key(4)),
      PASSWORD: password,
      QUOTE: join(home, 'quote.json'),
      REQUEST: data.requestId,
      RUN: data.run,
      TX: data.transactions.at(-1).txHash,
      WORDS: file('words', `${'test '.repeat(11)}junk`),
    };
    const wrong: string[] = [];
    for (const { line, reason } of habits) {
      const typed = line
        .split(' ')
        .map((word) => mine[word] ?? word)
        .join(' ');
      const { code, stdout, stderr } = await run(typed);
      const isServed = code === 0 && stdout !== '';
      // Refused before anything is done, and with the way that there is.
      const { error } = reason === '' ? { error: undefined } : (await run(`${typed} --json`)).json();
      const isRefused = code === 2 && error?.funds === 'untouched' && (error.hint ?? error.next) !== undefined;
      if (reason === '' ? !isServed : !isRefused) wrong.push(`${line}: ended with ${code}: ${stdout}${stderr}`);
    }
    expect(wrong, wrong.join('\n\n')).toEqual([]);
    expect(habits).toHaveLength(40);
  });

  test('behavior: every tool has its part, no habit stands twice, and every line is one of ferry’s', () => {
    for (const tool of ['gh', 'cast', 'kubectl'])
      expect(habits.filter((each) => each.tool === tool).length).toBeGreaterThan(10);
    expect(new Set(habits.map(({ habit }) => habit)).size).toBe(habits.length);
    expect(new Set(habits.map(({ line }) => line)).size).toBe(habits.length);
    const names = table.map(({ name }) => name);
    const unknown = habits.filter(
      ({ line, reason }) => reason === '' && !names.some((name) => line.includes(`ferry ${name}`)),
    );
    expect(unknown.map(({ line }) => line)).toEqual(['ferry --version', 'ferry help environment']);
  });
});
