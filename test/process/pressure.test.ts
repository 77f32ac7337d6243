/**
 * Several real processes at one service that counts, and connections that no process should trust.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type Ended, useFerry } from '../support/builtFerry.js';
import { selfSigned } from '../support/certificate.js';
import { at, type Envelope, ferry, temporaryFolder } from '../support/ferry.js';
import * as Loopback from '../support/loopback.js';
import { useSandbox } from '../support/sandbox.js';
import { tunnel } from '../support/tunnel.js';

const built = useFerry();
const { sandbox } = useSandbox();
afterEach(() => rmSync(built.stateDir, { recursive: true, force: true }));

const quote = ['quote', '1', 'alpha/usdc', 'beta/usdc'];

const last = ({ stdout }: Pick<Ended, 'stdout'>): Envelope => JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');

const passOn: Loopback.Behaviour = (...asked) => Loopback.passTo(sandbox.baseUrl)(...asked);

/** The sandbox's service, of which some answers are another's, and what was asked of it. */
async function inFront(instead: (request: Loopback.ReceivedRequest) => Loopback.Behaviour | undefined) {
  const { url, seen } = await Loopback.loopback((response, request) => {
    const isControl = request.path.startsWith('/sandbox');
    ((isControl ? undefined : instead(request)) ?? passOn)(response, request);
  });
  return { url, asked: () => seen.map(({ path }) => path).filter((path) => !path.startsWith('/sandbox')) };
}

describe('a rate budget', () => {
  test('behavior: what one process is told holds the next one back', async () => {
    const front = await inFront(() => Loopback.json({ message: 'Too many requests' }, 429, { 'retry-after': '3600' }));
    const env = { ...at(sandbox), FERRY_BASE_URL: front.url, FERRY_RATE_LIMIT: '600' };
    for (const turn of ['first', 'second']) {
      const ended = await built.run([...quote, '--json'], env);
      expect([turn, ended.code, last(ended).error.code]).toEqual([turn, 3, 'service.rate-limited']);
    }
    expect(front.asked()).toHaveLength(1);
  }, 60_000);

  test('behavior: Ctrl-C while a signed batch waits ends it unsent, and resume sends it once', async () => {
    // While it is quoted, another command is told to wait, and so the batch does too.
    const front = await inFront(({ path }) => {
      if (path.startsWith('/chains'))
        return Loopback.json({ message: 'Too many requests' }, 429, { 'retry-after': '45' });
      if (!path.startsWith('/quote')) return undefined;
      return (...asked) => void ferry(['chains', '--live'], { env: limitedTo600 }).then(() => passOn(...asked));
    });
    const env = { ...at(sandbox), FERRY_BASE_URL: front.url };
    const limitedTo600 = { ...env, FERRY_RATE_LIMIT: '600', FERRY_STATE_DIR: built.stateDir };
    const args = ['execute', '7', 'alpha/usdc', 'beta/usdc', '--gasless', '--account', 'dev9', '--yes'];
    const { child, seen, ended: ending } = built.start(args, limitedTo600);
    await expect.poll(() => seen.stderr, { timeout: 60_000 }).toContain('for the rate limit of');
    child.kill('SIGINT');
    expect((await ending).signal).toBe('SIGINT');
    const plain = seen.stderr.replace(/\s+/g, ' ');
    expect(plain).toMatch(/\(service\.rate-limited\).* funds untouched/);
    const [, run = ''] = /next: ferry resume (\S+)/.exec(plain) ?? [];
    const posted = () => front.asked().filter((path) => path.startsWith('/execute'));
    expect(posted()).toEqual([]);
    const ended = await built.run(['resume', run, '--yes', '--json'], env);
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
    const front = await inFront(() => undefined);
    const proxy = await tunnel(front.url, { login: 'user:hush' });
    const { code, stdout } = await built.run([...quote, '--json'], far(proxy.url.replace('//', '//user:hush@')));
    expect([code, code === 0 ? '' : stdout]).toEqual([0, '']);
    expect(new Set(proxy.asked)).toEqual(new Set(['service.invalid:80']));
  });
});

describe('TLS', () => {
  /** Quotes from a service behind a certificate, which the process trusts or not. */
  async function ask({ trusted }: { trusted: boolean }) {
    const certificate = selfSigned();
    const server = await Loopback.loopbackBy(certificate, Loopback.json({}, 418));
    const pem = join(temporaryFolder(), 'ca.pem');
    writeFileSync(pem, certificate.cert);
    const env = { ...at(sandbox), FERRY_BASE_URL: server.url, NODE_EXTRA_CA_CERTS: trusted ? pem : undefined };
    const { code, stdout } = await built.run([...quote, '--json'], env);
    return { code, error: last({ stdout }).error, url: server.url, seen: server.seen };
  }

  test('error: a certificate that nobody has signed', async () => {
    const { code, error, url, seen } = await ask({ trusted: false });
    expect([code, error.code, error.funds]).toEqual([3, 'service.unreachable', 'untouched']);
    const why = 'is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)';
    expect(error.facts.reason).toBe(`the certificate of ${url} ${why}`);
    expect(error.hint).toContain('set NODE_EXTRA_CA_CERTS to a PEM file');
    expect(seen).toEqual([]);
  });

  test('behavior: with NODE_EXTRA_CA_CERTS the service is asked', async () => {
    expect((await ask({ trusted: true })).seen.length).toBeGreaterThan(0);
  });
});
