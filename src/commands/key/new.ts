import * as KeyListing from '../../core/accounts/KeyListing.js';
import * as PasswordRule from '../../core/accounts/PasswordRule.js';
import { define } from '../../core/command/Command.js';

export const command = define({
  description:
    'Creates a key in a file encrypted with a password. There is no other copy: without the file and its password, the funds of the key are lost.',
  args: [{ name: 'name', description: 'a name for the account' }],
  options: {
    passwordFile: { type: 'string', value: 'file', description: 'a file with the password, or - for stdin' },
    ...PasswordRule.flags,
  },
  examples: [
    ['ferry key new main', 'prompts for a password'],
    ['ferry key new ci --password-file ~/.ferry-password', 'without prompts'],
  ],
  output: KeyListing.schema,
  async run({ args: [name = ''], weakPassword }, { keystore }) {
    return KeyListing.from(await keystore.create(name, { weakPassword }));
  },
  view: (key, style) => KeyListing.format(key, 'Created', style),
});
