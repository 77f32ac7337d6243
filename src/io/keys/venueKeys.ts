/** API keys of venue accounts: the encrypted files beside the wallet keys, and the choice of the one that signs. */

import { randomUUID } from 'node:crypto';
import { chmod, readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type * as KeyStores from '../../core/accounts/KeyStores.js';
import type { VenueSigner } from '../../core/accounts/KeyStores.js';
import * as Keystore from '../../core/accounts/Keystore.js';
import type { PasswordRule } from '../../core/accounts/PasswordRule.js';
import type { VenueAccount } from '../../core/accounts/VenueAccount.js';
import * as VenueKeyFile from '../../core/accounts/VenueKeyFile.js';
import { BaseError } from '../../core/base/Errors.js';
import type * as Secret from '../../core/base/Secret.js';
import type { Config } from '../../core/config/Config.js';
import type { Source } from '../../core/config/SettingFormat.js';
import * as DevelopmentAccount from '../../core/network/DevelopmentAccount.js';
import type { Network } from '../../core/network/Network.js';
import * as ShellCommand from '../../core/text/ShellCommand.js';
import * as paths from '../state/paths.js';
import * as keystoreCipher from './keystoreCipher.js';
import * as keystoreFolder from './keystoreFolder.js';
import * as secretFile from './secretFile.js';
import { createVenueSigner } from './venueSigner.js';

/** The account that a key signs for. */
type Paying = Pick<VenueAccount, 'index' | 'wallet'>;

export type VenueKeyAccess = keystoreFolder.KeystoreAccess & { config: Config; network: Network };

/** Creates the store of API keys that commands use. */
export function createVenueKeys(parts: VenueKeyAccess): KeyStores.VenueKeys {
  const find = async (name: string): Promise<KeyStores.StoredVenueKey> => byName(await list(parts), name, parts);
  return {
    list: () => list(parts),
    text: async (name) => keystoreFolder.readText((await find(name)).path),
    add: (name, file, place) => add(name, file, place, parts),
    addEncrypted: (name, file, rule = {}) => addEncrypted(name, file, { ...parts, rule }),
    async changePassword(name, newPasswordFile, rule = {}) {
      const { path } = await find(name);
      const file = { name, path, text: await keystoreFolder.readText(path) };
      const { key } = await open(file, parts);
      await keystoreFolder.replacePassword(file, key, { parts, newPasswordFile, rule });
    },
    async remove(name) {
      const stored = (await list(parts)).find((each) => each.name === name);
      if (stored)
        await unlink(stored.path).catch((error: NodeJS.ErrnoException) => {
          throw keystoreFolder.unwritableKeystoreError(stored.path, error);
        });
      return stored;
    },
    async rename(name, to) {
      const stored = (await list(parts)).find((each) => each.name === name);
      if (!stored) return undefined;
      await keystoreFolder.assertFree(to, paths.keys(parts.host));
      const path = join(folder(parts.host), to);
      keystoreFolder.renameFile(stored.path, { name: to, path });
      return { ...stored, name: to, path };
    },
    unlock: (account, apiKeyIndex) => unlock(account, apiKeyIndex, parts),
  };
}

/** The folder of the key files, inside the wallet keys' folder, with a name that no wallet key can have. */
export function folder(host: paths.Environment): string {
  return join(paths.keys(host), paths.venueFolder);
}

/** The stored API keys, sorted by name. Other files are skipped. @throws auth.keystore if the folder is unreadable */
async function list(parts: Pick<VenueKeyAccess, 'host'>): Promise<KeyStores.StoredVenueKey[]> {
  const directory = folder(parts.host);
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new Keystore.KeystoreError(directory, error.code ?? 'unknown');
  });
  const stored: KeyStores.StoredVenueKey[] = [];
  for (const name of names.filter(Keystore.isName).sort()) {
    const path = join(directory, name);
    try {
      const { network, accountIndex, apiKeyIndex, publicKey } = VenueKeyFile.from(
        await keystoreFolder.readText(path),
        path,
      );
      stored.push({ name, path, network, accountIndex, apiKeyIndex, publicKey });
    } catch (error) {
      if (!(error instanceof Keystore.KeystoreError)) throw error;
    }
  }
  return stored;
}

/**
 * Stores a key under a name that neither a wallet key nor another API key has.
 *
 * @throws auth.* · prompt.* · config.unwritable
 */
async function add(
  name: string,
  file: string | undefined,
  { weakPassword, ...place }: VenueKeyFile.Place & PasswordRule,
  parts: VenueKeyAccess,
): Promise<KeyStores.StoredVenueKey> {
  await keystoreFolder.assertFree(name, paths.keys(parts.host));
  const key =
    file === undefined ? await secretFile.askVenueKey(parts) : await secretFile.readVenueKey(file, parts.host);
  return keep(name, { key, place, password: () => keystoreFolder.newPassword(name, { weakPassword }, parts) }, parts);
}

/** Imports a key file that ferry encrypted before, and keeps its password. */
async function addEncrypted(
  name: string,
  file: KeyStores.EncryptedFile,
  { rule, ...parts }: VenueKeyAccess & { rule: PasswordRule },
): Promise<KeyStores.StoredVenueKey> {
  await keystoreFolder.assertFree(name, paths.keys(parts.host));
  const { network, accountIndex, apiKeyIndex } = VenueKeyFile.from(file.text, file.path);
  const { key, password } = await open({ name, ...file }, parts);
  const kept = (): Promise<string> => keystoreFolder.keptPassword(name, password, { ...rule, parts });
  return keep(name, { key, place: { network, accountIndex, apiKeyIndex }, password: kept }, parts);
}

async function keep(
  name: string,
  { key, place, password }: { key: Secret.Secret; place: VenueKeyFile.Place; password: () => Promise<string> },
  parts: VenueKeyAccess,
): Promise<KeyStores.StoredVenueKey> {
  const path = join(folder(parts.host), name);
  const { publicKey } = await signerOf(name, key, parts.host.randomBytes);
  const encrypted = await keystoreCipher.encrypt(key, await password(), parts.host);
  const text = VenueKeyFile.format({ ...encrypted, ...place, publicKey }, randomUUID());
  keystoreFolder.createFile(name, path, text);
  await chmod(folder(parts.host), 0o700).catch(() => {});
  return { name, path, ...place, publicKey };
}

/**
 * Unlocks the key that signs for an account: the one a flag or variable selects, else the stored key of the account,
 * else, on the sandbox, the public development key.
 *
 * @throws auth.venue-key · auth.keystore · auth.password · prompt.*
 */
async function unlock(account: Paying, apiKeyIndex: number | undefined, parts: VenueKeyAccess): Promise<VenueSigner> {
  const { config, host, network } = parts;
  const choice = choose(config);
  if (choice.kind === 'file')
    return signerOf(choice.path, await secretFile.readVenueKey(choice.path, host), host.randomBytes);
  if (choice.kind === 'key')
    return signerOf(choice.place, secretFile.toVenueKey(choice.key.reveal(), choice.place), host.randomBytes);
  const stored = await find(choice.name, account, apiKeyIndex, parts);
  if (stored) return (await open({ ...stored, text: await keystoreFolder.readText(stored.path) }, parts)).signer;
  const index = DevelopmentAccount.indexOf(account.wallet);
  if (network.name === 'sandbox' && index !== undefined)
    return signerOf(`dev${index}`, secretFile.toVenueKey(DevelopmentAccount.venueKey(index), ''), host.randomBytes);
  throw new BaseError('auth.venue-key', `ferry has no API key for venue account ${account.index}.`, {
    facts: [['wallet', account.wallet]],
    hint: 'Import a key that is registered there, or pass it with --venue-key-file. In CI, set FERRY_VENUE_PRIVATE_KEY. ferry never registers keys.',
    next: ShellCommand.line`ferry key import venue --venue-account ${account.index} --api-key-index <slot> --network ${network.name}`,
  });
}

type Choice =
  | { kind: 'file'; path: string }
  | { kind: 'key'; key: Secret.Secret; place: string }
  /** Without a name, the key of the account. */
  | { kind: 'stored'; name: string | undefined };

const ranks: readonly Source['kind'][] = ['flag', 'env', 'user'];

/** Flags override variables, which override the user file. Within a source, a key file overrides a key, then a name. */
function choose({ venueKeyFile: file, venuePrivateKey: key, venueKey: name }: Config): Choice {
  if (file.source.kind === 'flag' && name.source.kind === 'flag')
    throw new BaseError(
      'usage.invalid',
      '--venue-key-file and --venue-key cannot be combined: each selects the signing key.',
    );
  for (const rank of ranks) {
    if (file.value !== undefined && file.source.kind === rank) return { kind: 'file', path: file.value };
    if (key.value && key.source.kind === rank)
      return { kind: 'key', key: key.value, place: 'name' in key.source ? key.source.name : '' };
    if (name.value !== undefined && name.source.kind === rank) return { kind: 'stored', name: name.value };
  }
  return { kind: 'stored', name: undefined };
}

/** Finds the stored key by name, or that of the account. @throws auth.unknown-account · auth.venue-key */
async function find(
  name: string | undefined,
  account: Paying,
  apiKeyIndex: number | undefined,
  parts: VenueKeyAccess,
): Promise<KeyStores.StoredVenueKey | undefined> {
  const stored = await list(parts);
  if (name !== undefined) return byName(stored, name, parts);
  const fitting = stored.filter(
    (each) =>
      each.network === parts.network.name &&
      each.accountIndex === account.index &&
      (apiKeyIndex === undefined || each.apiKeyIndex === apiKeyIndex),
  );
  if (fitting.length > 1)
    throw new BaseError('auth.venue-key', `There are several API keys for venue account ${account.index}.`, {
      facts: fitting.map(({ name, apiKeyIndex }) => [name, `slot ${apiKeyIndex}`] as const),
      hint: 'Select one with --venue-key or --api-key-index.',
    });
  return fitting[0];
}

/** @throws auth.unknown-account */
function byName(
  stored: readonly KeyStores.StoredVenueKey[],
  name: string,
  { host }: Pick<VenueKeyAccess, 'host'>,
): KeyStores.StoredVenueKey {
  const found = stored.find((each) => each.name === name);
  if (found) return found;
  throw keystoreFolder.unknownAccountError(
    name,
    folder(host),
    stored.map((each) => each.name),
  );
}

type Opened = { key: Secret.Secret; signer: VenueSigner; password: string };

/** Decrypts a key file; returns the key, its signer and its password. */
async function open(
  { name, path, text }: KeyStores.EncryptedFile & { name: string },
  parts: VenueKeyAccess,
): Promise<Opened> {
  const file = VenueKeyFile.from(text, path);
  const decrypt = (password: string): Promise<Buffer> => keystoreCipher.decrypt(file, password, name);
  const { opened, password } = await keystoreFolder.withPassword(name, parts, decrypt);
  const key = secretFile.toVenueKey(opened.toString('hex'), path);
  const signer = await signerOf(name, key, parts.host.randomBytes);
  if (signer.publicKey !== file.publicKey)
    throw new Keystore.KeystoreError(path, `it names the public key ${file.publicKey}, but holds another key`);
  return { key, signer, password };
}

async function signerOf(
  name: string,
  secret: Secret.Secret,
  random: (bytes: number) => Uint8Array,
): Promise<VenueSigner> {
  return createVenueSigner({ name, key: secret.reveal(), random });
}
