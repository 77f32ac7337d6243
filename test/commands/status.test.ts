import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { command } from '../../src/commands/status.js';
import { plain } from '../../src/core/render/Style.js';
import { at, ferry } from '../support/ferry.js';
import { startSandbox, type TestSandbox } from '../support/sandbox.js';

let sandbox: TestSandbox;
let env: Record<string, string | undefined>;

beforeAll(async () => {
  sandbox = await startSandbox();
  env = at(sandbox);
});
afterAll(() => sandbox.stop());

async function transfer(...more: string[]): Promise<string> {
  const ended = await ferry(['execute', '5', 'alpha/usdc', 'beta/usdc', '--yes', '--json', ...more], { env });
  const { data, error } = ended.json();
  return (data ?? error).requestId;
}

describe('run', () => {
  test('default: a delivered transfer exits 0, with its transactions', async () => {
    const id = await transfer();
    const ended = await ferry(['status', id, '--json'], { env });
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
    expect(text.stdout).toContain('success  delivered');
  });

  test('behavior: a refund exits 7', async () => {
    const id = await transfer('--referrer', 'debug-force-refund');
    const ended = await ferry(['status', id, '--json'], { env });
    expect([ended.code, ended.json().ok, ended.json().data.funds]).toEqual([7, true, 'returned']);
  });

  test('behavior: a quote that was never paid is untouched and not finished', async () => {
    const quoted = await ferry(['quote', '5', 'alpha/usdc', 'beta/usdc', '--json'], { env });
    const ended = await ferry(['status', quoted.json().data.requestId, '--json'], { env });
    expect([ended.code, ended.json().data.status, ended.json().data.funds]).toEqual([9, 'waiting', 'untouched']);
  });

  test('error: --watch ends at --timeout with 9', async () => {
    const quoted = await ferry(['quote', '5', 'alpha/usdc', 'beta/usdc', '--json'], { env });
    const id = quoted.json().data.requestId;
    const ended = await ferry(['status', id, '--watch', '--timeout', '500ms', '--json'], { env });
    expect(ended.code).toBe(9);
    expect(ended.lines()[0]).toMatchObject({ schema: 'ferry.event/1', type: 'status', status: 'waiting' });
    expect(ended.json().error).toMatchObject({ code: 'track.unfinished', next: `ferry status ${id} --watch` });
  });
});

describe('view', () => {
  test('default: what the service says cannot act on the terminal', () => {
    const text = command.view(
      {
        requestId: '0x01',
        status: 'odd\u001b[2J',
        words: 'a status that ferry does not know',
        funds: 'in-flight',
        finished: false,
        failReason: null,
        refundFailReason: null,
        details: 'Could not fill request\r(will retry)',
        originChainId: 1,
        destinationChainId: 2,
        inTxHashes: ['0xaa'],
        outTxHashes: [],
        updatedAt: 1_790_000_000_000,
      },
      plain,
    );
    expect(text).toMatchInlineSnapshot(`
      "Status   odd\\x1b[2J  a status that ferry does not know
      Funds    in-flight
      Details  Could not fill request\\x0d(will retry)
      Deposit  0xaa
      Updated  2026-09-21T14:13:20.000Z
      Request  0x01"
    `);
  });
});
