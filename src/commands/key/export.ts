import * as z from 'zod/mini';
import * as KeyListing from '../../core/accounts/KeyListing.js';
import { BaseError } from '../../core/base/Errors.js';
import { define } from '../../core/command/Command.js';
import * as ShellCommand from '../../core/text/ShellCommand.js';
import * as TerminalText from '../../core/text/TerminalText.js';
import { lookUp } from '../../setup/findKey.js';

export const command = define({
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
