/** The signing account: chosen from flags, variables and files, and unlocked only when there is something to sign. */

import type * as KeyStores from '../../core/accounts/KeyStores.js';
import * as Address from '../../core/base/Address.js';
import { BaseError } from '../../core/base/Errors.js';
import type { Hex } from '../../core/base/Hex.js';
import type { Secret } from '../../core/base/Secret.js';
import type { Config } from '../../core/config/Config.js';
import type { Source } from '../../core/config/SettingFormat.js';
import * as DevelopmentAccount from '../../core/network/DevelopmentAccount.js';
import type { Network } from '../../core/network/Network.js';
import type { Account } from '../../core/ports/Ports.js';
import * as paths from '../state/paths.js';
import type { Parts as KeystoreParts } from './keystoreFolder.js';
import { createAccount } from './localAccount.js';
import { loadAccounts } from './viemAccounts.js';

export type Parts = KeystoreParts & { config: Config; network: Network };

/** A key, or an address whose key may be one of the stored ones or of `others`. */
type Choice = KeyChoice | { kind: 'address'; address: Address.Address; others: readonly KeyChoice[] };

type KeyChoice =
  | { kind: 'development'; name: string; index: number }
  | { kind: 'keystore'; name: string }
  | { kind: 'file'; path: string }
  | { kind: 'key'; key: Secret; place: string };

/** The chosen signer and access to its key. A keystore without an address has already been unlocked to derive it. */
type Signer = { name: string; address: Address.Address; key: () => Promise<Hex> };

export type Accounts = {
  /** The sender's address. Unlocks nothing, unless the file is another tool's keystore without an address. */
  sender(): Promise<Address.Address>;
  /** The selected address, whether or not there is a key for it; else the sender's. */
  watched(): Promise<Address.Address>;
  /** The unlocked signing account. */
  account(): Promise<Account>;
  /** The signer that would be used. Prompts for nothing and unlocks nothing. */
  named(): Promise<KeyStores.NamedSigner>;
};

/**
 * Creates the access to the signer of one run. Reads stdin and prompts at most once.
 *
 * `sender` and `account` throw auth.no-account · auth.unknown-account · auth.development-key · auth.keystore ·
 * usage.invalid; `account` also throws auth.password and prompt.*.
 */
export function createAccounts(parts: Parts): Accounts {
  let signer: Promise<Signer> | undefined;
  let account: Promise<Account> | undefined;
  const once = () => {
    signer ??= resolveSigner(parts);
    return signer;
  };
  return {
    sender: async () => (await once()).address,
    watched: async () => {
      const choice = choose(parts.config, parts.network);
      return choice.kind === 'address' ? choice.address : (await once()).address;
    },
    account: () => {
      account ??= once().then(async ({ name, key }) => createAccount({ name, key: await key() }));
      return account;
    },
    named: async () => describe(choose(parts.config, parts.network), parts),
  };
}

async function describe(choice: Choice, parts: Parts): Promise<KeyStores.NamedSigner> {
  const { kind } = choice;
  const { host } = parts;
  if (choice.kind === 'address') {
    const { address } = choice;
    const key = await keyOf(choice, parts);
    return key ? { ...(await describe(key, parts)), address } : { kind: 'address', name: address, address };
  }
  if (choice.kind === 'development')
    return { kind, name: choice.name, address: DevelopmentAccount.address(choice.index) };
  if (choice.kind === 'file') return { kind, name: choice.path, address: undefined };
  if (choice.kind === 'keystore') {
    const { find } = await import('./keystoreFolder.js');
    const { name, address } = await find(paths.keys(host), choice.name);
    return { kind, name, address };
  }
  const { toKey } = await import('./secretFile.js');
  // Throws if it is not a key.
  toKey(choice.key.reveal(), choice.place);
  return { kind, name: choice.place, address: undefined };
}

async function resolveSigner(parts: Parts): Promise<Signer> {
  const signer = await toSigner(choose(parts.config, parts.network), parts);
  if (parts.network.name !== 'sandbox' && DevelopmentAccount.isKnown(signer.address))
    throw new DevelopmentAccount.DevelopmentKeyError(signer.name, parts.network.name);
  return signer;
}

async function toSigner(choice: Choice, parts: Parts): Promise<Signer> {
  if (choice.kind === 'address') {
    const key = await keyOf(choice, parts);
    if (!key) throw new WatchOnlyError(choice.address, parts.network);
    return toSigner(key, parts);
  }
  if (choice.kind === 'development') {
    const { name, index } = choice;
    return { name, address: DevelopmentAccount.address(index), key: async () => DevelopmentAccount.key(index) };
  }
  if (choice.kind === 'keystore') {
    const { find, unlock } = await import('./keystoreFolder.js');
    const stored = await find(paths.keys(parts.host), choice.name);
    const open = async () => (await unlock(stored, parts)).reveal() as Hex;
    if (stored.address) return { name: choice.name, address: stored.address, key: open };
    return ofKey(choice.name, await open());
  }
  const { readKey, toKey } = await import('./secretFile.js');
  const [name, secret] =
    choice.kind === 'file'
      ? [choice.path, await readKey(choice.path, parts.host)]
      : [choice.place, toKey(choice.key.reveal(), choice.place)];
  return ofKey(name, secret.reveal() as Hex);
}

/** The key of an address: a development key on the sandbox, a stored key, or one that is configured as well. */
async function keyOf({ address, others }: Choice & { kind: 'address' }, parts: Parts): Promise<KeyChoice | undefined> {
  const index = parts.network.name === 'sandbox' ? DevelopmentAccount.indexOf(address) : undefined;
  if (index !== undefined) return { kind: 'development', name: `dev${index}`, index };
  const { list } = await import('./keystoreFolder.js');
  const stored = await list(paths.keys(parts.host));
  const found = stored.find((each) => each.address !== undefined && Address.isEqual(each.address, address));
  if (found) return { kind: 'keystore', name: found.name };
  for (const other of others) if (Address.isEqual((await toSigner(other, parts)).address, address)) return other;
  return undefined;
}

async function ofKey(name: string, key: Hex): Promise<Signer> {
  const { privateKeyToAddress } = await loadAccounts();
  return { name, address: privateKeyToAddress(key), key: async () => key };
}

const ranks: readonly Source['kind'][] = ['flag', 'env', 'user'];

/** Flags override variables, which override the user file. Within a source, a key file overrides a key, then a name. */
function choose({ keyFile, privateKey, account }: Config, network: Network): Choice {
  if (keyFile.source.kind === 'flag' && account.source.kind === 'flag') throw new TwoAccountsError();
  const file: (KeyChoice & { kind: 'file' })[] =
    keyFile.value === undefined ? [] : [{ kind: 'file', path: keyFile.value }];
  const place = 'name' in privateKey.source ? privateKey.source.name : '';
  const key: KeyChoice[] = privateKey.value === undefined ? [] : [{ kind: 'key', key: privateKey.value, place }];
  for (const rank of ranks) {
    if (file[0] && keyFile.source.kind === rank) return file[0];
    if (key[0] && privateKey.source.kind === rank) return key[0];
    if (account.value === undefined || account.source.kind !== rank) continue;
    if (!isAddress(account.value)) return named(account.value, network);
    return {
      kind: 'address',
      address: Address.from(account.value, 'account'),
      others: [...key, ...file.filter(({ path }) => path !== '-')],
    };
  }
  if (network.name === 'sandbox') return named('dev0', network);
  throw new NoAccountError(network);
}

/** Whether the account is selected by its address; its checksum is not looked at yet. */
function isAddress(text: string): boolean {
  return /^0x[0-9a-fA-F]{40}$/.test(text);
}

function named(name: string, network: Network): KeyChoice {
  const index = DevelopmentAccount.index(name);
  if (index === undefined) return { kind: 'keystore', name };
  if (network.name !== 'sandbox') throw new DevelopmentAccount.DevelopmentKeyError(name, network.name);
  return { kind: 'development', name, index };
}

export class NoAccountError extends BaseError {
  override name = 'NoAccountError';
  constructor(network: Network) {
    super('auth.no-account', `No account is configured to sign on ${network.name}.`, {
      hint: 'Create or import a key, then select it with --account. In CI, set FERRY_PRIVATE_KEY.',
      next: 'ferry key new main',
    });
  }
}

/** An address without a key is to sign. */
export class WatchOnlyError extends BaseError {
  override name = 'WatchOnlyError';
  constructor(address: Address.Address, network: Network) {
    super('auth.no-account', `${address} is watch-only here: there is no key for it to sign with on ${network.name}.`, {
      hint: 'An address is enough for prices and balances. To sign, import its key; a key whose file names no address is selected by its name.',
      next: 'ferry key import main',
    });
  }
}

export class TwoAccountsError extends BaseError {
  override name = 'TwoAccountsError';
  constructor() {
    super('usage.invalid', '--key-file and --account cannot be combined: each selects the signer.');
  }
}
