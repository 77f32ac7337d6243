import * as z from 'zod/mini';
import * as KeyListing from '../core/accounts/KeyListing.js';
import type { EncryptedFile, KeyFiles } from '../core/accounts/KeyStores.js';
import * as Mnemonic from '../core/accounts/Mnemonic.js';
import * as PasswordRule from '../core/accounts/PasswordRule.js';
import * as VenueKeyFile from '../core/accounts/VenueKeyFile.js';
import { BaseError } from '../core/base/Errors.js';
import { define } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import * as SettingFormat from '../core/config/SettingFormat.js';
import * as DevelopmentAccount from '../core/network/DevelopmentAccount.js';
import * as ShellCommand from '../core/text/ShellCommand.js';
import * as TerminalText from '../core/text/TerminalText.js';

const create = define({
  description:
    'Creates a key in a file encrypted with a password. There is no other copy: without the file and its password, the funds of the key are lost. With --mnemonic there is one: twelve words (BIP-39), shown once on the terminal and kept nowhere, from which every wallet derives the key again.',
  args: [{ name: 'name', description: 'a name for the account' }],
  options: {
    passwordFile: { value: 'file', description: 'a file with the password, or - for stdin' },
    ...Mnemonic.newFlags,
    ...PasswordRule.flags,
  },
  examples: [
    ['ferry key new main', 'prompts for a password'],
    ['ferry key new ci --password-file ~/.ferry-password', 'without prompts'],
    ['ferry key new savings --mnemonic', 'with twelve words to write down'],
  ],
  output: KeyListing.schema,
  async run({ args: [name = ''], weakPassword, ...words }, { keystore }) {
    const derivation = Mnemonic.newFrom(words);
    if (derivation) return KeyListing.from(await keystore.createFromWords(name, derivation, { weakPassword }));
    return KeyListing.from(await keystore.create(name, { weakPassword }));
  },
  view(key, style, _, place) {
    const network = place && place.name !== 'sandbox' ? { network: place.name } : {};
    const next = ShellCommand.from('doctor', [], { account: key.name, ...network });
    return `${KeyListing.format(key, 'Created', style)}\n${style.dim('next:')} ${style.command(next)}`;
  },
});

const importKey = define({
  description:
    'Imports an existing private key into a file encrypted with a password: a wallet key, or with --venue-account the API key of a venue account. The key is prompted for, or read from a file or stdin; it is never an argument, which other users could see. With --mnemonic it is derived from the words of another wallet (BIP-39), which are not kept. With --keystore it comes from a file that cast wallet, geth or ferry encrypted, and keeps its password.',
  args: [{ name: 'name', description: 'a name for the account' }],
  options: {
    venueAccount: { value: 'index', description: 'import an API key of this venue account' },
    apiKeyIndex: { value: 'slot', description: 'the slot in which the API key is registered' },
    keyFile: { value: 'file', description: 'a file with the key or its words, or - for stdin' },
    keystore: { value: 'file', description: 'an encrypted key file (Web3 V3), or - for stdin' },
    ...Mnemonic.flags,
    passwordFile: { value: 'file', description: 'a file with the password, or - for stdin' },
    ...PasswordRule.flags,
  },
  examples: [
    ['ferry key import main', 'prompts for the key and a password'],
    ['ferry key import ci --key-file key.txt --password-file password.txt', 'without prompts'],
    ['ferry key import venue --venue-account 100 --api-key-index 4', 'an API key of the venue'],
    ['ferry key import main --keystore ~/.foundry/keystores/main', 'a key from cast wallet'],
    ['ferry key import main --mnemonic --mnemonic-index 1', 'the second address of a wallet, by its words'],
    ['pass show eth/main | ferry key import main --key-file -', 'from a password manager'],
  ],
  output: KeyListing.schema,
  async run({ args: [name = ''], keyFile, keystore: encrypted, passwordFile, weakPassword, ...rest }, context) {
    const { keystore, venueKeys, network } = context;
    const { mnemonic, mnemonicIndex, ...slot } = rest;
    const { venueAccount, apiKeyIndex } = slot;
    const words = Mnemonic.from({ mnemonic, mnemonicIndex });
    if (words && (encrypted !== undefined || venueAccount !== undefined || apiKeyIndex !== undefined))
      throw new BaseError('usage.invalid', '--mnemonic imports a wallet key from its words alone.', {
        hint: 'Leave out --keystore, --venue-account and --api-key-index.',
      });
    if (encrypted !== undefined) {
      if (keyFile !== undefined || venueAccount !== undefined || apiKeyIndex !== undefined)
        throw new BaseError(
          'usage.invalid',
          '--keystore cannot be combined with them: the file itself says which key it holds.',
          {
            hint: 'Leave out --key-file, --venue-account and --api-key-index.',
          },
        );
      if (encrypted === '-' && passwordFile === '-') throw KeyListing.oneInput(['--keystore', '--password-file']);
      const file = await readEncrypted(encrypted, context);
      if (!VenueKeyFile.isOne(file.text))
        return KeyListing.from(await keystore.addEncrypted(name, file, { weakPassword }));
      return KeyListing.fromVenue(await (await venueKeys()).addEncrypted(name, file, { weakPassword }));
    }
    if (keyFile === '-' && passwordFile === '-') throw KeyListing.oneInput(['--key-file', '--password-file']);
    if (words) return KeyListing.from(await keystore.addFromWords(name, keyFile, words, { weakPassword }));
    const place = placeOf(slot, network);
    if (!place) return KeyListing.from(await keystore.add(name, keyFile, { weakPassword }));
    return KeyListing.fromVenue(await (await venueKeys()).add(name, keyFile, { ...place, weakPassword }));
  },
  view: (key, style) => KeyListing.format(key, 'Imported', style),
});

async function readEncrypted(path: string, { files }: Context): Promise<EncryptedFile> {
  const hints = { missing: 'cast wallet keeps its own in ~/.foundry/keystores.', notPiped: 'Name a file instead.' };
  const expected = { what: 'keystore', maxBytes: 65_536, code: 'auth.keystore', hints } as const;
  return { path: path === '-' ? 'stdin' : path, text: await files.read(path, expected) };
}

/** The venue account and slot of an API key; undefined for a wallet key. @throws usage.* */
function placeOf(
  { venueAccount, apiKeyIndex }: { venueAccount?: string | undefined; apiKeyIndex?: string | undefined },
  network: Context['network'],
): { network: string; accountIndex: number; apiKeyIndex: number } | undefined {
  if (venueAccount === undefined && apiKeyIndex === undefined) return undefined;
  if (venueAccount === undefined || apiKeyIndex === undefined)
    throw new BaseError('usage.missing', 'A venue API key needs both --venue-account and --api-key-index.');
  return {
    network: network.name,
    accountIndex: SettingFormat.option(SettingFormat.index, venueAccount, '--venue-account'),
    apiKeyIndex: SettingFormat.option(SettingFormat.slot, apiKeyIndex, '--api-key-index'),
  };
}

const list = define({
  description:
    'Lists the accounts that can sign: encrypted keys, API keys of venue accounts and, on the sandbox, the development accounts. Nothing is unlocked.',
  examples: [['ferry key list', 'names and addresses']],
  output: z.object({
    folder: z.string(),
    keys: z.array(KeyListing.schema),
    /** Paths of key files in the folder whose names ferry does not take; `ferry key import <name> --keystore` does. */
    unnamed: z.array(z.string()),
    /** `dev0` to `dev9` on the sandbox; empty on other networks. */
    development: z.array(z.object({ name: z.string(), address: z.string() })),
  }),
  async run(_options, { keystore, venueKeys, network }) {
    const apiKeys = await (await venueKeys()).list();
    return {
      folder: keystore.folder,
      keys: [...(await keystore.list()).map(KeyListing.from), ...apiKeys.map(KeyListing.fromVenue)],
      unnamed: [...(await keystore.unnamed())],
      development: network.name === 'sandbox' ? KeyListing.development() : [],
    };
  },
  view: KeyListing.formatList,
});

const show = define({
  description:
    'Shows one key: its kind, its address or venue account, and its file. Nothing is unlocked, and the private key is never shown.',
  args: [{ name: 'name', names: 'key', description: 'the key, or dev0 to dev9 on the sandbox' }],
  examples: [
    ['ferry key show main', 'its address and file'],
    ['ferry key show main --json | jq -r .data.address', 'the address alone'],
  ],
  output: KeyListing.shown,
  async run({ args: [name = ''] }, context) {
    const index = context.network.name === 'sandbox' ? DevelopmentAccount.index(name) : undefined;
    if (index !== undefined) return KeyListing.showDevelopment(index);
    return KeyListing.show((await lookUp(name, context)).key);
  },
  view: KeyListing.formatShown,
});

/** Looks up a key of a wallet or of the venue without unlocking it. @throws auth.unknown-account · auth.keystore */
async function lookUp(
  name: string,
  { keystore, venueKeys }: Context,
): Promise<{ key: KeyListing.StoredKey; files: KeyFiles }> {
  const apiKeys = await venueKeys();
  const apiKey = (await apiKeys.list()).find((each) => each.name === name);
  if (apiKey) return { key: KeyListing.fromVenue(apiKey), files: apiKeys };
  return { key: KeyListing.from(await keystore.find(name)), files: keystore };
}

const exportKey = define({
  description:
    'Copies a key’s encrypted file, for another machine or as a backup. The copy opens with the key’s password in ferry, cast wallet and geth; ferry never exports a key unencrypted.',
  args: [{ name: 'name', names: 'key', description: 'the key' }],
  options: {
    output: { short: 'o', value: 'file', description: 'the file to write, readable by you alone' },
  },
  examples: [
    ['ferry key export main -o main.json', 'to import elsewhere: ferry key import main --keystore main.json'],
    ['ferry key export main -o main.json --yes', 'overwrite an existing file without asking'],
  ],
  output: z.object({
    ...KeyListing.schema.shape,
    /** The path of the copy. */
    to: z.string(),
  }),
  async run({ args: [name = ''], output }, context) {
    if (output === undefined)
      throw new BaseError('usage.missing', 'No output file is given.', {
        next: ShellCommand.line`ferry key export ${name} -o ${name}.json`,
      });
    if (output === '-')
      throw new BaseError('usage.invalid', 'A key is written to a file that only you can read, not to stdout.', {
        next: ShellCommand.line`ferry key export ${name} -o ${name}.json`,
      });
    const { key, files: keyFiles } = await lookUp(name, context);
    const text = await keyFiles.text(name);
    const { path, isNew } = await context.files.create(output, text);
    if (!isNew) {
      if (await context.keystore.holds(path))
        throw new BaseError('auth.key-exists', 'That file is in ferry’s key folder.', {
          facts: [['file', path]],
          hint: 'ferry never overwrites a key. Name another file.',
        });
      await context.confirm(`Overwrite ${TerminalText.escape(path)}?`);
      await context.files.write(path, text);
    }
    return { ...key, to: path };
  },
  view: ({ to, ...key }, style) => KeyListing.format({ ...key, path: to }, 'Exported', style),
  note: ({ name }) => `It opens with the password of ${name}.`,
});

const password = define({
  description:
    'Changes the password of a key. The old file stays until the new one is complete and has been opened once, so a crash leaves one or the other. Earlier copies keep the old password.',
  args: [{ name: 'name', names: 'key', description: 'the key' }],
  options: {
    passwordFile: { value: 'file', description: 'a file with the current password, or - for stdin' },
    newPasswordFile: { value: 'file', description: 'a file with the new password, or - for stdin' },
    ...PasswordRule.flags,
  },
  examples: [
    ['ferry key password main', 'prompts for both passwords'],
    ['ferry key password ci --password-file old.txt --new-password-file new.txt', 'without prompts'],
  ],
  output: KeyListing.schema,
  async run({ args: [name = ''], passwordFile, newPasswordFile, weakPassword }, context) {
    if (passwordFile === '-' && newPasswordFile === '-')
      throw KeyListing.oneInput(['--password-file', '--new-password-file']);
    const { key, files } = await lookUp(name, context);
    await files.changePassword(name, newPasswordFile, { weakPassword });
    return key;
  },
  view: (key, style) => KeyListing.format(key, 'Changed the password of', style),
});

const rename = define({
  description:
    'Gives a key another name. Its file, its password and its address stay the same. A name that a key has is not taken.',
  args: [
    { name: 'name', names: 'key', description: 'the key' },
    { name: 'new-name', description: 'its new name' },
  ],
  examples: [
    ['ferry key rename main savings', 'main is savings from now on'],
    ['ferry key rename main savings --json | jq -r .data.path', 'the path of its file'],
  ],
  output: KeyListing.schema,
  async run({ args: [name = '', to = ''] }, { keystore, venueKeys, config, warn }) {
    const apiKey = await (await venueKeys()).rename(name, to);
    const key = apiKey ? KeyListing.fromVenue(apiKey) : KeyListing.from(await keystore.rename(name, to));
    const setting = apiKey ? config.venueKey : config.account;
    if (setting.value === name)
      warn(
        `Your settings name the old one: ${ShellCommand.from('config set', [apiKey ? 'venueKey' : 'account', to], {})}`,
      );
    return key;
  },
  view: (key, style) => KeyListing.format(key, 'Renamed', style),
});

const remove = define({
  description: 'Deletes the file of an encrypted key. Without a copy of it, the funds of the key are lost permanently.',
  args: [{ name: 'name', names: 'key', description: 'the key' }],
  examples: [
    ['ferry key remove old', 'after asking'],
    ['ferry key remove old --yes', 'without asking'],
  ],
  output: KeyListing.schema,
  async run({ args: [name = ''] }, { keystore, venueKeys, confirm }) {
    const apiKeys = await venueKeys();
    const apiKey = (await apiKeys.list()).find((each) => each.name === name);
    if (apiKey) {
      await confirm(`Delete the API key ${name} of venue account ${apiKey.accountIndex}?`);
      await apiKeys.remove(name);
      return KeyListing.fromVenue(apiKey);
    }
    const key = (await keystore.list()).find((each) => each.name === name);
    // An unknown name fails in remove(), without a question first.
    if (key) await confirm(`Permanently delete the key ${name} (${key.address ?? TerminalText.escape(key.path)})?`);
    return KeyListing.from(await keystore.remove(name));
  },
  view: (key, style) => KeyListing.format(key, 'Removed', style),
});

export const commands = { new: create, import: importKey, list, show, export: exportKey, password, rename, remove };
