import * as KeyListing from '../../core/accounts/KeyListing.js';
import * as Mnemonic from '../../core/accounts/Mnemonic.js';
import * as PasswordRule from '../../core/accounts/PasswordRule.js';
import { define } from '../../core/command/Command.js';
import * as ShellCommand from '../../core/text/ShellCommand.js';

export const command = define({
  description:
    'Creates a key in a file encrypted with a password. There is no other copy: without the file and its password, the funds of the key are lost. With --mnemonic there is one: twelve words (BIP-39), shown once on the terminal and kept nowhere, from which every wallet derives the key again.',
  args: [{ name: 'name', description: 'a name for the account' }],
  options: {
    passwordFile: { value: 'file', description: 'a file with the password, or - for stdin' },
    ...Mnemonic.newFlags,
    ...PasswordRule.flags,
  },
  examples: [
    ['ferry key new main', 'prompts for a password'],
    ['ferry key new ci --password-file ~/.ferry-password', 'without prompts'],
    ['ferry key new savings --mnemonic', 'with twelve words to write down'],
  ],
  output: KeyListing.schema,
  async run({ args: [name = ''], weakPassword, ...words }, { keystore }) {
    const derivation = Mnemonic.newFrom(words);
    if (derivation) return KeyListing.from(await keystore.createFromWords(name, derivation, { weakPassword }));
    return KeyListing.from(await keystore.create(name, { weakPassword }));
  },
  view(key, style, _, place) {
    const network = place && place.name !== 'sandbox' ? { network: place.name } : {};
    const next = ShellCommand.from('doctor', [], { account: key.name, ...network });
    return `${KeyListing.format(key, 'Created', style)}\n${style.dim('next:')} ${style.command(next)}`;
  },
});
