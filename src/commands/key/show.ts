import * as KeyListing from '../../core/accounts/KeyListing.js';
import { define } from '../../core/command/Command.js';
import * as DevelopmentAccount from '../../core/network/DevelopmentAccount.js';
import { lookUp } from '../../setup/findKey.js';

export const command = define({
  description:
    'Shows one key: its kind, its address or venue account, and its file. Nothing is unlocked, and the private key is never shown.',
  args: [{ name: 'name', names: 'key', description: 'the key, or dev0 to dev9 on the sandbox' }],
  examples: [
    ['ferry key show main', 'its address and file'],
    ['ferry key show main --json | jq -r .data.address', 'the address alone'],
  ],
  output: KeyListing.shown,
  async run({ args: [name = ''] }, context) {
    const index = context.network.name === 'sandbox' ? DevelopmentAccount.index(name) : undefined;
    if (index !== undefined) return KeyListing.showDevelopment(index);
    return KeyListing.show((await lookUp(name, context)).key);
  },
  view: KeyListing.formatShown,
});
