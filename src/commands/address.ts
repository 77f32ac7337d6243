import * as z from 'zod/mini';
import * as AddressBook from '../core/accounts/AddressBook.js';
import * as AddressName from '../core/accounts/AddressName.js';
import * as Address from '../core/base/Address.js';
import { BaseError } from '../core/base/Errors.js';
import { define } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import * as Config from '../core/config/Config.js';
import * as NetworkRegistry from '../core/network/NetworkRegistry.js';
import * as PriceOnly from '../core/quote/PriceOnly.js';
import { nearest } from '../core/text/DidYouMean.js';
import * as ShellCommand from '../core/text/ShellCommand.js';
import * as TerminalText from '../core/text/TerminalText.js';
import * as UnsafeCharacters from '../core/text/UnsafeCharacters.js';

const add = define({
  description:
    'Gives an address a name of yours, to type in its place: as recipient, refund address, account and wherever else an address is typed. Names are kept in your own configuration, and never taken from a project, a batch or a network; quotes and runs keep the address. A name stays with its address until you remove it.',
  args: [
    { name: 'name', description: 'the name: letters, digits, dashes and underscores' },
    { name: 'address', description: 'the address' },
  ],
  examples: [
    ['ferry address add ada 0x70997970C51812dc3A010C7d01b50e0d17dc79C8', 'ada is this address from now on'],
    ['ferry address add exchange 0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC --json', 'the same, in a script'],
  ],
  output: z.object({
    name: z.string(),
    address: z.string(),
    /** Whether the book did not have it yet. */
    isNew: z.boolean(),
    path: z.string(),
  }),
  async run({ args: [name = '', typed = ''] }, context) {
    const { config, configFiles, warn } = context;
    const address = Address.from(typed, 'address');
    if (PriceOnly.isNobody(address)) throw PriceOnly.ownedByNobody('address');
    const book = Config.addressBook(config);
    await assertName(name, book, context);
    const before = AddressBook.find(book, name);
    if (before !== undefined && before !== address)
      throw new BaseError('usage.invalid', `${name} stands for another address.`, {
        facts: [['address', before]],
        hint: 'A name is not pointed at another address silently: remove it first.',
        next: ShellCommand.line`ferry address remove ${name}`,
      });
    const similar = AddressBook.similar(book, { name, address });
    if (similar)
      warn(
        `${address} begins and ends like ${similar.address}, which you call ${similar.name}, and is another address. Compare all of it.`,
      );
    if (before === undefined) await configFiles.write([[`aliases.${name}`, address]]);
    return { name, address, isNew: before === undefined, path: configFiles.userPath };
  },
  view: ({ name, address, isNew, path }, style) =>
    `${style.bold(name)} is ${isNew ? '' : 'already '}${address}\n${style.dim(TerminalText.escape(path))}`,
});

/** @throws usage.invalid for a name that means something else, or could be taken for another */
async function assertName(
  name: string,
  book: AddressBook.AddressBook,
  { config, keystore, venueKeys }: Context,
): Promise<void> {
  const expects = AddressName.objection(name);
  if (expects) {
    const written = UnsafeCharacters.escape(name);
    throw new BaseError('usage.invalid', `"${written}" is no name for the address book: it must be ${expects}.`, {
      hint: Address.isEnsName(name) ? Address.whyNoEns : undefined,
    });
  }
  const near = AddressName.lookalike(name, book.keys());
  if (near) throw AddressBook.confusableName(name, `${near}, which the address book has`);
  const networks = await NetworkRegistry.all();
  const own = [...config.networks].flatMap(([network, { chains }]) => [network, ...chains.keys()]);
  const known = [...networks.flatMap(({ chains }) => chains.map((chain) => chain.name)), ...own];
  if (known.some((each) => each.toLowerCase() === name.toLowerCase()))
    throw AddressBook.confusableName(name, 'the chain or network of that name');
  const keys = [...(await keystore.list()), ...(await (await venueKeys()).list())].map((key) => key.name);
  const key = keys.includes(name) ? name : AddressName.lookalike(name, keys);
  if (key !== undefined) throw AddressBook.confusableName(name, `your key ${key}`);
}

const list = define({
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

const remove = define({
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

export const commands = { add, list, remove };
