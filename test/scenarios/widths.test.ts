import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { table } from '../../src/cli/commandTable.js';
import { topics } from '../../src/core/docs/HelpTopic.js';
import * as TerminalText from '../../src/core/text/TerminalText.js';
import { ferry } from '../support/ferry.js';
import { useBatches } from '../support/transferBatches.js';

const batches = useBatches();
const widths = [60, 80, 200] as const;

/**
 * Lines that exceed the width, except unbreakable ones: those with an address, a hash, a URL or a command to type, and
 * the heading of a column of such words.
 */
function tooWide(text: string, columns: number): string[] {
  const isWhole = (line: string): boolean => /\S{40}|https?:|\bferry [a-z]/.test(line);
  return text.split('\n').filter((line, index, lines) => {
    const isHeading = /^[A-Z]/.test(line) && isWhole(lines[index + 1] ?? '');
    return TerminalText.width(line) > columns && !isWhole(line) && !isHeading;
  });
}

/** Text without colors, and without numbers and ids that vary between runs. */
function wordsOf(text: string): string[] {
  return (
    TerminalText.bare(text)
      .replaceAll(/0x\S+|\S*ferry-\S+/g, '')
      .match(/\p{L}{2,}/gu) ?? []
  );
}

describe('help', () => {
  test.each(widths)(
    'default: every command and topic fits %i columns',
    async (columns) => {
      const lines: string[] = [];
      for (const name of [
        ...table.map((each) => [...each.name.split(' '), '--help']),
        ...topics.map((each) => ['help', each.name]),
      ]) {
        const { stdout, code } = await ferry(name, { columns });
        expect([name, code]).toEqual([name, 0]);
        lines.push(...tooWide(stdout, columns).map((line) => `${name.join(' ')}: ${line}`));
      }
      expect(lines).toEqual([]);
    },
    60_000,
  );
});

describe('results', () => {
  const wide = '船の会社🛳';

  /** A command that prints a table, and how to run it. */
  type Table = { command: string; print(env?: Record<string, string>): Promise<string> };

  async function* tables(columns: number): AsyncGenerator<Table> {
    const batch = batches.of([]);
    mkdirSync(join(batch.folder, 'config'));
    const config = { aliases: { [`a-${'x'.repeat(40)}`]: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' } };
    writeFileSync(join(batch.folder, 'config', 'config.json'), JSON.stringify(config));
    const env = { FERRY_CONFIG_DIR: join(batch.folder, 'config') };
    const run = (...argv: string[]) => batch.run(argv, { columns, env });
    const done = await run('execute', '1', 'alpha/usdc', 'beta/usdc', '--yes');
    const [, request = ''] = /Request +(0x[0-9a-f]{64})/.exec(done.stdout) ?? [];
    const { run: name } = (await run('runs', 'list', '--json')).json().data.runs[0];
    const cases = [
      {
        name: `${wide} and a name that is rather long for a table of this kind`,
        amount: '1',
        from: 'alpha/usdc',
        to: 'beta/usdc',
      },
    ];
    writeFileSync(join(batch.folder, 'smoke.json'), JSON.stringify({ cases }));
    const commands = [
      ['quote', '100', 'alpha/usdc', 'beta/usdc'],
      ['quote', '1', 'alpha/eth', 'beta/gull', '--proof'],
      ['execute', '1', 'alpha/usdc', 'beta/usdc', '--dry-run'],
      ['fees', 'compare', '1', '10', 'alpha/usdc', 'beta/usdc', 'beta/eth'],
      ['fees', 'schedule'],
      ['fees', 'explain', request],
      ['status', request],
      ['requests', 'list'],
      ['requests', 'show', request],
      ['runs', 'list'],
      ['runs', 'show', name],
      ['venue', 'account'],
      ['chains'],
      ['tokens'],
      ['contracts', 'list'],
      ['delegation', 'show', 'alpha'],
      ['allowance', 'show', 'alpha/usdc'],
      ['key', 'list'],
      ['config', 'list'],
      ['doctor'],
      ['smoke', 'smoke.json'],
    ];
    for (const argv of commands) {
      const command = argv.join(' ');
      const print = async (colors: Record<string, string> = {}): Promise<string> => {
        const { stdout, stderr, code } = await batch.run(argv, { columns, env: { ...env, ...colors } });
        expect(`${command}: ${code} ${stderr}`).toMatch(/: 0 /);
        expect(stdout).not.toBe('');
        return stdout;
      };
      yield { command, print };
    }
  }

  test.each(widths)(
    'default: every table fits %i columns',
    async (columns) => {
      const lines: string[] = [];
      for await (const { command, print } of tables(columns))
        lines.push(...tooWide(await print(), columns).map((line) => `${command}: ${line}`));
      expect(lines).toEqual([]);
    },
    60_000,
  );

  test('behavior: every table has the same words in color as without', async () => {
    for await (const { command, print } of tables(80)) {
      const colored = await print({ FORCE_COLOR: '1' });
      expect(colored).not.toBe(TerminalText.bare(colored));
      expect([command, ...wordsOf(colored)]).toEqual([command, ...wordsOf(await print({ NO_COLOR: '1' }))]);
    }
  }, 60_000);
});
