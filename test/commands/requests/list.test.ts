import { beforeEach, describe, expect, test } from 'vitest';
import { type Ended, type Envelope, ferry } from '../../support/ferry.js';
import * as Loopback from '../../support/loopback.js';
import { useSandbox } from '../../support/sandbox.js';

const dev0 = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const dev1 = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

const { sandbox, env } = useSandbox();
let delivered = '';
let refunded = '';

/** Transfers, made once, within the first test. */
beforeEach(async () => {
  if (delivered) return;
  const requestId = async (...argv: string[]): Promise<string> => {
    const { data, error } = (await ferry([...argv, '--yes', '--json'], { env })).json();
    return (data ?? error).requestId;
  };
  delivered = await requestId('execute', '5', 'alpha/usdc', 'beta/usdc');
  refunded = await requestId('execute', '0.01', 'alpha/eth', 'beta/gull', '--referrer', 'debug-force-refund');
  await requestId('execute', '2', 'beta/usdc', 'alpha/usdc', '--account', 'dev1');
});

function list(...argv: string[]): Promise<Ended> {
  return ferry(['requests', 'list', ...argv], { env });
}

/** The request ids of the lines before the last. */
function ids(ended: Ended): string[] {
  return ended
    .lines()
    .slice(0, -1)
    .map(({ requestId }) => requestId);
}

describe('run', () => {
  test('default: the own requests, newest first, a line each', async () => {
    const ended = await list('--json');
    expect(ended.code).toBe(0);
    expect(ended.lines()).toMatchObject([
      { schema: 'ferry.event/1', network: 'sandbox', type: 'request', requestId: refunded, funds: 'returned' },
      {
        type: 'request',
        requestId: delivered,
        user: dev0.toLowerCase(),
        funds: 'delivered',
        origin: { currency: 'alpha/usdc' },
      },
      { schema: 'ferry.requests-list/1', data: { listed: 2, more: false, user: dev0, version: 'v3' }, warnings: [] },
    ]);
  });

  test('behavior: a table for a person, with nothing else on stdout', async () => {
    const ended = await list();
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    const [where, head, first, second, ...rest] = ended.stdout.trimEnd().split('\n');
    expect(where).toBe('Network  sandbox');
    expect(head).toMatch(/^Created \(UTC\) +Status +Funds +From +To +Request$/);
    expect(first).toMatch(new RegExp(`refund +returned +0.01 alpha/eth +[0-9.]+ beta/gull +${refunded}$`));
    expect([second, rest]).toEqual([expect.stringContaining(delivered), []]);
  });

  test('behavior: says on stderr that there is more', async () => {
    const ended = await list('--limit', '1');
    expect(ended.stdout.trimEnd().split('\n')).toHaveLength(3);
    expect(ended.stderr).toBe('The service has more: use --limit 2 or --all.\n');
    expect((await list('--limit', '1', '--quiet')).stderr).toBe('');
    expect((await list('--limit', '1', '--json')).json().data).toMatchObject({ listed: 1, more: true });
  });

  test('behavior: those of somebody else, and everybody’s', async () => {
    const mine = (await list('--user', dev1, '--json')).lines();
    expect(mine).toMatchObject([{ user: dev1.toLowerCase() }, { data: { user: dev1 } }]);
    expect(ids(await list('--account', 'dev1', '--json'))).toEqual(mine.slice(0, -1).map(({ requestId }) => requestId));
    expect((await list('-A', '--json')).json().data).toMatchObject({ listed: 3, user: null });
  });

  test.each([
    [['--status', 'refund'], () => [refunded]],
    [['--currency-in', 'alpha/usdc', '--currency-out', 'beta/usdc', '--recipient', dev0], () => [delivered]],
    [['--min-usd', '10'], () => [refunded]],
    [['--since', '1h', '--order', 'asc'], () => [delivered, refunded]],
    [['--sort', 'usd'], () => [refunded, delivered]],
    [['--filters', '[{"status":"refund"},{"requestType":"Bridge"}]', '--all'], () => [refunded, delivered]],
  ])('behavior: narrowed by %j', async (argv, expected) => {
    expect(ids(await list(...argv, '--json'))).toEqual(expected());
  });

  test('behavior: nothing found is no failure', async () => {
    const ended = await list('--until', '2020-01-01');
    expect([ended.code, ended.stdout]).toEqual([0, 'Network  sandbox\nNo requests.\n']);
    expect(ended.stderr).toContain('--all-users');
  });

  describe('a page with odd records', () => {
    /** The sandbox's own records in pages of two, of which some are made odd. */
    async function odd(version: 'v3' | 'v2'): Promise<Record<string, string | undefined>> {
      const answer = await fetch(`${sandbox.baseUrl}/requests/${version}`, { headers: { 'x-api-key': 'sandbox-key' } });
      const { requests: own } = (await answer.json()) as { requests: Envelope[] };
      const at = (index: number): Envelope => structuredClone(own[index % own.length]) as Envelope;
      const gas = at(1);
      if (version === 'v2') gas.data.fees.gas = true;
      else gas.data.fees.quoted.swap = 'none';
      const requests = [at(0), at(2), gas, null, { ...at(1), status: undefined }, at(2)];
      const { url } = await Loopback.loopback((response, request) => {
        if (!request.path.startsWith(`/requests/${version}`))
          return Loopback.json({ message: 'Not Found' }, 404)(response, request);
        const start = Number(new URL(request.path, 'http://x').searchParams.get('continuation') ?? 0);
        const end = start + 3;
        const continuation = end < requests.length ? { continuation: String(end) } : {};
        return Loopback.json({ requests: requests.slice(start, end), ...continuation })(response, request);
      });
      return { ...env, FERRY_BASE_URL: url };
    }

    const [path, problem] = ['requests[2].data.fees.gas', 'expected a string or a number or an object'];

    test.each([
      ['v2', path, problem],
      ['v3', 'requests[2].data.fees.quoted.swap', 'expected an object'],
    ] as const)('behavior: of %s: each is listed with its path, and so are the others', async (version, at, why) => {
      const ended = await ferry(['requests', 'list', '-A', '--all', '--json'], { env: await odd(version) });
      expect(ended.code).toBe(0);
      const lines = ended.lines();
      const [request, type] = [{ type: 'request' }, 'unreadable'];
      expect(lines.slice(0, -1)).toMatchObject([
        ...[request, request],
        { type, path: at, problem: why, requestId: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
        { type, path: 'requests[0]', problem: 'expected an object', requestId: null },
        { type, path: 'requests[1].status', problem: 'missing, expected a string' },
        request,
      ]);
      const { data, warnings } = ended.json();
      expect(data).toMatchObject({ listed: 3, unreadable: 3, more: false, version });
      expect(warnings.at(-1)).toBe(
        '3 records of the service cannot be read. ferry status ID shows the status of their requests.',
      );
    });

    test('behavior: rows of the table for a person', async () => {
      const ended = await ferry(['requests', 'list', '-A', '--limit', '3'], { env: await odd('v2') });
      expect(ended.code).toBe(0);
      const [, ...rows] = ended.stdout.trimEnd().split('\n');
      expect(rows).toHaveLength(4);
      expect(rows[3]).toMatch(
        new RegExp(`^- +unreadable +- +requests\\[2\\]\\.data\\.fees\\.gas: ${problem} +0x[0-9a-f]{64}$`),
      );
      expect(ended.stderr).toContain('warning: One record of the service cannot be read.');
      expect(ended.stderr).toContain('The service has more: use --limit 6 or --all.');
    });
  });

  test.each([
    [['--limit', '0'], 2, 'usage.invalid', /--limit 100/],
    [['--limit', '5', '--all'], 2, 'usage.invalid', /cannot be combined/],
    [['--user', dev1, '-A'], 2, 'usage.invalid', /--user and --all-users/],
    [['--user', '0x12'], 2, 'request.invalid-address', /./],
    [['--filters', '[{"nope":"x"}]'], 3, 'service.refused', /nope/],
    [['--network', 'testnet'], 2, 'usage.missing', /--all-users/],
  ])('error: %j', async (argv, exit, code, words) => {
    const ended = await list(...argv, '--json');
    expect([ended.code, ended.json().error.code]).toEqual([exit, code]);
    expect(ended.lines()).toHaveLength(1);
    expect((await list(...argv)).stderr).toMatch(words);
  });
});
