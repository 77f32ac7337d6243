import * as KeyListing from '../../core/accounts/KeyListing.js';
import type { EncryptedFile } from '../../core/accounts/KeyStores.js';
import * as Mnemonic from '../../core/accounts/Mnemonic.js';
import * as PasswordRule from '../../core/accounts/PasswordRule.js';
import * as VenueKeyFile from '../../core/accounts/VenueKeyFile.js';
import { BaseError } from '../../core/base/Errors.js';
import { define } from '../../core/command/Command.js';
import type { Context } from '../../core/command/Context.js';
import * as SettingFormat from '../../core/config/SettingFormat.js';

export const command = define({
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
