import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { recoverTransactionAddress } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import * as Config from '../../../src/core/config/Config.js';
import * as EffectiveNetwork from '../../../src/core/config/EffectiveNetwork.js';
import * as DevelopmentAccount from '../../../src/core/network/DevelopmentAccount.js';
import { run } from '../../../src/io/keys/externalSigner.js';
import { createKeystore } from '../../../src/io/keys/keystoreFolder.js';
import { type Accounts, createAccounts } from '../../../src/io/keys/signerChoice.js';
import { castWallet } from '../../support/cast.js';
import * as market from '../../support/market.js';
import { transaction as anyTransaction } from '../../support/signingActs.js';
import { answering, failure, type Wishes, type Workbench, workbench } from '../../support/workbench.js';

/** A key that ships with no tool and has no funds anywhere. */
const own = `0x${'5a'.repeat(32)}` as const;
const ownAddress = privateKeyToAddress(own);
const [dev0, dev1] = DevelopmentAccount.addresses;

const transaction = { ...anyTransaction, chainId: 313371 };

/** The accounts of a configuration, and the prompts they caused. */
async function accountsOf(
  bench: Workbench,
  { env = {}, flags = {}, answers }: Wishes & { user?: unknown },
  user?: unknown,
  path = '/u/config.json',
) {
  const file = user === undefined ? undefined : { path, content: user };
  const config = Config.merge({ env, flags, user: file });
  const network = await EffectiveNetwork.from(config);
  const prompt = answering(answers ?? []);
  const host = { ...bench.host, env: { PATH: process.env.PATH ?? '', ...env } };
  const interactive = answers !== undefined;
  const runSigner = (command: string, input: string, folder = host.cwd) =>
    run(command, input, { ...host, cwd: folder, stderr: { write: () => true } });
  const accounts: Accounts = createAccounts({ host, config, network, prompt, interactive, runSigner });
  return { ...accounts, prompt };
}

/** Stores a key under a name. */
async function keep(bench: Workbench, name: string, key: string, password: string): Promise<void> {
  const prompt = answering([key, password, password]);
  const config = Config.merge({});
  await createKeystore({ host: bench.host, config, prompt, interactive: true }).add(name, undefined);
}

describe('sender', () => {
  test('behavior: reads the address of a keystore without unlocking it', async () => {
    const bench = workbench();
    await keep(bench, 'main', own, 'long secret');
    const { sender, prompt } = await accountsOf(bench, { flags: { account: 'main', network: 'mainnet' } });
    expect(await sender()).toBe(ownAddress);
    expect(prompt.asked).toEqual([]);
  });

  test('behavior: unlocks another tool’s keystore once for both address and signature', async () => {
    const bench = workbench();
    bench.write('home/.config/ferry/keys/.keep', '');
    const directory = join(bench.home, '.config/ferry/keys');
    castWallet('import', 'theirs', '-k', directory, '--private-key', own, '--unsafe-password', 'secret');
    const { sender, account, prompt } = await accountsOf(bench, { flags: { account: 'theirs' }, answers: ['secret'] });
    expect(await sender()).toBe(ownAddress);
    expect((await account()).address).toBe(ownAddress);
    expect(prompt.asked).toEqual(['Password of theirs']);
  });

  test('behavior: flags override variables, which override the user file', async () => {
    const bench = workbench();
    const file = bench.write('key', own);
    const other = bench.write('other', `0x${'5b'.repeat(32)}`);
    const otherAddress = privateKeyToAddress(`0x${'5b'.repeat(32)}`);
    const env = { FERRY_KEY_FILE: file, FERRY_PRIVATE_KEY: DevelopmentAccount.key(1), FERRY_ACCOUNT: 'dev2' };
    const { FERRY_KEY_FILE: _, ...withoutFile } = env;
    const user = { account: 'dev3' };
    const sender = async (wishes: Wishes) => (await accountsOf(bench, wishes, user)).sender();
    expect(await sender({ env, flags: { keyFile: other } })).toBe(otherAddress);
    expect(await sender({ env, flags: { account: 'dev4' } })).toBe(DevelopmentAccount.address(4));
    expect(await sender({ env })).toBe(ownAddress);
    expect(await sender({ env: withoutFile })).toBe(dev1);
    expect(await sender({ env: { FERRY_ACCOUNT: 'dev2' } })).toBe(DevelopmentAccount.address(2));
    expect(await sender({})).toBe(DevelopmentAccount.address(3));
  });

  test('error: no account on a network with real money', async () => {
    const { sender } = await accountsOf(workbench(), { flags: { network: 'mainnet' } });
    const error = await failure('auth.no-account', sender);
    expect(error.next).toBe('ferry key new main');
  });

  test('error: an invalid key in a variable is not repeated', async () => {
    const { sender } = await accountsOf(workbench(), { env: { FERRY_PRIVATE_KEY: '0xhush' } });
    const error = await failure('auth.keystore', sender);
    expect(error.facts).toEqual([['read from', 'FERRY_PRIVATE_KEY']]);
    expect(`${error.stack} ${error.hint}`).not.toContain('hush');
  });

  describe('a development key', () => {
    const network = { network: 'testnet' };

    test('error: by name, in a variable, a file or a keystore, on another network', async () => {
      const bench = workbench();
      await keep(bench, 'main', DevelopmentAccount.key(0), 'long secret');
      const keyFile = bench.write('key', DevelopmentAccount.key(0));
      const own = { network: 'mine', networks: { mine: { baseUrl: 'http://127.0.0.1:3000', realMoney: false } } };
      for (const [wishes, user] of [
        [{ flags: { ...network, account: 'dev0' } }],
        [{ flags: network, env: { FERRY_PRIVATE_KEY: DevelopmentAccount.key(9) } }],
        [{ flags: { ...network, keyFile } }],
        [{ flags: { ...network, account: 'main' } }],
        [{ flags: { account: 'dev0' } }, own],
      ] as const) {
        const { sender, account } = await accountsOf(bench, wishes, user);
        const error = await failure('auth.development-key', sender);
        expect(`${error.stack} ${JSON.stringify(error.facts)}`).not.toContain(DevelopmentAccount.key(9).slice(2));
        await failure('auth.development-key', account);
      }
    });

    test('error: on another chain or venue that a configuration file adds to the sandbox', async () => {
      const one = { vm: 'evm', nativeSymbol: 'ETH', nativeDecimals: 18, id: 1, rpcUrl: 'http://127.0.0.1:1' };
      const user = { networks: { sandbox: { chains: { one }, venue: { signingChainId: 304 } } } };
      const { signTransaction, signMessage } = await (await accountsOf(workbench(), {}, user)).account();
      await failure('auth.development-key', () => signTransaction({ ...transaction, chainId: 1 }));
      await failure('auth.development-key', () => signMessage('Transfer\n\nnonce: 0x00', 304));
    });
  });
});

describe('a signing command', () => {
  const mainnet = { network: 'mainnet' };
  const signs = { accountSigner: 'cat', account: ownAddress };
  const command = (flag = '--account-signer') => ({ kind: 'command', name: flag, address: ownAddress });

  test('default: signs for the address, and runs only to sign', async () => {
    const accounts = await accountsOf(workbench(), { flags: { ...mainnet, ...signs, accountSigner: 'exit 7' } });
    expect([await accounts.sender(), await accounts.watched()]).toEqual([ownAddress, ownAddress]);
    expect(await accounts.named()).toEqual(command());
    const { address, signMessage } = await accounts.account();
    expect(address).toBe(ownAddress);
    const error = await failure('auth.signer', () => signMessage('hello', 1));
    expect(error.facts).toEqual([['reason', 'it exited with code 7']]);
  });

  test('behavior: flags override variables, which override the user file', async () => {
    const bench = workbench();
    await keep(bench, 'main', own, 'long secret');
    const user = { accountSigner: 'cat', account: ownAddress };
    const kind = async (wishes: Wishes, file: unknown = user) =>
      (await (await accountsOf(bench, wishes, file)).named()).kind;
    const FERRY_PRIVATE_KEY = `0x${'5b'.repeat(32)}`;
    expect(await kind({ flags: mainnet })).toBe('command');
    expect(await kind({ flags: { ...mainnet, account: 'main' } })).toBe('keystore');
    expect(await kind({ flags: { ...mainnet, account: market.other } })).toBe('command');
    expect(await kind({ flags: { ...mainnet, keyFile: 'key' } })).toBe('file');
    expect(await kind({ flags: mainnet, env: { FERRY_PRIVATE_KEY } })).toBe('key');
    expect(await kind({ flags: mainnet, env: { FERRY_PRIVATE_KEY, FERRY_ACCOUNT_SIGNER: 'cat' } })).toBe('command');
    expect(await kind({ flags: { ...mainnet, accountSigner: 'cat' }, env: { FERRY_PRIVATE_KEY } })).toBe('command');
    // A stored key of the same address does not sign in its place.
    expect(await kind({ flags: { ...mainnet, ...signs } }, {})).toBe('command');
    expect(await kind({ flags: { account: dev1, accountSigner: 'cat' } }, {})).toBe('command');
  });

  test('behavior: one of the user’s file runs in the folder of that file, others in the working directory', async () => {
    const bench = workbench();
    const told = (text: string): string => `${text} > ${join(bench.home, 'told')}; exit 1`;
    const file = bench.write('u/config.json', '');
    const place = async (parts: Parameters<typeof accountsOf>[1], user?: unknown) => {
      const { account } = await accountsOf(bench, parts, user, file);
      const { signMessage } = await account();
      await failure('auth.signer', () => signMessage('hello', 1));
      return readFileSync(join(bench.home, 'told'), 'utf8').trim();
    };
    const account = { ...mainnet, account: ownAddress };
    expect(await place({ flags: account }, { accountSigner: told('pwd') })).toBe(dirname(file));
    expect(await place({ flags: account, env: { FERRY_ACCOUNT_SIGNER: told('pwd') } })).toBe(bench.host.cwd);
    expect(await place({ flags: { ...account, accountSigner: told('pwd') } })).toBe(bench.host.cwd);
  });

  test.each([undefined, 'main', 'dev1'])('error: for an account that is not an address: %s', async (account) => {
    const { sender } = await accountsOf(workbench(), { flags: { accountSigner: 'cat', account } });
    const error = await failure('usage.missing', sender);
    expect(error.message).toContain('--account-signer');
    expect(error.hint).toContain('--account 0x');
  });

  test.each([
    ['--account-signer', { accountSigner: 'cat' }],
    ['--account', { account: 'dev1' }],
  ])('error: a key file and %s, which both select the signer', async (flag, other) => {
    const { sender } = await accountsOf(workbench(), { flags: { keyFile: 'key', ...other } });
    expect((await failure('usage.invalid', sender)).message).toContain(flag);
  });

  test('error: for a development account anywhere but on the sandbox', async () => {
    const signer = { accountSigner: 'cat', account: dev1 };
    const { sender } = await accountsOf(workbench(), { flags: { network: 'testnet', ...signer } });
    await failure('auth.development-key', sender);
    const { account } = await accountsOf(workbench(), { flags: signer });
    const { signMessage, signTransaction, signAuthorization } = await account();
    await failure('auth.development-key', () => signMessage('hello', 1));
    await failure('auth.development-key', () => signTransaction({ ...transaction, chainId: 1 }));
    await failure('auth.development-key', () => signAuthorization({ chainId: 0, address: market.other, nonce: 0 }));
  });
});

describe('watched', () => {
  const mainnet = { network: 'mainnet' };

  test('behavior: an address without a key, checksummed', async () => {
    const flags = { ...mainnet, account: ownAddress.toLowerCase() };
    const { watched, sender, account, named, prompt } = await accountsOf(workbench(), { flags, answers: [] });
    expect(await watched()).toBe(ownAddress);
    expect(await named()).toEqual({ kind: 'address', name: ownAddress, address: ownAddress });
    for (const act of [sender, account]) {
      const error = await failure('auth.no-account', act);
      expect(error.message).toBe(`${ownAddress} is watch-only here: there is no key for it to sign with on mainnet.`);
      expect([error.hint, error.next]).toEqual([expect.stringContaining('import its key'), 'ferry key import main']);
    }
    expect(prompt.asked).toEqual([]);
  });

  test('behavior: an address selects the stored key, which is unlocked only to sign', async () => {
    const bench = workbench();
    await keep(bench, 'other', `0x${'5b'.repeat(32)}`, 'long secret');
    await keep(bench, 'main', own, 'long secret');
    const flags = { ...mainnet, account: ownAddress };
    const { watched, sender, account, named, prompt } = await accountsOf(bench, { flags, answers: ['long secret'] });
    expect([await watched(), await sender()]).toEqual([ownAddress, ownAddress]);
    expect(await named()).toEqual({ kind: 'keystore', name: 'main', address: ownAddress });
    expect(prompt.asked).toEqual([]);
    expect(await account()).toMatchObject({ name: 'main', address: ownAddress });
    expect(prompt.asked).toEqual(['Password of main']);
  });

  test('behavior: an address selects the configured key if it is its own, and no other', async () => {
    const bench = workbench();
    const FERRY_KEY_FILE = bench.write('key', own);
    for (const env of [{ FERRY_PRIVATE_KEY: own }, { FERRY_KEY_FILE }] as Record<string, string>[]) {
      const { sender } = await accountsOf(bench, { env, flags: { ...mainnet, account: ownAddress } });
      expect(await sender()).toBe(ownAddress);
      const other = await accountsOf(bench, { env, flags: { ...mainnet, account: market.other } });
      expect(await other.watched()).toBe(market.other);
      await failure('auth.no-account', other.sender);
    }
  });

  test('behavior: the address of a development account signs on the sandbox only', async () => {
    const here = await accountsOf(workbench(), { flags: { account: dev1 } });
    expect(await here.account()).toMatchObject({ name: 'dev1', address: dev1 });
    const there = await accountsOf(workbench(), { flags: { ...mainnet, account: dev1 } });
    expect(await there.watched()).toBe(dev1);
    await failure('auth.no-account', there.sender);
    const env = { FERRY_PRIVATE_KEY: DevelopmentAccount.key(1) };
    const keyed = await accountsOf(workbench(), { env, flags: { ...mainnet, account: dev1 } });
    await failure('auth.development-key', keyed.sender);
  });

  test('error: an invalid checksum', async () => {
    const flags = { account: ownAddress.toUpperCase().replace('X', 'x') };
    await failure('request.invalid-address', (await accountsOf(workbench(), { flags })).watched);
  });
});

describe('account', () => {
  test('behavior: a keystore with its password in a file', async () => {
    const bench = workbench();
    await keep(bench, 'main', own, 'long secret');
    const passwordFile = bench.write('password', 'long secret\n');
    const { account } = await accountsOf(bench, {
      flags: { account: 'main', network: 'mainnet' },
      env: { FERRY_PASSWORD_FILE: passwordFile },
    });
    const { name, signTransaction } = await account();
    expect(name).toBe('main');
    const signed = await signTransaction({ ...transaction, chainId: 1 });
    expect(await recoverTransactionAddress({ serializedTransaction: signed as `0x02${string}` })).toBe(ownAddress);
  });

  test('behavior: a key from stdin is read once', async () => {
    const bench = workbench({ stdin: own });
    const { sender, account } = await accountsOf(bench, { flags: { keyFile: '-' } });
    expect(await sender()).toBe(ownAddress);
    expect((await account()).address).toBe(ownAddress);
  });

  test('error: a signing failure does not reveal the key', async () => {
    const { account } = await accountsOf(workbench(), { env: { FERRY_PRIVATE_KEY: own } });
    const { signTransaction } = await account();
    const error = await failure('sign.failed', () => signTransaction({ ...transaction, to: '0x12' }));
    expect(`${error.stack} ${JSON.stringify(error.facts)} ${error.cause}`).not.toContain(own.slice(2));
    expect(error.facts[0]?.[0]).toBe('reason');
  });
});

describe('named', () => {
  test('default: the signer from each source, with nothing unlocked', async () => {
    const bench = workbench();
    bench.write('home/.config/ferry/keys/.keep', '');
    const folder = join(bench.home, '.config/ferry/keys');
    castWallet('import', 'theirs', '-k', folder, '--private-key', own, '--unsafe-password', 'x');
    for (const [wishes, kind, name, address] of [
      [{}, 'development', 'dev0', dev0],
      [{ flags: { account: 'theirs' } }, 'keystore', 'theirs', undefined],
      [{ flags: { keyFile: 'nowhere' } }, 'file', 'nowhere', undefined],
      [{ env: { FERRY_PRIVATE_KEY: own } }, 'key', 'FERRY_PRIVATE_KEY', undefined],
    ] as const)
      expect(await (await accountsOf(bench, wishes)).named()).toEqual({ kind, name, address });
  });

  test('error: no account, or an unknown one', async () => {
    const { named } = await accountsOf(workbench(), { flags: { network: 'testnet' } });
    await failure('auth.no-account', named);
    const other = await accountsOf(workbench(), { flags: { account: 'nobody' } });
    await failure('auth.unknown-account', other.named);
    const broken = await accountsOf(workbench(), { env: { FERRY_PRIVATE_KEY: '0x12' } });
    await failure('auth.keystore', broken.named);
  });
});
