import { describe, expect, test } from 'vitest';
import { ferry } from '../../support/ferry.js';
import { useSandbox } from '../../support/sandbox.js';

const { sandbox, user } = useSandbox();

const here = () => {
  const { env } = user();
  return (...argv: string[]) => ferry(argv, { env });
};

describe('runs', () => {
  test('default: a run is listed, shown with its journal, and pruned when it is over', async () => {
    const run = here();
    const ended = await run('execute', '1', 'alpha/usdc', 'beta/usdc', '--yes', '--json');
    const id = ended.json().data.run;
    expect(ended.lines()[0]).toMatchObject({ type: 'run', run: id });
    const said = { summary: '1 alpha/usdc → beta/usdc', command: 'ferry execute 1 alpha/usdc beta/usdc', next: null };
    const { runs } = (await run('runs', 'list', '--json')).json().data;
    expect(runs).toMatchObject([{ run: id, state: 'success', funds: 'delivered', ...said }]);
    const shown = await run('runs', 'show', id.slice(-6), '--json');
    const types = shown.json().data.entries.map(({ type }: { type: string }) => type);
    expect(types.slice(0, 8)).toEqual([
      ...['intent', 'quote', 'proof', 'plan'],
      ...['head', 'signed', 'signed', 'broadcast'],
    ]);
    expect(types.at(-1)).toBe('outcome');
    expect(shown.stdout).not.toContain('0x02f8');
    expect((await run('runs', 'show', id)).stdout).toContain('receipt');
    expect((await run('runs', 'prune', '--yes')).stdout).toBe('Deleted 0 runs.\n');
    expect((await run('runs', 'prune', '--older-than', '0s', '--yes')).stdout).toBe('Deleted 1 run.\n');
    expect((await run('runs', 'list')).stdout).toBe('No runs.\n');
  });

  test('behavior: a network that is typed narrows the list, and each row has its own', async () => {
    const run = here();
    for (let left = 3; left > 0; left--) await run('execute', '1', 'alpha/usdc', 'beta/usdc', '--yes', '--json');
    const rows = (await run('runs', 'list')).stdout.trimEnd().split('\n');
    expect(rows[0]).toMatch(/^Run +Started \(UTC\) +State +Funds +Network +Account +Transfer$/);
    expect(
      rows.filter((row) => / 20\d\d-\d\d-\d\d \d\d:\d\d .* sandbox +0xf39F…2266 +1 alpha\/usdc/.test(row)),
    ).toHaveLength(3);
    expect((await run('runs', 'list', '--network', 'mainnet')).stdout).toBe('No runs.\n');
    expect((await run('runs', 'list', '--unfinished', '--network', 'mainnet')).stdout).toBe('No runs.\n');
    const two = await run('runs', 'list', '--network', 'sandbox', '--limit', '2', '--json');
    expect(two.json().data).toMatchObject({ runs: [{ account: expect.stringMatching(/^0xf39F/) }, {}], more: true });
    expect((await run('runs', 'list', '--limit', '2')).stderr).toContain('There are more: these are the latest 2.');
    expect((await run('runs', 'list', '--limit', '3')).stderr).toBe('');
  });

  test('behavior: one that was refused before it signed is over', async () => {
    const run = here();
    const ended = await run('execute', '99999999', 'alpha/usdc', 'beta/usdc', '--yes', '--json');
    expect(ended.json().error).toMatchObject({ code: 'submit.insufficient-balance', run: expect.any(String) });
    const listed = await run('runs', 'list', '--json');
    expect(listed.json().data.runs[0]).toMatchObject({ state: 'submit.insufficient-balance', funds: 'untouched' });
    expect((await run('runs', 'list', '--unfinished', '--json')).json().data.runs).toEqual([]);
  });

  test('behavior: a password in the base URL is shown and written nowhere', async () => {
    const there = user({ FERRY_BASE_URL: sandbox.baseUrl.replace('://', '://ada:open-sesame@') });
    const { run } = (await there.run('execute', '1', 'alpha/usdc', 'beta/usdc')).json().data;
    const shown = await there.run('runs', 'show', run);
    expect(shown.json().data.entries[0].details.baseUrl).toBe(sandbox.baseUrl);
    expect(there.lines().join()).not.toContain('open-sesame');
    for (const argv of [['runs', 'show', run], ['runs', 'list'], ['config', 'list'], ['doctor']]) {
      const { stdout, stderr } = await ferry(argv, { env: there.env });
      expect(`${stdout}${stderr}`).not.toContain('open-sesame');
    }
  });

  test('error: what is no number, time or run', async () => {
    const run = here();
    expect((await run('runs', 'list', '--limit', 'x')).code).toBe(2);
    expect((await run('runs', 'prune', '--older-than', 'x', '--yes')).code).toBe(2);
    expect((await run('runs', 'show', 'x', '--json')).json().error.code).toBe('run.unknown');
  });
});
