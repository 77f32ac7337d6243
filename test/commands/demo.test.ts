import { describe, expect, test } from 'vitest';
import * as Address from '../../src/core/base/Address.js';
import { width } from '../../src/core/text/TerminalText.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { at, type Envelope, ferry } from '../support/ferry.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox } = useSandbox();

describe('run', () => {
  test('default: a bridge, two swaps and a refund, and balances that moved', async () => {
    const ended = await ferry(['demo', '--json'], { env: at(sandbox) });
    expect(ended.code).toBe(0);
    const { transfers, balances } = ended.json().data;
    expect(transfers.map((each: Envelope) => [each.ended, each.transactions.length])).toEqual([
      ['delivered', 2],
      ['delivered', 1],
      ['delivered', 2],
      ['refunded', 2],
    ]);
    const change = Object.fromEntries(balances.map((each: Envelope) => [each.currency, Number(each.change)]));
    expect(change['beta/usdc']).toBeCloseTo(99.97, 1);
    expect(change['beta/gull']).toBeGreaterThan(190);
    expect(change['alpha/dai']).toBeGreaterThan(-0.1);
    expect(change['alpha/eth']).toBeLessThan(-0.1);
  });
  test('behavior: as text it fits 80 columns; an account of one’s own is neither asked for nor needed', async () => {
    const env = { ...at(sandbox), FERRY_PRIVATE_KEY: `0x${'07'.repeat(32)}` };
    const ended = await ferry(['demo'], { env });
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain(`Balances of ${Address.shorten(accounts.dev0.address)}`);
    expect(ended.stderr).toContain('Bridge 100 USDC from alpha to beta');
    expect(Math.max(...ended.stdout.split('\n').map(width))).toBeLessThanOrEqual(80);
  });
  test('error: not on another network', async () => {
    const ended = await ferry(['demo', '--network', 'testnet', '--json']);
    expect(ended.json().error).toMatchObject({ code: 'request.unsupported', next: 'ferry demo --network sandbox' });
  });
});
