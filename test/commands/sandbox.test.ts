/** The sandbox by its commands. That some of them end a running one is shown with real processes, in process/sandbox. */
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commands } from '../../src/commands/sandbox.js';
import { plain } from '../../src/core/text/TerminalStyle.js';
import { ferry, temporaryFolder } from '../support/ferry.js';
import { type Foreground, foreground } from '../support/foreground.js';

const stateDir = (): { FERRY_STATE_DIR: string } => ({ FERRY_STATE_DIR: join(temporaryFolder(), 'state') });

describe('one that runs', () => {
  let running: Foreground;
  beforeAll(async () => {
    running = await foreground();
  });
  afterAll(async () => void (await running.end()));
  const run = (...argv: string[]) => ferry(['sandbox', ...argv], { env: running.env });

  test('status: its URLs answer, and its tokens and its key are those of the service', async () => {
    const { code, json } = await run('status', '--json');
    expect(code).toBe(0);
    const data = commands.status.output.parse(json().data) as Parameters<typeof commands.status.view>[0];
    expect(data).toMatchObject({
      ...{ running: true, pid: process.pid, folder: join(running.env.FERRY_STATE_DIR, 'sandbox') },
      ...{ lost: null, failure: null, wsUrl: `${data.baseUrl?.replace('http', 'ws')}/` },
    });
    for (const url of [data.baseUrl, data.venueUrl]) {
      const response = await fetch(`${url}/sandbox/instance`);
      expect(await response.json()).toMatchObject({ instance: data.instance });
    }
    expect(Object.keys(data.rpcUrls)).toEqual(['alpha', 'beta', 'svm']);
    expect(data.chains.map(({ name, id, rpcUrl }) => [name, id, rpcUrl])).toEqual([
      ['alpha', 313371, data.rpcUrls.alpha],
      ['beta', 313372, data.rpcUrls.beta],
      ['lighter', expect.any(Number), null],
      ['svm', 313374, data.rpcUrls.svm],
    ]);
    const [alpha, beta] = data.chains as [(typeof data.chains)[number], (typeof data.chains)[number]];
    const listed = await fetch(`${data.baseUrl}/chains/${alpha.id}/currencies/${alpha.tokens.GULL}`);
    expect(await listed.json()).toMatchObject({ symbol: 'GULL' });
    // A referrer needs the key.
    const quote = (headers: object) =>
      fetch(`${data.baseUrl}/quote/v2`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({
          ...{ user: `0x${'1'.repeat(40)}`, referrer: data.referrer, tradeType: 'EXACT_INPUT', amount: '10000000' },
          ...{ originChainId: alpha.id, originCurrency: alpha.tokens.USDC },
          ...{ destinationChainId: beta.id, destinationCurrency: beta.tokens.USDC },
        }),
      });
    expect((await quote({ 'x-api-key': data.apiKey })).status).toBe(200);
    expect((await quote({})).status).toBe(401);
  });

  test('start: shows it, and refuses what it is not', async () => {
    const { code, json } = await run('start', '--json');
    expect(code).toBe(0);
    expect(commands.start.output.parse(json().data)).toMatchObject({ running: true, started: false, pid: process.pid });
    const other = await run('start', '--port', '1', '--json');
    expect(other.json().error).toMatchObject({ code: 'sandbox.start', next: 'ferry sandbox stop' });
  });

  test('exec: with the sandbox in its environment, and its own exit code and options', async () => {
    const script =
      'test "$FERRY_NETWORK" = sandbox && test -n "$ALPHA_RPC_URL" && test "$ETH_RPC_URL" = "$ALPHA_RPC_URL"';
    expect(await run('exec', '--', 'sh', '-c', script)).toMatchObject({ code: 0, stdout: '' });
    expect((await run('exec', '--', 'sh', '-c', 'exit 42', '--json')).code).toBe(42);
    const { code, json } = await run('exec', '--json', '--', 'no-such-command-here');
    expect(code).toBe(2);
    expect(json().error).toMatchObject({
      code: 'usage.invalid',
      message: 'Cannot run the command "no-such-command-here".',
      facts: { reason: 'not found' },
    });
  });
});

describe('none that runs', () => {
  test('start: in the foreground, an event when it is ready and a result when it has ended', async () => {
    const { end } = await foreground('--json');
    const [ready, result, ...rest] = (await end()).lines();
    expect(ready).toMatchObject({ type: 'ready', running: true, started: true, pid: process.pid });
    expect(result?.data).toMatchObject({ running: false, started: true, instance: ready?.instance });
    expect(rest).toEqual([]);
  });

  test('status and stop say so', async () => {
    const env = stateDir();
    const shown = await ferry(['sandbox', 'status', '--json'], { env });
    expect(commands.status.output.parse(shown.json().data)).toEqual({
      ...{ running: false, instance: null, lost: null, failure: null, pid: null, startedAt: null },
      ...{ baseUrl: null, wsUrl: null, venueUrl: null, venueSigningChainId: null, rpcUrls: {}, chains: [] },
      ...{ apiKey: null, referrer: null, folder: join(env.FERRY_STATE_DIR, 'sandbox') },
    });
    expect((await ferry(['sandbox', 'status'], { env })).stdout).toMatch(/^○ No sandbox is running.\n\nfolder +\S+\n$/);
    const ended = await ferry(['sandbox', 'stop', '--json'], { env });
    expect([ended.code, ended.json().data]).toEqual([0, { stopped: false, instance: null, wasKilled: false }]);
  });

  test('logs: the last lines, and where the file is', async () => {
    const env = stateDir();
    const logs = (...more: string[]) => ferry(['sandbox', 'logs', ...more], { env });
    const { path, lines } = (await logs('--json')).json().data;
    expect(lines).toEqual([]);
    expect(await logs()).toMatchObject({ code: 0, stdout: '', stderr: `The log is empty: ${path}\n` });
    mkdirSync(dirname(path), { recursive: true });
    appendFileSync(path, 'one\ntwo\nthree \u001b[31m\n');
    expect((await logs('-n', '2', '--json')).json().data.lines).toEqual(['two', 'three \u001b[31m']);
    expect((await logs('--lines', '1')).stdout).not.toContain('\u001b');
  });

  test('reset: deletes its state after asking', async () => {
    const env = stateDir();
    const folder = join(env.FERRY_STATE_DIR, 'sandbox', 'state');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'instance.json'), '{}');
    const unasked = await ferry(['sandbox', 'reset', '--json'], { env });
    expect(unasked.json().error).toMatchObject({
      code: 'usage.confirmation',
      facts: { question: 'Delete the chains and requests of the sandbox?' },
    });
    expect(existsSync(join(folder, 'instance.json'))).toBe(true);
    const { code, json } = await ferry(['sandbox', 'reset', '--yes', '--json'], { env });
    expect([code, json().data, existsSync(folder)]).toEqual([0, { reset: true, stopped: null }, false]);
  });

  test.each<[line: string, code: string, message: string]>([
    ['start --port 70000', 'usage.invalid', '--port 70000 is not a port number.'],
    ['start --port 1.5', 'usage.invalid', '--port 1.5 is not a port number.'],
    ['start --idle soon', 'usage.invalid', '--idle soon is not a number of minutes.'],
    ['start --idle 1e3', 'usage.invalid', '--idle 1e3 is not a number of minutes.'],
    ['exec', 'usage.missing', "Missing required argument 'command'."],
    ['logs --lines=0', 'usage.invalid', '--lines must be'],
    ['logs --lines=-1', 'usage.invalid', '--lines must be'],
    ['logs --lines=1e3', 'usage.invalid', '--lines must be'],
  ])('error: %s', async (line, code, message) => {
    const ended = await ferry(['sandbox', ...line.split(' '), '--json'], { env: stateDir() });
    expect(ended.json().error).toMatchObject({ code, message: expect.stringContaining(message), exit: 2 });
  });
});

test('stop: of one that was killed it is not said that its state is kept', () => {
  const killed = commands.stop.view({ stopped: true, instance: 'c044f8070dc31fc0', wasKilled: true }, plain);
  expect(killed).toContain('Killed the sandbox c044f8070dc31fc0');
  expect(killed).not.toContain('its state is kept');
});
