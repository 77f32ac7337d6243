import * as z from 'zod/mini';
import * as KeyListing from '../../core/accounts/KeyListing.js';
import { BaseError } from '../../core/base/Errors.js';
import { define } from '../../core/command/Command.js';
import * as TerminalText from '../../core/text/TerminalText.js';
import { lookUp } from '../../setup/findKey.js';

export const command = define({
  description:
    'Copies the encrypted file of a key out, to carry it to another machine or to keep it. The copy opens with the key’s password, in ferry, cast wallet and geth; a key never leaves ferry in the open.',
  args: [{ name: 'name', names: 'key', description: 'the key' }],
  options: {
    output: { type: 'string', short: 'o', value: 'file', description: 'the file to write, for your eyes only' },
  },
  examples: [
    ['ferry key export main -o main.json', 'ferry key import main --keystore main.json takes it in elsewhere'],
    ['ferry key export main -o main.json --yes', 'overwrites a file without asking'],
  ],
  output: z.object({
    ...KeyListing.schema.shape,
    /** The copy. */
    to: z.string(),
  }),
  async run({ args: [name = ''], output }, context) {
    if (output === undefined) throw new NoFileError(name);
    if (output === '-') throw new NotToStdoutError(name);
    const { key, files: keyFiles } = await lookUp(name, context);
    const text = await keyFiles.text(name);
    const { path, isNew } = await context.files.create(output, text);
    if (!isNew) {
      if (await context.keystore.holds(path)) throw new InFolderError(path);
      await context.confirm(`Overwrite ${TerminalText.escape(path)}?`);
      await context.files.write(path, text);
    }
    return { ...key, to: path };
  },
  view: ({ to, ...key }, style) => KeyListing.format({ ...key, path: to }, 'Exported', style),
  note: ({ name }) => `The password of ${name} opens it.`,
});

export class NoFileError extends BaseError {
  override name = 'NoFileError';
  constructor(name: string) {
    super('usage.missing', 'The file to write is missing.', { next: `ferry key export ${name} -o ${name}.json` });
  }
}

export class NotToStdoutError extends BaseError {
  override name = 'NotToStdoutError';
  constructor(name: string) {
    super('usage.invalid', 'A key goes into a file that only you can read, and not to stdout.', {
      next: `ferry key export ${name} -o ${name}.json`,
    });
  }
}

export class InFolderError extends BaseError {
  override name = 'InFolderError';
  constructor(path: string) {
    super('auth.key-exists', 'That file is in the folder of keys.', {
      facts: [['file', path]],
      hint: 'ferry never overwrites a key. Name another file.',
    });
  }
}
