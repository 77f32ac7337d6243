import * as KeyListing from '../../core/accounts/KeyListing.js';
import { define } from '../../core/command/Command.js';
import * as TerminalText from '../../core/text/TerminalText.js';

export const command = define({
  description: 'Deletes the file of an encrypted key. Without a copy of it, the funds of the key are lost permanently.',
  args: [{ name: 'name', names: 'key', description: 'the key' }],
  examples: [
    ['ferry key remove old', 'after asking'],
    ['ferry key remove old --yes', 'without asking'],
  ],
  output: KeyListing.schema,
  async run({ args: [name = ''] }, { keystore, venueKeys, confirm }) {
    const apiKeys = await venueKeys();
    const apiKey = (await apiKeys.list()).find((each) => each.name === name);
    if (apiKey) {
      await confirm(`Delete the API key ${name} of venue account ${apiKey.accountIndex}?`);
      await apiKeys.remove(name);
      return KeyListing.fromVenue(apiKey);
    }
    const key = (await keystore.list()).find((each) => each.name === name);
    // An unknown name fails in remove(), without a question first.
    if (key) await confirm(`Permanently delete the key ${name} (${key.address ?? TerminalText.escape(key.path)})?`);
    return KeyListing.from(await keystore.remove(name));
  },
  view: (key, style) => KeyListing.format(key, 'Removed', style),
});
