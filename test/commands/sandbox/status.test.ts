import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { command, output } from '../../../src/commands/sandbox/status.js';
import { plain } from '../../../src/core/text/TerminalStyle.js';
import { ferry } from '../../support/ferry.js';
import { foreground, stateDir } from '../../support/foreground.js';

describe('run', () => {
  test('default', async () => {
    const { env } = await foreground();
    const { code, json } = await ferry(['sandbox', 'status', '--json'], { env });
    expect(code).toBe(0);
    const data = output.parse(json().data);
    expect(data).toMatchObject({ running: true, pid: process.pid, folder: join(env.FERRY_STATE_DIR, 'sandbox') });
    const response = await fetch(`${data.baseUrl}/sandbox/instance`);
    expect(await response.json()).toMatchObject({ instance: data.instance });
    const venue = await fetch(`${data.venueUrl}/sandbox/instance`);
    expect(await venue.json()).toEqual({ instance: data.instance });
    expect(Object.keys(data.rpcUrls)).toEqual(['alpha', 'beta', 'svm']);
    expect(data.wsUrl).toBe(`${data.baseUrl?.replace('http', 'ws')}/`);
    expect(data.chains.map(({ name, id, rpcUrl }) => [name, id, rpcUrl])).toEqual([
      ['alpha', 313371, data.rpcUrls.alpha],
      ['beta', 313372, data.rpcUrls.beta],
      ['lighter', expect.any(Number), null],
      ['svm', 313374, data.rpcUrls.svm],
    ]);
    const [alpha, beta] = data.chains as [(typeof data.chains)[number], (typeof data.chains)[number]];
    const { id: chainId, tokens } = alpha;
    const listed = await fetch(`${data.baseUrl}/chains/${chainId}/currencies/${tokens.GULL}`);
    expect(await listed.json()).toMatchObject({ symbol: 'GULL' });
    // A referrer needs the key.
    const quote = (headers: object) =>
      fetch(`${data.baseUrl}/quote/v2`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({
          ...{ user: `0x${'1'.repeat(40)}`, referrer: data.referrer, tradeType: 'EXACT_INPUT', amount: '10000000' },
          ...{ originChainId: chainId, originCurrency: tokens.USDC },
          ...{ destinationChainId: beta.id, destinationCurrency: beta.tokens.USDC },
        }),
      });
    expect((await quote({ 'x-api-key': data.apiKey })).status).toBe(200);
    expect((await quote({})).status).toBe(401);
  });

  test('behavior: none is running', async () => {
    const env = stateDir();
    const { code, json } = await ferry(['sandbox', 'status', '--json'], { env });
    expect(code).toBe(0);
    expect(output.parse(json().data)).toEqual({
      running: false,
      instance: null,
      lost: null,
      failure: null,
      pid: null,
      baseUrl: null,
      wsUrl: null,
      venueUrl: null,
      venueSigningChainId: null,
      rpcUrls: {},
      apiKey: null,
      referrer: null,
      chains: [],
      startedAt: null,
      folder: join(env.FERRY_STATE_DIR, 'sandbox'),
    });
  });
});

describe('view', () => {
  const data = {
    running: true,
    instance: 'c044f8070dc31fc0',
    lost: null,
    failure: null,
    pid: 8834,
    baseUrl: 'http://127.0.0.1:42921',
    wsUrl: 'ws://127.0.0.1:42921/',
    venueUrl: 'http://127.0.0.1:38677',
    venueSigningChainId: 313373,
    rpcUrls: { alpha: 'http://127.0.0.1:45433', beta: 'http://127.0.0.1:32785' },
    apiKey: 'sandbox-key',
    referrer: 'sandbox-referrer',
    chains: [{ name: 'alpha', id: 313371, rpcUrl: 'http://127.0.0.1:45433', tokens: { ETH: '0x00', USDC: '0xa2' } }],
    startedAt: '2026-01-02T03:04:05.000Z',
    folder: '/home/ada/.local/state/ferry/sandbox',
  };

  test('default', () => {
    expect(command.view(data, plain)).toMatchInlineSnapshot(`
      "● The sandbox is running.

      service    http://127.0.0.1:42921
      WebSocket  ws://127.0.0.1:42921/
      venue      http://127.0.0.1:38677, whose signatures are for chain 313373
      alpha      http://127.0.0.1:45433
      beta       http://127.0.0.1:32785
      API key    sandbox-key
      referrer   sandbox-referrer
      instance   c044f8070dc31fc0
      process    8834
      started    2026-01-02T03:04:05.000Z
      folder     /home/ada/.local/state/ferry/sandbox

      alpha chain 313371
        ETH   0x00
        USDC  0xa2"
    `);
  });

  test('behavior: coloured', () => {
    const style = { ...plain, green: (text: string) => `<green>${text}</green>` };
    expect(command.view(data, style).split('\n')[0]).toBe('<green>●</green> The sandbox is running.');
  });

  test('behavior: none is running', () => {
    const none = {
      ...data,
      running: false,
      instance: null,
      wsUrl: null,
      apiKey: null,
      referrer: null,
      chains: [],
      pid: null,
      baseUrl: null,
      venueUrl: null,
      venueSigningChainId: null,
      rpcUrls: {},
    };
    expect(command.view({ ...none, startedAt: null }, plain)).toMatchInlineSnapshot(`
      "○ No sandbox is running.

      folder  /home/ada/.local/state/ferry/sandbox"
    `);
  });
});
