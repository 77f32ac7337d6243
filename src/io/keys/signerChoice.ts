/** The signing account: chosen from flags, variables and files, and unlocked only when there is something to sign. */

import { dirname } from 'node:path';
import type * as KeyStores from '../../core/accounts/KeyStores.js';
import * as Address from '../../core/base/Address.js';
import { BaseError } from '../../core/base/Errors.js';
import type { Hex } from '../../core/base/Hex.js';
import { once } from '../../core/base/Once.js';
import type { Secret } from '../../core/base/Secret.js';
import * as Config from '../../core/config/Config.js';
import type { Source } from '../../core/config/SettingFormat.js';
import * as SettingFormat from '../../core/config/SettingFormat.js';
import * as DevelopmentAccount from '../../core/network/DevelopmentAccount.js';
import type { Network } from '../../core/network/Network.js';
import type { Account } from '../../core/ports/Ports.js';
import * as ShellCommand from '../../core/text/ShellCommand.js';
import type { KeystoreAccess } from './keystoreFolder.js';
import { assertPlace, createAccount } from './localAccount.js';
import { loadAccounts } from './viemAccounts.js';

export type SignerAccess = KeystoreAccess & {
  config: Config.Config;
  network: Network;
  /** Runs a signing command in a folder, by default the working directory. @throws auth.signer */
  runSigner(command: string, input: string, folder?: string): Promise<string>;
};

/** A key, a command that signs for an address, or an address whose key may be a stored one or one of `others`. */
type Choice = KeyChoice | CommandChoice | { kind: 'address'; address: Address.Address; others: readonly KeyChoice[] };

type CommandChoice = { kind: 'command'; command: string; source: Source; address: Address.Address };

type KeyChoice =
  | { kind: 'development'; name: string; index: number }
  | { kind: 'keystore'; name: string }
  | { kind: 'file'; path: string }
  | { kind: 'key'; key: Secret; place: string };

/** The chosen signer and access to it. A keystore without an address has already been unlocked to derive it. */
type Signer = { name: string; address: Address.Address; open: () => Promise<Account> };

export type Accounts = ReturnType<typeof createAccounts>;

/**
 * Creates the access to the signer of one run. Reads stdin and prompts at most once.
 *
 * `sender` and `account` throw auth.no-account · auth.unknown-account · auth.development-key · auth.keystore ·
 * usage.invalid; `account` also throws auth.password and prompt.*.
 */
export function createAccounts(parts: SignerAccess) {
  const signer = once(async () => {
    const found = await toSigner(await choose(parts), parts);
    if (parts.network.name !== 'sandbox' && DevelopmentAccount.isKnown(found.address))
      throw DevelopmentAccount.developmentKey(found.name, parts.network.name);
    return found;
  });
  return {
    /** The sender's address. Unlocks nothing, unless the file is another tool's keystore without an address. */
    sender: async () => (await signer()).address,
    /** The selected address, whether or not there is a key for it; else the sender's. */
    watched: async () => {
      const choice = await choose(parts);
      return choice.kind === 'address' ? choice.address : (await signer()).address;
    },
    account: once(async () => (await signer()).open()),
    /** The signer that would be used. Prompts for nothing and unlocks nothing. */
    named: async () => describe(await choose(parts), parts),
  };
}

async function describe(choice: Choice, parts: SignerAccess): Promise<KeyStores.NamedSigner> {
  const { kind } = choice;
  if (choice.kind === 'address') {
    const { address } = choice;
    const key = await keyOf(choice, parts);
    return key ? { ...(await describe(key, parts)), address } : { kind: 'address', name: address, address };
  }
  if (choice.kind === 'command')
    return { kind, name: SettingFormat.formatSource(choice.source), address: choice.address };
  if (choice.kind === 'development')
    return { kind, name: choice.name, address: DevelopmentAccount.address(choice.index) };
  if (choice.kind === 'file') return { kind, name: choice.path, address: undefined };
  if (choice.kind === 'keystore') {
    const { name, address } = await (await walletFiles(parts)).find(choice.name);
    return { kind, name, address };
  }
  const { toKey } = await import('./secretFile.js');
  // Throws if it is not a key.
  toKey(choice.key.reveal(), choice.place);
  return { kind, name: choice.place, address: undefined };
}

async function toSigner(choice: Choice, parts: SignerAccess): Promise<Signer> {
  if (choice.kind === 'address') {
    const key = await keyOf(choice, parts);
    if (!key)
      throw new BaseError(
        'auth.no-account',
        `${choice.address} is watch-only here: there is no key for it to sign with on ${parts.network.name}.`,
        {
          hint: 'An address is enough for prices and balances. To sign, import its key, or name a command that signs with --account-signer; a key whose file names no address is selected by its name.',
          next: 'ferry key import main',
        },
      );
    return toSigner(key, parts);
  }
  if (choice.kind === 'command') return ofCommand(choice, parts);
  if (choice.kind === 'development') {
    const { name, index } = choice;
    const address = DevelopmentAccount.address(index);
    return { name, address, open: () => createAccount({ name, key: DevelopmentAccount.key(index) }) };
  }
  if (choice.kind === 'keystore') {
    const files = await walletFiles(parts);
    const stored = await files.find(choice.name);
    const key = async () => (await files.unlock(stored)).key.reveal() as Hex;
    const { name } = choice;
    if (stored.address)
      return { name, address: stored.address, open: async () => createAccount({ name, key: await key() }) };
    return ofKey(name, await key());
  }
  const { read, toKey } = await import('./secretFile.js');
  const [name, secret] =
    choice.kind === 'file'
      ? [choice.path, await read('key', choice.path, parts.host)]
      : [choice.place, toKey(choice.key.reveal(), choice.place)];
  return ofKey(name, secret.reveal() as Hex);
}

async function walletFiles(parts: SignerAccess) {
  return (await import('./keystoreFolder.js')).walletFiles(parts);
}

/** The key of an address: a development key on the sandbox, a stored key, or one that is configured as well. */
async function keyOf(
  { address, others }: Choice & { kind: 'address' },
  parts: SignerAccess,
): Promise<KeyChoice | undefined> {
  const index = parts.network.name === 'sandbox' ? DevelopmentAccount.indexOf(address) : undefined;
  if (index !== undefined) return { kind: 'development', name: `dev${index}`, index };
  const stored = await (await walletFiles(parts)).list();
  const found = stored.find((each) => each.address !== undefined && Address.isEqual(each.address, address));
  if (found) return { kind: 'keystore', name: found.name };
  for (const other of others) if (Address.isEqual((await toSigner(other, parts)).address, address)) return other;
  return undefined;
}

async function ofKey(name: string, key: Hex): Promise<Signer> {
  const { privateKeyToAddress } = await loadAccounts();
  return { name, address: privateKeyToAddress(key), open: () => createAccount({ name, key }) };
}

/**
 * A command of the user's own file runs in the folder of that file: in the working directory, what it names could be
 * a stranger's program.
 */
async function ofCommand({ command, source, address }: CommandChoice, { runSigner }: SignerAccess): Promise<Signer> {
  const folder = source.kind === 'user' ? dirname(source.path) : undefined;
  const open = async (): Promise<Account> => {
    const SigningAnswer = await import('../../core/signing/SigningAnswer.js');
    return assertPlace(SigningAnswer.account({ address, run: (input) => runSigner(command, input, folder) }));
  };
  return { name: address, address, open };
}

const ranks: readonly Source['kind'][] = ['flag', 'env', 'user'];

/** The choice, where a name of the address book stands for its address. @throws usage.invalid if a key has it too */
async function choose(parts: SignerAccess): Promise<Choice> {
  const { config, network } = parts;
  const { account, aliases } = config;
  const name = account.value;
  if (name === undefined || !aliases.has(name) || named(name, network).kind !== 'keystore')
    return configured(config, network) ?? (await noAccount(parts));
  const AddressBook = await import('../../core/accounts/AddressBook.js');
  const address = AddressBook.find(Config.addressBook(config), name);
  const choice = configured({ ...config, account: { ...account, value: address ?? name } }, network);
  if (!choice) return noAccount(parts);
  if (address === undefined) return choice;
  if (choice.kind !== 'address' && choice.kind !== 'command') return choice;
  AddressBook.assertNoKey({ name, address }, await (await walletFiles(parts)).list());
  return choice;
}

/**
 * Flags override variables, which override the user file. Within a source, a command overrides a key file, then a key,
 * then a name. A command signs for the address that is selected wherever.
 */
function configured(config: Config.Config, network: Network): Choice | undefined {
  const { accountSigner, keyFile, privateKey, account } = config;
  if (keyFile.source.kind === 'flag')
    for (const [flag, { source }] of [
      ['--account', account],
      ['--account-signer', accountSigner],
    ] as const)
      if (source.kind === 'flag')
        throw new BaseError('usage.invalid', `--key-file and ${flag} cannot be combined: each selects the signer.`);
  const { file, key } = keysIn(config);
  for (const rank of ranks) {
    if (accountSigner.source.kind === rank) return signedBy(accountSigner, account);
    if (file && keyFile.source.kind === rank) return file;
    if (key && privateKey.source.kind === rank) return key;
    if (account.value === undefined || account.source.kind !== rank) continue;
    if (!isAddress(account.value)) return named(account.value, network);
    if (accountSigner.value !== undefined) return signedBy(accountSigner, account);
    const others = [key, file?.path === '-' ? undefined : file].filter((each) => each !== undefined);
    return { kind: 'address', address: Address.from(account.value, 'account'), others };
  }
  return network.name === 'sandbox' ? named('dev0', network) : undefined;
}

/** @throws auth.no-account that names the keys there are */
async function noAccount(parts: SignerAccess): Promise<never> {
  const { network } = parts;
  const stored = await (await walletFiles(parts)).list().catch(() => []);
  const [first] = stored;
  throw new BaseError('auth.no-account', `No account is selected to sign on ${network.name}.`, {
    facts: first ? [['keys', stored.map(({ name }) => name).join(', ')]] : [],
    hint: first
      ? 'Select a key for one command with --account, or for every command on the network with the setting.'
      : 'Create or import a key, then select it with --account. In CI, set FERRY_PRIVATE_KEY.',
    next: first
      ? ShellCommand.line`ferry config set account ${first.name} --network ${network.name}`
      : 'ferry key new main',
  });
}

function keysIn({ keyFile, privateKey }: Config.Config): {
  file: (KeyChoice & { kind: 'file' }) | undefined;
  key: KeyChoice | undefined;
} {
  const place = 'name' in privateKey.source ? privateKey.source.name : '';
  return {
    file: keyFile.value === undefined ? undefined : { kind: 'file', path: keyFile.value },
    key: privateKey.value === undefined ? undefined : { kind: 'key', key: privateKey.value, place },
  };
}

/** @throws usage.missing unless the account is selected by its address, which the signatures are held to */
function signedBy(
  { value: command = '', source }: Config.Config['accountSigner'],
  account: Config.Config['account'],
): CommandChoice {
  if (account.value === undefined || !isAddress(account.value)) {
    const place = SettingFormat.formatSource(source);
    throw new BaseError('usage.missing', `The command in ${place} signs for an address, and none is selected.`, {
      facts: account.value === undefined ? [] : [['account', account.value]],
      hint: 'Select the account by its address, with --account 0x…: what the command signs must be signed by it.',
    });
  }
  return { kind: 'command', command, source, address: Address.from(account.value, 'account') };
}

/** Whether the account is selected by its address; its checksum is not looked at yet. */
function isAddress(text: string): boolean {
  return /^0x[0-9a-fA-F]{40}$/.test(text);
}

function named(name: string, network: Network): KeyChoice {
  const index = DevelopmentAccount.index(name);
  if (index === undefined) return { kind: 'keystore', name };
  if (network.name !== 'sandbox') throw DevelopmentAccount.developmentKey(name, network.name);
  return { kind: 'development', name, index };
}
