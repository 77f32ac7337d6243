/** The whole program against a service, and a node, that lie about what a transfer is worth. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { addFault } from '../support/faults.js';
import { at, type Ended, ferry, questionOf, temporaryFolder } from '../support/ferry.js';
import { json } from '../support/loopback.js';
import { ask, inFrontOf, nonceAt } from '../support/node.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox } = useSandbox();

const execute = (...args: string[]): Promise<Ended> =>
  ferry(['execute', ...args, '--yes', '--json'], { env: at(sandbox) });

const nonce = (): Promise<number> => nonceAt(sandbox.rpcUrls.alpha, accounts.dev0.address, 'pending');

const lies = {
  kind: 'tamper',
  match: { path: '/quote/v2' },
  times: 0,
  recipe: 'low-output',
  consistent: true,
} as const;

describe('attack: an order for a millionth of the output, consistent in every place', () => {
  test.each([
    ['dollars for dollars', ['100', 'alpha/usdc', 'beta/dai']],
    ['the same asset', ['1', 'alpha/eth', 'beta/weth']],
    ['by a feed', ['1', 'alpha/eth', 'beta/usdc']],
    ['by two feeds', ['100', 'alpha/gull', 'beta/eth']],
    ['on one chain', ['100', 'alpha/usdc', 'alpha/gull']],
    [
      'with limits that do not name the output',
      ['100', 'alpha/usdc', 'beta/usdc', '--slippage', '0.5', '--max-fee-usd', '1'],
    ],
    ['to the venue', ['100', 'alpha/usdc', 'lighter/usdc']],
  ])('error: %s', async (_, args) => {
    const before = await nonce();
    await addFault(sandbox, 'service', lies);
    const ended = await execute(...args);
    expect(ended.json()).toMatchObject({ ok: false, error: { exit: 5, funds: 'untouched', code: 'verify.mismatch' } });
    expect(ended.json().error.facts.price).toMatch(/\d+ bps lost, by /);
    expect(await nonce()).toBe(before);
  });
});

describe('two nodes of which the first agrees with the service', () => {
  test('attack: a price feed that is a millionth of the other node’s pays for no such order', async () => {
    const word = (price: bigint): string => price.toString(16).padStart(64, '0');
    let told = 0;
    const { url } = await inFrontOf(sandbox.rpcUrls.alpha, {
      eth_call: (response, request) => {
        void ask(sandbox.rpcUrls.alpha, 'eth_call', ...JSON.parse(request.body).params).then((honest) => {
          const result = String(honest).replaceAll(word(2_500n * 10n ** 8n), word(2_500n * 100n));
          if (result !== honest) told += 1;
          json({ jsonrpc: '2.0', id: JSON.parse(request.body).id, result })(response, request);
        });
      },
    });
    await addFault(sandbox, 'service', lies);
    const env = { ...at(sandbox), FERRY_RPC_URL_ALPHA: url, FERRY_RPC_URLS_ALPHA: sandbox.rpcUrls.alpha };
    const before = await nonce();
    const transfer = ['execute', '1', 'alpha/eth', 'beta/usdc', '--allow', 'solver-signature', '--yes', '--json'];
    const { error } = (await ferry(transfer, { env })).json();
    expect(error).toMatchObject({ code: 'chain.disagreement', funds: 'untouched' });
    expect(await nonce()).toBe(before);
    expect(told).toBeGreaterThan(0);
  });
});

describe('a token without a feed', () => {
  const kelp = ['10', 'alpha/kelp', 'beta/usdc'];

  test('error: the service alone is not believed, and the hint names the cure', async () => {
    const before = await nonce();
    const { error } = (await execute(...kelp)).json();
    expect(error).toMatchObject({ code: 'verify.unverified', exit: 5, funds: 'untouched' });
    expect(error.facts.price).toContain('ferry knows no price of KELP');
    expect(error.hint).toMatch(/--min-out.*--allow price/);
    expect(error.next).toBe("ferry execute 10 alpha/kelp beta/usdc --min-out '<USDC>'");
    expect(await nonce()).toBe(before);
  });

  test.each([[['--min-out', '0.9']], [['--allow', 'price']]])('behavior: with %j it is paid', async (more) => {
    expect((await execute(...kelp, ...more)).code).toBe(0);
  });

  test('error: with two witnesses demanded, --allow does not help, and --min-out does', async () => {
    const strict = [...kelp, '--witnesses', 'two'];
    const { error } = (await execute(...strict, '--allow', 'price')).json();
    expect(error).toMatchObject({ code: 'verify.unverified', funds: 'untouched' });
    expect(error.hint).toContain('--allow does not help');
    expect((await execute(...strict, '--min-out', '0.9')).code).toBe(0);
  });

  test('behavior: what the settings allow need not be typed', async () => {
    const env = { ...at(sandbox), FERRY_ALLOW: 'price' };
    expect((await ferry(['execute', ...kelp, '--yes', '--json'], { env })).code).toBe(0);
  });
});

describe('execute', () => {
  test('behavior: a verified price names its witnesses', async () => {
    const { stdout } = await ferry(['verify', '-', '--online', '--json'], {
      env: at(sandbox),
      stdin: (await ferry(['quote', '1', 'alpha/eth', 'beta/usdc', '--json'], { env: at(sandbox) })).stdout,
    });
    const { proof } = JSON.parse(stdout).data;
    expect(proof.find(({ check }: { check: string }) => check === 'price')).toMatchObject({
      verdict: 'verified',
      witnesses: ['the service', 'the ETH/USD feed on alpha'],
    });
  });
});

describe('an order that the solver has not signed', () => {
  const unsigned = {
    kind: 'tamper',
    match: { path: '/quote/v2' },
    times: 0,
    path: '/protocol/v2/orderSignature',
  } as const;

  test('error: the service alone says that it will be filled', async () => {
    const before = await nonce();
    await addFault(sandbox, 'service', { ...unsigned, value: '' });
    const { error } = (await execute('10', 'alpha/usdc', 'beta/usdc')).json();
    expect(error).toMatchObject({ code: 'verify.unverified', exit: 5, funds: 'untouched' });
    expect(error.hint).toContain('--allow solver-signature');
    expect(await nonce()).toBe(before);
    expect((await execute('10', 'alpha/usdc', 'beta/usdc', '--allow', 'solver-signature')).code).toBe(0);
  });
});

describe('a node that cannot simulate', () => {
  test('behavior: the effect rests on the decoded calls alone: named on a terminal, refused where nobody is asked', async () => {
    const { url } = await inFrontOf(sandbox.rpcUrls.alpha, {
      eth_simulateV1: json({ jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } }),
    });
    const env = { ...at(sandbox), FERRY_RPC_URL_ALPHA: url };
    const argv = ['execute', '0.01', 'alpha/eth', 'beta/eth'];
    const before = await nonce();
    expect(await questionOf(argv, { env })).toMatch(/Only one witness.*effect \(/);
    const refused = await ferry([...argv, '--yes', '--json'], { env });
    expect([refused.code, refused.json().error]).toMatchObject([5, { funds: 'untouched' }]);
    expect(JSON.stringify(refused.json().error)).toContain('effect');
    expect(await nonce()).toBe(before);
    expect((await ferry([...argv, '--yes', '--json', '--allow', 'effect'], { env })).code).toBe(0);
  });
});

describe('a batch', () => {
  const line = (id: string, from: string, more: object = {}) =>
    JSON.stringify({ id, amount: '10', from, to: 'beta/usdc', ...more });

  async function run(lines: readonly string[]) {
    const folder = temporaryFolder();
    const file = join(folder, 'batch.ndjson');
    writeFileSync(file, `${lines.join('\n')}\n`);
    return ferry(['execute', '--batch', file, '--out', join(folder, 'out.ndjson'), '--yes', '--json'], {
      env: at(sandbox),
    });
  }

  test('error: a line without a price that anybody else can show is found before the first is paid', async () => {
    const before = await nonce();
    const { error } = (await run([line('1', 'alpha/usdc'), line('2', 'alpha/kelp')])).json();
    expect(error.message).toContain('KELP');
    expect(error.hint).toMatch(/--min-out.*--allow price/);
    expect(await nonce()).toBe(before);
  });

  test('behavior: minOut and allow of a line cover it', async () => {
    const lines = [line('1', 'alpha/kelp', { minOut: '0.9' }), line('2', 'alpha/kelp', { allow: ['price'] })];
    expect((await run(lines)).code).toBe(0);
  });
});
