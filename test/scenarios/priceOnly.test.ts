/** Prices without a key: against a real server on the loopback interface, and on the sandbox. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { privateKeyToAddress } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import type * as QuoteV2 from '../../src/core/api/QuoteV2.js';
import * as JsonDigest from '../../src/core/base/JsonDigest.js';
import * as DevelopmentAccount from '../../src/core/network/DevelopmentAccount.js';
import { network as mainnet } from '../../src/core/network/mainnet.js';
import * as PriceOnly from '../../src/core/quote/PriceOnly.js';
import { type Ended, type Envelope, ferry, temporaryFolder } from '../support/ferry.js';
import { answering } from '../support/liveQuotes.js';
import { type Loopback, loopback, nobody as nowhere } from '../support/loopback.js';
import { useSandbox } from '../support/sandbox.js';

/** An address whose key is nowhere here. */
const somebody = '0x40aD8cF176672Efe12a0D7AC50fa5da2b0b64e74';
const key = `0x${'5a'.repeat(32)}` as const;
const owner = privateKeyToAddress(key);
const pair = ['100', 'base/usdc', 'arbitrum/usdc'];

/** Answers each request for a quote as asked. */
const answer = (alter?: (text: string) => string) => answering(mainnet, ['base', 'arbitrum'], alter);

const on = (service: Loopback, env: Record<string, string> = {}) => ({
  env: { FERRY_NETWORK: 'mainnet', FERRY_BASE_URL: service.url, ...env },
});
/** Only the live solver can sign its orders; every other check passes. */
const unsigned = ['solver-signature'];

const bodies = ({ seen }: Loopback): QuoteV2.Request[] => seen.map(({ body }) => JSON.parse(body));
const refused = ({ proof }: Envelope): Envelope[] =>
  proof.filter(({ verdict }: Envelope) => verdict === 'mismatch' || verdict === 'cannot verify');

describe('quote', () => {
  test('default: for an address, without its key', async () => {
    const service = await loopback(answer());
    const ended = await ferry(['quote', ...pair, '--account', somebody, '--json'], on(service));
    expect([ended.code, ended.stderr]).toEqual([0, expect.not.stringContaining('price')]);
    expect(bodies(service)).toEqual([
      expect.objectContaining({ user: somebody, refundTo: somebody, recipient: somebody }),
    ]);
    expect(ended.json().data).toMatchObject({ priceOnly: false, intent: { user: somebody } });
    expect(refused(ended.json().data).map(({ check }) => check)).toEqual(unsigned);
    expect(ended.json().warnings.filter((text: string) => text.includes('nobody'))).toEqual([]);
  });

  test('default: for nobody, and says so', async () => {
    const service = await loopback(answer());
    const ended = await ferry(['quote', ...pair, '--json'], on(service));
    expect(ended.code).toBe(0);
    expect(bodies(service)).toEqual([
      expect.objectContaining({ user: PriceOnly.nobody, refundTo: PriceOnly.nobody, recipient: PriceOnly.nobody }),
    ]);
    expect(ended.json()).toMatchObject({ data: { priceOnly: true, send: { formatted: '100' } } });
    expect(ended.json().warnings).toContain(PriceOnly.warning);
    expect(refused(ended.json().data).map(({ check }) => check)).toEqual(unsigned);
    const text = await ferry(['quote', ...pair], on(service));
    expect(text.stdout).toContain('Only a price: it cannot be executed');
    expect(text.stdout).toContain('nobody owns it');
    expect(text.stderr).toContain('add --account with your address');
  });

  test('behavior: a batch of prices', async () => {
    const service = await loopback(answer());
    const stdin = ['a', 'b']
      .map((id) =>
        JSON.stringify({ id, amount: '5', from: pair[1], to: pair[2], ...(id === 'b' && { account: somebody }) }),
      )
      .join('\n');
    const ended = await ferry(['quote', '--batch', '-', '--json'], { ...on(service), stdin });
    expect(ended.code).toBe(0);
    expect(
      ended
        .lines()
        .slice(0, 2)
        .map((line) => line.data.priceOnly),
    ).toEqual([true, false]);
  });

  test.each([
    [['max', 'base/usdc', 'arbitrum/usdc'], 'max is the balance of an account'],
    [['10', 'lighter/usdc', 'base/usdc'], 'needs an account of the venue'],
    [['10', 'base/usdc', 'lighter/usdc'], 'needs an account of the venue'],
  ])('error: %j without an account says what is needed', async (args, words) => {
    const service = await loopback(answer());
    const ended = await ferry(['quote', ...args, '--json'], on(service));
    expect(ended.json().error).toMatchObject({ code: 'usage.missing', message: expect.stringContaining(words) });
    expect(ended.json().error.hint).toContain('--account');
    expect(service.seen).toEqual([]);
  });

  test.each([
    ['--recipient', PriceOnly.nobody],
    ['--recipient', PriceOnly.nobody.toLowerCase()],
    ['--refund-to', PriceOnly.nobody],
    ['--app-fee', `${PriceOnly.nobody}:10`],
  ])('error: %s %s, before the service is asked', async (flag, value) => {
    const service = await loopback(answer());
    for (const command of ['quote', 'execute']) {
      const ended = await ferry(
        [command, ...pair, flag, value, '--yes', '--json'],
        on(service, { FERRY_PRIVATE_KEY: key }),
      );
      expect(ended.json().error).toMatchObject({ code: 'request.unsupported', funds: 'untouched' });
      expect(ended.json().error.message).toContain('Nobody owns');
    }
    expect(service.seen).toEqual([]);
  });

  test('error: a service that names nobody for somebody is a mismatch', async () => {
    const service = await loopback(
      answer((text) =>
        text.replaceAll(owner.toLowerCase(), PriceOnly.nobody.toLowerCase()).replaceAll(owner, PriceOnly.nobody),
      ),
    );
    const env = { FERRY_PRIVATE_KEY: key, FERRY_RPC_URL_BASE: nowhere };
    const ended = await ferry(['quote', ...pair, '--json'], on(service, env));
    expect(refused(ended.json().data).map(({ check }) => check)).toEqual(
      expect.arrayContaining(['recipient', 'payable']),
    );
    const paid = await ferry(['execute', ...pair, '--dry-run', '--yes', '--json'], on(service, env));
    expect(paid.json().error).toMatchObject({ code: 'verify.mismatch', funds: 'untouched' });
  });
});

describe('fees', () => {
  const [amount = '', ...currencies] = pair;
  test.each([
    ['explain', ['fees', 'explain', amount, ...currencies]],
    ['compare', ['fees', 'compare', amount, '10', ...currencies]],
  ])('default: %s takes an address, or nobody’s', async (_, argv) => {
    const service = await loopback(answer());
    const watched = await ferry([...argv, '--account', somebody, '--json'], on(service));
    expect([watched.code, watched.json().warnings]).toEqual([0, []]);
    expect(new Set(bodies(service).map(({ user }) => user))).toEqual(new Set([somebody]));
    service.seen.length = 0;
    const priced = await ferry([...argv, '--json'], on(service));
    expect([priced.code, priced.json().warnings]).toEqual([0, [PriceOnly.warning]]);
    expect(new Set(bodies(service).map(({ user }) => user))).toEqual(new Set([PriceOnly.nobody]));
  });
});

describe('execute', () => {
  const env = { FERRY_PRIVATE_KEY: key };

  /** A saved quote for nobody, changed, with a digest that fits. */
  async function saved(service: Loopback, change: (data: Envelope) => void): Promise<string> {
    const { network, data } = (await ferry(['quote', ...pair, '--json'], on(service))).json();
    change(data);
    const { digest: _, seal, ...content } = data;
    service.seen.length = 0;
    return JSON.stringify({ network, data: { ...content, seal, digest: JsonDigest.of({ network, content }) } });
  }

  const executed = async (
    stdin: string,
    service: Loopback,
    more: Record<string, string> = {},
    ...flags: string[]
  ): Promise<Ended> =>
    ferry(['execute', '-', ...flags, '--yes', '--json'], {
      ...on(service, { ...env, FERRY_RPC_URL_BASE: nowhere, ...more }),
      stdin,
    });

  test.each<[string, (data: Envelope) => void]>([
    ['as it was saved', () => {}],
    ['with the flag turned', (data) => Object.assign(data, { priceOnly: false })],
    ['without the flag', (data) => void delete data.priceOnly],
    ['with nobody as the recipient alone', ({ intent }) => Object.assign(intent, { user: owner, refundTo: owner })],
    [
      'with nobody as the refund address alone',
      ({ intent }) => Object.assign(intent, { user: owner, recipient: owner }),
    ],
  ])('error: a price %s is not executed', async (_, change) => {
    const service = await loopback(answer());
    const stdin = await saved(service, change);
    for (const more of [{}, { FERRY_PRIVATE_KEY: '' }])
      expect((await executed(stdin, service, more)).json().error).toMatchObject({
        code: 'request.unsupported',
        message: expect.stringContaining('only tells a price'),
        funds: 'untouched',
        next: 'ferry key list',
      });
    expect(service.seen).toEqual([]);
  });

  test('error: a price whose parties were all replaced is a mismatch', async () => {
    const service = await loopback(answer());
    const stdin = await saved(service, ({ intent }) =>
      Object.assign(intent, { user: owner, recipient: owner, refundTo: owner }),
    );
    const { error } = (await executed(stdin, service, {}, '--dry-run')).json();
    expect(error).toMatchObject({ code: 'verify.mismatch', funds: 'untouched' });
    expect(JSON.stringify(error)).toContain(PriceOnly.finding.found);
  });

  test('error: verify says that it cannot be paid', async () => {
    const service = await loopback(answer());
    const ended = await ferry(['verify', '-', '--json'], { ...on(service), stdin: await saved(service, () => {}) });
    expect(ended.code).toBe(5);
    const [unpaid, ...others] = refused(ended.json().data);
    expect(unpaid).toEqual({ ...PriceOnly.finding, subject: null, witnesses: [] });
    expect(others.map(({ check }) => check)).toEqual(unsigned);
  });

  test('error: an address without a key, before the service is asked', async () => {
    const service = await loopback(answer());
    const ended = await ferry(['execute', ...pair, '--account', somebody, '--yes', '--json'], on(service));
    expect(ended.json().error).toMatchObject({
      code: 'auth.no-account',
      message: `${somebody} is watch-only here: there is no key for it to sign with on mainnet.`,
      next: 'ferry key import main',
      funds: 'untouched',
    });
    expect(service.seen).toEqual([]);
  });
});

describe('on the sandbox', () => {
  const { env } = useSandbox();
  const dev1 = DevelopmentAccount.address(1);

  test('default: a development account still pays unless another is selected', async () => {
    const { data, warnings } = (await ferry(['quote', '1', 'alpha/usdc', 'beta/usdc', '--json'], { env })).json();
    expect([data.intent.user, data.priceOnly, warnings]).toEqual([DevelopmentAccount.address(0), false, []]);
  });

  test('behavior: the service prices for nobody, and ferry does not execute it', async () => {
    const quoted = await ferry(['quote', '1', 'alpha/usdc', 'beta/eth', '--account', PriceOnly.nobody, '--json'], {
      env,
    });
    expect([quoted.code, quoted.json().data.priceOnly, refused(quoted.json().data)]).toEqual([0, true, []]);
    const ended = await ferry(['execute', '-', '--yes', '--json'], { env, stdin: quoted.stdout });
    expect(ended.json().error.code).toBe('request.unsupported');
  });

  test('behavior: a quote for an address is executed once its key is there', async () => {
    const folder = temporaryFolder();
    const home = temporaryFolder();
    const argv = ['quote', '1', 'alpha/usdc', 'beta/usdc', '--account', owner, '-o', 'q.json', '--json'];
    expect((await ferry(argv, { env, home, cwd: folder })).json().data.intent.user).toBe(owner);
    const file = join(folder, 'q.json');
    const none = await ferry(['execute', file, '--account', owner, '--yes', '--json'], { env, home });
    expect(none.json().error).toMatchObject({ code: 'auth.no-account', message: expect.stringContaining(owner) });
    const other = await ferry(['execute', file, '--account', 'dev2', '--yes', '--json'], { env, home });
    expect(other.json().error.message).toContain('a different account');
    const held = await ferry(['execute', file, '--yes', '--json'], { env: { ...env, FERRY_PRIVATE_KEY: key }, home });
    expect(held.json().error.code).toBe('submit.insufficient-balance');
    for (const account of ['dev1', dev1]) {
      const pays = ['quote', '1', 'alpha/usdc', 'beta/usdc', '--account', dev1.toLowerCase(), '-o', 'p.json'];
      expect((await ferry(pays, { env, home, cwd: folder })).code).toBe(0);
      const argv = ['execute', join(folder, 'p.json'), '--account', account, '--max-age', '1h', '--yes', '--json'];
      const ended = await ferry(argv, { env, home });
      expect([ended.code, ended.json().data?.status]).toEqual([0, 'success']);
      for (const flags of [[], ['--dry-run']]) {
        const { error } = (await ferry([...argv, ...flags], { env, home })).json();
        const next = `ferry status ${ended.json().data.requestId}`;
        expect(error).toMatchObject({ code: 'request.unsupported', funds: 'untouched', next });
        expect(error.message).toContain('paid already');
      }
    }
  });

  test('behavior: the venue account of an address is looked up', async () => {
    const argv = ['quote', '10', 'lighter/usdc', 'beta/usdc', '--account', dev1, '--json'];
    expect((await ferry(argv, { env })).json().data).toMatchObject({
      priceOnly: false,
      intent: { user: '101', refundTo: '101', recipient: dev1 },
    });
    const configured = temporaryFolder();
    writeFileSync(
      join(configured, 'config.json'),
      JSON.stringify({ networks: { sandbox: { venue: { accountIndex: 100 } } } }),
    );
    const within = { env: { ...env, FERRY_CONFIG_DIR: configured } };
    expect((await ferry(argv, within)).json().data.intent.user).toBe('101');
    const stranger = await ferry(['quote', '10', 'lighter/usdc', 'beta/usdc', '--account', somebody, '--json'], {
      env,
    });
    expect(stranger.json().error.code).toBe('venue.unknown-account');
  });

  test.each([
    [['execute', '1', 'alpha/usdc', 'beta/usdc']],
    [['execute', '--batch', '-', '--out', 'ledger.ndjson']],
    [['venue', 'deposit', '10', 'alpha/usdc', '--account-index', '100']],
    [['venue', 'withdraw', '3', 'beta/usdc']],
    [['allowance', 'revoke', 'alpha/usdc', somebody]],
    [['delegation', 'revoke', 'alpha']],
    [['runs', 'reconcile', 'alpha']],
  ])('error: %j of an address without a key', async (argv) => {
    const stdin = JSON.stringify({ id: 'a', amount: '1', from: 'alpha/usdc', to: 'beta/usdc' });
    const ended = await ferry([...argv, '--account', somebody, '--yes', '--json'], { env, stdin });
    const { error } = ended.json();
    expect([error.code, error.funds]).toEqual([
      argv.includes('--batch') ? 'batch.unreadable' : 'auth.no-account',
      'untouched',
    ]);
    expect(error.message).toContain('is watch-only here');
  });

  test.each([
    [['allowance', 'show', 'alpha/usdc'], { account: somebody }],
    [['delegation', 'show', 'alpha'], { account: somebody }],
    [['requests', 'list'], { user: somebody, listed: 0 }],
  ])('behavior: %j reads for an address', async (argv, data) => {
    const ended = await ferry([...argv, '--account', somebody, '--json'], { env });
    expect([ended.code, ended.json().data]).toEqual([0, expect.objectContaining(data)]);
  });
});
