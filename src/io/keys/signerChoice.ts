/** The signing account: chosen from flags, variables and files, and unlocked only when there is something to sign. */

import type * as KeyStores from '../../core/accounts/KeyStores.js';
import type { Address } from '../../core/base/Address.js';
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
import { loadAccounts } from './secp256k1.js';

export type Parts = KeystoreParts & { config: Config; network: Network };

type Choice =
  | { kind: 'development'; name: string; index: number }
  | { kind: 'keystore'; name: string }
  | { kind: 'file'; path: string }
  | { kind: 'key'; key: Secret; place: string };

/** The chosen signer and access to its key. A keystore without an address has already been unlocked to derive it. */
type Signer = { name: string; address: Address; key: () => Promise<Hex> };

export type Accounts = {
  /** The sender's address. Unlocks nothing, unless the file is another tool's keystore without an address. */
  sender(): Promise<Address>;
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
    account: () => {
      account ??= once().then(async ({ name, key }) => createAccount({ name, key: await key() }));
      return account;
    },
    named: async () => describe(choose(parts.config, parts.network), parts),
  };
}

async function describe(choice: Choice, { host }: Parts): Promise<KeyStores.NamedSigner> {
  const { kind } = choice;
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

async function ofKey(name: string, key: Hex): Promise<Signer> {
  const { privateKeyToAddress } = await loadAccounts();
  return { name, address: privateKeyToAddress(key), key: async () => key };
}

const ranks: readonly Source['kind'][] = ['flag', 'env', 'user'];

/** Flags override variables, which override the user file. Within a source, a key file overrides a key, then a name. */
function choose({ keyFile, privateKey, account }: Config, network: Network): Choice {
  if (keyFile.source.kind === 'flag' && account.source.kind === 'flag') throw new TwoAccountsError();
  for (const rank of ranks) {
    if (keyFile.value !== undefined && keyFile.source.kind === rank) return { kind: 'file', path: keyFile.value };
    if (privateKey.value && privateKey.source.kind === rank)
      return { kind: 'key', key: privateKey.value, place: 'name' in privateKey.source ? privateKey.source.name : '' };
    if (account.value !== undefined && account.source.kind === rank) return named(account.value, network);
  }
  if (network.name === 'sandbox') return named('dev0', network);
  throw new NoAccountError(network);
}

function named(name: string, network: Network): Choice {
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

export class TwoAccountsError extends BaseError {
  override name = 'TwoAccountsError';
  constructor() {
    super('usage.invalid', '--key-file and --account cannot be combined: each selects the signer.');
  }
}
