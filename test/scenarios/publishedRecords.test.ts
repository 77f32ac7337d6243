/** Every published record of the service, as each command shows it. */
import { expect, test } from 'vitest';
import { type Envelope, ferry } from '../support/ferry.js';
import * as Loopback from '../support/loopback.js';
import { describePublished, read, withoutElisions } from '../support/published.js';

type Version = 'v2' | 'v3';

const noV3 = Loopback.json({ message: 'Not Found' }, 404);

/** A service that answers with published records, in one version of the endpoint. */
async function serving(file: string, version: Version) {
  const published = withoutElisions(read(file)) as Envelope;
  const page = published.requests ? published : { requests: [published] };
  const server = await Loopback.loopback((response, request) =>
    (request.path.startsWith(`/requests/${version}`) ? Loopback.json(page) : noV3)(response, request),
  );
  const env = { FERRY_BASE_URL: server.url, FERRY_NETWORK: 'mainnet' };
  return { env, records: page.requests as Envelope[], paths: () => server.seen.map(({ path }) => path) };
}

const documented: readonly [string, Version][] = [
  ['request-v2-record.json', 'v2'],
  ['live/requests-v2-record-1.json', 'v2'],
  ['request-v3-record.json', 'v3'],
];

const sells = 'live/requests-v2-swap-sells.json';
const bitcoin = 'live/requests-v2-request_eth_to_btc.json';
const solana = 'live/requests-v2-request_bsc_usdt_to_sol.json';

describePublished('requests list', () => {
  test.each(documented)('default: %s', async (file, version) => {
    const { env } = await serving(file, version);
    const ended = await ferry(['requests', 'list', '-A'], { env });
    expect(ended.code).toBe(0);
    expect(ended.stdout.split('\n')[2]).toMatch(
      /^2026-05-25 22:21 {2}success +delivered +10000 polygon\/0x2791bc\.\.\. +10000 base\/0x833589\.\.\. +0x0000348634\.\.\.$/,
    );
  });

  test.each([
    [sells, [/85\.841118 robinhood\/usdg +- +0x178930528/, /0\.041 robinhood\/eth +- +0x178930537/]],
    [bitcoin, [/^2026-03-03 06:28 +success +delivered +0\.01 ethereum\/eth +0\.0002861 bitcoin\/btc +0x66dfacf8/]],
    [solana, [/^- +success +delivered +6 bnb\/usdt +0\.074432 solana\/wsol +0xd2bcbf6c/]],
  ])('default: %s', async (file, lines) => {
    const { env } = await serving(file, 'v2');
    const ended = await ferry(['requests', 'list', '-A'], { env });
    expect(ended.code).toBe(0);
    const [, , ...shown] = ended.stdout.trimEnd().split('\n');
    expect(shown).toEqual(lines.map((line) => expect.stringMatching(line)));
    const { data } = (await ferry(['requests', 'list', '-A', '--json'], { env })).json();
    expect(data).toMatchObject({ listed: lines.length, unreadable: 0, version: 'v2' });
  });
});

describePublished('requests show', () => {
  test('default: the order of each is held against its id', async () => {
    const { env, records, paths } = await serving(sells, 'v2');
    for (const { id, protocol } of records) {
      const { data } = (await ferry(['requests', 'show', id, '--json'], { env })).json();
      expect(data.order).toEqual({ verdict: 'verified', recomputed: protocol.orderId, why: null });
    }
    expect(paths().filter((path) => path.includes('includeOrderData=true'))).toHaveLength(records.length);
    const { stdout } = await ferry(['requests', 'show', records[0]?.id], { env });
    expect(stdout).toMatch(/^Order +0x8ea23cf6[0-9a-f]{56} {2}its terms hash to this id$/m);
    expect(stdout).toMatch(/^Fees quoted +-\$10\.84 {2}execution -\$0\.0238, swap -\$10\.20, app -\$0\.6218$/m);
    expect(stdout).toMatch(/^Fees charged +-\$10\.84 {2}execution -\$0\.0238, swap -\$10\.28, app -\$0\.5409$/m);
  });

  test('error: an order with other terms does not hash to the id', async () => {
    const { records } = await serving(sells, 'v2');
    const [record] = structuredClone(records) as [Envelope];
    record.orderData.output.payments[0].minimumAmount = '1';
    const { url } = await Loopback.loopback((response, request) =>
      (request.path.startsWith('/requests/v2') ? Loopback.json({ requests: [record] }) : noV3)(response, request),
    );
    const env = { FERRY_BASE_URL: url, FERRY_NETWORK: 'mainnet' };
    const { order } = (await ferry(['requests', 'show', record.id, '--json'], { env })).json().data;
    expect(order).toMatchObject({
      verdict: 'mismatch',
      recomputed: expect.not.stringMatching(record.protocol.orderId),
    });
    expect((await ferry(['requests', 'show', record.id], { env })).stdout).toContain('hash to another id, 0x');
  });

  test.each([
    [bitcoin, { user: '0x514bcb1f9aabb904e6106bd1052b66d2706dbbb7', origin: { formatted: '0.01', usd: '19.937560' } }],
    [solana, { user: '0x514BCb1F9AAbb904e6106Bd1052B66d2706dBbb7', origin: { formatted: '6', usd: '6.000000' } }],
  ])('behavior: %s, which states little', async (file, expected) => {
    const { env, records } = await serving(file, 'v2');
    const { data } = (await ferry(['requests', 'show', records[0]?.id, '--json'], { env })).json();
    expect(data).toMatchObject({ ...expected, funds: 'delivered', order: null, appFees: [], oldFees: [] });
    expect(data.destination.formatted).toBe(records[0]?.data.metadata.currencyOut.amountFormatted);
  });
});

describePublished('fees explain', () => {
  test.each(documented)('default: %s as a file', async (file, version) => {
    const { env, records } = await serving(file, version);
    const stdin = JSON.stringify(records[0]);
    const { data } = (await ferry(['fees', 'explain', '-', '--json'], { env, stdin })).json();
    const usd = data.components.map(({ component, actual }: Envelope) => [component, actual.usd]);
    expect(Object.fromEntries(usd)).toEqual({
      execution: '-0.001160',
      swap: '-1.999380',
      platform: '0.000000',
      app: '-4.998625',
      sponsored: '6.999165',
    });
    const fee = { recipient: '0xdfd877...', bps: '5', amount: '5000000', formatted: '5', symbol: 'USDC.e' };
    expect(data.appFees).toMatchObject([
      { ...fee, when: 'quoted' },
      { ...fee, when: 'actual', usd: '4.997980' },
    ]);
    const { stdout } = await ferry(['fees', 'explain', '-'], { env, stdin });
    expect(stdout).toMatch(/^App paid +to 0xdfd877\.\.\.: 5 bps, 5 USDC\.e, \$5\.00$/m);
  });

  test('default: records without currencies, by their ids', async () => {
    const { env, records } = await serving(sells, 'v2');
    const explained = [];
    for (const { id } of records)
      explained.push((await ferry(['fees', 'explain', id, '--json'], { env })).json().data.total);
    expect(explained).toMatchObject([
      { quoted: { usd: '-10.841504' }, actual: { usd: '-10.841504' } },
      { quoted: { usd: '-0.524397' }, actual: { usd: '-0.524397' } },
    ]);
  });

  test.each([[bitcoin], [solana]])('error: %s has no fees', async (file) => {
    const { env, records } = await serving(file, 'v2');
    const stdin = JSON.stringify({ requests: records });
    for (const [argv, more, code] of [
      [[records[0]?.id], {}, 'service.malformed'],
      [['-'], { stdin }, 'quote.unreadable'],
    ] as const) {
      const { error } = (await ferry(['fees', 'explain', ...argv, '--json'], { env, ...more })).json();
      const message = `There is no breakdown of the fees of ${records[0]?.id}.`;
      expect(error).toMatchObject({ code, message });
    }
  });
});

describePublished('status', () => {
  test.each([['status.json'], ['live/status-v3-1.json'], ['live/status-v3-2.json']])('default: %s', async (file) => {
    const published = read(file) as Envelope;
    const { url } = await Loopback.loopback(Loopback.json(published));
    const ended = await ferry(['status', `0x${'17'.repeat(32)}`, '--json'], { env: { FERRY_BASE_URL: url } });
    expect(ended.code).toBe(0);
    expect(ended.json().data).toMatchObject({
      ...{ status: 'success', funds: 'delivered', finished: true },
      ...{ inTxHashes: published.inTxHashes, outTxHashes: published.txHashes },
      ...{ updatedAt: published.updatedAt, destinationChainId: published.destinationChainId },
    });
  });

  test('error: the published refusal of too many requests says what to do', async () => {
    const { url } = await Loopback.loopback(
      Loopback.json(read('live/error-requests-v2-429.json'), 429, { 'retry-after': '60' }),
    );
    const ended = await ferry(['requests', 'list', '-A', '--json'], { env: { FERRY_BASE_URL: url } });
    expect([ended.code, ended.json().error.code]).toEqual([3, 'service.rate-limited']);
  });
});
