/** Sponsored fees and app fees, through the whole program. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ferry, temporaryFolder } from '../support/ferry.js';
import { ownNetwork } from '../support/ownNetwork.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox, env } = useSandbox();

const dev1 = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const dev2 = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const bridge = ['100', 'alpha/usdc', 'beta/usdc'];

describe('ferry quote --sponsor', () => {
  test('default: selected components, the platform by ferry’s own name, up to a maximum', async () => {
    const args = ['--sponsor', 'execution,platform', '--max-sponsored-usd', '0.01'];
    const { code, json } = await ferry(['quote', '100', 'alpha/usdc', 'beta/usdt', ...args, '--json'], { env });
    expect(code).toBe(0);
    const { intent, fees, proof, response } = json().data;
    expect(intent).toMatchObject({ sponsor: ['execution', 'platform'], maxSponsoredUsd: '0.010000' });
    expect(fees.sponsored).toBe('0.010000');
    const { selectedComponents, capHit } = response.feeSponsorship.quoted;
    expect([selectedComponents, capHit]).toEqual([['execution', 'relay'], true]);
    const verdicts = proof.filter(({ check }: { check: string }) => check.startsWith('sponsored-'));
    expect(verdicts.map(({ check, verdict }: Record<string, string>) => [check, verdict])).toEqual([
      ['sponsored-components', 'verified'],
      ['sponsored-amounts', 'verified'],
      ['sponsored-maximum', 'verified'],
      ['sponsored-charge', 'not checked'],
    ]);
  });

  test('behavior: the fee table shows the app’s fee and the sponsored amount', async () => {
    const args = ['--sponsor', 'all', '--app-fee', `${dev1}:25`, '--app-fee', `${dev2}:5`];
    const { stdout } = await ferry(['quote', ...bridge, ...args], { env });
    expect(stdout).toMatch(/App +-\$0\.30/);
    expect(stdout).toMatch(/Sponsored +\+?\$0\.33/);
    expect(stdout).toMatch(/Total +\$0/);
  });

  test.each([
    [['--max-sponsored-usd', '1'], 'usage.invalid'],
    [['--sponsor', 'everything'], 'usage.invalid'],
    [['--sponsor', 'app,app'], 'usage.invalid'],
    [['--app-fee', `${dev1}:1`, '--app-fee', `${dev1}:1`], 'usage.invalid'],
  ])('error: %o is %s', async (args, errorCode) => {
    const { code, json } = await ferry(['quote', ...bridge, ...args, '--json'], { env });
    expect([code, json().error.code]).toEqual([2, errorCode]);
  });

  test('error: no sponsorship without an API key; the service is not called', async () => {
    const own = ownNetwork({ ...sandbox, baseUrl: 'http://127.0.0.1:1' });
    const args = ['quote', ...bridge, '--sponsor', 'all', '--json'];
    const { code, json } = await ferry(args, { env: { ...own.env, FERRY_KEY_FILE: keyFile() } });
    expect([code, json().error]).toMatchObject([
      4,
      { code: 'auth.refused', funds: 'untouched', next: 'ferry config set networks.mine.apiKey' },
    ]);
  });
});

describe('ferry execute --sponsor', () => {
  test.each([
    ['execute', ...bridge],
    ['execute', ...bridge, '--gasless', '--account', 'dev9'],
    ['venue', 'deposit', '100', 'alpha/usdc'],
    ['venue', 'withdraw', '20', 'alpha/usdc'],
  ])('default: %s %s %s %s %s', async (...args) => {
    const { code, json } = await ferry([...args, '--sponsor', 'all', '--yes', '--json'], { env });
    expect(code).toBe(0);
    const { data } = json();
    expect(data.funds).toBe('delivered');
    expect([data.received.amount, data.spent.amount]).toEqual(Array(2).fill(`${Number(args.find(Number)) * 1e6}`));
  });
});

/** An unused key, for a network on which the development keys do not sign. */
function keyFile(): string {
  const path = join(temporaryFolder(), 'key');
  writeFileSync(path, `0x${'5a'.repeat(32)}\n`, { mode: 0o600 });
  return path;
}
