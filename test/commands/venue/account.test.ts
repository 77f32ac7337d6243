import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { command } from '../../../src/commands/venue/account.js';
import * as DevelopmentAccount from '../../../src/core/network/DevelopmentAccount.js';
import { plain } from '../../../src/core/text/TerminalStyle.js';
import { publicKeys } from '../../../src/sandbox/venue/venueAccounts.js';
import { at, ferry, temporaryFolder } from '../../support/ferry.js';
import * as Loopback from '../../support/loopback.js';
import { useSandbox } from '../../support/sandbox.js';

const [dev0, dev1] = DevelopmentAccount.addresses;
const dev9 = DevelopmentAccount.address(9);

const { sandbox } = useSandbox();

/** `ferry venue account`, with what follows it. */
const account = (argv: readonly string[], env: Record<string, string> = {}) =>
  ferry(['venue', 'account', ...argv, '--json'], { env: { ...at(sandbox), ...env } });

describe('run', () => {
  test('default: that of the wallet that signs', async () => {
    const ended = await account([]);
    expect(ended.code).toBe(0);
    expect(ended.json()).toMatchObject({ schema: 'ferry.venue-account/1', network: 'sandbox' });
    expect(ended.json().data).toEqual({
      venue: sandbox.venueUrl,
      signingChainId: 313373,
      accounts: [
        {
          index: 100,
          wallet: dev0,
          type: 'master',
          active: true,
          assets: [{ symbol: 'USDC', assetIndex: 3, perps: '10000.000000', spot: '0.000000' }],
          trusted: 'shipped',
          keys: [{ index: 4, publicKey: publicKeys.dev0, nonce: '0', name: null }],
        },
      ],
    });
  });

  test.each([[[dev1 ?? '']], [[(dev1 ?? '').toLowerCase()]], [['--account', 'dev1']], [['dev1']]])(
    'behavior: every account of a wallet: %j',
    async (argv) => {
      const { accounts } = (await account(argv)).json().data;
      expect(accounts.map(({ index, type }: Record<string, unknown>) => [index, type])).toEqual([
        [101, 'master'],
        [281474976710654, 'sub'],
      ]);
    },
  );

  test('behavior: one by its index, also one that was never used', async () => {
    const { accounts } = (await account(['106'])).json().data;
    expect(accounts).toMatchObject([{ index: 106, active: false, keys: [] }]);
  });

  test('behavior: a key that ferry keeps is named', async () => {
    const env = { FERRY_KEYSTORE_DIR: temporaryFolder() };
    const passwordFile = `${env.FERRY_KEYSTORE_DIR}/password`;
    const argv = ['key', 'import', 'mine', '--venue-account', '100', '--api-key-index', '4', '--key-file', '-'];
    writeFileSync(passwordFile, 'long secret', { mode: 0o600 });
    await ferry([...argv, '--password-file', passwordFile], { env, stdin: DevelopmentAccount.venueKey(0) });
    const [found] = (await account([], env)).json().data.accounts;
    expect(found.keys).toMatchObject([{ index: 4, name: 'mine' }]);
  });

  test('behavior: the account that the configuration names comes with the others of its wallet', async () => {
    const folder = temporaryFolder();
    const set = ['config', 'set', 'networks.sandbox.venue.accountIndex', '281474976710654'];
    expect((await ferry(set, { env: { FERRY_CONFIG_DIR: folder } })).code).toBe(0);
    const { accounts } = (await account([], { FERRY_CONFIG_DIR: folder })).json().data;
    expect(accounts.map(({ index }: { index: number }) => index)).toEqual([101, 281474976710654]);
  });

  test.each([
    [['5'], 'venue.unknown-account', 'The venue has no account 5.'],
    [[dev9], 'venue.unknown-account', `The wallet ${dev9} has no account on the venue.`],
    [['1st'], 'request.invalid-address', 'The account "1st" is not an account index of lighter.'],
    [['281474976710655'], 'request.invalid-address', 'is not an account index'],
    [['0x12'], 'request.invalid-address', 'The wallet "0x12" is not an address.'],
  ])('error: %j is %s', async (argv, code, message) => {
    const ended = await account(argv);
    expect(ended.json().error).toMatchObject({ code, message: expect.stringContaining(message), funds: 'untouched' });
    if (code === 'venue.unknown-account')
      expect(ended.json().error.facts).toEqual({ network: 'sandbox', asked: sandbox.venueUrl });
  });

  test('error: what is no name blames no option that was not typed', async () => {
    for (const argv of [['venue', 'account'], ['balance'], ['sandbox', 'fund']]) {
      const ended = await ferry([...argv, '--json', '--', '-1'], { env: at(sandbox) });
      const { code, message } = ended.json().error;
      expect([ended.code, code]).toEqual([2, 'usage.invalid']);
      expect(message).toMatch(/^The (wallet|account) must be a name of letters/);
    }
  });

  test('error: a name that no key has', async () => {
    expect((await account(['me'])).json().error).toMatchObject({ code: 'auth.unknown-account', funds: 'untouched' });
  });

  test.each([['account'], ['deposit', '5', 'base-sepolia/usdc'], ['withdraw', '5', 'sepolia/usdc']])(
    'error: venue %s on testnet, which has no venue, before anything else is asked',
    async (...args) => {
      const ended = await ferry(['venue', ...args, '--network', 'testnet', '--json'], { env: {} });
      const message = 'There is no venue on the network testnet.';
      expect(ended.json().error).toMatchObject({ code: 'venue.unconfigured', message, funds: 'untouched' });
    },
  );

  test('error: the accounts of another wallet are not taken for this one’s', async () => {
    const server = await Loopback.loopback(
      Loopback.json({ code: 200, l1_address: dev0, sub_accounts: [{ index: 7, l1_address: dev9 }] }),
    );
    const ended = await account([dev0 ?? ''], { FERRY_VENUE_URL: server.url });
    expect(ended.json().error.code).toBe('venue.unknown-account');
  });
});

describe('view', () => {
  const own = {
    index: 100,
    wallet: dev0 ?? '',
    type: 'master' as const,
    active: true,
    trusted: 'accepted' as const,
    assets: [
      { symbol: 'USDC', assetIndex: 3, perps: '10000.500000', spot: '0.000000' },
      { symbol: 'ETH', assetIndex: 1, perps: '0', spot: '1.25000000' },
    ],
    keys: [
      { index: 4, publicKey: publicKeys.dev0, nonce: '7', name: 'mine' },
      { index: 5, publicKey: publicKeys.dev1, nonce: '0', name: null },
    ],
  };
  const nothing = { active: false, trusted: null, assets: [], keys: [] };
  const sub = { ...own, ...nothing, index: 281474976710654, type: 'sub' as const };

  test('default', () => {
    const data = { venue: 'https://v.example', signingChainId: 304, accounts: [own, sub] };
    expect(command.view(data, plain)).toMatchInlineSnapshot(`
      "https://v.example

      Account 100 master account
        wallet    0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266
        deposits  credited here: you accepted it in place of another
        USDC  10000.5
        ETH         0  plus 1.25 on the spot route
        key 4  f15e85a15e2b…db14fff9  held as mine
        key 5  50e67f647288…d2f47565

      Account 281474976710654 sub-account, no deposit yet
        wallet  0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266
        no balance
        no API keys"
    `);
  });

  test('behavior: what the venue writes cannot act on the terminal, and a wide one shows whole keys', () => {
    const odd = { symbol: '\u001b[2J', assetIndex: 9, perps: '1', spot: '0' };
    const data = { venue: 'https://v.example', signingChainId: 304, accounts: [{ ...own, assets: [odd] }] };
    const text = command.view(data, { ...plain, width: 120 });
    expect(text).toContain('\\x1b[2J');
    expect(text).toContain(publicKeys.dev0);
  });
});
