import { afterEach, describe, expect, test } from 'vitest';
import type { Input } from '../../../src/sandbox/http/faults.js';
import { addFault, clearFaults, faultsOf } from '../../support/faults.js';
import { type Ended, ferry, once, type Surroundings, soon, temporaryFolder } from '../../support/ferry.js';
import { sampled } from '../../support/sampled.js';
import { useSandbox } from '../../support/sandbox.js';
import { idle, nonceOf, usdcOf } from '../../support/venueBooks.js';

const { sandbox, env } = useSandbox();

afterEach(() => clearFaults(sandbox));

function withdraw(args: readonly string[] = [], more: Surroundings = {}): Promise<Ended> {
  return ferry(['venue', 'withdraw', '10', 'alpha/usdc', ...args, '--yes', '--json'], { ...more, env });
}

const sendTx = { match: { path: '/api/v1/sendTx' } };
const reading = { match: { path: '/api/v1/tx', method: 'GET' } };

/** What a run has moved at the venue: transfers that were accepted, and millionths of USDC. */
async function moved(run: () => Promise<Ended>): Promise<{ ended: Ended; accepted: number; paid: bigint }> {
  const look = () => Promise.all([nonceOf(sandbox, 100), usdcOf(sandbox, 100)]);
  // What an earlier test has left pending would count as this one's.
  await idle(sandbox, 100);
  const [nonce, usdc] = await look();
  const ended = await run();
  const [after, left] = await look();
  return { ended, accepted: after - nonce, paid: usdc - left };
}

describe('run: one transfer, whatever happens to the answer', () => {
  const answers: readonly [string, Input][] = [
    ['lost before it acts', { kind: 'drop', ...sendTx }],
    ['lost twice before it acts', { kind: 'drop', times: 2, ...sendTx }],
    ['lost after it acts', { kind: 'drop-after', ...sendTx }],
    ['cut off', { kind: 'truncate', ...sendTx }],
    ['empty', { kind: 'empty', ...sendTx }],
    ['a page of HTML', { kind: 'html', ...sendTx }],
    ['a fault of its own before it acts', { kind: 'status', status: 500, ...sendTx }],
    ['a fault of its own after it acts', { kind: 'status-after', status: 502, ...sendTx }],
    ['another hash', { kind: 'tamper', path: '/tx_hash', value: 'ab'.repeat(40), ...sendTx }],
    ['refused after it acts', { kind: 'status-after', status: 400, body: { code: 21104, message: 'x' }, ...sendTx }],
    ['slow', { kind: 'delay', delayMs: 50, ...sendTx }],
    [
      'told in a form that ferry does not know',
      { kind: 'tamper', path: '/info', value: 'sealed', times: 0, ...reading },
    ],
    ['that it has failed, which it has not', { kind: 'tamper', path: '/status', value: 0, times: 0, ...reading }],
    ['not to be read for a while', { kind: 'status', status: 503, times: 4, ...reading }],
  ];
  test.each(sampled(answers, 7))('behavior: an answer that is %s', async (_, fault) => {
    await addFault(sandbox, 'venue', fault);
    const { ended, accepted, paid } = await moved(() => withdraw());
    expect(ended.json().error).toBeUndefined();
    expect(ended.code).toBe(0);
    expect(ended.json().data).toMatchObject({ status: 'success', funds: 'delivered' });
    expect({ accepted, paid }).toEqual({ accepted: 1, paid: 13_000_000n });
    expect(ended.lines().filter(({ type }) => type === 'venue-signed')).toHaveLength(1);
  });
});

describe('run: nothing moved', () => {
  const untouched = { accepted: 0, paid: 0n };

  test.each([
    ['a refusal', 400, { code: 21504, message: 'fail to l1 signature ' }],
    ['a nonce of another process, which none has used', 400, { code: 21104, message: 'invalid nonce' }],
    ['too many requests', 429, { code: 23000, message: 'Too many requests' }],
    ['a refusal under HTTP 200', 200, { code: 21505, message: 'unsupported' }],
  ])(
    'error: %s proves nothing: unknown until the transfer has expired, and then untouched',
    async (_, status, body) => {
      await addFault(sandbox, 'venue', { kind: 'status', status, body, times: 0, ...sendTx });
      const { ended, ...what } = await moved(() => withdraw());
      expect(ended.code).toBe(10);
      expect(ended.json().error).toMatchObject({
        ...{ code: 'submit.unknown', funds: 'unknown', retryable: false, facts: { code: String(body.code) } },
        message: expect.stringMatching(/^The outcome is unknown until \d\d:\d\dZ/),
        next: `ferry resume ${ended.json().error.run}`,
      });
      const { ended: expired, ...after } = await moved(() => withdraw(['--valid-for', '1s', ...soon.args], soon));
      expect([expired.code, expired.json().error]).toMatchObject([6, { code: 'submit.expired', funds: 'untouched' }]);
      expect([what, after]).toEqual([untouched, untouched]);
    },
  );

  test('error: HTTP 200, and then failed by the sequencer', async () => {
    await addFault(sandbox, 'venue', { kind: 'sequencer', does: 'fail', failReason: 'AppErrNotEnoughCollateral' });
    const { ended, accepted, paid } = await moved(() => withdraw());
    expect(ended.code).toBe(6);
    expect(ended.json().error).toMatchObject({
      code: 'submit.venue-failed',
      funds: 'untouched',
      facts: { reason: 'AppErrNotEnoughCollateral' },
      txHash: expect.stringMatching(/^[0-9a-f]{80}$/),
    });
    expect({ accepted, paid }).toEqual({ accepted: 1, paid: 0n });
  });

  test('error: it runs out before the sequencer comes to it', async () => {
    const held = await addFault(sandbox, 'venue', { kind: 'sequencer', does: 'stuck' });
    const isSent = once('"venue-sent"');
    const running = moved(() => withdraw([], { heard: isSent.heard }));
    await isSent.happened;
    await addFault(sandbox, 'venue', { kind: 'skew', skewMs: 3_600_000 });
    await fetch(`${sandbox.venueUrl}/sandbox/faults/${held}`, { method: 'DELETE' });
    const { ended, paid } = await running;
    expect(ended.code).toBe(6);
    expect(ended.json().error).toMatchObject({ code: 'submit.venue-failed', funds: 'untouched' });
    expect(paid).toBe(0n);
  });

  test('error: never taken, and run out with its nonce unused', async () => {
    await addFault(sandbox, 'venue', { kind: 'drop', times: 0, ...sendTx });
    const { ended, ...what } = await moved(() => withdraw(['--valid-for', '1s', ...soon.args], soon));
    expect(ended.code).toBe(6);
    expect(ended.json().error).toMatchObject({ code: 'submit.expired', funds: 'untouched', retryable: true });
    expect(what).toEqual(untouched);
  });
});

describe('run: not known, or not finished', () => {
  test('attack: a clock that is ahead does not make void what the venue still takes', async () => {
    const home = temporaryFolder();
    await addFault(sandbox, 'venue', { kind: 'drop', times: 0, ...sendTx });
    const { run } = (await withdraw(soon.args, { ...soon, home })).json().error;
    const resume = (more: Surroundings, ...args: readonly string[]) =>
      ferry(['resume', run, '--yes', '--json', ...args], { env, home, ...more });
    const ended = await resume({ ...soon, laterMs: 3_600_000 }, ...soon.args);
    expect([ended.code, ended.json().error]).toMatchObject([10, { code: 'submit.unknown', funds: 'unknown' }]);
    await clearFaults(sandbox);
    // It was not void: it is taken now.
    const { ended: resumed, paid } = await moved(() => resume({}));
    expect([resumed.code, paid]).toEqual([0, 13_000_000n]);
  });

  test('error: no answer, and the venue tells nothing: unknown, and not to be repeated', async () => {
    await addFault(sandbox, 'venue', { kind: 'drop-after', times: 0, ...sendTx });
    await addFault(sandbox, 'venue', { kind: 'status', status: 500, times: 0, ...reading });
    const { ended, accepted } = await moved(() => withdraw(soon.args, soon));
    expect(ended.code).toBe(10);
    expect(ended.json().error).toMatchObject({
      code: 'submit.unknown',
      funds: 'unknown',
      retryable: false,
      requestId: expect.stringMatching(/^0x/),
      txHash: expect.stringMatching(/^[0-9a-f]{80}$/),
    });
    expect(accepted).toBe(1);
  });

  test('error: Ctrl-C while it is handed in again tells of the answer that was lost', async () => {
    // The second one as well, later: what is interrupted never gets there.
    await addFault(sandbox, 'venue', { kind: 'drop', times: 0, ...sendTx });
    await addFault(sandbox, 'venue', { kind: 'delay', delayMs: 5_000, after: 1, ...sendTx });
    const end = new AbortController();
    const running = withdraw([], { signal: end.signal });
    const struck = async () => (await faultsOf(sandbox, 'venue'))[1]?.struck;
    await expect.poll(struck).toBe(1);
    end.abort();
    const ended = await running;
    expect(ended.code).toBe(10);
    expect(ended.json().error).toMatchObject({
      code: 'submit.unknown',
      facts: { 'last answer': expect.stringContaining('venue') },
    });
  });

  test('error: a nonce that is used, and the venue does not tell by what: unknown', async () => {
    await addFault(sandbox, 'venue', { kind: 'status-after', status: 400, body: { code: 21104 }, times: 0, ...sendTx });
    await addFault(sandbox, 'venue', { kind: 'status', status: 500, times: 0, ...reading });
    const { ended, accepted } = await moved(() => withdraw(soon.args, soon));
    expect(ended.code).toBe(10);
    expect(ended.json().error).toMatchObject({ code: 'submit.unknown', funds: 'unknown' });
    expect(accepted).toBe(1);
  });

  test.each([
    [
      'refused, because another one has used its nonce',
      [{ kind: 'status-after', status: 400, body: { code: 21104 } }],
      [],
    ],
    [
      'lost, and expired with its nonce unused',
      [{ kind: 'drop-after', times: 0 }],
      ['--valid-for', '1s', ...soon.args],
    ],
  ] as const)(
    'attack: a transfer that the venue executes, hides, and says is %s: unknown, since the service has it',
    async (_, [sending], args) => {
      const nonce = Number(await nonceOf(sandbox, 100));
      await addFault(sandbox, 'venue', { ...sending, ...sendTx });
      await addFault(sandbox, 'venue', { kind: 'status', status: 400, body: { code: 21500 }, times: 0, ...reading });
      const path = '/api/v1/nextNonce';
      if (args.length > 0)
        await addFault(sandbox, 'venue', { kind: 'tamper', path: '/nonce', value: nonce, times: 0, match: { path } });
      const { ended, paid } = await moved(async () => {
        const done = await withdraw(args, soon);
        await clearFaults(sandbox);
        return done;
      });
      expect([ended.code, ended.json().error]).toMatchObject([
        10,
        { code: 'submit.unknown', funds: 'unknown', retryable: false },
      ]);
      expect(paid).toBe(13_000_000n);
    },
  );

  test('error: accepted and not executed in time', async () => {
    await addFault(sandbox, 'venue', { kind: 'sequencer', does: 'stuck' });
    const ended = await withdraw(soon.args, soon);
    expect(ended.code).toBe(9);
    const { error } = ended.json();
    expect(error).toMatchObject({ code: 'track.unfinished', funds: 'in-flight' });
    await clearFaults(sandbox);
    const status = await ferry(['status', error.requestId, '--watch', '--json'], { env });
    expect(status.json().data.status).toBe('success');
  });

  test('error: executed, and not delivered in time, with the hash at the venue', async () => {
    const match = { path: '/intents/status/v3' };
    await addFault(sandbox, 'service', { kind: 'tamper', path: '/status', value: 'pending', times: 0, match });
    const ended = await withdraw(soon.args, soon);
    await clearFaults(sandbox);
    expect(ended.json().error).toMatchObject({
      ...{ code: 'track.unfinished', funds: 'in-flight' },
      txHash: expect.stringMatching(/^[0-9a-f]{80}$/),
    });
  });

  test('error: Ctrl-C while the sequencer has it', async () => {
    await addFault(sandbox, 'venue', { kind: 'sequencer', does: 'stuck' });
    const end = new AbortController();
    const isSent = once('"venue-sent"');
    const running = withdraw([], { signal: end.signal, heard: isSent.heard });
    await isSent.happened;
    end.abort();
    const ended = await running;
    expect(ended.json().error).toMatchObject({ code: 'track.unfinished', funds: 'in-flight' });
  });
});

test('run: several processes with one API key: behavior: each ends in the truth, and no more is paid than was delivered', async () => {
  const runs = 4;
  const before = await usdcOf(sandbox, 102);
  const ended = await Promise.all(Array.from({ length: runs }, () => withdraw(['--account', 'dev2'], soon)));
  const codes = ended.map(({ code }) => code);
  expect(codes.every((code) => code === 0 || code === 6)).toBe(true);
  const done = codes.filter((code) => code === 0).length;
  expect(done).toBeGreaterThan(0);
  for (const each of ended.filter(({ code }) => code === 6))
    expect(each.json().error).toMatchObject({ code: 'submit.venue-refused', retryable: true, funds: 'untouched' });
  expect(before - (await usdcOf(sandbox, 102))).toBe(13_000_000n * BigInt(done));
});
