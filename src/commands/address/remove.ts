import * as z from 'zod/mini';
import * as AddressBook from '../../core/accounts/AddressBook.js';
import { define } from '../../core/command/Command.js';
import * as Config from '../../core/config/Config.js';
import * as TerminalText from '../../core/text/TerminalText.js';

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
    if (address === undefined) throw AddressBook.noSuchName(name, book);
    await configFiles.write([[`aliases.${name}`, undefined]]);
    return { name, address, path: configFiles.userPath };
  },
  view: ({ name, address, path }, style) =>
    `${style.bold(name)} no longer stands for ${address}\n${style.dim(TerminalText.escape(path))}`,
});
