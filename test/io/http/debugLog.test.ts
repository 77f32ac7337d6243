import { describe, expect, test } from 'vitest';
import * as DebugLog from '../../../src/io/http/debugLog.js';
import { at, ferry } from '../../support/ferry.js';
import { useSandbox } from '../../support/sandbox.js';

const { sandbox } = useSandbox();

const quote = ['quote', '1', 'alpha/usdc', 'beta/usdc', '--json'];

describe('requests on stderr', () => {
  test('default: every request, its answer and its time, and stdout as ever', async () => {
    const env = at(sandbox);
    const [plain, verbose] = [await ferry(quote, { env }), await ferry([...quote, '--verbose'], { env })];
    expect([plain.stderr, verbose.code]).toEqual(['', 0]);
    expect(Object.keys(verbose.json().data)).toEqual(Object.keys(plain.json().data));
    const [head, ...rest] = verbose.stderr.trimEnd().split('\n');
    expect(head).toMatch(new RegExp(`^http  POST ${sandbox.baseUrl}/quote/v2  200  \\d+ ms$`));
    const asked = rest.find((line) => line.startsWith('  > {'))?.slice(4) ?? '';
    expect(JSON.parse(asked)).toMatchObject({ tradeType: 'EXACT_INPUT', amount: '1000000' });
    const told = rest.find((line) => line.startsWith('  < '))?.slice(4) ?? '';
    expect(JSON.parse(told).details.currencyIn.amount).toBe('1000000');
  });

  test('behavior: FERRY_DEBUG chooses; times alone have no bodies', async () => {
    const run = (FERRY_DEBUG: string) =>
      ferry(['balance', 'dev1', '--chain', 'alpha', '--json'], { env: { ...at(sandbox), FERRY_DEBUG } });
    expect((await run('timing')).stderr).toMatch(/^rpc {3}POST http:\S+ {2}200 {2}\d+ ms {2}eth_\w+(, eth_\w+)*\n$/);
    expect((await run('http')).stderr).toBe('');
    const rpc = (await run('rpc')).stderr;
    expect([/ \d+ ms/.test(rpc), /"method":"eth_getBalance"/.test(rpc)]).toEqual([false, true]);
    const odd = await run('everything');
    expect([odd.code, odd.json().warnings]).toEqual([0, ['FERRY_DEBUG knows http, rpc and timing, not everything.']]);
  });

  test('attack: no secret is shown, in whatever form it is sent', async () => {
    // The harness looks for every secret that it was given, in all forms.
    const [apiKey, nodeKey] = ['k-0123456789abcdef-secret', 'n0deKey9876543210abcdef'];
    const env = {
      ...at(sandbox),
      ...{ FERRY_API_KEY: apiKey, FERRY_DEBUG: 'http,rpc,timing' },
      FERRY_RPC_URL_ALPHA: `${sandbox.rpcUrls.alpha}/v3/${nodeKey}`,
      FERRY_PRIVATE_KEY: '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
    };
    const paid = await ferry(['execute', '1', 'alpha/usdc', 'beta/usdc', '--yes', '--json', '--verbose'], { env });
    expect(paid.stderr).toContain('  > x-api-key: ***');
    for (const secret of [apiKey, nodeKey, env.FERRY_PRIVATE_KEY.slice(2)]) expect(paid.stderr).not.toContain(secret);
    const withdrawal = ['venue', 'withdraw', '10', 'alpha/usdc', '--yes', '--json', '--verbose'];
    const withdrawn = await ferry(withdrawal, { env: at(sandbox) });
    expect(withdrawn.stderr).toContain('  > authorization: ***');
  });

  test('attack: a server repeats the token of the request, or the path of a node', () => {
    const rest = { method: 'POST', tookMs: 5, failure: undefined };
    const all = new Set(['http', 'rpc', 'timing'] as const);
    const token = '1796071523:100:4:accf08b523b479c4a74995090cdebb3b54ac0eed9d3f5962';
    const venue = { ...rest, url: 'http://127.0.0.1:1/a', headers: { authorization: token }, body: undefined };
    const said = DebugLog.format({ ...venue, answer: { status: 400, text: `no token ${token}` } }, all);
    expect(said).toContain('  < no token ***');
    const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}';
    const node = { ...rest, url: 'http://127.0.0.1:1/v2/lettersalone', headers: {}, body };
    const shown = DebugLog.format({ ...node, answer: { status: 403, text: 'no /v2/lettersalone' } }, all);
    expect(shown).toContain('  < no /v2/***');
  });

  test('error: a request without an answer, and a server that would clear the terminal', () => {
    const exchange = {
      method: 'GET',
      url: 'http://user:pass@127.0.0.1:1/a?b',
      headers: {},
      body: undefined,
      tookMs: 5,
    };
    const all = new Set(['http', 'rpc', 'timing'] as const);
    expect(DebugLog.format({ ...exchange, answer: undefined, failure: 'refused' }, all)).toBe(
      'http  GET http://127.0.0.1:1/a?b  failed: refused  5 ms',
    );
    const hostile = { ...exchange, answer: { status: 200, text: '\u001b[2J' }, failure: undefined };
    expect(DebugLog.format(hostile, all)).not.toContain('\u001b');
  });
});
