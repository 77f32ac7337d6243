import { describe, expect, test } from 'vitest';
import { addFault } from '../../support/faults.js';
import { at, type Ended, ferry, temporaryFolder } from '../../support/ferry.js';
import { startSandbox, usdc, useSandbox } from '../../support/sandbox.js';

const { sandbox } = useSandbox();

const call = ['execute', 'call', '--chain', 'alpha', '--to', usdc, '--data', '0x18160ddd', '--subsidize-fees'];
const lost = { kind: 'drop-after', match: { path: '/execute' } } as const;

const here = (): ((...argv: string[]) => Promise<Ended>) => {
  const env = { ...at(sandbox), FERRY_STATE_DIR: temporaryFolder() };
  return (...argv) => ferry([...argv, '--json'], { env });
};

describe('run', () => {
  test('default: a lost call without a request id ends, and the same call may be made again', async () => {
    const run = here();
    await addFault(sandbox, 'service', lost);
    const { error } = (await run(...call, '--yes')).json();
    expect(error).toMatchObject({ code: 'submit.unknown', hint: expect.stringContaining('ferry runs close') });
    expect((await run('resume', error.run, '--yes')).json().error.code).toBe('submit.unknown');
    expect((await run(...call, '--yes')).json().error.code).toBe('run.unfinished');

    const closed = await run('runs', 'close', error.run.slice(-6), '--yes');
    expect(closed.code).toBe(0);
    expect(closed.json().data).toMatchObject({ run: error.run, state: 'closed', funds: 'unknown', next: null });
    expect((await run('runs', 'list', '--unfinished')).json().data.runs).toEqual([]);
    const shown = (await run('runs', 'show', error.run)).json().data;
    expect(shown.entries.at(-1)).toMatchObject({ type: 'outcome', details: { status: 'closed', funds: 'unknown' } });
    expect((await run(...call, '--yes')).code).toBe(0);
  });

  test('behavior: an unfinished run ends if its sandbox was reset, but not if that is silent', async () => {
    const FERRY_STATE_DIR = temporaryFolder();
    const runAt =
      (place: Parameters<typeof at>[0], more: Readonly<Record<string, string>> = {}) =>
      (...argv: string[]): Promise<Ended> =>
        ferry([...argv, '--yes', '--json'], { env: { ...at(place), FERRY_STATE_DIR, ...more } });
    const sent = await runAt(sandbox)('execute', '1', 'alpha/usdc', 'beta/usdc', '--no-wait');
    const { run } = sent.json().data;
    const silent = runAt(sandbox, { FERRY_BASE_URL: 'http://127.0.0.1:9' });
    expect((await silent('runs', 'close', run)).json().error.code).toBe('run.unfinished');
    const other = await startSandbox();
    try {
      const later = runAt(other);
      expect((await later('resume', run)).json().error).toMatchObject({
        ...{ code: 'run.elsewhere', next: `ferry runs close ${run}`, funds: 'unknown' },
      });
      expect((await later('runs', 'close', run)).json().data).toMatchObject({
        ...{ state: 'closed', next: null, funds: 'unknown' },
      });
      expect((await later('runs', 'list', '--unfinished')).json().data.runs).toEqual([]);
    } finally {
      await other.stop();
    }
  });

  test('error: it asks first', async () => {
    const run = here();
    await addFault(sandbox, 'service', lost);
    const { error } = (await run(...call, '--yes')).json();
    expect((await run('runs', 'close', error.run)).json().error.code).toBe('usage.confirmation');
    expect((await run('runs', 'list', '--unfinished')).json().data.runs).toHaveLength(1);
  });

  test('error: a run that can be looked up, one that has ended, and an unknown one', async () => {
    const run = here();
    const open = (await run('execute', '1', 'alpha/usdc', 'beta/usdc', '--no-wait', '--yes')).json().data.run;
    expect((await run('runs', 'close', open, '--yes')).json().error).toMatchObject({
      ...{ code: 'run.unfinished', funds: 'in-flight', next: `ferry resume ${open}` },
    });
    const sent = (await run(...call, '--no-wait', '--yes')).json().data.run;
    expect((await run('runs', 'close', sent, '--yes')).json().error.code).toBe('run.unfinished');
    await run('resume', open, '--yes');
    expect((await run('runs', 'close', open, '--yes')).json().error).toMatchObject({
      ...{ code: 'run.settled', funds: 'delivered', next: `ferry runs show ${open}` },
    });
    expect((await run('runs', 'close', 'zzzzzz', '--yes')).json().error.code).toBe('run.unknown');
  });
});
