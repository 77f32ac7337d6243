import { describe, expect, test } from 'vitest';
import * as DevelopmentAccount from '../../../src/core/network/DevelopmentAccount.js';
import { tokenOf } from '../../../src/core/withdrawal/WithdrawalSigning.js';
import { createVenue } from '../../../src/io/http/venueClient.js';
import { publicKeys } from '../../../src/sandbox/venue/venueAccounts.js';
import { failure } from '../../support/failures.js';
import * as Loopback from '../../support/loopback.js';
import { apiKeyOf, signed, startVenue, venueAt } from '../../support/venue.js';

const [, dev1] = DevelopmentAccount.addresses;
const wallet = DevelopmentAccount.address(1);
const account = { index: 5, l1_address: dev1 };

describe('createVenue', () => {
  test('default: resolves paths beneath the base URL', async () => {
    const server = await Loopback.loopback(Loopback.json({ code: 200, nonce: 7 }));
    expect(await venueAt(`${server.url}/under/a/path/`).nextNonce(5, 4)).toBe(7n);
    expect(server.seen[0]?.path).toBe('/under/a/path/api/v1/nextNonce?account_index=5&api_key_index=4');
    expect(server.seen[0]?.headers).toMatchObject({ accept: 'application/json', 'user-agent': 'ferry/test' });
    expect(server.seen[0]?.headers).not.toHaveProperty('authorization');
  });

  test.each([
    [undefined, 'networks.mine.venue.signingChainId'],
    [{ baseUrl: undefined, signingChainId: 304 }, 'networks.mine.venue.baseUrl'],
  ])('error: a network whose venue is %j', (venue, key) => {
    const make = () =>
      createVenue({
        fetch: async () => new Response(),
        network: { name: 'mine', baseUrl: 'http://mine', realMoney: true, chains: [], venue },
        clock: { now: Date.now, sleep: async () => {} },
        random: () => 0,
      });
    expect(make).toThrow(
      expect.objectContaining({ code: 'venue.unconfigured', next: expect.stringContaining(`config set ${key} `) }),
    );
  });
});

describe('accountsOf', () => {
  test('default: both accounts of a wallet, its master account first', async () => {
    const { client } = await startVenue();
    expect(await client.accountsOf(wallet)).toMatchObject([
      { index: 101, wallet: dev1, isMaster: true, isActive: true, assets: undefined },
      { index: 281474976710654, wallet: dev1, isMaster: false },
    ]);
  });

  test('behavior: follows pages and accepts any of the three field names of an account', async () => {
    const server = await Loopback.loopback(
      Loopback.json({ code: 200, l1_address: dev1, sub_accounts: [account], next_cursor: 'a b&c' }),
      Loopback.json({ l1_address: dev1, sub_accounts: [{ account_index: '6', l1_address: dev1 }], next_cursor: 'b' }),
      Loopback.json({ l1_address: dev1, sub_accounts: [{ accountIndex: 7, l1_address: dev1 }], next_cursor: '' }),
    );
    expect(await venueAt(server.url).accountsOf(wallet)).toMatchObject([{ index: 5 }, { index: 6 }, { index: 7 }]);
    expect(server.seen.map(({ path }) => path.split('?')[1])).toEqual([
      `l1_address=${wallet}`,
      `l1_address=${wallet}&cursor=a+b%26c`,
      `l1_address=${wallet}&cursor=b`,
    ]);
  });

  test('behavior: does not follow an endless cursor forever', async () => {
    const page = { code: 200, l1_address: dev1, sub_accounts: [], next_cursor: 'again' };
    const server = await Loopback.loopback(Loopback.json(page));
    expect(await venueAt(server.url).accountsOf(wallet)).toEqual([]);
    expect(server.seen).toHaveLength(20);
  });
});

test('account: behavior: tolerates unknown fields and ignores another account', async () => {
  const server = await Loopback.loopback(
    Loopback.json({ code: 200, accounts: [{ ...account, brandNew: true }], brandNew: [1] }),
  );
  expect(await venueAt(server.url).account(5)).toMatchObject({ index: 5 });
  expect(await venueAt(server.url).account(6)).toBeUndefined();
});

describe('apiKeys', () => {
  test('default', async () => {
    const { client } = await startVenue();
    expect(await client.apiKeys(101)).toEqual([{ index: 4, publicKey: publicKeys.dev1, nonce: 0n }]);
  });

  test('behavior: ignores prefix and case, and skips invalid keys', async () => {
    const key = { account_index: 5, api_key_index: 4, nonce: '9007199254740993' };
    const server = await Loopback.loopback(
      Loopback.json({
        code: 200,
        api_keys: [
          { ...key, public_key: `0x${'AB'.repeat(40)}` },
          { ...key, public_key: '\u001b[2J' },
        ],
      }),
    );
    expect(await venueAt(server.url).apiKeys(5)).toEqual([
      { index: 4, publicKey: 'ab'.repeat(40), nonce: 9_007_199_254_740_993n },
    ]);
  });
});

test('transferFee: for a token of the account', async () => {
  const { client } = await startVenue();
  const token = tokenOf({ accountIndex: 101, apiKeyIndex: 4, nowMs: Date.now() }, apiKeyOf(1));
  expect(await client.transferFee(101, 7, token)).toBe(3_000_000n);
  expect(await client.transferFee(101, 281474976710654, token)).toBe(0n);
  const stranger = await failure(client.transferFee(100, 7, token));
  expect(stranger).toMatchObject({ code: 'venue.refused', httpStatus: 401 });
});

describe('transaction', () => {
  test('default: from its acceptance to its execution', async () => {
    const { client, served } = await startVenue();
    const { txInfo, txHash } = await signed();
    expect(await client.transaction(txHash)).toBeUndefined();
    expect(await client.send(txInfo)).toEqual({ verdict: 'accepted', hash: txHash });
    await expect.poll(() => client.transaction(txHash)).toMatchObject({ hash: txHash, status: 2, failure: undefined });
    expect(JSON.parse((await client.transaction(txHash))?.info ?? '')).toEqual(JSON.parse(txInfo));
    expect(served.account(101)?.usdc).toBe(9_992_000_000n);
  });

  test('behavior: reports why the sequencer failed it', async () => {
    const { client, fault } = await startVenue();
    await fault({ kind: 'sequencer', does: 'fail', failReason: 'AppErrNotEnoughCollateral' });
    const { txInfo, txHash } = await signed();
    await client.send(txInfo);
    await expect
      .poll(() => client.transaction(txHash))
      .toMatchObject({ status: 0, failure: 'AppErrNotEnoughCollateral' });
  });

  test.each([
    ['{"ae":"\\u001b[2Jfine"}', '\\x1b[2Jfine'],
    ['{"ae":7}', undefined],
    ['not JSON', undefined],
  ])('behavior: the event %j means %j', async (event_info, expected) => {
    const server = await Loopback.loopback(
      Loopback.json({ code: 200, hash: 'ab', type: 12, info: '{}', event_info, status: 9 }),
    );
    expect(await venueAt(server.url).transaction('ab')).toMatchObject({ status: 9, failure: expected });
  });
});

test('reads: error: a redirect is not followed, and never receives the token', async () => {
  const thief = await Loopback.loopback(Loopback.json({ code: 200, transfer_fee_usdc: 1 }));
  const server = await Loopback.loopback(Loopback.redirect(thief.url, 307));
  await failure(venueAt(server.url).transferFee(5, 6, 'the:token'));
  expect(server.seen).toMatchObject([{ headers: { authorization: 'the:token' } }]);
  expect(server.seen[0]?.path).not.toContain('token');
  expect(thief.seen).toEqual([]);
});

describe('send', () => {
  test('default: a form of three fields', async () => {
    const server = await Loopback.loopback(Loopback.json({ code: 200, tx_hash: '\u001b[2Jab' }));
    expect(await venueAt(server.url).send('{"a":"b&c"}')).toEqual({ verdict: 'accepted', hash: '\\x1b[2Jab' });
    const [sent] = server.seen;
    expect(sent).toMatchObject({ method: 'POST', path: '/api/v1/sendTx' });
    expect(sent?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(sent?.headers).not.toHaveProperty('authorization');
    expect([...new URLSearchParams(sent?.body)]).toEqual([
      ['tx_type', '12'],
      ['tx_info', '{"a":"b&c"}'],
      ['price_protection', 'true'],
    ]);
  });

  test.each([
    ['drop-after', 'venue.unreachable', true],
    ['truncate', 'venue.malformed', true],
    ['status-after', 'venue.unavailable', true],
    ['html', 'venue.unavailable', false],
    ['empty', 'venue.malformed', false],
  ] as const)('behavior: after %s the outcome is open, and nothing is resent', async (kind, code, isTaken) => {
    const { client, fault, seen, served } = await startVenue();
    const match = { path: '/api/v1/sendTx' };
    await fault(kind === 'status-after' ? { kind, match, status: 502 } : { kind, match });
    const { txInfo, txHash } = await signed();
    expect(await client.send(txInfo)).toMatchObject({ verdict: 'open', error: { code } });
    expect(seen).toEqual(['POST /api/v1/sendTx']);
    expect(served.transfer(txHash) !== undefined).toBe(isTaken);
  });

  test.each([
    [429, 'refused', 'venue.rate-limited'],
    [500, 'open', 'venue.unavailable'],
    [400, 'refused', 'venue.refused'],
  ])('behavior: %i is %s, and nothing is resent', async (status, verdict, code) => {
    const { client, fault, seen } = await startVenue();
    await fault({ kind: 'status', status, times: 1 });
    expect(await client.send((await signed()).txInfo)).toMatchObject({ verdict, error: { code } });
    expect(seen).toHaveLength(1);
  });

  test.each([
    ['HTML', Loopback.html()],
    ['HTML of a refusal', Loopback.html(403)],
    ['no hash', Loopback.json({ code: 200 })],
    ['a redirect', Loopback.redirect('http://127.0.0.1:1/', 307)],
    ['a code that is not a number', Loopback.json({ code: '21104', message: 'invalid nonce' }, 400)],
  ])('behavior: %s leaves the outcome open', async (_, behaviour) => {
    const server = await Loopback.loopback(behaviour);
    expect(await venueAt(server.url).send('{}')).toMatchObject({ verdict: 'open', venueCode: undefined });
    expect(server.seen).toHaveLength(1);
  });
});
