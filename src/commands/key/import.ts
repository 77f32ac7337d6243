import * as StoredKey from '../../core/StoredKey.js';
import { define } from '../Command.js';

export const command = define({
  description:
    'Keeps an existing private key in a file, encrypted with a password. The key is asked, or read from a file or from stdin; it is never an argument, where others could see it.',
  args: [{ name: 'name', description: 'what to call the account' }],
  options: {
    keyFile: { type: 'string', value: 'file', description: 'the file that holds the key, or - for stdin' },
    passwordFile: { type: 'string', value: 'file', description: 'a file that holds the password, or - for stdin' },
  },
  examples: [
    ['ferry key import main', 'asks for the key and for a password'],
    ['ferry key import ci --key-file key.txt --password-file password.txt', 'without asking'],
    ['pass show eth/main | ferry key import main --key-file -', 'from a password manager'],
  ],
  output: StoredKey.schema,
  async run({ args: [name = ''], keyFile, passwordFile }, { keystore }) {
    if (keyFile === '-' && passwordFile === '-') throw new StoredKey.OneInputError();
    return StoredKey.from(await keystore.add(name, keyFile));
  },
  view: (key, style) => StoredKey.format(key, 'Imported', style),
});
