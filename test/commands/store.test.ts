import { beforeAll, describe, expect, test } from 'vitest';
import * as schema from '../../src/io/postgres/schema.js';
import { ferry } from '../support/ferry.js';
import { programs, usePostgres } from '../support/postgres.js';

describe.skipIf(!programs)('ferry store', () => {
  const postgres = usePostgres();
  let url = '';
  beforeAll(async () => {
    url = await postgres.database();
  });
  const run = (...argv: string[]) => ferry(['store', ...argv], { env: { FERRY_STORE: url } });

  test('default: a database is checked, gets its tables once, and is checked again', async () => {
    const before = await run('check');
    expect(before.code).toBe(2);
    expect(before.stdout).toMatch(/cannot be trusted with payments.*✗ tables +none +there are none: ferry store init/s);
    const made = await run('init');
    expect([made.code, made.stdout]).toEqual([0, expect.stringContaining('Next: ferry store check')]);
    expect((await run('init')).stdout).toMatch(/has its tables already, of version \d+\./);
    const { version } = schema;
    expect((await run('migrate', '--json')).json().data).toMatchObject({ before: version, version });
    const after = await run('check');
    expect(after.code).toBe(0);
    expect(after.stdout).toMatch(/^✓ postgres:\/\/127\.0\.0\.1:\d+\/t1 can keep payments\.$/m);
    expect(after.stdout).not.toContain('✗');
  });

  test('error: a database that is not safe says which of its settings', async () => {
    await postgres.sql(`alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = off`);
    const ended = await run('check', '--json');
    expect([ended.code, ended.json().data.ok]).toEqual([2, false]);
    expect(ended.json().data.checks.filter(({ problem }: { problem: string | null }) => problem)).toEqual([
      { name: 'synchronous_commit', found: 'off', problem: expect.stringContaining('a crash loses') },
    ]);
    await postgres.sql(`alter database ${new URL(url).pathname.slice(1)} reset synchronous_commit`);
  });

  test('behavior: there is nothing to import, and no run to export', async () => {
    expect((await run('import', '--yes')).stdout).toBe('This machine has no runs in files.\n');
    expect((await run('export', '1f2e3d', '--json')).json().error).toMatchObject({ code: 'run.unknown' });
  });

  test('error: import asks before it moves anything', async () => {
    expect((await run('import', '--json')).json().error).toMatchObject({ code: 'usage.confirmation' });
  });
});
