import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type * as Execute from '../../../src/core/api/Execute.js';
import { BaseError } from '../../../src/core/base/Errors.js';
import * as CallDocument from '../../../src/core/gasless/CallDocument.js';
import { network } from '../../../src/core/network/sandbox.js';
import { plain } from '../../../src/core/text/TerminalStyle.js';
import { barrierBefore } from '../../support/barrier.js';
import { addFault, clearFaults } from '../../support/faults.js';
import { type Ended, ferry, type Surroundings, temporaryFolder } from '../../support/ferry.js';
import { nobody } from '../../support/loopback.js';
import { nonceAt } from '../../support/node.js';
import { usdc, useSandbox } from '../../support/sandbox.js';

const { sandbox, env, user } = useSandbox();

const sponsored = ['--chain', 'alpha', '--to', usdc, '--data', '0x18160ddd', '--subsidize-fees'];
const execute = { match: { path: '/execute' } };

function call(args: readonly string[], more: Surroundings = {}): Promise<Ended> {
  return ferry(['execute', 'call', ...args, '--yes', '--json'], { env, ...more });
}

/** How many calls the service has submitted. */
async function made(): Promise<number> {
  const relayer = network.solver?.relayers?.[0] ?? '';
  return await nonceAt(sandbox.rpcUrls.alpha, relayer);
}

/** A user with their own runs. */
function place() {
  const there = user();
  return {
    ...there,
    call: (args = sponsored, how: Surroundings = {}) => there.ask(['execute', 'call', ...args, '--yes'], how),
    /** Runs a command that waits for an answer that does not come. */
    late: (...argv: string[]) => there.ask([...argv, '--yes'], { pace: 20 }),
  };
}

/** A call that belongs to a quote and was never posted: what a transfer without gas has signed. */
async function quoted(): Promise<Execute.Request> {
  const there = place();
  await addFault(sandbox, 'service', { kind: 'drop', times: 0, ...execute });
  await there.late('execute', '2', 'alpha/usdc', 'beta/usdc', '--gasless', '--account', 'dev9');
  await clearFaults(sandbox);
  const signed = there.lines().map((line) => JSON.parse(line).entry);
  return signed.find(({ type }) => type === 'signed-batch').request;
}

describe('run', () => {
  test('default: a sponsored raw call is submitted and followed', async () => {
    const ended = await call(sponsored);
    expect(ended.stderr).toBe('');
    expect(ended.json().data).toMatchObject({ status: 'success', funds: 'delivered', message: expect.any(String) });
  });

  test('behavior: the question names the chain', async () => {
    const { error } = (await ferry(['execute', 'call', ...sponsored, '--json'], { env })).json();
    expect(error).toMatchObject({
      code: 'usage.confirmation',
      facts: { question: `On sandbox: have the service call ${usdc} on alpha?` },
    });
  });

  test('behavior: a whole body from stdin', async () => {
    const body = {
      executionKind: 'rawCalls',
      data: { chainId: 313371, to: usdc, data: '0x18160ddd', value: '0' },
      executionOptions: { referrer: 'sandbox-referrer', subsidizeFees: true },
    };
    expect((await call(['--body', '-'], { stdin: JSON.stringify(body) })).code).toBe(0);
  });

  test.each([
    [['--to', usdc, '--data', '0x'], 'chainId is required'],
    [['--chain', 'alpha', '--data', '0x'], 'to is required'],
    [['--chain', 'alpha', '--to', usdc], 'data is required'],
  ])('error: %j is refused here, in the service’s words', async (args, words) => {
    expect((await call(args)).json().error).toMatchObject({ exit: 2, message: expect.stringContaining(words) });
  });

  test('error: no such body, of which it says what else to type', async () => {
    const { error } = (await call(['--body', 'nofile'])).json();
    expect(error).toMatchObject({ code: 'quote.unreadable', hint: expect.stringContaining('--data') });
  });

  test('error: a call that fails in the simulation, a key that is not accepted: the run is over, and in nobody’s way', async () => {
    const there = place();
    const failing = `0xa9059cbb${'00'.repeat(31)}01${'ff'.repeat(32)}`;
    const args = ['--chain', 'alpha', '--to', usdc, '--data', failing, '--subsidize-fees'];
    for (let round = 0; round < 2; round++) {
      const ended = await there.call(args);
      const { error } = ended.json();
      expect(error).toMatchObject({ httpStatus: 400, trace: { revert: { type: expect.any(String) } } });
      expect([error.code, error.funds]).toEqual(['submit.simulation', 'untouched']);
      expect(ended.stderr).toContain('✗');
      const traced = await ferry(['trace', '-', '--json'], { env, stdin: ended.stdout });
      expect(traced.json().data.trace).toMatchObject({ by: 'service', failed: true });
      const shown = (await there.run('runs', 'show', error.run)).json().data;
      expect(shown).toMatchObject({ state: 'submit.simulation', funds: 'untouched', next: null });
    }
    const other = await call(sponsored, { env: { ...env, FERRY_API_KEY: 'not-the-key' } });
    expect([other.code, other.json().error.code]).toEqual([4, 'auth.refused']);
  });

  test('error: a lost answer without a request id is unknown, and says where to look', async () => {
    const before = await made();
    await addFault(sandbox, 'service', { kind: 'drop-after', ...execute });
    const ended = await call(sponsored);
    const { error } = ended.json();
    expect([ended.code, error.code, error.funds]).toEqual([10, 'submit.unknown', 'unknown']);
    expect(error).toMatchObject({ run: expect.any(String), facts: { called: usdc, 'on chain': '313371' } });
    const listed = await ferry([...String(error.next).split(' ').slice(1), '--json'], { env });
    expect(listed.lines()[0]).toMatchObject({ type: 'request', kind: 'Call' });
    // Nobody has waited until it was mined.
    await expect.poll(made).toBe(before + 1);
  });

  test('error: what the service says beside a server error is shown', async () => {
    const body = { error: 'The queue of chain 313371 is closed' };
    await addFault(sandbox, 'service', { kind: 'status', status: 500, body, ...execute });
    const { error } = (await call(sponsored)).json();
    expect(error).toMatchObject({
      code: 'submit.unknown',
      facts: { message: body.error, status: '500 to POST /execute' },
    });
  });

  test('error: where nobody listens nothing was posted: the run is over, and the call may be typed again', async () => {
    const there = place();
    for (let round = 0; round < 2; round++) {
      const ended = await there.call(sponsored, { env: { FERRY_BASE_URL: nobody } });
      const { code, funds, run } = ended.json().error;
      expect([ended.code, code, funds]).toEqual([3, 'service.unreachable', 'untouched']);
      const shown = (await there.run('runs', 'show', run)).json().data;
      expect(shown).toMatchObject({ state: 'service.unreachable', funds: 'untouched', next: null });
    }
    const before = await made();
    expect((await there.call()).code).toBe(0);
    expect(await made()).toBe(before + 1);
  });

  test('error: Ctrl-C while it is posted leaves the outcome unknown', async () => {
    const before = await made();
    const barrier = await barrierBefore(sandbox.baseUrl, ({ path }) => path === '/execute');
    const interrupt = new AbortController();
    const running = call(sponsored, { env: { ...env, FERRY_BASE_URL: barrier.url }, signal: interrupt.signal });
    await barrier.reached;
    interrupt.abort(new BaseError('prompt.declined', 'Stopped by SIGINT.'));
    const ended = await running;
    expect([ended.code, ended.json().error.code, ended.json().error.funds]).toEqual([10, 'submit.unknown', 'unknown']);
    expect(ended.lines().some(({ type }) => type === 'submitted')).toBe(false);
    // It is taken all the same.
    barrier.open();
    await expect.poll(made).toBe(before + 1);
  });

  test('error: where it cannot be written down it is not posted', async () => {
    const before = await made();
    const file = join(temporaryFolder(), 'state');
    writeFileSync(file, '');
    const ended = await call(sponsored, { env: { ...env, FERRY_STATE_DIR: file } });
    expect([ended.code, ended.json().error.code]).toEqual([2, 'config.unwritable']);
    expect(await made()).toBe(before);
  });
});

describe('the journal', () => {
  test('default: written before the posting, without the API key; listed and shown; the same call is not made twice', async () => {
    const there = place();
    const earlier = await made();
    await addFault(sandbox, 'service', { kind: 'drop-after', ...execute });
    const first = (await there.call()).json().error;
    expect(there.types()).toEqual(['intent', 'call']);
    expect(there.lines().join('\n')).not.toContain(network.apiKey);
    const before = earlier + 1;
    // Its answer was lost, so nobody has waited until it was mined.
    await expect.poll(made).toBe(before);
    const second = await there.call();
    const spelled = await there.call(sponsored.map((word) => (word === usdc ? word.toLowerCase() : word)));
    for (const { error } of [second.json(), spelled.json()])
      expect(error).toMatchObject({ code: 'run.unfinished', run: first.run });
    expect(await made()).toBe(before);
    const listed = (await there.run('runs', 'list')).json().data.runs;
    expect(listed).toEqual([
      expect.objectContaining({
        ...{ run: first.run, kind: 'call', state: 'unfinished', funds: 'unknown', requestId: null },
        ...{ summary: `call ${usdc} on alpha`, command: `ferry execute call ${sponsored.join(' ')}` },
      }),
    ]);
    expect((await there.run('status', first.run)).json().error).toMatchObject({ code: 'submit.unknown', exit: 10 });
    const again = await there.call([...sponsored, '--again']);
    expect([again.code, await made()]).toEqual([0, before + 1]);
    const shown = (await there.run('runs', 'show', again.json().data.run)).json().data;
    expect(shown).toMatchObject({ state: 'success', requestId: again.json().data.requestId });
    expect(JSON.stringify(shown)).not.toContain('executionKind');
  });

  test('behavior: resumed from any beginning of it, nothing is posted', async () => {
    const there = place();
    const { run, requestId } = (await there.call()).json().data;
    const before = await made();
    for (let count = there.lines().length; count >= 3; count--) {
      there.cut(count);
      const resumed = await there.run('resume', run);
      expect([count, resumed.code]).toEqual([count, 0]);
      expect(resumed.json().data).toMatchObject({ run, requestId, status: 'success', funds: 'delivered' });
    }
    there.cut(2);
    const unknown = await there.run('resume', run);
    expect([unknown.code, unknown.json().error.code]).toEqual([10, 'submit.unknown']);
    expect(unknown.json().error).toMatchObject({ run, next: `ferry requests list --user ${usdc}` });
    expect((await there.run('runs', 'list', '--unfinished')).json().data.runs).toHaveLength(1);
    there.cut(1);
    expect((await there.run('resume', run)).json().error).toMatchObject({
      code: 'run.unsigned',
      next: `ferry execute call ${sponsored.join(' ')}`,
    });
    expect(await made()).toBe(before);
  });

  test('behavior: one with a request id of its own is asked about', async () => {
    const body = await quoted();
    const there = place();
    const before = await made();
    await addFault(sandbox, 'service', { kind: 'drop', ...execute });
    const first = (await there.call(['--body', '-'], { stdin: JSON.stringify(body) })).json().error;
    const next = `ferry resume ${first.run}`;
    expect(first).toMatchObject({ code: 'submit.unknown', requestId: body.requestId, next });
    // The service has not begun with it, and it is not handed in again.
    const idle = await there.late('resume');
    expect([idle.code, idle.json().error.next, await made()]).toEqual([10, next, before]);
    expect((await there.run('status', first.run)).json().data).toMatchObject({ status: 'waiting' });

    await addFault(sandbox, 'service', { kind: 'drop-after', ...execute });
    const posted = await there.call(['--body', '-', '--again'], { stdin: JSON.stringify(body) });
    expect([posted.code, posted.json().error.code]).toEqual([10, 'submit.unknown']);
    await expect.poll(made).toBe(before + 1);
    for (const run of [first.run, posted.json().error.run]) {
      const resumed = await there.run('resume', run);
      expect(resumed.json().data).toMatchObject({ run, requestId: body.requestId, status: 'success', message: null });
    }
    expect(await made()).toBe(before + 1);
  }, 30_000);

  test('behavior: --no-wait leaves it to be followed', async () => {
    const there = place();
    const sent = await there.call([...sponsored, '--no-wait']);
    expect(sent.json().data).toMatchObject({ status: 'sent', funds: 'in-flight' });
    const { run, requestId } = sent.json().data;
    const resumed = await there.run('resume');
    expect(resumed.json().data).toMatchObject({ run, requestId, status: 'success' });
    const text = CallDocument.format(resumed.json().data, plain).split('\n');
    expect(text[0]).toBe('Status       success  delivered');
    expect(text.at(-1)).toBe(`Request      ${requestId}`);
    expect((await there.run('resume')).json().error.code).toBe('run.unknown');
  });
});
