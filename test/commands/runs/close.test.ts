import { describe, expect, test } from 'vitest';
import { addFault } from '../../support/faults.js';
import { at } from '../../support/ferry.js';
import { nobody } from '../../support/loopback.js';
import { startSandbox, usdc, useSandbox } from '../../support/sandbox.js';
import { until } from '../../support/until.js';

const { sandbox, user } = useSandbox();

const call = ['execute', 'call', '--chain', 'alpha', '--to', usdc, '--data', '0x18160ddd', '--subsidize-fees'];
const lost = { kind: 'drop-after', match: { path: '/execute' } } as const;

describe('run', () => {
  test('default: a lost call without a request id ends, and the same call may be made again', async () => {
    const { run } = user();
    await addFault(sandbox, 'service', lost);
    const { error } = (await run(...call)).json();
    expect(error).toMatchObject({ code: 'submit.unknown', hint: expect.stringContaining('ferry runs close') });
    expect((await run('resume', error.run)).json().error.code).toBe('submit.unknown');
    expect((await run(...call)).json().error.code).toBe('run.unfinished');

    const closed = await run('runs', 'close', error.run.slice(-6));
    expect(closed.json().data).toMatchObject({ run: error.run, state: 'closed', funds: 'unknown', next: null });
    expect((await run('runs', 'list', '--unfinished')).json().data.runs).toEqual([]);
    const shown = (await run('runs', 'show', error.run)).json().data;
    expect(shown.entries.at(-1)).toMatchObject({ type: 'outcome', details: { status: 'closed', funds: 'unknown' } });
    // Nobody has learned what became of it.
    for (const look of [['status'], ['requests', 'show']])
      expect((await run(...look, error.run)).json().error).toMatchObject({
        ...{ code: 'submit.unknown', funds: 'unknown', next: `ferry runs show ${error.run}` },
      });
    expect((await run(...call)).code).toBe(0);
  });

  test('behavior: while its process waits for the answer, a call is not untouched', async () => {
    const { run } = user();
    await addFault(sandbox, 'service', { kind: 'delay', delayMs: 2_000, match: { path: '/execute' } });
    const calling = run(...call);
    const open = async () => (await run('runs', 'list', '--unfinished')).json().data.runs[0]?.run;
    const id = await until(open, 'posted');
    expect((await run('status', id)).json().error).toMatchObject({ code: 'run.busy', funds: 'unknown' });
    expect((await calling).code).toBe(0);
  });

  test('behavior: an unfinished run ends if its sandbox was reset, but not if that is silent', async () => {
    const there = user();
    const { run } = (await there.run('execute', '1', 'alpha/usdc', 'beta/usdc', '--no-wait')).json().data;
    const silent = await there.ask(['runs', 'close', run, '--yes'], { env: { FERRY_BASE_URL: nobody } });
    expect(silent.json().error.code).toBe('run.unfinished');
    const other = await startSandbox();
    try {
      const later = (...argv: string[]) => there.ask([...argv, '--yes'], { env: at(other) });
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
    const { ask, run } = user();
    await addFault(sandbox, 'service', lost);
    const { error } = (await run(...call)).json();
    expect((await ask(['runs', 'close', error.run])).json().error.code).toBe('usage.confirmation');
    expect((await run('runs', 'list', '--unfinished')).json().data.runs).toHaveLength(1);
  });

  test('error: a run that can be looked up, one that has ended, and an unknown one', async () => {
    const { run } = user();
    const open = (await run('execute', '1', 'alpha/usdc', 'beta/usdc', '--no-wait')).json().data.run;
    expect((await run('runs', 'close', open)).json().error).toMatchObject({
      ...{ code: 'run.unfinished', funds: 'in-flight', next: `ferry resume ${open}` },
    });
    const sent = (await run(...call, '--no-wait')).json().data.run;
    expect((await run('runs', 'close', sent)).json().error.code).toBe('run.unfinished');
    await run('resume', open);
    expect((await run('runs', 'close', open)).json().error).toMatchObject({
      ...{ code: 'run.settled', funds: 'delivered', next: `ferry runs show ${open}` },
    });
    expect((await run('runs', 'close', 'zzzzzz')).json().error.code).toBe('run.unknown');
  });
});
