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
    const asked = await share('--volume', '25M');
    expect(asked.json().data).toMatchObject({
      qualifies: 'unknown',
      conditions: { apiKey: 'holds', verified: 'unknown', volume: 'holds', payoutWallet: 'unknown' },
    });
    const whole = ['--volume', '25M', '--key', 'yes', '--verified', 'yes', '--payout-wallet', wallet];
    expect((await share(...whole)).json().data.qualifies).toBe('holds');
    expect((await share(...whole, '--verified', 'no')).json().data.qualifies).toBe('fails');
    expect((await share(...whole, '--key', 'no')).json().data.conditions.apiKey).toBe('fails');
    expect((await share(...whole, '--volume', '10M')).json().data).toMatchObject({
      qualifies: 'fails',
      conditions: { volume: 'fails' },
    });
  });
  test('error: no volume, no mix, no wallet', async () => {
    expect((await share()).json().error).toMatchObject({ code: 'usage.missing' });
    expect((await share('--volume', 'much')).json().error).toMatchObject({ code: 'usage.invalid' });
    expect((await share('--volume', '25M', '--mix', 'minor=99')).json().error).toMatchObject({ code: 'usage.invalid' });
    expect((await share('--volume', '25M', '--payout-wallet', '42')).json().error).toMatchObject({
      code: 'request.invalid-address',
    });
  });
});
