import * as KeyListing from '../../core/accounts/KeyListing.js';
import * as PasswordRule from '../../core/accounts/PasswordRule.js';
import { define } from '../../core/command/Command.js';
import { lookUp } from '../../setup/findKey.js';

export const command = define({
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
