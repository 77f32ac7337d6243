import * as StoredKey from '../../core/StoredKey.js';
import { define } from '../Command.js';
import { lookUp } from './lookUp.js';

export const command = define({
  description:
    'Changes the password of a key. The old file stays until the new one is whole and has been opened once, so that a crash leaves one or the other. Copies that were made before keep the old password.',
  args: [{ name: 'name', names: 'key', description: 'the key' }],
  options: {
    passwordFile: { type: 'string', value: 'file', description: 'a file that holds the password, or - for stdin' },
    newPasswordFile: { type: 'string', value: 'file', description: 'a file that holds the new one, or - for stdin' },
  },
  examples: [
    ['ferry key password main', 'asks for both'],
    ['ferry key password ci --password-file old.txt --new-password-file new.txt', 'without asking'],
  ],
  output: StoredKey.schema,
  async run({ args: [name = ''], passwordFile, newPasswordFile }, context) {
    if (passwordFile === '-' && newPasswordFile === '-')
      throw new StoredKey.OneInputError(['--password-file', '--new-password-file']);
    const { key, files } = await lookUp(name, context);
    await files.changePassword(name, newPasswordFile);
    return key;
  },
  view: (key, style) => StoredKey.format(key, 'Changed the password of', style),
});
