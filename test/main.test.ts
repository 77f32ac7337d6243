import { describe, expect, test } from 'vitest';
import { ferry } from './support/ferry.js';
import { type Behaviour, loopback } from './support/loopback.js';
import { ask } from './support/node.js';
import { useSandbox } from './support/sandbox.js';

const { sandbox, env } = useSandbox();

/** The block number of each chain, which grows with every transaction sent. */
async function sent(): Promise<number[]> {
  const { alpha, beta } = sandbox.rpcUrls;
  return Promise.all([alpha, beta].map(async (url) => Number(await ask(url, 'eth_blockNumber'))));
}

const execute = (...args: string[]): string[] => ['execute', ...args, '--yes', '--json'];

describe('run', () => {
  test('default: prints the result to stdout and nothing to stderr', async () => {
    const ended = await ferry(['chains'], { env });
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    expect(ended.stdout).toMatch(/^alpha +313371/m);
  });

  test('error: an operating system that ferry does not run on', async () => {
    const platform = 'win32';
    const ended = await ferry(['chains', '--json'], { env, platform });
    expect([ended.code, ended.json().error]).toMatchObject([
      2,
      { code: 'system.unsupported', facts: { system: 'win32' }, hint: expect.stringContaining('WSL') },
    ]);
    for (const argv of [['--help'], ['--version'], ['help', 'exit-codes'], ['chains', '--help'], ['completion', 'zsh']])
      expect((await ferry(argv, { env, platform })).code).toBe(0);
    expect((await ferry(['chains'], { env, platform: 'darwin' })).code).toBe(0);
  });

  test('behavior: started by npx, the next command is one for npx', async () => {
    const byNpx = { env: { ...env, npm_command: 'exec' } };
    const { stdout, stderr } = await ferry(['quote', '1', 'alfa/usdc', 'beta/usdc', '--json'], byNpx);
    expect(JSON.parse(stdout).error.next).toBe('npx ferry chains');
    expect(stderr).toContain('next: npx ferry chains\n');
    expect((await ferry(['key', 'list'], byNpx)).stdout).toContain('npx ferry key new main');
  });

  test('behavior: --json prints one document, before or after the command', async () => {
    for (const argv of [
      ['--json', 'chains'],
      ['chains', '--json'],
    ]) {
      const ended = await ferry(argv, { env });
      expect(ended.lines()).toHaveLength(1);
      expect(ended.json()).toMatchObject({ schema: 'ferry.chains/1', ok: true, network: 'sandbox', warnings: [] });
    }
  });

  test('behavior: --fields prints only these fields, as JSON, and rejects unknown ones', async () => {
    const ended = await ferry(['chains', '--fields', 'chains.id'], { env });
    expect(ended.json()).toMatchObject({ schema: 'ferry.chains/1', ok: true });
    expect(Object.keys(ended.json().data.chains[0])).toEqual(['id']);
    const unknown = await ferry(['execute', '1', 'alpha/usdc', 'beta/usdc', '--yes', '--fields', 'receivd'], { env });
    expect([unknown.code, unknown.json().error.code, unknown.json().error.hint]).toEqual([
      2,
      'usage.invalid',
      'Did you mean received?',
    ]);
  });

  test('behavior: colors as configured, unless a flag overrides it', async () => {
    const always = { ...env, FERRY_COLOR: 'always' };
    const isColored = async (...argv: string[]) => (await ferry(argv, { env: always })).stdout.includes('\u001b[');
    expect(await isColored('doctor')).toBe(true);
    expect(await isColored('doctor', '--no-color')).toBe(false);
    const refused = await ferry(['quote', '0', 'alpha/usdc', 'beta/usdc'], { env: always });
    expect(refused.stderr).toContain('\u001b[');
  });

  describe.each([
    [['quoet', '1', 'alpha/usdc', 'beta/usdc'], 2, 'usage.unknown-command', /Did you mean quote/],
    [['execute'], 2, 'usage.missing', /./],
    [execute('100', 'alpa/usdc', 'beta/usdc'), 2, 'request.unknown-chain', /Did you mean alpha/],
    [execute('-5', 'alpha/usdc', 'beta/usdc'), 2, 'request.invalid-amount', /./],
    [execute('2000000', 'alpha/usdc', 'beta/usdc'), 6, 'submit.insufficient-balance', /2000000 USDC/],
    [execute('100', 'alpha/usdc', 'beta/usdc', '--account', 'dev9'), 6, 'submit.insufficient-gas', /needed at most/],
    [
      execute('100', 'alpha/usdc', 'beta/usdc', '--recipient', '0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266'),
      2,
      'request.invalid-address',
      /checksum/,
    ],
    [execute('100', 'alpha/usdc', 'beta/usdc', '--account', 'nobody'), 4, 'auth.unknown-account', /nobody/],
    [execute('100', 'alpha/usdc', 'beta/usdc', '--max-impact', '0.01'), 5, 'verify.cap', /--max-impact/],
    [execute('100', 'alpha/usdc', 'beta/usdc', '--min-out', '100'), 5, 'verify.cap', /--min-out/],
    [execute('0.01', 'alpha/usdc', 'beta/usdc'), 3, 'service.refused', /AMOUNT_TOO_LOW/],
    [execute('100', 'alpha/usdc', 'alpha/usdc'), 2, 'request.unsupported', /are the same/],
    [['execute', '100', 'alpha/usdc', 'beta/usdc', '--json'], 2, 'usage.confirmation', /--yes/],
    [execute('no-such-quote.json'), 2, 'quote.unreadable', /no such file/],
    [['quote', '1', 'alpha/usdc', 'beta/usdc', '--network', 'manet', '--json'], 2, 'config.unknown-network', /mainnet/],
  ])('error: %j', (argv, exit, code, words) => {
    test(`exits ${exit} with ${code}, as text and as JSON, and sends nothing`, async () => {
      const before = await sent();
      const plain = await ferry(
        argv.filter((word) => word !== '--json'),
        { env },
      );
      expect(plain.code).toBe(exit);
      expect(plain.stderr).toContain(`(${code})`);
      expect(plain.stderr).toMatch(words);
      expect(plain.stdout).toBe('');
      const ended = await ferry([...argv.filter((word) => word !== '--json'), '--json'], { env });
      expect(ended.code).toBe(exit);
      const envelope = ended.json();
      expect(envelope).toMatchObject({
        schema: 'ferry.error/1',
        ok: false,
        error: { code, exit, funds: expect.any(String) },
      });
      expect(ended.lines().filter(({ schema }) => schema !== 'ferry.event/1')).toHaveLength(1);
      expect(await sent()).toEqual(before);
    });
  });

  const answer =
    (status: number, body: string, type = 'application/json'): Behaviour =>
    (response) => {
      response.writeHead(status, { 'content-type': type });
      response.end(body);
    };
  describe.each([
    [
      '401',
      answer(401, '{"message":"Please provide an api key","errorCode":"UNAUTHORIZED_QUOTE"}'),
      4,
      'auth.refused',
      /api key/,
    ],
    [
      'HTML',
      answer(200, '<html><body>Welcome to the hotel network</body></html>', 'text/html'),
      3,
      'service.malformed',
      /html/i,
    ],
    [
      'a redirect',
      (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
      3,
      'service.redirected',
      /./,
    ],
    ['a reset connection', (response) => response.socket?.destroy(), 3, 'service.unreachable', /./],
  ] satisfies [string, Behaviour, number, string, RegExp][])(
    'error: a service that answers %s',
    (_, behaviour, exit, code, words) => {
      test(`exits ${exit} with ${code} and sends nothing`, async () => {
        const before = await sent();
        const { url } = await loopback(behaviour);
        const ended = await ferry(execute('100', 'alpha/usdc', 'beta/usdc'), { env: { ...env, FERRY_BASE_URL: url } });
        expect(ended.code).toBe(exit);
        expect(ended.json()).toMatchObject({ ok: false, error: { code, exit, funds: 'untouched' } });
        expect(ended.stderr).toMatch(words);
        expect(await sent()).toEqual(before);
      });
    },
  );

  test.each([
    'key show nosuch',
    'balance nosuch',
    'runs show nosuch',
    'verify nofile',
    'trace 0x12',
    'receipt nosuch',
    'key new other',
    'quote 1 alpha/usdc beta/usdc --account nosuch',
  ])('error: ferry %s moves no money, and says nothing of it', async (line) => {
    const ended = await ferry(line.split(' '), { env });
    expect(ended.code).not.toBe(0);
    expect(ended.stderr).not.toMatch(/^ +funds|nothing was sent/m);
    const { error } = (await ferry([...line.split(' '), '--json'], { env })).json();
    expect(error.funds).toBe('untouched');
  });

  test('error: a command that pays says where the money is', async () => {
    const ended = await ferry(['execute', '99999999', 'alpha/usdc', 'beta/usdc', '--yes'], { env });
    expect(ended.stderr).toMatch(/^ +funds +untouched, nothing was sent$/m);
  });

  test('error: an RPC node of another chain', async () => {
    const before = await sent();
    const swapped = { ...env, FERRY_RPC_URL_ALPHA: sandbox.rpcUrls.beta };
    const ended = await ferry(execute('100', 'alpha/eth', 'beta/eth'), { env: swapped });
    expect(ended.code).toBe(2);
    expect(ended.json().error).toMatchObject({
      code: 'chain.wrong-chain',
      facts: { expected: '313371', 'reported by the node': '313372' },
    });
    expect(await sent()).toEqual(before);
  });

  test('error: an unreachable RPC node, without its path, which may hold a key', async () => {
    const dead = { ...env, FERRY_RPC_URL_ALPHA: 'http://127.0.0.1:9/v2/s3cr3t' };
    const ended = await ferry(execute('100', 'alpha/usdc', 'beta/usdc'), { env: dead });
    expect(ended.code).toBe(3);
    expect(ended.json().error.code).toBe('chain.unreachable');
    expect(ended.stdout + ended.stderr).not.toContain('s3cr3t');
  });

  test('behavior: an API key is never printed on failure', async () => {
    const { url } = await loopback(answer(400, '{"message":"bad key s3cr3t-key","errorCode":"FORBIDDEN"}'));
    const ended = await ferry(['quote', '1', 'alpha/usdc', 'beta/usdc', '--json'], {
      env: { ...env, FERRY_BASE_URL: url, FERRY_API_KEY: 's3cr3t-key' },
    });
    expect(ended.code).toBe(3);
    expect(ended.stdout + ended.stderr).toContain('***');
    expect(ended.stdout + ended.stderr).not.toContain('s3cr3t-key');
  });
});
