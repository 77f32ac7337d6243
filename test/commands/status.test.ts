import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { command } from '../../src/commands/status.js';
import { plain } from '../../src/core/text/TerminalStyle.js';
import type { Input } from '../../src/sandbox/http/faults.js';
import { addFault, clearFaults } from '../support/faults.js';
import { at, ferry, soon, temporaryFolder } from '../support/ferry.js';
import * as Loopback from '../support/loopback.js';
import { miningAt } from '../support/node.js';
import { startSandbox, useSandbox } from '../support/sandbox.js';

const { sandbox, env, user } = useSandbox();

const send = ['execute', '5', 'alpha/usdc', 'beta/usdc'];
const refund = ['--referrer', 'debug-force-refund'];

const fault = (body: Input): Promise<string> => addFault(sandbox, 'service', body);

const status = (...argv: string[]) => ferry(['status', ...argv, '--json'], { env });

/** The same until a deadline ends it. */
const late = (...argv: string[]) => ferry(['status', ...argv, ...soon.args, '--json'], { env, pace: soon.pace });

async function requestOf(...argv: string[]): Promise<string> {
  const { data, error } = (await ferry([...argv, '--yes', '--json'], { env })).json();
  return (data ?? error).requestId;
}

const make = {
  delivered: () => requestOf(...send),
  refunded: () => requestOf(...send, ...refund),
  unpaid: () => requestOf('quote', '5', 'alpha/usdc', 'beta/usdc'),
};
const made = new Map<keyof typeof make, Promise<string>>();

/** A request that has ended so, or was never paid: one for all tests, which look at it alone. */
function request(kind: keyof typeof make): Promise<string> {
  const known = made.get(kind) ?? make[kind]();
  made.set(kind, known);
  return known;
}

describe('run', () => {
  test('default: a delivered transfer exits 0, with its transactions', async () => {
    const id = await request('delivered');
    const ended = await status(id);
    expect(ended.code).toBe(0);
    expect(ended.json().data).toMatchObject({
      requestId: id,
      status: 'success',
      funds: 'delivered',
      finished: true,
      originChainId: 313371,
      destinationChainId: 313372,
      inTxHashes: [expect.stringMatching(/^0x[0-9a-f]{64}$/)],
      outTxHashes: [expect.stringMatching(/^0x[0-9a-f]{64}$/)],
    });
    const text = await ferry(['status', id], { env });
    expect(text.stdout).toContain('success  the service reports the delivery');
    expect(text.stdout).toMatch(/^Network {2,}sandbox\nAmount +5 alpha\/usdc → 4\.[0-9]+ beta\/usdc$/m);
    expect(text.stdout).toMatch(/^From +0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266\nTo +0xf39Fd6/m);
  });

  test('behavior: who pays what comes from the journal of a run, and records that fail keep nothing from a status', async () => {
    const there = user();
    const { run, requestId } = (await there.run(...send)).json().data;
    await fault({ kind: 'status', status: 401, body: {}, match: { path: '/requests' }, times: 0 });
    const [unread, byRun] = await Promise.all([status(requestId), there.run('status', run.slice(-6))]);
    expect([unread.code, unread.json().data.transfer]).toEqual([0, null]);
    expect(byRun.json().data.transfer).toMatchObject({ send: { formatted: '5', currency: 'alpha/usdc' } });
  });

  test('behavior: a quote that was never paid is untouched and not finished', async () => {
    const ended = await status(await request('unpaid'));
    expect([ended.code, ended.json().data.status, ended.json().data.funds]).toEqual([9, 'waiting', 'untouched']);
  });

  test('error: --watch ends at --timeout with 9', async () => {
    const id = await request('unpaid');
    const ended = await late(id, '--watch');
    expect(ended.lines()[0]).toMatchObject({ schema: 'ferry.event/1', type: 'status', status: 'waiting' });
    expect(ended.json().error).toMatchObject({
      ...{ code: 'track.unfinished', exit: 9 },
      next: `ferry status ${id} --watch`,
      funds: 'untouched',
      hint: 'The service has seen no payment. One that was just sent may not have reached it yet.',
    });
  });
});

describe('run, of what this machine has sent', () => {
  /** Chain alpha mines nothing while it acts. */
  async function unmined<T>(act: () => Promise<T>): Promise<T> {
    await miningAt(sandbox.rpcUrls.alpha, false);
    try {
      return await act();
    } finally {
      await miningAt(sandbox.rpcUrls.alpha, true);
    }
  }

  test('attack: a deposit that is broadcast is not untouched, while the service says that it waits for it', async () => {
    const there = user();
    await unmined(async () => {
      const { run, requestId, txHash } = (await there.late('execute', '0.01', 'alpha/eth', 'beta/eth')).json().error;
      // It says so of what it has been told, too.
      for (const [path, value] of [
        ['/status', 'waiting'],
        ['/inTxHashes', []],
      ] as const)
        await fault({ kind: 'tamper', match: { path: '/intents/status/v3' }, path, value, times: 0 });
      for (const name of [run, run.slice(-6), requestId]) {
        const ended = await there.run('status', name);
        const said = { status: 'waiting', funds: 'in-flight', finished: false, journal: { run, funds: 'in-flight' } };
        expect([ended.code, ended.json().data]).toMatchObject([9, said]);
      }
      const watched = await there.late('status', requestId, '--watch');
      expect(watched.json().error).toMatchObject({ code: 'track.unfinished', funds: 'in-flight', run });
      expect((await ferry(['status', run], { env: there.env })).stdout).toContain(
        `${run}: its payment was sent from this machine`,
      );
      // Another machine knows what the service says.
      expect((await status(requestId)).json().data.funds).toBe('untouched');
      await clearFaults(sandbox);
      await fault({ kind: 'status', status: 404, body: { message: 'Not found' }, match: { path: '/' }, times: 0 });
      for (const name of [run, requestId, txHash]) {
        const { error } = (await there.run('status', name)).json();
        expect(['in-flight', 'unknown']).toContain(error.funds);
      }
      await clearFaults(sandbox);
    });
  }, 60_000);

  test('attack: a signed batch that the service says it refused is unknown, exit 10', async () => {
    const there = user();
    await fault({ kind: 'status', status: 400, body: { message: 'No' }, match: { path: '/execute' }, times: 0 });
    const { run, requestId } = (await there.run(...send, '--gasless', '--account', 'dev9')).json().error;
    await clearFaults(sandbox);
    for (const name of [run, requestId]) {
      const ended = await there.run('status', name);
      expect([ended.code, ended.json().data]).toMatchObject([10, { funds: 'unknown', journal: { run } }]);
    }
    for (const value of ['waiting', 'unknown']) {
      await fault({ kind: 'tamper', match: { path: '/intents/status/v3' }, path: '/status', value, times: 0 });
      const { error } = (await there.late('status', run, '--watch')).json();
      expect(error).toMatchObject({ code: 'submit.unknown', funds: 'unknown', run, next: `ferry resume ${run}` });
      await clearFaults(sandbox);
    }
  }, 60_000);
});

describe('run --until', () => {
  test('behavior: ends with 0 where the state is reached, the last line being the record', async () => {
    const id = await request('delivered');
    const ended = await status(id, '--until', 'submitted');
    expect(ended.code).toBe(0);
    expect(ended.lines().map(({ schema }) => schema)).toEqual(['ferry.event/1', 'ferry.status/1']);
    expect(ended.json().data).toMatchObject({ status: 'success', until: { state: 'submitted', reached: true } });
  });

  test('behavior: another end ends it too, with its own exit code', async () => {
    const id = await request('refunded');
    const other = await status(id, '--until', 'success');
    expect([other.code, other.json().data.until.reached]).toEqual([7, false]);
    const same = await status(id, '--until', 'refund');
    expect([same.code, same.json().data.funds]).toEqual([0, 'returned']);
  });

  test('behavior: a refund without a transaction is not sent yet: nothing is back', async () => {
    const id = await request('refunded');
    const unsent = { kind: 'tamper', path: '/txHashes', value: [], match: { path: '/intents' } } as const;
    await fault({ ...unsent, times: 0 });
    const once = await status(id);
    expect([once.code, once.json().data]).toMatchObject([
      9,
      { status: 'refund', funds: 'in-flight', finished: false, words: 'to be refunded, the refund is not sent yet' },
    ]);
    const text = await ferry(['status', id], { env });
    expect(text.stdout).not.toMatch(/refunded$/m);
    for (const how of [['--watch'], ['--until', 'refund']]) {
      const message = expect.stringContaining('has not sent the refund');
      const { error } = (await late(id, ...how)).json();
      expect(error).toMatchObject({ code: 'track.unfinished', funds: 'in-flight', message });
    }
    expect((await ferry(['status', id, '--expect', 'refund'], { env })).code).toBe(12);
    await clearFaults(sandbox);
    await fault({ ...unsent, times: 3 });
    const watched = await status(id, '--watch');
    expect([watched.code, watched.json().data]).toMatchObject([7, { funds: 'returned', finished: true }]);
    expect(watched.lines().flatMap(({ type, words }) => (type === 'status' ? [words] : []))).toEqual([
      'to be refunded, the refund is not sent yet',
      'the service reports the refund',
    ]);
  });

  test('behavior: a payment whose refund is not sent in time is in flight, and not repeated', async () => {
    await fault({ kind: 'tamper', path: '/txHashes', value: [], match: { path: '/intents' }, times: 0 });
    // Long enough for the refund, and then it is late.
    const ended = await user().ask([...send, ...refund, '--timeout', '1m', '--yes'], { pace: 100 });
    expect(ended.json().error).toMatchObject({ code: 'track.unfinished', funds: 'in-flight' });
  });

  test('behavior: a fresh quote has a status and its time, and nothing else', async () => {
    const { url } = await Loopback.loopback(Loopback.json({ status: 'waiting', quoteCreatedAt: 1_790_000_000_000 }));
    const ended = await ferry(['status', `0x${'17'.repeat(32)}`, '--json'], { env: { FERRY_BASE_URL: url } });
    expect([ended.code, ended.json().data]).toMatchObject([
      9,
      { status: 'waiting', funds: 'untouched', finished: false, inTxHashes: [], outTxHashes: [], updatedAt: null },
    ]);
  });

  test('behavior: numbers and texts of another form do not hide where the money is', async () => {
    const odd = { status: 'success', updatedAt: '1790000000000', originChainId: '8453', details: {}, failReason: 7 };
    const { url } = await Loopback.loopback(Loopback.json({ ...odd, txHashes: null, destinationChainId: 'base' }));
    const ended = await ferry(['status', `0x${'17'.repeat(32)}`, '--json'], { env: { FERRY_BASE_URL: url } });
    expect(ended.json().data).toMatchObject({
      ...{ funds: 'delivered', updatedAt: 1_790_000_000_000, originChainId: 8453, destinationChainId: null },
      ...{ details: null, failReason: '7', outTxHashes: [] },
    });
  });

  test('behavior: a failure that turns into a refund is followed through', async () => {
    await fault({ kind: 'solver', does: 'fail', failReason: 'SOLVER_CAPACITY_EXCEEDED' });
    const id = await requestOf(...send, '--no-wait', ...refund);
    await expect.poll(async () => (await ferry(['status', id], { env })).code).toBe(8);
    // Later than a failure counts as the end without it.
    let waits = 0;
    const pace = () => {
      waits += 1;
      if (waits === 4) void clearFaults(sandbox);
      return 20;
    };
    const ended = await ferry(['status', id, '--until', 'refund', '--interval', '1s', '--json'], { env, pace });
    const words = ended.lines().flatMap(({ type, status }) => (type === 'status' ? [status] : []));
    expect([ended.code, words[0], words.at(-1)]).toEqual([0, 'failure', 'refund']);
    expect(ended.json().data).toMatchObject({ status: 'refund', funds: 'returned', until: { reached: true } });
    expect((await status(id, '--watch')).code).toBe(7);
  });

  test('behavior: a failure that stays is held by the service, exit 8', async () => {
    await fault({ kind: 'solver', does: 'fail', failReason: 'SOLVER_CAPACITY_EXCEEDED' });
    const id = await requestOf(...send, '--no-wait');
    await expect.poll(async () => (await status(id)).code).toBe(8);
    const ended = await late(id, '--until', 'refund');
    const failReason = 'SOLVER_CAPACITY_EXCEEDED';
    expect([ended.code, ended.json().data]).toMatchObject([8, { funds: 'held', failReason }]);
  });

  test('behavior: a word that ferry does not know is shown as it came and is no end', async () => {
    const id = await request('delivered');
    await fault({ kind: 'tamper', path: '/status', value: 'marinating', match: { path: '/intents' }, times: 0 });
    const once = await ferry(['status', id], { env });
    expect(once.code).toBe(9);
    expect(once.stdout).toMatch(/^Status {3}marinating {2}a status that ferry does not know$/m);
    const { error } = (await late(id, '--until', 'success')).json();
    expect(error).toMatchObject({ code: 'track.unfinished', message: expect.stringContaining('still marinating') });
  });

  test.each([
    [['--until', 'delivered'], /Allowed choices are waiting/],
    [['--watch', '--interval', '50ms'], /at least 100ms/],
    [['--interval', '1s'], /needs --watch or --until/],
  ])('error: %j', async (flags, words) => {
    const ended = await ferry(['status', `0x${'17'.repeat(32)}`, ...flags], { env });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(words);
  });
});

describe('run --expect', () => {
  test.each([
    [['--expect', 'success'], 'delivered', 0, true],
    [['--watch', '--expect', 'refund'], 'delivered', 12, false],
    [['--expect', 'refund'], 'refunded', 0, true],
    [['--until', 'success', '--expect', 'success'], 'refunded', 12, false],
  ] as const)('default: %j of one that is %s exits %i', async (flags, kind, code, met) => {
    const ended = await status(await request(kind), ...flags);
    expect([ended.code, ended.json().ok, ended.json().data.expectation.met]).toEqual([code, true, met]);
  });

  test('behavior: what is not finished in time has not met it, and exits 9', async () => {
    const id = await request('unpaid');
    expect((await ferry(['status', id, '--expect', 'waiting'], { env })).code).toBe(0);
    expect((await ferry(['status', id, '--expect', 'success'], { env })).code).toBe(12);
    expect((await late(id, '--watch', '--expect', 'success')).code).toBe(9);
  });
});

describe('run by name', () => {
  test('default: an order id and each transaction find the request, the venue’s too', async () => {
    const ids = [
      await request('delivered'),
      await request('refunded'),
      await requestOf('execute', '10', 'alpha/usdc', 'lighter/usdc'),
    ];
    for (const requestId of ids) {
      const shown = (await ferry(['requests', 'show', requestId, '--json'], { env })).json().data;
      const hashes = shown.transactions.map((each: { hash: string }) => each.hash);
      expect(hashes).toHaveLength(2);
      for (const asked of [shown.orderId, ...hashes]) {
        const { data } = (await status(asked)).json();
        expect([data.asked, data.requestId]).toEqual([asked, requestId]);
      }
    }
  });

  test('behavior: a request is found that is there only later', async () => {
    const id = await request('delivered');
    const match = { path: '/intents' };
    await fault({ kind: 'tamper', path: '/status', value: 'unknown', match, times: 3 });
    await fault({ kind: 'tamper', path: '/requests', value: [], match: { path: '/requests' }, times: 6 });
    const ended = await status(id, '--watch');
    await clearFaults(sandbox);
    const words = ended.lines().flatMap(({ type, status }) => (type === 'status' ? [status] : []));
    expect([ended.code, words]).toEqual([0, ['unknown', 'success']]);
  });

  test('error: nobody knows it', async () => {
    for (const flags of [[], ['--watch']]) {
      const { error } = (await late(`0x${'5a'.repeat(32)}`, ...flags)).json();
      expect(error).toMatchObject({ code: 'service.unknown-request', exit: 3, funds: 'unknown' });
    }
  });

  test('error: a status that cannot be read says nothing of the money', async () => {
    await fault({ kind: 'status', status: 500, match: { path: '/intents' }, times: 0 });
    const ended = await status(`0x${'5a'.repeat(32)}`);
    expect(ended.json().error).toMatchObject({ code: 'service.unavailable', exit: 3, funds: 'unknown' });
  });

  test('behavior: without a name, the latest run on the network', async () => {
    const there = user();
    const none = (await there.run('status')).json().error;
    expect(none).toMatchObject({ code: 'run.unknown', message: 'This machine has no run on sandbox.' });
    await there.run(...send);
    const { run, requestId } = (await there.run(...send, '--again')).json().data;
    const { data } = (await there.run('status')).json();
    expect(data).toMatchObject({ asked: run, requestId, status: 'success' });
  });

  test('error: a run that is not there, is of another sandbox, or has no request', async () => {
    const there = user();
    expect((await there.run('status', '1f2e3d')).json().error.code).toBe('run.unknown');
    const { run, code } = (await there.run(...send, '--max-fee-usd', '0')).json().error;
    expect(code).toBe('verify.cap');
    there.cut(1);
    const ended = await there.run('status', run);
    expect(ended.json().error).toMatchObject({ code: 'run.unsigned', run, next: `ferry runs show ${run}` });
    const other = await startSandbox();
    const elsewhere = await there.ask(['status', run], { env: at(other) });
    await other.stop();
    expect(elsewhere.json().error).toMatchObject({ code: 'run.elsewhere', run });
  });

  test('error: a run that ended before anything was signed is not waited for, unless another one pays its request', async () => {
    const there = user();
    const file = join(temporaryFolder(), 'quote.json');
    await there.run('quote', '5', 'alpha/usdc', 'beta/usdc', '-o', file);
    const { run, code } = (await there.ask(['execute', file])).json().error;
    expect(code).toBe('usage.confirmation');
    for (const argv of [[run], [], ['--watch']]) {
      const { error } = (await there.run('status', ...argv)).json();
      expect(error).toMatchObject({ code: 'run.unsigned', run, funds: 'untouched' });
    }
    const { requestId } = (await there.run('execute', file)).json().data;
    const { data } = (await there.run('status', run)).json();
    expect(data).toMatchObject({ requestId, funds: 'delivered' });
  });

  test('behavior: a service that does not answer keeps no recorded end from the user', async () => {
    const there = user();
    const dead = (...argv: string[]) => there.ask(['status', ...argv], { env: { FERRY_BASE_URL: Loopback.nobody } });
    const refunded = (await there.run(...send, ...refund)).json().error;
    const { run, requestId } = (await there.run(...send)).json().data;
    for (const argv of [[run], [], [run, '--watch'], [run, '--until', 'submitted'], [run, '--expect', 'success']]) {
      const ended = await dead(...argv);
      const { data, warnings } = ended.json();
      expect([ended.code, data]).toMatchObject([0, { asked: run, requestId, status: 'success', funds: 'delivered' }]);
      expect(data).toMatchObject({ finished: true, transfer: { send: { formatted: '5' } } });
      expect(data.inTxHashes).toEqual([expect.stringMatching(/^0x[0-9a-f]{64}$/)]);
      expect(warnings).toEqual([expect.stringMatching(/ What this machine has recorded of the run follows\.$/)]);
    }
    const named = await dead(requestId);
    expect([named.code, named.json().data]).toMatchObject([0, { asked: requestId, requestId, funds: 'delivered' }]);
    const returned = await dead(refunded.run);
    expect([returned.code, returned.json().data]).toMatchObject([7, { status: 'refund', funds: 'returned' }]);
    expect((await dead(refunded.run, '--expect', 'refund')).code).toBe(0);
    // Somebody else may have written it.
    writeFileSync(join(there.stateDir, 'secret'), `${'5e'.repeat(32)}\n`, { mode: 0o600 });
    for (const name of [run, requestId])
      expect((await dead(name)).json().error).toMatchObject({ code: 'service.unreachable', exit: 3, funds: 'unknown' });
  });

  test('error: journals that cannot be read do not hide that the service does not answer', async () => {
    const there = user({ FERRY_BASE_URL: Loopback.nobody });
    writeFileSync(join(there.stateDir, 'runs'), 'no folder');
    const { error } = (await there.run('status', `0x${'17'.repeat(32)}`)).json();
    expect(error).toMatchObject({ code: 'service.unreachable', exit: 3, funds: 'unknown' });
  });

  test('error: what is no name at all', async () => {
    expect((await ferry(['status', 'not-a-name'], { env })).code).toBe(2);
  });
});

test('run on a superseded request: follows the one that took its place, whether it looks once or watches', async () => {
  const [old, by] = [await request('unpaid'), await request('delivered')];
  const match = { path: '/requests', requestId: old };
  await fault({ kind: 'tamper', path: '/requests/0/supersededByRequestId', value: by, match, times: 0 });
  const once = await status(old);
  const watched = await status(old, '--watch');
  await clearFaults(sandbox);
  for (const ended of [once, watched])
    expect([ended.code, ended.json().data]).toMatchObject([0, { asked: old, requestId: by, supersedes: [old] }]);
  expect(watched.lines().map(({ type }) => type)).toEqual(['status', 'superseded', 'status', undefined]);
});

test('view: what the service says cannot act on the terminal', () => {
  const text = command.view(
    {
      asked: '0x02',
      requestId: '0x01',
      supersedes: ['0x02'],
      journal: null,
      transfer: {
        user: '0xaa\u001b[2J',
        recipient: null,
        send: { formatted: '1', currency: '1/\u001b[2J' },
        receive: null,
      },
      until: { state: 'success', reached: false },
      expectation: { state: 'refund', met: false },
      ...{ status: 'odd\u001b[2J', words: 'a status that ferry does not know', funds: 'in-flight', finished: false },
      ...{ failReason: null, refundFailReason: null, details: 'Could not fill request\r(will retry)' },
      ...{ originChainId: 1, destinationChainId: 2, inTxHashes: ['0xaa'], outTxHashes: [] },
      updatedAt: 1_790_000_000_000,
    },
    plain,
  );
  expect(text).toMatchInlineSnapshot(`
      "Status    odd\\x1b[2J  a status that ferry does not know
      Funds     in-flight
      Amount    1 1/\\x1b[2J
      From      0xaa\\x1b[2J
      Until     success: not reached
      Expected  refund: not met
      Details   Could not fill request\\x0d(will retry)
      Deposit   0xaa
      Updated   2026-09-21T14:13:20.000Z
      Request   0x01
      Replaces  0x02"
    `);
});
