import * as z from 'zod/mini';
import * as AddressBook from '../../core/accounts/AddressBook.js';
import { define } from '../../core/command/Command.js';
import * as Config from '../../core/config/Config.js';
import * as TerminalText from '../../core/text/TerminalText.js';

export const command = define({
  description: 'Lists your names for addresses.',
  examples: [
    ['ferry address list', 'every name with its address'],
    ['ferry address list --json | jq -r \'.data.addresses[] | select(.name == "ada").address\'', 'one, in a script'],
  ],
  output: z.object({ addresses: z.array(z.object({ name: z.string(), address: z.string() })) }),
  async run(_, { config }) {
    return { addresses: AddressBook.entries(Config.addressBook(config)) };
  },
  view: ({ addresses }, style) =>
    addresses.length === 0
      ? 'The address book is empty. To add to it: ferry address add <name> <address>'
      : TerminalText.columns(addresses.map(({ name, address }) => [style.bold(name), address])),
});
