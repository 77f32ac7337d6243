/** Several real processes at one service that counts, and connections that no process should trust. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type BuiltFerry, buildFerry, type Ended } from '../support/builtFerry.js';
import { type Certificate, selfSigned } from '../support/certificate.js';
import { at, type Envelope, temporaryFolder } from '../support/ferry.js';
import { limited } from '../support/limited.js';
import * as Loopback from '../support/loopback.js';
import { startSandbox, type TestSandbox } from '../support/sandbox.js';
import { tunnel } from '../support/tunnel.js';

let built: BuiltFerry;
let sandbox: TestSandbox;
const children: ChildProcess[] = [];

beforeAll(async () => {
  [built, sandbox] = await Promise.all([buildFerry(), startSandbox()]);
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(built.stateDir, { recursive: true, force: true });
});
afterAll(async () => {
  await sandbox.stop();
  built.remove();
});

const quote = ['quote', '1', 'alpha/usdc', 'beta/usdc'];
const rates = (): string => join(built.stateDir, 'rates');

function start(args: readonly string[], env: Record<string, string | undefined>) {
  const child = spawn(process.execPath, [built.path, ...args], { env: { ...built.env, ...env } });
  children.push(child);
  const seen = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (part: string) => (seen.stdout += part));
  child.stderr.setEncoding('utf8').on('data', (part: string) => (seen.stderr += part));
  return { child, seen };
}

const last = ({ stdout }: Pick<Ended, 'stdout'>): Envelope => JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');

describe('a rate budget', () => {
  const compare = (...amounts: string[]): string[] => [
    'fees',
    'compare',
    ...amounts,
    'alpha/usdc',
    'beta/usdc',
    '--rate',
    '100',
    '--json',
  ];
  const amounts = ['1', '2', '3', '4', '5', '6', '7', '8'];
  // A little more generous than what 120 a minute are spread to: 24 at once and one more each 640 ms.
  const rule = { burst: 28, everyMs: 600 };

  test('default: five processes started together are never refused, and all get their answers', async () => {
    const front = await limited(sandbox.baseUrl, rule);
    const env = { ...at(sandbox), FERRY_BASE_URL: front.url, FERRY_RATE_LIMIT: '120' };
    const ends = await Promise.all(Array.from({ length: 5 }, () => built.run(compare(...amounts), env)));
    expect(ends.map(({ code, stdout }) => [code, code === 0 ? '' : stdout])).toEqual(ends.map(() => [0, '']));
    expect(front.log.filter(({ status }) => status !== 200)).toEqual([]);
    const quotes = front.log.filter(({ path }) => path.startsWith('/quote'));
    expect(quotes).toHaveLength(40);
    expect((quotes.at(-1)?.at ?? 0) - (quotes[0]?.at ?? 0)).toBeGreaterThan(5_000);
  }, 90_000);

  test('behavior: without one such processes are refused, and nothing is written', async () => {
    const front = await limited(sandbox.baseUrl, rule);
    const env = { ...at(sandbox), FERRY_BASE_URL: front.url };
    await Promise.all(Array.from({ length: 5 }, () => built.run(compare(...amounts), env)));
    expect(front.log.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
    expect(existsSync(rates())).toBe(false);
  }, 90_000);

  test('behavior: what one process is told holds the next one back, visibly', async () => {
    let refusedAt = 0;
    const front = await limited(sandbox.baseUrl, { burst: 100, everyMs: 1 }, () => {
      if (refusedAt > 0) return undefined;
      refusedAt = Date.now();
      return Loopback.json({ message: 'Too many requests' }, 429, { 'retry-after': '6' });
    });
    const env = { ...at(sandbox), FERRY_BASE_URL: front.url, FERRY_RATE_LIMIT: '600' };
    const first = built.run(quote, env);
    await expect.poll(() => existsSync(rates()) && refusedAt, { timeout: 10_000 }).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const second = await built.run(quote, env);
    expect([second.code, (await first).code]).toEqual([0, 0]);
    expect(second.stderr).toMatch(new RegExp(`^Waiting [1-6] s for the rate limit of ${front.url}$`, 'm'));
    const after = front.log.filter(({ status }) => status === 200).map(({ at }) => at - refusedAt);
    expect(Math.min(...after)).toBeGreaterThanOrEqual(5_900);
  }, 60_000);

  test('error: what would wait too long says so, and is not sent', async () => {
    const front = await limited(sandbox.baseUrl, { burst: 100, everyMs: 1 });
    const env = { ...at(sandbox), FERRY_BASE_URL: front.url, FERRY_RATE_LIMIT: '1' };
    expect((await built.run(quote, env)).code).toBe(0);
    const ended = await built.run([...quote, '--json'], env);
    expect([ended.code, last(ended).error]).toMatchObject([
      3,
      { code: 'service.rate-limited', funds: 'untouched', retryable: true },
    ]);
    expect(front.log).toHaveLength(1);
  }, 60_000);

  test('behavior: Ctrl-C while a signed batch waits ends it unsent, and resume sends it once', async () => {
    const front = await limited(sandbox.baseUrl, { burst: 100, everyMs: 1 });
    const env = { ...at(sandbox), FERRY_BASE_URL: front.url };
    const args = ['execute', '7', 'alpha/usdc', 'beta/usdc', '--gasless', '--account', 'dev9', '--yes', '--json'];
    const { child, seen } = start(args, { ...env, FERRY_RATE_LIMIT: '5' });
    await expect.poll(() => seen.stdout, { timeout: 30_000 }).toContain('"batch-signed"');
    await new Promise((resolve) => setTimeout(resolve, 500));
    const began = Date.now();
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([null, 'SIGINT']);
    expect(Date.now() - began).toBeLessThan(3_000);
    const { error } = last(seen);
    expect(error).toMatchObject({
      code: 'service.rate-limited',
      funds: 'untouched',
      next: expect.stringContaining('resume'),
    });
    const posted = () => front.log.filter(({ path }) => path.startsWith('/execute'));
    expect(posted()).toEqual([]);
    const ended = await built.run(['resume', error.run, '--yes', '--json'], env);
    expect([ended.code, last(ended).data]).toMatchObject([0, { status: 'success', funds: 'delivered' }]);
    expect(posted()).toHaveLength(1);
  }, 90_000);
});

describe('a proxy', () => {
  const far = (proxy: string): Record<string, string | undefined> => ({
    ...at(sandbox),
    FERRY_BASE_URL: 'http://service.invalid',
    FERRY_RATE_LIMIT: '0',
    HTTP_PROXY: proxy,
  });

  test('default: with the name and password it wants', async () => {
    const front = await limited(sandbox.baseUrl, { burst: 100, everyMs: 1 });
    const proxy = await tunnel(front.url, { login: 'user:hush' });
    const { code, stdout } = await built.run([...quote, '--json'], far(proxy.url.replace('//', '//user:hush@')));
    expect([code, code === 0 ? '' : stdout]).toEqual([0, '']);
    expect(new Set(proxy.asked)).toEqual(new Set(['service.invalid:80']));
    const refused = await built.run([...quote, '--json'], far(proxy.url.replace('//', '//user:wrong-hush@')));
    expect([refused.code, last(refused).error]).toMatchObject([
      3,
      { code: 'service.unreachable', hint: expect.stringContaining('requires a user name and password') },
    ]);
    expect(refused.stdout + refused.stderr).not.toContain('wrong-hush');
  });

  test('error: one that never says a word ends neither late nor never', async () => {
    const proxy = await tunnel('', { does: 'silence' });
    const began = Date.now();
    const ended = await built.run([...quote, '--json'], far(proxy.url));
    expect([ended.code, last(ended).error]).toMatchObject([
      3,
      { code: 'service.timeout', facts: { reason: expect.stringContaining('did not respond in time') } },
    ]);
    expect(Date.now() - began).toBeLessThan(20_000);
  }, 40_000);
});

describe('TLS', () => {
  /** The commands that ask each of the three, and how each says that it got no answer. */
  const asked = {
    service: { variable: 'FERRY_BASE_URL', args: quote, code: 'service.unreachable' },
    node: { variable: 'FERRY_RPC_URL_ALPHA', args: ['delegation', 'show', 'alpha'], code: 'chain.unreachable' },
    venue: { variable: 'FERRY_VENUE_URL', args: ['venue', 'account', '101'], code: 'venue.unreachable' },
  };

  /** Asks one of them behind a certificate, which the process trusts or not. */
  async function ask(who: keyof typeof asked, certificate: Certificate, { trusted }: { trusted: boolean }) {
    const { variable, args } = asked[who];
    const server = await Loopback.loopbackBy(certificate, Loopback.json({}, 418));
    const pem = join(temporaryFolder(), 'ca.pem');
    writeFileSync(pem, certificate.cert);
    const env = { ...at(sandbox), [variable]: server.url, NODE_EXTRA_CA_CERTS: trusted ? pem : undefined };
    const { code, stdout } = await built.run([...args, '--json'], env);
    return { code, error: last({ stdout }).error, url: server.url, seen: server.seen };
  }

  const services = ['service', 'node', 'venue'] as const;

  test.each(services)(
    'error: the %s’s certificate is nobody’s, has run out, is to come or is another’s',
    async (who) => {
      const faulty = [
        [selfSigned(), false, 'is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)', 'set NODE_EXTRA_CA_CERTS to a PEM file'],
        [
          selfSigned({ fromDay: -2, days: 1 }),
          true,
          'is not valid today (CERT_HAS_EXPIRED)',
          "Check this machine's clock",
        ],
        [selfSigned({ fromDay: 1 }), true, 'is not valid today (CERT_NOT_YET_VALID)', "Check this machine's clock"],
        [
          selfSigned({ address: '127.0.0.2' }),
          true,
          'is for another host name (ERR_TLS_CERT_ALTNAME_INVALID)',
          'responds instead',
        ],
      ] as const;
      for (const [certificate, trusted, why, hint] of faulty) {
        const { code, error, url, seen } = await ask(who, certificate, { trusted });
        expect([code, error.code, error.funds]).toEqual([3, asked[who].code, 'untouched']);
        expect(error.facts.reason).toBe(`the certificate of ${url} ${why}`);
        expect(error.hint).toContain(hint);
        expect(seen).toEqual([]);
      }
    },
  );

  test.each(services)('behavior: with NODE_EXTRA_CA_CERTS the %s is asked', async (who) => {
    const { seen } = await ask(who, selfSigned(), { trusted: true });
    expect(seen.length).toBeGreaterThan(0);
  });
});
