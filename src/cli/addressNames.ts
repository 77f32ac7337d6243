/**
 * Puts addresses in place of the names of the user's address book that were typed.
 *
 * `io/keys/signerChoice` does the same for the account's setting and variable, and nothing else reads names: intents,
 * journals, saved quotes and JSON hold addresses alone. Batch lines and project files have no names, since the user has
 * not typed them.
 */
import * as AddressBook from '../core/accounts/AddressBook.js';
import type { Address } from '../core/base/Address.js';
import type { Command, Options } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import * as Config from '../core/config/Config.js';
import * as CommandCatalog from '../core/docs/CommandCatalog.js';
import * as DevelopmentAccount from '../core/network/DevelopmentAccount.js';

/**
 * The options with addresses in place of names, and the names that were typed. Only what a person types in the place of
 * an address is looked at: the lines of a batch and saved quotes hold addresses.
 *
 * @throws request.invalid-address for a wrong checksum in the book · usage.invalid for a name that a key has too
 */
export async function resolve(
  { args, options: flags }: Pick<Command, 'args' | 'options'>,
  typed: Options,
  context: Context,
): Promise<{ options: Options; found: readonly AddressBook.Entry[] }> {
  const book = Config.addressBook(context.config);
  const found = new Map<string, Address>();
  /** A name may be followed by a colon and more, as in `--app-fee`. */
  const one = async (text: string): Promise<string> => {
    const [name = '', ...rest] = text.split(':');
    const address = AddressBook.find(book, name);
    if (address === undefined) return text;
    AddressBook.assertNoKey({ name, address }, await context.keystore.list());
    found.set(name, address);
    return [address, ...rest].join(':');
  };
  const value = async (given: unknown): Promise<unknown> => {
    if (Array.isArray(given)) return Promise.all(given.map(one));
    return typeof given === 'string' ? one(given) : given;
  };
  const replaced: Record<string, unknown> = {};
  for (const [key, given] of Object.entries(typed)) {
    const flag = flags[key];
    replaced[key] = flag && isAddress(CommandCatalog.kindOfFlag(key, flag)) ? await value(given) : given;
  }
  const words = typed.args.map(async (word, index) => {
    const arg = args[Math.min(index, args.length - 1)];
    return arg && isAddress(CommandCatalog.kindOfArgument(arg)) ? one(word) : word;
  });
  const options = { ...replaced, args: await Promise.all(words) } as Options;
  return { options, found: [...found].map(([name, address]) => ({ name, address })) };
}

/** The address of a stored key, or on the sandbox of an account that everybody has. */
export async function accountNamed(
  name: string,
  { keystore, network }: Pick<Context, 'keystore' | 'network'>,
): Promise<Address | undefined> {
  const index = network.name === 'sandbox' ? DevelopmentAccount.index(name) : undefined;
  if (index !== undefined) return DevelopmentAccount.address(index);
  return (await keystore.list()).find((each) => each.name === name)?.address;
}

function isAddress(kind: CommandCatalog.Kind | undefined): boolean {
  return kind === 'address' || kind === 'page' || kind === 'account';
}
