import * as z from 'zod/mini';
import { BaseError } from '../../core/base/Errors.js';
import { define } from '../../core/command/Command.js';
import * as Config from '../../core/config/Config.js';
import { nearest } from '../../core/text/DidYouMean.js';
import * as TerminalText from '../../core/text/TerminalText.js';
import * as UnsafeCharacters from '../../core/text/UnsafeCharacters.js';

export const command = define({
  description: 'Removes a name from your address book. What was quoted or paid by it keeps its address.',
  args: [{ name: 'name', names: 'alias', description: 'the name' }],
  examples: [
    ['ferry address remove ada', 'ada is a name no more'],
    ['ferry address remove ada --json | jq -r .data.address', 'the address that it was'],
  ],
  output: z.object({ name: z.string(), address: z.string(), path: z.string() }),
  async run({ args: [name = ''] }, { config, configFiles }) {
    const book = Config.addressBook(config);
    const address = book.get(name);
    if (address === undefined) {
      const near = nearest(name, [...book.keys()]);
      throw new BaseError('usage.invalid', `The address book has no "${UnsafeCharacters.escape(name)}".`, {
        hint: near ? `Did you mean ${near}?` : undefined,
        next: 'ferry address list',
      });
    }
    await configFiles.write([[`aliases.${name}`, undefined]]);
    return { name, address, path: configFiles.userPath };
  },
  view: ({ name, address, path }, style) =>
    `${style.bold(name)} no longer stands for ${address}\n${style.dim(TerminalText.escape(path))}`,
});
