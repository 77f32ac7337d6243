/** Every result and error fits a narrow terminal; `colors.test.ts` has the help. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tooWide } from '../support/tooWide.js';
import { useBatches } from '../support/transferBatches.js';

const batches = useBatches();
const columns = 60;

describe('results', () => {
  const wide = '船の会社🛳';

  test('default: every table fits', async () => {
    const batch = batches.of([]);
    mkdirSync(join(batch.folder, 'config'));
    const config = { aliases: { [`a-${'x'.repeat(22)}`]: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' } };
    writeFileSync(join(batch.folder, 'config', 'config.json'), JSON.stringify(config));
    const env = { FERRY_CONFIG_DIR: join(batch.folder, 'config') };
    const run = (...argv: string[]) => batch.run(argv, { columns, env });
    const done = await run('execute', '1', 'alpha/usdc', 'beta/usdc', '--yes');
    const [, request = ''] = /Request\s+(0x[0-9a-f]{64})/.exec(done.stdout) ?? [];
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
      ['fees', 'share', '--volume', '1B', '--mix', 'bridge=50,minor=50'],
      ['fees', 'explain', request],
      ['status', request],
      ['requests', 'list'],
      ['requests', 'show', request],
      ['runs', 'list'],
      ['runs', 'show', name],
      ['venue', 'account'],
      ['chains'],
      ['chains', '--network', 'mainnet'],
      ['tokens'],
      ['balance'],
      ['receipt', name],
      ['address', 'list'],
      ['runs', 'list', '--network', 'sandbox'],
      ['contracts', 'list'],
      ['delegation', 'show', 'alpha'],
      ['allowance', 'show', 'alpha/usdc'],
      ['key', 'list'],
      ['config', 'list'],
      ['doctor'],
      ['smoke', 'smoke.json'],
    ];
    const lines: string[] = [];
    for (const argv of commands) {
      const command = argv.join(' ');
      const { stdout, stderr, code } = await run(...argv);
      expect(`${command}: ${code} ${stderr}`).toMatch(/: 0 /);
      expect(stdout).not.toBe('');
      lines.push(...tooWide(stdout, columns).map((line) => `${command}: ${line}`));
    }
    expect(lines).toEqual([]);
  }, 60_000);

  test('behavior: errors and events fit', async () => {
    const batch = batches.of([]);
    const typed = [
      ['execute', '1', 'alpha/usdc', 'beta/usdc', '--yes'],
      ['execute', '1', 'alpha/usdc', 'beta/usdc', '--dry-run'],
      ['execute', '99999999', 'alpha/usdc', 'beta/usdc', '--yes'],
      ['quote', '1', 'base/usdc', 'arbitrum/usdc'],
      ['quote', '1', 'alpha/nope', 'beta/usdc'],
      ['status', `0x${'ab'.repeat(32)}`],
      ['runs', 'show', 'nosuch'],
      ['key', 'new', 'main'],
      ['balance', '0x12'],
    ];
    const lines: string[] = [];
    for (const argv of typed) {
      const { stdout, stderr } = await batch.run(argv, { columns });
      lines.push(...tooWide(`${stdout}${stderr}`, columns).map((line) => `${argv.join(' ')}: ${line}`));
    }
    expect(lines).toEqual([]);
  }, 60_000);
});
