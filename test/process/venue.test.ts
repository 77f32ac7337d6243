/** Several processes at once with one API key of the venue: the venue's nonce lets one of them through at a time. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BuiltFerry, buildFerry } from '../support/builtFerry.js';
import { at } from '../support/ferry.js';
import { startSandbox, type TestSandbox } from '../support/sandbox.js';
import { usdcOf } from '../support/venueBooks.js';

let sandbox: TestSandbox;
let built: BuiltFerry;

beforeAll(async () => {
  [sandbox, built] = await Promise.all([startSandbox(), buildFerry()]);
});
afterAll(async () => {
  built.remove();
  await sandbox.stop();
});

/** With WHOLE=1 so often. */
const rounds = process.env.WHOLE ? 3 : 1;

describe('ferry venue withdraw', () => {
  test('behavior: processes that race for a nonce pay what they say, each at most once', async () => {
    const before = await usdcOf(sandbox, 100);
    const args = ['venue', 'withdraw', '10', 'alpha/usdc', '--again', '--yes', '--json'];
    const codes: (number | null)[] = [];
    for (let round = 0; round < rounds; round++) {
      const ended = await Promise.all([1, 2, 3].map(() => built.run(args, at(sandbox))));
      for (const { code, stdout } of ended) {
        const envelope = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
        if (code === 0) expect(envelope.data).toMatchObject({ status: 'success', funds: 'delivered' });
        else
          expect(envelope.error).toMatchObject({ code: 'submit.venue-refused', funds: 'untouched', retryable: true });
        codes.push(code);
      }
    }
    const done = codes.filter((code) => code === 0).length;
    expect(done).toBeGreaterThanOrEqual(rounds);
    expect(before - (await usdcOf(sandbox, 100))).toBe(13_000_000n * BigInt(done));
  }, 60_000);
});
