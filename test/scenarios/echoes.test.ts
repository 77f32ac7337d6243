/**
 * Servers that repeat what they were sent, in every encoding: no secret is printed or written in any form. With
 * each command a few of the forms are sent.
 */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import type { Duplex } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { network } from '../../src/core/network/sandbox.js';
import { type Ended, ferry, temporaryFolder } from '../support/ferry.js';
import { loopback, passTo } from '../support/loopback.js';
import { useSandbox } from '../support/sandbox.js';
import { basicFormsOf, formsOf } from '../support/secretForms.js';

type Secrets = Readonly<
  Record<'login' | 'short' | 'token' | 'query' | 'apiKey' | 'proxy' | 'key' | 'venueKey' | 'password', string>
>;

/** Secrets of every kind. None occurs by chance. */
const secrets: Secrets = {
  /** A password with characters that every encoding writes in another way. */
  login: 'p@ss w+rd/ü="%7',
  /** Too short to be masked alone. */
  short: 'q7',
  token: 'tok3n-4f9a81c7d2e6b035',
  query: 'Qu3ry.5a7c90b1e4d8f263',
  apiKey: 'api-K3y_77d1c0ffee99',
  proxy: 'pr0xy:pass/w+rd',
  key: `0x${'5e'.repeat(12)}c0ffee${'a17b'.repeat(8)}9d`.padEnd(66, '3'),
  venueKey: `0x${'1b3d5f7a'.repeat(9)}00112233`,
  password: 'k3ystore p@ssphrase',
};

/** Every form of every secret. */
const allForms: readonly (readonly [name: string, form: string])[] = [
  ...Object.entries(secrets)
    .filter(([name]) => name !== 'short')
    .flatMap(([name, secret]) => formsOf(secret).map(([how, form]) => [`${name} ${how}`, form] as const)),
  ...basicFormsOf('ada', secrets.login).map(([how, form]) => [`login: ${how}`, form] as const),
  ...basicFormsOf('bob', secrets.short).map(([how, form]) => [`short: ${how}`, form] as const),
  ...basicFormsOf('eve', secrets.proxy).map(([how, form]) => [`proxy: ${how}`, form] as const),
];

/** The forms of what a server is sent: keys that sign never leave the process. */
const sentForms = allForms.filter(([name]) => !/^(key|venueKey|password) /.test(name));

/** The names of the secrets that a text holds, in any letter case. */
function found(text: string): string[] {
  const flat = text.toLowerCase();
  return allForms.filter(([, form]) => flat.includes(form.toLowerCase())).map(([name]) => name);
}

type Echo = { url: string; port: number; seen: string[] };

/** A server, and a proxy, that answers with a text and repeats the request's line, headers and body. */
async function echo(status: () => number, words: () => string): Promise<Echo> {
  const seen: string[] = [];
  const answer: RequestListener = async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const sent = sentWith(request);
    seen.push(sent);
    const message = `${words()} ${sent} ${body.slice(0, 50)}`;
    response.writeHead(status(), { 'content-type': 'application/json' });
    response.end(JSON.stringify(bodyOf(request.url ?? '', message)));
  };
  const server = createServer(answer);
  const tunnels = new Set<Duplex>();
  server.on('connect', (request: IncomingMessage, socket) => {
    tunnels.add(socket);
    const inner = createServer((one, response) => {
      one.headers['proxy-authorization'] = request.headers['proxy-authorization'];
      void answer(one, response);
    });
    socket.on('error', () => {});
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    inner.emit('connection', socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    // Nothing closes these by itself, while somebody keeps them for the next request.
    for (const tunnel of tunnels) tunnel.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, seen };
}

function sentWith({ url = '', headers }: IncomingMessage): string {
  const { authorization = '', 'x-api-key': apiKey = '', 'proxy-authorization': proxy = '' } = headers;
  return [authorization, String(apiKey), proxy, url].filter((each) => each !== '').join(' ');
}

/** As a service, a venue or a node would say it: all of it at once. */
function bodyOf(path: string, message: string): unknown {
  if (path.includes('/api/')) return { code: 20_013, message };
  return { message, error: { code: -32_000, message, data: message }, jsonrpc: '2.0', id: 1, details: message };
}

/** Writes files below a folder; returns their paths. */
function filled(folder: string, files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).map(([name, text]) => {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text, { mode: 0o600 });
      return [name, path];
    }),
  );
}

/** Every file below a folder, but those that the test wrote: its path and its text. */
function written(folder: string, given: readonly string[]): [path: string, text: string][] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !given.includes(path))
    .map((path) => [path, readFileSync(path, 'latin1') + readFileSync(path, 'utf8')]);
}

const login = encodeURIComponent(secrets.login);
const at = (url: string, rest = ''): string => `${url.replace('://', `://ada:${login}@`)}${rest}`;
const rest = `/v3/${secrets.token}?key=${encodeURIComponent(secrets.query)}`;

/** A home, and a command line that runs in it with every secret in its place. */
function place(env: Readonly<Record<string, string>>) {
  const home = temporaryFolder();
  const files = filled(home, {
    key: secrets.key,
    'venue-key': secrets.venueKey,
    password: `${secrets.password}\n`,
    '.config/ferry/config.json': JSON.stringify({
      networks: { other: { baseUrl: at('https://other.example', rest), apiKey: secrets.apiKey } },
    }),
  });
  const surroundings = {
    FERRY_PRIVATE_KEY: secrets.key,
    FERRY_VENUE_PRIVATE_KEY: secrets.venueKey,
    FERRY_PASSWORD_FILE: files.password,
    FERRY_API_KEY: secrets.apiKey,
    // Unused where the servers are on this machine, and secret all the same.
    https_proxy: `http://eve:${encodeURIComponent(secrets.proxy)}@127.0.0.1:9`,
    ...env,
  };
  const run = async (...argv: string[]): Promise<Ended> => {
    const ended = await ferry(argv, { home, env: surroundings });
    assertSilent(argv.join(' '), ended, home, Object.values(files));
    return ended;
  };
  return { home, files, run };
}

function assertSilent(what: string, ended: Pick<Ended, 'stdout' | 'stderr'>, home: string, given: string[]): void {
  expect({ what, stdout: found(ended.stdout), stderr: found(ended.stderr) }).toEqual({ what, stdout: [], stderr: [] });
  for (const [path, text] of written(home, given)) expect({ path, found: found(text) }).toEqual({ path, found: [] });
}

describe('found', () => {
  test('error: every form is a leak', () => {
    expect(allForms.length).toBeGreaterThan(150);
    for (const [name, form] of allForms) expect(found(`x${form}y`)).toContain(name);
    expect(found('nothing of it')).toEqual([]);
  });
});

/** Commands that ask a server and print what it says. */
const asking: readonly (readonly string[])[] = [
  ['quote', '1', 'alpha/usdc', 'beta/usdc'],
  ['execute', '1', 'alpha/eth', 'beta/eth', '--yes'],
  ['execute', 'call', '--chain', 'alpha', '--to', `0x${'11'.repeat(20)}`, '--data', '0x', '--yes'],
  ['status', `0x${'ab'.repeat(32)}`],
  ['requests', 'list'],
  ['chains', '--live'],
  ['tokens', '--search', 'usdc'],
  ['trace', `0x${'ab'.repeat(32)}`, '--chain', 'alpha'],
  ['allowance', 'show', 'alpha/usdc'],
  ['venue', 'account', '100'],
  ['doctor'],
  ['config', 'list'],
];

describe.each([400, 401, 200])('servers that answer everything with %d and an echo', (status) => {
  test.each(asking.map((argv, index) => [argv.slice(0, 2).join(' '), argv, index] as const))(
    'behavior: %s',
    async (_, argv, index) => {
      const turn = (index + status) % 25;
      const sampled = sentForms.filter((__, form) => form % 25 === turn);
      let words = '';
      const server = await echo(
        () => status,
        () => words,
      );
      const { run } = place({
        FERRY_BASE_URL: at(server.url),
        FERRY_VENUE_URL: at(server.url),
        FERRY_RPC_URL_ALPHA: at(server.url, rest),
        FERRY_RPC_URL_BETA: server.url.replace('://', `://bob:${secrets.short}@`),
      });
      // Error texts are shortened: a few forms at a time.
      for (let first = 0; first < sampled.length; first += 4) {
        words = sampled
          .slice(first, first + 4)
          .map(([, form]) => form)
          .join(' | ');
        const json = first % 8 === 0 ? ['--json'] : [];
        await run(...argv, ...json);
      }
      if (argv[0] !== 'config') expect(found(server.seen.join('\n')).length).toBeGreaterThan(0);
    },
  );
});

describe('a proxy that echoes', () => {
  test.each([400, 407])('behavior: %d', async (status) => {
    const server = await echo(
      () => status,
      () => 'no',
    );
    const proxy = `http://eve:${encodeURIComponent(secrets.proxy)}@127.0.0.1:${server.port}`;
    const { run } = place({ FERRY_BASE_URL: at('http://service.example'), http_proxy: proxy });
    for (const argv of [asking[3] ?? [], asking[4] ?? []]) {
      await run(...argv, '--json');
      expect(found(server.seen.join('\n'))).toContain('proxy: user and password as base64');
    }
  });
});

describe('a sandbox whose answers hold the secrets', () => {
  const { sandbox } = useSandbox();
  /** The sandbox's service, with a text behind every free text of its answers. */
  async function chatty(words: () => string): Promise<string> {
    const free = /^(description|action|message|details|name|displayName)$/;
    const told = (answer: string): string =>
      JSON.stringify(JSON.parse(answer), (key, value: unknown) =>
        typeof value === 'string' && free.test(key) ? `${value} ${words()}` : value,
      );
    const headers = { 'content-type': 'application/json', 'x-api-key': network.apiKey ?? '' };
    const { url } = await loopback((response, request) =>
      passTo(sandbox.baseUrl, told)(response, { ...request, headers }),
    );
    return url;
  }

  test('behavior: saved quotes, journals, ledgers and results have none of them', async () => {
    let words = '';
    const { home, files, run } = place({ FERRY_BASE_URL: at(await chatty(() => words)), ...nodes() });
    const batch = filled(home, {
      'batch.ndjson': '{"id":"a","amount":"1","from":"alpha/eth","to":"beta/eth"}\n',
    })['batch.ndjson'] as string;
    Object.assign(files, { batch });
    const service = sentForms.filter(([name]) => /^(login|apiKey)/.test(name)).map(([, form]) => form);
    words = service.join(' | ');
    const signer = ['--account', 'dev0', '--yes'];
    const quoted = await run('quote', '1', 'alpha/usdc', 'beta/usdc', '-o', `${home}/quote.json`, '--json');
    expect(quoted.code).toBe(0);
    expect(quoted.stdout).toContain('***');
    const paid = await run('execute', '1', 'alpha/usdc', 'beta/usdc', ...signer, '--json');
    expect(paid.code).toBe(0);
    const many = await run('execute', '--batch', batch, '--out', `${home}/results.ndjson`, ...signer, '--json');
    expect(many.code).toBe(0);
    for (const argv of [
      ['status', paid.json().data.run],
      ['runs', 'show', paid.json().data.run],
      ['fees', 'explain', paid.json().data.requestId],
      ['requests', 'list'],
      ['tokens', 'alpha', '--search', 'usd'],
      ['chains', '--live'],
    ])
      for (const json of [[], ['--json']]) await run(...argv, ...json);
    expect(
      written(home, Object.values(files))
        .map(([path]) => path)
        .join(),
    ).toMatch(/quote\.json.*results|results.*quote/s);
  });

  function nodes(): Record<string, string> {
    return { FERRY_RPC_URL_ALPHA: sandbox.rpcUrls.alpha, FERRY_RPC_URL_BETA: sandbox.rpcUrls.beta };
  }
});
