import type { Context } from '../../context.js';
import { BaseError } from '../../core/Errors.js';
import * as Setting from '../../core/Setting.js';
import * as StoredKey from '../../core/StoredKey.js';
import { define } from '../Command.js';

export const command = define({
  description:
    'Keeps an existing private key in a file, encrypted with a password: a wallet’s, or with --venue-account an API key of a venue account. The key is asked, or read from a file or from stdin; it is never an argument, where others could see it.',
  args: [{ name: 'name', description: 'what to call the account' }],
  options: {
    venueAccount: { type: 'string', value: 'index', description: 'it is an API key of this account of the venue' },
    apiKeyIndex: { type: 'string', value: 'slot', description: 'the slot in which that key is registered' },
    keyFile: { type: 'string', value: 'file', description: 'the file that holds the key, or - for stdin' },
    passwordFile: { type: 'string', value: 'file', description: 'a file that holds the password, or - for stdin' },
  },
  examples: [
    ['ferry key import main', 'asks for the key and for a password'],
    ['ferry key import ci --key-file key.txt --password-file password.txt', 'without asking'],
    ['ferry key import venue --venue-account 100 --api-key-index 4', 'an API key of the venue'],
    ['pass show eth/main | ferry key import main --key-file -', 'from a password manager'],
  ],
  output: StoredKey.schema,
  async run({ args: [name = ''], keyFile, passwordFile, venueAccount, apiKeyIndex }, { keystore, venueKeys, network }) {
    if (keyFile === '-' && passwordFile === '-') throw new StoredKey.OneInputError();
    const place = placeOf({ venueAccount, apiKeyIndex }, network);
    if (!place) return StoredKey.from(await keystore.add(name, keyFile));
    return StoredKey.fromVenue(await (await venueKeys()).add(name, keyFile, place));
  },
  view: (key, style) => StoredKey.format(key, 'Imported', style),
});

/** Which account and slot of the venue it is for; undefined for a wallet's key. @throws usage.* */
function placeOf(
  { venueAccount, apiKeyIndex }: { venueAccount: string | undefined; apiKeyIndex: string | undefined },
  network: Context['network'],
): { network: string; accountIndex: number; apiKeyIndex: number } | undefined {
  if (venueAccount === undefined && apiKeyIndex === undefined) return undefined;
  if (venueAccount === undefined || apiKeyIndex === undefined)
    throw new BaseError('usage.missing', 'An API key of the venue needs --venue-account and --api-key-index.');
  const [account, slot] = [Setting.index.read(venueAccount), Setting.slot.read(apiKeyIndex)];
  if (!account) throw new BaseError('usage.invalid', `--venue-account must be ${Setting.index.expects}.`);
  if (!slot) throw new BaseError('usage.invalid', `--api-key-index must be ${Setting.slot.expects}.`);
  return { network: network.name, accountIndex: account.value, apiKeyIndex: slot.value };
}
