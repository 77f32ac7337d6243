import { describe, expect, test } from 'vitest';
import { type Envelope, ferry } from '../../support/ferry.js';

const share = (...args: string[]) => ferry(['fees', 'share', ...args, '--json']);
const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

describe('run', () => {
  test.each([
    ['10M', 'none', ['0', '0', '0', '0', '0']],
    ['100000000.01', 'upper', ['0', '0', '67', '50', '66.67']],
    ['1000000000.01', 'unpublished', [null, null, null, null, null]],
  ])('default: %s is of tier %s', async (volume, tier, shares) => {
    const { data } = (await share('--volume', volume)).json();
    expect([data.tier, data.payout]).toEqual([tier, null]);
    expect(data.shares.map(({ sharePercent }: Envelope) => sharePercent)).toEqual(shares);
  });
  test('behavior: the payout of a mix', async () => {
    const ended = await share('--volume', '25M', '--mix', 'bridge=20,stablecoin=30,major=40,minor=10');
    const { data } = ended.json();
    expect(data.payout).toBe('3004.875000');
    expect(data.shares[2]).toMatchObject({ volume: '7500000.000000', payout: '255.000000' });
    const above = await share('--volume', '2B', '--mix', 'minor=100');
    expect(above.json().data.payout).toBeNull();
  });
  test('behavior: which conditions hold', async () => {
    const conditions = { apiKey: 'holds', verified: 'unknown', volume: 'holds', payoutWallet: 'unknown' };
    expect((await share('--volume', '25M')).json().data).toMatchObject({ qualifies: 'unknown', conditions });
    const whole = ['--volume', '25M', '--key', 'yes', '--verified', 'yes', '--payout-wallet', wallet];
    expect((await share(...whole)).json().data.qualifies).toBe('holds');
    expect((await share(...whole, '--verified', 'no')).json().data.qualifies).toBe('fails');
    expect((await share(...whole, '--key', 'no')).json().data.conditions.apiKey).toBe('fails');
    const little = (await share(...whole, '--volume', '10M')).json().data;
    expect([little.qualifies, little.conditions.volume]).toEqual(['fails', 'fails']);
  });
  test.each([
    [[], 'usage.missing'],
    [['--volume', 'much'], 'usage.invalid'],
    [['--volume', '25M', '--mix', 'minor=99'], 'usage.invalid'],
    [['--volume', '25M', '--payout-wallet', '42'], 'request.invalid-address'],
  ])('error: %j', async (args, code) => expect((await share(...args)).json().error.code).toBe(code));
});
