import * as KeyListing from '../../core/accounts/KeyListing.js';
import { define } from '../../core/command/Command.js';

export const command = define({
  description:
    'Makes a new key and keeps it in a file, encrypted with a password. The file is all there is: without it and its password, what the key holds is lost.',
  args: [{ name: 'name', description: 'what to call the account' }],
  options: {
    passwordFile: { type: 'string', value: 'file', description: 'a file that holds the password, or - for stdin' },
  },
  examples: [
    ['ferry key new main', 'asks for a password'],
    ['ferry key new ci --password-file ~/.ferry-password', 'without asking'],
  ],
  output: KeyListing.schema,
  async run({ args: [name = ''] }, { keystore }) {
    return KeyListing.from(await keystore.create(name));
  },
  view: (key, style) => KeyListing.format(key, 'Made', style),
});
