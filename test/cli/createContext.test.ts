import { describe, expect, test } from 'vitest';
import { createRuntime } from '../../src/cli/createContext.js';
import * as Network from '../../src/core/network/Network.js';
import { host as realHost } from '../../src/io/terminal/host.js';
import { at, ferry, temporaryFolder } from '../support/ferry.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox } = useSandbox();

const globals = {
  json: false,
  fields: undefined,
  yes: false,
  quiet: false,
  verbose: false,
  utc: false,
  network: undefined,
  color: undefined,
};

async function runtime(env: Record<string, string | undefined>, given: Partial<typeof globals> = {}) {
  const home = temporaryFolder();
  const host = { ...realHost(new AbortController().signal), env, home, cwd: home };
  const warnings: string[] = [];
  const reporter = {
    warn: (text: string) => void warnings.push(text),
    pause: () => {},
    say: () => {},
    waiting: () => {},
    pick: (data: unknown) => data,
    version: 'test',
  };
  return { ...(await createRuntime(host, { ...globals, ...given }, {}, reporter)), warnings };
}

describe('createRuntime', () => {
  test('default: connects to the sandbox and creates its service and chains once', async () => {
    const { context } = await runtime(at(sandbox));
    expect(context.network.name).toBe('sandbox');
    expect(await context.service()).toBe(await context.service());
    const alpha = Network.chain(context.network, 'alpha');
    const node = await context.chain(alpha);
    expect(await context.chain(alpha)).toBe(node);
    expect(await node.chainId()).toBe(313371);
    expect(await context.sender()).toBe((await context.account()).address);
  });

  test('behavior: masks secrets, those of proxies too', async () => {
    const { redact } = await runtime({ FERRY_API_KEY: 'k3y-k3y', https_proxy: 'ada:hush-hush@127.0.0.1:9' });
    expect(redact('<k3y-k3y> <hush-hush>')).toBe('<***> <***>');
  });

  test('behavior: overlays the user’s pins on the network', async () => {
    const env = { ...at(sandbox), FERRY_CONFIG_DIR: temporaryFolder() };
    const { context } = await runtime(env);
    const alpha = Network.chain(context.network, 'alpha');
    const address = '0x1111111111111111111111111111111111111111';
    await context.pins.write(alpha, { contracts: { router: address }, tokens: [] });
    expect(alpha.contracts.router).not.toBe(address);
    const next = await runtime(env);
    expect(Network.chain(next.context.network, 'alpha').contracts.router).toBe(address);
    expect(next.context.network.baseUrl).toBe(sandbox.baseUrl);
  });

  test('behavior: a derived context overlays options, answers its confirmations and shares the rest', async () => {
    const { context } = await runtime({ ...at(sandbox), FERRY_MAX_IMPACT: '3' });
    const derived = context.derive({ account: 'dev1', slippage: '1', timeout: '7s', referrer: 'me', amount: 'other' });
    expect(derived.config).toMatchObject({ slippageBps: { value: 100 }, maxImpactBps: { value: 300 } });
    expect(derived.config.timeoutMs.value).toBe(7000);
    expect(derived.network.referrer).toBe('me');
    await expect(derived.confirm('Sure?')).resolves.toBeUndefined();
    expect(await derived.service()).toBe(await context.service());
    expect(await derived.sender()).not.toBe(await context.sender());
    expect((await derived.account()).name).toBe('dev1');
    // An unlocked account stays unlocked.
    expect(await context.derive({ account: 'dev1' }).account()).toBe(await derived.account());
    expect(context.network.referrer).not.toBe('me');
    await expect(context.confirm('Sure?')).rejects.toMatchObject({ code: 'usage.confirmation' });
  });
});

describe('--allow', () => {
  test('error: a name that no check has, with those that there are', async () => {
    const line = 'execute 1 alpha/usdc beta/usdc --allow swap --allow pirce --dry-run --json';
    const { code, json } = await ferry(line.split(' '));
    expect([code, json().error]).toMatchObject([
      2,
      {
        code: 'usage.invalid',
        hint: 'Did you mean price?',
        facts: { checks: expect.stringMatching(/contract, .*order-extra-data, .*swap/) },
      },
    ]);
  });
});
