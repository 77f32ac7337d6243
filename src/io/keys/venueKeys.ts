/** API keys of venue accounts: the encrypted files beside the wallet keys, and the choice of the one that signs. */

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type * as KeyStores from '../../core/accounts/KeyStores.js';
import type { VenueSigner } from '../../core/accounts/KeyStores.js';
import * as Keystore from '../../core/accounts/Keystore.js';
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
import * as keystoreFolder from './keystoreFolder.js';
import * as secretFile from './secretFile.js';
import { createVenueSigner } from './venueSigner.js';

type Paying = Pick<VenueAccount, 'index' | 'wallet'>;

export type VenueKeyAccess = keystoreFolder.KeystoreAccess & { config: Config; network: Network };

export function createVenueKeys(parts: VenueKeyAccess): KeyStores.VenueKeys {
  const { host } = parts;
  const files = filesOf(parts);
  const isThere = async (name: string): Promise<boolean> => (await files.list()).some((each) => each.name === name);
  const keep = async (
    name: string,
    { key, place, password }: { key: Secret.Secret; place: VenueKeyFile.KeySlot; password: () => Promise<string> },
  ): Promise<KeyStores.StoredVenueKey> => {
    const { publicKey } = await signerOf(name, key, host.randomBytes);
    const said = { ...place, publicKey };
    const format = (encrypted: Keystore.Encrypted): string =>
      VenueKeyFile.format({ ...encrypted, ...said }, randomUUID());
    return files.keep({ name, said, key, password: await password(), format });
  };
  return {
    ...files,
    // A name that neither a wallet key nor another API key has.
    async add(name, file, { weakPassword, ...place }) {
      await keystoreFolder.assertFree(name, paths.keys(host));
      const key = await secretFile.readOrAsk('venueKey', file, parts);
      return keep(name, { key, place, password: () => keystoreFolder.newPassword(name, { weakPassword }, parts) });
    },
    async addEncrypted(name, file, rule = {}) {
      await keystoreFolder.assertFree(name, paths.keys(host));
      const { network, accountIndex, apiKeyIndex } = VenueKeyFile.from(file.text, file.path);
      const { opened, password } = await files.open({ name, ...file });
      const kept = (): Promise<string> => keystoreFolder.keptPassword(name, password, { ...rule, parts });
      return keep(name, { key: opened.key, place: { network, accountIndex, apiKeyIndex }, password: kept });
    },
    remove: async (name) => ((await isThere(name)) ? files.remove(name) : undefined),
    rename: async (name, to) => ((await isThere(name)) ? files.rename(name, to) : undefined),
    unlock: (account, apiKeyIndex) => unlock(account, apiKeyIndex, parts),
  };
}

type Said = Omit<KeyStores.StoredVenueKey, 'name' | 'path'>;

function filesOf(parts: VenueKeyAccess) {
  const kind: keystoreFolder.KeyKind<Said, { key: Secret.Secret; signer: VenueSigner }> = {
    read(text, path) {
      const { network, accountIndex, apiKeyIndex, publicKey, ...encrypted } = VenueKeyFile.from(text, path);
      return { said: { network, accountIndex, apiKeyIndex, publicKey }, encrypted };
    },
    async open(secret, { publicKey }, { name, path }) {
      const key = secretFile.toVenueKey(secret.toString('hex'), path);
      const signer = await signerOf(name, key, parts.host.randomBytes);
      if (signer.publicKey !== publicKey)
        throw new Keystore.KeystoreError(path, `it names the public key ${publicKey}, but holds another key`);
      return { key, signer };
    },
  };
  return keystoreFolder.createKeyFiles(kind, folder(parts.host), parts);
}

/** The folder of the key files, inside the wallet keys' folder, with a name that no wallet key can have. */
export function folder(host: paths.Environment): string {
  return join(paths.keys(host), paths.venueFolder);
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
    return signerOf(choice.path, await secretFile.read('venueKey', choice.path, host), host.randomBytes);
  if (choice.kind === 'key')
    return signerOf(choice.place, secretFile.toVenueKey(choice.key.reveal(), choice.place), host.randomBytes);
  const files = filesOf(parts);
  const stored =
    choice.name === undefined
      ? ofAccount(await files.list(), { ...account, network: network.name, apiKeyIndex })
      : await files.find(choice.name);
  if (stored) return (await files.unlock(stored)).signer;
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

/** The stored key of an account. @throws auth.venue-key if there are several */
function ofAccount(
  stored: readonly KeyStores.StoredVenueKey[],
  { index, network, apiKeyIndex }: Paying & { network: string; apiKeyIndex: number | undefined },
): KeyStores.StoredVenueKey | undefined {
  const fitting = stored.filter(
    (each) =>
      each.network === network &&
      each.accountIndex === index &&
      (apiKeyIndex === undefined || each.apiKeyIndex === apiKeyIndex),
  );
  if (fitting.length > 1)
    throw new BaseError('auth.venue-key', `There are several API keys for venue account ${index}.`, {
      facts: fitting.map(({ name, apiKeyIndex: slot }) => [name, `slot ${slot}`] as const),
      hint: 'Select one with --venue-key or --api-key-index.',
    });
  return fitting[0];
}

async function signerOf(
  name: string,
  secret: Secret.Secret,
  random: (bytes: number) => Uint8Array,
): Promise<VenueSigner> {
  return createVenueSigner({ name, key: secret.reveal(), random });
}
